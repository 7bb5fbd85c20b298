//! A file that was taken or refused goes into a folder of its own, with what is said of it beside
//! it. Whatever lies there is somebody's: nothing of it is removed or written over.

use tokio::io::{AsyncRead, AsyncWrite};

use super::fault::{SftpFault, SftpFaultKind};
use super::upload::{SETTING_ASIDE, told, under_way, upload};
use super::wire::{SftpSession, WireError, status};

/// Names that are tried for one file.
const NAMES: usize = 10;

/// A file that is set aside.
pub(super) struct AsideFile<'a> {
    /// Where it lies.
    pub(super) from: &'a str,
    /// The folder that it goes to.
    pub(super) folder: &'a str,
    /// Its name.
    pub(super) name: &'a str,
    /// What stands in front of its name where something has that.
    pub(super) mark: &'a str,
    /// What is said of it.
    pub(super) said: Option<&'a str>,
}

/// Moves a file into a folder, which is made where it is not there.
///
/// # Errors
/// [`SftpFault`]; the file is where it was then, as far as the server tells.
pub(super) async fn set_aside<S: AsyncRead + AsyncWrite + Unpin>(
    session: &mut SftpSession<S>,
    file: &AsideFile<'_>,
) -> Result<(), SftpFault> {
    let folder = file.folder;
    let at = |path: &str| {
        let path = path.to_owned();
        move |error: WireError| told(error, SETTING_ASIDE, &path)
    };
    if matches!(session.size(folder).await, Err(WireError::Status { code, .. })
        if code == status::NO_SUCH_FILE)
    {
        session.make_folder(folder).await.map_err(at(folder))?;
    }
    let Some(name) = free(session, file).await else {
        let cause = format!(
            "the folder {folder} has {NAMES} files by the names that {} could have there: move \
             them elsewhere",
            file.name
        );
        return Err(SftpFault { answered: true, ..SftpFault::new(SftpFaultKind::Refused, cause) });
    };
    let path = format!("{folder}/{name}");
    if let Some(said) = file.said {
        let note = note(&name);
        let paths = (format!("{folder}/{}", under_way(&note)), format!("{folder}/{note}"));
        upload(session, (&paths.0, &paths.1), said.as_bytes()).await?;
    }
    session.move_to(file.from, &path).await.map_err(at(&path))
}

/// The first of its names that nothing in the folder has.
async fn free<S: AsyncRead + AsyncWrite + Unpin>(
    session: &mut SftpSession<S>,
    file: &AsideFile<'_>,
) -> Option<String> {
    let AsideFile { folder, name, mark, said, .. } = file;
    for turn in 0..NAMES {
        let name = match turn {
            0 => (*name).to_owned(),
            1 => format!("{mark}-{name}"),
            _ => format!("{mark}-{turn}-{name}"),
        };
        if session.size(&format!("{folder}/{name}")).await.is_ok() {
            continue;
        }
        let taken = match said {
            Some(said) => is_anothers(session, &format!("{folder}/{}", note(&name)), said).await,
            None => false,
        };
        if !taken {
            return Some(name);
        }
    }
    None
}

/// Whether something else than what is about to be written has a name. The same words were written
/// by us, when the file could not be moved.
async fn is_anothers<S: AsyncRead + AsyncWrite + Unpin>(
    session: &mut SftpSession<S>,
    path: &str,
    said: &str,
) -> bool {
    if session.size(path).await.is_err() {
        return false;
    }
    let found = session.read(path, said.len()).await;
    !matches!(found, Ok(Some(found)) if found == said.as_bytes())
}

fn note(name: &str) -> String {
    format!("{name}.error.txt")
}

#[cfg(test)]
mod tests;
