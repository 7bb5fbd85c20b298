//! The messages that looking into a folder and reading a file need.

use tokio::io::{AsyncRead, AsyncWrite};

use super::{HAS_SIZE, SftpSession, WireError, WireFields, kind, status, string};

/// Bytes of a file that are asked for at a time.
const READ: u32 = 128 << 10;
/// Entries of a folder that are looked at.
const ENTRIES: usize = 10_000;
/// Bytes of answers in which a folder is listed: ten times what so many entries need.
const LISTED: usize = 16 << 20;
/// Bytes that are kept of a name: as many as one has on a disk.
const KEPT: usize = 255;
/// Opened to be read (section 6.3).
const READ_ONLY: u32 = 1;
/// Attributes (section 5).
const HAS_OWNERS: u32 = 2;
const HAS_PERMISSIONS: u32 = 4;
const HAS_TIMES: u32 = 8;
const HAS_MORE: u32 = 1 << 31;
/// The kind of a file in its permissions, and that of a plain one.
const KIND_OF_FILE: u32 = 0o170_000;
const PLAIN: u32 = 0o100_000;

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::sftp) struct FolderEntry {
    /// Its name; the bytes of one that is no UTF-8, and the first [`KEPT`] of one that is longer.
    pub(in crate::sftp) name: Result<String, Vec<u8>>,
    /// Whether it is a plain file, as far as that is told.
    pub(in crate::sftp) is_file: bool,
    /// Its bytes.
    pub(in crate::sftp) size: Option<u64>,
    /// When it was changed, in seconds since 1970.
    pub(in crate::sftp) modified: u32,
}

impl<S: AsyncRead + AsyncWrite + Unpin> SftpSession<S> {
    /// The entries of a folder, [`ENTRIES`] at most, and as many as are told in [`LISTED`] bytes.
    pub(in crate::sftp) async fn list(
        &mut self,
        folder: &str,
    ) -> Result<Vec<FolderEntry>, WireError> {
        let answer = self.ask(kind::OPEN_FOLDER, &string(folder)).await?;
        let handle = self.fields_of(&answer, kind::HANDLE)?.string()?.to_vec();
        let (mut entries, mut listed) = (Vec::new(), 0);
        while entries.len() < ENTRIES && listed < LISTED {
            let answer = self.ask(kind::READ_FOLDER, &string(&handle)).await?;
            listed += answer.len();
            match self.fields_of(&answer, kind::NAMES) {
                Ok(fields) => entries.extend(names(fields)?),
                Err(WireError::Status { code: status::END, .. }) => break,
                Err(error) => return Err(error),
            }
        }
        entries.truncate(ENTRIES);
        self.close(&handle).await?;
        Ok(entries)
    }

    /// The bytes of a file; none where it has more than so many.
    pub(in crate::sftp) async fn read(
        &mut self,
        path: &str,
        most: usize,
    ) -> Result<Option<Vec<u8>>, WireError> {
        let rest = [READ_ONLY.to_be_bytes(), 0_u32.to_be_bytes()].concat();
        let answer = self.ask(kind::OPEN, &[string(path), rest].concat()).await?;
        let handle = self.fields_of(&answer, kind::HANDLE)?.string()?.to_vec();
        let mut bytes = Vec::new();
        while bytes.len() <= most {
            let offset = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            let place = [offset.to_be_bytes().as_slice(), &READ.to_be_bytes()].concat();
            let answer = self.ask(kind::READ, &[string(&handle), place].concat()).await?;
            match self.fields_of(&answer, kind::DATA) {
                Ok(mut fields) => match fields.string()? {
                    [] => return Err(WireError::Malformed),
                    more => bytes.extend_from_slice(more),
                },
                Err(WireError::Status { code: status::END, .. }) => break,
                Err(error) => return Err(error),
            }
        }
        self.close(&handle).await?;
        Ok(Some(bytes).filter(|bytes| bytes.len() <= most))
    }

    /// Makes a folder.
    pub(in crate::sftp) async fn make_folder(&mut self, path: &str) -> Result<(), WireError> {
        let body = [string(path), 0_u32.to_be_bytes().to_vec()].concat();
        self.command(kind::MAKE_FOLDER, &body).await
    }
}

fn names(mut fields: WireFields<'_>) -> Result<Vec<FolderEntry>, WireError> {
    let count = fields.number()?;
    let mut entries = Vec::new();
    // Each entry takes bytes of the message, so that a wrong count ends with them.
    for _ in 0..count {
        let name = name(fields.string()?);
        let _shown = fields.string()?;
        entries.push(entry(name, &mut fields)?);
    }
    match entries.is_empty() {
        true => Err(WireError::Malformed),
        false => Ok(entries),
    }
}

fn name(told: &[u8]) -> Result<String, Vec<u8>> {
    let kept = told.get(..KEPT).unwrap_or(told);
    match std::str::from_utf8(told) {
        Ok(name) if told.len() <= KEPT => Ok(name.to_owned()),
        _ => Err(kept.to_vec()),
    }
}

fn entry(
    name: Result<String, Vec<u8>>,
    fields: &mut WireFields<'_>,
) -> Result<FolderEntry, WireError> {
    let flags = fields.number()?;
    let mut found = FolderEntry { name, is_file: true, size: None, modified: 0 };
    if flags & HAS_SIZE != 0 {
        let (high, low) = (fields.number()?, fields.number()?);
        found.size = Some((u64::from(high) << 32) | u64::from(low));
    }
    if flags & HAS_OWNERS != 0 {
        fields.take(8)?;
    }
    if flags & HAS_PERMISSIONS != 0 {
        found.is_file = fields.number()? & KIND_OF_FILE == PLAIN;
    }
    if flags & HAS_TIMES != 0 {
        fields.take(4)?;
        found.modified = fields.number()?;
    }
    if flags & HAS_MORE != 0 {
        for _ in 0..fields.number()? {
            fields.string()?;
            fields.string()?;
        }
    }
    Ok(found)
}
