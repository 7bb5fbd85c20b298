//! A folder that is looked at for documents to send: what is in it, what is in a file, and where a
//! file goes that was taken or refused.

use bytes::Bytes;

use super::action::SftpAction;
use super::aside::{AsideFile, set_aside};
use super::client::SftpClient;
use super::connection::SftpConnection;
use super::fault::SftpFault;
use super::login::SftpLogin;
use super::target::SftpTarget;
use super::upload::{READING, told};
use super::wire::WireError;

/// Signs that are shown of a name that is unfit.
const SHOWN: usize = 200;
/// Bytes of a name that is taken.
const NAME: usize = 200;
/// Endings of files that somebody is still writing.
const UNDER_WAY: &[&str] = &[".part", ".tmp", ".filepart", ".partial", ".crdownload"];

/// A file in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderFile {
    /// Its name.
    pub name: String,
    /// Its bytes, where the server tells them.
    pub size: Option<u64>,
    /// When it was changed, in seconds since 1970; 0 where the server does not tell.
    pub modified: u32,
}

/// What is in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderContent {
    /// The files that can be taken.
    pub files: Vec<FolderFile>,
    /// The names of those that cannot, for what their names are, with escapes for what is no ASCII.
    pub unfit: Vec<String>,
}

/// A folder, open to be looked at.
pub struct SftpFolder {
    connection: SftpConnection,
    action: SftpAction,
    login: SftpLogin,
}

impl SftpFolder {
    /// Opens the folder of a hook.
    ///
    /// # Errors
    /// [`SftpFault`].
    pub async fn open(client: &SftpClient, target: &SftpTarget) -> Result<SftpFolder, SftpFault> {
        let SftpTarget { action, login, .. } = target;
        let connection = client.connect(action, login).await;
        let connection = connection.map_err(|fault| login.hidden_in(fault))?;
        Ok(SftpFolder { connection, action: action.clone(), login: login.clone() })
    }

    /// The files in it that are not under way: none that is hidden or has the ending of one that
    /// is being written. What has one of the names in `own` is a folder of ours, whatever the
    /// server says of it: some say of nothing what it is, and some that all are files.
    ///
    /// # Errors
    /// [`SftpFault`].
    pub async fn files(&mut self, own: &[&str]) -> Result<FolderContent, SftpFault> {
        let folder = self.action.folder.clone();
        let entries = self.connection.session.list(&folder).await;
        let entries = entries.map_err(|error| self.told(error, "opening", &folder))?;
        let mut content = FolderContent::default();
        for entry in entries.into_iter().filter(|entry| entry.is_file) {
            let bytes = entry.name.as_ref().map_or_else(Vec::as_slice, |name| name.as_bytes());
            if !is_complete(bytes) || own.iter().any(|own| own.as_bytes() == bytes) {
                continue;
            }
            let shown: String = bytes.escape_ascii().map(char::from).take(SHOWN).collect();
            match entry.name.ok().filter(|name| can_be_moved(name)) {
                Some(name) => {
                    let (size, modified) = (entry.size, entry.modified);
                    content.files.push(FolderFile { name, size, modified });
                }
                None => content.unfit.push(shown),
            }
        }
        Ok(content)
    }

    /// What is in a file; none where it is longer than so many bytes.
    ///
    /// # Errors
    /// [`SftpFault`].
    pub async fn read(&mut self, name: &str, most: usize) -> Result<Option<Bytes>, SftpFault> {
        let path = self.action.path(name);
        let bytes = self.connection.session.read(&path, most).await;
        let bytes = bytes.map_err(|error| self.told(error, READING, &path))?;
        Ok(bytes.map(Bytes::from))
    }

    /// Moves a file into a folder inside this one, which is made where it is not there. Whatever
    /// lies there stays: where something has its name, or that of its note, this one is named with
    /// `mark` in front. What is said of it is written beside it, as `NAME.error.txt`.
    ///
    /// # Errors
    /// [`SftpFault`].
    pub async fn set_aside(
        &mut self,
        (name, into, mark): (&str, &str, &str),
        said: Option<&str>,
    ) -> Result<(), SftpFault> {
        let (from, folder) = (self.action.path(name), self.action.path(into));
        let file = AsideFile { from: &from, folder: &folder, name, mark, said };
        let done = set_aside(&mut self.connection.session, &file).await;
        done.map_err(|fault| self.login.hidden_in(fault))
    }

    /// What went wrong, without what the server was shown.
    fn told(&self, error: WireError, doing: &str, path: &str) -> SftpFault {
        self.login.hidden_in(told(error, doing, path))
    }

    /// Ends the connection.
    pub async fn close(self) {
        self.connection.close().await;
    }
}

/// Whether a name is that of a file that is complete.
fn is_complete(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_under_way = UNDER_WAY.iter().any(|ending| lower.ends_with(ending.as_bytes()));
    !name.is_empty() && !name.starts_with(b".") && !is_under_way
}

/// Whether a file of this name can be moved about.
fn can_be_moved(name: &str) -> bool {
    name.len() <= NAME && !name.contains('/') && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_complete_and_what_can_be_moved() {
        for (name, complete) in
            [("a.xml", true), ("lat\u{e9}.xml", true), (".a.xml", false), ("a.XML.Part", false)]
        {
            assert_eq!(is_complete(name.as_bytes()), complete, "{name}");
        }
        assert!(is_complete(b"lat\xe9.xml"));
        assert!(can_be_moved(&"x".repeat(NAME)) && !can_be_moved(&"x".repeat(NAME + 1)));
        assert!(!can_be_moved("a/b") && !can_be_moved("a\nb"));
    }
}
