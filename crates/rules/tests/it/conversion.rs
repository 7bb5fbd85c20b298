//! Conversion over every official document: every leaf has a fate, every term is there or listed,
//! and what was valid stays valid.

mod cxml;
mod generated;
mod json;
mod missing;
mod orders;
mod profiles;
mod supplied;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use jiff::civil::{self, date};
use quoin_formats::convert::{ConversionTarget, Converted, Loss, LossKind, convert_at};
use quoin_formats::readers::{self, read_invoice_at};
use quoin_formats::{ParsedDocument, Syntax, read};
use quoin_model::amount::Decimal;
use quoin_model::en16931::{BusinessTerm, Date, Invoice};
use quoin_model::text::{cut, zoned_date};
use quoin_rules::{Report, validate};
use quoin_testing::shared;
use quoin_xml::tree::{Element, Node};

use supplied::Supplied;

/// Files over this size are left to the benches.
const MAX_BYTES: u64 = 2_000_000;

/// Every XML file of the corpora, each content once.
pub(crate) fn documents() -> Vec<(PathBuf, Vec<u8>)> {
    shared("corpora").map(below).unwrap_or_default()
}

/// Every XML file of one topic.
fn documents_of(topic: &str) -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
    shared(&format!("corpora/{topic}")).map(below).unwrap_or_default().into_iter()
}

#[allow(clippy::disallowed_methods, reason = "official artefacts, not all of them UTF-8")]
fn below(root: PathBuf) -> Vec<(PathBuf, Vec<u8>)> {
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
pub(crate) fn leaves(root: Element<'_>) -> usize {
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

/// Terms that one of the syntaxes says in each of several groups.
const REPEATED: &[&str] =
    &["BT-7", "BT-8", "BT-9", "BT-81", "BT-82", "BT-83", "BT-87", "BT-88", "BT-89", "BT-91"];

/// Terms that are days.
const DAYS: &[&str] =
    &["BT-2", "BT-7", "BT-9", "BT-26", "BT-72", "BT-73", "BT-74", "BT-134", "BT-135"];

/// Values by term.
type Terms = BTreeMap<&'static str, Vec<String>>;

/// What each term says, in a form that does not depend on the syntax: every value, sorted.
fn terms(invoice: &Invoice<'_>, is_said: fn(&BusinessTerm<'_>) -> bool) -> Terms {
    let mut all: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let values = invoice.terms();
    for term in values.iter().filter(|term| !term.source.is_blank() && is_said(term)) {
        let text = term.source.trimmed();
        let text = cut(&text, Loss::MAX_VALUE);
        all.entry(term.id).or_default().push(said(term.id, &text, Some(term)));
    }
    for note in invoice.notes.iter().filter(|note| note.text.is_filled()) {
        let said = match note.listed_subject() {
            Some((code, text)) if note.subject_code.is_absent() => format!("{code} {text}"),
            _ => {
                let code = note.subject_code.text().unwrap_or_default();
                format!("{code} {}", note.text.text().unwrap_or_default())
            }
        };
        all.entry("BG-1").or_default().push(said.split_whitespace().collect());
    }
    all.remove("BT-21");
    all.remove("BT-22");
    for (id, values) in &mut all {
        values.sort();
        if REPEATED.contains(id) {
            values.dedup();
        }
    }
    all
}

fn said(id: &str, text: &str, term: Option<&BusinessTerm<'_>>) -> String {
    let day = term.and_then(|term| Date::from(term.source).day());
    let compact = || {
        let is_day = DAYS.contains(&id) && text.len() == 8;
        is_day.then(|| civil::Date::strptime("%Y%m%d", text).ok()).flatten()
    };
    if let Some(day) = day.or_else(|| zoned_date(text)).or_else(compact) {
        return day.to_string();
    }
    match (id, text) {
        // UNTDID 2005 in UBL, 2475 in CII.
        ("BT-8", "3") => "5".to_owned(),
        ("BT-8", "35") => "29".to_owned(),
        ("BT-8", "432") => "72".to_owned(),
        _ => match Decimal::parse(text) {
            Ok(number) => number.to_string(),
            // A row has so much of a value at least.
            Err(_) => {
                let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
                words.chars().take(400).collect()
            }
        },
    }
}

/// The values of `one` that are not in `other`, each as often as it is missing.
fn without(one: &[String], other: &[String]) -> Vec<String> {
    let mut left = other.to_vec();
    let mut is_missing = |value: &&String| match left.iter().position(|own| own == *value) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    };
    one.iter().filter(|value| is_missing(value)).cloned().collect()
}

