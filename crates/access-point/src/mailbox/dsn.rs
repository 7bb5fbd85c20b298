//! A mail of ours that came back: what a mail server says became of it, in the form of RFC 3464 or
//! in those of Exim and qmail, which are older. What is no such report is none: a note that
//! somebody is away goes to the same address and says nothing of the mail.

use bytes::Bytes;
use quoin_model::text::plain;
use uuid::Uuid;

use super::mime::{LetterError, MailHeaders, MailPart, ParsedMail, head_length, head_of};
use super::sender::uncommented;
use crate::mail::ReturnAddress;

/// Recipients of one report.
const RECIPIENTS: usize = 100;
/// Bytes of a report that are kept.
const KEPT: usize = 256 << 10;
/// Characters of what a server said.
const SAID: usize = 500;
/// Headers in which the address stands that a mail came to.
const ADDRESSED: &[&str] =
    &["delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to", "to"];
/// How the copy of a mail begins in a text: Exim's words, qmail's.
const COPIES: &[&str] = &["------ This is a copy of", "--- Below this line is a copy of"];
/// How qmail begins (QSBMF).
const QMAIL: &str = "Hi. This is the ";

/// What became of a mail for one recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnAction {
    /// It is not delivered, and will not be.
    Failed,
    /// It is not delivered yet; the server still tries.
    Delayed,
}

/// One recipient of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnedRecipient {
    /// The address, in lower case: as we wrote it where the report tells that.
    pub address: String,
    /// What became of it.
    pub action: ReturnAction,
    /// The status code (RFC 3463), where one is told: `5.1.1`.
    pub status: String,
    /// What the server said, where that is told.
    pub said: String,
}

/// A mail that came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnedMail {
    /// The ids that it names, as ours are: of the address that it came to first.
    pub ids: Vec<Uuid>,
    /// What became of it, for each recipient.
    pub recipients: Vec<ReturnedRecipient>,
    /// The report as it came, without the body of the mail that it brought back.
    pub report: Bytes,
}

impl ReturnedMail {
    /// Reads a mail; none where it says of no mail that it was not delivered.
    ///
    /// # Errors
    /// [`LetterError`].
    pub fn read(
        mail: &[u8],
        returns: Option<&ReturnAddress>,
    ) -> Result<Option<ReturnedMail>, LetterError> {
        let parsed = ParsedMail::read(mail)?;
        let status = parsed.parts.iter().find(|part| part.media_type.ends_with("delivery-status"));
        let mut recipients = match status {
            Some(status) => of_status(&status.content),
            None => of_text(&parsed),
        };
        recipients.truncate(RECIPIENTS);
        if recipients.is_empty() {
            return Ok(None);
        }
        let (original, end) = original(&parsed, mail.len());
        let ids = ids(&parsed.headers, &original, returns);
        let report = mail.get(..end.min(KEPT)).unwrap_or(mail);
        Ok(Some(ReturnedMail { ids, recipients, report: Bytes::copy_from_slice(report) }))
    }
}

/// A report of RFC 3464: fields of the mail, and behind an empty line those of each recipient.
fn of_status(text: &[u8]) -> Vec<ReturnedRecipient> {
    let mut found: Vec<ReturnedRecipient> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() && found.len() < RECIPIENTS {
        let fields = head_of(rest);
        let length = head_length(rest).max(1);
        rest = rest.get(length..).unwrap_or_default();
        let Some(recipient) = of_fields(&fields) else { continue };
        if found.iter().all(|known| known.address != recipient.address) {
            found.push(recipient);
        }
    }
    found
}

fn of_fields(fields: &MailHeaders) -> Option<ReturnedRecipient> {
    let bare = |name: &str| uncommented(fields.first(name).unwrap_or_default());
    let typed = |value: &str| {
        let value = value.split_once(';').map_or(value, |(_, value)| value).trim();
        Some(value.to_owned()).filter(|value| !value.is_empty())
    };
    let address = typed(&bare("original-recipient")).or_else(|| typed(&bare("final-recipient")))?;
    let status = bare("status");
    let status = status.split_ascii_whitespace().next().unwrap_or_default();
    let action = bare("action").to_ascii_lowercase();
    let action = match action.trim() {
        "failed" => ReturnAction::Failed,
        "delayed" => ReturnAction::Delayed,
        "" if status.starts_with('5') => ReturnAction::Failed,
        "" if status.starts_with('4') => ReturnAction::Delayed,
        _ => return None,
    };
    Some(ReturnedRecipient {
        address: address_of(&address),
        action,
        status: short(status),
        said: short(
            &typed(fields.first("diagnostic-code").unwrap_or_default()).unwrap_or_default(),
        ),
    })
}

