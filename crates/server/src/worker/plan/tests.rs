//! Who sends: the party that uploads, whatever the document or what is asked beside it says.

use quoin_document::samples;

use super::*;

const OWN: &str = "0106:12345678";
const OTHER: &str = "0106:55667788";
const RECEIVER: &str = "0106:87654321";

/// The plan of a document that the party uploads with a senderId, or the rule that it breaks.
fn sent(document: &str, sender: Option<&str>) -> Result<String, String> {
    let own: Vec<ParticipantId> =
        [OWN, "9944:NL123456782B01"].iter().map(|id| id.parse().unwrap()).collect();
    let wishes = Wishes { sender: sender.map(str::to_owned), ..Wishes::default() };
    let ask = Ask {
        document: document.as_bytes(),
        own: &own,
        country: None,
        wishes: &wishes,
        family: Family::Invoice,
        on: "2026-11-22T09:30:00Z".parse().unwrap(),
    };
    match plan(&ask, &RuleDesk::builtin()) {
        Ok(plan) => Ok(plan.sender.to_string()),
        Err(event) => match *event {
            Event::Rejected { findings, .. } => Err(findings[0].rule.clone()),
            other => panic!("{other:?}"),
        },
    }
}

#[test]
fn a_document_that_names_another_sender_does_not_travel() {
    let (own, other) =
        (samples::invoice(OWN, RECEIVER, "1"), samples::invoice(OTHER, RECEIVER, "1"));
    let refused = || Err("QUOIN-ENDPOINT-SENDER".to_owned());
    let allowed = || Ok(OWN.to_owned());
    for (document, asked, expected) in [
        (&own, None, allowed()),
        (&own, Some(OWN), allowed()),
        (&own, Some("9944:NL123456782B01"), Ok("9944:NL123456782B01".to_owned())),
        (&own, Some(OTHER), refused()),
        (&other, None, refused()),
        (&other, Some(OTHER), refused()),
        (&other, Some(OWN), refused()),
    ] {
        assert_eq!(sent(document, asked), expected, "{asked:?}");
    }
}
