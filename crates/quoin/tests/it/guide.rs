//! The guides work as they stand: their commands are run, one after the other, and print what the
//! page says. `…` in the page stands for anything. The guide of a channel is walked beside the
//! channel's counterpart, in [`crate::suite`].

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the whole guide may take.
const PATIENCE: Duration = Duration::from_secs(90);
/// What separates the blocks in the output.
const MARK: &str = "@@ block";

/// A block of commands, and what it prints.
struct Block {
    commands: String,
    prints: Option<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut fences = page.split("```");
    // What stands before a fence is prose; what follows is its language and its text.
    while let (Some(_), Some(fence)) = (fences.next(), fences.next()) {
        let (language, text) = fence.split_once('\n').unwrap();
        match language {
            "bash" => found.push(Block { commands: text.to_owned(), prints: None }),
            "text" => found.last_mut().unwrap().prints = Some(text.trim().to_owned()),
            other => panic!("a block of {other:?}"),
        }
    }
    found
}

/// Whether a text is what a page says, where `…` is anything.
fn fits(found: &str, expected: &str) -> bool {
    let mut rest = found.trim();
    for (place, part) in expected.split('…').map(str::trim).enumerate() {
        match rest.find(part) {
            Some(0) => rest = &rest[part.len()..],
            Some(at) if place > 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    rest.is_empty() || expected.ends_with('…')
}

fn script(blocks: &[Block]) -> String {
    let mut script = String::from("set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n");
    for block in blocks {
        script.push_str(&format!("{}\necho\necho '{MARK}'\n", block.commands));
    }
    script
}

/// Runs a script in a folder, within the time, with our program in the path; what it printed.
fn run(script: &str, folder: &Path) -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_quoin"));
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let (out, errors) = (folder.join("out.txt"), folder.join("errors.txt"));
    let mut child = Command::new("bash")
        .args(["-c", script])
        .current_dir(folder)
        .env("PATH", path)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&out).unwrap())
        .stderr(std::fs::File::create(&errors).unwrap())
        .spawn()
        .unwrap();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE {
            // Its trap ends the lab.
            let _ = Command::new("kill").arg(child.id().to_string()).status();
            let _ = child.wait();
            panic!("not done in {PATIENCE:?}:\n{}\n{}", read(&out), read(&errors));
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(status.success(), "{status}:\n{}\n{}", read(&out), read(&errors));
    read(&out)
}

#[test]
fn the_commands_of_the_first_invoice_do_what_the_page_says() {
    walk("first-invoice", 10);
}

#[test]
fn the_commands_about_formats_do_what_the_page_says() {
    walk("formats", 6);
}

#[test]
fn the_commands_about_tax_reports_do_what_the_pages_say() {
    walk("tax-vida", 5);
    walk("tax-slovakia", 2);
    walk("tax-emirates", 5);
    walk("tax-oman", 4);
}

#[test]
fn the_commands_about_tax_reports_in_france_do_what_the_page_says() {
    match Path::new("/usr/sbin/sshd").exists() {
        true => walk("tax-france", 5),
        false => quoin_testing::skipped("openssh-server"),
    }
}

#[test]
fn the_commands_about_ksef_do_what_the_page_says() {
    walk("ksef", 4);
}

/// Runs the commands of a page, of which there are so many at least.
pub fn walk(name: &str, least: usize) {
    for tool in ["bash", "curl"] {
        if Command::new(tool).arg("--version").stdout(Stdio::null()).status().is_err() {
            quoin_testing::skipped(tool);
            return;
        }
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides");
    let page = page.join(format!("{name}.md"));
    let blocks = blocks(&std::fs::read_to_string(page).unwrap());
    assert!(blocks.len() >= least, "the page has lost its commands");
    let folder = std::env::temp_dir().join(format!("quoin-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let printed = run(&script(&blocks), &folder);
    let printed: Vec<&str> = printed.split(MARK).collect();
    for (block, found) in blocks.iter().zip(printed) {
        let Some(expected) = &block.prints else { continue };
        assert!(fits(found, expected), "{}\nprints\n{found}\nand not\n{expected}", block.commands);
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn dots_stand_for_anything_and_nothing_else_does() {
    assert!(fits("{\"id\":\"7\"}\n", "{\"id\":\"…\"}"));
    assert!(fits("Received\nDelivered", "…\nDelivered"));
    assert!(fits("{\"a\":1,\"b\":2}", "{\"a\":1,…"));
    assert!(!fits("{\"id\":\"7\"} and more", "{\"id\":\"…\"}"));
    assert!(!fits("x{\"a\":1}", "{\"a\":1,…"));
    assert!(!fits("Failed", "…\nDelivered"));
}
