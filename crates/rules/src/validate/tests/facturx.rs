//! The structure of a profile of Factur-X is that of its own schema.

use quoin_formats::convert::{ConversionRequest, convert_at};
use quoin_testing::containers::{Reference, pdf};

use super::*;
use crate::validate_file;

const EVERY_TERM: &str = include_str!("../../../../formats/samples/every-term-cii.xml");

/// What the sample becomes in a profile.
fn profile(name: &str) -> String {
    let rounding = "<ram:RoundingAmount>0.50</ram:RoundingAmount>";
    let parsed = read(EVERY_TERM.replace(rounding, "").as_bytes());
    let request = ConversionRequest::named(name).unwrap();
    convert_at(parsed.root().unwrap(), request).unwrap().document
}

fn structure(text: &str) -> Vec<String> {
    let report = report(text);
    let own = report.findings.iter().filter(|own| own.step == ValidationStep::Structure);
    own.map(|own| format!("{} {}", own.rule, own.message)).collect()
}

/// BG-3 is there any number of times in EN 16931, and once in CII D16B.
fn twice(text: &str) -> String {
    let (from, until) = ("<ram:InvoiceReferencedDocument>", "</ram:InvoiceReferencedDocument>");
    let start = text.find(from).unwrap();
    let end = start + text[start..].find(until).unwrap() + until.len();
    format!("{}{}{}", &text[..end], &text[start..end], &text[end..])
}

#[test]
fn a_profile_has_what_its_schema_has() {
    for name in ["minimum", "basic-wl", "basic", "en16931", "extended"] {
        let text = profile(&format!("factur-x-{name}"));
        assert_eq!(structure(&text), [""; 0], "{name}");
    }
    for name in ["basic-wl", "basic", "en16931", "extended"] {
        let text = twice(&profile(&format!("factur-x-{name}")));
        assert_eq!(structure(&text), [""; 0], "{name}");
    }
    let model = ("<ram:ModelID>", "<ram:BatchID>B-1</ram:BatchID><ram:ModelID>");
    let name = "<ram:Name>";
    let text = profile("factur-x-extended");
    let item = text.find("<ram:SpecifiedTradeProduct>").unwrap();
    let at = item + text[item..].find(name).unwrap();
    let more = "<ram:IndustryAssignedID>I-1</ram:IndustryAssignedID>";
    let text = format!("{}{more}{}", &text[..at], &text[at..]);
    assert!(!text.contains(model.0) && structure(&text).is_empty(), "{:?}", structure(&text));
}

#[test]
fn a_profile_has_no_more_than_its_schema_has() {
    for name in ["basic-wl", "basic", "extended"] {
        let text = profile(&format!("factur-x-{name}"));
        let note = "<ram:Content>";
        assert!(text.contains(note), "{name}");
        let wrong = text.replacen(note, "<ram:Content languageID=\"de\">", 1);
        let found = structure(&wrong);
        assert!(found.iter().any(|own| own.contains("languageID")), "{name}: {found:?}");
    }
}

/// The core of EN 16931 is of either release of CII; another CIUS is of the one that it names.
#[test]
fn the_core_is_of_either_release_of_cii() {
    assert_eq!(structure(&twice(EVERY_TERM)), [""; 0]);
    let xrechnung = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
    let own = "urn:cen.eu:en16931:2017<";
    assert!(EVERY_TERM.contains(own));
    let text = twice(&EVERY_TERM.replace(own, &format!("{xrechnung}<")));
    assert!(!structure(&text).is_empty());
}

/// In its PDF the core is the profile of Factur-X.
#[test]
fn in_its_pdf_the_schema_is_that_of_factur_x() {
    let found = |text: &str, file: &str| {
        let file = pdf(file, text.as_bytes(), "EN 16931", Reference::Table);
        let all = validate_file(&file, date(2026, 8, 20), &Options::default());
        let findings = all.into_iter().flat_map(|judged| judged.report.findings);
        let own = findings.filter(|own| own.step == ValidationStep::Structure);
        own.map(|own| own.message).collect::<Vec<_>>()
    };
    let text = profile("factur-x-en16931");
    assert_eq!(found(&text, "factur-x.xml"), [""; 0]);
    let language = text.replacen("<ram:Content>", "<ram:Content languageID=\"de\">", 1);
    assert!(!found(&language, "factur-x.xml").is_empty());
    assert_eq!(found(&language, "zugferd-invoice.xml"), [""; 0]);
}
