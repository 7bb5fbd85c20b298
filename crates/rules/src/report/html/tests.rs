//! A page that stands alone, whatever the documents hold.

use jiff::civil::date;

use super::*;
use crate::validate;
use quoin_formats::{read, samples};

fn page(name: &str, document: &str) -> String {
    let report = validate(&read(document.as_bytes()), date(2026, 8, 20));
    let section = Section { name, report: &report };
    let mut tally = VerdictTally::default();
    tally.add(report.verdict());
    let foot = Foot { tally };
    format!("{}{section}{foot}", PageHead { title: "Report", language: "en" })
}

#[test]
fn it_is_one_page_without_anything_from_outside() {
    let found = page("a.xml", samples::INVOICE);
    assert!(found.starts_with("<!DOCTYPE html>") && found.ends_with("</html>\n"));
    for outside in ["http://", "https://", "<script", "<img", "<link", "url(", "@import"] {
        assert!(!found.contains(outside), "{outside}");
    }
    assert!(found.contains("<em>valid</em>") && found.contains("1 documents, 1 valid"), "{found}");
}

#[test]
fn a_finding_has_its_place_and_values() {
    let found = page("a.xml", &samples::INVOICE.replace(">79.21</cbc:Pay", ">79.20</cbc:Pay"));
    for part in [
        "<strong>BR-CO-16</strong>",
        "<dd>79.20</dd>",
        "<dd>79.21</dd>",
        "not valid",
        "quoin explain BR-CO-16",
    ] {
        assert!(found.contains(part), "{part} is not in {found}");
    }
}

#[test]
fn what_a_document_holds_is_never_markup() {
    let evil = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;";
    let document = samples::INVOICE.replace("urn:cen.eu:en16931:2017#compliant", evil);
    let found = page("<img src=x onerror=alert(1)>'\".xml", &document);
    assert!(!found.contains("<script") && !found.contains("<img"), "{found}");
    assert!(found.contains("&lt;img src=x onerror=alert(1)&gt;&#39;&quot;.xml"), "{found}");
}
