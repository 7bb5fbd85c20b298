//! The readers of national syntaxes: every leaf of every document has a fate, what is unread is
//! known by its path, and the whole model of a sample is pinned.

use std::collections::BTreeMap;

use proptest::prelude::*;
use quoin_xml::tree::Element;

use super::{corpora, leaves, parse, parsed, plain, reading};
use crate::convert::{ConversionTarget, Loss, LossKind, convert};
use crate::readers::{read_invoice, read_invoices_at, unread};
use crate::reading::ReaderProof;
use crate::{SYNTAXES, Syntax, SyntaxRow};

/// A syntax with a reader, and what that is tested with.
struct National {
    row: &'static SyntaxRow,
    proof: &'static ReaderProof,
}

impl National {
    /// Its folder in the corpora.
    fn folder(&self) -> String {
        format!("{}/", self.row.name)
    }

    /// The syntaxes of its formats.
    fn syntaxes(&self) -> Vec<Syntax> {
        self.row.formats.iter().map(|format| format.syntax).collect()
    }
}

fn nationals() -> Vec<National> {
    let of = |row: &'static SyntaxRow| Some(National { row, proof: row.reader?.proof? });
    SYNTAXES.iter().filter_map(of).collect()
}

/// What a test has found is what is written down; with `UPDATE=1` it is written anew.
#[allow(clippy::disallowed_methods, reason = "golden files, which UPDATE=1 writes anew")]
fn golden(path: &str, found: &str) {
    let file = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    if quoin_testing::writes_anew() {
        std::fs::write(file, found).unwrap();
    } else {
        let known = std::fs::read_to_string(file).unwrap_or_default();
        assert!(found == known, "{path} is not what was found: run once with UPDATE=1");
    }
}

/// The values of a model, each with the fields it is in: lines of the debug output, of which the
/// empty ones are left out.
fn values(debug: &str) -> String {
    let (mut fields, mut out): (Vec<String>, _) = (Vec::new(), String::new());
    for line in debug.lines() {
        let text = line.trim_start();
        let depth = (line.len() - text.len()) / 4;
        fields.truncate(depth);
        let (name, value) = match text.split_once(": ") {
            Some((name, value))
                if name.bytes().all(|b| b.is_ascii_lowercase() || b"_123".contains(&b)) =>
            {
                (name, value)
            }
            _ => ("", text),
        };
        let opens = matches!(value.trim_end().chars().last(), Some('{' | '[' | '('))
            && !value.starts_with('"');
        if opens {
            fields.resize(depth, String::new());
            fields.push(name.to_owned());
        } else if value.starts_with('"')
            || !name.is_empty() && !matches!(value, "[]," | "None,") && name != "element"
        {
            let path: Vec<&str> =
                fields.iter().map(String::as_str).chain([name]).filter(|n| !n.is_empty()).collect();
            out.push_str(&format!("{} = {}\n", path.join("."), value.trim_end_matches(',')));
        }
    }
    out
}

#[test]
fn the_whole_model_of_each_sample_is_pinned() {
    for syntax in nationals() {
        let document = parsed(syntax.proof.sample);
        let reading = reading(&document);
        let residue: Vec<_> = reading.residue.iter().map(|one| one.path()).collect();
        assert_eq!(residue, Vec::<String>::new(), "{}", syntax.row.name);
        let tally = reading.tally;
        let sum = tally.read + tally.derived + tally.regenerated;
        assert_eq!(sum, leaves(document.root()), "{}", syntax.row.name);
        let model = values(&format!("{:#?}", reading.invoice));
        let found = format!("syntax = {:?}\n{model}", reading.syntax);
        golden(&format!("samples/{}.model.txt", syntax.row.name), &found);
    }
}

