//! A folder of a mailbox: the mails in it, one of them, and where one goes that was looked at.

use bytes::Bytes;

use super::client::{MailboxClient, MailboxSession, MailboxTarget, told};
use super::fault::MailboxFault;
use super::imap::{ImapAnswer, ImapError, quoted_mailbox};

/// A mail in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedMail {
    /// Its number, as long as the session lasts.
    pub uid: u32,
    /// Its bytes, as the server tells them.
    pub size: usize,
}

/// A folder, open to be looked at.
pub struct MailFolder {
    session: MailboxSession,
    server: String,
    folder: String,
    /// What stands between a folder and one inside it; none where there are none inside.
    delimiter: Option<char>,
    count: usize,
}

impl MailFolder {
    /// Opens the folder of a mailbox.
    ///
    /// # Errors
    /// [`MailboxFault`].
    pub async fn open(
        client: &MailboxClient,
        target: &MailboxTarget,
    ) -> Result<MailFolder, MailboxFault> {
        let mut session = client.open(target).await?;
        let (server, folder) = (target.server(), target.action.folder.clone());
        let fault =
            |error: ImapError| told(&error, &server, &format!("asked for the folder {folder:?}"));
        let name = quoted_mailbox(&folder);
        let listed = session.command(&format!("LIST \"\" {name}")).await.map_err(fault)?;
        let delimiter = listed.iter().find_map(delimiter).flatten();
        let selected = session.command(&format!("SELECT {name}")).await.map_err(fault)?;
        let exists = |answer: &ImapAnswer| {
            let count = answer.untagged()?.strip_suffix(" EXISTS")?;
            count.parse().ok()
        };
        let count = selected.iter().find_map(exists).unwrap_or_default();
        Ok(MailFolder { session, server, folder, delimiter, count })
    }

    /// The oldest mails in it that are not marked as deleted, so many at most; those that come last
    /// come behind all others.
    ///
    /// # Errors
    /// [`MailboxFault`].
    pub async fn mails(
        &mut self,
        most: usize,
        comes_last: impl Fn(u32) -> bool,
    ) -> Result<Vec<ListedMail>, MailboxFault> {
        let listed = self.session.undeleted(self.count, most, comes_last).await;
        let listed = listed.map_err(|error| told(&error, &self.server, "listed"))?;
        Ok(listed.into_iter().map(|(uid, size)| ListedMail { uid, size }).collect())
    }

    /// A mail, as written; none where it is gone.
    ///
    /// # Errors
    /// [`MailboxFault`], also where it is longer than so many bytes.
    pub async fn read(&mut self, uid: u32, most: usize) -> Result<Option<Bytes>, MailboxFault> {
        let fetched = self.session.fetch(uid, most).await;
        fetched.map_err(|error| told(&error, &self.server, "asked for a mail"))
    }

    /// Moves a mail into a folder inside this one, which is made where it is not there.
    ///
    /// # Errors
    /// [`MailboxFault`].
    pub async fn set_aside(&mut self, uid: u32, into: &str) -> Result<(), MailboxFault> {
        let folder = match self.delimiter {
            Some(delimiter) => format!("{}{delimiter}{into}", self.folder),
            None => format!("{}-{into}", self.folder),
        };
        let name = quoted_mailbox(&folder);
        let moved = match self.moved(uid, &name).await {
            Err(ImapError::No(_)) => {
                let made = self.session.command(&format!("CREATE {name}")).await;
                match self.moved(uid, &name).await {
                    // Why it could not be made says more.
                    Err(ImapError::No(why)) => match made {
                        Err(ImapError::No(why)) => Err(ImapError::No(why)),
                        _ => Err(ImapError::No(why)),
                    },
                    moved => moved,
                }
            }
            moved => moved,
        };
        let doing = format!("asked to move a mail into {folder:?}");
        moved.map_err(|error| told(&error, &self.server, &doing))
    }

    async fn moved(&mut self, uid: u32, name: &str) -> Result<(), ImapError> {
        let session = &mut self.session;
        if session.can("MOVE") {
            return session.command(&format!("UID MOVE {uid} {name}")).await.map(drop);
        }
        session.command(&format!("UID COPY {uid} {name}")).await?;
        session.command(&format!("UID STORE {uid} +FLAGS.SILENT (\\Deleted)")).await?;
        // Without this the mail stays until somebody empties the folder; it is not looked at again.
        if session.can("UIDPLUS") {
            session.command(&format!("UID EXPUNGE {uid}")).await?;
        }
        Ok(())
    }

    /// Ends the session.
    pub async fn close(self) {
        self.session.close().await;
    }
}

/// What a `LIST` tells: `* LIST (\HasNoChildren) "/" INBOX`.
fn delimiter(answer: &ImapAnswer) -> Option<Option<char>> {
    let (_, rest) = answer.untagged()?.strip_prefix("LIST (")?.split_once(") ")?;
    let rest = match rest.strip_prefix('"') {
        Some(rest) => rest.strip_prefix('\\').unwrap_or(rest),
        None => return Some(None),
    };
    Some(rest.chars().next())
}
