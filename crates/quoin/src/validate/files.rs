//! Which files were named, and their bytes.

use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a document that are read: what the reader accepts, and one more so that it can say so.
const DOCUMENT_BYTES: u64 = quoin_formats::detection::MAX_BYTES as u64 + 1;

/// Files of one call at most.
const MAX_FILES: usize = 1_000_000;

/// All files that were named, those of folders in the order of their paths.
pub(crate) fn collect(named: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    for path in named {
        match path.is_dir() {
            true => folder(path, &mut all)?,
            false => all.push(path.clone()),
        }
    }
    match all.is_empty() {
        true => Err("there is no .xml file in the folders that were named".to_owned()),
        false => Ok(all),
    }
}

/// Every `.xml` below a folder; links are not followed.
fn folder(path: &Path, all: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        entries.push((entry.path(), entry.file_type().map_err(failed)?));
    }
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (path, kind) in entries {
        let is_xml = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("xml"));
        if kind.is_dir() {
            folder(&path, all)?;
        } else if kind.is_file() && is_xml {
            if all.len() >= MAX_FILES {
                return Err(format!("more than {MAX_FILES} files"));
            }
            all.push(path);
        }
    }
    Ok(())
}

/// The bytes of a file, or of standard input.
pub(crate) fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().take(DOCUMENT_BYTES).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(DOCUMENT_BYTES).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
