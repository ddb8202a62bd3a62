//! Runs programs on Tokio: the conversation of spec/adapter-protocol.md.

mod program;
mod run;
mod trace;

use serde_json::{json, Value};
use std::io::BufRead;
use trace::{write_line, Trace};

const PROTOCOL: i64 = 1;

/// The version of the crate that this was built with; the Makefile finds it out.
const TOKIO_VERSION: &str = env!("TOKIO_VERSION");

fn answer_run(message: &Value) -> Result<(), String> {
    let seq = message["seq"].as_i64().ok_or("a run without a number")?;
    let entry = message["entry"].as_str().unwrap_or("script");
    let missing = if !message["native"].is_null() {
        Some("native".to_string())
    } else if entry != "script" {
        Some(format!("entry {}", entry))
    } else {
        program::missing(&message["program"])
    };
    if let Some(op) = missing {
        write_line(&json!({"type": "unsupported", "seq": seq, "op": op}));
        return Ok(());
    }
    let given = message["descriptors"].as_array().cloned().unwrap_or_default();
    let descriptors = given.iter().filter_map(|one| one.as_i64()).map(|one| one as i32).collect();
    let trace = Trace::new(seq, message["flush"] == "each");
    // Programs are small, and a process runs few: what they take is not given back.
    let outcome = program::read(&message["program"])
        .and_then(|program| run::run(Box::leak(program.into_boxed_slice()), descriptors, trace));
    match outcome {
        Ok(trace) => trace.finish(),
        Err(why) => write_line(&json!({"type": "error", "seq": seq, "message": why})),
    }
    Ok(())
}

fn ready() -> Value {
    json!({
        "type": "ready",
        "protocol": PROTOCOL,
        "implementation": {"name": "tokio", "version": TOKIO_VERSION, "details": {"runtime": "current thread"}},
        "claims": {"profile": "tokio", "version": TOKIO_VERSION},
        "ops": program::OPS,
        "isolation": "session",
    })
}

fn converse() -> Result<(), String> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let message: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        match message["type"].as_str() {
            Some("hello") => write_line(&ready()),
            Some("run") => answer_run(&message)?,
            Some("stop") => break,
            _ => return Err(format!("unknown message: {}", line)),
        }
    }
    Ok(())
}

fn main() {
    if let Err(why) = converse() {
        eprintln!("adapter: {}", why);
        std::process::exit(1);
    }
}
