//! One program on its own runtime. Every callback is a task; the main body is the future of `block_on`, which
//! then waits until no callback is left to come.

use crate::program::{Act, Step, Wish};
use crate::trace::Trace;
use std::collections::HashMap;
use std::io::Write;
use std::os::unix::io::FromRawFd;
use std::os::unix::net::UnixStream as Socket;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::UnixStream;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// Tokio's timers have whole milliseconds, and round up: `busy` takes that much longer.
const BUSY_MARGIN: Duration = Duration::from_millis(3);
const MOST_LABELS: usize = 250_000;

/// A step that schedules a callback, once for each time it was reached, with all runs of its chain.
struct Asked {
    step: &'static Step,
    state: Mutex<Runs>,
    wake: Notify,
}

#[derive(Default)]
struct Runs {
    begun: i64,
    rearmed: bool,
    under_way: bool,
    cleared: bool,
    task: Option<JoinHandle<()>>,
}

pub struct Run {
    trace: Mutex<Trace>,
    names: Mutex<HashMap<&'static str, Arc<Asked>>>,
    given: Mutex<Vec<i32>>,
    other_ends: Mutex<Vec<Socket>>,
    to_come: Mutex<i64>,
    over: Mutex<Option<String>>,
    ended: Notify,
    began: Instant,
}

/// Runs the program, and gives its trace or what kept it from running. The tasks of a runtime may outlive everything but
/// the process, and so has the program to.
pub fn run(program: &'static [Step], descriptors: Vec<i32>, trace: Trace) -> Result<Trace, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    let run = runtime.block_on(async {
        let run = Arc::new(Run {
            trace: Mutex::new(trace),
            names: Mutex::default(),
            given: Mutex::new(descriptors.into_iter().rev().collect()),
            other_ends: Mutex::default(),
            to_come: Mutex::new(0),
            over: Mutex::new(None),
            ended: Notify::new(),
            began: Instant::now(),
        });
        run.perform(program, None);
        while !run.is_over() && *run.to_come.lock().unwrap() > 0 {
            run.ended.notified().await;
        }
        run
    });
    drop(runtime);
    let over = run.over.lock().unwrap().take();
    match over {
        Some(trouble) if !trouble.is_empty() => Err(trouble),
        _ => Ok(std::mem::take(&mut *run.trace.lock().unwrap())),
    }
}

impl Run {
    fn is_over(&self) -> bool {
        self.over.lock().unwrap().is_some()
    }

    /// Nothing more is emitted, and no step is done.
    fn end(&self, trouble: &str) {
        self.over.lock().unwrap().get_or_insert(trouble.to_string());
        self.ended.notify_one();
    }

    fn emit(&self, label: &str) {
        if self.is_over() {
            return;
        }
        let mut trace = self.trace.lock().unwrap();
        if trace.count() < MOST_LABELS {
            return trace.emit(label);
        }
        drop(trace);
        self.end("the program emits more labels than can be kept");
    }

    fn perform(self: &Arc<Self>, body: &'static [Step], around: Option<&Arc<Asked>>) {
        for step in body {
            if self.is_over() {
                return;
            }
            self.perform_one(step, around);
        }
    }

    fn perform_one(self: &Arc<Self>, step: &'static Step, around: Option<&Arc<Asked>>) {
        let runs = around.map_or(1, |asked| asked.state.lock().unwrap().begun);
        match step.act {
            Act::Ask(wish) => {
                let asked = Arc::new(Asked { step, state: Mutex::default(), wake: Notify::new() });
                if !step.label.is_empty() {
                    self.names.lock().unwrap().insert(&step.label, asked.clone());
                }
                if wish == Wish::Wake {
                    self.listen(&asked);
                }
                if !step.unsent {
                    self.start(&asked, wish);
                }
            }
            Act::Log => self.emit(&step.label),
            Act::Busy => {
                let end = Instant::now() + step.delay + BUSY_MARGIN;
                while Instant::now() < end {}
            }
            Act::Exit => {
                if step.code != 0 {
                    self.emit(&format!("exit={}", step.code));
                }
                self.end("");
            }
            Act::Again => {
                if let Some(asked) = around {
                    self.rearm(asked);
                }
            }
            Act::Only => {
                if (step.only.0..=step.only.1).contains(&runs) {
                    self.perform(&step.body, around);
                }
            }
            Act::Clear => {
                if let Some(asked) = self.named(&step.target) {
                    self.clear(&asked);
                }
            }
            Act::Send => {
                if let Some(asked) = self.named(&step.target) {
                    self.start(&asked, Wish::Wake);
                }
            }
        }
    }

    fn named(&self, name: &str) -> Option<Arc<Asked>> {
        self.names.lock().unwrap().get(name).cloned()
    }

