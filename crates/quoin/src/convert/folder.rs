//! A folder of documents: each is converted into another folder, with one list of losses.

use std::io::Write;
use std::path::{Path, PathBuf};

use quoin_formats::convert::ConversionTarget;

use super::super::CommandResult;
use super::super::folders::{self, FileOutcome};
use super::{Convert, one};

/// Converts every document below a folder.
///
/// # Errors
/// What cannot be written: the run stops there.
pub(super) fn convert(
    arguments: &Convert,
    folder: &Path,
    target: ConversionTarget,
) -> CommandResult {
    let output = folders::output(folder, arguments.output.as_deref())?;
    let mut list = arguments.losses.as_deref().map(ListFile::open).transpose()?;
    let ended = folders::each(folder, "converted", |file, name| {
        let converted = match one(file, target) {
            Err(error) => return Ok(FileOutcome::Unreadable(error)),
            Ok(Err(refusal)) => return Ok(FileOutcome::Refused(refusal.to_string())),
            Ok(Ok(converted)) => converted,
        };
        let mut place = output.join(name);
        if target.media_type() == "application/json" {
            place.set_extension("json");
        }
        folders::place(&place, converted.document.as_bytes())?;
        if let Some(list) = &mut list {
            list.add(name, &converted.losses)?;
        }
        Ok(FileOutcome::Done)
    })?;
    list.map_or(Ok(()), ListFile::finish)?;
    Ok(ended)
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