/// The values of a term whose leaf has a row, under whatever term.
fn listed_leaves(invoice: &Invoice<'_>, losses: &[Loss], id: &str) -> Vec<String> {
    let is_lost = |loss: &&Loss| loss.kind != LossKind::Derived;
    let listed: HashSet<&str> =
        losses.iter().filter(is_lost).map(|loss| loss.source_path.as_str()).collect();
    let values = invoice.terms();
    let own = values.iter().filter(|term| term.id == id);
    let own = own.filter(|term| listed.contains(term.source.path().as_str()));
    own.map(|term| said(id, &term.source.trimmed(), Some(term))).collect()
}

/// The terms in which two documents differ, and of which the list says nothing: each value that is
/// missing must have a row, and each that is new a row which says that something is written.
pub(crate) fn unlisted(source: &Invoice<'_>, target: &Invoice<'_>, losses: &[Loss]) -> Vec<String> {
    unlisted_of(source, target, losses, false)
}

/// As [`unlisted`]; where groups are there `doubled`, a value again is not lost.
fn unlisted_of(
    source: &Invoice<'_>,
    target: &Invoice<'_>,
    losses: &[Loss],
    doubled: bool,
) -> Vec<String> {
    // What the source does not say itself has no leaf that could be lost.
    let said_itself = terms(source, |term| term.source.derivation().is_none());
    let invoice = source;
    let readers = Supplied::of(target, losses);
    let (source, target) = (terms(source, |_| true), terms(target, |_| true));
    let ids: BTreeSet<_> = source.keys().chain(target.keys()).copied().collect();
    let mut found = Vec::new();
    for id in ids {
        let of = |all: &BTreeMap<_, Vec<String>>| all.get(id).cloned().unwrap_or_default();
        let (own, source, target) = (of(&said_itself), of(&source), of(&target));
        let is_of_note = |path: &str| path.contains("Note") || path.contains("/notes/");
        let is_note = |loss: &&Loss| {
            id == "BG-1" && (is_of_note(&loss.source_path) || loss.term == Some("BT-22"))
        };
        let rows: Vec<&Loss> =
            losses.iter().filter(|loss| loss.term == Some(id) || is_note(loss)).collect();
        let lost = rows.iter().filter(|row| row.kind != LossKind::Derived);
        let listed: Vec<String> = lost.map(|row| said(id, &row.value, None)).collect();
        let written = rows.iter().any(|row| row.target_path.is_some());
        let mut missing = without(&without(&own, &target), &listed);
        if doubled {
            missing.retain(|value| !target.contains(value));
        }
        if !missing.is_empty() {
            // A leaf that is two terms has a row for one of them.
            missing = without(&missing, &listed_leaves(invoice, losses, id));
        }
        let missing = readers.missing(id, &missing);
        let new = readers.written(id, &source);
        let is_note_listed = id == "BG-1" && !rows.is_empty();
        if (!missing.is_empty() && !is_note_listed) || (!new.is_empty() && !written) {
            found.push(format!("{id}: {missing:?} missing, {new:?} new"));
        }
    }
    found
}

/// What one direction came to.
#[derive(Debug, Default)]
struct Outcome {
    documents: usize,
    valid: usize,
    still_valid: usize,
    announced: usize,
    refused: BTreeMap<String, usize>,
    leaves: usize,
    carried: usize,
    listed: usize,
    unlisted: usize,
    differences: Vec<String>,
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
        let after = report(&again);
        // There are no rules of these.
        if was_valid && ![ConversionTarget::JSON, ConversionTarget::CXML].contains(&target) {
            self.validity(&name.to_string(), &fatal(&after), &converted.losses);
        }
    }

    fn count(&mut self, name: &str, root: Element<'_>, converted: &Converted) {
        let (tally, all) = (converted.tally, leaves(root));
        assert_eq!(tally.leaves(), all, "{name}: {tally:?}");
        self.leaves += all;
        self.carried += tally.carried;
        self.listed += tally.listed;
    }

    /// What was valid is valid, or the list says by which rule it is not.
    fn validity(&mut self, name: &str, after: &BTreeSet<String>, losses: &[Loss]) {
        self.still_valid += usize::from(after.is_empty());
        let says = |rule: &str| losses.iter().any(|loss| loss.reason.contains(rule));
        let (announced, not): (Vec<_>, Vec<_>) = after.iter().partition(|rule| says(rule));
        self.announced += usize::from(!announced.is_empty() && not.is_empty());
        for rule in not {
            self.no_longer_valid.entry(rule.clone()).or_default().push(name.to_owned());
        }
    }

    /// Nothing is lost that is not listed, and no more is refused or invalid than is known.
    fn holds(&self, refused: &[(&str, usize)], no_longer_valid: &[(&str, usize)]) {
        println!("{self:#?}");
        if self.documents == 0 {
            return;
        }
        assert_eq!(self.differences, Vec::<String>::new());
        let known: BTreeMap<_, _> =
            refused.iter().map(|(why, n)| ((*why).to_owned(), *n)).collect();
        assert_eq!(self.refused, known);
        let found: Vec<_> =
            self.no_longer_valid.iter().map(|(rule, files)| (rule.as_str(), files.len())).collect();
        assert_eq!(found, no_longer_valid);
    }
}

