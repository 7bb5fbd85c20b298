//! The verbs of the command line.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

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

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use jiff::Timestamp;
use quoin_model::Language;

use quoin_access_point::authorities::AuthorityError;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, LogFormat, ServiceRole};
use quoin_access_point::rules::Registry;
use quoin_access_point::trust::OwnCertificate;
use quoin_lab::lab::story;
use quoin_server::ending::TerminationSignal;
use quoin_server::start::{StartError, start};

use log::log;

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
    fn registry(&self) -> Result<Registry, String> {
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
    log(&config.log.filter, config.log.format);
    descriptors(&config);
    let last = Duration::from_secs(config.limits.shutdown_seconds);
    let ending = TerminationSignal::watch(last)?;
    let outcome = run(async {
        let running = start(config, Clock::default()).await.map_err(|error| error.to_string())?;
        ending.asked().await;
        tracing::info!("ending");
        running.stop().await;
        Ok(ExitCode::SUCCESS)
    });
    tracing::info!("ended");
    outcome
}

/// `quoin lab`.
///
/// # Errors
/// What keeps the lab from starting, or the invoice from arriving.
pub fn lab(once: bool, folder: Option<PathBuf>, verbose: bool) -> CommandResult {
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
pub fn check_config(file: &Path) -> CommandResult {
    let config = Config::load(file).map_err(|error| error.to_string())?;
    config.ready().map_err(|error| error.to_string())?;
    writable(&config.data_dir)?;
    let here = files(&config).iter().all(|file| file.exists());
    let certificates = match quoin_server::start::certificates(&config) {
        Ok(certificates) => ends(&certificates, Clock::default().now()),
        // What is wrong with files that are here is a mistake on whatever machine this is.
        Err(StartError::Authorities(error @ AuthorityError::OtherStage { .. })) => {
            return Err(error.to_string());
        }
        Err(error) if here => return Err(error.to_string()),
        Err(error) => format!("certificates and keys could not be opened: {error}\n"),
    };
    for (name, door) in config.listen.doors() {
        if let (Some(certificate), Some(key), true) = (&door.certificate_file, &door.key_file, here)
        {
            let material = quoin_access_point::tls::server_tls_from_files(certificate, key);
            material.map_err(|error| {
                let (certificate, key) = (certificate.display(), key.display());
                format!("listen.{name}: {error} ({certificate} and {key})")
            })?;
        }
    }
    println!("{}: ok", file.display());
    println!("{}", network(&config));
    print(&certificates)
}

/// The files that a configuration names.
fn files(config: &Config) -> Vec<PathBuf> {
    let doors =
        config.listen.doors().flat_map(|(_, door)| [&door.certificate_file, &door.key_file]);
    let (ap, smp) = (&config.access_point, &config.smp);
    let own = [&ap.certificate_file, &ap.key_file, &ap.pkcs12_file];
    let smp = [&smp.certificate_file, &smp.key_file];
    doors.chain(own).chain(smp).flatten().cloned().collect()
}

/// Whether the data folder is one that this user can write to, or make.
fn writable(folder: &Path) -> Result<(), String> {
    let there = folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
    let probe = there.join(format!(".quoin-{}", std::process::id()));
    std::fs::File::create(&probe)
        .and_then(|_| std::fs::remove_file(&probe))
        .map_err(|error| format!("data_dir: {} cannot be written to: {error}", there.display()))
}

/// The network that a configuration belongs to, and the zone in which participants are looked up.
fn network(config: &Config) -> String {
    let (stage, zone) = (config.trust.stage, config.sml_zone());
    let sml = config.sml.url.as_deref().unwrap_or("not set");
    format!("network {}, zone {}, SML {sml}", stage.as_str(), zone.trim_end_matches('.'))
}

/// When certificates end, a line each.
fn ends(certificates: &[OwnCertificate], now: Timestamp) -> String {
    let line = |own: &OwnCertificate| {
        let expiring = own.expiring(now);
        let word = match (expiring.days_left, expiring.warning) {
            (..0, _) => "ENDED",
            (_, Some(_)) => "soon",
            _ => "ok",
        };
        let (used, until) = (own.used.name(), own.certificate.not_after());
        let subject = own.certificate.subject();
        format!("{word:5} {used:17} {until}  {:5} days  {subject}\n", expiring.days_left)
    };
    certificates.iter().map(line).collect()
}

/// `quoin openapi`.
///
/// # Errors
/// Never in practice.
pub fn openapi() -> CommandResult {
    print(quoin_api::api::openapi::JSON)
}

/// Prints a text.
///
/// # Errors
/// Standard output is closed.
pub fn print(text: &str) -> CommandResult {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(output)?;
    Ok(ExitCode::SUCCESS)
}

/// What to say where standard output cannot be written to. A reader that has seen enough, as in
/// `quoin validate … | head`, is no error: the program ends there.
fn output(error: std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    format!("standard output: {error}")
}

/// A language by its code, whatever follows it: `nl`, `nl-BE`.
fn language(code: &str) -> Result<Language, String> {
    Language::of(code).ok_or_else(|| format!("expected en, nl, de, fr or pl, found {code:?}"))
}

/// Raises the limit of open files to what the system allows, and says when that is too little for
/// the connections that are allowed.
fn descriptors(config: &Config) {
    let doors = config.listen.doors().count() as u64;
    let wanted = doors * config.limits.connections as u64 + FILES_BESIDE;
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
    // What a thread still reads is nobody's any more; the process does not wait for it.
    runtime.shutdown_background();
    outcome
}
