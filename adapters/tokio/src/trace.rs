//! Labels and times, and how they are written.

use serde_json::{json, Value};
use std::io::Write;
use std::time::Instant;

pub fn write_line(message: &Value) {
    let mut out = std::io::stdout();
    if writeln!(out, "{}", message).and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

#[derive(Default)]
pub struct Trace {
    seq: i64,
    each: bool,
    count: usize,
    events: Vec<Value>,
    start: Option<Instant>,
}

impl Trace {
    /// With `each`, labels are written at once.
    pub fn new(seq: i64, each: bool) -> Trace {
        Trace { seq, each, start: Some(Instant::now()), ..Trace::default() }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    pub fn emit(&mut self, label: &str) {
        let t_ns = self.start.map_or(0, |start| start.elapsed().as_nanos() as u64);
        self.count += 1;
        self.events.push(json!({"label": label, "t_ns": t_ns}));
        if self.each {
            let events = std::mem::take(&mut self.events);
            write_line(&json!({"type": "trace", "seq": self.seq, "events": events, "more": true}));
        }
    }

    pub fn finish(self) {
        write_line(&json!({"type": "trace", "seq": self.seq, "events": self.events}));
    }
}
