//! How the work of a parser grows with what it is given: counted in blocks of instructions, not in
//! time.
//!
//! ```text
//! the test ──► valgrind --tool=none ──► the same test ──fork──► reads nothing, then n, then 2n
//!          ◄── what valgrind says of each as it ends ◄─────────┘
//! ```
//! A parser that sees bytes from outside is a row of its crate's table with the worst inputs that
//! somebody could think of. Twice the input may cost 2.3 times the work and no more.
//! [`complete`] finds functions that take bytes and are in no row, so that a new parser must
//! enter the table.
//!
//! Valgrind runs a program in blocks of some instructions without a jump into them, those of
//! libraries included, and says at the end of each process how many it ran: the same number each
//! time, but for maps with a seed. Counting them asks for an eighth of the time that counting
//! single instructions does. A process that reads an input is a copy of the one that made it, so
//! that the difference to a copy that does nothing is what reading costs. Where valgrind is not
//! installed the test says that it was skipped, unless `QUOIN_GROWTH=required` asks for it, as
//! `.ci/run` does.

mod invoices;
mod memory;
mod sources;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

pub use invoices::INVOICES;
pub use memory::{MemoryCase, check_memory};
use sources::unlisted;

/// What twice the input may cost. Bytes that are copied weigh less in blocks than in instructions,
/// of which it was two and a half times as many.
const LIMIT: f64 = 2.3;
/// Says in the child that it is to be measured; `required` in the parent makes a missing valgrind a
/// failure.
const VARIABLE: &str = "QUOIN_GROWTH";
/// Which of the processes that measure a child is: `0/2`.
const TURN: &str = "QUOIN_GROWTH_TURN";
/// Blocks below which a ratio says nothing: what a call costs whatever it is given.
const NOTHING: u64 = 1_500;

/// A parser and its worst inputs.
#[derive(Debug, Clone, Copy)]
pub struct Parser {
    /// Its name in the table of the issue: what it reads.
    pub name: &'static str,
    /// The functions that this row covers, each `file.rs function`, with the file's path in `src`.
    pub covers: &'static [&'static str],
    /// The worst cases: a name, and the input of a size of about so many bytes.
    pub cases: &'static [Case],
    /// The smaller size.
    pub size: usize,
    /// Reads an input, whatever comes of it.
    pub run: fn(&[u8]),
}

