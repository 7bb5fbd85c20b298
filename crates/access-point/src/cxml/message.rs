//! The message: the document with the header of the account, the same payload id on every attempt,
//! and the files beside it as parts of a `multipart/related` (cXML user's guide, "Attachments").

mod header;

use aws_lc_rs::digest::{SHA256, digest};
use bytes::Bytes;
use data_encoding::{BASE64, HEXLOWER};
use jiff::Timestamp;
use quoin_formats::ParsedDocument;
use quoin_formats::convert::FileBeside;
use quoin_store::Secret;
use quoin_xml::c14n;
use quoin_xml::namespaces::XML;
use quoin_xml::tree::Element;
use quoin_xml::write::{escape_attribute, escape_text};

use super::credential::{CxmlCredential, CxmlEnds};
use crate::partner::PartnerMode;
use header::names_others;

/// The version where a document names none.
const VERSION: &str = "1.2.037";
/// Characters of a line of base64.
const LINE: usize = 76;
/// Who writes, as networks log it.
const USER_AGENT: &str = concat!("Quoin ", env!("CARGO_PKG_VERSION"));

/// What a message is made of besides the document.
#[derive(Debug)]
pub struct CxmlPosting<'a> {
    /// By which id a repeat is known.
    pub payload_id: &'a str,
    /// When the document was recorded: the same on every attempt.
    pub timestamp: Timestamp,
    /// Who sends to whom.
    pub ends: &'a CxmlEnds,
    /// What lets us in.
    pub secret: &'a Secret,
    /// The environment.
    pub mode: PartnerMode,
    /// The files that travel beside it.
    pub files: &'a [FileBeside],
    /// The ends in each environment, one of which the header of an uploaded message of cXML may
    /// name; nothing where the header is of no upload.
    pub named: &'a [CxmlEnds],
}

/// A message as it is posted.
#[derive(Clone, PartialEq, Eq)]
pub struct CxmlMessage {
    /// Its `Content-Type`.
    pub content_type: String,
    /// Its bytes; the secret is in them.
    pub body: Bytes,
    /// The SHA-256 of the request in it, in hexadecimal: what is the document's, without the
    /// header.
    pub sha256: String,
}

impl CxmlMessage {
    /// Makes the message of a document of cXML.
    ///
    /// # Errors
    /// Why the document is none, for people.
    pub fn of(document: &[u8], posting: &CxmlPosting<'_>) -> Result<CxmlMessage, String> {
        let parsed = quoin_formats::read(document);
        let (root, request) = request_of(&parsed, posting.named)?;
        let mut content = Vec::new();
        c14n::inclusive(request, &[], &mut content);
        let sha256 = HEXLOWER.encode(digest(&SHA256, &content).as_ref());
        let content = String::from_utf8(content).map_err(|error| error.to_string())?;
        let text = written(root, request.local(), &content, posting);
        Ok(match posting.files {
            [] => CxmlMessage {
                content_type: "text/xml; charset=UTF-8".to_owned(),
                body: Bytes::from(text),
                sha256,
            },
            files => {
                let (content_type, body) = with_parts(&text, &sha256, files);
                CxmlMessage { content_type, body, sha256 }
            }
        })
    }
}

/// Whether a document of cXML can be posted as it is by whoever is named so in each environment.
///
/// # Errors
/// Why it cannot, for people.
pub fn check_message(document: &[u8], named: &[CxmlEnds]) -> Result<(), String> {
    request_of(&quoin_formats::read(document), named).map(drop)
}

/// The document element and the one request in it.
fn request_of<'d>(
    parsed: &'d ParsedDocument,
    named: &[CxmlEnds],
) -> Result<(Element<'d>, Element<'d>), String> {
    let root = parsed.root().filter(|root| root.local().eq_ignore_ascii_case("cXML"));
    let root = root.ok_or("the document is no cXML that can be read")?;
    if let Some(why) = names_others(root, named).filter(|_| !named.is_empty()) {
        return Err(format!("the document is for somebody else: {why}"));
    }
    let requests = root.elements().filter(|child| child.local() == "Request");
    let mut requests = requests.flat_map(Element::elements);
    let request = requests.next().ok_or("the document is no Request of cXML")?;
    if requests.next().is_some() {
        return Err("the document holds several requests; send one at a time".to_owned());
    }
    Ok((root, request))
}

