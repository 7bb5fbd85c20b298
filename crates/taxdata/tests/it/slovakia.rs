//! Slovakia: its invoices, and its samples of reports.

use std::fmt::Write as _;
use std::path::PathBuf;

use quoin_formats::read;
use quoin_taxdata::*;
use quoin_testing::shared;
use quoin_xml::tree::Element;
use quoin_xml::write::{escape_attribute, escape_text};

use crate::told::*;

const FOLDER: &str = "tax-data/sk-1.0.0";

fn sources() -> Option<Vec<PathBuf>> {
    let folder = shared(FOLDER)?.join("source-invoices");
    let mut all = files(&folder.join("invoice/good"));
    all.extend(files(&folder.join("creditnote/good")));
    Some(all)
}

#[test]
fn reports_keep_the_rules() {
    let (Some(sources), Some(judge)) = (sources(), Judge::of(Regime::Slovakia)) else { return };
    for source in sources {
        let name = name(&source);
        let source = document(&source);
        for role in [ReporterRole::Corner2, ReporterRole::Corner3] {
            match report(Regime::Slovakia, role, &source) {
                Ok(report) => judge.accepts(&report.xml, &name),
                // Not subject to VAT: nobody has a number by which an authority is found.
                Err(error) => {
                    let numbers = ["BT-31", "BT-48"];
                    let lacks = error.missing.iter().all(|one| numbers.contains(&one.term));
                    assert!(lacks, "{name}: {error}");
                }
            }
        }
    }
}

/// The samples have no invoices. An invoice that says what a sample says is reported as the sample.
#[test]
fn samples_are_told_as_they_are() {
    let Some(folder) = shared(FOLDER) else { return };
    let mut compared = 0;
    for sample in files(&folder.join("trn-tdd/example")) {
        let name = name(&sample);
        // Two samples have no amounts of tax, which the schema asks for.
        if name.contains("WithoutTaxes") {
            continue;
        }
        let sample = document(&sample);
        let source = read(invoice_of(sample.root().unwrap()).as_bytes());
        let report = match report_like(Regime::Slovakia, &sample, &source) {
            Ok(report) => read(&report.xml),
            Err(error) => {
                let lacks =
                    error.missing.iter().all(|one| one.term == "BT-31" || one.term == "BT-48");
                assert!(lacks, "{name}: {error}");
                continue;
            }
        };
        // Scope and identifier of the samples are made up.
        let mut own = OWN.to_vec();
        own.push("/TaxData/ReportedTransaction/ReportedDocument/UUID");
        own.push("/TaxData/DocumentScope");
        same(&content_without(&report, &own), &content_without(&sample, &own), &name);
        compared += 1;
    }
    assert!(compared >= 10, "{compared}");
}

/// The invoice that a report is of, as far as the report says it.
fn invoice_of(report: Element<'_>) -> String {
    let mut out = String::new();
    let reported = report
        .descendants()
        .find(|one| one.local() == "ReportedDocument")
        .expect("a reported document");
    let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
    let _ = write!(
        out,
        "<Invoice xmlns='{ubl}:Invoice-2' xmlns:cac='{ubl}:CommonAggregateComponents-2' \
         xmlns:cbc='{ubl}:CommonBasicComponents-2'>"
    );
    reported.elements().for_each(|one| copy(one, &mut out));
    out.push_str("</Invoice>");
    out
}

fn copy(element: Element<'_>, out: &mut String) {
    let leaf = element.elements().next().is_none();
    let name = match element.local() {
        "DocumentTypeCode" => "InvoiceTypeCode",
        "MonetaryTotal" => "LegalMonetaryTotal",
        "DocumentLine" => "InvoiceLine",
        other => other,
    };
    let prefix = if leaf { "cbc" } else { "cac" };
    let _ = write!(out, "<{prefix}:{name}");
    for attribute in element.attributes() {
        let _ = write!(out, " {}=\"", attribute.local);
        escape_attribute(attribute.value, out);
        out.push('"');
    }
    out.push('>');
    if leaf {
        escape_text(&element.text(), out);
    }
    element.elements().for_each(|one| copy(one, out));
    let _ = write!(out, "</{prefix}:{name}>");
}
