//! Validation as a whole: the steps, the places, the profiles, and that it completes on anything.

use super::*;
use crate::Verdict;
use crate::own::OWN;
use crate::report::StepOutcome;
use jiff::civil::date;
use proptest::prelude::*;
use quoin_formats::{read, samples};
use quoin_model::finding::{MAX_FINDINGS, MAX_MESSAGE};
use quoin_model::{FixBy, Flag};

mod facturx;
mod file;
mod hybrid;
mod many;
mod official;
mod verdicts;

fn report(bytes: impl AsRef<[u8]>) -> Report {
    validate(&read(bytes.as_ref()), date(2026, 8, 20))
}

fn outcomes(report: &Report) -> Vec<StepOutcome> {
    report.steps.iter().map(|result| result.outcome).collect()
}

fn with_customization(customization: &str) -> String {
    let bis = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
    samples::INVOICE.replace(bis, customization)
}

#[test]
fn a_valid_document_passes_every_step() {
    let report = report(samples::INVOICE);
    assert!(report.is_valid());
    assert_eq!(outcomes(&report), [StepOutcome::Passed; 5]);
    assert_eq!(
        report.rule_sets,
        ["eu.cen.en16931:ubl:1.3.16", "eu.peppol.bis3:invoice-core:2026.5"]
    );
}

#[test]
fn a_finding_says_what_where_and_who() {
    let text = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    let report = report(&text);
    let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
    assert_eq!(finding.rule, "BR-CO-16");
    assert_eq!((finding.step, finding.flag), (ValidationStep::Rules, Flag::Fatal));
    assert_eq!(finding.value.as_deref(), Some("79.20"));
    assert_eq!(finding.expected.as_deref(), Some("79.21"));
    assert_eq!(finding.fix_by, FixBy::SourceSystem);
    let place = finding.location.as_ref().unwrap();
    assert_eq!(place.xpath, "/Invoice[1]/cac:LegalMonetaryTotal[1]/cbc:PayableAmount[1]");
    let line = text.lines().nth(place.line as usize - 1).unwrap();
    assert!(line[place.column as usize - 1..].starts_with("<cbc:PayableAmount"), "{line}");
    assert!(finding.message.contains("Expected 79.21, found 79.20"), "{}", finding.message);
    assert_eq!(outcomes(&report)[3], StepOutcome::Failed);
}

