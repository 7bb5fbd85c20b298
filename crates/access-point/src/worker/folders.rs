//! Folders of parties that are looked at for documents to send: each file is judged, recorded once
//! like an upload, and moved to `done/`; what cannot be sent goes to `failed/` with the reason.
//!
//! A file is taken when two looks in a row found it the same, so that nobody's half-written file is
//! sent. The id of its document follows from the hook, its name, when it was changed and what is in
//! it: a process that ends between recording and moving finds the document there already.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use bytes::Bytes;
use futures::{FutureExt, StreamExt};
use quoin_delivery::{DocumentId, Event, Family, Notice, OrganisationId, Topic};
use quoin_store::{Error, EventSubject, Hook, PartyRecord, Refusal, SubmitOptions, Submitted};
use uuid::Uuid;

use super::{Worker, rest};
use crate::budget::Purpose;
use crate::enrolment::spoken;
use crate::plan::{OutboundPayload, PlanInput, judged, open};
use crate::sftp::{FolderFile, SFTP_LIMIT, SftpFault, SftpFolder, SftpTarget};
use crate::step::StepFault;
use crate::tls::Shutdown;

/// Folders that are looked at side by side.
const FOLDERS: usize = 4;
/// Files that are taken in one look; the others are taken in the next.
const FILES: usize = 100;
/// Bytes of a file, as of an upload (interface specification 8).
const MOST: usize = 24 << 20;
/// How long a document waits for a thread.
const PATIENCE: Duration = Duration::from_secs(120);
/// Where files go that were taken, and that were refused.
const DONE: &str = "done";
const FAILED: &str = "failed";

/// What the last look at a folder found.
#[derive(Default)]
struct FolderMemory {
    files: HashMap<String, FolderFile>,
    trouble: Option<String>,
}

/// Why a look ended early. It is looked again.
enum LookFault {
    /// Something over there, which its party is told.
    There(SftpFault),
    /// Something of ours.
    Here(StepFault),
}

/// What becomes of a file.
enum FileVerdict {
    /// It is on record.
    Taken,
    /// It cannot be sent.
    Refused(String),
}

type Memories = HashMap<(OrganisationId, String), FolderMemory>;

/// Looks again and again until it is asked to end.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let mut memories = Memories::new();
    while !shutdown.asked() {
        rest(tokio::time::sleep(worker.hooks.folder_pause), &shutdown).await;
        let hooks = match worker.store.polled_hooks().await {
            Ok(hooks) => hooks,
            Err(error) => {
                tracing::error!(%error, "the folders with documents to send could not be listed");
                continue;
            }
        };
        let mut before = std::mem::take(&mut memories);
        let looks = hooks.into_iter().map(|hook| {
            let key = (hook.organisation.clone(), hook.key.to_string());
            let memory = before.remove(&key).unwrap_or_default();
            let worker = &worker;
            async move { (key, worker.look_guarded(&hook, memory).await) }
        });
        let looks: Vec<_> = looks.collect();
        let looked = futures::stream::iter(looks).buffer_unordered(FOLDERS);
        memories = looked.take_until(shutdown.wait()).collect().await;
    }
}

impl Worker {
    /// One look at a folder; what it found, for the next one.
    async fn look_guarded(&self, hook: &Hook, mut memory: FolderMemory) -> FolderMemory {
        let look = AssertUnwindSafe(self.look_into(hook, &mut memory)).catch_unwind();
        let looked = match tokio::time::timeout(SFTP_LIMIT, look).await {
            Ok(looked) => looked.unwrap_or(Err(LookFault::Here(StepFault::Panicked))),
            // What was taken so far is moved; the rest waits for the next look.
            Err(_) => Ok(()),
        };
        let trouble = match looked {
            Ok(()) => None,
            Err(LookFault::There(fault)) => Some(fault),
            Err(LookFault::Here(fault)) => {
                tracing::error!(hook = hook.id.as_str(), %fault, "a folder could not be looked at");
                return memory;
            }
        };
        let cause = trouble.as_ref().map(|fault| fault.cause.clone());
        if let Some(fault) = trouble.filter(|_| memory.trouble != cause) {
            self.tell_party(hook, fault.kind.code(), format!("{}.", fault.cause)).await;
        }
        memory.trouble = cause;
        memory
    }

