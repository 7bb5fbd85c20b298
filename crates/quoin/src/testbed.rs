//! `quoin testbed`: tests an access point, ours in the lab or any other.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::console::output;
use super::{CommandResult, log, run, say};
use quoin_access_point::clock::Clock;
use quoin_access_point::config::LogFormat;
use quoin_access_point::registers::Registers;
use quoin_lab::testbed;
use quoin_lab::testbed::lab::Lab;
use quoin_lab::testbed::report::{self, TestReport};
use quoin_lab::testbed::setup::{LARGEST, TestbedSetup};
use quoin_lab::testbed::{SubmissionMethod, case};
use quoin_server::start::start_with;

/// Which access point is tested, and how.
#[derive(Debug, clap::Args)]
pub struct Testbed {
    /// The AS4 address of the access point under test, or one of its participants, to look it up;
    /// without either and without --setup, a service in the lab is tested.
    #[arg(value_name = "URL|PARTICIPANT")]
    subject: Option<String>,
    /// The settings: as whom the testbed speaks, whom it believes, how the access point under test
    /// is asked to send. docs/guides/testbed.md explains them.
    #[arg(long, value_name = "FILE")]
    setup: Option<PathBuf>,
    /// Test a service in the lab.
    #[arg(long, conflicts_with_all = ["subject", "setup"])]
    lab: bool,
    /// Only these cases: ids, or what ids begin with, such as H-09 or B.
    #[arg(long, value_delimiter = ',', value_name = "IDS")]
    only: Vec<String>,
    /// The access point under test is asked to send by hand: documents are written into this
    /// folder, and what to do with them is printed.
    #[arg(long, value_name = "FOLDER")]
    by_hand: Option<PathBuf>,
    /// Print the cases and end.
    #[arg(long)]
    list: bool,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Size of the large message, in megabytes: 1 to 500.
    #[arg(long, value_name = "MB", value_parser = megabytes)]
    large: Option<usize>,
    /// Show log lines.
    #[arg(long)]
    verbose: bool,
}

/// Runs the verb. Exit code 0: no case failed; 1: some did; 2: the run could not begin.
///
/// # Errors
/// What keeps the run from starting.
pub fn testbed(arguments: Testbed) -> CommandResult {
    if arguments.list {
        return listed(&arguments);
    }
    // Before anything is started for a word that names nothing.
    case::chosen(&arguments.only)?;
    if let Some(folder) = &arguments.by_hand {
        writable(folder)?;
    }
    log(if arguments.verbose { "info,hickory_server=warn" } else { "off" }, LogFormat::Text)?;
    run(async {
        let report = tested(&arguments).await?;
        print(&report, arguments.json)?;
        Ok(if report.failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
    })
}

fn megabytes(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|size| (1..=LARGEST).contains(size));
    size.ok_or_else(|| format!("expected 1 to {LARGEST} megabytes"))
}

/// Whether documents can be written into the folder of whoever sends by hand; it is made.
fn writable(folder: &Path) -> Result<(), String> {
    let probe = folder.join(format!(".quoin-{}", std::process::id()));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::File::create(&probe))
        .and_then(|_| std::fs::remove_file(&probe))
        .map_err(|error| format!("--by-hand: {} cannot be written to: {error}", folder.display()))
}

/// Prints the cases.
fn listed(arguments: &Testbed) -> CommandResult {
    let wanted = case::chosen(&arguments.only)?;
    if arguments.json {
        return super::print(&format!("{:#}\n", report::list_json(&wanted)));
    }
    let mut text = Vec::new();
    report::list(&mut text, &wanted).map_err(|error| error.to_string())?;
    output(&text).map(|()| ExitCode::SUCCESS)
}

async fn tested(arguments: &Testbed) -> Result<TestReport, String> {
    if arguments.lab || (arguments.subject.is_none() && arguments.setup.is_none()) {
        let name = format!("quoin-testbed-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let report = in_the_lab(arguments, &folder).await;
        if let Err(error) = std::fs::remove_dir_all(&folder) {
            say(&format!("{} could not be removed: {error}", folder.display()));
        }
        return report;
    }
    let mut setup = match &arguments.setup {
        Some(file) => TestbedSetup::load(file)?,
        None => {
            return Err("give --setup FILE: the testbed needs certificates to speak with".into());
        }
    };
    match &arguments.subject {
        Some(url) if url.contains("://") => setup.subject.as4 = Some(url.clone()),
        Some(participant) => setup.subject.receiver.clone_from(participant),
        None => {}
    }
    sized(&mut setup, arguments);
    testbed::run(setup, None, ask(arguments), &arguments.only).await
}

async fn in_the_lab(arguments: &Testbed, folder: &Path) -> Result<TestReport, String> {
    let mut lab = Lab::prepare(folder).await.map_err(|error| error.to_string())?;
    sized(&mut lab.setup, arguments);
    let service = start_with(lab.config.clone(), Clock::default(), Registers::unset()).await;
    let service = service.map_err(|error| error.to_string())?;
    lab.register().await.map_err(|error| error.to_string())?;
    let Lab { around, setup, opening, .. } = lab;
    let report = testbed::run(setup, Some(opening), ask(arguments), &arguments.only).await;
    service.stop().await;
    drop(around);
    report
}

fn sized(setup: &mut TestbedSetup, arguments: &Testbed) {
    if let Some(megabytes) = arguments.large {
        setup.limits.large_megabytes = megabytes;
        setup.limits.large_upload_megabytes = megabytes.min(setup.limits.large_upload_megabytes);
    }
}

fn ask(arguments: &Testbed) -> SubmissionMethod<'static> {
    match &arguments.by_hand {
        Some(folder) => SubmissionMethod::Hand(folder.clone()),
        None => SubmissionMethod::Interface,
    }
}

fn print(report: &TestReport, json: bool) -> Result<(), String> {
    if json {
        let text = serde_json::to_string_pretty(report).map_err(|error| error.to_string())?;
        return output(format!("{text}\n").as_bytes());
    }
    let mut text = Vec::new();
    report.print(&mut text).map_err(|error| error.to_string())?;
    output(&text)
}
