//! Orders: what is written in UBL and names Peppol BIS is valid by its rules, and one that asks for
//! Peppol BIS without having all of it is refused.

use std::collections::BTreeMap;

use quoin_formats::convert::{ConversionRequest, ConversionTarget, convert_at};
use quoin_formats::orders::{order_kind_at, read_order_at};
use quoin_formats::{ParsedDocument, read};
use quoin_model::order::OrderSyntax;

use super::{documents, fatal, report};

/// What became of documents that were written as UBL.
#[derive(Debug, Default)]
struct Judged {
    /// They name Peppol BIS, and are valid by it.
    valid: usize,
    /// They name it, and break its rules.
    wrong: Vec<String>,
    /// They do not name it.
    plain: usize,
    /// What they lack, where they do not name it.
    lacks: BTreeMap<String, usize>,
}

fn judge(parsed: &ParsedDocument, what: &str, judged: &mut Judged) {
    let order = read_order_at(parsed.root().unwrap()).unwrap().order;
    if !order.process.customization.is_filled() {
        judged.plain += 1;
        return;
    }
    let found = report(parsed);
    let rules = fatal(&found);
    match rules.is_empty() {
        true => judged.valid += 1,
        false => judged.wrong.push(format!("{what}: {rules:?}")),
    }
}

#[test]
fn what_names_peppol_bis_is_valid_by_it() {
    let mut judged: BTreeMap<&str, Judged> = BTreeMap::new();
    for (path, bytes) in documents() {
        let parsed = read(&bytes);
        let Some(root) = parsed.root().filter(|root| order_kind_at(*root).is_some()) else {
            continue;
        };
        let syntax = read_order_at(root).unwrap().order.syntax;
        let name = path.display().to_string();
        let was_valid = syntax == OrderSyntax::Ubl && fatal(&report(&parsed)).is_empty();
        if syntax == OrderSyntax::Ubl && !was_valid {
            continue;
        }
        for middle in [ConversionTarget::CXML, ConversionTarget::DICO] {
            let (from, there) = match syntax {
                OrderSyntax::Ubl => (middle.as_str(), convert_at(root, middle).ok()),
                _ if middle == ConversionTarget::DICO => continue,
                _ => ("corpora", None),
            };
            let there = there.map(|there| read(there.document.as_bytes()));
            let root = match (&there, syntax) {
                (Some(there), _) => there.root().unwrap(),
                (None, OrderSyntax::Ubl) => continue,
                (None, _) => root,
            };
            let judged = judged.entry(from).or_default();
            let Ok(back) = convert_at(root, ConversionTarget::UBL) else { continue };
            judge(&read(back.document.as_bytes()), &format!("{name} by {from}"), judged);
            let asked = ConversionRequest {
                specification: Some("urn:fdc:peppol.eu:poacc:trns:order:3"),
                ..ConversionTarget::UBL.into()
            };
            if let Err(refusal) = convert_at(root, asked) {
                let text = refusal.to_string();
                let text = text.split(" at /").next().unwrap_or_default().to_owned();
                *judged.lacks.entry(text).or_default() += 1;
            }
        }
    }
    println!("{judged:#?}");
    let wrong: Vec<_> = judged.values().flat_map(|judged| &judged.wrong).collect();
    assert_eq!(wrong, Vec::<&String>::new());
    let has_documents = quoin_testing::shared("corpora").is_some();
    let by_cxml = judged.get("cxml").map_or(0, |judged| judged.valid);
    assert!(!has_documents || by_cxml > 10, "{by_cxml}");
}
