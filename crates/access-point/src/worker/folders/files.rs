//! A folder on an SFTP server: each file is judged, recorded once like an upload, and moved to
//! `done/`; what cannot be sent goes to `failed/` with the reason beside it.
//!
//! A file is taken when two looks in a row found it the same, so that nobody's half-written file is
//! sent. The id of its document follows from the hook, its name, when it was changed and what is in
//! it: a process that ends between recording and moving finds the document there already.

use aws_lc_rs::digest::{SHA256, digest};
use quoin_delivery::DocumentId;
use quoin_store::{Hook, PartyRecord};

use super::intake::{FileVerdict, document_id};
use super::{DONE, FAILED, FILES, FolderMemory, LookFault, MOST};
use crate::sftp::{FolderFile, SftpFault, SftpFolder, SftpTarget};
use crate::worker::Worker;

impl Worker {
    /// One look into a folder; what it found is remembered for the next one.
    pub(super) async fn look_into_folder(
        &self,
        hook: &Hook,
        memory: &mut FolderMemory,
    ) -> Result<(), LookFault> {
        let Some(party) = self.party_of(hook).await? else { return Ok(()) };
        let target = SftpTarget::of(Some(hook))?;
        let mut folder = SftpFolder::open(&self.hooks.sftp, &target).await?;
        let found = folder.files().await?;
        let known = std::mem::take(&mut memory.files);
        let is_same = |file: &&FolderFile| known.get(&file.name) == Some(file);
        for file in found.iter().filter(is_same).take(FILES) {
            self.take_file((hook, &party), &mut folder, file).await?;
        }
        memory.files = found.into_iter().map(|file| (file.name.clone(), file)).collect();
        folder.close().await;
        Ok(())
    }

    async fn take_file(
        &self,
        (hook, party): (&Hook, &PartyRecord),
        folder: &mut SftpFolder,
        file: &FolderFile,
    ) -> Result<(), LookFault> {
        let content = folder.read(&file.name, MOST).await?;
        let id = file_id(hook, file, content.as_deref().unwrap_or_default());
        let verdict = match content {
            Some(content) => self.record_file((hook, party), &id, content).await?,
            None => FileVerdict::Refused(format!("It has more than {MOST} bytes.")),
        };
        let mark = id.as_str();
        match verdict {
            FileVerdict::Taken => folder.set_aside((&file.name, DONE, mark), None).await?,
            FileVerdict::Refused(reason) => {
                let note = format!("{reason}\n");
                folder.set_aside((&file.name, FAILED, mark), Some(&note)).await?;
                let message = format!("The file {} cannot be sent. {reason}", file.name);
                self.tell_party(hook, "invalid-document", message).await;
            }
        }
        Ok(())
    }
}

/// The id of the document in a file: the same as long as name, time and bytes are.
fn file_id(hook: &Hook, file: &FolderFile, content: &[u8]) -> DocumentId {
    let whose = [hook.organisation.as_str(), hook.key.as_str(), &file.name].join("\0");
    let content = digest(&SHA256, content);
    let known = [whose.as_bytes(), &file.modified.to_be_bytes(), content.as_ref()];
    document_id(&known.concat())
}

impl From<SftpFault> for LookFault {
    fn from(fault: SftpFault) -> LookFault {
        LookFault::There { code: fault.kind.code(), cause: fault.cause }
    }
}
