//! Orders and what follows them: every leaf of the corpora has a fate, and what is converted says
//! the same, but for what is listed.

mod samples;

use std::collections::{BTreeMap, BTreeSet};

use quoin_model::amount::Decimal;
use quoin_model::en16931::{BusinessTerm, ProcessControl};
use quoin_model::order::{OrderKind, OrderSyntax, OrderedLine};
use quoin_xml::tree::{Document, Element};

use super::{corpora, leaves, parse, parsed, plain};
use crate::convert::{ConversionTarget, Converted, Loss, LossKind, convert};
use crate::orders::{OrderReading, read_order, read_order_at};

const TARGETS: [ConversionTarget; 3] =
    [ConversionTarget::UBL, ConversionTarget::CXML, ConversionTarget::DICO];

/// Every order of the corpora, and our samples.
fn every_order(found: &mut dyn FnMut(&str, &Document)) {
    for file in corpora::files("") {
        let Some(bytes) = corpora::bytes(&file).filter(|bytes| bytes.len() < 2_000_000) else {
            continue;
        };
        let Some(document) = parse(&bytes) else { continue };
        // Test files of the rules have several documents in one.
        if read_order(&document).is_some() {
            found(&file, &document);
        }
        let inner = document.root().descendants().skip(1);
        let inner: Vec<Element<'_>> = inner.filter(|one| read_order_at(*one).is_some()).collect();
        for one in inner {
            let mut text = Vec::new();
            quoin_xml::c14n::inclusive(one, &[], &mut text);
            if let Some(document) = parse(&text) {
                found(&file, &document);
            }
        }
    }
}

fn syntax(reading: &OrderReading<'_>) -> &'static str {
    match reading.order.syntax {
        OrderSyntax::Ubl => "UBL",
        OrderSyntax::Dico => "DICO",
        OrderSyntax::Cxml => "cXML",
    }
}

#[test]
fn every_leaf_of_an_order_has_a_fate() {
    let mut count: BTreeMap<(&str, OrderKindName), [usize; 3]> = BTreeMap::new();
    every_order(&mut |file, document| {
        let reading = read_order(document).unwrap();
        let tally = reading.tally;
        let sum = tally.read + tally.derived + tally.regenerated + tally.unread;
        assert_eq!(sum, leaves(document.root()), "{file}");
        assert_eq!(tally.unread, reading.residue.len());
        let row = count.entry((syntax(&reading), kind(reading.order.kind))).or_default();
        *row = [row[0] + 1, row[1] + sum, row[2] + tally.unread];
    });
    println!("documents, leaves, unread: {count:#?}");
}

type OrderKindName = &'static str;

fn kind(kind: OrderKind) -> OrderKindName {
    match kind {
        OrderKind::Order => "order",
        OrderKind::Response => "response",
        OrderKind::Change => "change",
        OrderKind::Cancellation => "cancellation",
    }
}

/// What became of the documents of one syntax in one target.
#[derive(Debug, Default)]
struct Outcome {
    converted: usize,
    refused: BTreeMap<String, usize>,
    carried: usize,
    derived: usize,
    regenerated: usize,
    listed: usize,
    lost: usize,
    /// What is lost most often, by path.
    paths: BTreeMap<String, usize>,
}

#[test]
fn every_leaf_is_carried_or_listed_and_read_back() {
    let mut outcomes: BTreeMap<(&str, &str), Outcome> = BTreeMap::new();
    let mut problems = Vec::new();
    every_order(&mut |file, document| {
        let reading = read_order(document).unwrap();
        for target in TARGETS {
            let outcome = outcomes.entry((syntax(&reading), target.as_str())).or_default();
            match convert(document, target) {
                Err(refusal) => {
                    let text = refusal.to_string();
                    let text = text.split(" at /").next().unwrap_or_default();
                    let text: String = text.split(", which is").next().unwrap_or_default().into();
                    *outcome.refused.entry(text).or_default() += 1;
                }
                Ok(converted) => {
                    outcome.converted += 1;
                    let tally = converted.tally;
                    outcome.carried += tally.carried;
                    outcome.derived += tally.derived;
                    outcome.regenerated += tally.regenerated;
                    outcome.listed += tally.listed;
                    let lost = converted.losses.iter().filter(|one| one.kind == LossKind::Lost);
                    for one in lost {
                        outcome.lost += 1;
                        *outcome.paths.entry(plain(&one.source_path)).or_default() += 1;
                    }
                    said(document, &converted, file);
                    let what = format!("{file} to {}", target.as_str());
                    problems.extend(same(document, &converted, &what));
                    if syntax(&reading).to_lowercase() != target.as_str() {
                        keep(file, target.as_str(), &converted);
                        problems.extend(again(document, &converted, &what));
                    }
                }
            }
        }
    });
    for ((from, to), outcome) in &mut outcomes {
        let mut paths: Vec<_> = std::mem::take(&mut outcome.paths).into_iter().collect();
        paths.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        println!("{from} to {to}: {outcome:?}");
        for (path, count) in paths.iter().take(25) {
            println!("{count:6} {path}");
        }
    }
    let first: Vec<_> = problems.iter().take(40).collect();
    assert!(problems.is_empty(), "{} problems: {first:#?}", problems.len());
}

/// With `QUOIN_ORDERS` the documents are written there, for the official definitions to judge.
#[allow(clippy::disallowed_methods, reason = "written for other tools to judge")]
fn keep(file: &str, target: &str, converted: &Converted) {
    let Some(folder) = std::env::var_os("QUOIN_ORDERS") else { return };
    let folder = std::path::PathBuf::from(folder).join(target);
    std::fs::create_dir_all(&folder).unwrap();
    let name = file.replace(['/', ' '], "_");
    let mut path = folder.join(&name);
    let mut more = 0;
    while path.exists() {
        more += 1;
        path = folder.join(format!("{more}-{name}"));
    }
    std::fs::write(path, &converted.document).unwrap();
}

/// What was written for another syntax becomes UBL again, and says what it said there.
fn again(document: &Document, converted: &Converted, what: &str) -> Vec<String> {
    let middle = parse(converted.document.as_bytes()).unwrap();
    let is_ubl = read_order(document).unwrap().order.syntax == OrderSyntax::Ubl;
    if !is_ubl {
        return Vec::new();
    }
    let back = convert(&middle, ConversionTarget::UBL);
    let back = back.unwrap_or_else(|refusal| panic!("{what}: {refusal}"));
    said(&middle, &back, what);
    keep(what, "again", &back);
    same(&middle, &back, &format!("{what} and back"))
}

/// All leaves that say something have a fate.
fn said(document: &Document, converted: &Converted, file: &str) {
    let said = |text: &str| usize::from(!text.trim().is_empty());
    let of = |one: Element<'_>| {
        one.attributes().map(|own| said(own.value)).sum::<usize>() + said(&one.text())
    };
    let all: usize = document.root().descendants().map(of).sum();
    assert_eq!(converted.tally.leaves(), all, "{file}");
}

