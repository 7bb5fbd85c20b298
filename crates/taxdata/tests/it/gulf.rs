//! The United Arab Emirates and Oman: their invoices and the reports that they show of them.

use std::path::PathBuf;

use quoin_formats::read;
use quoin_taxdata::*;
use quoin_testing::shared;
use quoin_xml::c14n;

use crate::told::*;

fn emirates() -> Option<Vec<PathBuf>> {
    let folder = shared("tax-data/ae-1.0.4/peppol-uae-testfiles/billing")?;
    let mut all = files(&folder.join("inv"));
    all.extend(files(&folder.join("cn")));
    Some(all)
}

#[test]
fn reports_of_the_emirates_keep_the_rules() {
    let (Some(sources), Some(judge)) = (emirates(), Judge::of(Regime::Emirates)) else { return };
    for source in sources {
        let name = name(&source);
        let source = document(&source);
        let report = report(Regime::Emirates, ReporterRole::Corner2, &source)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        judge.accepts(&report.xml, &name);
        let expected = if name.contains("Exports - predefined") {
            TaxScope::InternationalElsewhere
        } else if name.contains("Exports") {
            TaxScope::InternationalOverPeppol
        } else {
            TaxScope::Domestic
        };
        assert_eq!(report.scope, expected, "{name}");
    }
}

/// Samples of reports whose invoices are published, by the identifier of the invoice.
#[test]
fn reports_are_those_of_the_emirates() {
    let (Some(sources), Some(folder)) = (emirates(), shared("tax-data/ae-1.0.4/trn-tdd/example"))
    else {
        return;
    };
    let mut compared = 0;
    for sample in files(&folder) {
        let name = name(&sample);
        let sample = document(&sample);
        let said = read_report(&sample).unwrap_or_else(|error| panic!("{name}: {error}"));
        let is_of = |source: &&PathBuf| {
            let source = document(source);
            let invoice = ReportableInvoice::of(&source).unwrap();
            let own = assess(&invoice, Regime::Emirates, ReporterRole::Corner2).unwrap();
            Some(own.invoice_uuid.to_string()) == said.invoice_uuid
        };
        let Some(source) = sources.iter().find(is_of) else { continue };
        let report = report_like(Regime::Emirates, &sample, &document(source)).unwrap();
        let report = read(&report.xml);
        let mut own = OWN.to_vec();
        // The samples leave the invoice out, and the scheme of one number is made up.
        own.push("/TaxData/ReportedTransaction/SourceDocument");
        if name.contains("commercial") {
            let seller = "/TaxData/ReportedTransaction/ReportedDocument/AccountingSupplierParty";
            own.push(seller);
        }
        same(&content_without(&report, &own), &content_without(&sample, &own), &name);
        compared += 1;
    }
    assert!(compared >= 2, "{compared}");
}

/// Samples of Oman have the invoice in them.
#[test]
fn reports_are_those_of_oman() {
    let (Some(folder), Some(judge)) =
        (shared("tax-data/om-1.0.1/trn-tdd/example"), Judge::of(Regime::Oman))
    else {
        return;
    };
    let mut compared = 0;
    for sample in files(&folder) {
        let name = name(&sample);
        let sample = document(&sample);
        let inside = sample
            .root()
            .unwrap()
            .descendants()
            .find(|one| one.local() == "ExtensionContent")
            .and_then(|one| one.elements().next());
        // Some samples have a word in place of the invoice.
        let Some(inside) = inside.filter(|one| one.elements().count() > 5) else { continue };
        let mut bytes = Vec::new();
        c14n::exclusive(inside, &[], usize::MAX, &mut bytes).unwrap();
        let report = report_like(Regime::Oman, &sample, &read(&bytes))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        judge.accepts(&report.xml, &name);
        let report = read(&report.xml);
        let mut own = OWN.to_vec();
        own.push("/TaxData/ReportedTransaction/IssueDate");
        own.push("/TaxData/ReportedTransaction/IssueTime");
        same(&content_without(&report, &own), &content_without(&sample, &own), &name);
        compared += 1;
    }
    assert!(compared >= 2, "{compared}");
}
