//! The verbs of the command line.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod checking;
mod console;
pub mod convert;
pub mod dossier;
pub mod explain;
mod folders;
pub(crate) mod log;
pub mod memory;
pub mod render;
pub mod report;
pub mod rules;
pub mod sml;
pub mod tax;
pub mod testbed;
pub mod validate;
pub mod verify;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use quoin_model::Language;

use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, LogFormat, ServiceRole};
use quoin_access_point::rules::Registry;
use quoin_lab::lab::story;
use quoin_server::ending::TerminationSignal;
use quoin_server::start::start;

pub use checking::check_config;
pub use console::{print, say};
use log::log;

/// What threads get to end by themselves when everything is done.
const LEAVING: Duration = Duration::from_millis(250);
/// How long a thread that has nothing to read is kept.
const KEPT: Duration = Duration::from_secs(2);
/// Open files besides the connections of the doors: the store, calls to others, messages that
/// arrive.
const FILES_BESIDE: u64 = 1_024;

/// What a verb ends with: an exit code, or a problem to print.
pub type CommandResult = Result<ExitCode, String>;

/// Where the data folder is.
#[derive(Debug, Clone, clap::Args)]
pub struct DataDir {
    /// The data folder, with the registered rule sets in it.
    #[arg(long, global = true, env = "QUOIN_DATA", value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// The configuration file that names the data folder.
    #[arg(long, global = true, conflicts_with = "data", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl DataDir {
    /// The rule sets of the data folder: the one named, the configuration's, or `data` here.
    ///
    /// # Errors
    /// The folder that is named is not there, or the configuration cannot be read.
    fn registry(&self) -> Result<Registry, String> {
        match &self.data {
            Some(folder) if !folder.is_dir() => Err(format!(
                "{}: expected the data folder (--data, QUOIN_DATA), found no such folder",
                folder.display()
            )),
            _ => self.new_registry(),
        }
    }

    /// Whether what is named is there, also where nothing is read from it.
    fn is_there(&self) -> Result<(), String> {
        self.registry().map(|_| ())
    }

    /// The same for what is added: the folder need not be there yet.
    fn new_registry(&self) -> Result<Registry, String> {
        let folder = match (&self.data, &self.config) {
            (Some(folder), _) => folder.clone(),
            (None, Some(file)) => Config::load(file).map_err(|error| error.to_string())?.data_dir,
            (None, None) => Config::default().data_dir,
        };
        Ok(Registry::at(&folder))
    }
}

/// `quoin serve`.
///
/// # Errors
/// What keeps the service from starting.
pub fn serve(file: &Path, roles: Vec<ServiceRole>, new_store: bool) -> CommandResult {
    let mut config = Config::load(file).map_err(|error| error.to_string())?;
    config.new_store = new_store;
    if !roles.is_empty() {
        config.roles = roles;
    }
    log(&config.log.filter, config.log.format)?;
    let format = config.log.format;
    match served(config) {
        // Whoever reads the log line by line finds there why there is no service.
        Err(problem) if format == LogFormat::Json && tracing::enabled!(tracing::Level::ERROR) => {
            tracing::error!("{problem}");
            Ok(ExitCode::from(2))
        }
        outcome => outcome,
    }
}

/// Runs the service until it is asked to end.
fn served(config: Config) -> CommandResult {
    descriptors(&config);
    let last = Duration::from_secs(config.limits.shutdown_seconds);
    let ending = TerminationSignal::watch(last)?;
    let outcome = run(async {
        let running = start(config, Clock::default()).await.map_err(|error| error.to_string())?;
        ending.asked().await;
        tracing::info!("ending");
        running.stop().await;
        ending.closed();
        Ok(ExitCode::SUCCESS)
    })?;
    tracing::info!("ended");
    Ok(outcome)
}

/// `quoin lab`.
///
/// # Errors
/// What keeps the lab from starting, or the invoice from arriving.
pub fn lab(once: bool, folder: Option<PathBuf>, verbose: bool) -> CommandResult {
    log(if verbose { "info,hickory_server=warn" } else { "error" }, LogFormat::Text)?;
    let kept = folder.is_some();
    let folder = folder
        .unwrap_or_else(|| std::env::temp_dir().join(format!("quoin-lab-{}", std::process::id())));
    let outcome = run(async {
        let mut out = std::io::stdout();
        story::tell(&folder, once, &mut out).await.map(|()| ExitCode::SUCCESS)
    });
    if !kept && let Err(error) = std::fs::remove_dir_all(&folder) {
        say(&format!("{} could not be removed: {error}", folder.display()));
    }
    outcome
}

/// `quoin openapi`.
///
/// # Errors
/// Never in practice.
pub fn openapi() -> CommandResult {
    print(quoin_api::api::openapi::JSON)
}

/// A language by its code, whatever follows it: `nl`, `nl-BE`.
fn language(code: &str) -> Result<Language, String> {
    Language::of(code).ok_or_else(|| format!("expected en, nl, de, fr or pl, found {code:?}"))
}

/// Raises the limit of open files to what the system allows, and says when that is too little for
/// the connections that are allowed.
fn descriptors(config: &Config) {
    let doors = config.listen.doors().count() as u64;
    let connections = doors.saturating_mul(config.limits.connections as u64);
    let wanted = connections.saturating_add(FILES_BESIDE);
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) if limit < wanted => tracing::warn!(
            limit,
            wanted,
            "this process may open too few files for the connections that it allows: raise the \
             limit (ulimit -n, LimitNOFILE), or lower limits.connections"
        ),
        Ok(limit) => tracing::debug!(limit, "files that this process may open"),
        Err(error) => tracing::warn!(%error, "the limit of open files could not be raised"),
    }
}

fn run(work: impl Future<Output = CommandResult>) -> CommandResult {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // A thread that has nothing to read ends soon, and its memory goes back to the system.
        .thread_keep_alive(KEPT)
        .build()
        .map_err(|error| format!("the runtime could not be started: {error}"))?;
    let outcome = runtime.block_on(work);
    // What a thread still reads is nobody's any more, and is waited for a moment only: the library
    // of a token does not bear it that a process ends in the middle of a call.
    runtime.shutdown_timeout(LEAVING);
    outcome
}
