//! Conversion over every official document: every leaf has a fate, every term is there or listed,
//! and what was valid stays valid.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use jiff::civil::date;
use quoin_formats::convert::{ConversionTarget, Converted, Loss, LossKind, convert_at};
use quoin_formats::readers::{read_invoice_at, root};
use quoin_formats::{ParsedDocument, read};
use quoin_model::amount::Decimal;
use quoin_model::en16931::{BusinessTerm, Date, Invoice, InvoiceSyntax, Root};
use quoin_model::text::zoned_date;
use quoin_rules::{Report, validate};
use quoin_testing::shared;
use quoin_xml::tree::{Element, Node};

/// Files over this size are left to the benches.
const MAX_BYTES: u64 = 2_000_000;

/// Every XML file of the corpora, each content once.
#[allow(clippy::disallowed_methods, reason = "official artefacts, not all of them UTF-8")]
fn documents() -> Vec<(PathBuf, Vec<u8>)> {
    let Some(root) = shared("corpora") else { return Vec::new() };
    let (mut folders, mut files, mut seen) = (vec![root], Vec::new(), HashSet::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_xml = path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("xml"));
            if is_xml && path.metadata().unwrap().len() < MAX_BYTES {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        seen.insert(bytes.clone()).then_some((path, bytes))
    };
    files.into_iter().filter_map(read).collect()
}

fn report(parsed: &ParsedDocument) -> Report {
    validate(parsed, date(2026, 8, 20))
}

/// The rules that a report has fatal findings of; those on routing are stricter than the standard.
fn fatal(report: &Report) -> BTreeSet<String> {
    let rules = report.fatal().map(|finding| finding.rule.to_string());
    rules.filter(|rule| !rule.starts_with("QUOIN-ENDPOINT-")).collect()
}

/// The leaves of a document that say something, counted without the readers.
fn leaves(root: Element<'_>) -> usize {
    let says = |text: &str| !text.trim().is_empty();
    let own = |element: Element<'_>| {
        let texts = element.children().filter_map(|child| match child {
            Node::Text(text) => Some(text),
            _ => None,
        });
        usize::from(says(&texts.collect::<String>()))
    };
    let attributes = |element: Element<'_>| {
        element.attributes().filter(|attribute| says(attribute.value)).count()
    };
    root.descendants().map(|element| own(element) + attributes(element)).sum()
}

/// What each term says, in a form that does not depend on the syntax, each value once.
fn terms(invoice: &Invoice<'_>) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut all: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for term in invoice.terms().iter().filter(|term| !term.source.is_blank()) {
        all.entry(term.id).or_default().insert(said(term));
    }
    for note in invoice.notes.iter().filter(|note| note.text.is_filled()) {
        let said = match note.listed_subject() {
            Some((code, text)) if note.subject_code.is_absent() => format!("{code} {text}"),
            _ => {
                let code = note.subject_code.text().unwrap_or_default();
                format!("{code} {}", note.text.text().unwrap_or_default())
            }
        };
        all.entry("BG-1").or_default().insert(said.split_whitespace().collect());
    }
    all.remove("BT-21");
    all.remove("BT-22");
    all
}

fn said(term: &BusinessTerm<'_>) -> String {
    if let Some(day) = Date::from(term.source).day().or_else(|| zoned_date(&term.source.trimmed()))
    {
        return day.to_string();
    }
    let text = term.source.trimmed();
    match (term.id, text.as_ref()) {
        // UNTDID 2005 in UBL, 2475 in CII.
        ("BT-8", "3") => "5".to_owned(),
        ("BT-8", "35") => "29".to_owned(),
        ("BT-8", "432") => "72".to_owned(),
        _ => match Decimal::parse(&text) {
            Ok(number) => number.to_string(),
            Err(_) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        },
    }
}

