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

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use quoin_formats::ParsedDocument;
use quoin_formats::convert::{
    ConversionRefusal, ConversionRequest, Converted, InvoiceFile, Loss, convert_at,
};

use super::console::output;
use super::folders::{apart, replace};
use super::validate::files;
use super::{CommandResult, say};

/// Converts a document.
#[derive(Debug, Args)]
pub struct Convert {
    /// The document: a file, a folder of files (`.xml`), or `-` for standard input.
    file: PathBuf,
    /// What it becomes. Every format is a file of data, `factur-x-…` too: the XML alone. A PDF with
    /// that XML inside is made by `quoin render --as factur-x --profile …`.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: String,
    /// Write the document into this file, whole or not at all, instead of to standard output; of a
    /// folder, each document under its own name into this folder.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the list of losses into this file, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    losses: Option<PathBuf>,
    /// Which invoice of a file that holds several, the first is 1. Without it each becomes a file,
    /// `OUTPUT-1.xml` and so on.
    #[arg(long, value_name = "NUMBER")]
    invoice: Option<usize>,
}

/// The names of the formats to convert to.
fn formats() -> PossibleValuesParser {
    let values =
        ConversionRequest::names().map(|(name, title)| PossibleValue::new(name).help(title));
    PossibleValuesParser::new(values.collect::<Vec<_>>())
}

/// `quoin convert`.
///
/// # Errors
/// What could not be read or written, and what is no document of XML.
pub fn convert(arguments: &Convert) -> CommandResult {
    let file = &arguments.file;
    let target = ConversionRequest::named(&arguments.to)
        .ok_or_else(|| format!("{} is no format to convert to", arguments.to))?;
    if file.is_dir() {
        return folder::convert(arguments, file, target);
    }
    let named = arguments.named();
    apart(&named)?;
    let parsed = opened(file)?;
    arguments.apart_invoices(&parsed)?;
    let (mut list, mut refused) = (String::new(), 0);
    each((file, &parsed), arguments.invoice, target, |number, done| {
        match done {
            Ok(converted) => {
                list.push_str(&lines(&converted.losses)?);
                let place = arguments.output.as_deref().map(|output| numbered(output, number));
                if let Some(place) = &place {
                    let others = named.iter().filter(|(name, _)| *name != OUTPUT).copied();
                    apart(&others.chain([(OUTPUT, place.as_path())]).collect::<Vec<_>>())?;
                }
                write(place.as_deref(), &converted)?;
                say(&summary(&converted));
            }
            Err(refusal) => {
                say(&format!("{}: {refusal}", called(file, number)));
                refused += 1;
            }
        }
        Ok(())
    })?;
    if refused > 0 {
        return Ok(ExitCode::from(1));
    }
    if let Some(path) = &arguments.losses {
        replace(path, list.as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the output is called where it is the same as another file.
const OUTPUT: &str = "--output";

impl Convert {
    /// The files that are named, which must not be the same.
    fn named(&self) -> Vec<(&'static str, &Path)> {
        let mut named = vec![("the input", self.file.as_path())];
        named.extend(self.output.as_deref().map(|file| (OUTPUT, file)));
        named.extend(self.losses.as_deref().map(|file| ("--losses", file)));
        named
    }

    /// Several documents are no document of standard output.
    fn apart_invoices(&self, parsed: &ParsedDocument) -> Result<(), String> {
        let count = parsed.root().and_then(InvoiceFile::of).map_or(1, |file| file.count());
        match count > 1 && self.invoice.is_none() && self.output.is_none() {
            true => Err(format!(
                "{}: it holds {count} invoices: ask for one by --invoice, or name a file by \
                 --output, after which each is named with its number",
                self.file.display()
            )),
            false => Ok(()),
        }
    }
}

/// Writes a document to its file, or to standard output.
fn write(place: Option<&Path>, converted: &Converted) -> Result<(), String> {
    match place {
        Some(place) => replace(place, converted.document.as_bytes()),
        None => output(converted.document.as_bytes()),
    }
}

/// The name of one of several: `out.xml` is `out-2.xml`.
fn numbered(output: &Path, number: Option<usize>) -> PathBuf {
    let (Some(number), Some(stem)) = (number, output.file_stem()) else {
        return output.to_owned();
    };
    let mut name = stem.to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = output.extension() {
        name.push(".");
        name.push(extension);
    }
    output.with_file_name(name)
}

/// A file, and which of its invoices.
fn called(file: &Path, number: Option<usize>) -> String {
    let number = number.map(|number| format!(", invoice {number}"));
    format!("{}{}", file.display(), number.unwrap_or_default())
}

/// Converts each invoice of a file, or the one that is asked for. Where there are several, each
/// comes with its number.
///
/// # Errors
/// Those of `take`, and what is wrong with the file, by its name.
fn each(
    (path, parsed): (&Path, &ParsedDocument),
    wanted: Option<usize>,
    target: ConversionRequest<'_>,
    mut take: impl FnMut(Option<usize>, Result<Converted, ConversionRefusal>) -> Result<(), String>,
) -> Result<(), String> {
    let of_file = |error: String| format!("{}: {error}", path.display());
    let root = parsed.root().ok_or_else(|| of_file("it is no XML".to_owned()))?;
    let Some(file) = InvoiceFile::of(root).filter(|file| file.count() > 1) else {
        return match wanted {
            None | Some(1) => take(None, convert_at(root, target)),
            Some(number) => Err(of_file(format!("it has no invoice {number}; it holds one"))),
        };
    };
    for number in wanted.map_or(1..=file.count(), |number| number..=number) {
        let none = || of_file(format!("it has no invoice {number}; it holds {}", file.count()));
        let alone = quoin_formats::read(file.alone(number).ok_or_else(none)?.as_bytes());
        let root = alone.root().ok_or_else(none)?;
        take(Some(number).filter(|_| wanted.is_none()), convert_at(root, target))?;
    }
    Ok(())
}

/// The document in a file.
fn opened(file: &Path) -> Result<ParsedDocument, String> {
    let bytes = files::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let parsed = quoin_formats::opened(&bytes);
    match parsed.why_unread() {
        None => Ok(parsed),
        Some(why) => Err(format!("{}: {why}", file.display())),
    }
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
