//! A mail that may bring a document: from whom it is, which document it holds, and whether it may
//! be answered.

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use quoin_model::text::plain;

use super::action::MailFromAction;
use super::mime::{LetterError, MailHeaders, MailPart, ParsedMail};
use super::sender::{from_of, is_authenticated};

/// Characters of what a mail says that are shown again.
const SHOWN: usize = 200;
/// Names of attachments that are listed.
const LISTED: usize = 10;

/// The document in a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterDocument {
    /// The name of its file, for people.
    pub name: String,
    /// Its bytes.
    pub content: Bytes,
}

/// A mail that may bring a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboundLetter {
    /// The one address that it is from, in lower case; none where it names none or several.
    pub from: Option<String>,
    /// Its subject, for people.
    pub subject: String,
    /// Its Message-ID, with its brackets.
    pub message_id: Option<String>,
    /// Why its sender may not send, where that is so.
    pub not_allowed: Option<String>,
    /// Whether it may be answered: whoever it says that it is from may send, and no program sent
    /// it that would answer in turn.
    pub may_be_answered: bool,
    /// The document, or why there is none to send.
    pub document: Result<LetterDocument, String>,
}

impl InboundLetter {
    /// Reads a mail by what a hook asks of it.
    ///
    /// # Errors
    /// [`LetterError`].
    pub fn read(mail: &[u8], action: &MailFromAction) -> Result<InboundLetter, LetterError> {
        let parsed = ParsedMail::read(mail)?;
        let headers = &parsed.headers;
        let from = from_of(headers);
        let not_allowed = not_allowed(from.as_deref(), headers, action);
        let may_be_answered = not_allowed.is_none() && is_by_a_person(headers);
        let message_id = headers.first("message-id");
        let message_id = message_id.filter(|id| {
            id.len() <= 500 && id.starts_with('<') && id.bytes().all(|byte| byte.is_ascii_graphic())
        });
        Ok(InboundLetter {
            from,
            subject: shown(&headers.text("subject").unwrap_or_default()),
            message_id: message_id.map(str::to_owned),
            not_allowed,
            may_be_answered,
            document: document(&parsed.parts),
        })
    }

    /// What tells this document from every other one that came by mail: the sender, the Message-ID
    /// and the document; where there is no Message-ID, the whole mail. A mail that lies in the
    /// mailbox twice, because it came by two ways or was moved back, brings one document.
    pub fn mark(&self, mail: &[u8]) -> [u8; 32] {
        let content = self.document.as_ref().map(|document| document.content.clone());
        let mut context = Context::new(&SHA256);
        for part in [self.from.as_deref(), self.message_id.as_deref()] {
            context.update(part.unwrap_or_default().as_bytes());
            context.update(&[0]);
        }
        context.update(match (&self.message_id, &content) {
            (Some(_), Ok(content)) => content,
            _ => mail,
        });
        let mut mark = [0; 32];
        for (to, from) in mark.iter_mut().zip(context.finish().as_ref()) {
            *to = *from;
        }
        mark
    }
}

fn not_allowed(
    from: Option<&str>,
    headers: &MailHeaders,
    action: &MailFromAction,
) -> Option<String> {
    let Some(from) = from else {
        return Some("It does not say from which one address it is.".to_owned());
    };
    if !action.senders.iter().any(|allowed| allowed.covers(from)) {
        return Some(format!("{} is not among those who may send here.", shown(from)));
    }
    let server = action.authenticated.as_deref()?;
    (!is_authenticated(headers, server, from)).then(|| {
        format!(
            "{server} does not say that it comes from {}: neither DMARC passed nor DKIM with a \
             signature of that domain.",
            shown(from)
        )
    })
}

/// Whether a person sent it, or a program that is not one that answers, lists or bounces
/// (RFC 3834, section 2).
fn is_by_a_person(headers: &MailHeaders) -> bool {
    let says = |name: &str, word: &str| {
        headers.all(name).any(|value| value.to_ascii_lowercase().starts_with(word))
    };
    let automatic = headers.all("auto-submitted").any(|value| !value.eq_ignore_ascii_case("no"));
    let bulk = ["bulk", "list", "junk", "auto_reply"].iter().any(|word| says("precedence", word));
    let bounced = says("return-path", "<>")
        || says("content-type", "multipart/report")
        || says("from", "mailer-daemon")
        || headers.first("x-failed-recipients").is_some();
    let asks_for_none = headers.has_any("list-")
        || headers.first("x-auto-response-suppress").is_some()
        || headers.first("x-loop").is_some();
    !automatic && !bulk && !bounced && !asks_for_none
}

