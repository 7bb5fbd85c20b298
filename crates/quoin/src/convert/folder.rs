//! A folder of documents: each becomes a file of the same name in another folder, written beside
//! and renamed, so that a run that is broken off leaves whole documents only and can be repeated.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use quoin_formats::convert::{ConversionRequest, Converted};

use super::super::CommandResult;
use super::super::validate::files;
use super::{Convert, called, each, numbered, opened, replace};

/// How often it is told how far it is.
const PACE: Duration = Duration::from_secs(2);

/// What became of a folder so far.
#[derive(Default)]
struct FolderCount {
    converted: usize,
    refused: usize,
    unreadable: usize,
}

impl FolderCount {
    fn told(&self, all: usize) -> String {
        let FolderCount { converted, refused, unreadable } = self;
        let done = converted + refused + unreadable;
        let mut text = format!("{done} of {all} documents: {converted} converted");
        for (count, word) in [(refused, "refused"), (unreadable, "not read")] {
            if *count > 0 {
                text.push_str(&format!(", {count} {word}"));
            }
        }
        text
    }
}

/// Converts every document below a folder.
///
/// # Errors
/// What cannot be written: the run stops there.
pub(super) fn convert(
    arguments: &Convert,
    folder: &Path,
    target: ConversionRequest<'_>,
) -> CommandResult {
    let Some(output) = &arguments.output else {
        return Err(format!("{} is a folder: --output names another one", folder.display()));
    };
    if arguments.invoice.is_some() {
        return Err("--invoice is for one file; of a folder each invoice is converted".to_owned());
    }
    std::fs::create_dir_all(output).map_err(|error| format!("{}: {error}", output.display()))?;
    let (own, other) = (folder.canonicalize(), output.canonicalize());
    if let (Ok(own), Ok(other)) = (own, other)
        && other.starts_with(&own)
    {
        return Err(format!("{} is inside the folder that is read", output.display()));
    }
    let files = files::collect(&[folder.to_owned()])?;
    let mut list = arguments.losses.as_deref().map(ListFile::open).transpose()?;
    let (mut count, mut told) = (FolderCount::default(), Instant::now());
    for file in &files {
        let name = file.strip_prefix(folder).unwrap_or(file);
        match opened(file) {
            Err(error) => {
                eprintln!("quoin: {error}");
                count.unreadable += 1;
            }
            Ok(parsed) => each(&parsed, None, target, |number, done| match done {
                Ok(converted) => {
                    keep(&numbered(&output.join(name), number), target, &converted)?;
                    count.converted += 1;
                    list.as_mut().map_or(Ok(()), |list| list.add(name, &converted.losses))
                }
                Err(refusal) => {
                    eprintln!("quoin: {}: {refusal}", called(file, number));
                    count.refused += 1;
                    Ok(())
                }
            })?,
        }
        if told.elapsed() >= PACE {
            eprintln!("quoin: {}", count.told(files.len()));
            told = Instant::now();
        }
    }
    list.map_or(Ok(()), ListFile::finish)?;
    eprintln!("quoin: {}", count.told(files.len()));
    Ok(match count {
        FolderCount { unreadable: 1.., .. } => ExitCode::from(2),
        FolderCount { refused: 1.., .. } => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

/// Writes a document to its place, in a folder that is made for it.
fn keep(place: &Path, target: ConversionRequest<'_>, converted: &Converted) -> Result<(), String> {
    let mut place = place.to_owned();
    if target.target.media_type() == "application/json" {
        place.set_extension("json");
    }
    if let Some(above) = place.parent() {
        let failed = |error| format!("{}: {error}", above.display());
        std::fs::create_dir_all(above).map_err(failed)?;
    }
    replace(&place, converted.document.as_bytes())
}

/// The list of losses of all documents, one JSON object a line with the name of the file.
struct ListFile {
    path: PathBuf,
    draft: PathBuf,
    file: std::io::BufWriter<std::fs::File>,
}

impl ListFile {
    fn open(path: &Path) -> Result<ListFile, String> {
        let draft = super::draft(path)?;
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
