//! What a mail says and carries.

use std::collections::BTreeMap;
use std::time::SystemTime;

use jiff::Timestamp;
use lettre::Message;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment as Part, Body, Mailbox, MultiPart, SinglePart};
use quoin_formats::Syntax;

use super::action::{MailAction, Senders};
use super::content::{EmbeddedFile, EmbeddedFiles, attachments, safe};
use super::talk::is_plain;
use super::{ATTACHMENTS, MAIL_BYTES};

/// Characters of a name that is one line of a header.
const PLAIN_NAME: usize = 60;

/// Characters of a fact in the name of a file.
const FACT: usize = 60;

/// The page of a document, for people who read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailedPage {
    /// As the body; none where it is more than a body can be.
    pub html: Option<String>,
    /// Beside the document.
    pub pdf: Vec<u8>,
}

/// A mail before it is written.
#[derive(Debug)]
pub struct OutgoingMail<'a> {
    /// The hook.
    pub action: &'a MailAction,
    /// To whom, where the hook leaves it to the document.
    pub to: &'a [Mailbox],
    /// The id by which a repeat is recognised.
    pub message_id: &'a str,
    /// The subject.
    pub subject: &'a str,
    /// The text in front of the facts.
    pub text: &'a str,
    /// Facts by name: below the text, and for the name of the file.
    pub facts: &'a BTreeMap<String, String>,
    /// The document, where it goes along.
    pub document: Option<&'a [u8]>,
    /// Whether the mail delivers the document, so that it never goes without anything of it.
    pub delivers: bool,
    /// Its page, where it goes along.
    pub page: Option<&'a MailedPage>,
    /// When.
    pub now: Timestamp,
}

/// Writes a mail.
///
/// # Errors
/// Why it cannot be written, for the log: it is too large, or has an address that mail cannot
/// carry.
pub fn message(letter: &OutgoingMail<'_>, senders: &Senders) -> Result<Message, String> {
    let action = letter.action;
    let from = action.from.clone().unwrap_or_else(|| senders.from.clone());
    let header = |name, value: &str| {
        HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
    };
    let mut builder = Message::builder()
        .from(from)
        .message_id(Some(format!("<{}>", letter.message_id)))
        .date(SystemTime::from(letter.now))
        .subject(letter.subject)
        .raw_header(header("Auto-Submitted", "auto-generated"))
        // What Exchange asks to be told, since it does not look at the header above.
        .raw_header(header("X-Auto-Response-Suppress", "OOF, AutoReply"));
    for to in letter.to {
        builder = builder.to(to.clone());
    }
    if let Some(reply_to) = &action.reply_to {
        builder = builder.reply_to(reply_to.clone());
    }
    for bcc in &action.bcc {
        builder = builder.bcc(bcc.clone());
    }
    let files = letter.document.map(|document| files(letter, document)).unwrap_or_default();
    let size: usize = files.iter().map(|file| file.bytes.len()).sum();
    if size > MAIL_BYTES || files.len() > ATTACHMENTS + 2 {
        return Err(format!(
            "the mail would carry {size} bytes or more in {} files, more than the {MAIL_BYTES} \
             bytes that mail takes",
            files.len()
        ));
    }
    let plain = text(letter);
    let html = letter.page.and_then(|page| page.html.clone());
    let mut whole = match html {
        None => MultiPart::mixed().singlepart(SinglePart::plain(plain)),
        Some(html) => MultiPart::mixed().multipart(MultiPart::alternative_plain_html(plain, html)),
    };
    for file in files {
        whole = whole.singlepart(part(file));
    }
    builder.multipart(whole).map_err(|error| error.to_string())
}

/// The same mail with a header of ASCII: addresses with other letters in front of the @ are not
/// named in it. None where the sender is one, or nobody is left to name.
///
/// # Errors
/// As [`message`].
pub fn plain_message(
    letter: &OutgoingMail<'_>,
    senders: &Senders,
) -> Result<Option<Message>, String> {
    let from = letter.action.from.as_ref().unwrap_or(&senders.from);
    let to: Vec<Mailbox> = letter.to.iter().filter(|own| is_plain(&own.email)).cloned().collect();
    if to.is_empty() || !is_plain(&from.email) {
        return Ok(None);
    }
    let mut action = letter.action.clone();
    action.reply_to = action.reply_to.filter(|own| is_plain(&own.email));
    action.bcc.retain(|own| is_plain(&own.email));
    let plain = OutgoingMail { action: &action, to: &to, ..*letter };
    message(&plain, senders).map(Some)
}

fn text(letter: &OutgoingMail<'_>) -> String {
    let mut text = format!("{}\r\n", letter.text);
    for (name, value) in letter.facts {
        text.push_str(&format!("\r\n{name}: {value}"));
    }
    text.push_str("\r\n");
    text
}