/// What a part is, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartKind {
    /// A business document.
    Document,
    /// A PDF, which may hold one.
    Pdf,
    /// Something else that was attached.
    Other,
    /// What people read, and pictures in it.
    Text,
}

fn kind(part: &MailPart) -> PartKind {
    // A page is what people read, though one of XHTML begins as a document does.
    let is_page = matches!(part.media_type.as_str(), "text/html" | "application/xhtml+xml");
    if is_page && !part.is_attachment {
        return PartKind::Text;
    }
    let name = part.name.as_deref().unwrap_or_default().to_ascii_lowercase();
    let begin = part.content.get(..64).unwrap_or(&part.content).trim_ascii_start();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let is_xml_type = matches!(part.media_type.as_str(), "application/xml" | "text/xml")
        || part.media_type.ends_with("+xml") && part.media_type != "image/svg+xml";
    if part.media_type == "application/pdf" || begin.starts_with(b"%PDF-") || ends(&[".pdf"]) {
        return PartKind::Pdf;
    }
    let begins = |word: &[u8]| begin.starts_with(word);
    let is_edi = part.media_type.starts_with("application/edi")
        || ends(&[".edi", ".edifact", ".x12"])
        || begins(b"UNA:")
        || begins(b"UNB+");
    if is_xml_type || ends(&[".xml"]) || begins(b"<?xml") || begins(b"\xef\xbb\xbf<?xml") || is_edi
    {
        return PartKind::Document;
    }
    let is_shown = part.media_type.starts_with("text/") || part.media_type.starts_with("image/");
    match is_shown && !part.is_attachment {
        true => PartKind::Text,
        false => PartKind::Other,
    }
}

/// The one document of a mail: an XML (or EDI) file, with any PDF beside it for people; or one PDF,
/// that has it inside.
fn document(parts: &[MailPart]) -> Result<LetterDocument, String> {
    let of = |wanted: PartKind| parts.iter().filter(move |part| kind(part) == wanted);
    let (documents, pdfs) = (of(PartKind::Document).count(), of(PartKind::Pdf).count());
    let chosen = match (documents, pdfs) {
        (1, _) => of(PartKind::Document).next(),
        (0, 1) => of(PartKind::Pdf).next(),
        _ => None,
    };
    if let Some(part) = chosen {
        let name = shown(part.name.as_deref().unwrap_or("the attachment"));
        return Ok(LetterDocument { name, content: part.content.clone() });
    }
    let names = parts.iter().filter(|part| kind(part) != PartKind::Text);
    let names: Vec<String> =
        names.map(|part| shown(part.name.as_deref().unwrap_or(&part.media_type))).collect();
    let listed = match names.get(..LISTED) {
        Some(first) if names.len() > LISTED => format!("{} and more", first.join(", ")),
        _ => names.join(", "),
    };
    Err(match (documents, pdfs) {
        (0, 0) if names.is_empty() => {
            "It has no attachment: attach the document, as XML or as a PDF \
                                       with XML inside."
                .to_owned()
        }
        (0, 0) => format!(
            "Nothing that is attached to it is a document ({listed}): attach one, as XML or as a PDF \
             with XML inside."
        ),
        (0, _) => {
            format!("It has {pdfs} PDF files ({listed}): send each document in a mail of its own.")
        }
        _ => format!(
            "It has {documents} documents ({listed}): send each document in a mail of its own."
        ),
    })
}

