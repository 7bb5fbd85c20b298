//! Mail that came back: the operator's mailbox for it is read, each report is matched with the
//! document that went by the mail, and the document's party is told. Nothing is believed that names
//! no mail of ours.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures::FutureExt;
use quoin_delivery::{AlarmKind, Event, MailFate, MailWord, decide};
use quoin_store::{Attempt, MailReturned, TransactionRecord};
use serde_json::Value;

use super::{Worker, rest};
use crate::budget::Purpose;
use crate::mail::ReturnAddress;
use crate::mailbox::{
    LETTER_BYTES, MAILBOX_LIMIT, MailFolder, MailboxClient, MailboxFault, MailboxFaultKind,
    MailboxTarget, ReturnAction, ReturnedMail, ReturnedRecipient, most_of,
};
use crate::metrics::Mailed;
use crate::step::StepFault;
use crate::tls::Shutdown;

/// Mails that are looked at in one look.
const MAILS: usize = 500;
/// The part of the memory for what is under way that one mail holds at most: one in four.
const PART: usize = 4;
/// Where mails go that were a report of a mail of ours, and where all others go.
const DONE: &str = "done";
const OTHER: &str = "other";
/// On whose account reports are read.
const WHO: &str = "bounces";
/// How the address of an attempt by mail begins.
const BY_MAIL: &str = "mailto:";

/// The mailbox that mail comes back to.
#[derive(Debug, Clone)]
pub struct BounceBox {
    /// Connects to it.
    pub client: MailboxClient,
    /// Where it is.
    pub target: MailboxTarget,
    /// The address that names it.
    pub returns: Option<ReturnAddress>,
}

/// What a mail in the mailbox comes to.
enum BounceVerdict {
    /// It was told.
    Told,
    /// It is about no mail of ours.
    Other,
    /// It overtook our own record, and is looked at again.
    TooEarly,
}

/// Reads again and again until it is asked to end; where there is no such mailbox, nothing.
pub(super) async fn run(worker: Arc<Worker>, shutdown: Shutdown) {
    let Some(place) = &worker.hooks.bounces else { return };
    while !shutdown.asked() {
        rest(tokio::time::sleep(worker.hooks.folder_pause), &shutdown).await;
        if shutdown.asked() {
            return;
        }
        let taken = AtomicUsize::new(0);
        let look = AssertUnwindSafe(worker.read_bounces(place, &taken)).catch_unwind();
        let looked = match tokio::time::timeout(MAILBOX_LIMIT, look).await {
            Ok(Ok(looked)) => looked,
            Ok(Err(_)) => Err(StepFault::Panicked.to_string()),
            Err(_) => match unfinished(taken.into_inner()) {
                Some(cause) => Err(cause),
                None => continue,
            },
        };
        let subject = place.returns.as_ref().map_or_else(String::new, ToString::to_string);
        match looked {
            Ok(()) => worker.alarms.end(AlarmKind::BOUNCES_UNREAD, &subject).await,
            Err(cause) => {
                let message = format!("The mailbox of mail that came back is not read: {cause}.");
                worker.alarms.raise(AlarmKind::BOUNCES_UNREAD, &subject, message, &[]).await;
            }
        }
    }
}

impl Worker {
    /// Reads what is there; counts what is set aside.
    async fn read_bounces(&self, place: &BounceBox, taken: &AtomicUsize) -> Result<(), String> {
        let opened = MailFolder::open(&place.client, &place.target).await;
        let mut folder = opened.map_err(|fault| fault.cause)?;
        let mut left: Option<String> = None;
        for listed in folder.mails(MAILS, |_| false).await.map_err(|fault| fault.cause)? {
            let mut held = self.budgets.bytes.enter(WHO);
            if held.grow(listed.size.min(self.budgets.bytes.total() / PART)).is_err() {
                // No room for now: it is looked at again.
                continue;
            }
            let mail = match listed.size <= LETTER_BYTES {
                true => folder.read(listed.uid, most_of(listed.size)).await,
                false => Ok(Some(Bytes::new())),
            };
            let mail = match mail {
                Ok(Some(mail)) => mail,
                Ok(None) => continue,
                Err(fault) => {
                    left = Some(of_one(fault)?);
                    continue;
                }
            };
            let verdict = self.read_bounce(place, mail).await.map_err(|fault| fault.to_string())?;
            let into = match verdict {
                BounceVerdict::Told => DONE,
                BounceVerdict::Other => OTHER,
                BounceVerdict::TooEarly => continue,
            };
            match folder.set_aside(listed.uid, into).await {
                Ok(()) => {
                    taken.fetch_add(1, Ordering::Relaxed);
                }
                Err(fault) => left = Some(of_one(fault)?),
            }
        }
        folder.close().await;
        left.map_or(Ok(()), Err)
    }