    async fn look_into(&self, hook: &Hook, memory: &mut FolderMemory) -> Result<(), LookFault> {
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

    async fn party_of(&self, hook: &Hook) -> Result<Option<PartyRecord>, LookFault> {
        let Some(party) = hook.scope.party() else { return Ok(None) };
        let found = self.store.party(&hook.organisation, party).await;
        found.map_err(|error| LookFault::Here(error.into()))
    }

    async fn take_file(
        &self,
        (hook, party): (&Hook, &PartyRecord),
        folder: &mut SftpFolder,
        file: &FolderFile,
    ) -> Result<(), LookFault> {
        let content = folder.read(&file.name, MOST).await?;
        let id = document_id(hook, file, content.as_deref().unwrap_or_default());
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

    /// Judges a document as its upload would be, and records it.
    async fn record_file(
        &self,
        (hook, party): (&Hook, &PartyRecord),
        id: &DocumentId,
        content: Bytes,
    ) -> Result<FileVerdict, LookFault> {
        let family = match self.judge_file(party, content.clone()).await? {
            Ok(family) => family,
            Err(reason) => return Ok(FileVerdict::Refused(reason)),
        };
        let wanted = family.commands().is_some_and(|commands| {
            hook.topics.iter().any(|pattern| pattern.matches(commands.send))
        });
        if !wanted {
            let topics: Vec<&str> = hook.topics.iter().map(|topic| topic.as_str()).collect();
            let name = family.row().name;
            let reason = format!("It is {name}, and the hook takes {}.", topics.join(", "));
            return Ok(FileVerdict::Refused(reason));
        }
        let place = (&hook.organisation, party.id.as_str());
        let new = self.provider.outgoing(place, id.clone(), family, content, self.clock.now());
        let new = new.map_err(|error| LookFault::Here(error.into()))?;
        let (name, _) = self.store.package_of(&hook.organisation, self.clock.now()).await?;
        let most = name.and_then(|name| self.packages.named(&name)?.documents);
        let submitted = self.store.submit_with(new, SubmitOptions::default(), None, most).await;
        match submitted {
            Ok(Submitted::Accepted(_) | Submitted::Duplicate { .. }) => Ok(FileVerdict::Taken),
            Ok(Submitted::EnvelopeTaken) => {
                Ok(FileVerdict::Refused("Its envelope was sent before.".to_owned()))
            }
            Err(Error::Refusal(Refusal::PackageFull { used })) => {
                let cause = format!("the package of the organisation is full: {used} documents");
                Err(SftpFault::new(crate::sftp::SftpFaultKind::Hook, cause).into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The family of a document that can be sent, or why it cannot.
    async fn judge_file(
        &self,
        party: &PartyRecord,
        content: Bytes,
    ) -> Result<Result<Family, String>, LookFault> {
        let own = spoken(&self.store, party).await?;
        let (rules, party, on) = (self.rules.clone(), party.clone(), self.clock.now());
        let who = party.organisation.to_string();
        let judge = move || {
            let wishes = SubmitOptions::default();
            if matches!(open(&content, &wishes).payload, OutboundPayload::Envelope(_)) {
                return Err("Documents in a folder have no envelope of their own.".to_owned());
            }
            let country = Some(party.country.as_str()).filter(|code| !code.is_empty());
            let family = Family::Document;
            let ask =
                PlanInput { document: &content, own: &own, country, wishes: &wishes, family, on };
            let planned = judged(&ask, &rules);
            match planned.plan {
                Ok(plan) => Ok(plan.family),
                // What the network does not take is converted for its receiver.
                Err(event) => planned.convertible.ok_or_else(|| reason(&event)),
            }
        };
        let judged = self.budgets.pool.run(Purpose::Validate, &who, PATIENCE, judge).await;
        judged.map_err(|busy| LookFault::Here(busy.into()))
    }

    /// Tells the party of a folder what it has to look at.
    async fn tell_party(&self, hook: &Hook, code: &str, message: String) {
        let subject = EventSubject {
            organisation: hook.organisation.clone(),
            party: hook.scope.party().unwrap_or_default().to_owned(),
            transaction: None,
            document_id: DocumentId::from_uuid(Uuid::now_v7()),
            origin: None,
            depth: 0,
        };
        let details = [("hook", hook.id.as_str()), ("code", code)];
        let details = details.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let notice = Notice { topic: Topic::FOLDER_ERROR, message, details };
        if let Err(error) = self.store.announce(subject, notice, self.clock.now()).await {
            tracing::error!(%error, "that a folder has trouble could not be told");
        }
    }
}

/// The id of the document in a file: the same as long as name, time and bytes are.
fn document_id(hook: &Hook, file: &FolderFile, content: &[u8]) -> DocumentId {
    let whose = [hook.organisation.as_str(), hook.key.as_str(), &file.name].join("\0");
    let known = [whose.as_bytes(), &file.modified.to_be_bytes(), digest(&SHA256, content).as_ref()]
        .concat();
    let mut bytes = [0; 16];
    for (to, from) in bytes.iter_mut().zip(digest(&SHA256, &known).as_ref()) {
        *to = *from;
    }
    DocumentId::from_uuid(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

/// Why a document is refused, a line for each finding.
fn reason(event: &Event) -> String {
    let Event::Rejected { summary, findings } = event else {
        return "It cannot be sent.".to_owned();
    };
    let lines = findings.iter().map(|line| format!("\n{} {} {}", line.rule, line.path, line.text));
    format!("{summary}{}", lines.collect::<String>())
}

impl From<SftpFault> for LookFault {
    fn from(fault: SftpFault) -> LookFault {
        LookFault::There(fault)
    }
}

impl From<Error> for LookFault {
    fn from(error: Error) -> LookFault {
        LookFault::Here(error.into())
    }
}