/// What a stranger wrote, short and in one line.
fn shown(text: &str) -> String {
    plain(text, SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(more: &str) -> MailFromAction {
        MailFromAction::parse(&format!("mailfrom://u@h.example?from=example.org{more}")).unwrap()
    }

    fn letter(head: &str, files: &[(&str, &str, &str)]) -> InboundLetter {
        let part = |(kind, name, text): &(&str, &str, &str)| {
            format!(
                "--b\r\nContent-Type: {kind}\r\nContent-Disposition: attachment; filename={name}\r\n\r\n{text}\r\n"
            )
        };
        let parts: String = files.iter().map(part).collect();
        let mail = format!(
            "{head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHello\r\n{parts}--b--\r\n"
        );
        InboundLetter::read(mail.as_bytes(), &action("")).unwrap()
    }

    const HEAD: &str = "From: a@example.org\r\nMessage-ID: <1@example.org>\r\nSubject: Bill\r\n";
    const XML: (&str, &str, &str) = ("application/xml", "a.xml", "<a/>");
    const PDF: (&str, &str, &str) = ("application/pdf", "a.pdf", "%PDF-1.7");

    #[test]
    fn one_document_is_taken() {
        for (files, name) in [
            (vec![XML], "a.xml"),
            (vec![PDF, XML], "a.xml"),
            (vec![PDF], "a.pdf"),
            (vec![("application/octet-stream", "B.XML", "<b/>"), PDF, PDF], "B.XML"),
            (vec![("text/plain", "no-ending", "<?xml version='1.0'?><a/>")], "no-ending"),
            (vec![("image/png", "logo.png", "x"), XML], "a.xml"),
            (vec![("application/octet-stream", "d.edi", "UNA:+.? '")], "d.edi"),
        ] {
            assert_eq!(letter(HEAD, &files).document.unwrap().name, name);
        }
        for (files, word) in [
            (vec![], "no attachment"),
            (vec![("application/zip", "a.zip", "PK")], "(a.zip)"),
            (vec![XML, XML], "2 documents"),
            (vec![PDF, PDF], "2 PDF files"),
        ] {
            let why = letter(HEAD, &files).document.unwrap_err();
            assert!(why.contains(word), "{why}");
        }
        let bare = "From: a@example.org\r\nContent-Type: application/xml\r\n\r\n<a/>";
        let bare = InboundLetter::read(bare.as_bytes(), &action("")).unwrap();
        assert_eq!(&bare.document.unwrap().content[..], b"<a/>");
    }

    /// A mail whose page is XHTML has one document, the one that is attached; a page that is
    /// attached is one.
    #[test]
    fn a_page_is_no_document() {
        for kind in ["text/html; charset=utf-8", "application/xhtml+xml"] {
            let body = format!(
                "Content-Type: {kind}\r\n\r\n<?xml version=\"1.0\"?><html/>\r\n--b\r\n\
                 Content-Type: application/xml\r\n\
                 Content-Disposition: attachment; filename=a.xml\r\n\r\n<a/>"
            );
            let head = format!("{HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n");
            let mail = format!("{head}{body}\r\n--b--\r\n");
            let read = InboundLetter::read(mail.as_bytes(), &action("")).unwrap();
            assert_eq!(read.document.unwrap().name, "a.xml", "{kind}");
        }
        let attached = ("application/xhtml+xml", "b.xhtml", "<?xml version='1.0'?><html/>");
        assert!(letter(HEAD, &[attached, XML]).document.unwrap_err().contains("2 documents"));
    }

    #[test]
    fn programs_that_answer_get_no_answer() {
        assert!(letter(HEAD, &[]).may_be_answered);
        assert!(letter(&format!("{HEAD}Auto-Submitted: no\r\n"), &[]).may_be_answered);
        for header in [
            "Auto-Submitted: auto-generated",
            "Auto-Submitted: auto-replied",
            "Precedence: bulk",
            "Precedence: LIST",
            "List-Id: <a.example>",
            "List-Unsubscribe: <https://a.example>",
            "Return-Path: <>",
            "X-Auto-Response-Suppress: All",
            "X-Failed-Recipients: b@example.org",
            "Content-Type: multipart/report; boundary=b",
        ] {
            let told = letter(&format!("{header}\r\n{HEAD}"), &[]);
            assert!(!told.may_be_answered, "{header}");
        }
        let stranger = letter("From: a@example.net\r\n", &[XML]);
        assert!(!stranger.may_be_answered, "nobody knows whether it is from there");
        assert!(stranger.not_allowed.unwrap().contains("a@example.net"));
        assert!(letter("Subject: x\r\n", &[XML]).not_allowed.unwrap().contains("one address"));
    }

    #[test]
    fn the_word_of_a_server_may_be_asked_for() {
        let read = |head: &str| {
            let mail = format!("{head}From: a@example.org\r\n\r\n");
            InboundLetter::read(mail.as_bytes(), &action("&authenticated=mx.example.org")).unwrap()
        };
        let without = read("");
        assert!(without.not_allowed.unwrap().contains("mx.example.org does not say"));
        assert!(!without.may_be_answered);
        let with = read("Authentication-Results: mx.example.org; dmarc=pass\r\n");
        assert!(with.not_allowed.is_none() && with.may_be_answered);
    }

    #[test]
    fn the_same_mail_is_the_same_document_whichever_way_it_came() {
        let mark = |head: &str, file| {
            let letter = letter(head, &[file]);
            letter.mark(head.as_bytes())
        };
        let one = mark(HEAD, XML);
        assert_eq!(one, mark(&format!("Received: by another way\r\n{HEAD}"), XML));
        assert_ne!(one, mark(HEAD, ("application/xml", "a.xml", "<b/>")));
        assert_ne!(one, mark(&HEAD.replace("<1@", "<2@"), XML));
        assert_ne!(one, mark(&HEAD.replace("a@", "b@"), XML));
        let bare = "From: a@example.org\r\n";
        assert_ne!(mark(bare, XML), mark(&format!("Received: x\r\n{bare}"), XML));
    }
}
