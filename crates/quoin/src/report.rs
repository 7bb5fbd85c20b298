//! `quoin report`: writes the statistics reports about a month to files, from the store of a
//! service that is not running. A running service makes and sends them itself, and shows them at
//! `/api/v1/reports`.

use std::path::{Path, PathBuf};

use clap::Args;
use quoin_delivery::reporting::{Month, ReportKind};
use quoin_store::{Fault, ReportKey};

use super::{CommandResult, folders, print, run, say};
use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_access_point::reports;
use quoin_server::start::{open_existing, ownership};

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
    #[arg(long, alias = "output", default_value = ".", value_name = "FOLDER")]
    out: PathBuf,
}

/// `quoin report`.
///
/// # Errors
/// The configuration, the store, or a file cannot be used.
pub fn report(arguments: &ReportFiles) -> CommandResult {
    let config = Config::load(&arguments.config).map_err(|error| error.to_string())?;
    let month = arguments.month;
    if let Some(unfinished) = over(month, Month::of(Clock::default().now()))? {
        say(&unfinished);
    }
    run(async move {
        let paths = write(&config, month, &arguments.out).await?;
        print(&paths.iter().map(|path| format!("{}\n", path.display())).collect::<String>())
    })
}

/// What is to be said of a month that is not over yet.
///
/// # Errors
/// It has not begun.
fn over(month: Month, now: Month) -> Result<Option<String>, String> {
    if month > now {
        return Err(format!("--month {month}: it has not begun, and there is nothing to report"));
    }
    let unfinished = || format!("{month} is not over yet: the reports tell it up to now");
    Ok((month == now).then(unfinished))
}

/// Writes both reports; answers where they are.
///
/// # Errors
/// As [`report`].
pub async fn write(config: &Config, month: Month, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let provider = ownership::provider(config).map_err(|error| error.to_string())?;
    let provider = provider.ok_or("access_point.certificate_file is not set: who reports?")?;
    let store = open_existing(config).await.map_err(|error| match error {
        quoin_server::start::StartError::Store(Fault::InUse { path }) => format!(
            "{path} is in use by a running service; ask that for /api/v1/reports/{month}/TSR"
        ),
        error => error.to_string(),
    })?;
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut written = Vec::new();
    for kind in ReportKind::ALL {
        let key = ReportKey { month, kind };
        let text = reports::write(&store, &provider, key).await.map_err(|e| e.to_string())?;
        let path = folder.join(format!("{}-{}-{month}.xml", provider.seat, kind.as_str()));
        folders::replace(&path, text.as_bytes())?;
        written.push(path);
    }
    // The database alone is whole then.
    store.close().await;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_that_has_not_begun_is_refused_and_one_that_goes_on_is_told() {
        let month = |text: &str| text.parse::<Month>().unwrap();
        let now = month("2026-11");
        assert_eq!(over(month("2026-10"), now), Ok(None));
        assert!(over(now, now).unwrap().is_some_and(|said| said.contains("not over yet")));
        assert!(over(month("2026-12"), now).unwrap_err().contains("has not begun"));
    }
}
