//! `quoin verify`: checks delivery dossiers without asking anybody.
//!
//! Exit codes: 0 everything holds, 1 something does not, 2 a usage error or something unreadable.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use quoin_peppol::dossier::{self, DossierVerdict};
use quoin_peppol::pki::Certificate;

use super::{CommandResult, print};
use quoin_access_point::dossier::unzip;
use quoin_access_point::pemfile;

/// The largest dossier that is read, in bytes.
const LARGEST: u64 = 200 << 20;

/// Verifies a delivery dossier.
#[derive(Debug, Args)]
pub struct Verify {
    /// The dossier.
    file: PathBuf,
    /// A root that you trust (PEM), besides those of the Peppol network. May be given several
    /// times.
    #[arg(long, value_name = "FILE")]
    root: Vec<PathBuf>,
    /// Print the checks as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
///
/// # Errors
/// What cannot be read.
pub fn run(arguments: &Verify) -> CommandResult {
    let roots = arguments.root.iter().map(|path| root(path)).collect::<Result<Vec<_>, _>>()?;
    let file = &arguments.file;
    let unreadable = |error: std::io::Error| format!("{}: {error}", file.display());
    let mut bytes = Vec::new();
    // What is no file, such as a device, does not say how long it is.
    let opened = std::fs::File::open(file).map_err(unreadable)?;
    let length = opened.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if length as u64 > LARGEST {
        return Err(format!("{}: it is larger than {LARGEST} bytes", file.display()));
    }
    let parts = unzip(&bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    let verdict = dossier::verify(&parts, &roots);
    let told = if arguments.json { json(&verdict) } else { table(&verdict) };
    print(&told)?;
    Ok(if verdict.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn root(path: &Path) -> Result<Certificate, String> {
    let text = pemfile::read(path).map_err(|error| error.to_string())?;
    pemfile::certificate(path, &text).map_err(|error| error.to_string())
}

/// One line a check, and the conclusion.
fn table(verdict: &DossierVerdict) -> String {
    let width = verdict.checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for check in &verdict.checks {
        let (name, word) = (&check.name, check.holds.as_str());
        out.push_str(&format!("{word:7} {name:width$}  {}\n", check.detail));
    }
    let failing = verdict.failing().count();
    out.push_str(&match failing {
        0 => "\nEverything that can be checked holds.\n".to_owned(),
        failing => format!("\n{failing} of {} checks fail.\n", verdict.checks.len()),
    });
    out
}

fn json(verdict: &DossierVerdict) -> String {
    let checks = verdict.checks.iter().map(|check| {
        serde_json::json!({
            "name": check.name,
            "result": check.holds.as_str().to_lowercase(),
            "detail": check.detail,
        })
    });
    let told = serde_json::json!({
        "holds": verdict.holds(),
        "about": verdict.manifest.as_ref().map(|manifest| &manifest.about),
        "checks": checks.collect::<Vec<_>>(),
    });
    format!("{told:#}\n")
}
