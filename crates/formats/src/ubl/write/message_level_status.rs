//! The Message Level Status of Peppol MLS 1.0: what the receiving provider tells the sending one
//! about a document, identified by its envelope.
//!
//! Sources: Peppol MLS 1.0, sections on content, with its rules SCH-MLS-01 to 31; peppol-network
//! digest 6.4.

use jiff::civil::DateTime;

use super::UblWriter;
use quoin_model::ElectronicAddress;

const CUSTOMIZATION: &str = "urn:peppol:edec:mls:1.0";
const PROFILE: &str = "urn:peppol:edec:mls";

/// An issue of a status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusIssue {
    /// Where in the document: an XPath, or `NA`.
    pub place: String,
    /// The rule and what is wrong.
    pub text: String,
    /// `SV`, `BV`, `BW` or `FD`.
    pub reason: &'static str,
}

/// A Message Level Status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageLevelStatus {
    /// Its own number.
    pub id: String,
    /// When it is issued, in UTC.
    pub issued: DateTime,
    /// The provider that tells, by its identifier of scheme 0242.
    pub sender: ElectronicAddress,
    /// The provider that is told.
    pub receiver: ElectronicAddress,
    /// `AP`, `AB` or `RE`.
    pub code: &'static str,
    /// What happened, in words.
    pub description: String,
    /// The instance identifier of the document's envelope.
    pub envelope: String,
    /// What is wrong with the document.
    pub issues: Vec<StatusIssue>,
}

/// The message.
pub fn message_level_status(status: &MessageLevelStatus) -> String {
    let mut out = UblWriter::document("ApplicationResponse", CUSTOMIZATION, PROFILE);
    out.value("ID", &status.id);
    out.value("IssueDate", &status.issued.date().to_string());
    out.value("IssueTime", &format!("{}Z", status.issued.time().strftime("%H:%M:%S")));
    for (name, ElectronicAddress { scheme, value }) in
        [("SenderParty", &status.sender), ("ReceiverParty", &status.receiver)]
    {
        out.group(name, |out| out.attributed("EndpointID", &[("schemeID", scheme)], value));
    }
    out.group("DocumentResponse", |out| {
        out.group("Response", |out| {
            out.value("ResponseCode", status.code);
            out.optional("Description", Some(&status.description));
        });
        out.group("DocumentReference", |out| out.value("ID", &status.envelope));
        status.issues.iter().for_each(|issue| line(out, issue));
    });
    out.finish()
}

fn line(out: &mut UblWriter, issue: &StatusIssue) {
    out.group("LineResponse", |out| {
        out.group("LineReference", |out| out.value("LineID", &issue.place));
        out.group("Response", |out| {
            out.value("Description", &issue.text);
            out.group("Status", |out| out.value("StatusReasonCode", issue.reason));
        });
    });
}
