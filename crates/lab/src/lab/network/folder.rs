//! The folder of a lab: for one at a time, and emptied of what another one left, and of nothing
//! else.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::LabError;

/// What says that a folder is a lab's.
const LOCK: &str = "lab.lock";
/// The file with addresses and accounts, for the shell: it is there while they answer.
pub(crate) const VARIABLES: &str = "lab.env";
/// What a lab before this one has left: it begins with nothing. What others wait for goes first.
const AFRESH: [&str; 5] = [VARIABLES, "one", "two", "office", "ksef"];
/// What it writes over: the certificates of its authorities.
const WRITTEN: [&str; 5] = ["root-ca.pem", "ap-ca.pem", "smp-ca.pem", "tls-ca.pem", "lab.env.new"];
/// Samples to change: what somebody made of them is kept.
const SAMPLES: [&str; 4] = ["invoice.xml", "pint-ae.xml", "pint-om.xml", "france.xml"];

/// A lab begins with nothing: its SML and its certificates are new, and services that remember
/// others would believe that they are registered. Its folder is for one lab at a time. A folder
/// that is no lab's is taken only where nothing of what a lab writes is in it.
pub(super) fn begin_afresh(folder: &Path) -> Result<File, LabError> {
    let place = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| LabError::Other(format!("the lab's folder: {path}: {error}"))
    };
    std::fs::create_dir_all(folder).map_err(place(folder))?;
    let path = folder.join(LOCK);
    if !path.exists() {
        is_free(folder)?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let own = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(folder, own).map_err(place(folder))?;
    }
    let lock = File::create(&path).map_err(place(&path))?;
    if lock.try_lock().is_err() {
        let folder = folder.display();
        return Err(LabError::Other(format!("another lab runs in {folder}: give another folder")));
    }
    for name in AFRESH {
        let path = folder.join(name);
        let gone = match path.is_dir() {
            true => std::fs::remove_dir_all(&path),
            false => std::fs::remove_file(&path),
        };
        match gone {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(place(&path)(error));
            }
            _ => {}
        }
    }
    Ok(lock)
}

/// Whether nothing in a folder has a name that a lab uses.
fn is_free(folder: &Path) -> Result<(), LabError> {
    let there = |name: &&&str| folder.join(name).symlink_metadata().is_ok();
    let found: Vec<&str> =
        AFRESH.iter().chain(&WRITTEN).chain(&SAMPLES).filter(there).copied().collect();
    if found.is_empty() {
        return Ok(());
    }
    let (folder, found) = (folder.display(), found.join(", "));
    Err(LabError::Other(format!(
        "{folder} is no folder of a lab (it has no {LOCK}), and {found} in it would be lost: give \
         another folder, or a new one"
    )))
}

/// Writes a sample. One that somebody changed is put aside first, under a name that is free.
pub(crate) fn write_sample(folder: &Path, name: &str, text: &str) -> std::io::Result<PathBuf> {
    let path = folder.join(name);
    match std::fs::read(&path) {
        Ok(found) if found != text.as_bytes() => {
            std::fs::rename(&path, aside(&path))?;
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::write(&path, text)?;
    Ok(path)
}

/// The first name of this kind that is free: `invoice-1.xml`.
fn aside(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = |number: usize| path.with_file_name(format!("{stem}-{number}.xml"));
    (1..).map(name).find(|path| path.symlink_metadata().is_err()).unwrap_or_else(|| name(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = format!("quoin-lab-folder-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            // What stays behind lies in the temporary folder.
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_is_no_labs_is_not_touched() {
        let folder = Folder::new("own");
        for name in AFRESH.iter().chain(&WRITTEN).chain(&SAMPLES) {
            let path = folder.0.join(name);
            match name.contains('.') {
                true => std::fs::write(&path, "mine").unwrap(),
                false => {
                    std::fs::create_dir(&path).unwrap();
                    std::fs::write(path.join("thesis.tex"), "mine").unwrap();
                }
            }
            let said = begin_afresh(&folder.0).err().unwrap().to_string();
            assert!(said.contains(name) && said.contains("no folder of a lab"), "{said}");
            assert!(!folder.0.join(LOCK).exists(), "the next try finds the same");
        }
        assert!(folder.0.join("two/thesis.tex").exists());
    }

    #[test]
    fn a_labs_own_folder_is_emptied_and_an_altered_sample_kept() {
        let folder = Folder::new("again");
        drop(begin_afresh(&folder.0).unwrap());
        std::fs::create_dir(folder.0.join("one")).unwrap();
        std::fs::write(folder.0.join("notes.txt"), "mine").unwrap();
        write_sample(&folder.0, "invoice.xml", "sample").unwrap();
        for change in ["first", "second"] {
            std::fs::write(folder.0.join("invoice.xml"), change).unwrap();
            drop(begin_afresh(&folder.0).unwrap());
            write_sample(&folder.0, "invoice.xml", "sample").unwrap();
            write_sample(&folder.0, "invoice.xml", "sample").unwrap();
        }
        assert!(!folder.0.join("one").exists());
        let text = |name: &str| std::fs::read_to_string(folder.0.join(name)).unwrap_or_default();
        assert_eq!((text("invoice.xml"), text("notes.txt")), ("sample".into(), "mine".into()));
        assert_eq!(
            (text("invoice-1.xml"), text("invoice-2.xml")),
            ("first".into(), "second".into())
        );
        assert!(!folder.0.join("invoice-3.xml").exists());
    }
}
