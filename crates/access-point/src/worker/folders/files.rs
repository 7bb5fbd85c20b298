//! A folder on an SFTP server: each file is judged, recorded once like an upload, and moved to
//! `done/`; what cannot be sent goes to `failed/` with the reason beside it.
//!
//! A file is taken when two looks in a row found it the same, so that nobody's half-written file is
//! sent. A file to which the server says no is told of and left, and the others are taken. The id
//! of its document follows from the hook, its name, when it was changed and what is in it: a
//! process that ends between recording and moving finds the document there already.

use std::time::{Duration, Instant};

use aws_lc_rs::digest::{SHA256, digest};
use quoin_delivery::DocumentId;
use quoin_store::{Hook, PartyRecord};

use super::intake::{FileVerdict, document_id};
use super::{DONE, FAILED, FILES, FolderMemory, LeftFile, LookFault};
use crate::budget::LinePlace;
use crate::budget::bytes::WEIGHT;
use crate::sftp::{FolderContent, FolderFile, SftpFault, SftpFaultKind, SftpFolder, SftpTarget};
use crate::worker::Worker;

/// Bytes in which a server may be wrong about how long a file is, which may be twice as long
/// besides: some write other ends of lines than they count.
const SLACK: usize = 64 << 10;
/// For how long an empty file is left to whoever may be about to write it.
const EMPTY: Duration = Duration::from_secs(300);
/// How one of them is called where it is left, and several.
const FILE: [&str; 2] = ["A file is left where it is", "Files are left where they are"];

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
        let FolderContent { files: found, unfit } = folder.files(&[DONE, FAILED]).await?;
        let files = memory.found(found, Instant::now());
        let mut said = memory.news_of_unfit(unfit);
        for file in files {
            memory.begins(&file);
            match self.take_file((hook, &party), &mut folder, &file).await {
                Ok(()) => {
                    memory.is_done_with(&file);
                    memory.taken += 1;
                }
                Err(LookFault::File { code, cause }) => {
                    if memory.is_news_of(&file) {
                        said.push((code, cause));
                    }
                }
                Err(fault) => {
                    self.tell_of_left(hook, FILE, said).await;
                    return Err(fault);
                }
            }
        }
        self.tell_of_left(hook, FILE, said).await;
        folder.close().await;
        Ok(())
    }

    async fn take_file(
        &self,
        (hook, party): (&Hook, &PartyRecord),
        folder: &mut SftpFolder,
        file: &FolderFile,
    ) -> Result<(), LookFault> {
        let largest = self.hooks.document_bytes;
        let size = file.size.map_or(largest, |size| usize::try_from(size).unwrap_or(usize::MAX));
        let mut held = self.budgets.bytes.enter(hook.organisation.as_str());
        let content = match size <= largest {
            true => {
                if held.ask(size.saturating_mul(WEIGHT), LinePlace::STEP).await.is_err() {
                    // No room for now: it is looked at again.
                    return Ok(());
                }
                let most = largest.min(size.saturating_mul(2).saturating_add(SLACK));
                let content = folder.read(&file.name, most).await?;
                if content.is_none() && most < largest {
                    let code = SftpFaultKind::Unavailable.code();
                    let cause =
                        format!("{} has more bytes than the {size} that were told", file.name);
                    return Err(LookFault::File { code, cause });
                }
                content
            }
            false => None,
        };
        let id = file_id(hook, file, content.as_deref().unwrap_or_default());
        let verdict = match content {
            Some(content) => self.record_file((hook, party), &id, content).await?,
            None => FileVerdict::Refused(format!("It has more than {largest} bytes.")),
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

impl FolderMemory {
    /// Remembers what is there now; answers the files that are as they were, as many as are taken
    /// in one look: those that were left the last time after all others. Who makes a file first and
    /// fills it later leaves it empty for a while, so that an empty one is waited for.
    fn found(&mut self, found: Vec<FolderFile>, now: Instant) -> Vec<FolderFile> {
        let known = std::mem::take(&mut self.files);
        let empty = found.iter().filter(|file| file.size == Some(0));
        let was_empty = std::mem::take(&mut self.empty);
        let since = |file: &FolderFile| was_empty.get(&file.name).copied().unwrap_or(now);
        self.empty = empty.map(|file| (file.name.clone(), since(file))).collect();
        let waits = |file: &FolderFile| {
            self.empty.get(&file.name).is_some_and(|since| now.duration_since(*since) < EMPTY)
        };
        self.files = found.iter().map(|file| (file.name.clone(), file.clone())).collect();
        let files = &self.files;
        self.left.retain(|name, left| files.get(name) == Some(&left.file));
        let is_same = |file: &FolderFile| known.get(&file.name) == Some(file);
        let same = found.into_iter().filter(|file| is_same(file) && !waits(file));
        let (left, mut files): (Vec<_>, Vec<_>) =
            same.partition(|file| self.left.contains_key(&file.name));
        files.extend(left);
        files.truncate(FILES);
        files
    }

    /// What is told of files whose names keep them from being taken: once for each, as long as it
    /// is there.
    fn news_of_unfit(&mut self, unfit: Vec<String>) -> Vec<(&'static str, String)> {
        let known = std::mem::take(&mut self.unfit);
        let news = unfit.iter().filter(|name| !known.contains(*name)).map(|name| {
            let cause = format!(
                "the name of the file {name} is no text in UTF-8, has more than 200 bytes, or has \
                 signs in it that no name of a file may have: give it another one"
            );
            ("invalid-document", cause)
        });
        let news = news.collect();
        self.unfit = unfit.into_iter().collect();
        news
    }

    /// Whatever ends the look from here on, the others come before this file the next time.
    fn begins(&mut self, file: &FolderFile) {
        let left = LeftFile { file: file.clone(), told: false };
        self.left.entry(file.name.clone()).or_insert(left);
    }

    fn is_done_with(&mut self, file: &FolderFile) {
        self.left.remove(&file.name);
    }

    /// Whether its party was not told of a file that is left.
    fn is_news_of(&mut self, file: &FolderFile) -> bool {
        let left = self.left.get_mut(&file.name);
        left.is_some_and(|left| !std::mem::replace(&mut left.told, true))
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
        let (code, cause) = (fault.kind.code(), fault.cause);
        match fault.answered {
            true => LookFault::File { code, cause },
            false => LookFault::There { code, cause },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> FolderFile {
        FolderFile { name: name.to_owned(), size: Some(1), modified: 7 }
    }

    fn names(files: &[FolderFile]) -> Vec<&str> {
        files.iter().map(|file| file.name.as_str()).collect()
    }

    #[test]
    fn what_could_not_be_taken_comes_after_all_others() {
        let all: Vec<FolderFile> = (0..=FILES).map(|n| file(&format!("{n:03}"))).collect();
        let (mut memory, now) = (FolderMemory::default(), Instant::now());
        assert!(memory.found(all.clone(), now).is_empty(), "seen once only");
        let first = memory.found(all.clone(), now);
        assert_eq!((first.len(), names(&first)[0]), (FILES, "000"));
        for left in &first {
            memory.begins(left);
            assert!(memory.is_news_of(left), "told the first time");
            memory.begins(left);
            assert!(!memory.is_news_of(left), "and once");
        }
        let next = memory.found(all, now);
        assert_eq!(names(&next)[..2], ["100", "000"]);
        memory.begins(&next[0]);
        memory.is_done_with(&next[0]);
        // Changed, it is another file, and waits for a look in which it is the same.
        let changed = FolderFile { modified: 8, ..file("000") };
        assert!(memory.found(vec![changed.clone()], now).is_empty());
        let again = memory.found(vec![changed.clone()], now);
        assert_eq!(again, std::slice::from_ref(&changed));
        memory.begins(&changed);
        assert!(memory.is_news_of(&changed));
    }

    #[test]
    fn an_empty_file_is_left_to_whoever_writes_it() {
        let empty = || vec![FolderFile { size: Some(0), ..file("slow") }, file("whole")];
        let (mut memory, now) = (FolderMemory::default(), Instant::now());
        let later = |seconds| now + Duration::from_secs(seconds);
        assert!(memory.found(empty(), now).is_empty());
        for seconds in [60, 299] {
            assert_eq!(names(&memory.found(empty(), later(seconds))), ["whole"]);
        }
        assert_eq!(names(&memory.found(empty(), later(300))), ["slow", "whole"]);
        // Filled, it is looked at twice as any other, and its time begins anew where it is not.
        assert_eq!(names(&memory.found(vec![file("slow")], later(301))), Vec::<&str>::new());
        assert_eq!(names(&memory.found(vec![file("slow")], later(302))), ["slow"]);
        assert!(memory.found(empty(), later(303)).is_empty());
        assert_eq!(names(&memory.found(empty(), later(304))), ["whole"]);
    }

    #[test]
    fn a_name_that_cannot_be_taken_is_told_once() {
        let mut memory = FolderMemory::default();
        let names = || vec![r"lat\xe9.xml".to_owned()];
        let news = memory.news_of_unfit(names());
        assert!(news[0].1.contains(r"lat\xe9.xml"), "{news:?}");
        assert!(memory.news_of_unfit(names()).is_empty());
        assert!(memory.news_of_unfit(Vec::new()).is_empty());
        assert_eq!(memory.news_of_unfit(names()).len(), 1, "it is there again");
    }
}
