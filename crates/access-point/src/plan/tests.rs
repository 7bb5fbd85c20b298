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

/// The schema has a clause about the second address as well, which says less.
#[test]
fn a_rule_is_told_before_the_clause_of_the_schema_about_the_same_place() {
    let invoice = samples::invoice(OWN, RECEIVER, "1");
    let address = "<cbc:EndpointID schemeID=\"0106\">87654321</cbc:EndpointID>";
    assert!(invoice.contains(address));
    let twice = invoice.replacen(address, &address.repeat(2), 1);
    let refused = || {
        let wishes = SubmitOptions::default();
        let ask = PlanInput {
            document: twice.as_bytes(),
            own: &[],
            country: None,
            wishes: &wishes,
            family: Family::Invoice,
            on: "2026-11-22T09:30:00Z".parse().unwrap(),
        };
        match *plan(&ask, &RuleLibrary::builtin()).unwrap_err() {
            Event::Rejected { summary, findings } => (summary, findings),
            other => panic!("{other:?}"),
        }
    };
    let (summary, findings) = refused();
    assert!(summary.starts_with("QUOIN-ENDPOINT-REPEATED: "), "{summary}");
    assert_eq!(findings[0].rule, "QUOIN-ENDPOINT-REPEATED");
    let clause = findings.last().unwrap();
    assert!(clause.rule.starts_with("cvc-") && clause.path == findings[0].path, "{findings:?}");
    // A clause that nothing else speaks of comes first, as in the report.
    let place = "<cac:OrderReference>";
    let strange = invoice.replacen(place, &format!("{place}<cbc:Id>1</cbc:Id>"), 1);
    assert_ne!(strange, invoice);
    assert!(sent(&strange, None).unwrap_err().starts_with("cvc-"));
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

/// What an invoice in JSON becomes for a receiver that takes these types; or why it does not.
fn converted_json(json: &str, types: &[&str]) -> Result<ConvertedPlan, Box<Event>> {
    let own: Vec<ParticipantId> = vec![OWN.parse().unwrap()];
    let wishes = SubmitOptions::default();
    let ask = PlanInput {
        document: json.as_bytes(),
        own: &own,
        country: Some("NL"),
        wishes: &wishes,
        family: Family::Invoice,
        on: "2026-11-22T09:30:00Z".parse().unwrap(),
    };
    let types: Vec<DocumentTypeId> = types.iter().map(|id| id.parse().unwrap()).collect();
    let source = quoin_formats::detect(json.as_bytes());
    let process = "cenbii-procid-ubl::urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0";
    let offers: Vec<_> = quoin_identity::targets(&types, &source, None)
        .into_iter()
        .map(|offer| {
            let process = if offer.specification.contains("selfbilling") {
                process.parse().unwrap()
            } else {
                process.replace("selfbilling", "billing").parse().unwrap()
            };
            quoin_identity::ProcessOffer { offer, process }
        })
        .collect();
    let (offers, _) = quoin_identity::by_course(offers, &source, None);
    let receiver = RECEIVER.parse().unwrap();
    let policy = quoin_formats::convert::LossPolicy::default();
    converted(&ask, None, (&offers, &receiver), (&policy, &RuleLibrary::builtin()))
}

/// A sample as JSON.
fn json(document: &str) -> String {
    let parsed = quoin_formats::read(document.as_bytes());
    let target = quoin_formats::convert::ConversionTarget::JSON;
    quoin_formats::convert::convert_at(parsed.root().unwrap(), target).unwrap().document
}

const UBL: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd";
const COMPLIANT: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc";

fn ubl_type(root: &str, profile: &str) -> String {
    format!("{UBL}:{root}-2::{root}##{COMPLIANT}:{profile}:3.0::2.1")
}

/// Its buyer sends it to its seller: who uploads what another one issues is told so.
#[test]
fn self_billing_in_json_is_sent_by_the_buyer_and_becomes_self_billing() {
    for (sample, root, code) in [
        (samples::SELF_BILLED_INVOICE, "Invoice", "389"),
        (samples::SELF_BILLED_CREDIT_NOTE, "CreditNote", "261"),
    ] {
        let routing = quoin_formats::read(sample.as_bytes()).routing().unwrap();
        let (sender, receiver) =
            (routing.sender.endpoint.unwrap(), routing.receiver.endpoint.unwrap());
        assert_eq!(format!("{}:{}", sender.scheme, sender.value), OWN, "the buyer");
        assert_eq!(format!("{}:{}", receiver.scheme, receiver.value), RECEIVER);
        let text = json(sample);
        // The other way round it is somebody else's.
        let turned = text.replace("12345678", "x").replace("87654321", "12345678");
        let turned = turned.replace("\"x\"", "\"87654321\"");
        assert_eq!(sent(&turned, None), Err("QUOIN-ENDPOINT-SENDER".to_owned()), "{code}");
        let own = ubl_type(root, "selfbilling");
        let types = [&*ubl_type(root, "billing"), &own];
        let found = converted_json(&text, &types).unwrap();
        assert_eq!(found.record.target_document_type_id, own);
        assert_eq!(found.plan.sender.to_string(), OWN);
        assert_eq!(found.plan.receiver.to_string(), RECEIVER);
        let changed = |row: &&quoin_formats::convert::Loss| {
            row.term.is_some_and(|term| matches!(term, "BT-34" | "BT-49"))
        };
        assert_eq!(found.record.losses.iter().find(changed), None);
        // Where nothing of self-billing is taken, no other document is made of it.
        let refused = converted_json(&text, &[&ubl_type(root, "billing")]);
        assert!(refused.is_err(), "{code}");
    }
}

/// What keeps an invoice from being converted is told by its own places, and of the type that it
/// would have.
#[test]
fn what_is_wrong_in_the_target_is_told_by_the_places_of_the_source() {
    let text = json(&samples::invoice(OWN, RECEIVER, "PLACES-1"));
    let due = text.find("\"due\": \"").unwrap() + "\"due\": \"".len();
    let wrong = format!("{}9{}", &text[..due], &text[due..]);
    let types = [ubl_type("CreditNote", "billing"), ubl_type("Invoice", "billing")];
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    converted_json(&text, &types).unwrap();
    let Event::Rejected { summary, findings } = *converted_json(&wrong, &types).unwrap_err() else {
        panic!("it is refused")
    };
    assert!(summary.contains("Invoice-2::Invoice") && !summary.contains("CreditNote"), "{summary}");
    let rules: Vec<_> = findings.iter().map(|line| (&*line.rule, &*line.path)).collect();
    assert_eq!(rules, [(CONVERSION, ""), ("BR-CO-16", "/totals/due")], "{summary}");
}

/// What is known of an invoice in JSON, and why it is not sent as what it names.
fn refused_json(text: &str) -> (DocumentSummary, Option<(String, Vec<FindingLine>)>) {
    let own: Vec<ParticipantId> = vec![OWN.parse().unwrap()];
    let wishes = SubmitOptions::default();
    let ask = PlanInput {
        document: text.as_bytes(),
        own: &own,
        country: Some("NL"),
        wishes: &wishes,
        family: Family::Invoice,
        on: "2026-11-22T09:30:00Z".parse().unwrap(),
    };
    let Planned { known, plan, convertible, .. } = judged(&ask, &RuleLibrary::builtin());
    let refused = match *plan.unwrap_err() {
        Event::Rejected { summary, findings } => (summary, findings),
        other => panic!("{other:?}"),
    };
    (known, Some(refused).filter(|_| convertible.is_none()))
}

/// An invoice that names its specification is that or nothing, whatever its receiver takes.
#[test]
fn an_invoice_in_json_is_judged_as_what_it_names() {
    let good = json(&samples::invoice(OWN, RECEIVER, "NAMED-1"));
    assert_eq!(refused_json(&good).1, None);
    let quantity = good.find("\"quantity\": {").unwrap();
    let at = quantity + good[quantity..].find("\"value\": \"").unwrap() + "\"value\": \"".len();
    let negative = format!("{}-{}", &good[..at], &good[at..]);
    let self_billed = good.replacen("\"typeCode\": \"380\"", "\"typeCode\": \"389\"", 1);
    for (text, rule, path) in [
        (&negative, "PEPPOL-EN16931-R120", "/lines/0"),
        (&self_billed, "PEPPOL-EN16931-P0100", "/typeCode"),
    ] {
        let (known, refused) = refused_json(text);
        let (summary, findings) = refused.unwrap_or_else(|| panic!("{rule}: it is not refused"));
        assert!(summary.contains("poacc:billing:3.0") && summary.contains(rule), "{summary}");
        let line = findings.iter().find(|line| line.rule == rule).unwrap();
        assert!(line.path.starts_with(path), "{line:?}");
        assert_eq!(known.sender.as_deref(), Some(OWN));
        // Without a specification it is what its receiver takes, as far as it can be.
        let named = text.find("\"specification\"").unwrap();
        let unnamed = format!("{}\"x\"{}", &text[..named], &text[named + 15..]);
        assert_eq!(quoin_formats::detect(unnamed.as_bytes()).customization_id, None);
        assert!(refused_json(&unnamed).1.is_none_or(|(summary, _)| !summary.contains("BT-24")));
    }
}

/// Whoever looks for a refused invoice finds it, though it could not be read.
#[test]
fn an_invoice_in_json_that_cannot_be_read_says_who_it_is() {
    let good = json(&samples::invoice(OWN, RECEIVER, "UNREAD-1"));
    let wrong = good.replacen("\"issueDate\": \"2026-", "\"issueDate\": \"2026-02-29", 1);
    assert_ne!(wrong, good);
    let (known, refused) = refused_json(&wrong);
    assert!(refused.unwrap().0.contains("/issueDate"));
    assert_eq!(known.number.as_deref(), Some("UNREAD-1"));
    assert_eq!(known.sender.as_deref(), Some(OWN));
    assert_eq!(known.receiver.as_deref(), Some(RECEIVER));
}

#[test]
fn a_clause_of_xml_schema_stands_behind_the_words_about_it() {
    let line = |rule: &str| FindingLine {
        rule: rule.to_owned(),
        path: String::new(),
        text: "It is wrong.".to_owned(),
    };
    for (rules, expected) in [
        (&["BR-1"][..], "BR-1: It is wrong."),
        (&["cvc-x.1"], "It is wrong. (cvc-x.1)"),
        (&["cvc-x.1", "BR-1"], "It is wrong. (cvc-x.1) (and 1 more)"),
        (&[], "The document is not valid."),
    ] {
        let lines: Vec<FindingLine> = rules.iter().map(|rule| line(rule)).collect();
        assert_eq!(listed(&lines), expected);
    }
}

/// A document in a form that the network does not have goes over another channel, whatever the name
/// of its version is.
#[test]
fn every_form_that_is_read_has_a_name_under_which_it_goes_elsewhere() {
    const FA3: &str = include_str!("../../../formats/samples/ksef.xml");
    const FATTURAPA: &str = include_str!("../../../formats/samples/fatturapa-abroad.xml");
    const EBINTERFACE: &str = include_str!("../../../formats/samples/ebinterface.xml");
    for (text, form) in
        [(FA3, "ksef-fa3::FA(3)"), (FATTURAPA, "fatturapa::"), (EBINTERFACE, "ebinterface::")]
    {
        // The sample of FA(3) has every element, not all of which go together.
        let is_right = |line: &&str| {
            !["<KursWalutyZ>", "<WalutaUmowna>", "<KursUmowny>"]
                .iter()
                .any(|own| line.contains(own))
        };
        let text = text.lines().filter(is_right).collect::<Vec<_>>().join("\n");
        let parsed = quoin_formats::read(text.as_bytes());
        let named = parsed.routing().and_then(|routing| routing.sender.endpoint);
        let named = named.map(|end| format!("{}:{}", end.scheme, end.value));
        let own: Vec<ParticipantId> =
            named.into_iter().chain([OWN.to_owned()]).filter_map(|id| id.parse().ok()).collect();
        let wishes =
            SubmitOptions { receiver: Some(RECEIVER.to_owned()), ..SubmitOptions::default() };
        let ask = PlanInput {
            document: text.as_bytes(),
            own: &own,
            country: Some("PL"),
            wishes: &wishes,
            family: Family::Document,
            on: "2026-11-22T09:30:00Z".parse().unwrap(),
        };
        let Planned { elsewhere, report, .. } = judged(&ask, &RuleLibrary::builtin());
        let plan = elsewhere.unwrap_or_else(|| panic!("{form}: {:?}", report.findings)).unwrap();
        let document_type = plan.document_type.to_string();
        assert!(document_type.contains(&format!("##{form}")), "{document_type}");
    }
}
