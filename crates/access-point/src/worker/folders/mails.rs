//! A mailbox: each mail of somebody who may send brings one document, which is judged and recorded
//! once like an upload, and the mail is moved to `done`. A mail that is refused goes to `failed`,
//! and whoever may send is answered.
//!
//! The id of a document follows from the hook, who sent it, the Message-ID and the document. A
//! process that ends between recording and moving finds the document there already, and so does a
//! mail that came by two ways, was moved back, or got another number from its server.

use std::sync::Arc;

use bytes::Bytes;
use quoin_delivery::DocumentId;
use quoin_store::{Hook, PartyRecord};

use super::intake::{FileVerdict, document_id};
use super::{DONE, FAILED, FolderMemory, LookFault};
use crate::budget::Purpose;
use crate::mail::MailOutcome;
use crate::mailbox::{
    InboundLetter, LETTER_BYTES, LetterRefusal, ListedMail, MailFolder, MailFromAction,
    MailboxFault, MailboxFaultKind, MailboxTarget, answer, most_of,
};
use crate::metrics::Mailed;
use crate::worker::Worker;

/// Mails that are taken in one look; the others are taken in the next.
const MAILS: usize = 100;
/// Mails that are remembered as left at most; beyond that they are tried, and told, anew.
const LEFT: usize = 2_000;
/// How one of them is called where it is left, and several.
const MAIL: [&str; 2] = ["A mail is left where it is", "Mails are left where they are"];
/// The part of the memory for what is under way that one mail holds at most: one in four.
const PART: usize = 4;

/// A mailbox that is looked into.
struct MailboxLook<'w> {
    hook: &'w Hook,
    party: PartyRecord,
    action: Arc<MailFromAction>,
}

/// Why a mail is refused.
enum MailRefusal {
    /// It is not known to come from somebody who may send.
    Stranger(String),
    /// What is in it cannot be sent.
    Content(String),
}

impl Worker {
    /// One look into a mailbox. A mail to which the server says no keeps no other one waiting.
    pub(super) async fn look_into_mailbox(
        &self,
        hook: &Hook,
        memory: &mut FolderMemory,
    ) -> Result<(), LookFault> {
        let Some(party) = self.party_of(hook).await? else { return Ok(()) };
        let target = MailboxTarget::of(hook)?;
        let action = Arc::new(target.action.clone());
        let look = MailboxLook { hook, party, action };
        let mut folder = MailFolder::open(&self.hooks.mailboxes, &target).await?;
        if memory.left_mails.len() > LEFT {
            memory.left_mails.clear();
        }
        let left = &memory.left_mails;
        let mails = folder.mails(MAILS, |uid| left.contains_key(&uid)).await?;
        let mut said = Vec::new();
        for mail in mails {
            // Whatever ends the look from here on, the others come before this one the next time.
            let is_told = *memory.left_mails.entry(mail.uid).or_default();
            match self.take_mail(&look, &mut folder, mail).await {
                Ok(()) => {
                    memory.left_mails.remove(&mail.uid);
                    memory.taken += 1;
                }
                Err(LookFault::File { code, cause }) => {
                    memory.left_mails.insert(mail.uid, true);
                    if !is_told {
                        said.push((code, cause));
                    }
                }
                Err(fault) => {
                    self.tell_of_left(hook, MAIL, said).await;
                    return Err(fault);
                }
            }
        }
        self.tell_of_left(hook, MAIL, said).await;
        folder.close().await;
        Ok(())
    }

    async fn take_mail(
        &self,
        look: &MailboxLook<'_>,
        folder: &mut MailFolder,
        listed: ListedMail,
    ) -> Result<(), LookFault> {
        if listed.size > LETTER_BYTES {
            let reason = format!("It has {} bytes, more than {LETTER_BYTES}.", listed.size);
            folder.set_aside(listed.uid, FAILED).await.map_err(of_one)?;
            self.metrics.mails.add(Mailed::Refused);
            let message = format!("A mail cannot be taken. {reason}");
            self.tell_party(look.hook, "invalid-document", message).await;
            return Ok(());
        }
        let mut held = self.budgets.bytes.enter(look.hook.organisation.as_str());
        if held.grow(listed.size.min(self.budgets.bytes.total() / PART)).is_err() {
            // No room for now: it is looked at again.
            return Ok(());
        }
        let mail = folder.read(listed.uid, most_of(listed.size)).await.map_err(of_one)?;
        let Some(mail) = mail else { return Ok(()) };
        let (letter, id) = match self.read_letter(look, mail).await? {
            Ok(read) => read,
            Err(reason) => {
                folder.set_aside(listed.uid, FAILED).await.map_err(of_one)?;
                self.metrics.mails.add(Mailed::Refused);
                let message = format!("A mail cannot be read: {reason}.");
                self.tell_party(look.hook, "invalid-document", message).await;
                return Ok(());
            }
        };
        match self.record_letter(look, &letter, &id).await? {
            Ok(()) => {
                folder.set_aside(listed.uid, DONE).await.map_err(of_one)?;
                self.metrics.mails.add(Mailed::Taken);
            }
            Err(refusal) => {
                self.refuse_letter(look, (&letter, &id), &refusal).await;
                folder.set_aside(listed.uid, FAILED).await.map_err(of_one)?;
                self.metrics.mails.add(Mailed::Refused);
            }
        }
        Ok(())
    }

