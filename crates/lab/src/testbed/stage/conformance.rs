//! Whether a message is as the profile wants it from a sender: what a lenient receiver would let
//! pass, too (checklist, the rows of senders in sections A and D).

use jiff::{SignedDuration, Timestamp};
use quoin_peppol::as4::{INITIATOR, RESPONDER, ReceivedMessage, parse_mime};
use quoin_peppol::sbdh::{self, Sbdh};
use quoin_xml::tree::{Document, Element, Limits};

use super::slot::SimulatedParticipant;

/// How far the clock of a sender may be off.
const CLOCK: SignedDuration = SignedDuration::from_mins(5);

/// The id of the envelope, and everything that is not as the profile wants it.
pub(super) fn problems(
    slot: &SimulatedParticipant,
    kind: &str,
    body: &[u8],
    received: &ReceivedMessage,
) -> (String, Vec<String>) {
    let mut found = Vec::new();
    let envelope = match sbdh::read_checked(&received.payload, &Limits::default()) {
        Ok(envelope) => envelope.sbdh,
        Err(refusal) => return (String::new(), vec![format!("the envelope: {refusal}")]),
    };
    compare(slot, received, &envelope, &mut found);
    match parse_mime(kind, body) {
        Ok(parts) => {
            package(&parts, &mut found);
            let soap = parts.first().map(|part| part.body.as_ref()).unwrap_or_default();
            if let Ok(document) = Document::parse(soap, &Limits::default()) {
                header(document.root(), &mut found);
            }
        }
        Err(error) => found.push(error.to_string()),
    }
    (envelope.instance, found)
}

/// Header, envelope and registration say the same.
fn compare(
    slot: &SimulatedParticipant,
    received: &ReceivedMessage,
    envelope: &Sbdh,
    found: &mut Vec<String>,
) {
    let message = &received.message;
    let pairs = [
        ("eb:Action (A-09)", &message.action, envelope.document_type.to_string()),
        ("eb:Service (A-08)", &message.service, envelope.process.value().to_owned()),
        ("eb:Service/@type (A-08)", &message.service_type, envelope.process.scheme().to_owned()),
        ("originalSender (A-11)", &message.original_sender, envelope.sender.to_string()),
        ("finalRecipient (A-11)", &message.final_recipient, envelope.receiver.to_string()),
        ("eb:From (A-05)", &message.from, received.signer.common_name.clone()),
        ("the document type (E-05)", &message.action, slot.full_type.to_string()),
        ("the receiver", &message.final_recipient, slot.participant.to_string()),
        ("the process", &message.service, slot.process.value().to_owned()),
    ];
    for (name, said, expected) in pairs {
        if !said.eq_ignore_ascii_case(&expected) {
            found.push(format!("{name} is {said:?}, expected {expected:?}"));
        }
    }
    let off = Timestamp::now().duration_since(message.timestamp);
    if off.abs() > CLOCK {
        found.push(format!("eb:Timestamp (A-04) is {}, {off:#} from now", message.timestamp));
    }
}

/// One attachment that tells no file name.
fn package(parts: &[quoin_peppol::as4::MimePart<'_>], found: &mut Vec<String>) {
    if parts.len() != 2 {
        found.push(format!("{} parts (A-14), expected the SOAP part and one more", parts.len()));
    }
    let disposition = parts.iter().filter_map(|part| part.header("content-disposition"));
    for disposition in disposition.filter(|line| line.contains("filename")) {
        if !disposition.contains("payload.xml") {
            found.push(format!("Content-Disposition (A-16) is {disposition:?}"));
        }
    }
}

fn header(root: Element<'_>, found: &mut Vec<String>) {
    let all = |local: &'static str| root.descendants().filter(move |e| e.local() == local);
    for (side, role) in [("From", INITIATOR), ("To", RESPONDER)] {
        let said = all(side).flat_map(|side| side.elements()).find(|e| e.local() == "Role");
        let said = said.map(|role| role.text().trim().to_owned()).unwrap_or_default();
        if said != role {
            found.push(format!("eb:{side}/eb:Role (A-06) is {said:?}, expected {role:?}"));
        }
    }
    for agreement in all("AgreementRef") {
        for attribute in ["type", "pmode"] {
            if agreement.attribute(attribute).is_some() {
                found.push(format!("eb:AgreementRef (A-07) has @{attribute}"));
            }
        }
    }
    let tracking =
        all("Property").any(|property| property.attribute("name") == Some("trackingIdentifier"));
    if tracking {
        found.push("there is a trackingIdentifier (A-12)".to_owned());
    }
}