    async fn read_bounce(
        &self,
        place: &BounceBox,
        mail: Bytes,
    ) -> Result<BounceVerdict, StepFault> {
        let returns = place.returns.clone();
        let read = move || ReturnedMail::read(&mail, returns.as_ref());
        let read = self.budgets.pool.run(Purpose::Validate, WHO, read).await?;
        let Ok(Some(returned)) = read else { return Ok(self.set_by()) };
        let Some((record, went)) = self.went_by_mail(&returned).await? else {
            return Ok(self.set_by());
        };
        for told in returned.recipients.into_iter().map(|told| went.addressed(told)) {
            let (fate, word, counted) = match told.action {
                ReturnAction::Delayed => (MailFate::Late, "delayed", Mailed::Delayed),
                _ => (MailFate::CameBack, "failed", Mailed::Bounced),
            };
            let said = MailWord {
                recipient: told.address.clone(),
                fate,
                status: told.status,
                said: told.said,
            };
            let now = self.clock.now();
            let decision = decide(&record.transaction, &Event::Returned(said), &self.policy, now);
            if decision.ignored.is_some() {
                return Ok(BounceVerdict::TooEarly);
            }
            let returned = MailReturned {
                transaction: record.transaction.clone(),
                recipient: told.address,
                word,
                report: returned.report.clone(),
                decision,
                now,
            };
            if self.store.mail_returned(returned).await? {
                self.metrics.mails.add(counted);
            }
        }
        Ok(BounceVerdict::Told)
    }

    fn set_by(&self) -> BounceVerdict {
        self.metrics.mails.add(Mailed::Unmatched);
        BounceVerdict::Other
    }

    /// The document that went by the mail that a report names, and to whom it was addressed.
    async fn went_by_mail(
        &self,
        returned: &ReturnedMail,
    ) -> Result<Option<(TransactionRecord, WentTo)>, StepFault> {
        for id in &returned.ids {
            let Some(record) = self.store.sent_as(*id).await? else { continue };
            let went = WentTo::of(&self.store.attempts_of(&record.transaction.id).await?);
            if !went.known.is_empty() || !record.transaction.status.is_final() {
                return Ok(Some((record, went)));
            }
        }
        Ok(None)
    }
}

/// To whom a mail was addressed, in lower case.
#[derive(Debug, Default)]
struct WentTo {
    /// Those that it names.
    known: Vec<String>,
    /// Those that it went to unseen (`bcc`).
    unseen: Vec<String>,
}

impl WentTo {
    fn of(attempts: &[Attempt]) -> WentTo {
        let endpoints = attempts.iter().filter_map(|attempt| attempt.endpoint.as_deref());
        let lists = endpoints.filter_map(|endpoint| endpoint.strip_prefix(BY_MAIL));
        let mut known: Vec<String> =
            lists.flat_map(|list| list.split(',')).map(str::to_lowercase).collect();
        known.sort();
        known.dedup();
        let unseen = attempts.iter().filter_map(|made| made.report.pointer("/mail/bcc"));
        let unseen = unseen.filter_map(Value::as_array).flatten().filter_map(Value::as_str);
        WentTo { known, unseen: unseen.map(str::to_lowercase).collect() }
    }

    /// What was said of a recipient, as one that the mail was addressed to: a mail that was handed
    /// on comes back from somebody that we do not know, and anybody who has seen the mail can name
    /// others.
    fn addressed(&self, told: ReturnedRecipient) -> ReturnedRecipient {
        if self.known.contains(&told.address) || self.unseen.contains(&told.address) {
            return told;
        }
        let said = match told.said.as_str() {
            "" => format!("for {}", told.address),
            said => format!("for {}: {said}", told.address),
        };
        ReturnedRecipient { address: self.known.join(", "), said, ..told }
    }
}

/// What is wrong with a look whose time was over. Where something was set aside the rest waits for
/// the next look, and whether all of it is read is not known: what is on alarm stays so.
fn unfinished(taken: usize) -> Option<String> {
    (taken == 0).then(|| format!("the mail server did not finish within {MAILBOX_LIMIT:?}"))
}

/// Why one mail is left, to which the server says no; the others are read.
///
/// # Errors
/// The cause of a fault that ends the look.
fn of_one(fault: MailboxFault) -> Result<String, String> {
    match fault.kind {
        MailboxFaultKind::Refused => Ok(fault.cause),
        _ => Err(fault.cause),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_that_takes_nothing_in_its_time_is_a_fault() {
        let cause = unfinished(0).unwrap();
        assert_eq!(cause, "the mail server did not finish within 240s");
        assert_eq!(unfinished(1), None);
    }

    #[test]
    fn what_is_said_of_others_is_said_of_those_that_were_addressed() {
        let known = vec!["a@example.org".to_owned(), "b@example.org".to_owned()];
        let went = WentTo { known, unseen: vec!["unseen@example.org".to_owned()] };
        let told = |address: &str, said: &str| {
            let (address, said) = (address.to_owned(), said.to_owned());
            let (action, status) = (ReturnAction::Failed, "5.1.1".to_owned());
            went.addressed(ReturnedRecipient { address, action, status, said })
        };
        let unseen = told("unseen@example.org", "no");
        assert_eq!((&*unseen.address, &*unseen.said), ("unseen@example.org", "no"));
        assert_eq!(told("b@example.org", "no").address, "b@example.org");
        let other = told("c@else.example", "no");
        assert_eq!(other.address, "a@example.org, b@example.org");
        assert_eq!(other.said, "for c@else.example: no");
        assert_eq!(told("c@else.example", "").said, "for c@else.example");
    }
}
