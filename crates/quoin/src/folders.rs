//! A folder of documents: each becomes a file of the same name in another folder, written beside
//! and renamed, so that a run that is broken off leaves whole documents only and can be repeated.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::CommandResult;
use super::validate::files;

/// How often it is told how far it is.
const PACE: Duration = Duration::from_secs(2);

/// What became of one document of a folder.
pub(crate) enum FileOutcome {
    /// It is written.
    Done,
    /// It has no place in what was asked for, and why.
    Refused(String),
    /// It could not be read, and why.
    Unreadable(String),
}

/// What became of a folder so far.
#[derive(Default)]
struct FolderCount {
    done: usize,
    refused: usize,
    unreadable: usize,
}

impl FolderCount {
    fn told(&self, all: usize, verb: &str) -> String {
        let FolderCount { done, refused, unreadable } = self;
        let seen = done + refused + unreadable;
        let mut text = format!("{seen} of {all} documents: {done} {verb}");
        for (count, word) in [(refused, "refused"), (unreadable, "not read")] {
            if *count > 0 {
                text.push_str(&format!(", {count} {word}"));
            }
        }
        text
    }
}

/// The folder that is written into, made if need be; never one inside the folder that is read.
///
/// # Errors
/// Where none is named, it cannot be made, or it lies inside.
pub(crate) fn output<'a>(folder: &Path, named: Option<&'a Path>) -> Result<&'a Path, String> {
    let Some(output) = named else {
        return Err(format!("{} is a folder: --output names another one", folder.display()));
    };
    std::fs::create_dir_all(output).map_err(|error| format!("{}: {error}", output.display()))?;
    if let (Ok(own), Ok(other)) = (folder.canonicalize(), output.canonicalize())
        && other.starts_with(&own)
    {
        return Err(format!("{} is inside the folder that is read", output.display()));
    }
    Ok(output)
}

/// Does one thing with every document below a folder, and tells how far it is.
///
/// # Errors
/// What cannot be written: the run stops there.
pub(crate) fn each(
    folder: &Path,
    verb: &str,
    mut one: impl FnMut(&Path, &Path) -> Result<FileOutcome, String>,
) -> CommandResult {
    let files = files::collect(&[folder.to_owned()])?;
    let (mut count, mut told) = (FolderCount::default(), Instant::now());
    for file in &files {
        match one(file, file.strip_prefix(folder).unwrap_or(file))? {
            FileOutcome::Done => count.done += 1,
            FileOutcome::Refused(why) => {
                eprintln!("quoin: {}: {why}", file.display());
                count.refused += 1;
            }
            FileOutcome::Unreadable(why) => {
                eprintln!("quoin: {why}");
                count.unreadable += 1;
            }
        }
        if told.elapsed() >= PACE {
            eprintln!("quoin: {}", count.told(files.len(), verb));
            told = Instant::now();
        }
    }
    eprintln!("quoin: {}", count.told(files.len(), verb));
    Ok(match count {
        FolderCount { unreadable: 1.., .. } => ExitCode::from(2),
        FolderCount { refused: 1.., .. } => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

/// Writes a file below a folder, whose own folder is made if need be.
///
/// # Errors
/// What cannot be written.
pub(crate) fn place(place: &Path, bytes: &[u8]) -> Result<(), String> {
    if let Some(above) = place.parent() {
        let failed = |error| format!("{}: {error}", above.display());
        std::fs::create_dir_all(above).map_err(failed)?;
    }
    replace(place, bytes)
}

/// Writes beside the file and renames, so that nobody finds half a document. What is there and is
/// no file, such as a pipe, is written to as it is.
pub(crate) fn replace(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    if file.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::write(file, bytes).map_err(failed);
    }
    let beside = draft(file)?;
    let written = write_durably(&beside, bytes).and_then(|()| std::fs::rename(&beside, file));
    written.map_err(|error| {
        // What was written is of no use; that it cannot be removed changes nothing.
        let _ = std::fs::remove_file(&beside);
        failed(error)
    })
}

/// The rename must not be on the disk before what it names is.
fn write_durably(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = std::fs::File::create(file)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Where a file is written before it has its name.
pub(crate) fn draft(file: &Path) -> Result<PathBuf, String> {
    let name = file.file_name().ok_or_else(|| format!("{}: it is no file", file.display()))?;
    let mut beside = name.to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    Ok(file.with_file_name(beside))
}
