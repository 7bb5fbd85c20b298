//! Where a bench spends its time: it runs under `perf`, and leaves in `target/profile` a flame
//! graph, the folded stacks that it is made of, and a table of whose work it was. What is counted
//! per document (statements, commits, RSA operations) the bench prints itself.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::bench;
use super::check::cargo;

/// The tool that folds stacks and draws them; it is installed into `target/tools`.
const TOOL: (&str, &str) = ("inferno", "0.12.8");
/// Samples a second. Stacks are unwound afterwards, so that no build of its own is needed.
const RECORD: [&str; 5] = ["record", "--freq=199", "--call-graph=dwarf,16384", "--quiet", "-o"];
/// Which build is looked at; the one that benches measure, unless told.
const PROFILE: &str = "QUOIN_BENCH_PROFILE";

/// Whose work a stack is: the first row of which a frame has one of the words, looked at from the
/// innermost frame outwards.
const WORK: &[(&str, &[&str])] = &[
    ("waiting for the disk", &["fsync", "fdatasync", "do_fsync"]),
    ("RSA, AES, digests", &["aws_lc", "rsa_", "bn_", "aes_", "sha256_", "gcm_"]),
    ("SQLite", &["sqlite3", "rusqlite"]),
    ("store", &["quoin_store"]),
    ("rules and structure", &["quoin_rules", "quoin_xml::xsd"]),
    ("reading documents", &["quoin_formats", "quoin_xml", "quoin_model"]),
    ("AS4, SBDH, signatures", &["quoin_peppol", "quoin_xmldsig"]),
    ("TLS", &["rustls"]),
    ("HTTP", &["hyper", "h2::", "reqwest", "axum", "tower"]),
    ("the lab", &["quoin_lab"]),
    ("the service", &["quoin_access_point", "quoin_api", "quoin_server", "quoin_delivery"]),
    ("runtime", &["tokio", "mio::"]),
    ("memory", &["malloc", "calloc", "realloc", "cfree", "_int_free", "memcpy", "memmove"]),
];
const OTHER: &str = "other";

/// Profiles a bench.
///
/// # Errors
/// There is no such bench, or a program that is needed is missing or fails.
pub fn run(root: &Path, name: Option<&str>) -> Result<(), String> {
    let name = name.unwrap_or("e2e");
    let (package, target) = bench::find(name)?;
    let profile = std::env::var(PROFILE).unwrap_or_else(|_| "bench".to_owned());
    let call = ["bench", "--quiet", "--package", package, "--bench", target];
    let call = [call.as_slice(), &["--profile", &profile]].concat();
    cargo(root, &[call.as_slice(), &["--no-run"]].concat())?;
    let tools = tools(root)?;
    let folder = root.join("target/profile");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let place = |ending: &str| folder.join(format!("{name}.{ending}"));
    let (data, folded, graph) = (place("data"), place("folded"), place("svg"));
    let mut record = Command::new("perf");
    record.args(RECORD).arg(&data).arg("--").arg(env!("CARGO")).args(&call).current_dir(root);
    ended("perf record", record.status())?;
    let mut script = Command::new("perf");
    script.args(["script", "--no-inline", "-i"]).arg(&data);
    let script = script.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut script = script.map_err(|error| format!("perf script: {error}"))?;
    let stacks = script.stdout.take().ok_or("perf script: no output")?;
    let collapsed = Command::new(tools.join("inferno-collapse-perf"))
        .stdin(stacks)
        .stdout(file(&folded)?)
        .status();
    ended("inferno-collapse-perf", collapsed)?;
    ended("perf script", script.wait())?;
    let drawn =
        Command::new(tools.join("inferno-flamegraph")).arg(&folded).stdout(file(&graph)?).status();
    ended("inferno-flamegraph", drawn)?;
    // It is large, and says nothing that the stacks do not.
    let _ = std::fs::remove_file(&data);
    let text = std::fs::read_to_string(&folded).map_err(|error| error.to_string())?;
    print!("{}", table(&text));
    println!("{}", graph.display());
    Ok(())
}

fn file(path: &Path) -> Result<File, String> {
    File::create(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn ended(what: &str, status: std::io::Result<std::process::ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} ended with {status}")),
        Err(error) => Err(format!("{what}: {error}")),
    }
}

/// The folder of the tools, which are installed where they are not there yet.
fn tools(root: &Path) -> Result<PathBuf, String> {
    let folder = root.join("target/tools");
    if !folder.join("bin/inferno-flamegraph").exists() {
        let (tool, version) = TOOL;
        let mut install = Command::new(env!("CARGO"));
        install.args(["install", "--quiet", tool, "--version", version, "--root"]).arg(&folder);
        ended("cargo install", install.status())?;
    }
    Ok(folder.join("bin"))
}

/// The share of each kind of work, largest first.
fn table(folded: &str) -> String {
    let mut found: Vec<(&str, u64)> = Vec::new();
    for line in folded.lines() {
        let Some((stack, count)) = line.rsplit_once(' ') else { continue };
        let count = count.parse().unwrap_or(0);
        // Cargo itself is no part of the bench.
        if stack.starts_with("cargo") {
            continue;
        }
        let work = of(stack);
        match found.iter_mut().find(|(name, _)| *name == work) {
            Some((_, sum)) => *sum += count,
            None => found.push((work, count)),
        }
    }
    found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let all = found.iter().map(|(_, count)| count).sum::<u64>().max(1);
    let share = |count: u64| 100.0 * count as f64 / all as f64;
    found.iter().map(|(work, count)| format!("{work:<26}{:>6.1} %\n", share(*count))).collect()
}

fn of(stack: &str) -> &'static str {
    let row = |frame: &str| {
        let has = |(_, words): &&(&str, &[&str])| words.iter().any(|word| frame.contains(word));
        WORK.iter().find(has).map(|(work, _)| *work)
    };
    stack.rsplit(';').find_map(row).unwrap_or(OTHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_the_work_of_its_innermost_frame_that_is_known() {
        let stacks = "e2e;tokio::run;quoin_store::commit;sqlite3VdbeExec 6\n\
            e2e;tokio::run;quoin_store::commit 2\n\
            e2e;main;rsa_default_sign_raw;bn_mul_mont 1\n\
            cargo;main 50\n\
            e2e;start 1\n";
        let table = table(stacks);
        let lines: Vec<&str> = table.lines().map(str::trim_end).collect();
        assert_eq!(lines.len(), 4, "{table}");
        assert!(lines[0].starts_with("SQLite") && lines[0].ends_with("60.0 %"), "{table}");
        assert!(lines[1].starts_with("store") && lines[1].ends_with("20.0 %"), "{table}");
    }
}