#[test]
fn every_leaf_of_the_corpora_has_a_fate_and_what_is_unread_is_known() {
    for syntax in nationals() {
        let mut paths: BTreeMap<String, usize> = BTreeMap::new();
        let (mut documents, mut invoices, mut all, mut derived) = (0, 0, 0, 0);
        let mut computed = [0; 3];
        let own = syntax.syntaxes();
        for file in corpora::files(&syntax.folder()) {
            let Some(bytes) = corpora::bytes(&file) else { continue };
            let Some(document) = parse(&bytes) else { continue };
            let Some(reading) = read_invoice(&document) else { continue };
            if !own.contains(&reading.syntax) {
                continue;
            }
            let (tally, expected) = (reading.tally, leaves(document.root()));
            let sum = tally.read + tally.derived + tally.regenerated + tally.unread;
            assert_eq!(sum, expected, "{file}");
            let readings = read_invoices_at(document.root()).unwrap();
            let list = unread(document.root()).unwrap();
            assert_eq!(list.leaves.len(), list.count, "{file}");
            for leaf in list.leaves {
                *paths.entry(plain(&leaf.path)).or_default() += 1;
            }
            let model =
                format!("{:?}", readings.iter().map(|one| &one.invoice).collect::<Vec<_>>());
            for (at, word) in ["Agrees", "Differs", "Unsaid"].iter().enumerate() {
                computed[at] += model.matches(&format!("Computed({word})")).count();
            }
            documents += 1;
            (invoices, all) = (invoices + readings.len(), all + expected);
            derived += tally.derived + tally.regenerated;
        }
        let count: usize = paths.values().sum();
        println!(
            "{}: {documents} documents, {invoices} invoices, {all} leaves, {derived} derived or \
             regenerated, {count} unread; computed values agree, differ, unsaid: {computed:?}",
            syntax.row.name
        );
        for (path, count) in &paths {
            println!("{count:6} {path}");
        }
        if documents == 0 {
            continue;
        }
        assert!(documents >= syntax.proof.documents, "{documents}");
        let found: String = paths.keys().map(|path| format!("{path}\n")).collect();
        let file = format!("src/{}/unread.txt", syntax.row.name);
        golden(&file, &found);
    }
}

/// Leaves that decide which term another leaf is, or that are the same for every term: what they
/// say is in no value.
const DECIDING: &[&str] = &[
    "/CodiceArticolo/CodiceTipo",
    "/AltriDatiGestionali/TipoDato",
    "/FurtherIdentification/@IdentificationType",
    "/ArticleNumber/@ArticleNumberType",
    "/IdReference/@domain",
    "/Extrinsic/@name",
    "/InvoiceDetailRequestHeader/@invoiceOrigin",
    "/PriceBasisQuantity/@conversionFactor",
];

/// Every text that a leaf of the document has.
fn texts(root: Element<'_>) -> Vec<(String, String)> {
    let of = |element: Element<'_>| {
        let path = plain(&element.path());
        let attributes = element
            .attributes()
            .map(|one| (format!("{path}/@{}", one.local), one.value.to_owned()));
        let own = (path.clone(), element.text().trim().to_owned());
        attributes.chain([own]).collect::<Vec<_>>()
    };
    root.descendants().flat_map(of).filter(|(_, text)| !text.is_empty()).collect()
}

#[test]
fn what_is_read_is_in_the_model() {
    for syntax in nationals() {
        let own = syntax.syntaxes();
        let files = corpora::files(&syntax.folder());
        let documents = files.iter().filter_map(|file| corpora::bytes(file));
        for bytes in documents.chain([syntax.proof.sample.as_bytes().to_vec()]) {
            let Some(document) = parse(&bytes) else { continue };
            let Some(readings) = read_invoices_at(document.root()) else { continue };
            if !readings.iter().all(|one| own.contains(&one.syntax)) {
                continue;
            }
            let model: String = readings.iter().map(|one| format!("{:?}", one.invoice)).collect();
            let list = unread(document.root()).unwrap();
            let unread = list.leaves.iter().map(|leaf| plain(&leaf.path));
            let made_anew = readings.iter().flat_map(|one| &one.regenerated);
            let told = readings.iter().flat_map(|one| &one.derived);
            let others = made_anew.chain(told).map(|leaf| plain(&leaf.path()));
            let unread: Vec<String> = unread.chain(others).collect();
            for (path, text) in texts(document.root()) {
                let known =
                    unread.contains(&path) || DECIDING.iter().any(|end| path.ends_with(end));
                let written = format!("{text:?}");
                let held = model.contains(written.trim_matches('"'));
                assert!(known || held, "{}: {path} {text:?}", syntax.row.name);
            }
        }
    }
}

