//! The verbs of the command line.

use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_document::Report;

use crate::clock::Clock;
use crate::config::{Config, LogFormat, Role};
use crate::lab::story;
use crate::start::start;

/// What a verb ends with: an exit code, or a problem to print.
pub type Outcome = Result<ExitCode, String>;

/// Bytes of a document that is validated, at most.
const DOCUMENT_BYTES: u64 = 128 << 20;

/// `quoin serve`.
///
/// # Errors
/// What keeps the service from starting.
pub fn serve(file: &Path, roles: Vec<Role>) -> Outcome {
    let mut config = Config::load(file).map_err(|error| error.to_string())?;
    if !roles.is_empty() {
        config.roles = roles;
    }
    log(&config.log.filter, config.log.format);
    run(async {
        let running = start(config, Clock::default()).await.map_err(|error| error.to_string())?;
        let asked = wait_for_end().await.map_err(|error| error.to_string());
        tracing::info!("ending");
        running.stop().await;
        asked.map(|()| ExitCode::SUCCESS)
    })
}

/// `quoin lab`.
///
/// # Errors
/// What keeps the lab from starting, or the invoice from arriving.
pub fn lab(once: bool, folder: Option<PathBuf>, verbose: bool) -> Outcome {
    log(if verbose { "info,hickory_server=warn" } else { "error" }, LogFormat::Text);
    let kept = folder.is_some();
    let folder = folder
        .unwrap_or_else(|| std::env::temp_dir().join(format!("quoin-lab-{}", std::process::id())));
    let outcome = run(async {
        let mut out = std::io::stdout();
        story::tell(&folder, once, &mut out).await.map(|()| ExitCode::SUCCESS)
    });
    if !kept && let Err(error) = std::fs::remove_dir_all(&folder) {
        eprintln!("quoin: {} could not be removed: {error}", folder.display());
    }
    outcome
}

/// `quoin check-config`.
///
/// # Errors
/// Every problem of the file.
pub fn check_config(file: &Path) -> Outcome {
    let config = Config::load(file).map_err(|error| error.to_string())?;
    config.ready().map_err(|error| error.to_string())?;
    println!("{}: ok", file.display());
    Ok(ExitCode::SUCCESS)
}

/// `quoin openapi`.
///
/// # Errors
/// Never in practice.
pub fn openapi() -> Outcome {
    print(&crate::api::openapi::json())
}

/// Prints a text.
///
/// # Errors
/// Standard output is closed.
pub fn print(text: &str) -> Outcome {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| e.to_string())?;
    Ok(ExitCode::SUCCESS)
}

/// `quoin validate`.
///
/// # Errors
/// A file that cannot be read.
pub fn validate(files: &[PathBuf], json: bool) -> Outcome {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let mut all_valid = true;
    for file in files {
        let bytes = read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let report = quoin_document::validate(&quoin_document::read(&bytes), today);
        all_valid &= report.is_valid();
        if json {
            let text = serde_json::to_string_pretty(&report).map_err(|e| e.to_string())?;
            println!("{text}");
        } else {
            print_report(file, &report);
        }
    }
    Ok(if all_valid { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().take(DOCUMENT_BYTES).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(DOCUMENT_BYTES).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn print_report(file: &Path, report: &Report) {
    let verdict = if report.is_valid() { "valid" } else { "NOT VALID" };
    let profile = report.detection.profile.as_deref().unwrap_or("unknown profile");
    println!("{}: {verdict} ({profile}, {} findings)", file.display(), report.findings.len());
    for finding in &report.findings {
        let place = finding.location.as_ref();
        let place = place.map(|at| format!("line {}, column {}: {}", at.line, at.column, at.xpath));
        println!("  {:?} {}: {}", finding.flag, finding.rule, finding.message);
        if let Some(place) = place {
            println!("    at {place}");
        }
    }
}

fn run(work: impl Future<Output = Outcome>) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("the runtime could not be started: {error}"))?;
    runtime.block_on(work)
}

/// Waits for Ctrl-C, or for the signal that a service manager ends processes with.
pub(crate) async fn wait_for_end() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

fn log(filter: &str, format: LogFormat) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("QUOIN_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(filter));
    let colour = std::io::stderr().is_terminal();
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second subscriber in one process is a test's; the first one stays.
    let _ = match format {
        LogFormat::Text => lines.with_ansi(colour).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
}
