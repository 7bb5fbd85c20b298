//! `quoin check-config`: what keeps a service from starting, all of it at once.
//!
//! Exit codes: 0 a start finds what it needs; 2 it does not, or what it does would be refused by
//! others.

use std::path::Path;
use std::process::ExitCode;

use jiff::Timestamp;

use super::{CommandResult, print, run};
use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_access_point::disk::Disk;
use quoin_access_point::loading::{ConfigError, ConfigProblem, ExaminedConfig};
use quoin_access_point::trust::{CertificateStanding, OwnCertificate};
use quoin_server::start::checking::{CheckedConfig, look_beside};

/// `quoin check-config`.
///
/// # Errors
/// The file cannot be read, or is no TOML.
pub fn check_config(file: &Path) -> CommandResult {
    let examined = ExaminedConfig::load(file).map_err(|error| error.to_string())?;
    let Some(config) = examined.config else {
        return Err(ConfigError::Problems(examined.problems).to_string());
    };
    let wrong = with_missing(examined.problems, config.ready());
    run(async {
        let mut found = look_beside(&config, &wrong);
        found.problems.extend(super::log::wrong_filter_set());
        let folders = [config.data_dir.clone(), config.data_dir.join("spool")];
        let unwritable = folders.iter().find_map(|folder| writable(folder).err());
        found.problems.extend(unwritable.or_else(|| full(&config)));
        let now = Clock::default().now();
        print(&told(file, &config, (&wrong, &found), now))?;
        let code = if is_well(&wrong, &found, now) { ExitCode::SUCCESS } else { ExitCode::from(2) };
        Ok(code)
    })
}

/// The mistakes of the settings, and those that are not set. One that is wrong is not missing.
fn with_missing(
    mut wrong: Vec<ConfigProblem>,
    ready: Result<(), ConfigError>,
) -> Vec<ConfigProblem> {
    let Err(ConfigError::Problems(unset)) = ready else { return wrong };
    for problem in unset {
        // A whole section may be wrong.
        let told = |known: &ConfigProblem| {
            let rest = problem.setting.strip_prefix(&known.setting);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if !wrong.iter().any(told) {
            wrong.push(problem);
        }
    }
    wrong
}

/// Whether a start with the configuration finds what it needs, and others take what it signs.
fn is_well(wrong: &[ConfigProblem], found: &CheckedConfig, now: Timestamp) -> bool {
    let usable = |own: &OwnCertificate| own.standing(now) == CertificateStanding::Valid;
    let needed = found.certificates.iter().filter(|own| own.is_needed());
    let CheckedConfig { missing, problems, doubts, .. } = found;
    let is_whole = wrong.is_empty() && [missing, problems, doubts].iter().all(|l| l.is_empty());
    is_whole && needed.into_iter().all(usable)
}

/// What is said of a configuration.
fn told(
    file: &Path,
    config: &Config,
    (wrong, found): (&[ConfigProblem], &CheckedConfig),
    now: Timestamp,
) -> String {
    let word = if is_well(wrong, found, now) { "ok" } else { "not ok" };
    let mut text = format!("{}: {word}\n", file.display());
    wrong.iter().for_each(|one| text.push_str(&format!("wrong: {one}\n")));
    found.missing.iter().for_each(|one| text.push_str(&format!("missing: {one}\n")));
    let told = found.problems.iter().chain(&found.doubts);
    told.for_each(|one| text.push_str(&format!("wrong: {one}\n")));
    text.push_str(&format!("{}\n", network(config)));
    text.push_str(&ends(&found.certificates, now));
    text
}

/// The data folder, or the folder above it that is there already.
fn there(folder: &Path) -> &Path {
    let there = folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    if there.as_os_str().is_empty() { Path::new(".") } else { there }
}

/// Why a service on the disk of the data folder would take nothing.
fn full(config: &Config) -> Option<String> {
    let reserve = config.limits.disk_reserve_megabytes.saturating_mul(1 << 20);
    Disk::new(vec![there(&config.data_dir).to_owned()], reserve).problem()
}

/// Whether the data folder is one that this user can write to, or make.
fn writable(folder: &Path) -> Result<(), String> {
    let there = there(folder);
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
        let word = match (CertificateStanding::of(&own.certificate, now), expiring.warning) {
            (CertificateStanding::Ended, _) => "ENDED",
            (CertificateStanding::NotYet, _) => "NOT YET",
            (CertificateStanding::Valid, Some(_)) => "soon",
            (CertificateStanding::Valid, None) => "ok",
        };
        let (used, until) = (own.used.name(), own.certificate.not_after());
        let subject = own.certificate.subject();
        format!("{word:7} {used:17} {until}  {:5} days  {subject}\n", expiring.days_left)
    };
    certificates.iter().map(line).collect()
}