#[test]
fn json_is_lower_camel_case_and_comes_back() {
    let report = report(samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay"));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["findings"][0]["fixBy"], "sourceSystem");
    assert_eq!(json["findings"][0]["flag"], "fatal");
    assert_eq!(
        json["detection"]["customizationId"],
        report.detection.customization_id.clone().unwrap()
    );
    assert_eq!(json["detection"]["syntax"], "ublInvoice");
    assert_eq!(json["ruleSets"][0], "eu.cen.en16931:ubl:1.3.16");
    assert_eq!(serde_json::from_value::<Report>(json).unwrap(), report);
}

#[test]
fn what_is_not_read_is_a_completed_report() {
    let deep = format!("{}{}", "<a>".repeat(65), "</a>".repeat(65));
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>";
    for (bytes, rule) in [
        (&b""[..], "QUOIN-XML-EMPTY"),
        (b" \n ", "QUOIN-XML-EMPTY"),
        (b"hello", "QUOIN-XML-SYNTAX"),
        (b"<a><b></a>", "QUOIN-XML-SYNTAX"),
        (b"<a/><b/>", "QUOIN-XML-SYNTAX"),
        (b"<a>\xff</a>", "QUOIN-XML-ENCODING"),
        (b"<a>&nbsp;</a>", "QUOIN-XML-ENTITY"),
        (b"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "QUOIN-XML-DTD"),
        (bomb.as_bytes(), "QUOIN-XML-DTD"),
        (deep.as_bytes(), "QUOIN-XML-DEPTH"),
        (b"%PDF-1.7", "QUOIN-FORMAT-NOT-XML"),
        (b"PK\x03\x04....", "QUOIN-FORMAT-NOT-XML"),
        (b"{\"a\":1}", "QUOIN-FORMAT-NOT-XML"),
        (b"{}", "QUOIN-JSON-FORM"),
        (b"{\"number\":\"1\"}", "QUOIN-JSON-FORM"),
    ] {
        let report = report(bytes);
        let rules: Vec<_> = report.findings.iter().map(|finding| &*finding.rule).collect();
        assert_eq!(rules, [rule], "{:?}", String::from_utf8_lossy(bytes));
        assert!(!report.is_valid());
        assert_eq!(outcomes(&report)[1..], [StepOutcome::Skipped; 4]);
        assert!(report.findings[0].location.is_some());
    }
}

#[test]
fn formats_that_are_not_validated_are_named() {
    let isdoc = report("<x:Invoice xmlns:x='http://isdoc.cz/namespace/2013'/>");
    assert_eq!(isdoc.findings[0].rule, "QUOIN-FORMAT-UNSUPPORTED");
    assert!(isdoc.findings[0].message.contains("ISDOC"), "{}", isdoc.findings[0].message);
    assert_eq!(report("<Invoice/>").findings[0].rule, "QUOIN-FORMAT-UNKNOWN");
    assert!(!isdoc.is_valid());
}

#[test]
fn si_ubl_1_is_refused_since_2024() {
    let si = "urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:urn:www.peppol.eu:bis:\
              peppol4a:ver2.0:extended:urn:www.simplerinvoicing.org:si:si-ubl:ver1.2";
    let text = with_customization(si);
    let today = report(&text);
    let [finding] = &today.findings[..] else { panic!("{:?}", today.findings) };
    assert_eq!(finding.rule, "QUOIN-PROFILE-SI-UBL-1");
    for part in ["SI-UBL 1.2", "1 January 2024", "NLCIUS (SI-UBL 2.0)", "BIS Billing 3"] {
        assert!(finding.message.contains(part), "{part}: {}", finding.message);
    }
    let before = validate(&read(text.as_bytes()), date(2023, 12, 31));
    assert_eq!(before.verdict(), Verdict::NotJudged);
    assert!(before.has("QUOIN-PROFILE-LEGACY") && before.has("QUOIN-PROFILE-NO-RULES"));
    assert_eq!(standing::si_ubl_version("x:si-ubl:invoice:ver1.0"), Some("1.0"));
    assert_eq!(standing::si_ubl_version("x:si-ubl:ver1.1.3"), Some("1.1.3"));
    assert_eq!(standing::si_ubl_version("x:si-ubl:ver-badversion"), None);
}

#[test]
fn peppol_bis_2_is_refused_and_told_what_it_is() {
    let text = with_customization(
        "urn:www.cenbii.eu:transaction:biitrns010:ver2.0:extended:\
         urn:www.peppol.eu:bis:peppol4a:ver2.0",
    );
    let today = report(&text);
    let [finding] = &today.findings[..] else { panic!("{:?}", today.findings) };
    assert_eq!(finding.rule, "QUOIN-PROFILE-BIS-2");
    assert!(finding.message.contains("Peppol BIS 1 or 2"), "{}", finding.message);
    let before = validate(&read(text.as_bytes()), date(2020, 12, 31));
    assert_eq!(before.verdict(), Verdict::NotJudged);
    assert!(before.has("QUOIN-PROFILE-LEGACY"));
    // Another customization of the same transaction is still in use.
    let other = with_customization(
        "urn:www.cenbii.eu:transaction:biitrns001:ver2.0:extended:\
         urn:fdc:peppol-authority.co.uk:spec:ordering:ver1.0",
    );
    assert!(!report(&other).has("QUOIN-PROFILE-BIS-2"));
}

/// An envelope around the sample invoice.
fn enveloped(header: &str) -> String {
    let (_, body) = samples::INVOICE.split_once("?>").unwrap();
    format!(
        "<e:StandardBusinessDocument xmlns:e='{}'>{header}{}</e:StandardBusinessDocument>",
        quoin_formats::detection::SBDH,
        body.trim()
    )
}

#[test]
fn the_envelope_is_judged_with_the_document() {
    let inside = report(enveloped("<e:StandardBusinessDocumentHeader/>"));
    assert!(inside.has("QUOIN-SBDH-VERSION") && inside.has("QUOIN-SBDH-SCOPE"));
    assert!(inside.rule_sets.iter().any(|set| set == "eu.peppol:sbdh:2.0"));
    let place = inside.findings[0].location.as_ref().unwrap();
    assert!(place.xpath.starts_with("/e:StandardBusinessDocument[1]"), "{}", place.xpath);
    assert!(!report(samples::INVOICE).rule_sets.iter().any(|set| set.contains("sbdh")));
    // Whatever is in it, and with nothing in it.
    let text = enveloped("<e:StandardBusinessDocumentHeader/>").replace("Invoice", "Unknown");
    assert!(report(text).has("QUOIN-SBDH-PARTNER"));
    let empty =
        format!("<e:StandardBusinessDocument xmlns:e='{}'/>", quoin_formats::detection::SBDH);
    let empty = report(empty);
    assert!(empty.has("QUOIN-SBDH-HEADER") && empty.has("QUOIN-SBDH-PAYLOAD"));
}

#[test]
fn an_order_is_judged_by_the_release_of_its_day() {
    let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
    let order = |day: &str| {
        format!(
            "<Order xmlns='{ubl}:Order-2' xmlns:c='{ubl}:CommonBasicComponents-2'>\
             <c:CustomizationID>urn:fdc:peppol.eu:poacc:trns:order:3</c:CustomizationID>\
             <c:ProfileID>urn:fdc:peppol.eu:poacc:bis:order_only:3</c:ProfileID>\
             <c:IssueDate>{day}</c:IssueDate></Order>"
        )
    };
    // The day of sending, whatever day the document claims.
    let parsed = read(order("1999-12-31").as_bytes());
    for (day, release) in [
        (date(1999, 12, 31), "2025.11"),
        (date(2026, 8, 16), "2025.11"),
        (date(2026, 8, 17), "2026.5"),
    ] {
        let report = validate(&parsed, day);
        assert_eq!(report.rule_sets, [format!("eu.peppol.bis3:order:{release}")]);
        assert!(report.has("PEPPOL-T01-B00103") && !report.is_valid());
    }
}

#[test]
fn profiles_that_are_not_fully_known_are_warned_about() {
    for (customization, rule, sets) in [
        ("urn:some:unknown:id", "QUOIN-PROFILE-UNKNOWN", 1),
        ("urn:cen.eu:en16931:2017#conformant#urn:x:y", "QUOIN-PROFILE-PARTIAL", 1),
        ("OIOUBL-2.02", "QUOIN-PROFILE-LEGACY", 0),
        ("urn:factur-x.eu:1p0:minimum", "QUOIN-PROFILE-OTHER", 1),
    ] {
        let report = report(with_customization(customization));
        let expected = if sets == 0 { Verdict::NotJudged } else { Verdict::Valid };
        assert_eq!(report.verdict(), expected, "{customization}: {:?}", report.findings);
        assert!(report.has(rule), "{customization}: {:?}", report.findings);
        assert_eq!(report.rule_sets.len(), sets, "{customization}");
        assert_eq!(report.is_judged, sets > 0, "{customization}");
    }
}

#[test]
fn electronic_addresses() {
    const ONE: &str = "<cbc:EndpointID schemeID=\"0106\">87654321</cbc:EndpointID>";
    let with = |instead: &str| samples::NLCIUS_INVOICE.replace(ONE, instead);
    let end = |scheme: &str, id: &str| {
        with(&format!("<cbc:EndpointID schemeID=\"{scheme}\">{id}</cbc:EndpointID>"))
    };
    let (valid, unroutable, wrong) = (Verdict::Valid, Verdict::Unroutable, Verdict::NotValid);
    for (text, rule, verdict) in [
        (with(""), "QUOIN-ENDPOINT-MISSING", unroutable),
        (with(&format!("{ONE}{ONE}")), "QUOIN-ENDPOINT-REPEATED", wrong),
        (end("0106", " "), "QUOIN-ENDPOINT-EMPTY", unroutable),
        (end("0106", "8765 4321"), "QUOIN-ENDPOINT-SPACE", unroutable),
        (end("0106", "8765\u{a0}4321"), "QUOIN-ENDPOINT-SPACE", unroutable),
        (end("0106", "\n87654321 "), "QUOIN-ENDPOINT-TRIM", valid),
        (end("0106", "8765432"), "QUOIN-ENDPOINT-SHAPE", valid),
        (end("0190", "1"), "QUOIN-ENDPOINT-SHAPE", valid),
        (end("0208", "BE0202239951"), "QUOIN-ENDPOINT-SHAPE", valid),
        (end("9925", "0202239951"), "QUOIN-ENDPOINT-SHAPE", valid),
        (end("9944", "NL123456789"), "QUOIN-ENDPOINT-SHAPE", valid),
        (end("0088", "7300010000002"), "QUOIN-ENDPOINT-SHAPE", valid),
        (end("KVK", "87654321"), "BR-CL-25", wrong),
        (with("<cbc:EndpointID>87654321</cbc:EndpointID>"), "BR-63", wrong),
    ] {
        let report = report(&text);
        assert!(report.has(rule), "{rule}: {:?}", report.findings);
        assert_eq!(report.verdict(), verdict, "{rule}: {:?}", report.findings);
    }
    for (scheme, id) in [
        ("0190", "00000001234567890123"),
        ("0208", "0202239951"),
        ("9925", "BE0202239951"),
        ("9925", "be1234567890"),
        ("9944", "NL123456789B01"),
        ("0088", "7300010000001"),
        ("0007", "anything"),
    ] {
        assert_eq!(report(end(scheme, id)).findings, [], "{scheme}:{id}");
    }
    let pint = with("<cbc:EndpointID schemeID='KVK'>87654321</cbc:EndpointID>").replace(
        "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0",
        "urn:peppol:pint:billing-1@ng-1",
    );
    assert!(report(pint).has("QUOIN-ENDPOINT-SCHEME"), "no rule of the profile says it");
}

#[test]
fn what_a_rule_of_peppol_says_of_a_number_is_not_said_again() {
    let text = samples::INVOICE.replace(">87654321</cbc:EndpointID>", ">8765432</cbc:EndpointID>");
    let report = report(text);
    assert!(report.has("PEPPOL-COMMON-R054"), "{:?}", report.findings);
    assert!(!report.has("QUOIN-ENDPOINT-SHAPE"), "{:?}", report.findings);
}

#[test]
fn a_missing_party_is_missing_everything_but_breaks_nothing() {
    let text = samples::INVOICE.replace("cac:AccountingCustomerParty", "cac:BuyerCustomerParty");
    let report = report(text);
    for rule in ["QUOIN-UBL-MISSING", "BR-07", "BR-10", "QUOIN-ENDPOINT-MISSING"] {
        assert!(report.has(rule), "{rule}: {:?}", report.findings);
    }
}

#[test]
fn findings_beyond_the_limit_are_counted_and_still_count() {
    let kind = samples::SampleKind::Invoice;
    let text = samples::document(kind, samples::SENDER, samples::RECEIVER, "N", 1_200)
        .replace("</cbc:PriceAmount>", "E0</cbc:PriceAmount>");
    let report = report(text);
    assert_eq!(report.findings.len(), MAX_FINDINGS);
    assert_eq!(report.omitted, 200);
    assert_eq!(report.steps[2].fatal, 1_200);
    assert!(!report.is_valid());
}

#[test]
fn one_long_name_does_not_fill_the_report() {
    let long = "x".repeat(20_000);
    let parts = [
        format!("<{long}:a xmlns:{long}='u'/>").repeat(3),
        format!("<b xmlns='urn:{long}'>{}</b>", "<c/>".repeat(300)),
        format!("<d xmlns='urn:{long}'/>").repeat(300),
        format!("<cbc:{long}>{}</cbc:{long}>", "<cbc:Amount>1E1</cbc:Amount>".repeat(500)),
        format!("<cbc:Amount>{long}</cbc:Amount><cbc:IssueDate>{long}</cbc:IssueDate>"),
        format!(
            "<cac:TaxTotal><cbc:TaxAmount currencyID='{long}'>1</cbc:TaxAmount></cac:TaxTotal>"
        ),
    ];
    let text = with_customization(&format!("urn:cen.eu:en16931:2017#conformant#{long}"))
        .replace("poacc:billing:01:1.0", &long)
        .replace("  <cac:InvoiceLine>", &format!("{}<cac:InvoiceLine>", parts.concat()));
    let report = report(&text);
    assert_eq!(report.findings.len(), MAX_FINDINGS);
    let json = serde_json::to_string(&report).unwrap();
    assert!(json.len() < MAX_FINDINGS * 2_000, "{} bytes", json.len());
    for finding in &report.findings {
        assert!(finding.message.chars().count() <= MAX_MESSAGE + 1);
        assert!(finding.location.as_ref().is_none_or(|place| place.xpath.len() < 1_000));
    }
}

#[test]
fn the_table_of_our_own_findings_is_documentation() {
    for row in OWN {
        assert!(row.id.starts_with("QUOIN-"), "{}", row.id);
        assert!(row.meaning.ends_with('.') && row.remedy.ends_with('.'), "{}", row.id);
        assert_eq!(OWN.iter().filter(|other| other.id == row.id).count(), 1, "{}", row.id);
    }
}

/// Bytes with some of them changed, cut, doubled or put elsewhere.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let samples = [samples::INVOICE, samples::CREDIT_NOTE, samples::SELF_BILLED_INVOICE];
    let edit = (any::<u16>(), 0_usize..60, prop::sample::select(vec![0_u8, 1, 2, 3]), any::<u8>());
    (prop::sample::select(samples.to_vec()), prop::collection::vec(edit, 1..12)).prop_map(
        |(sample, edits)| {
            let mut bytes = sample.as_bytes().to_vec();
            for (at, length, kind, byte) in edits {
                let at = usize::from(at) % bytes.len().max(1);
                let end = (at + length).min(bytes.len());
                match kind {
                    0 => bytes[at..end].iter_mut().take(1).for_each(|b| *b = byte),
                    1 => drop(bytes.drain(at..end)),
                    2 => {
                        let piece = bytes[at..end].to_vec();
                        bytes.splice(at..at, piece);
                    }
                    _ => bytes[at..end].reverse(),
                }
            }
            bytes
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn completes_on_mutated_samples(bytes in mutated()) {
        let parsed = read(&bytes);
        let report = validate(&parsed, date(2026, 5, 20));
        prop_assert_eq!(report.steps.len(), 5);
        // A document that no rule set judges is not valid either, with nothing fatal in it.
        let is_wrong = report.fatal().any(|finding| finding.step != ValidationStep::Routing);
        prop_assert_eq!(report.verdict() == Verdict::NotValid, is_wrong);
        prop_assert!(!(is_wrong && report.is_valid()));
        let _ = parsed.header();
    }

    #[test]
    fn completes_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(report(&bytes).steps.len(), 5);
    }

    /// Elements of the sample swapped, emptied or doubled as wholes: still well-formed.
    #[test]
    fn completes_on_other_trees(values in prop::collection::vec("[0-9.eE, -]{0,12}", 1..8)) {
        let mut text = samples::INVOICE.to_owned();
        for (turn, value) in values.iter().enumerate() {
            let marks = [">79.21<", ">65.46<", ">13.75<", ">25.74<", ">39.72<", ">12.87<", ">2<"];
            text = text.replace(marks[turn % marks.len()], &format!(">{value}<"));
        }
        prop_assert!(report(&text).detection.well_formed);
    }
}
