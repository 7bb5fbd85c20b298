//! The folder of a lab: for one at a time, and emptied of what another one left.

use std::fs::File;
use std::path::Path;

use super::LabError;

/// What a lab before this one has left: it begins with nothing.
const AFRESH: [&str; 9] = [
    "one",
    "two",
    "office",
    "ksef",
    "lab.env",
    "invoice.xml",
    "pint-ae.xml",
    "pint-om.xml",
    "france.xml",
];

/// A lab begins with nothing: its SML and its certificates are new, and services that remember
/// others would believe that they are registered. Its folder is for one lab at a time.
pub(super) fn begin_afresh(folder: &Path) -> Result<File, LabError> {
    let place = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| LabError::Other(format!("the lab's folder: {path}: {error}"))
    };
    std::fs::create_dir_all(folder).map_err(place(folder))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let own = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(folder, own).map_err(place(folder))?;
    }
    let path = folder.join("lab.lock");
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
