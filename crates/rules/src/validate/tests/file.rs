//! Files as they come: plain, in an archive, in something that does not open.

use jiff::civil::Date;

use super::*;
use crate::{Options, ValidatedDocument, validate_file};
use quoin_formats::Syntax;
use quoin_testing::containers::{Entry, zip};

const DAY: Date = date(2026, 5, 20);

fn judged(bytes: &[u8]) -> Vec<ValidatedDocument> {
    validate_file(bytes, DAY, &Options::default())
}

fn multipart(parts: &[&str]) -> Vec<u8> {
    let mut text = "Content-Type: multipart/mixed; boundary=b\r\n\r\n".to_owned();
    for part in parts {
        text.push_str(&format!("--b\r\nContent-Type: application/xml\r\n\r\n{part}\r\n"));
    }
    (text + "--b--\r\n").into_bytes()
}

#[test]
fn a_plain_document_is_its_own() {
    let all = judged(samples::INVOICE.as_bytes());
    assert_eq!((all.len(), all[0].name.as_ref(), all[0].report.is_valid()), (1, None, true));
}

#[test]
fn each_document_of_a_container_has_a_report() {
    let wrong = samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay");
    let all = judged(&multipart(&[samples::INVOICE, &wrong]));
    let verdicts: Vec<_> = all.iter().map(|judged| judged.report.is_valid()).collect();
    assert_eq!(verdicts, [true, false]);
    assert!(!all[0].report.detection.wrappers.is_empty());
}

/// A thousand documents with a thousand findings each would be a report of hundreds of megabytes.
#[test]
fn the_reports_of_a_container_have_a_bound_together() {
    let strange: String = (0..400).map(|at| format!("<cbc:Foo{at}>1</cbc:Foo{at}>")).collect();
    let wrong = samples::INVOICE.replace(
        "<cac:AccountingSupplierParty>",
        &format!("{strange}<cac:AccountingSupplierParty>"),
    );
    let alone = judged(wrong.as_bytes()).remove(0).report;
    assert!(alone.findings.len() >= 400 && alone.omitted == 0, "{}", alone.findings.len());
    let all = judged(&multipart(&[wrong.as_str(); 40]));
    assert_eq!(all.len(), 40);
    let findings: usize = all.iter().map(|judged| judged.report.findings.len()).sum();
    assert!((10_000..=10_500).contains(&findings), "{findings}");
    for ValidatedDocument { report, .. } in &all {
        assert!(report.findings.len() >= 10 && !report.is_valid());
        assert_eq!(report.findings.len() + report.omitted, alone.findings.len());
    }
}

#[test]
fn the_envelope_around_a_file_is_judged_beside_what_is_in_the_file() {
    let envelope = |content: &str| {
        format!(
            "<e:StandardBusinessDocument xmlns:e='{}'><e:StandardBusinessDocumentHeader/>\
             <BinaryContent xmlns='http://peppol.eu/xsd/ticc/envelope/1.0' \
             mimeType='application/xml'>{content}</BinaryContent></e:StandardBusinessDocument>",
            quoin_formats::detection::SBDH,
        )
    };
    let text = envelope(&quoin_xml::base64::encode(samples::INVOICE.as_bytes()));
    let all = judged(text.as_bytes());
    let [inside, outside] = &all[..] else { panic!("{all:#?}") };
    assert_eq!(inside.report.detection.syntax, Some(Syntax::UblInvoice));
    assert!(!inside.report.has("QUOIN-SBDH-VERSION"));
    assert!(outside.report.has("QUOIN-SBDH-VERSION") && !outside.report.is_valid());
    assert!(outside.report.findings.iter().all(|own| own.rule.starts_with("QUOIN-SBDH-")));
    // What cannot be opened has one report, about both.
    let damaged = judged(envelope("!").as_bytes());
    assert!(damaged.len() == 1 && damaged[0].report.has("QUOIN-SBDH-VERSION"), "{damaged:#?}");
}

#[test]
fn what_does_not_open_says_why() {
    let all = judged(b"PK\x03\x04 and then nothing of an archive");
    let [only] = &all[..] else { panic!("{all:?}") };
    assert!(!only.report.is_valid());
    let message = &only.report.findings[0].message;
    assert!(message.contains("could not be opened"), "{message}");
}

#[test]
fn what_stands_beside_a_document_is_named_and_not_judged() {
    let archive = zip(&[
        Entry("readme.txt", b"hello", 8, 0),
        Entry("a.xml", samples::INVOICE.as_bytes(), 8, 0),
        Entry("x.png", b"\x89PNG", 8, 0),
    ]);
    let mail = multipart(&[samples::INVOICE]).into_iter();
    let mail = String::from_utf8(mail.collect()).unwrap();
    let mail = mail.replacen("--b\r\n", "--b\r\nContent-Type: text/plain\r\n\r\nhi\r\n--b\r\n", 1);
    for (file, names) in [(&archive[..], "readme.txt, x.png"), (mail.as_bytes(), "1: text/plain")] {
        let all = judged(file);
        let [only] = &all[..] else { panic!("{all:#?}") };
        assert!(only.report.is_valid(), "{:#?}", only.report.findings);
        let [beside] = &only.report.findings[..] else { panic!("{:#?}", only.report.findings) };
        assert_eq!((&*beside.rule, beside.value.as_deref()), ("QUOIN-ATTACHMENTS", Some(names)));
        assert_eq!(only.report.count(quoin_model::Flag::Information), 1);
    }
    // Where there is no document, that is said of each part; XML is always judged.
    let none = judged(&zip(&[Entry("readme.txt", b"hello", 8, 0), Entry("x.png", b"x", 8, 0)]));
    assert!(none.iter().all(|one| !one.report.is_valid()) && none.len() == 2, "{none:#?}");
    let invoice = samples::INVOICE.as_bytes();
    let broken = judged(&zip(&[Entry("a.xml", invoice, 8, 0), Entry("b.xml", b"hello", 8, 0)]));
    let verdicts: Vec<bool> = broken.iter().map(|one| one.report.is_valid()).collect();
    assert_eq!(verdicts, [true, false]);
}