/// The terms in which two documents differ, and of which the list says nothing.
fn unlisted(source: &Invoice<'_>, target: &Invoice<'_>, losses: &[Loss]) -> Vec<String> {
    let listed: BTreeSet<_> = losses.iter().filter_map(|loss| loss.term).collect();
    let (source, target) = (terms(source), terms(target));
    let ids: BTreeSet<_> = source.keys().chain(target.keys()).collect();
    let is_listed = |id: &str| {
        let note = id == "BG-1" && (listed.contains("BT-21") || listed.contains("BT-22"));
        note || listed.contains(id)
    };
    ids.into_iter()
        .filter(|id| source.get(**id) != target.get(**id) && !is_listed(id))
        .map(|id| format!("{id}: {:?} became {:?}", source.get(id), target.get(id)))
        .collect()
}

/// What one direction came to.
#[derive(Debug, Default)]
struct Outcome {
    documents: usize,
    valid: usize,
    refused: BTreeMap<String, usize>,
    leaves: usize,
    carried: usize,
    listed: usize,
    unlisted: usize,
    differences: Vec<String>,
    reasons: BTreeMap<String, usize>,
    no_longer_valid: BTreeMap<String, Vec<String>>,
}

impl Outcome {
    fn one(&mut self, path: &Path, parsed: &ParsedDocument, target: ConversionTarget) {
        let Some(root) = parsed.root() else { return };
        let Some(reading) = read_invoice_at(root) else { return };
        self.documents += 1;
        let before = report(parsed);
        let was_valid = before.is_judged && fatal(&before).is_empty();
        self.valid += usize::from(was_valid);
        let converted = match convert_at(root, target) {
            Ok(converted) => converted,
            Err(refusal) => {
                let word = format!("{refusal:?}");
                let word = word.split([' ', '(']).next().unwrap_or_default();
                *self.refused.entry(format!("{word} valid={was_valid}")).or_default() += 1;
                return;
            }
        };
        let name = path.display();
        self.count(&name.to_string(), root, &converted);
        let again = read(converted.document.as_bytes());
        let again_root = again.root().unwrap_or_else(|| panic!("{name}: {}", converted.document));
        let read_again = read_invoice_at(again_root).expect("an invoice");
        assert!(read_again.residue.is_empty(), "{name}: {:?}", read_again.residue);
        let lost = unlisted(&reading.invoice, &read_again.invoice, &converted.losses);
        self.unlisted += lost.len();
        self.differences.extend(lost.iter().map(|lost| format!("{name} {lost}")));
        if was_valid {
            self.validity(&name.to_string(), &fatal(&report(&again)));
        }
    }

    fn count(&mut self, name: &str, root: Element<'_>, converted: &Converted) {
        let (tally, all) = (converted.tally, leaves(root));
        assert_eq!(tally.leaves(), all, "{name}: {tally:?}");
        self.leaves += all;
        self.carried += tally.carried;
        self.listed += tally.listed;
        for loss in &converted.losses {
            let place = loss.term.unwrap_or("-");
            let key = format!("{} {place} {}", loss.kind.as_str(), loss.reason);
            if loss.kind == LossKind::Lost {
                let p: String = loss.source_path.chars().filter(|c| !c.is_ascii_digit()).collect();
                *self.reasons.entry(format!("PATH {p}")).or_default() += 1;
            }
            *self.reasons.entry(key).or_default() += 1;
        }
    }

    fn validity(&mut self, name: &str, after: &BTreeSet<String>) {
        for rule in after {
            self.no_longer_valid.entry(rule.clone()).or_default().push(name.to_owned());
        }
    }
}

fn over_the_corpora(target: ConversionTarget, from: InvoiceSyntax) -> Outcome {
    let mut outcome = Outcome::default();
    for (path, bytes) in documents() {
        let parsed = read(&bytes);
        let Some(own) = parsed.root().and_then(|_| parsed.tree().ok()).and_then(root) else {
            continue;
        };
        if own.syntax() == from {
            outcome.one(&path, &parsed, target);
        }
    }
    outcome
}

#[test]
fn every_ubl_document_becomes_cii() {
    let outcome = over_the_corpora(ConversionTarget::Cii, InvoiceSyntax::Ubl);
    println!("{outcome:#?}");
}

#[test]
fn every_cii_document_becomes_ubl() {
    let outcome = over_the_corpora(ConversionTarget::Ubl, InvoiceSyntax::Cii);
    println!("{outcome:#?}");
}