/// The document itself, its PDF, and what is embedded in it, as far as the hook wants them. A
/// document that is delivered goes along, whatever the hook wants, where a mail would carry nothing
/// of it, or not all that is embedded in it.
fn files(letter: &OutgoingMail<'_>, document: &[u8]) -> Vec<EmbeddedFile> {
    let action = letter.action;
    let parsed = quoin_formats::read(document);
    let embedded = match action.exclude_additional {
        true => EmbeddedFiles::default(),
        false => attachments(&parsed),
    };
    let is_bare = embedded.files.is_empty() && letter.page.is_none();
    let is_needed = letter.delivers && (is_bare || embedded.left_out > 0);
    let mut files = Vec::new();
    if !action.exclude_primary || is_needed {
        let (extension, media_type) = kind(parsed.detection().syntax);
        files.push(EmbeddedFile {
            name: filename(&action.filename, letter.facts, extension),
            media_type: media_type.to_owned(),
            bytes: document.to_vec(),
        });
    }
    if let Some(page) = letter.page {
        files.push(EmbeddedFile {
            name: pdf_name(&filename(&action.filename, letter.facts, ".pdf")),
            media_type: "application/pdf".to_owned(),
            bytes: page.pdf.clone(),
        });
    }
    files.extend(embedded.files);
    files
}

/// The name of the PDF beside a document: its own name, which ends as a PDF does.
fn pdf_name(name: &str) -> String {
    if name.ends_with(".pdf") {
        return name.to_owned();
    }
    format!("{}.pdf", name.strip_suffix(".xml").unwrap_or(name))
}

/// The extension of a document's file.
pub fn extension(syntax: Option<Syntax>) -> &'static str {
    kind(syntax).0
}

/// The extension and the media type of a document.
fn kind(syntax: Option<Syntax>) -> (&'static str, &'static str) {
    syntax.map_or((".xml", "application/xml"), |own| (own.extension(), own.media_type()))
}

/// The template with the facts in it. What is not known is left out, and none takes the place of
/// the others.
fn filename(template: &str, facts: &BTreeMap<String, String>, extension: &str) -> String {
    let fact = |name: &str| -> String {
        facts.get(name).into_iter().flat_map(|fact| fact.chars().take(FACT)).collect()
    };
    let name = template
        .replace("{{id}}", &fact("documentId"))
        .replace("{{number}}", &fact("id"))
        .replace("{{sender}}", &fact("sender"))
        .replace("{{recipient}}", &fact("recipient"))
        .replace("{{topic}}", &fact("topic"))
        .replace("{{extension}}", extension);
    let name = safe(&name);
    if name.is_empty() { "document.xml".to_owned() } else { name }
}

fn part(file: EmbeddedFile) -> SinglePart {
    let kind = content_type(&file);
    // Always base64, so that every byte arrives as it was sent.
    let part = Part::new(file.name);
    match Body::new_with_encoding(file.bytes, ContentTransferEncoding::Base64) {
        Ok(body) => part.body(body, kind),
        Err(bytes) => part.body(bytes, kind),
    }
}