/// A name, and how an input of a size is made.
pub type Case = (&'static str, fn(usize) -> Vec<u8>);

/// Holds every parser of a table to its growth. To be called from a test and from nowhere else: the
/// test is run again under valgrind by its name.
///
/// # Panics
/// Where a parser grows faster, naming each case; where the measurement failed.
pub fn check(parsers: &[Parser]) {
    if std::env::var(VARIABLE).is_ok_and(|value| value == "measure") {
        return measure(parsers);
    }
    let Some(counts) = counts() else { return };
    let cases: Vec<_> = parsers
        .iter()
        .flat_map(|parser| parser.cases.iter().map(move |(case, _)| (parser, *case)))
        .collect();
    assert_eq!(counts.len(), cases.len() * 2, "a count for each size of each case");
    let mut steep = Vec::new();
    for ((parser, case), pair) in cases.iter().zip(counts.chunks_exact(2)) {
        let (one, two) = (pair[0], pair[1]);
        let ratio = two as f64 / one.max(NOTHING) as f64;
        let line = format!("{} / {case}: {one} -> {two} blocks, x {ratio:.2}", parser.name);
        println!("{line}");
        if ratio > LIMIT {
            steep.push(line);
        }
    }
    assert!(steep.is_empty(), "more than {LIMIT} times the work for twice the input: {steep:#?}");
}

/// Holds a table to the source of its crate: every function that takes bytes and may be called from
/// outside its module is in a row, or in `exempt` with the reason why it is not.
///
/// # Panics
/// Where one is missing, or a row names what is not there.
pub fn complete(crate_dir: &str, parsers: &[Parser], exempt: &[(&str, &str)]) {
    let covered: Vec<&str> = parsers.iter().flat_map(|row| row.covers).copied().collect();
    let missing = unlisted(crate_dir, &covered, exempt);
    assert!(missing.is_empty(), "enter them in PARSERS, or say in EXEMPT why not: {missing:#?}");
}

/// Runs every case of this process once to warm up, which a small input does, and then once for
/// each size, each in a copy of this process.
fn measure(parsers: &[Parser]) {
    let (own, all) = turn();
    let cases = parsers.iter().flat_map(|parser| parser.cases.iter().map(move |own| (parser, own)));
    for (parser, (_, make)) in cases.skip(own).step_by(all) {
        let (one, two) = (make(parser.size), make(parser.size * 2));
        (parser.run)(&make(parser.size / 8));
        in_a_copy(|| ());
        in_a_copy(|| (parser.run)(&one));
        in_a_copy(|| (parser.run)(&two));
    }
}

/// Does something in a copy of this process, and waits for its end.
fn in_a_copy(work: impl FnOnce()) {
    match fork::fork().expect("a copy of this process") {
        fork::Fork::Child => {
            let done = catch_unwind(AssertUnwindSafe(work));
            std::process::exit(i32::from(done.is_err()));
        }
        fork::Fork::Parent(copy) => {
            assert_eq!(fork::waitpid(copy).expect("its end"), 0, "the parser panicked");
        }
    }
}

/// Which process this is, and of how many: each measures every so many-th case.
fn turn() -> (usize, usize) {
    let told = std::env::var(TURN).ok();
    let read = told.as_deref().and_then(|text| text.split_once('/'));
    let (own, all) = read.unwrap_or(("0", "1"));
    (own.parse().unwrap_or(0), all.parse().unwrap_or(1))
}

/// The counts of this test under valgrind, in the order of the cases: by one process for each core.
fn counts() -> Option<Vec<u64>> {
    let thread = std::thread::current();
    let test = thread.name().expect("a test has a name");
    if Command::new("valgrind").arg("--version").output().is_err() {
        let required = std::env::var(VARIABLE).is_ok_and(|value| value == "required");
        assert!(!required, "{VARIABLE}=required, but valgrind is not installed");
        crate::skipped("valgrind");
        return None;
    }
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let counts: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let start = |own| scope.spawn(move || counted(test, own, all));
        let started: Vec<_> = (0..all).map(start).collect();
        started.into_iter().map(|one| one.join().expect("it counted")).collect()
    });
    let mut pairs: Vec<_> = counts.iter().map(|own| own.chunks_exact(2)).collect();
    let mut joined = Vec::new();
    for turn in (0..all).cycle() {
        match pairs.get_mut(turn).and_then(Iterator::next) {
            Some(pair) => joined.extend(pair),
            None => break,
        }
    }
    assert_eq!(joined.len(), counts.iter().map(Vec::len).sum::<usize>(), "every count is read");
    Some(joined)
}

/// The counts of one of the processes that measure: of each of its cases one for either size.
fn counted(test: &str, own: usize, all: usize) -> Vec<u64> {
    let this = std::env::current_exe().expect("the path of this test");
    let output = Command::new("valgrind")
        .args(["--tool=none", "--stats=yes", "--vgdb=no"])
        .args(["--main-stacksize=67108864", "--max-stackframe=67108864"])
        .arg(this)
        .args(["--exact", test, "--test-threads=1", "--nocapture"])
        .env(VARIABLE, "measure")
        .env(TURN, format!("{own}/{all}"))
        .output()
        .expect("valgrind starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the measured run failed: {text}");
    let mut ends: Vec<u64> = text.lines().filter_map(blocks).collect();
    // The last one is the process itself.
    ends.pop().expect("valgrind says how many blocks it ran");
    let copies = ends.chunks_exact(3);
    assert!(copies.remainder().is_empty(), "three copies for each case: {text}");
    copies.flat_map(|case| [case[1] - case[0], case[2] - case[0]]).collect()
}

/// How many blocks a process had run when it ended, where a line of valgrind says so.
fn blocks(line: &str) -> Option<u64> {
    let (_, said) = line.split_once("scheduler: ")?;
    let number = said.strip_suffix(" event checks.")?;
    number.replace(',', "").parse().ok()
}
