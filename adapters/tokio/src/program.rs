//! A program of the case language as the interpreter takes it, and what of the language there is here.

use serde_json::Value;
use std::time::Duration;

/// What a step that schedules a callback schedules.
#[derive(Clone, Copy, PartialEq)]
pub enum Wish {
    Soon,
    Timeout,
    TimeoutAt,
    Interval,
    Read,
    Wake,
    Work,
}

pub enum Act {
    Ask(Wish),
    Log,
    Busy,
    Exit,
    Again,
    Only,
    Clear,
    Send,
}

pub struct Step {
    pub act: Act,
    pub label: String,
    pub target: String,
    pub delay: Duration,
    pub code: i64,
    pub unsent: bool,
    /// N of `xN`; without it a callback comes once, and an interval without end.
    pub times: Option<i64>,
    pub only: (i64, i64),
    pub body: Vec<Step>,
}

/// What `ops` names. `log`, `busy`, `only` and `again` need no name.
pub const OPS: [&str; 10] = [
    "soon", "timeout", "timeout as at", "interval", "read", "wake", "work", "clear", "send", "exit",
];

/// Far beyond any wait, and within what Tokio counts.
const LONGEST_MS: f64 = 1e9;

fn text<'a>(step: &'a Value, key: &str) -> &'a str {
    step[key].as_str().unwrap_or("")
}

fn name(step: &Value) -> String {
    match (text(step, "op"), text(step, "kind")) {
        ("on", _) => format!("on {}", text(step, "event")),
        (op, "") => op.to_string(),
        (op, kind) => format!("{} as {}", op, kind),
    }
}

fn act(name: &str) -> Option<Act> {
    Some(match name {
        "soon" => Act::Ask(Wish::Soon),
        "timeout" => Act::Ask(Wish::Timeout),
        "timeout as at" => Act::Ask(Wish::TimeoutAt),
        "interval" => Act::Ask(Wish::Interval),
        "read" => Act::Ask(Wish::Read),
        "wake" => Act::Ask(Wish::Wake),
        "work" => Act::Ask(Wish::Work),
        "log" => Act::Log,
        "busy" => Act::Busy,
        "exit" => Act::Exit,
        "again" => Act::Again,
        "only" => Act::Only,
        "clear" => Act::Clear,
        "send" => Act::Send,
        _ => return None,
    })
}

fn delay(step: &Value) -> Option<Duration> {
    let ms: f64 = text(step, "argument").parse().ok()?;
    let least = if text(step, "op") == "interval" { f64::MIN_POSITIVE } else { 0.0 };
    let fits = ms >= least && ms <= LONGEST_MS;
    fits.then(|| Duration::from_secs_f64(ms / 1e3))
}

fn number(step: &Value, key: &str) -> Result<i64, String> {
    text(step, key).parse().map_err(|_| format!("'{}' is not a number in: {}", key, step))
}

/// The first thing that the program needs and Tokio has not: "tick", "soon as high", "delay NaN".
pub fn missing(program: &Value) -> Option<String> {
    for step in program.as_array()? {
        let name = name(step);
        if act(&name).is_none() {
            return Some(name);
        }
        let is_timer = matches!(text(step, "op"), "timeout" | "interval");
        if is_timer && delay(step).is_none() {
            return Some(format!("delay {}", text(step, "argument")));
        }
        if let Some(found) = missing(&step["body"]) {
            return Some(found);
        }
    }
    None
}

/// REQUIRES: nothing is missing.
pub fn read(program: &Value) -> Result<Vec<Step>, String> {
    let steps = match program.as_array() {
        Some(steps) => steps,
        None if program.is_null() => return Ok(Vec::new()),
        None => return Err("a program is a list".to_string()),
    };
    steps.iter().map(read_step).collect()
}

fn read_step(step: &Value) -> Result<Step, String> {
    let act = act(&name(step)).ok_or_else(|| format!("unknown: {}", step))?;
    let only = match act {
        Act::Only => (number(step, "only_from")?, number(step, "only_to")?),
        _ => (1, 1),
    };
    let times = if step["times"].is_null() { None } else { Some(number(step, "times")?) };
    Ok(Step {
        act,
        label: text(step, "label").to_string(),
        target: text(step, "target").to_string(),
        delay: delay(step).unwrap_or(Duration::ZERO),
        code: text(step, "argument").parse::<i64>().unwrap_or(0) & 0xff,
        unsent: step["unsent"].as_bool().unwrap_or(false),
        times,
        only,
        body: read(&step["body"])?,
    })
}