/// A report in words.
fn of_text(parsed: &ParsedMail) -> Vec<ReturnedRecipient> {
    let headers = &parsed.headers;
    let named: Vec<&str> =
        headers.all("x-failed-recipients").flat_map(|line| line.split(',')).collect();
    let told = |address: &str, action, said: &str| ReturnedRecipient {
        address: address_of(address),
        action,
        status: String::new(),
        said: short(said),
    };
    if !named.is_empty() {
        let failed = named.into_iter().take(RECIPIENTS);
        return failed.map(|address| told(address, ReturnAction::Failed, "")).collect();
    }
    let text = parsed.parts.iter().find(|part| part.media_type == "text/plain");
    let text = text.map(|part| String::from_utf8_lossy(&part.content)).unwrap_or_default();
    let own = COPIES.iter().filter_map(|copy| text.find(copy)).min();
    let own = text.get(..own.unwrap_or(text.len())).unwrap_or_default();
    if own.trim_start().starts_with(QMAIL) {
        let lines = own.lines().zip(own.lines().skip(1));
        let failed = lines.filter_map(|(line, next)| {
            let address = line.strip_prefix('<')?.strip_suffix(">:")?;
            Some(told(address, ReturnAction::Failed, next.trim()))
        });
        return failed.take(RECIPIENTS).collect();
    }
    let subject = headers.first("subject").unwrap_or_default();
    let is_warning = subject.starts_with("Warning: message ") && subject.contains(" delayed ");
    if is_warning && headers.first("auto-submitted").is_some() {
        let late = own.lines().filter(|line| line.starts_with("  ") && line.contains('@'));
        let late = late.take(RECIPIENTS);
        return late.map(|line| told(line.trim(), ReturnAction::Delayed, "")).collect();
    }
    Vec::new()
}

/// The head of the mail that came back, and where it ends in the report.
fn original(parsed: &ParsedMail, whole: usize) -> (MailHeaders, usize) {
    let is_copy = |part: &&MailPart| {
        matches!(
            part.media_type.as_str(),
            "message/rfc822" | "message/global" | "text/rfc822-headers" | "message/global-headers"
        )
    };
    if let Some(copy) = parsed.parts.iter().rev().find(is_copy) {
        let end = copy.begins_at + head_length(&copy.content);
        return (head_of(&copy.content), end);
    }
    for part in parsed.parts.iter().filter(|part| part.media_type == "text/plain") {
        let text = &part.content;
        let line_of = |copy: &&str| find(text, copy.as_bytes());
        let Some(at) = COPIES.iter().filter_map(line_of).min() else { continue };
        let behind = text.get(at..).unwrap_or_default();
        // The rest of that line, and empty ones.
        let line =
            behind.iter().position(|byte| *byte == b'\n').map_or(behind.len(), |end| end + 1);
        let behind = behind.get(line..).unwrap_or_default();
        let blank = behind.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let copy = behind.get(blank..).unwrap_or_default();
        return (head_of(copy), part.begins_at + at + line + blank + head_length(copy));
    }
    (MailHeaders::default(), whole)
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if line.starts_with(word) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// The ids that a report names: by the address it came to, the head that it brought back, and what
/// it answers.
fn ids(
    headers: &MailHeaders,
    original: &MailHeaders,
    returns: Option<&ReturnAddress>,
) -> Vec<Uuid> {
    let addresses = ADDRESSED.iter().flat_map(|name| headers.all(name));
    let addresses = addresses.flat_map(|value| value.split(','));
    let bare = |value: &str| {
        let inner = value.rsplit_once('<').map_or(value, |(_, inner)| inner);
        inner.split('>').next().unwrap_or_default().trim().to_owned()
    };
    let by_address = addresses.filter_map(|address| returns?.id_in(&bare(address)));
    let answered = headers.all("in-reply-to").chain(headers.all("references"));
    let named = original.all("message-id").chain(answered);
    let named = named.flat_map(str::split_ascii_whitespace).filter_map(|id| {
        let id = id.trim_start_matches('<').split('@').next()?;
        Uuid::try_parse(id).ok().filter(|_| id.len() == 36)
    });
    let mut found: Vec<Uuid> = Vec::new();
    for id in by_address.chain(named).take(RECIPIENTS) {
        if !found.contains(&id) {
            found.push(id);
        }
    }
    found
}

fn address_of(text: &str) -> String {
    let inner = text.trim().trim_start_matches('<').trim_end_matches('>');
    short(&inner.to_lowercase())
}

/// What a stranger wrote, short and in one line.
fn short(text: &str) -> String {
    plain(text.trim(), SAID).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