/// The media type of a file, with its name, which some programs look for here only. A name that is
/// not plain stands in `Content-Disposition` alone, where there is a way to write it.
fn content_type(file: &EmbeddedFile) -> ContentType {
    let unnamed = ContentType::parse(&file.media_type)
        .or_else(|_| ContentType::parse("application/octet-stream"))
        .unwrap_or(ContentType::TEXT_PLAIN);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits = file.name.chars().all(plain) && file.name.len() <= PLAIN_NAME;
    let named = format!("{}; name=\"{}\"", file.media_type, file.name);
    let bare = !file.media_type.contains(';');
    match (fits && bare).then(|| ContentType::parse(&named)) {
        Some(Ok(named)) => named,
        _ => unnamed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::mailbox;

    fn write(action: &str, document: Option<&[u8]>) -> Result<String, String> {
        write_with(action, document, (None, false))
    }

    fn write_with(
        action: &str,
        document: Option<&[u8]>,
        (page, delivers): (Option<&MailedPage>, bool),
    ) -> Result<String, String> {
        let senders =
            Senders { from: mailbox("Quoin <quoin@example.org>").unwrap(), domains: Vec::new() };
        let action = MailAction::parse(action, Some(&senders)).unwrap();
        let facts = [("documentId", "0192"), ("id", "INV/1"), ("sender", "0106:1")];
        let facts = facts.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let to = action.to.clone();
        let letter = OutgoingMail {
            action: &action,
            to: &to,
            message_id: "call@example.org",
            subject: "An invoice",
            text: "Hello.",
            facts: &facts,
            document,
            delivers,
            page,
            now: Timestamp::UNIX_EPOCH,
        };
        let message = message(&letter, &senders)?;
        Ok(String::from_utf8(message.formatted()).unwrap())
    }

    #[test]
    fn a_mail_has_the_headers_that_were_asked_for() {
        let text = write(
            "mailto:a@example.net?replyTo=r@example.net&bcc=b@example.net&from=x@example.org",
            None,
        )
        .unwrap();
        for line in [
            "From: x@example.org\r\n",
            "To: a@example.net\r\n",
            "Reply-To: r@example.net\r\n",
            "Message-ID: <call@example.org>\r\n",
            "Subject: An invoice\r\n",
            "Auto-Submitted: auto-generated\r\n",
            "Date: Thu, 01 Jan 1970 00:00:00 +0000\r\n",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        assert!(!text.contains("b@example.net"), "nobody sees a blind copy");
        assert!(text.contains("sender: 0106:1"));
    }

    #[test]
    fn the_document_is_named_by_the_template() {
        let action = "mailto:a@example.net?filename=invoice-{{number}}{{extension}}";
        let text = write(action, Some(b"<a/>")).unwrap();
        assert!(text.contains("filename=\"invoice-INV_1.xml\""), "{text}");
        let without = write("mailto:a@example.net?excludePrimaryAttachment=true", Some(b"<a/>"));
        assert!(!without.unwrap().contains("filename="));
    }

    #[test]
    fn a_document_that_is_delivered_goes_along_where_nothing_else_would() {
        let action = "mailto:a@example.net?excludePrimaryAttachment=true";
        let carried = |document: &str| {
            let text = write_with(action, Some(document.as_bytes()), (None, true)).unwrap();
            text.matches("Content-Disposition: attachment").count()
        };
        let embedded = |files: &str| {
            let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
            format!(
                "<Invoice xmlns='{ubl}:Invoice-2' xmlns:b='{ubl}:CommonBasicComponents-2'>{files}\
                 </Invoice>"
            )
        };
        let good = "<b:EmbeddedDocumentBinaryObject>AA==</b:EmbeddedDocumentBinaryObject>";
        let bad = "<b:EmbeddedDocumentBinaryObject>!</b:EmbeddedDocumentBinaryObject>";
        assert_eq!(carried(&embedded("")), 1, "the document itself");
        assert_eq!(carried(&embedded(good)), 1, "what is embedded in it");
        assert_eq!(carried(&embedded(&good.repeat(2))), 2, "the same");
        assert_eq!(carried(&embedded(&format!("{good}{bad}"))), 2, "both: one file is left out");
    }

    #[test]
    fn a_long_number_leaves_the_extension() {
        let long = BTreeMap::from([("id".to_owned(), "7".repeat(300))]);
        let name = filename("{{number}}{{extension}}", &long, ".xml");
        assert_eq!(name, format!("{}.xml", "7".repeat(FACT)));
    }

    #[test]
    fn the_page_is_the_body_and_its_pdf_lies_beside_the_document() {
        let page = MailedPage { html: Some("<h1>Seven</h1>".into()), pdf: b"%PDF-1.7".to_vec() };
        let action = "mailto:a@example.net?filename=invoice-{{number}}";
        let text = write_with(action, Some(b"<a/>"), (Some(&page), true)).unwrap();
        for part in [
            "multipart/alternative",
            "Content-Type: text/plain",
            "Content-Type: text/html",
            "<h1>Seven</h1>",
            "filename=\"invoice-INV_1\"",
            "filename=\"invoice-INV_1.pdf\"",
            "Content-Type: application/pdf; name=\"invoice-INV_1.pdf\"",
            "Content-Type: multipart/mixed",
            "MIME-Version: 1.0",
            "X-Auto-Response-Suppress: OOF, AutoReply",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }

    #[test]
    fn a_header_of_ascii_names_nobody_else() {
        let senders = Senders { from: mailbox("q@example.org").unwrap(), domains: Vec::new() };
        let plain = |action: &str| {
            let action = MailAction::parse(action, Some(&senders)).unwrap();
            let (to, facts) = (action.to.clone(), BTreeMap::new());
            let letter = OutgoingMail {
                action: &action,
                to: &to,
                message_id: "call@example.org",
                subject: "An invoice",
                text: "Hello.",
                facts: &facts,
                document: Some(b"<a/>"),
                delivers: true,
                page: None,
                now: Timestamp::UNIX_EPOCH,
            };
            let whole = message(&letter, &senders).unwrap().formatted();
            let made = plain_message(&letter, &senders).unwrap();
            (whole.is_ascii(), made.map(|made| String::from_utf8(made.formatted()).unwrap()))
        };
        let (whole, text) = plain("mailto:a@x.example,r\u{e9}@x.example?replyTo=s\u{e9}@x.example");
        let text = text.unwrap();
        assert!(!whole && text.is_ascii(), "{text}");
        assert!(text.contains("To: a@x.example\r\n") && !text.contains("Reply-To"), "{text}");
        let (whole, text) = plain("mailto:r\u{e9}@x.example");
        assert!(!whole && text.is_none());
        let (whole, text) = plain("mailto:a@x.example?from=f\u{e9}@example.org");
        assert!(!whole && text.is_none());
        let (whole, _) = plain("mailto:a@x.example?bcc=r\u{e9}@x.example");
        assert!(whole, "nobody sees a blind copy");
    }

    #[test]
    fn a_mail_that_no_server_takes_is_not_written() {
        let large = vec![b'x'; MAIL_BYTES + 1];
        let refused = write("mailto:a@example.net", Some(&large)).unwrap_err();
        assert!(refused.contains("more than"), "{refused}");
    }
}
