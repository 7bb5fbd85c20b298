//! `quoin validate` on a folder of 10,000 invoices: files a second on one core and on all, how many
//! cores work, and that memory does not grow with the number of files.
//!
//! The program is run as it is delivered. Time and memory of a process are read from `/proc`, so
//! the bench says nothing elsewhere.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use quoin_formats::samples::{SampleKind, document};
use quoin_testing::bench::Bench;

/// Files of the large batch, and of the small one that its memory is compared with.
const FILES: [usize; 2] = [1_000, 10_000];
/// Lines of an invoice: about 20 kB.
const LINES: usize = 14;
/// How often memory is looked at.
const PACE: Duration = Duration::from_millis(5);
/// Clock ticks of the kernel in a second, as Linux tells them to programs.
const TICKS: f64 = 100.0;

/// A folder that goes with the bench.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Invoices under numbers of their own, every hundredth of them wrong.
fn fill(files: usize) -> Folder {
    let folder = Folder(std::env::temp_dir().join(format!("quoin-{}-{files}", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a folder for the files");
    for number in 0..files {
        let id = format!("F{number:05}");
        let mut text = document(SampleKind::Invoice, "0106:12345678", "0106:87654321", &id, LINES);
        if number % 100 == 0 {
            text = text.replace("<cbc:IssueDate>", "<cbc:IssueDate>x");
        }
        let mut file = std::fs::File::create(folder.0.join(format!("{id}.xml"))).expect("a file");
        file.write_all(text.as_bytes()).expect("its text");
    }
    folder
}

/// What a run took.
struct Taken {
    seconds: f64,
    /// Of all threads together.
    processor: f64,
    /// Megabytes at the highest.
    memory: f64,
}

fn run(folder: &Path, jobs: usize) -> Taken {
    let begun = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_quoin"))
        .args(["validate", "--format", "json", "--jobs", &jobs.to_string()])
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("quoin starts");
    let (mut memory, mut processor) = (0.0_f64, 0.0_f64);
    while child.try_wait().expect("quoin is there").is_none() {
        memory = memory.max(megabytes(&child).unwrap_or(0.0));
        processor = processor.max(seconds(&child).unwrap_or(0.0));
        std::thread::sleep(PACE);
    }
    let status = child.wait().expect("quoin ends");
    assert_eq!(status.code(), Some(1), "some documents are wrong");
    Taken { seconds: begun.elapsed().as_secs_f64(), processor, memory }
}

/// The highest resident memory so far.
fn megabytes(child: &Child) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}

/// Processor time so far.
fn seconds(child: &Child) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / TICKS)
}

fn main() {
    let mut report = Bench::new("batch").measure(Duration::ZERO);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let mut memory = Vec::new();
    for files in FILES {
        let folder = fill(files);
        let taken = run(&folder.0, cores);
        let name = |what: &str| format!("{files} files: {what}");
        report.row(&name("wall"), taken.seconds, "s", None, None);
        report.row(&name("a second"), files as f64 / taken.seconds, "files/s", None, None);
        report.row(&name("processor"), taken.processor, "s", None, None);
        let used = taken.processor / taken.seconds;
        report.row(&name(&format!("cores at work of {cores}")), used, "cores", None, None);
        report.row(&name("memory at the highest"), taken.memory, "MB", None, None);
        memory.push(taken.memory);
        if Some(&files) == FILES.last() {
            let alone = run(&folder.0, 1);
            let name = name("a second, one at a time");
            report.row(&name, files as f64 / alone.seconds, "files/s", None, None);
            let gain = alone.seconds / taken.seconds;
            report.row("all cores / one at a time", gain, "times", None, None);
        }
    }
    if let [small, large] = memory.as_slice() {
        report.row("memory, large batch / small one", large / small, "times", None, None);
    }
    report.finish();
}