fn is_cii(syntax: Syntax) -> bool {
    syntax == Syntax::Cii
}

fn over_the_corpora(target: ConversionTarget, from: fn(Syntax) -> bool) -> Outcome {
    let mut outcome = Outcome::default();
    for (path, bytes) in documents() {
        let parsed = read(&bytes);
        let Some(own) = parsed.tree().ok().and_then(readers::syntax) else { continue };
        if from(own) {
            outcome.one(&path, &parsed, target);
        }
    }
    outcome
}

#[test]
fn every_ubl_document_becomes_cii() {
    let outcome = over_the_corpora(ConversionTarget::CII, Syntax::is_ubl_invoice);
    let refused = [
        // BR-16, which it breaks as it is.
        ("NoLines valid=false", 1),
        // Taxes and specifications of PINT outside of Europe.
        ("OtherTax valid=false", 36),
        ("OtherTax valid=true", 35),
        ("SpecificationWithoutPlace valid=false", 1),
        ("SpecificationWithoutPlace valid=true", 89),
        // BG-DEX-09 of XRechnung.
        ("ThirdPartyPayment valid=false", 3),
        ("ThirdPartyPayment valid=true", 5),
        ("TypeWithoutPlace valid=false", 3),
    ];
    outcome.holds(&refused, &[]);
}

#[test]
fn every_cii_document_becomes_ubl() {
    let outcome = over_the_corpora(ConversionTarget::UBL, is_cii);
    let refused = [
        // Groups of lines of Factur-X EXTENDED without a price or a category, and of mixed VAT.
        ("LineHierarchy valid=false", 2),
        ("LineHierarchy valid=true", 3),
        // MINIMUM and BASIC WL.
        ("NoLines valid=false", 3),
        ("NoLines valid=true", 4),
    ];
    outcome.holds(&refused, &[]);
}

/// There and back again: what is missing or new after both ways is listed by one of them.
#[test]
fn there_and_back_again() {
    let (mut documents, mut found) = (0, Vec::new());
    for (path, bytes) in documents_of("transform-gobl").chain(documents_of("transform-cii2ubl")) {
        let parsed = read(&bytes);
        let Some(root) = parsed.root() else { continue };
        let Some(reading) = read_invoice_at(root) else { continue };
        let (there, back) = match reading.syntax {
            Syntax::UblInvoice | Syntax::UblCreditNote => {
                (ConversionTarget::CII, ConversionTarget::UBL)
            }
            Syntax::Cii => (ConversionTarget::UBL, ConversionTarget::CII),
            // There is no way back to these.
            _ => continue,
        };
        let Ok(other) = convert_at(root, there) else { continue };
        let middle = read(other.document.as_bytes());
        let again = convert_at(middle.root().unwrap(), back).expect("what was converted converts");
        let end = read(again.document.as_bytes());
        let end = read_invoice_at(end.root().unwrap()).unwrap();
        let losses = [other.losses, again.losses].concat();
        let lost = unlisted(&reading.invoice, &end.invoice, &losses);
        found.extend(lost.iter().map(|lost| format!("{} {lost}", path.display())));
        documents += 1;
    }
    println!("{documents} documents there and back");
    assert!(documents == 0 || documents > 140, "{documents}");
    assert_eq!(found, Vec::<String>::new());
}
