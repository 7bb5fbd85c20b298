//! A SOAP envelope: the places in it that everything else starts from, and which of its headers are
//! meant for us.
//!
//! Sources: SOAP 1.2 part 1, sections 5 and 2.2; Web Services Security 1.1.1, section 5.

use quoin_xml::namespaces::DS;
use quoin_xml::tree::{Document, Element};

use super::error::{As4Refusal, EbmsCode};
use super::names::{EB, SOAP, WSSE};
use super::security::policy;

/// The places in an envelope that everything else starts from.
#[derive(Debug)]
pub(super) struct Soap<'d> {
    pub messaging: Element<'d>,
    pub body: Element<'d>,
    header: Element<'d>,
}

impl<'d> Soap<'d> {
    pub(super) fn read(document: &'d Document) -> Result<Soap<'d>, As4Refusal> {
        let root = document.root();
        if !root.is(SOAP, "Envelope") {
            let found = root.qualified_name();
            return Err(invalid(format!("expected a SOAP 1.2 envelope, found {found}")));
        }
        let header = only(root, SOAP, "Header")?;
        let body = only(root, SOAP, "Body")?;
        let messaging = only(header, EB, "Messaging")?;
        if !matches!(messaging.attribute_ns(SOAP, "mustUnderstand"), Some("true" | "1")) {
            return Err(invalid("eb:Messaging must be marked mustUnderstand"));
        }
        Ok(Soap { messaging, body, header })
    }

    /// Every header that must be understood is understood here (SOAP 1.2 part 1, 5.2.3).
    pub(super) fn understood(&self) -> Result<(), As4Refusal> {
        let known =
            |header: &Element<'_>| header.is(EB, "Messaging") || header.is(WSSE, "Security");
        let demanded = |header: &Element<'_>| {
            matches!(header.attribute_ns(SOAP, "mustUnderstand").map(str::trim), Some("true" | "1"))
        };
        // What is meant for another node on the way is not ours to understand.
        let strange = self.header.elements().find(|h| !known(h) && demanded(h) && is_ours(*h));
        strange.map_or(Ok(()), |header| {
            let name = header.qualified_name();
            Err(invalid(format!("the header {name} must be understood, and is not known here")))
        })
    }

    /// The security header. Beside ours there may be others, each for another node on the way
    /// (Web Services Security 1.1.1, section 5).
    pub(super) fn security(&self) -> Result<Element<'d>, As4Refusal> {
        let found: Vec<_> = self.header.children_named(WSSE, "Security").collect();
        let ours: Vec<_> = found.iter().copied().filter(|header| is_ours(*header)).collect();
        match (found.as_slice(), ours.as_slice()) {
            ([], _) => Err(policy("the message is not signed")),
            ([one], _) | (_, [one]) => Ok(*one),
            _ => Err(policy("there is more than one wsse:Security header")),
        }
    }

    /// Whether there is a signature anywhere in the security headers, whatever it is worth.
    pub(super) fn is_signed(&self) -> bool {
        let mut headers = self.header.children_named(WSSE, "Security");
        headers.any(|security| security.child(DS, "Signature").is_some())
    }

    /// The one user message; signals and pulls have no place here.
    pub(super) fn user_message(&self) -> Result<Element<'d>, As4Refusal> {
        if let Some(signal) = self.messaging.child(EB, "SignalMessage") {
            let what = signal.elements().nth(1).map_or("SignalMessage", Element::local);
            return Err(As4Refusal::new(
                EbmsCode::ProcessingModeMismatch,
                format!("only one-way push is supported here, found {what}"),
            ));
        }
        only(self.messaging, EB, "UserMessage")
    }

    pub(super) fn signal_message(&self) -> Result<Element<'d>, As4Refusal> {
        only(self.messaging, EB, "SignalMessage")
    }
}

/// Whether a header is meant for the end of the way, or for every node on it.
fn is_ours(header: Element<'_>) -> bool {
    let role = header.attribute_ns(SOAP, "role").unwrap_or_default();
    role.is_empty() || role.ends_with("/ultimateReceiver") || role.ends_with("/next")
}

fn only<'d>(parent: Element<'d>, namespace: &str, local: &str) -> Result<Element<'d>, As4Refusal> {
    let mut found = parent.children_named(namespace, local);
    let first = found.next().ok_or_else(|| invalid(format!("{local} is missing")))?;
    match found.next() {
        None => Ok(first),
        Some(_) => Err(invalid(format!("there is more than one {local}"))),
    }
}

fn invalid(detail: impl Into<String>) -> As4Refusal {
    As4Refusal::new(EbmsCode::InvalidHeader, detail)
}
