//! What an arrived status about a message says: Message Level Status 1.0, Message Level Response
//! 3.0, and the response of BIS 36A before it. All three are UBL application responses; names are
//! compared without their namespace, and nothing is required.
//!
//! Sources: Peppol MLS 1.0; Peppol BIS Message Level Response 3; BIS 36A.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use crate::ParsedDocument;
use quoin_model::text::cut;

/// Issues that are kept.
const ISSUES: usize = 200;
/// Characters of each text that are kept.
const TEXT: usize = 1_000;

/// A status about a message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessageStatus {
    /// What became of it: `AP`, `AB`, `RE`.
    pub code: Option<String>,
    /// The same in words.
    pub description: Option<String>,
    /// What it names as the message: the instance identifier of the envelope, or in older statuses
    /// the number of the document.
    pub references: Vec<String>,
    /// What is wrong.
    pub issues: Vec<MessageIssue>,
}

/// An issue in a status.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessageIssue {
    /// Where, as it was written.
    pub place: Option<String>,
    /// `SV`, `BV`, `BW`, `FD`.
    pub reason: Option<String>,
    /// What is wrong.
    pub text: Option<String>,
}

impl ParsedDocument {
    /// What the document says as a status about a message; `None` where it is none.
    pub fn message_status(&self) -> Option<MessageStatus> {
        let root = self.root().filter(|root| root.local() == "ApplicationResponse")?;
        let about = child(root, "DocumentResponse")?;
        let response = child(about, "Response");
        let lines = about.elements().filter(|element| element.local() == "LineResponse");
        Some(MessageStatus {
            code: response.and_then(|response| text(response, &["ResponseCode"])),
            description: response.and_then(|response| text(response, &["Description"])),
            references: about
                .elements()
                .filter(|element| element.local() == "DocumentReference")
                .filter_map(|reference| text(reference, &["ID"]))
                .take(ISSUES)
                .collect(),
            issues: lines.take(ISSUES).map(issue).collect(),
        })
    }
}

fn issue(line: Element<'_>) -> MessageIssue {
    MessageIssue {
        place: text(line, &["LineReference", "LineID"]),
        reason: text(line, &["Response", "Status", "StatusReasonCode"]),
        text: text(line, &["Response", "Description"])
            .or_else(|| text(line, &["Response", "Status", "StatusReason"])),
    }
}

fn child<'d>(parent: Element<'d>, local: &str) -> Option<Element<'d>> {
    parent.elements().find(|element| element.local() == local)
}

/// The trimmed text at the end of a path, if there is one.
fn text(from: Element<'_>, path: &[&str]) -> Option<String> {
    let found = path.iter().try_fold(from, |parent, local| child(parent, local))?;
    let text: Cow<'_, str> = quoin_model::text::trimmed(found);
    (!text.is_empty()).then(|| cut(&text, TEXT).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use crate::ubl::write::{MessageLevelStatus, StatusIssue, message_level_status};

    #[test]
    fn a_status_is_read_as_it_was_written() {
        let end = |value: &str| quoin_model::ElectronicAddress {
            scheme: "0242".to_owned(),
            value: value.to_owned(),
        };
        let text = message_level_status(&MessageLevelStatus {
            id: "1".to_owned(),
            issued: jiff::civil::datetime(2026, 11, 21, 12, 0, 0, 0),
            sender: end("000001"),
            receiver: end("000002"),
            code: "RE",
            description: "It is wrong.".to_owned(),
            envelope: "e-1".to_owned(),
            issues: vec![StatusIssue {
                place: "/Invoice".to_owned(),
                text: "[BR-01] no number".to_owned(),
                reason: "BV",
            }],
        });
        let status = read(text.as_bytes()).message_status().unwrap();
        assert_eq!(
            (status.code.as_deref(), &status.references[..]),
            (Some("RE"), &["e-1".to_owned()][..])
        );
        assert_eq!(status.description.as_deref(), Some("It is wrong."));
        let [issue] = &status.issues[..] else { panic!("{status:?}") };
        assert_eq!(issue.place.as_deref(), Some("/Invoice"));
        assert_eq!(issue.reason.as_deref(), Some("BV"));
        assert_eq!(issue.text.as_deref(), Some("[BR-01] no number"));
    }

    /// The generation before has its reason in another place, and what is missing is missing.
    #[test]
    fn older_statuses_are_understood() {
        let text = "<a:ApplicationResponse xmlns:a='urn:x'><a:DocumentResponse>\
            <a:Response><a:ResponseCode listID='UNCL4343'> RE </a:ResponseCode></a:Response>\
            <a:DocumentReference><a:ID>F-1</a:ID></a:DocumentReference>\
            <a:LineResponse><a:LineReference><a:LineID/></a:LineReference><a:Response><a:Status>\
            <a:StatusReasonCode>BV</a:StatusReasonCode><a:StatusReason>bad</a:StatusReason>\
            </a:Status></a:Response></a:LineResponse></a:DocumentResponse></a:ApplicationResponse>";
        let status = read(text.as_bytes()).message_status().unwrap();
        assert_eq!((status.code.as_deref(), status.description), (Some("RE"), None));
        let text = Some("bad".to_owned());
        let issue = MessageIssue { place: None, reason: Some("BV".to_owned()), text };
        assert_eq!(status.issues, [issue]);
        assert_eq!(read(b"<Invoice/>").message_status(), None);
    }
}
