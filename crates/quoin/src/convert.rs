//! `quoin convert`: a document in one syntax becomes the same document in another, and the list of
//! everything that is not in it as it was.
//!
//! Of a folder each document becomes one in another folder.
//!
//! Exit codes: 0 converted, whatever the list says; 1 refused, because something has no place in
//! the target; 2 a usage error, something unreadable, or a fault.

mod folder;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use quoin_formats::convert::{ConversionRefusal, ConversionTarget, Converted, Loss, convert_at};

use super::CommandResult;
use super::folders::replace;
use super::validate::files;

/// Converts a document.
#[derive(Debug, Args)]
pub struct Convert {
    /// The document: a file, a folder of files (`.xml`), or `-` for standard input.
    file: PathBuf,
    /// What it becomes.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: String,
    /// Write the document into this file, whole or not at all, instead of to standard output; of a
    /// folder, each document under its own name into this folder.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the list of losses into this file, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    losses: Option<PathBuf>,
}

/// The names of the formats to convert to.
fn formats() -> PossibleValuesParser {
    let values =
        ConversionTarget::all().map(|one| PossibleValue::new(one.as_str()).help(one.title()));
    PossibleValuesParser::new(values.collect::<Vec<_>>())
}

/// `quoin convert`.
///
/// # Errors
/// What could not be read or written, and what is no document of XML.
pub fn convert(arguments: &Convert) -> CommandResult {
    let file = &arguments.file;
    let target = ConversionTarget::named(&arguments.to)
        .ok_or_else(|| format!("{} is no format to convert to", arguments.to))?;
    if file.is_dir() {
        return folder::convert(arguments, file, target);
    }
    let converted = match one(file, target)? {
        Ok(converted) => converted,
        Err(refusal) => {
            eprintln!("quoin: {}: {refusal}", file.display());
            return Ok(ExitCode::from(1));
        }
    };
    if let Some(list) = &arguments.losses {
        replace(list, lines(&converted.losses)?.as_bytes())?;
    }
    match &arguments.output {
        Some(output) => replace(output, converted.document.as_bytes())?,
        None => std::io::stdout()
            .write_all(converted.document.as_bytes())
            .map_err(|error| error.to_string())?,
    }
    eprintln!("quoin: {}", summary(&converted));
    Ok(ExitCode::SUCCESS)
}

/// A document in the other format, or why there is none; an error where it cannot be read.
fn one(
    file: &Path,
    target: ConversionTarget,
) -> Result<Result<Converted, ConversionRefusal>, String> {
    let bytes = files::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let inner = quoin_formats::inside(&bytes);
    let parsed = inner.unwrap_or_else(|| quoin_formats::read(&bytes));
    let root = match parsed.tree() {
        Ok(_) => parsed.root().ok_or_else(|| format!("{}: it is no XML", file.display()))?,
        Err(error) => return Err(format!("{}: {error}", file.display())),
    };
    Ok(convert_at(root, target))
}

/// The list, one JSON object a line.
fn lines(losses: &[Loss]) -> Result<String, String> {
    let mut text = String::new();
    for loss in losses {
        text.push_str(&serde_json::to_string(loss).map_err(|error| error.to_string())?);
        text.push('\n');
    }
    Ok(text)
}

/// How many leaves had which fate.
fn summary(converted: &Converted) -> String {
    let (tally, rows) = (converted.tally, converted.losses.len());
    let same = tally.carried + tally.derived + tally.regenerated;
    format!("{} of {} values carried, {rows} in the list of losses", same, tally.leaves())
}
