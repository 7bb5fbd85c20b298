//! `quoin render`: a document as a page for a browser, as a PDF, or as a hybrid PDF.
//!
//! Of a folder each document becomes one in another folder.
//!
//! Exit codes: 0 written; 1 refused, because the document cannot be shown so; 2 a usage error,
//! something unreadable, or a fault.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_formats::ParsedDocument;
use quoin_model::{Finding, Language};
use quoin_render::{FacturXLevel, RenderForm, RenderRefusal, RenderRequest, Rendered};

use super::console::output;
use super::folders::{self, FileOutcome, WrittenPlaces, apart};
use super::validate::files;
use super::{CommandResult, language, say};

/// Shows a document.
#[derive(Debug, Args)]
pub struct Render {
    /// The document: a file, a folder of files (`.xml`), or `-` for standard input.
    file: PathBuf,
    /// What it becomes.
    #[arg(long = "as", value_name = "FORM", value_parser = forms(), default_value = "html")]
    form: String,
    /// The profile of the data in a hybrid PDF (Factur-X, ZUGFeRD); without it the one that the
    /// document names (BT-24). What has no place in the profile is on the page alone.
    #[arg(long, value_name = "PROFILE", value_parser = levels())]
    profile: Option<String>,
    /// The language of the page: en, nl, de, fr or pl.
    #[arg(long, default_value = "en", value_name = "LANGUAGE", value_parser = language)]
    language: Language,
    /// Validate it first by the built-in rules of today, and show what was found where it is.
    #[arg(long)]
    findings: bool,
    /// Write the page into this file, whole or not at all, instead of to standard output; of a
    /// folder, each page under the name of its document into this folder.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The names of the forms.
fn forms() -> PossibleValuesParser {
    let values = RenderForm::ALL.iter().map(|one| PossibleValue::new(one.as_str()));
    PossibleValuesParser::new(values.collect::<Vec<_>>())
}

/// The names of the profiles.
fn levels() -> PossibleValuesParser {
    let values = FacturXLevel::ALL.iter().map(|one| PossibleValue::new(one.name()));
    PossibleValuesParser::new(values.collect::<Vec<_>>())
}

/// `quoin render`.
///
/// # Errors
/// What could not be read or written, and what is no document of XML.
pub fn run(arguments: &Render) -> CommandResult {
    let file = &arguments.file;
    let form = RenderForm::named(&arguments.form)
        .ok_or_else(|| format!("{} is no form of a page", arguments.form))?;
    if arguments.profile.is_some() && form != RenderForm::FacturX {
        return Err("--profile goes with --as factur-x".to_owned());
    }
    if file.is_dir() {
        let output = folders::output(file, arguments.output.as_deref())?;
        let mut written = WrittenPlaces::of(file);
        return folders::each(file, "written", |file, name| {
            let shown = match one(file, form, arguments) {
                Err(error) => return Ok(FileOutcome::Unreadable(error)),
                Ok(Err(refusal)) => return Ok(FileOutcome::Refused(refusal.to_string())),
                Ok(Ok(shown)) => shown,
            };
            let place = output.join(name).with_extension(form.extension());
            let refused = written.place((file, &place), &shown.bytes)?;
            Ok(refused.map_or(FileOutcome::Done, FileOutcome::Refused))
        });
    }
    let written = arguments.output.as_deref().map(|output| ("--output", output));
    apart(&[("the input", file.as_path())].into_iter().chain(written).collect::<Vec<_>>())?;
    let shown = match one(file, form, arguments)? {
        Ok(shown) => shown,
        Err(refusal) => {
            say(&format!("{}: {refusal}", file.display()));
            return Ok(ExitCode::from(1));
        }
    };
    match &arguments.output {
        Some(output) => folders::replace(output, &shown.bytes)?,
        None => output(&shown.bytes)?,
    }
    if !shown.losses.is_empty() {
        let count = shown.losses.len();
        say(&format!("the data inside have {count} values otherwise than the document"));
    }
    Ok(ExitCode::SUCCESS)
}

/// A document as a page, or why there is none; an error where it cannot be read.
fn one(
    file: &Path,
    form: RenderForm,
    arguments: &Render,
) -> Result<Result<Rendered, RenderRefusal>, String> {
    let bytes = files::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let parsed = quoin_formats::opened(&bytes);
    if let Some(why) = parsed.why_unread() {
        return Err(format!("{}: {why}", file.display()));
    }
    let findings = match arguments.findings {
        true => findings(&parsed, arguments.language),
        false => Vec::new(),
    };
    let language = arguments.language;
    let level = arguments.profile.as_deref().and_then(FacturXLevel::named);
    let request = RenderRequest { language, form, level, findings: &findings };
    Ok(quoin_render::render(&parsed, &request))
}

/// What the built-in rules of today find, in the language of the page.
fn findings(document: &ParsedDocument, language: Language) -> Vec<Finding> {
    let now = Timestamp::now();
    let options =
        quoin_rules::Options { language, at: Some(now), ..quoin_rules::Options::default() };
    let today = now.to_zoned(TimeZone::UTC).date();
    quoin_rules::validate_with(document, today, &options).findings
}
