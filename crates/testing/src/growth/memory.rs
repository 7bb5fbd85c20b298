//! How many bytes reading an input takes: measured in a process of its own, by what the system says
//! of the most that it held.
//!
//! Where the system does not say it the test says that it was skipped, unless
//! `QUOIN_GROWTH=required` asks for it.

use std::process::Command;

use super::VARIABLE;

/// Says in the child which case it is to measure.
const CASE: &str = "QUOIN_GROWTH_MEMORY";
/// Begins the line with the answer.
const ANSWER: &str = "bytes held at most: ";
/// Bytes that reading anything may take: tables that are made once, and pages of the program.
const ALLOWED: usize = 8 << 20;

/// An input that would like to be held many times, and how often it may be.
#[derive(Debug, Clone, Copy)]
pub struct MemoryCase {
    /// Its name.
    pub name: &'static str,
    /// Makes the input.
    pub make: fn() -> Vec<u8>,
    /// Bytes that may be held for each byte of it, above what anything takes.
    pub times: usize,
    /// Reads it, whatever comes of it.
    pub run: fn(&[u8]),
}

/// Holds each case to its memory. To be called from a test and from nowhere else: the test is run
/// again by its name.
///
/// # Panics
/// Where a case takes more, naming each; where the measurement failed.
pub fn check_memory(cases: &[MemoryCase]) {
    if let Ok(turn) = std::env::var(CASE) {
        let own = turn.parse().ok().and_then(|at: usize| cases.get(at));
        return measure(own.expect("a case of this table"));
    }
    if held_at_most().is_none() {
        let required = std::env::var(VARIABLE).is_ok_and(|value| value == "required");
        assert!(!required, "{VARIABLE}=required, but the system does not say what a process held");
        crate::skipped("VmHWM of /proc/self/status");
        return;
    }
    let mut large = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let (input, held) = asked(at);
        let most = ALLOWED + input * case.times;
        let line = format!("{}: {input} bytes hold {held}, at most {most}", case.name);
        println!("{line}");
        if held > most {
            large.push(line);
        }
    }
    assert!(large.is_empty(), "more memory than is due for the input: {large:#?}");
}

fn measure(case: &MemoryCase) {
    let input = (case.make)();
    let before = held_at_most().unwrap_or_default();
    (case.run)(std::hint::black_box(&input));
    let held = held_at_most().unwrap_or_default().saturating_sub(before);
    println!("\n{ANSWER}{} {held}", input.len());
}

/// The length of the input of a case, and the bytes that were held for it.
fn asked(case: usize) -> (usize, usize) {
    let thread = std::thread::current();
    let test = thread.name().expect("a test has a name");
    let output = Command::new(std::env::current_exe().expect("the path of this test"))
        .args(["--exact", test, "--test-threads=1", "--nocapture"])
        .env(CASE, case.to_string())
        .output()
        .expect("the test starts again");
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix(ANSWER));
    let (input, held) = line
        .and_then(|line| line.split_once(' '))
        .unwrap_or_else(|| panic!("case {case} gave no answer: {text}"));
    let number = |text: &str| text.trim().parse().expect("a number of bytes");
    (number(input), number(held))
}

/// The most that this process held so far, in bytes.
fn held_at_most() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok().map(|kib| kib << 10)
}
