//! Envelopes that callers make: what is asked beside one is what it says, and where it leads is
//! told.

use quoin_delivery::Family;
use quoin_formats::samples;
use quoin_peppol::sbdh::CountryC1;

use super::super::{Plan, PlanInput, judged, plan};
use super::*;
use crate::rules::RuleLibrary;

const OWN: &str = "0106:12345678";
const NAMED: &str = "0106:87654321";
const OTHER: &str = "0106:55667788";
const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const NLCIUS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";

fn bis() -> String {
    format!(
        "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##{BIS}\
         ::2.1"
    )
}

/// An invoice for [`NAMED`] in an envelope for somebody.
fn enveloped(receiver: &str) -> Vec<u8> {
    let header = Sbdh {
        sender: OWN.parse().unwrap(),
        receiver: receiver.parse().unwrap(),
        document_type: bis().parse().unwrap(),
        process: "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:billing:01:1.0".parse().unwrap(),
        instance: "3b7e6bd4-6e8a-4b0e-9b4c-1f1b7f1c2a11".to_owned(),
        created: "2026-11-22T09:30:00Z".parse().unwrap(),
        country: CountryC1::new("NL").unwrap(),
        mls_to: None,
        mls_type: None,
        others: Vec::new(),
    };
    sbdh::wrap(&header, samples::invoice(OWN, NAMED, "1").as_bytes()).unwrap()
}

fn planned(document: &[u8], format: Option<&str>) -> Result<Plan, (String, String)> {
    let own = [OWN.parse().unwrap()];
    let target_format = format.map(str::to_owned);
    let wishes = SubmitOptions { target_format, ..SubmitOptions::default() };
    let ask = input(document, &own, &wishes);
    plan(&ask, &RuleLibrary::builtin()).map_err(|event| match *event {
        Event::Rejected { summary, findings } => (findings[0].rule.clone(), summary),
        other => panic!("{other:?}"),
    })
}

fn input<'a>(
    document: &'a [u8],
    own: &'a [ParticipantId],
    wishes: &'a SubmitOptions,
) -> PlanInput<'a> {
    let on = "2026-11-22T09:30:00Z".parse().unwrap();
    PlanInput { document, own, country: None, wishes, family: Family::Invoice, on }
}

/// A receiver of a Peppol document may have an identifier that its documents do not name; who sends
/// one to somebody else by mistake has to read of it.
#[test]
fn where_an_envelope_leads_to_another_receiver_the_timeline_says_so() {
    let told = planned(&enveloped(OTHER), None).unwrap();
    assert_eq!(told.receiver.to_string(), OTHER);
    assert!(told.summary.contains(OTHER_RECEIVER), "{}", told.summary);
    assert!(told.summary.contains(OTHER) && told.summary.contains(NAMED), "{}", told.summary);
    // The address of the sender is one of the document, and not of whom it is for.
    let own = planned(&enveloped(OWN), None).unwrap();
    assert!(own.summary.contains(OTHER_RECEIVER), "{}", own.summary);
    let same = planned(&enveloped(NAMED), None).unwrap();
    assert!(!same.summary.contains("QUOIN-"), "{}", same.summary);
}

#[test]
fn a_dry_run_has_the_warning_once_whoever_judges() {
    let (own, wishes) = ([OWN.parse().unwrap()], SubmitOptions::default());
    for receiver in [OTHER, OWN] {
        let document = enveloped(receiver);
        let report = judged(&input(&document, &own, &wishes), &RuleLibrary::builtin()).report;
        let found: Vec<_> =
            report.findings.iter().filter(|own| own.rule == OTHER_RECEIVER).collect();
        assert_eq!(found.len(), 1, "{receiver}");
        assert_eq!(found[0].flag, Flag::Warning);
    }
}

#[test]
fn the_form_that_is_asked_for_is_the_one_that_an_envelope_or_a_file_has() {
    let envelope = enveloped(NAMED);
    for format in [BIS, &bis()] {
        assert!(planned(&envelope, Some(format)).is_ok(), "{format}");
    }
    for format in
        [NLCIUS, "urn:foo", &bis().replace("Invoice-2::Invoice", "CreditNote-2::CreditNote")]
    {
        let (rule, text) = planned(&envelope, Some(format)).unwrap_err();
        assert_eq!(rule, ENVELOPE);
        assert!(text.contains("targetFormat is ") && text.contains(format), "{text}");
    }
    // Without an envelope it is converted later on.
    let bare = samples::invoice(OWN, NAMED, "1");
    assert!(planned(bare.as_bytes(), Some(NLCIUS)).is_ok());
    let file = OpenedUpload {
        parsed: quoin_formats::read(b"%PDF-1.7"),
        file: None,
        payload: OutboundPayload::File { media_type: "application/pdf" },
        refusal: None,
    };
    let asked = |format: &str| SubmitOptions {
        document_type: Some(bis()),
        target_format: Some(format.to_owned()),
        ..SubmitOptions::default()
    };
    assert!(file.check(&asked(BIS)).is_ok());
    match *file.check(&asked(NLCIUS)).unwrap_err() {
        Event::Rejected { findings, .. } => assert_eq!(findings[0].rule, CONVERSION),
        other => panic!("{other:?}"),
    }
}