/// The terms of a document with their values, and how often each is there.
fn terms(reading: &mut OrderReading<'_>) -> BTreeMap<(String, String), usize> {
    let mut all = BTreeMap::new();
    // The specification is that of a syntax, and says how the terms are called.
    reading.order.process = ProcessControl::default();
    for BusinessTerm { id, source } in reading.order.terms() {
        let value = source.trimmed().split_whitespace().collect::<Vec<_>>().join(" ");
        if !value.is_empty() {
            *all.entry((id.to_owned(), value)).or_default() += 1;
        }
    }
    all
}

/// What is converted says the same terms, but for those that the list names, and says nothing new
/// that is not listed.
fn same(document: &Document, converted: &Converted, what: &str) -> Vec<String> {
    let other = parse(converted.document.as_bytes());
    let other = other.unwrap_or_else(|| panic!("{what}: {}", converted.document));
    let mut back = read_order(&other).unwrap_or_else(|| panic!("{what}: {}", converted.document));
    let mut source = read_order(document).unwrap();
    assert_eq!(source.order.kind, back.order.kind, "{what}");
    if source.order.syntax == back.order.syntax {
        return Vec::new();
    }
    let residue = back.residue.iter().map(|one| format!("{what}: {} is unread", one.path()));
    let mut problems: Vec<String> = residue.collect();
    let (before, after) = (terms(&mut source), terms(&mut back));
    let listed: Vec<String> = converted.losses.iter().map(told).collect();
    let nets: Vec<_> = back.order.lines.iter().filter_map(OrderedLine::net).collect();
    let is_listed = |(id, value): &(String, String)| {
        let is_net =
            id.ends_with("-128") && Decimal::parse(value).is_ok_and(|value| nets.contains(&value));
        // DICO is in euro, and does not say so.
        let is_euro = value == "EUR" && back.order.syntax == OrderSyntax::Dico;
        let is_row = |own: &String| own.contains(value.as_str()) || value.contains(own);
        let number = Decimal::parse(value).ok();
        let is_equal =
            number.is_some() && after.keys().any(|(_, other)| Decimal::parse(other).ok() == number);
        // What a discount on a price is, says its place.
        value == "VAT"
            || ["true", "false"].contains(&value.as_str())
            || is_equal
            || is_net
            || is_euro
            || listed.iter().any(is_row)
    };
    let texts: BTreeSet<String> = document.root().descendants().flat_map(texts).collect();
    for (term, _) in before.iter().filter(|(term, _)| !after.contains_key(*term)) {
        let other = after.keys().any(|(_, value)| *value == term.1);
        if !is_listed(term) && !other {
            problems.push(format!("{what}: {term:?} is gone"));
        }
    }
    for (term, _) in after.iter().filter(|(term, _)| !before.contains_key(*term)) {
        let other = texts.contains(&term.1);
        if !is_listed(term) && !other {
            problems.push(format!("{what}: {term:?} is new"));
        }
    }
    problems
}

/// Everything that an element says.
fn texts(element: Element<'_>) -> Vec<String> {
    let own = element.text().split_whitespace().collect::<Vec<_>>().join(" ");
    element.attributes().map(|one| one.value.to_owned()).chain([own]).collect()
}

fn told(loss: &Loss) -> String {
    loss.value.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_order_has_no_form_in_a_syntax_of_invoices() {
    let order = parsed(
        "<Order xmlns='urn:oasis:names:specification:ubl:schema:xsd:Order-2' \
         xmlns:cbc='urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2'>\
         <cbc:ID>1</cbc:ID></Order>",
    );
    let refused = convert(&order, ConversionTarget::FATTURAPA).unwrap_err().to_string();
    assert!(refused.starts_with("an order has no form in FatturaPA"), "{refused}");
}