    /// Reads a mail on a thread of the pool; why it cannot be read, where it cannot.
    async fn read_letter(
        &self,
        look: &MailboxLook<'_>,
        mail: Bytes,
    ) -> Result<Result<(InboundLetter, DocumentId), String>, LookFault> {
        let action = Arc::clone(&look.action);
        let whose = [look.hook.organisation.as_str(), look.hook.key.as_str(), "mail\0"].join("\0");
        let read = move || {
            let letter = InboundLetter::read(&mail, &action).map_err(|error| error.to_string())?;
            let id = document_id(&[whose.as_bytes(), &letter.mark(&mail)].concat());
            Ok((letter, id))
        };
        let who = look.hook.organisation.as_str();
        let read = self.budgets.pool.run(Purpose::Validate, who, read).await;
        read.map_err(|busy| LookFault::Here(busy.into()))
    }

    async fn record_letter(
        &self,
        look: &MailboxLook<'_>,
        letter: &InboundLetter,
        id: &DocumentId,
    ) -> Result<Result<(), MailRefusal>, LookFault> {
        if let Some(reason) = &letter.not_allowed {
            return Ok(Err(MailRefusal::Stranger(reason.clone())));
        }
        let document = match &letter.document {
            Ok(document) => document.content.clone(),
            Err(reason) => return Ok(Err(MailRefusal::Content(reason.clone()))),
        };
        let largest = self.hooks.document_bytes;
        if document.len() > largest {
            let reason = format!("The document has more than {largest} bytes.");
            return Ok(Err(MailRefusal::Content(reason)));
        }
        Ok(match self.record_file((look.hook, &look.party), id, document).await? {
            FileVerdict::Taken => Ok(()),
            FileVerdict::Refused(reason) => Err(MailRefusal::Content(reason)),
        })
    }

    /// Tells the party, and answers the sender where that can be no loop and no nuisance.
    async fn refuse_letter(
        &self,
        look: &MailboxLook<'_>,
        (letter, id): (&InboundLetter, &DocumentId),
        refusal: &MailRefusal,
    ) {
        let (now, key) = (self.clock.now(), look.hook.key.as_str());
        let whose = [look.hook.organisation.as_str(), key].join(" ");
        let from = letter.from.as_deref().unwrap_or("nobody");
        let reason = match refusal {
            // Anybody can write to a mailbox: of that, little is told.
            MailRefusal::Stranger(reason) => {
                tracing::info!(hook = look.hook.id.as_str(), from, "a mail is not allowed");
                let told = format!("{whose} told");
                if self.hooks.answers.may_answer(&told, "of strangers", now) {
                    let message = format!("A mail is not taken. {reason}");
                    self.tell_party(look.hook, "sender-not-allowed", message).await;
                }
                return;
            }
            MailRefusal::Content(reason) => reason,
        };
        let message = format!("The mail {:?} of {from} cannot be sent. {reason}", letter.subject);
        self.tell_party(look.hook, "invalid-document", message).await;
        let Some(mailer) = &self.hooks.mailer else { return };
        let own = mailer.senders().from.email.to_string().to_lowercase();
        let is_ours = from == own || from == look.action.user.to_lowercase();
        let wanted = look.action.answer && letter.may_be_answered && !is_ours;
        if !wanted || !self.hooks.answers.may_answer(&whose, from, now) {
            return;
        }
        let language = look.action.language;
        let told = LetterRefusal { reason, id: id.as_str(), language, now };
        let written = crate::budget::in_place(|| {
            let message = answer(letter, &told, mailer.senders())?;
            mailer.ready_answer(&message, now).ok()
        });
        let Some(mail) = written else { return };
        if let MailOutcome::Later { cause, .. } | MailOutcome::Never { cause, .. } =
            mailer.send(mail).await.outcome
        {
            tracing::warn!(hook = look.hook.id.as_str(), cause, "a refusal was not answered");
        }
    }
}

/// A fault with one mail: where the server only says no to it, it is asked for the others.
fn of_one(fault: MailboxFault) -> LookFault {
    match fault.kind {
        MailboxFaultKind::Refused => {
            LookFault::File { code: fault.kind.code(), cause: fault.cause }
        }
        _ => fault.into(),
    }
}

impl From<MailboxFault> for LookFault {
    fn from(fault: MailboxFault) -> LookFault {
        LookFault::There { code: fault.kind.code(), cause: fault.cause }
    }
}
