//! Whether the header of a message and the envelope in it say the same.

use quoin_peppol::as4::{As4Refusal, EbmsCode, ReceivedMessage};
use quoin_peppol::sbdh::Envelope;

/// The message header and the envelope say the same (checklist ).
pub(super) fn check_consistency(
    received: &ReceivedMessage,
    envelope: &Envelope,
) -> Result<(), As4Refusal> {
    let (message, header) = (&received.message, &envelope.sbdh);
    let pairs = [
        ("originalSender", &message.original_sender, header.sender.to_string(), true),
        ("finalRecipient", &message.final_recipient, header.receiver.to_string(), true),
        ("eb:Action", &message.action, header.document_type.to_string(), false),
        ("eb:Service", &message.service, header.process.value().to_owned(), false),
    ];
    // A header without the scheme says nothing else.
    let scheme = header.process.scheme();
    if ![scheme, ""].contains(&message.service_type.as_str()) {
        let said = &message.service_type;
        let detail = format!("eb:Service/@type is {said:?}, but the envelope says {scheme:?}");
        return Err(As4Refusal::new(EbmsCode::ValueInconsistent, detail));
    }
    for (name, said, enveloped, any_case) in pairs {
        let equal =
            if any_case { said.eq_ignore_ascii_case(&enveloped) } else { *said == enveloped };
        if !equal {
            let detail = format!("{name} is {said:?}, but the envelope says {enveloped:?}");
            return Err(As4Refusal::new(EbmsCode::ValueInconsistent, detail));
        }
    }
    Ok(())
}
