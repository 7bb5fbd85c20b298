//! The sending of one mail: to whom, with what, and who of them has it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use lettre::Address;
use lettre::message::Mailbox;
use serde::Serialize;

use super::outcome::never;
use crate::budget::in_place;
use crate::mail::{
    MailAction, MailOutcome, MailSent, MailedPage, Mailer, MissedAddress, OutgoingMail, message,
    recipient,
};

/// A mail that was sent or not; kept with the attempt as JSON.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MailReport {
    /// The mail server.
    pub(super) server: String,
    /// To whom.
    pub(super) to: Vec<String>,
    /// To whom besides, unseen by those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) bcc: Vec<String>,
    /// Whether the address that the hook keeps for such cases was used.
    pub(super) fallback: bool,
    /// The server's code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<u16>,
    /// What the server said, or what went wrong.
    pub(super) reply: String,
    /// Why the mail has no page, where it should have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) without_page: Option<String>,
    /// Who has it, where others are to be tried again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) reached: Vec<String>,
    /// Whom the server did not take it for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) missed: Vec<MissedRecipient>,
}

/// Somebody for whom a mail was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MissedRecipient {
    /// The address.
    pub(super) recipient: String,
    /// What the server said.
    pub(super) said: String,
}

/// The tries of one mail.
#[derive(Clone, Copy)]
pub(super) struct MailTries<'a> {
    /// Who has it from an earlier one.
    pub(super) reached: &'a [Address],
    /// Whether none comes after this one.
    pub(super) is_last: bool,
}

/// What a mail is about.
pub(super) struct Matter<'a> {
    pub(super) message_id: String,
    pub(super) subject: String,
    pub(super) text: &'a str,
    pub(super) facts: BTreeMap<String, String>,
    pub(super) document: Option<&'a [u8]>,
    /// Whether the document goes along.
    pub(super) along: bool,
    /// Whether this is how the document is delivered.
    pub(super) delivers: bool,
    /// Its page, or why there is none.
    pub(super) page: Result<Option<MailedPage>, String>,
}

/// Sends a mail to whom the hook names, else to whom the document names, and to the address that
/// the hook keeps for when there is none or it is refused, also by being put off to the end.
pub(super) async fn dispatch(
    mailer: &Mailer,
    action: &MailAction,
    (matter, tries): (&Matter<'_>, MailTries<'_>),
    now: Timestamp,
) -> (MailOutcome, MailReport) {
    let read = |document| in_place(|| recipient(&quoin_formats::read(document)));
    let named = || matter.document.and_then(read);
    let to = if action.to.is_empty() { named().into_iter().collect() } else { action.to.clone() };
    let first = match to.is_empty() {
        true => None,
        false => Some(send(mailer, action, (matter, tries), &to, now).await),
    };
    if let Some((sent, report)) = first
        && (!is_refused(&sent, tries) || action.fallback.is_none())
    {
        return (sent, report);
    }
    let Some(fallback) = action.fallback.clone() else {
        let cause = "neither the hook nor the document names a mail address".to_owned();
        return (never(cause), MailReport::default());
    };
    let (sent, report) = send(mailer, action, (matter, tries), &[fallback], now).await;
    (sent, MailReport { fallback: true, ..report })
}

async fn send(
    mailer: &Mailer,
    action: &MailAction,
    (matter, tries): (&Matter<'_>, MailTries<'_>),
    to: &[Mailbox],
    now: Timestamp,
) -> (MailOutcome, MailReport) {
    let letter = OutgoingMail {
        action,
        to,
        message_id: &matter.message_id,
        subject: matter.subject.trim(),
        text: matter.text,
        facts: &matter.facts,
        document: matter.document.filter(|_| matter.along),
        delivers: matter.delivers,
        page: matter.page.as_ref().ok().and_then(Option::as_ref),
        now,
    };
    let addressees: Vec<Address> = to.iter().map(|mailbox| mailbox.email.clone()).collect();
    let written = || {
        let mail = message(&letter, mailer.senders()).map_err(never)?;
        let mail = mailer.ready(&mail, letter.message_id, now)?;
        Ok(mail.left_for(&addressees, tries.reached))
    };
    let mut left = Vec::new();
    let sent = match in_place(written) {
        Ok(mail) if mail.is_done() => {
            let reply = "nobody is left who does not have it".to_owned();
            MailSent::to_nobody(MailOutcome::Taken { code: 250, reply })
        }
        Ok(mail) => {
            left = mail.to().to_vec();
            mailer.send(mail).await
        }
        Err(unsent) => MailSent::to_nobody(unsent),
    };
    let is_there =
        |address: &Address| sent.reached.contains(address) || tries.reached.contains(address);
    let given_up = match &sent.outcome {
        MailOutcome::Never { cause, .. } | MailOutcome::Later { cause, .. } => cause.clone(),
        MailOutcome::Taken { .. } => String::new(),
    };
    let outcome = ended(sent.outcome, addressees.iter().any(is_there), tries.is_last);
    let (code, reply) = match &outcome {
        MailOutcome::Taken { code, reply } => (Some(*code), reply.clone()),
        MailOutcome::Later { code, cause } | MailOutcome::Never { code, cause } => {
            (*code, cause.clone())
        }
    };
    let server = mailer.server().to_owned();
    let without_page = matter.page.as_ref().err().cloned();
    left.retain(|address| !sent.reached.contains(address));
    let is_to_go_on = matches!(outcome, MailOutcome::Later { .. });
    let reached = sent.reached.iter().filter(|_| is_to_go_on).map(ToString::to_string);
    let report = MailReport {
        server,
        to: addressees.iter().map(ToString::to_string).collect(),
        bcc: action.bcc.iter().map(|mailbox| mailbox.email.to_string()).collect(),
        fallback: false,
        code,
        reply,
        without_page,
        reached: reached.collect(),
        missed: missed(&left, &sent.missed, &given_up),
    };
    (outcome, report)
}

/// Whether nobody is left who may take the mail: it was refused to all, and who is still asked to
/// come again after the last try is refused it as well. A server that said nothing refused nobody.
fn is_refused(sent: &MailOutcome, tries: MailTries<'_>) -> bool {
    match sent {
        MailOutcome::Never { .. } => true,
        MailOutcome::Later { code, .. } => tries.is_last && code.is_some(),
        MailOutcome::Taken { .. } => false,
    }
}

/// Those for whom the mail was not taken, with what was said of each; where nothing was, what was
/// said of all.
fn missed(left: &[Address], said: &[MissedAddress], of_all: &str) -> Vec<MissedRecipient> {
    let said_of = |address: &Address| {
        let one = said.iter().find(|missed| missed.address == *address);
        one.map_or(of_all, |missed| missed.said.as_str()).to_owned()
    };
    let told =
        |address| MissedRecipient { recipient: format!("{address}"), said: said_of(address) };
    left.iter().map(told).collect()
}

/// What a try comes to. A mail that somebody has is sent: who is refused it in this try, or has to
/// wait for it in the last one, is told of, and keeps it from nobody.
fn ended(outcome: MailOutcome, is_there: bool, is_last: bool) -> MailOutcome {
    match outcome {
        MailOutcome::Never { code, cause } if is_there => {
            MailOutcome::Taken { code: code.unwrap_or_default(), reply: cause }
        }
        MailOutcome::Later { code, cause } if is_there && is_last => {
            MailOutcome::Taken { code: code.unwrap_or_default(), reply: cause }
        }
        outcome => outcome,
    }
}
