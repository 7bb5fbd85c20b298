//! Tests that were skipped: each is noted while the run goes on, and the end of the run says how
//! many there were, and what was missing.
//!
//! A run is a `cargo test`: the process that started all test binaries. Its notes lie in a folder.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Notes that the test of this thread was skipped, because something is missing here: `valgrind`.
///
/// # Panics
/// Where the note cannot be written.
pub fn skipped(missing: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("test").replace("::", ".");
    println!("skipped: {test}: without {missing}");
    let folder = folder();
    std::fs::create_dir_all(&folder).expect("a folder for notes");
    let binary = std::env::current_exe().ok();
    let binary = binary.as_ref().and_then(|path| path.file_stem()).unwrap_or_default();
    let name = format!("{}.{test}", binary.to_string_lossy());
    std::fs::write(folder.join(name), missing).expect("a note");
}

/// Says on one line how many tests of this run were skipped, and forgets them.
pub fn say_skipped() {
    let mut missing = BTreeMap::<String, usize>::new();
    let notes = std::fs::read_dir(folder()).into_iter().flatten().flatten();
    for note in notes {
        let what = std::fs::read_to_string(note.path()).unwrap_or_default();
        *missing.entry(what).or_default() += 1;
    }
    let _ = std::fs::remove_dir_all(folder());
    let all: usize = missing.values().sum();
    if all == 0 {
        println!("No test was skipped.");
        return;
    }
    let each = missing.iter().map(|(what, count)| format!("{count} without {what}"));
    println!(
        "{all} tests were SKIPPED and checked nothing: {}.",
        each.collect::<Vec<_>>().join(", ")
    );
}

/// The folder of the run.
fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("quoin-skipped-{}", std::os::unix::process::parent_id()))
}