fn written(root: Element<'_>, request: &str, content: &str, posting: &CxmlPosting<'_>) -> String {
    let version = root.attribute("version").filter(|text| is_version(text)).unwrap_or(VERSION);
    // Texts without a language of their own are in this one.
    let language = root.attribute_ns(XML, "lang").filter(|text| is_language(text)).unwrap_or("en");
    let definition = match request {
        "InvoiceDetailRequest" => "InvoiceDetail.dtd",
        "ConfirmationRequest" | "ShipNoticeRequest" => "Fulfill.dtd",
        _ => "cXML.dtd",
    };
    let stamp = posting.timestamp.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string();
    let mut out = String::with_capacity(content.len() + 2_000);
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<!DOCTYPE cXML SYSTEM \"http://xml.cxml.org/schemas/cXML/");
    out.push_str(version);
    out.push('/');
    out.push_str(definition);
    out.push_str("\">\n<cXML");
    for (name, value) in [
        ("payloadID", posting.payload_id),
        ("timestamp", &stamp),
        ("version", version),
        ("xml:lang", language),
    ] {
        attribute(&mut out, name, value);
    }
    out.push_str(">\n<Header>\n");
    let CxmlEnds { from, to, sender } = posting.ends;
    credential(&mut out, "From", from, None);
    credential(&mut out, "To", to, None);
    credential(&mut out, "Sender", sender, Some(posting.secret));
    out.push_str("</Header>\n<Request");
    attribute(&mut out, "deploymentMode", posting.mode.as_str());
    out.push_str(">\n");
    out.push_str(content);
    out.push_str("\n</Request>\n</cXML>\n");
    out
}

/// Whether a text is the code of a language, and not that none is known (RFC 5646).
fn is_language(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (2..=35).contains(&text.len()) && text.bytes().all(plain) && !text.eq_ignore_ascii_case("und")
}

fn is_version(text: &str) -> bool {
    (1..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape_attribute(value, out);
    out.push('"');
}

fn credential(out: &mut String, end: &str, own: &CxmlCredential, secret: Option<&Secret>) {
    out.push('<');
    out.push_str(end);
    out.push_str("><Credential");
    attribute(out, "domain", &own.domain);
    out.push_str("><Identity>");
    escape_text(&own.identity, out);
    out.push_str("</Identity>");
    if let Some(secret) = secret {
        out.push_str("<SharedSecret>");
        escape_text(secret.reveal(), out);
        out.push_str("</SharedSecret>");
    }
    out.push_str("</Credential>");
    if secret.is_some() {
        out.push_str("<UserAgent>");
        out.push_str(USER_AGENT);
        out.push_str("</UserAgent>");
    }
    out.push_str("</");
    out.push_str(end);
    out.push_str(">\n");
}

/// The message and its files, each a part. The boundary follows from the document, so that every
/// attempt has the same bytes; what begins with `=_` is in no base64, and a document that holds the
/// digest of itself cannot be made.
fn with_parts(text: &str, sha256: &str, files: &[FileBeside]) -> (String, Bytes) {
    let boundary = format!("=_{}", sha256.get(..32).unwrap_or(sha256));
    let kind = format!(
        "multipart/related; boundary=\"{boundary}\"; type=\"text/xml\"; start=\"<message>\""
    );
    let room = files.iter().map(|file| file.content.len() * 14 / 10 + 400).sum::<usize>();
    let mut out = String::with_capacity(text.len() + room + 400);
    out.push_str("--");
    out.push_str(&boundary);
    out.push_str("\r\nContent-Type: text/xml; charset=UTF-8\r\nContent-ID: <message>\r\n");
    out.push_str("Content-Transfer-Encoding: 8bit\r\n\r\n");
    out.push_str(text);
    for file in files {
        let name = plain(&file.name, "-_. ()");
        let name = if name.is_empty() { file.content_id.as_str() } else { &name };
        out.push_str("\r\n--");
        out.push_str(&boundary);
        out.push_str("\r\nContent-Type: ");
        out.push_str(&media_type(&file.media_type));
        out.push_str("\r\nContent-ID: <");
        out.push_str(&file.content_id);
        out.push_str(">\r\nContent-Disposition: attachment; filename=\"");
        out.push_str(name);
        out.push_str("\"\r\nContent-Transfer-Encoding: base64\r\n\r\n");
        for line in BASE64.encode(&file.content).as_bytes().chunks(LINE) {
            out.push_str(&String::from_utf8_lossy(line));
            out.push_str("\r\n");
        }
    }
    out.push_str("\r\n--");
    out.push_str(&boundary);
    out.push_str("--\r\n");
    (kind, Bytes::from(out))
}

/// Letters, digits and some marks; anything else is `_`.
fn plain(text: &str, marks: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || marks.contains(letter);
    text.chars().take(120).map(|letter| if fits(letter) { letter } else { '_' }).collect()
}

/// A media type that is one; any other file is of no known kind.
fn media_type(text: &str) -> String {
    let fits = |part: &str| !part.is_empty() && plain(part, "-_.+") == part;
    match text.split_once('/') {
        Some((kind, own)) if fits(kind) && fits(own) => text.to_owned(),
        _ => "application/octet-stream".to_owned(),
    }
}

#[cfg(test)]
mod tests;
