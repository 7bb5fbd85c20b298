//! Places of parties that are looked at for documents to send: folders, and mailboxes. Each
//! document that is found is judged, recorded once like an upload, and set aside; what cannot be
//! sent is set aside elsewhere, with the reason.

mod files;
mod intake;
mod looks;
mod mails;

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt;
use futures::future::BoxFuture;
use quoin_delivery::hook::ActionKind;
use quoin_store::{Error, Hook, PartyRecord};

use looks::FolderLooks;

use super::{Worker, rest};
use crate::sftp::{FolderFile, SFTP_LIMIT};
use crate::step::StepFault;
use crate::tls::Shutdown;

/// How often it is asked whether a look is due.
const TICK: Duration = Duration::from_secs(1);
/// Files that are taken in one look; the others are taken in the next.
const FILES: usize = 100;
/// Where files go that were taken, and that were refused.
const DONE: &str = "done";
const FAILED: &str = "failed";

/// What the last look at a folder found.
#[derive(Default)]
struct FolderMemory {
    files: HashMap<String, FolderFile>,
    /// Those of them that were begun and not taken: the others come before them.
    left: HashMap<String, LeftFile>,
    /// Since when files are there that are empty.
    empty: HashMap<String, Instant>,
    /// Names that keep their files from being taken, of which the party was told.
    unfit: HashSet<String>,
    /// The same of mails, by their UIDs, and whether their party was told.
    left_mails: HashMap<u32, bool>,
    trouble: Option<String>,
    /// How many the look that is under way has taken.
    taken: usize,
}

/// A file that is still there after somebody tried to take it.
struct LeftFile {
    file: FolderFile,
    /// Whether its party was told.
    told: bool,
}

/// Why a look ended early. It is looked again.
enum LookFault {
    /// Something over there, which its party is told.
    There { code: &'static str, cause: String },
    /// The same of one file or mail: the server says no to it, and is asked for the others.
    File { code: &'static str, cause: String },
    /// Something of ours.
    Here(StepFault),
}

/// One look at a place of a kind.
type Look =
    for<'w> fn(&'w Worker, &'w Hook, &'w mut FolderMemory) -> BoxFuture<'w, Result<(), LookFault>>;

/// How places of each kind are looked at, and the code of a server there that does not finish.
const LOOKS: &[(ActionKind, &str, Look)] = &[
    (ActionKind::SftpFrom, "sftp-unavailable", |worker, hook, memory| {
        worker.look_into_folder(hook, memory).boxed()
    }),
    (ActionKind::MailFrom, "mailbox-unavailable", |worker, hook, memory| {
        worker.look_into_mailbox(hook, memory).boxed()
    }),
];

/// Looks again and again until it is asked to end.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let pause = worker.hooks.folder_pause;
    let (mut looks, mut hooks) = (FolderLooks::new(pause), Vec::new());
    let mut listed: Option<Instant> = None;
    while !shutdown.asked() {
        let tick = if listed.is_none() { pause } else { pause.min(TICK) };
        rest(looks.ended_within(tick), &shutdown).await;
        if listed.is_none_or(|on| on.elapsed() >= pause) {
            listed = Some(Instant::now());
            match worker.store.polled_hooks().await {
                Ok(found) => hooks = found,
                Err(error) => {
                    tracing::error!(%error, "the folders with documents to send were not listed");
                }
            }
            looks.keep_only(&hooks);
        }
        for hook in looks.due(&hooks, Instant::now()) {
            let (worker, own) = (worker.clone(), hook.clone());
            looks.begin(hook, |memory| async move { worker.look_guarded(&own, memory).await });
        }
    }
    // Each commit is whole: what was begun goes on from there.
    looks.end().await;
}

impl Worker {
    /// One look at a folder; what it found, for the next one.
    async fn look_guarded(&self, hook: &Hook, mut memory: FolderMemory) -> FolderMemory {
        memory.taken = 0;
        let look = AssertUnwindSafe(self.look_into(hook, &mut memory)).catch_unwind();
        let looked = match tokio::time::timeout(SFTP_LIMIT, look).await {
            Ok(looked) => looked.unwrap_or(Err(LookFault::Here(StepFault::Panicked))),
            // What was taken so far is moved; the rest waits for the next look. What is wrong stays
            // so until a look is done.
            Err(_) if memory.taken > 0 => return memory,
            Err(_) => Err(unfinished(hook)),
        };
        let trouble = match looked {
            Ok(()) => None,
            Err(LookFault::There { code, cause } | LookFault::File { code, cause }) => {
                Some((code, cause))
            }
            Err(LookFault::Here(fault)) => {
                tracing::error!(hook = hook.id.as_str(), %fault, "a folder could not be looked at");
                return memory;
            }
        };
        let cause = trouble.as_ref().map(|(_, cause)| cause.clone());
        if let Some((code, cause)) = trouble.filter(|_| memory.trouble != cause) {
            self.tell_party(hook, code, format!("{cause}.")).await;
        }
        memory.trouble = cause;
        memory
    }

    async fn look_into(&self, hook: &Hook, memory: &mut FolderMemory) -> Result<(), LookFault> {
        match look_of(hook) {
            Some((.., look)) => look(self, hook, memory).await,
            None => Ok(()),
        }
    }

    /// Tells the party once of files or mails to which the server says no.
    async fn tell_of_left(
        &self,
        hook: &Hook,
        [one, several]: [&str; 2],
        said: Vec<(&'static str, String)>,
    ) {
        let more = said.len().saturating_sub(1);
        let Some((code, cause)) = said.into_iter().next() else { return };
        let message = match more {
            0 => format!("{one}: {cause}."),
            _ => format!("{several}: {cause}; and {more} more."),
        };
        self.tell_party(hook, code, message).await;
    }

    async fn party_of(&self, hook: &Hook) -> Result<Option<PartyRecord>, LookFault> {
        let Some(party) = hook.scope.party() else { return Ok(None) };
        let found = self.store.party(&hook.organisation, party).await;
        found.map_err(|error| LookFault::Here(error.into()))
    }
}

fn look_of(hook: &Hook) -> Option<&'static (ActionKind, &'static str, Look)> {
    let kind = ActionKind::of(&hook.action);
    LOOKS.iter().find(|(own, ..)| Some(*own) == kind)
}

/// The fault of a look that took nothing in its time.
fn unfinished(hook: &Hook) -> LookFault {
    let code = look_of(hook).map_or("sftp-unavailable", |(_, code, _)| code);
    let cause = format!("the server did not finish within {SFTP_LIMIT:?}, and nothing was taken");
    LookFault::There { code, cause }
}

impl From<Error> for LookFault {
    fn from(error: Error) -> LookFault {
        LookFault::Here(error.into())
    }
}
