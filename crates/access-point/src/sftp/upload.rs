//! The writing of one file: under a name of its own until it is whole.

use tokio::io::{AsyncRead, AsyncWrite};

use super::fault::{SftpFault, SftpFaultKind};
use super::wire::{FillError, SftpSession, WireError, status};

/// The first thing that is done with a file.
const OPENING: &str = "opening";
/// What takes no room over there.
const LOOKING: &str = "looking at";
pub(super) const READING: &str = "reading";
pub(super) const SETTING_ASIDE: &str = "setting aside";

/// What became of a file that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WrittenFile {
    /// Whether the server said that its disk has it.
    pub(super) synced: bool,
}

/// The name of a file under way: it begins with a dot and ends with no ending that is looked for.
pub(super) fn under_way(name: &str) -> String {
    format!(".{name}.part")
}

/// Writes a file under the name of one that is under way, and renames it when it is whole.
pub(super) async fn upload<S: AsyncRead + AsyncWrite + Unpin>(
    session: &mut SftpSession<S>,
    (part, path): (&str, &str),
    bytes: &[u8],
) -> Result<WrittenFile, SftpFault> {
    let handle = session.create(part).await.map_err(|error| told(error, OPENING, part))?;
    match finish(session, &handle, (part, path), bytes).await {
        Ok(written) => Ok(written),
        Err((error, doing)) => {
            if is_answer(&error) {
                // What is left of it takes room; whether it goes or not, it is nobody's document.
                let _ = session.remove(part).await;
            }
            Err(told(error, doing, part))
        }
    }
}

async fn finish<S: AsyncRead + AsyncWrite + Unpin>(
    session: &mut SftpSession<S>,
    handle: &[u8],
    (part, path): (&str, &str),
    bytes: &[u8],
) -> Result<WrittenFile, FillError> {
    let at = |doing: &'static str| move |error: WireError| (error, doing);
    let synced = session.fill(handle, bytes).await?;
    let found = session.size(part).await.map_err(at(LOOKING))?;
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if let Some(found) = found.filter(|found| *found != length) {
        return Err((WireError::Cut { found, length }, LOOKING));
    }
    session.rename(part, path).await.map_err(at("renaming"))?;
    Ok(WrittenFile { synced })
}

/// What a failure means, and what to tell of it.
pub(super) fn told(error: WireError, doing: &str, path: &str) -> SftpFault {
    let answered = is_answer(&error);
    let (kind, cause) = match error {
        WireError::Status { code: status::NO_SUCH_FILE, words } if doing == OPENING => {
            (SftpFaultKind::Refused, format!("the SFTP server has no folder for {path}: {words}"))
        }
        WireError::Status { code, words } if is_final(code) => (
            SftpFaultKind::Refused,
            format!("the SFTP server does not allow {doing} {path}: {words}"),
        ),
        WireError::Status { code, words } => {
            // Servers have no code of their own for a full disk.
            let takes_room = ![LOOKING, READING, SETTING_ASIDE].contains(&doing);
            let hint = match code {
                status::FAILURE if takes_room => "; its disk or its quota may be full",
                _ => "",
            };
            let said = format!("with code {code}: {words}{hint}");
            let cause = format!("the SFTP server failed on {doing} {path} {said}");
            (SftpFaultKind::Unavailable, cause)
        }
        WireError::Cut { found, length } => (
            SftpFaultKind::Unavailable,
            format!(
                "the SFTP server has {found} of the {length} bytes of {path} that it took; its \
                 disk or its quota may be full"
            ),
        ),
        WireError::Ended(cause) => (
            SftpFaultKind::Unavailable,
            format!("the connection to the SFTP server ended on {doing} {path}: {cause}"),
        ),
        WireError::Silent => (
            SftpFaultKind::Unavailable,
            format!("the SFTP server did not answer in time on {doing} {path}"),
        ),
        WireError::Malformed => (
            SftpFaultKind::Unavailable,
            format!("the SFTP server answered on {doing} {path} with something else than SFTP 3"),
        ),
    };
    SftpFault { answered, ..SftpFault::new(kind, cause) }
}

/// Whether the server answered, and the connection is there.
fn is_answer(error: &WireError) -> bool {
    matches!(error, WireError::Status { .. } | WireError::Cut { .. })
}

/// What a server says of the folder or the file, and would say again.
fn is_final(code: u32) -> bool {
    matches!(code, status::PERMISSION_DENIED | status::OP_UNSUPPORTED)
}
