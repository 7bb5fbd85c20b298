//! `quoin report`: writes the statistics reports about a month to files, from the store of a
//! service that is not running. A running service makes and sends them itself, and shows them at
//! `/api/v1/reports`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use quoin_delivery::reporting::{Month, ReportKind};
use quoin_store::{Fault, ReportKey};

use super::{CommandResult, run};
use quoin_access_point::config::Config;
use quoin_access_point::reports;
use quoin_server::start::{ownership, parts};

/// Writes the statistics reports about a month to files.
#[derive(Debug, Args)]
pub struct ReportFiles {
    /// The configuration file of the service.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The month in UTC, 2026-10.
    #[arg(long, value_name = "MONTH")]
    month: Month,
    /// The folder for the files.
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    out: PathBuf,
}

/// `quoin report`.
///
/// # Errors
/// The configuration, the store, or a file cannot be used.
pub fn report(arguments: &ReportFiles) -> CommandResult {
    let config = Config::load(&arguments.config).map_err(|error| error.to_string())?;
    run(async move {
        for path in write(&config, arguments.month, &arguments.out).await? {
            println!("{}", path.display());
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// Writes both reports; answers where they are.
///
/// # Errors
/// As [`report`].
pub async fn write(config: &Config, month: Month, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let provider = ownership::provider(config).map_err(|error| error.to_string())?;
    let provider = provider.ok_or("access_point.certificate_file is not set: who reports?")?;
    let store = parts::open_store(config).await.map_err(|error| match error {
        quoin_server::start::StartError::Store(Fault::InUse { path }) => format!(
            "{path} is in use by a running service; ask that for /api/v1/reports/{month}/TSR"
        ),
        error => error.to_string(),
    })?;
    let mut written = Vec::new();
    for kind in ReportKind::ALL {
        let key = ReportKey { month, kind };
        let text = reports::write(&store, &provider, key).await.map_err(|e| e.to_string())?;
        let path = folder.join(format!("{}-{}-{month}.xml", provider.seat, kind.as_str()));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        written.push(path);
    }
    Ok(written)
}
