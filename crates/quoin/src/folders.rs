//! A folder of documents: each becomes a file of the same name in another folder, written beside
//! and renamed, so that a run that is broken off leaves whole documents only and can be repeated.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::validate::files;
use super::{CommandResult, say};

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
    // What is there of its path says where it would be made.
    let there = |path: &Path| match path.as_os_str().is_empty() {
        true => Path::new(".").canonicalize().ok(),
        false => path.canonicalize().ok(),
    };
    if let (Ok(own), Some(other)) = (folder.canonicalize(), output.ancestors().find_map(there))
        && other.starts_with(&own)
    {
        return Err(format!("{} is inside the folder that is read", output.display()));
    }
    std::fs::create_dir_all(output).map_err(|error| format!("{}: {error}", output.display()))?;
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
                say(&format!("{}: {why}", file.display()));
                count.refused += 1;
            }
            FileOutcome::Unreadable(why) => {
                say(&why);
                count.unreadable += 1;
            }
        }
        if told.elapsed() >= PACE {
            say(&count.told(files.len(), verb));
            told = Instant::now();
        }
    }
    say(&count.told(files.len(), verb));
    Ok(match count {
        FolderCount { unreadable: 1.., .. } => ExitCode::from(2),
        FolderCount { refused: 1.., .. } => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

/// Whether files are different ones: what is read is not written over, and nothing twice. Each
/// comes with what it is; standard input and what is no file are like no other.
///
/// # Errors
/// Two that are the same.
pub(crate) fn apart(files: &[(&str, &Path)]) -> Result<(), String> {
    for (place, (name, file)) in files.iter().enumerate() {
        let before = files.iter().take(place).find(|(_, other)| is_same(file, other));
        if let Some((other, _)) = before {
            let file = file.display();
            return Err(format!("{name} and {other} are the same file, {file}: give another one"));
        }
    }
    Ok(())
}

/// Whether two paths lead to one file, there or not.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (one.metadata(), other.metadata()) {
        use std::os::unix::fs::MetadataExt;
        let is_file = one.is_file() && other.is_file();
        return is_file && (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    one != Path::new("-") && whole(one) == whole(other)
}

/// A path without what leads around, as far as its folder is there.
fn whole(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// The files that a run has written, and what each was made of: none is written twice, and none
/// where it reads.
pub(crate) struct WrittenPlaces {
    read: PathBuf,
    made: HashMap<PathBuf, PathBuf>,
}

impl WrittenPlaces {
    /// Those of a run that reads a folder.
    pub(crate) fn of(folder: &Path) -> WrittenPlaces {
        WrittenPlaces { read: whole(folder), made: HashMap::new() }
    }

    /// Writes a file below a folder, whose own folder is made if need be. Answers why it is not
    /// written where another document became the same file before, or where a link in its path
    /// leads to what is read.
    ///
    /// # Errors
    /// What cannot be written.
    pub(crate) fn place(
        &mut self,
        (source, place): (&Path, &Path),
        bytes: &[u8],
    ) -> Result<Option<String>, String> {
        // A link in the place of the file itself is replaced.
        let mut file = place.to_owned();
        if let (Some(above), Some(name)) = (place.parent(), place.file_name()) {
            let failed = |error| format!("{}: {error}", above.display());
            std::fs::create_dir_all(above).map_err(failed)?;
            file = whole(above).join(name);
        }
        if let Some(first) = self.made.get(&file) {
            let (place, first) = (place.display(), first.display());
            return Ok(Some(format!(
                "it would become {place}, as {first} did: give one of the two another name"
            )));
        }
        if file.starts_with(&self.read) {
            let (place, file) = (place.display(), file.display());
            return Ok(Some(format!(
                "it would become {place}, which leads to {file} in the folder that is read"
            )));
        }
        replace(place, bytes)?;
        self.made.insert(file, source.to_owned());
        Ok(None)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_the_same_are_told_apart_from_others() {
        let folder = std::env::temp_dir().join(format!("quoin-apart-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).unwrap();
        let (there, link) = (folder.join("a.xml"), folder.join("link.xml"));
        std::fs::write(&there, "a").unwrap();
        std::fs::hard_link(&there, &link).unwrap();
        let around = folder.join("inner/../a.xml");
        let (new, again) = (folder.join("new.xml"), folder.join("inner/../new.xml"));
        for (one, other) in [(&there, &there), (&there, &around), (&there, &link), (&new, &again)] {
            let said = apart(&[("the input", one), ("--output", other)]).unwrap_err();
            assert!(said.starts_with("--output and the input are the same file"), "{said}");
        }
        let (null, input) = (Path::new("/dev/null"), Path::new("-"));
        assert_eq!(apart(&[("the input", input), ("--output", null), ("--losses", null)]), Ok(()));
        assert_eq!(apart(&[("the input", &there), ("--output", &new)]), Ok(()));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_one_document_became_is_not_written_over_by_another() {
        let folder = std::env::temp_dir().join(format!("quoin-folders-{}", std::process::id()));
        let inside = folder.join("in");
        std::fs::create_dir_all(&inside).unwrap();
        let (one, other) = (inside.join("a.xml"), inside.join("a-1.xml"));
        let place = folder.join("out/a-1.xml");
        let mut written = WrittenPlaces::of(&inside);
        assert_eq!(written.place((&one, &place), b"first").unwrap(), None);
        let why = written.place((&other, &place), b"second").unwrap().expect("a refusal");
        assert!(why.contains(&place.display().to_string()), "{why}");
        assert!(why.contains(&one.display().to_string()), "{why}");
        assert_eq!(std::fs::read(&place).unwrap(), b"first");

        #[cfg(unix)]
        {
            std::fs::write(&one, "read").unwrap();
            std::os::unix::fs::symlink(&inside, folder.join("out/sub")).unwrap();
            let around = folder.join("out/sub/a.xml");
            let why = written.place((&other, &around), b"third").unwrap().expect("a refusal");
            assert!(why.contains("in the folder that is read"), "{why}");
            assert_eq!(std::fs::read(&one).unwrap(), b"read");
        }

        let within = inside.join("out");
        let why = output(&inside, Some(&within)).unwrap_err();
        assert!(why.contains("inside the folder that is read") && !within.exists(), "{why}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