    /// Schedules one callback; for those of an interval, all at once.
    fn start(self: &Arc<Self>, asked: &Arc<Asked>, wish: Wish) {
        let mut state = asked.state.lock().unwrap();
        if wish == Wish::Wake {
            if !state.cleared {
                self.expect(&mut state);
                asked.wake.notify_one();
            }
            return;
        }
        self.expect(&mut state);
        let (run, own, delay) = (self.clone(), asked.clone(), asked.step.delay);
        state.task = Some(match wish {
            Wish::Soon => tokio::spawn(async move { run.called(&own) }),
            Wish::Timeout | Wish::TimeoutAt => {
                let from = if wish == Wish::Timeout { Instant::now() } else { self.began };
                let sleep = tokio::time::sleep_until(from + delay);
                tokio::spawn(async move {
                    sleep.await;
                    run.called(&own)
                })
            }
            Wish::Interval => {
                let mut interval = tokio::time::interval_at(Instant::now() + delay, delay);
                tokio::spawn(async move {
                    while !own.state.lock().unwrap().cleared {
                        interval.tick().await;
                        run.called(&own);
                    }
                })
            }
            Wish::Read => match self.reader() {
                Ok(socket) => tokio::spawn(async move {
                    let mut byte = [0];
                    while socket.readable().await.is_ok() && socket.try_read(&mut byte).is_err() {}
                    drop(socket);
                    run.called(&own)
                }),
                Err(trouble) => return self.end(&trouble),
            },
            Wish::Work => {
                let work = tokio::task::spawn_blocking(move || std::thread::sleep(delay));
                tokio::spawn(async move {
                    work.await.ok();
                    run.called(&own)
                })
            }
            Wish::Wake => unreachable!(),
        });
    }

    /// A wake waits from the beginning, and for nothing in particular: the run does not wait for it.
    fn listen(self: &Arc<Self>, asked: &Arc<Asked>) {
        let (run, own) = (self.clone(), asked.clone());
        asked.state.lock().unwrap().task = Some(tokio::spawn(async move {
            loop {
                own.wake.notified().await;
                run.called(&own);
            }
        }));
    }

    fn expect(&self, state: &mut Runs) {
        if !std::mem::replace(&mut state.under_way, true) {
            *self.to_come.lock().unwrap() += 1;
        }
    }

    fn no_longer_expect(&self, state: &mut Runs) {
        if std::mem::replace(&mut state.under_way, false) {
            *self.to_come.lock().unwrap() -= 1;
        }
    }

    fn clear(&self, asked: &Asked) {
        let mut state = asked.state.lock().unwrap();
        self.no_longer_expect(&mut state);
        state.cleared = true;
        if let Some(task) = &state.task {
            task.abort();
        }
        self.ended.notify_one();
    }

    /// The callback of a task.
    fn called(self: &Arc<Self>, asked: &Arc<Asked>) {
        if self.is_over() {
            return;
        }
        let step = asked.step;
        let repeats = matches!(step.act, Act::Ask(Wish::Interval));
        let is_last = {
            let mut state = asked.state.lock().unwrap();
            if repeats && state.cleared {
                return;
            }
            state.begun += 1;
            state.rearmed = false;
            if !repeats {
                self.no_longer_expect(&mut state);
            }
            Some(state.begun) == step.times
        };
        if !step.label.is_empty() {
            self.emit(&step.label);
        }
        if repeats && is_last {
            self.clear(asked);
        }
        self.perform(&step.body, Some(asked));
        self.rearm(asked);
        self.ended.notify_one();
    }

    /// Schedules the next run of a chain, once in each run.
    fn rearm(self: &Arc<Self>, asked: &Arc<Asked>) {
        let wish = match asked.step.act {
            Act::Ask(Wish::Interval) => return,
            Act::Ask(wish) => wish,
            _ => return,
        };
        {
            let mut state = asked.state.lock().unwrap();
            if self.is_over() || state.rearmed || state.begun >= asked.step.times.unwrap_or(1) {
                return;
            }
            state.rearmed = true;
        }
        self.start(asked, wish);
    }

    /// A socket on which one byte waits. The other end stays open, so that there is no end to read.
    fn reader(&self) -> Result<UnixStream, String> {
        let given = self.given.lock().unwrap().pop();
        let socket = match given {
            // It was handed over to be used once.
            Some(descriptor) => unsafe { Socket::from_raw_fd(descriptor) },
            None => self.pair().map_err(|error| error.to_string())?,
        };
        socket.set_nonblocking(true).map_err(|error| error.to_string())?;
        UnixStream::from_std(socket).map_err(|error| error.to_string())
    }

    fn pair(&self) -> std::io::Result<Socket> {
        let (ours, mut other) = Socket::pair()?;
        other.write_all(b"x")?;
        self.other_ends.lock().unwrap().push(other);
        Ok(ours)
    }
}
