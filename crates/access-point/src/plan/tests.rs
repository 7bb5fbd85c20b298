//! Who sends: the party that uploads, whatever the document or what is asked beside it says.

use quoin_formats::samples;

use super::address::country;
use super::*;

const OWN: &str = "0106:12345678";
const OTHER: &str = "0106:55667788";
const RECEIVER: &str = "0106:87654321";

/// The plan of a document that the party uploads with a senderId, or the rule that it breaks.
fn sent(document: &str, sender: Option<&str>) -> Result<String, String> {
    let own: Vec<ParticipantId> =
        [OWN, "9944:NL123456782B01"].iter().map(|id| id.parse().unwrap()).collect();
    let wishes = SubmitOptions { sender: sender.map(str::to_owned), ..SubmitOptions::default() };
    let ask = PlanInput {
        document: document.as_bytes(),
        own: &own,
        country: None,
        wishes: &wishes,
        family: Family::Invoice,
        on: "2026-11-22T09:30:00Z".parse().unwrap(),
    };
    match plan(&ask, &RuleLibrary::builtin()) {
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

/// What a document with another country comes to: the country of its envelope, or the rule that it
/// breaks and the words.
fn country_of(code: &str) -> Result<String, (String, String)> {
    let invoice = samples::invoice(OWN, RECEIVER, "1");
    let place = "<cbc:IdentificationCode>NL</cbc:IdentificationCode>";
    let written = format!("<cbc:IdentificationCode>{code}</cbc:IdentificationCode>");
    let written = if code.is_empty() { String::new() } else { written };
    assert!(invoice.contains(place));
    let parsed = quoin_formats::read(invoice.replacen(place, &written, 1).as_bytes());
    let routing = parsed.routing().unwrap();
    match country(routing.sender.country.as_deref(), Some("BE")) {
        Ok(country) => Ok(country.as_str().to_owned()),
        Err(event) => match *event {
            Event::Rejected { summary, findings } => Err((findings[0].rule.clone(), summary)),
            other => panic!("{other:?}"),
        },
    }
}

#[test]
fn bo_5_an_envelope_names_a_country() {
    assert_eq!(country_of("NL").unwrap(), "NL");
    assert_eq!(country_of("EL").unwrap(), "GR");
    assert_eq!(country_of("1A").unwrap(), "1A");
    assert_eq!(country_of("").unwrap(), "BE", "the party's");
    for (code, hint) in [("UK", "GB is probably meant"), ("QQ", "QQ"), ("NLD", "NLD"), ("N", "N")] {
        let (rule, words) = country_of(code).unwrap_err();
        assert_eq!(rule, "QUOIN-COUNTRY-C1", "{code}");
        assert!(words.contains(hint), "{words}");
    }
}

#[test]
fn a_8_a_refused_document_says_what_it_is() {
    let own = [OWN.parse().unwrap()];
    let wishes = SubmitOptions::default();
    let ask = |document, family| PlanInput {
        document,
        own: &own,
        country: None,
        wishes: &wishes,
        family,
        on: "2026-11-22T09:30:00Z".parse().unwrap(),
    };
    let broken = samples::invoice(OWN, RECEIVER, "A8").replace("EUR", "EUX");
    let Planned { known, plan, .. } =
        judged(&ask(broken.as_bytes(), Family::Document), &RuleLibrary::builtin());
    plan.unwrap_err();
    assert_eq!(known.number.as_deref(), Some("A8"));
    assert_eq!(known.sender.as_deref(), Some(OWN));
    assert_eq!(known.receiver.as_deref(), Some(RECEIVER));
    assert_eq!(known.family, Some(Family::Invoice));
    assert!(known.document_type.unwrap().contains("Invoice-2::Invoice"));
    let Planned { known, plan, .. } =
        judged(&ask(b"<nothing", Family::Invoice), &RuleLibrary::builtin());
    plan.unwrap_err();
    assert_eq!(known, DocumentSummary::default());
}
