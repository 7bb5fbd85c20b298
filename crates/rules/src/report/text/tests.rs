//! What a terminal shows.

use jiff::civil::date;

use super::*;
use crate::validate;
use quoin_formats::{read, samples};

fn text(document: &str, brief: bool) -> String {
    let report = validate(&read(document.as_bytes()), date(2026, 8, 20));
    ReportText { name: "a.xml", report: &report, colour: false, brief }.to_string()
}

fn wrong() -> String {
    samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay")
}

#[test]
fn a_valid_document_is_one_line() {
    let found = text(samples::INVOICE, false);
    assert_eq!(
        found,
        "a.xml: valid · Peppol BIS Billing 3 · eu.cen.en16931:ubl:1.3.16, \
         eu.peppol.bis3:invoice-core:2026.5\n"
    );
}

#[test]
fn a_finding_teaches() {
    let found = text(&wrong(), false);
    for part in [
        "a.xml: NOT VALID · Peppol BIS Billing 3",
        " · 1 error\n",
        "\n  fatal BR-CO-16  (BT-115",
        "\n      at        line ",
        "/Invoice[1]/cac:LegalMonetaryTotal[1]/cbc:PayableAmount[1]\n",
        "\n      found     79.20\n      expected  79.21\n      to fix    the program that made",
        "\n      more      quoin explain BR-CO-16\n",
    ] {
        assert!(found.contains(part), "{part:?} is not in\n{found}");
    }
    assert!(found.lines().all(|line| line.chars().count() <= 130), "{found}");
}

#[test]
fn brief_is_one_line_each() {
    assert_eq!(text(&wrong(), true).lines().count(), 1);
}

#[test]
fn a_document_cannot_write_to_the_terminal() {
    let customization = "urn:x\u{1b}[2J\u{202e}evil";
    let mut report = validate(&read(wrong().as_bytes()), date(2026, 8, 20));
    report.findings[0].value = Some(customization.to_owned());
    report.findings[0].message = format!("Found {customization}.");
    let found = ReportText { name: "\u{7}a.xml\nb", report: &report, colour: false, brief: false };
    let found = found.to_string();
    assert!(!found.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{found:?}");
    assert!(found.starts_with("\u{fffd}a.xml\u{fffd}b: "), "{found:?}");
}

#[test]
fn what_is_coming_and_what_differs_is_told() {
    let mut report = validate(&read(samples::INVOICE.as_bytes()), date(2026, 8, 20));
    let findings = validate(&read(wrong().as_bytes()), date(2026, 8, 20)).findings;
    let (rule_set, from) = ("eu.peppol.bis3:invoice:2026.11".to_owned(), date(2026, 11, 16));
    report.coming.push(Coming { rule_set, from, findings });
    let rule = "BR-CO-10".to_owned();
    report.differences.push(Difference {
        rule,
        rule_set: "".into(),
        builtin: Some(0),
        official: 2,
    });
    let found = ReportText { name: "-", report: &report, colour: true, brief: false }.to_string();
    assert!(found.contains("will be refused from 2026-11-16"), "{found}");
    assert!(found.contains("BR-CO-10: built-in 0, official 2"), "{found}");
    assert!(found.contains("\u{1b}[32mvalid\u{1b}[0m"), "{found}");
}

#[test]
fn a_report_speaks_the_language_of_its_findings() {
    use crate::{Options, validate_with};
    use quoin_model::Language;

    let parsed = read(wrong().as_bytes());
    for (language, verdict, parts) in [
        (Language::Nl, "NIET GELDIG", [" · 1 fout\n", "regel ", "gevonden ", "herstellen "]),
        (Language::De, "NICHT GÜLTIG", [" · 1 Fehler\n", "Zeile ", "gefunden ", "zu beheben "]),
        (Language::Fr, "NON VALIDE", [" · 1 erreur\n", "ligne ", "trouvé ", "à corriger "]),
        (Language::Pl, "NIEPOPRAWNY", [" · błędy: 1\n", "wiersz ", "jest ", "do poprawy "]),
    ] {
        let options = Options { language, ..Options::default() };
        let report = validate_with(&parsed, date(2026, 8, 20), &options);
        let found =
            ReportText { name: "a", report: &report, colour: false, brief: false }.to_string();
        assert!(found.starts_with(&format!("a: {verdict} ")), "{found}");
        for part in parts {
            assert!(found.contains(part), "{part:?} is not in\n{found}");
        }
        for word in ["line ", "found ", "expected ", "to fix", "fatal BR"] {
            let kept = word == "fatal BR" && language == Language::De;
            assert!(kept || !found.contains(word), "{word:?} is in\n{found}");
        }
        let section = super::super::html::Section { name: "a", report: &report }.to_string();
        assert!(!section.contains("Who can fix it") && section.contains(parts[1]), "{section}");
    }
}
