//! Which files were named, and their bytes.

use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a document that are read: what the reader accepts, and one more so that it can say so.
const DOCUMENT_BYTES: u64 = quoin_formats::detection::MAX_BYTES as u64 + 1;

/// What stands for standard input.
const INPUT: &str = "-";

/// Files of one call at most.
const MAX_FILES: usize = 1_000_000;

/// All files that were named, those of folders in the order of their paths.
pub(crate) fn collect(named: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    if named.iter().filter(|path| *path == Path::new(INPUT)).count() > 1 {
        return Err("- is named twice, and standard input can be read once".to_owned());
    }
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

/// Every `.xml` below a folder, links to files among them; a link to a folder is not followed,
/// since it may lead in a circle, nor one to a pipe or a device, which may never end.
fn folder(path: &Path, all: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
        // A link that leads nowhere is a file that cannot be read; one to a pipe is none.
        let leads_to_file = || path.metadata().map_or(true, |behind| behind.is_file());
        let is_file = kind.is_file() || kind.is_symlink() && leads_to_file();
        entries.push((path, kind.is_dir(), is_file));
    }
    entries.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    for (path, is_folder, is_file) in entries {
        let is_xml = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("xml"));
        if is_folder {
            folder(&path, all)?;
        } else if is_file && is_xml {
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
    if file == Path::new(INPUT) {
        std::io::stdin().take(DOCUMENT_BYTES).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(DOCUMENT_BYTES).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_to_a_file_is_one_of_the_folder_and_one_to_a_folder_is_not_followed() {
        let folder = std::env::temp_dir().join(format!("quoin-links-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("in")).unwrap();
        std::fs::write(folder.join("in/a.xml"), "<a/>").unwrap();
        std::fs::write(folder.join("beside.xml"), "<b/>").unwrap();
        symlink(folder.join("beside.xml"), folder.join("in/b.xml")).unwrap();
        symlink(folder.join("nowhere.xml"), folder.join("in/c.xml")).unwrap();
        symlink(&folder, folder.join("in/d.xml")).unwrap();
        symlink("/dev/zero", folder.join("in/e.xml")).unwrap();
        let found = collect(&[folder.join("in")]).unwrap();
        let names: Vec<_> = found.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(names, ["a.xml", "b.xml", "c.xml"]);
        assert!(read(&found[2]).is_err(), "it is told as what cannot be read");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
