//! A folder of documents: each is converted into another folder, with one list of losses.

use std::io::Write;
use std::path::{Path, PathBuf};

use quoin_formats::ParsedDocument;
use quoin_formats::convert::{ConversionRequest, Converted};

use super::super::CommandResult;
use super::super::folders::{self, FileOutcome, WrittenPlaces, apart};
use super::{Convert, each, numbered, opened};

/// Converts every document below a folder.
///
/// # Errors
/// What cannot be written: the run stops there.
pub(super) fn convert(
    arguments: &Convert,
    folder: &Path,
    target: ConversionRequest<'_>,
) -> CommandResult {
    let output = folders::output(folder, arguments.output.as_deref())?;
    if arguments.invoice.is_some() {
        return Err("--invoice is for one file; of a folder each invoice is converted".to_owned());
    }
    apart(&arguments.named())?;
    if let Some(losses) = &arguments.losses
        && let (Ok(own), Some(Ok(above))) =
            (folder.canonicalize(), losses.parent().map(Path::canonicalize))
        && above.starts_with(&own)
    {
        return Err(format!("{} is inside the folder that is read", losses.display()));
    }
    let mut list = arguments.losses.as_deref().map(ListFile::open).transpose()?;
    let mut written = WrittenPlaces::of(folder);
    let ended = folders::each(folder, "converted", |file, name| match opened(file) {
        Err(error) => Ok(FileOutcome::Unreadable(error)),
        Ok(parsed) => all_of((file, &parsed), target, |number, converted| {
            let place = place(numbered(&output.join(name), number), target);
            let refused = written.place((file, &place), converted.document.as_bytes())?;
            if let (None, Some(list)) = (&refused, list.as_mut()) {
                list.add(name, &converted.losses)?;
            }
            Ok(refused)
        }),
    })?;
    list.map_or(Ok(()), ListFile::finish)?;
    Ok(ended)
}

/// Converts each invoice of a file; it is refused where one of them is, with the reason for each.
fn all_of(
    parsed: (&Path, &ParsedDocument),
    target: ConversionRequest<'_>,
    mut keep: impl FnMut(Option<usize>, Converted) -> Result<Option<String>, String>,
) -> Result<FileOutcome, String> {
    let mut refused = Vec::new();
    each(parsed, None, target, |number, done| {
        let refusal = match done {
            Ok(converted) => keep(number, converted)?,
            Err(refusal) => Some(refusal.to_string()),
        };
        refused.extend(refusal.map(|why| match number {
            Some(number) => format!("invoice {number}: {why}"),
            None => why,
        }));
        Ok(())
    })?;
    Ok(match refused.is_empty() {
        true => FileOutcome::Done,
        false => FileOutcome::Refused(refused.join("; ")),
    })
}

/// The place of a document, by what it becomes.
fn place(mut place: PathBuf, target: ConversionRequest<'_>) -> PathBuf {
    if target.target.media_type() == "application/json" {
        place.set_extension("json");
    }
    place
}

/// The list of losses of all documents, one JSON object a line with the name of the file.
struct ListFile {
    path: PathBuf,
    draft: PathBuf,
    file: std::io::BufWriter<std::fs::File>,
}

impl ListFile {
    fn open(path: &Path) -> Result<ListFile, String> {
        let draft = folders::draft(path)?;
        let file = std::fs::File::create(&draft);
        let file = file.map_err(|error| format!("{}: {error}", draft.display()))?;
        Ok(ListFile { path: path.to_owned(), draft, file: std::io::BufWriter::new(file) })
    }

    fn add(&mut self, name: &Path, losses: &[quoin_formats::convert::Loss]) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.draft.display());
        for loss in losses {
            let mut row = serde_json::to_value(loss).map_err(|error| error.to_string())?;
            row["file"] = name.display().to_string().into();
            writeln!(self.file, "{row}").map_err(failed)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), String> {
        let done = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        let done = done.and_then(|()| std::fs::rename(&self.draft, &self.path));
        done.map_err(|error| format!("{}: {error}", self.path.display()))
    }
}
