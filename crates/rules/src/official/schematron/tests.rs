//! The door to the Schematron engine: flags, places inside an envelope, tests that cannot run.

use jiff::civil::date;

use super::*;
use crate::official::{Applies, OfficialSet, OfficialSetKind};
use crate::{Options, validate_with};
use quoin_formats::{read, samples};

const RULES: &str = r#"<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2">
<title>House rules</title>
<ns prefix="cbc" uri="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"/>
<ns prefix="ubl" uri="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>
<pattern id="P1"><rule context="/ubl:Invoice">
<assert id="H-1" flag="fatal" test="cbc:ID = 'X'">[H-1]-The number is X, not <value-of
 select="cbc:ID"/>.</assert>
<assert id="H-2" role="warning" test="false()" diagnostics="d">Always.</assert>
<report id="H-3" flag="information" test="true()">Seen.</report>
<assert test="false()">[H-4] in its text.</assert>
<assert id="H-5" test="xs:date(cbc:ID) = xs:date('2026-01-01')">A date.</assert>
</rule></pattern>
<diagnostics><diagnostic id="d">More about <name/>.</diagnostic></diagnostics>
</schema>"#;

fn set(text: &str) -> Result<OfficialSet, OfficialFileError> {
    let description = Description {
        coordinate: "org.example:house:1".parse().unwrap(),
        title: "House rules".to_owned(),
        kind: OfficialSetKind::Rules,
        file: "sch/house.sch".to_owned(),
        phase: None,
        from: None,
        until: None,
        applies: Applies::default(),
    };
    let files = [("sch/house.sch".to_owned(), text.as_bytes().to_vec())].into();
    OfficialSet::new(description, &files)
}

fn report(document: &str) -> crate::Report {
    let sets = [std::sync::Arc::new(set(RULES).unwrap())];
    let options = Options { exactly: Some(&sets), ..Options::default() };
    validate_with(&read(document.as_bytes()), date(2026, 5, 20), &options)
}

#[test]
fn flags_are_those_of_the_file() {
    let report = report(samples::INVOICE);
    let flags: Vec<_> = report.findings.iter().map(|f| (&*f.rule, f.flag)).collect();
    assert_eq!(
        flags,
        [
            ("H-1", Flag::Fatal),
            ("H-2", Flag::Warning),
            ("H-3", Flag::Information),
            ("H-4", Flag::Fatal),
            ("H-5", Flag::Fatal)
        ]
    );
    let [first, second, third, ..] = &report.findings[..] else { panic!() };
    assert!(first.message.contains("The number is X, not F2026-0001"), "{}", first.message);
    let place = first.location.as_ref().unwrap();
    assert_eq!((place.xpath.as_str(), place.line > 0), ("/Invoice[1]", true));
    assert_eq!(first.rule_set.as_deref(), Some("org.example:house:1"));
    let assertion = first.assertion.as_ref().unwrap();
    assert_eq!((assertion.pattern.as_deref(), &*assertion.context), (Some("P1"), "/ubl:Invoice"));
    assert_eq!(assertion.test, "cbc:ID = 'X'");
    assert_eq!(second.assertion.as_ref().unwrap().diagnostics, ["More about Invoice."]);
    assert!(third.assertion.as_ref().unwrap().is_report);
}

#[test]
fn a_test_that_cannot_run_is_fatal_and_marked() {
    let report = report(samples::INVOICE);
    let found = report.findings.iter().find(|finding| finding.rule == "H-5").unwrap();
    assert!(found.assertion.as_ref().unwrap().failed_to_run);
    assert!(found.message.contains("FORG0001") && found.message.contains("A date."), "{found:?}");
}

#[test]
fn inside_an_envelope_places_are_those_of_the_file() {
    let (_, body) = samples::INVOICE.split_once("?>").unwrap();
    let envelope = format!(
        "<e:StandardBusinessDocument xmlns:e='{}'>\n<e:StandardBusinessDocumentHeader/>\n{}\n\
         </e:StandardBusinessDocument>",
        quoin_formats::detection::SBDH,
        body.trim()
    );
    let plain = report(samples::INVOICE);
    let inside = report(&envelope);
    assert_eq!(plain.findings.len(), inside.findings.len());
    let place = inside.findings[0].location.as_ref().unwrap();
    assert_eq!(place.xpath, "/e:StandardBusinessDocument[1]/Invoice[1]");
    assert_eq!((place.line, place.column), (3, 1));
}

#[test]
fn what_is_not_supported_is_refused_with_its_place() {
    let wrong = RULES.replace("test=\"false()\"", "test=\"unknown-function()\"");
    let error = set(&wrong).unwrap_err().to_string();
    assert!(
        error.starts_with("sch/house.sch:7:") || error.starts_with("sch/house.sch:8:"),
        "{error}"
    );
    let error = set("<schema>").unwrap_err().to_string();
    assert!(error.contains("sch/house.sch"), "{error}");
}
