//! Writing an envelope around a document.

use quoin_xml::write::{escape_attribute, escape_text};

use super::scan::{MarkupToken, ScanError, Scanner, StartTag};
use super::{CONTENT_NAMESPACE, NAMESPACE, Sbdh, WrapRefusal};
use crate::codelists;
use crate::identifiers::{DocumentTypeId, META_SCHEME, ParticipantId};

impl From<ScanError> for WrapRefusal {
    fn from(error: ScanError) -> Self {
        Self::Markup { offset: error.offset, why: error.why }
    }
}

/// Puts an XML document into an envelope.
///
/// `payload` is in any encoding that is read ([`quoin_xml::tree::text`]), the envelope in UTF-8
/// (BME section 2.2). Byte order mark, XML declaration, and comments and processing instructions
/// outside its root element are left out, the root element is copied character by character. Where
/// the root declares no default namespace, `xmlns=""` is added, so that the envelope's own does not
/// reach into the document. Tags are checked to nest; the caller has parsed the document.
///
/// # Errors
/// [`WrapRefusal`] for a document that cannot be enveloped.
pub fn wrap(sbdh: &Sbdh, payload: &[u8]) -> Result<Vec<u8>, WrapRefusal> {
    let text = quoin_xml::tree::text(payload).map_err(|_| WrapRefusal::Encoding)?;
    let payload = text.as_bytes();
    let mut scanner = Scanner::new(payload, 0);
    let root = match scanner.next()? {
        MarkupToken::Start(start) => start,
        MarkupToken::Nothing => return Err(WrapRefusal::Empty),
        MarkupToken::Text { offset } | MarkupToken::End { from: offset, .. } => {
            return Err(WrapRefusal::Markup { offset, why: "expected the root element" });
        }
    };
    let end = scanner.skip_element(&root)?;
    match scanner.next()? {
        MarkupToken::Nothing => {}
        MarkupToken::Start(StartTag { from: offset, .. })
        | MarkupToken::End { from: offset, .. }
        | MarkupToken::Text { offset } => {
            let why = "something follows the root element";
            return Err(WrapRefusal::Markup { offset, why });
        }
    }
    if root
        .declarations()
        .any(|(prefix, namespace)| prefix == root.split().0 && namespace == NAMESPACE.as_bytes())
    {
        return Err(WrapRefusal::Nested);
    }
    let name_end = root.from + 1 + root.name.len();
    let mut out = open(sbdh, end - root.from)?.into_bytes();
    out.extend_from_slice(payload.get(root.from..name_end).unwrap_or_default());
    if root.declarations().all(|(prefix, _)| !prefix.is_empty()) {
        out.extend_from_slice(b" xmlns=\"\"");
    }
    out.extend_from_slice(payload.get(name_end..end).unwrap_or_default());
    out.extend_from_slice(CLOSE.as_bytes());
    Ok(out)
}

/// Puts a document that is not XML into an envelope, as Base64 (BME section 2.3).
///
/// `mime` is its media type, `encoding` its character encoding if it is text.
///
/// # Errors
/// [`WrapRefusal::Empty`] for no bytes, [`WrapRefusal::Pattern`] as for [`wrap`].
pub fn wrap_binary(
    sbdh: &Sbdh,
    mime: &str,
    encoding: Option<&str>,
    content: &[u8],
) -> Result<Vec<u8>, WrapRefusal> {
    if content.is_empty() {
        return Err(WrapRefusal::Empty);
    }
    let mut out = open(sbdh, content.len() / 3 * 4 + 256)?;
    out.push_str("<BinaryContent xmlns=\"");
    out.push_str(CONTENT_NAMESPACE);
    out.push_str("\" mimeType=\"");
    escape_attribute(mime, &mut out);
    if let Some(encoding) = encoding {
        out.push_str("\" encoding=\"");
        escape_attribute(encoding, &mut out);
    }
    out.push_str("\">");
    data_encoding::BASE64.encode_append(content, &mut out);
    out.push_str("</BinaryContent>");
    out.push_str(CLOSE);
    Ok(out.into_bytes())
}

const CLOSE: &str = "</StandardBusinessDocument>";

/// Everything before the payload. `room` is the size of what follows.
fn open(sbdh: &Sbdh, room: usize) -> Result<String, WrapRefusal> {
    let id = &sbdh.document_type;
    if id.is_pattern() || codelists::document_type(id).is_some_and(|row| row.is_abstract) {
        return Err(WrapRefusal::Pattern(id.to_string()));
    }
    let mut out = String::with_capacity(room + 2048);
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<StandardBusinessDocument xmlns=\"");
    out.push_str(NAMESPACE);
    out.push_str("\"><StandardBusinessDocumentHeader>");
    element(&mut out, "HeaderVersion", "1.0");
    partner(&mut out, "Sender", &sbdh.sender);
    partner(&mut out, "Receiver", &sbdh.receiver);
    identification(&mut out, sbdh, id);
    out.push_str("<BusinessScope>");
    let scheme = id.scheme();
    scope(&mut out, "DOCUMENTID", id.value(), Some(scheme.as_str()));
    scope(&mut out, "PROCESSID", sbdh.process.value(), Some(sbdh.process.scheme()));
    scope(&mut out, "COUNTRY_C1", sbdh.country.as_str(), None);
    if let Some(to) = &sbdh.mls_to {
        scope(&mut out, "MLS_TO", to.as_str(), Some(META_SCHEME));
    }
    if let Some(kind) = sbdh.mls_type {
        scope(&mut out, "MLS_TYPE", kind.as_str(), None);
    }
    for other in &sbdh.others {
        scope(&mut out, &other.key, &other.value, other.scheme.as_deref());
    }
    out.push_str("</BusinessScope></StandardBusinessDocumentHeader>");
    Ok(out)
}

fn identification(out: &mut String, sbdh: &Sbdh, id: &DocumentTypeId) {
    let parts = id.parts();
    // A document that is not XML has no root element; the last part of its URN names it best.
    let urn_end = || parts.root_namespace.rsplit(':').next().unwrap_or_default();
    out.push_str("<DocumentIdentification>");
    element(out, "Standard", parts.root_namespace);
    element(out, "TypeVersion", parts.version);
    element(out, "InstanceIdentifier", &sbdh.instance);
    element(out, "Type", parts.local_name.unwrap_or_else(urn_end));
    element(out, "CreationDateAndTime", &sbdh.created.to_string());
    out.push_str("</DocumentIdentification>");
}

fn partner(out: &mut String, name: &str, id: &ParticipantId) {
    out.push_str(&format!("<{name}><Identifier Authority=\"{META_SCHEME}\">"));
    escape_text(id.as_str(), out);
    out.push_str(&format!("</Identifier></{name}>"));
}

fn scope(out: &mut String, key: &str, value: &str, scheme: Option<&str>) {
    out.push_str("<Scope>");
    element(out, "Type", key);
    element(out, "InstanceIdentifier", value);
    if let Some(scheme) = scheme {
        element(out, "Identifier", scheme);
    }
    out.push_str("</Scope>");
}

fn element(out: &mut String, name: &str, text: &str) {
    out.push('<');
    out.push_str(name);
    out.push('>');
    escape_text(text, out);
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}
