//! How the work of a parser grows with what it is given: counted in instructions, not in time.
//!
//! ```text
//! the test ──► valgrind --tool=callgrind ──► the same test, which calls measured(n), measured(2n)
//!          ◄── one count for each call   ◄──
//! ```
//! A parser that sees bytes from outside is a row of its crate's table with the worst inputs that
//! somebody could think of. Twice the input may cost two and a half times the instructions and no
//! more. [`complete`] finds functions that take bytes and are in no row, so that a new parser must
//! enter the table.
//!
//! Callgrind counts every instruction of the process, those of libraries included, and the same
//! ones each time. Where it is not installed the test says that it was skipped, unless
//! `QUOIN_GROWTH=required` asks for it, as `.ci/run` does.

mod invoices;
mod memory;
mod sources;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub use invoices::INVOICES;
pub use memory::{MemoryCase, check_memory};
use sources::unlisted;

/// What twice the input may cost.
const LIMIT: f64 = 2.5;
/// Says in the child that it is to be measured; `required` in the parent makes a missing valgrind a
/// failure.
const VARIABLE: &str = "QUOIN_GROWTH";
/// Which of the processes that measure a child is: `0/2`.
const TURN: &str = "QUOIN_GROWTH_TURN";
/// Instructions below which a ratio says nothing: what a call costs whatever it is given.
const NOTHING: u64 = 20_000;

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
        let line = format!("{} / {case}: {one} -> {two} instructions, x {ratio:.2}", parser.name);
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
/// each size.
fn measure(parsers: &[Parser]) {
    let (own, all) = turn();
    let cases = parsers.iter().flat_map(|parser| parser.cases.iter().map(move |own| (parser, own)));
    for (parser, (_, make)) in cases.skip(own).step_by(all) {
        let (one, two) = (make(parser.size), make(parser.size * 2));
        (parser.run)(&make(parser.size / 8));
        measured(parser.run, &one);
        measured(parser.run, &two);
    }
}

/// Which process this is, and of how many: each measures every so many-th case.
fn turn() -> (usize, usize) {
    let told = std::env::var(TURN).ok();
    let read = told.as_deref().and_then(|text| text.split_once('/'));
    let (own, all) = read.unwrap_or(("0", "1"));
    (own.parse().unwrap_or(0), all.parse().unwrap_or(1))
}

/// What callgrind counts; it finds this function by its name.
#[inline(never)]
fn measured(run: fn(&[u8]), input: &[u8]) {
    run(std::hint::black_box(input));
    std::hint::black_box(());
}

/// The counts of this test under valgrind, in the order of the cases: by one process for each core.
fn counts() -> Option<Vec<u64>> {
    let thread = std::thread::current();
    let test = thread.name().expect("a test has a name").to_owned();
    if Command::new("valgrind").arg("--version").output().is_err() {
        let required = std::env::var(VARIABLE).is_ok_and(|value| value == "required");
        assert!(!required, "{VARIABLE}=required, but valgrind is not installed");
        crate::skipped("valgrind");
        return None;
    }
    let all = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let started: Vec<_> = (0..all).map(|own| start(&test, own, all)).collect();
    let counts: Vec<Vec<u64>> = started.into_iter().map(finish).collect();
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

/// Starts one of the processes that measure; its counts will be in the folder.
fn start(test: &str, own: usize, all: usize) -> (Child, PathBuf) {
    let name = format!("quoin-growth-{}-{own}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the counts");
    let this = std::env::current_exe().expect("the path of this test");
    let child = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no"])
        // The same function by two patterns: callgrind keeps one option for each pattern.
        .args(["--toggle-collect=quoin_testing::growth::measured*"])
        .args(["--dump-after=*growth::measured*"])
        .arg(format!("--callgrind-out-file={}", folder.join("count").display()))
        .args(["--main-stacksize=67108864", "--max-stackframe=67108864"])
        .arg(this)
        .args(["--exact", test, "--test-threads=1", "--nocapture"])
        .env(VARIABLE, "measure")
        .env(TURN, format!("{own}/{all}"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("valgrind starts");
    (child, folder)
}

/// The counts of a process, once it has ended.
fn finish((child, folder): (Child, PathBuf)) -> Vec<u64> {
    let output = child.wait_with_output().expect("valgrind runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the measured run failed: {text}");
    let counts = read(&folder);
    // Left behind where it cannot be removed; the system clears its temporary folder.
    let _ = std::fs::remove_dir_all(&folder);
    counts
}

/// The total of each dump, in the order in which they were made.
fn read(folder: &Path) -> Vec<u64> {
    let number = |path: &PathBuf| path.extension()?.to_str()?.parse::<u32>().ok();
    let files = std::fs::read_dir(folder).expect("the folder of the counts");
    let mut dumps: Vec<(u32, PathBuf)> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter_map(|path| Some((number(&path)?, path)))
        .collect();
    dumps.sort();
    let total = |path: &Path| {
        let text = std::fs::read_to_string(path).ok()?;
        let is_dump = text.contains("desc: Trigger: --dump-after");
        let line = text.lines().find_map(|line| line.strip_prefix("summary: "))?;
        is_dump.then(|| line.trim().parse::<u64>().ok())?
    };
    dumps.iter().filter_map(|(_, path)| total(path)).collect()
}