proptest! {
    #[test]
    fn whatever_is_disturbed_every_leaf_has_a_fate(
        which in 0_usize..nationals().len(),
        picks in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..6),
    ) {
        let text = super::wrong::disturbed(nationals()[which].proof.sample, &picks);
        let Some(document) = parse(text.as_bytes()) else { return Ok(()) };
        // Without its request, a message of cXML is no invoice.
        let Some(reading) = read_invoice(&document) else { return Ok(()) };
        let tally = reading.tally;
        let sum = tally.read + tally.derived + tally.regenerated + tally.unread;
        prop_assert_eq!(sum, leaves(document.root()));
        prop_assert!(reading.invoice.terms().len() < 400);
        let list = unread(document.root()).unwrap();
        prop_assert_eq!(list.leaves.len(), list.count);
    }
}

/// A reader brings what it is tested with; of these three it is in the other modules of tests.
#[test]
fn every_reader_has_its_proof() {
    let is_bare = |row: &&SyntaxRow| row.reader.is_some_and(|reader| reader.proof.is_none());
    let bare: Vec<_> = SYNTAXES.iter().filter(is_bare).map(|row| row.name).collect();
    assert_eq!(bare, ["ubl", "cii", "json"]);
}

#[test]
fn a_reader_is_told_by_the_document_element() {
    for syntax in nationals() {
        let document = parsed(syntax.proof.sample);
        let root = document.root();
        let fits = |row: &&SyntaxRow| row.reader.is_some_and(|one| (one.syntax)(root).is_some());
        let names: Vec<_> = SYNTAXES.iter().filter(fits).map(|row| row.name).collect();
        assert_eq!(names, [syntax.row.name]);
    }
}

#[test]
fn converted_documents_have_a_row_for_each_leaf_that_is_not_as_it_was() {
    for syntax in nationals() {
        let own = syntax.syntaxes();
        let files = corpora::files(&syntax.folder());
        let documents = files.iter().filter_map(|file| corpora::bytes(file));
        let (mut done, mut refused, mut leaves, mut carried, mut lost) = (0, 0, 0, 0, 0);
        for bytes in documents.chain([syntax.proof.sample.as_bytes().to_vec()]) {
            let Some(document) = parse(&bytes) else { continue };
            let Some(reading) = read_invoice(&document) else { continue };
            if !own.contains(&reading.syntax) {
                continue;
            }
            for target in ConversionTarget::all() {
                let Ok(converted) = convert(&document, target) else {
                    refused += 1;
                    continue;
                };
                let said = texts(document.root());
                let said = said.iter().filter(|one| !one.1.trim().is_empty()).count();
                assert_eq!(
                    converted.tally.leaves(),
                    said,
                    "{} {} {:?}",
                    syntax.row.name,
                    target.as_str(),
                    converted.losses
                );
                let is_lost = |loss: &&Loss| loss.kind == LossKind::Lost;
                lost += converted.losses.iter().filter(is_lost).count();
                (done, leaves) = (done + 1, leaves + said);
                carried += converted.tally.carried + converted.tally.derived;
            }
        }
        println!(
            "{}: {done} conversions, {refused} refused, {leaves} leaves, {carried} as they are, \
             {lost} lost and listed",
            syntax.row.name
        );
    }
}
