//! What every document of the official corpora is taken for, compared with a table that is checked
//! in. `UPDATE=1 cargo test -p quoin-rules golden` writes it anew.
//!
//! The table has one row for each document, or for each document inside a container: path, kind of
//! the file by the manifest, wrappers, format, version, kind, profile, certainty.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::Path;

use quoin_formats::Detection;
use quoin_formats::Syntax;
use quoin_formats::detect;
use quoin_formats::unwrap::UnwrapLimits;
use quoin_formats::{Wrapper, unwrap};
use quoin_testing::{shared, shared_text};

/// Artefacts that are no documents.
const NO_DOCUMENTS: &[&str] = &["xsd", "sch", "license", "dtd", "codelist"];

/// A document of the manifest.
pub struct Listed {
    pub path: String,
    pub topic: String,
    pub kind: String,
}

pub fn listed() -> Vec<Listed> {
    let Some(manifest) = shared_text("corpora/MANIFEST.tsv") else { return Vec::new() };
    let rows = manifest.lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t').map(str::to_owned);
        Some(Listed { path: columns.next()?, topic: columns.next()?, kind: columns.next()? })
    });
    rows.filter(|row| !NO_DOCUMENTS.contains(&row.kind.as_str())).collect()
}

#[allow(clippy::disallowed_methods, reason = "an official artefact, not all of them text")]
pub fn bytes(path: &str) -> Option<Vec<u8>> {
    std::fs::read(shared("corpora")?.join(path)).ok()
}

fn wrapper(wrapper: &Wrapper) -> String {
    match wrapper {
        Wrapper::Sbdh => "sbdh".to_owned(),
        Wrapper::Content { .. } => "content".to_owned(),
        Wrapper::HybridPdf { file_name, level, mismatch, .. } => {
            let level = level.as_deref().unwrap_or("-");
            let mismatch = if mismatch.is_some() { "!" } else { "" };
            format!("pdf({file_name};{level}{mismatch})")
        }
        Wrapper::Multipart { part, .. } => format!("part({part})"),
        Wrapper::Cms { encoding } => format!("cms({encoding:?})"),
        Wrapper::Zip { entry } => format!("zip({entry})"),
    }
}

fn row(path: &str, kind: &str, found: &Detection) -> String {
    let text = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let wrappers: Vec<String> = found.wrappers.iter().map(wrapper).collect();
    let self_billing = if found.self_billing { "+self" } else { "" };
    [
        path.to_owned(),
        kind.to_owned(),
        text(Some(wrappers.join(">")).filter(|text| !text.is_empty())),
        text(found.format.as_deref().map(str::to_owned)),
        text(found.version.clone().map(|version| version.escape_debug().to_string())),
        text(found.kind.map(|kind| format!("{kind:?}{self_billing}"))),
        text(found.profile.as_deref().map(str::to_owned)),
        text(found.profile_version.clone()),
        format!("{:?}", found.certainty),
    ]
    .join("\t")
}

const HEAD: &str =
    "path\tfile\twrappers\tformat\tversion\tkind\tprofile\tprofile version\tcertainty";

fn table() -> String {
    let mut rows = BTreeMap::new();
    for listed in listed() {
        let Some(bytes) = bytes(&listed.path) else { continue };
        let unwrapped = unwrap(&bytes, &UnwrapLimits::default());
        let mut text = String::new();
        for inner in &unwrapped.documents {
            let _ = writeln!(text, "{}", row(&listed.path, &listed.kind, &inner.detection));
        }
        for closed in &unwrapped.closed {
            let _ = writeln!(text, "{}\t{}\tclosed: {}", listed.path, listed.kind, closed.reason);
        }
        rows.insert(listed.path, text);
    }
    format!("{HEAD}\n{}", rows.into_values().collect::<String>())
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the table lies beside the test")]
fn golden_table_of_all_documents() {
    if shared("corpora").is_none() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/detection.tsv");
    let found = table();
    if quoin_testing::writes_anew() {
        std::fs::write(&path, &found).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let different = differences(&known, &found);
    assert!(different.is_empty(), "{} rows differ:\n{}", different.len(), different.join("\n"));
}

/// Rows that are in one table and not in the other, up to 40.
fn differences(known: &str, found: &str) -> Vec<String> {
    let (old, new): (HashSet<&str>, HashSet<&str>) =
        (known.lines().collect(), found.lines().collect());
    let gone = known.lines().filter(|row| !new.contains(row)).map(|row| format!("- {row}"));
    let come = found.lines().filter(|row| !old.contains(row)).map(|row| format!("+ {row}"));
    gone.chain(come).take(40).collect()
}

/// What is inside each document of a topic, with its row of the manifest.
fn of_topic(topic: &str) -> Vec<(Listed, Vec<Detection>)> {
    let listed = listed().into_iter().filter(|row| row.topic == topic);
    let detected = listed.filter_map(|row| {
        let bytes = bytes(&row.path)?;
        let inside = unwrap(&bytes, &UnwrapLimits::default()).documents;
        Some((row, inside.into_iter().map(|inner| inner.detection).collect()))
    });
    detected.collect()
}

/// Whole topics are of one format, unless the manifest says that a file is broken. One `.p7m` is
/// base64 of text that went through a wrong character set: nothing of it can be read.
#[test]
fn topics_of_one_format() {
    use Syntax::*;
    let (ubl, cii) = ([UblInvoice, UblCreditNote, UblOther], [Cii]);
    for (topic, wanted, others) in [
        ("fatturapa", &[FatturaPa, FatturaPaSimplified][..], &["_tampered.Base64"][..]),
        ("ebinterface", &[EbInterface], &["/external/ubl/"]),
        ("svefaktura", &[Svefaktura, SvefakturaEnvelope], &["/ubl/"]),
        ("cxml", &[Cxml], &["item_in.xml"]),
        ("dico", &[Dico], &[]),
        ("pint", &ubl, &[]),
        ("peppol-selfbilling", &ubl, &[]),
        ("peppol-bis-anz-sg", &ubl, &[]),
        ("ubl-2.1", &ubl, &[]),
        ("cii", &cii, &[]),
    ] {
        for (row, found) in of_topic(topic) {
            let other = others.iter().any(|other| row.path.contains(other));
            for found in found.iter().filter(|_| row.kind == "valid-example" && !other) {
                let fits = found.syntax.is_some_and(|syntax| wanted.contains(&syntax));
                let ubl_beside = found.syntax.is_some_and(Syntax::is_ubl) && topic == "svefaktura";
                assert!(fits || ubl_beside, "{}: {:?}", row.path, found.reasons);
            }
        }
    }
}

#[test]
fn profiles_of_whole_topics() {
    for (topic, folder, wanted) in [
        ("peppol-bis-billing", "", &["peppol-bis3"][..]),
        ("peppol-selfbilling", "", &["peppol-bis3-selfbilling"]),
        ("nlcius-si-ubl", "SI-UBL-2.0", &["nlcius", "nlcius-gaccount"]),
        ("xrechnung", "xrechnung-testsuite", &["xrechnung-3"]),
        ("pint", "", &["pint"]),
        ("peppol-poacc", "examples", &["peppol-"]),
        ("logistics", "examples", &["peppol-logistics-"]),
        ("reporting-tsr-eusr", "", &["peppol-tsr", "peppol-eusr"]),
        ("tax-data-tdd", "/tdd/", &["tax-data-"]),
    ] {
        let files = of_topic(topic);
        let mut seen = 0;
        for (row, found) in &files {
            if row.kind != "valid-example" || !row.path.contains(folder) {
                continue;
            }
            for found in found {
                let profile = found.profile.as_deref().unwrap_or_default();
                let fits = wanted.iter().any(|start| profile.starts_with(start));
                assert!(fits, "{}: {profile} {:?}", row.path, found.reasons);
                seen += 1;
            }
        }
        assert!(seen > 0 || files.is_empty(), "{topic}");
    }
}

/// SI-UBL 1 was written for BIS 2 and is never NLCIUS; self-billing never looks like billing.
#[test]
fn look_alikes_are_told_apart() {
    let (mut old, mut own) = (0, 0);
    for listed in listed() {
        let Some(bytes) = bytes(&listed.path) else { continue };
        if memchr::memmem::find(&bytes, b"simplerinvoicing.org:si").is_some()
            && !listed.path.contains("/sch")
        {
            let found = detect(&bytes);
            let profile = found.profile.as_deref();
            assert!(!profile.is_some_and(|id| id.starts_with("nlcius")), "{}", listed.path);
            old += usize::from(profile == Some("si-ubl-1"));
        }
        if memchr::memmem::find(&bytes, b"poacc:selfbilling:3.0<").is_some() {
            let found = detect(&bytes);
            let billing = found.profile.as_deref() == Some("peppol-bis3");
            assert!(!billing, "{}", listed.path);
            own += usize::from(found.self_billing && found.syntax.is_some_and(Syntax::is_ubl));
        }
    }
    assert!((old > 130 && own > 9) || shared("corpora").is_none(), "{old} {own}");
}

/// Signatures that were seen in 7,027 files of the field, as documents that have nothing else.
#[test]
fn signatures_of_the_field() {
    let Some(text) = shared_text("prototypes/detection/signatures_observed.tsv") else { return };
    let (mut unknown, mut foreign) = (Vec::new(), Vec::new());
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [count, root, namespace, customization, profile, _, example] = columns[..] else {
            panic!("{line}")
        };
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let (customization, profile) = (escape(customization), escape(profile));
        let identifiers = match root {
            "CrossIndustryInvoice" => format!(
                "<ExchangedDocumentContext><BusinessProcessSpecifiedDocumentContextParameter>\
                 <ID>{profile}</ID></BusinessProcessSpecifiedDocumentContextParameter>\
                 <GuidelineSpecifiedDocumentContextParameter><ID>{customization}</ID>\
                 </GuidelineSpecifiedDocumentContextParameter></ExchangedDocumentContext>"
            ),
            "Invoice" | "CreditNote" => format!(
                "<b:CustomizationID>{customization}</b:CustomizationID>\
                 <b:ProfileID>{profile}</b:ProfileID>"
            ),
            _ => String::new(),
        };
        let text = format!(
            "<{root} xmlns='{namespace}' xmlns:b='urn:oasis:names:specification:ubl:schema:xsd:\
             CommonBasicComponents-2'>{identifiers}</{root}>"
        );
        let found = detect(text.as_bytes());
        let has_profiles = found.syntax.is_some_and(|s| s.is_ubl_invoice() || s == Syntax::Cii);
        let count: usize = count.parse().unwrap();
        if has_profiles && found.profile.is_none() {
            unknown.push((count, customization, example.to_owned()));
        } else if found.syntax.is_none() && !namespace.is_empty() {
            foreign.push((count, root.to_owned(), namespace.to_owned()));
        }
    }
    // ZUGFeRD 1 and Factur-X guidelines where they do not belong, no identifier, and texts of no
    // standard.
    let files: usize = unknown.iter().map(|(count, _, _)| count).sum();
    assert_eq!((unknown.len(), files), (12, 94), "{unknown:#?}");
    // Configurations and signatures, and one test file that invents a document element.
    let roots: Vec<&str> = foreign.iter().map(|(_, root, _)| &**root).collect();
    let others = ["buildConfigurations", "Signature", "web-app", "catalog", "myinvoice"];
    assert_eq!(roots, others, "{foreign:#?}");
}

/// Every document type of the Peppol code list, as a document that has nothing else: its format is
/// known, and its profile where the format has profiles.
#[test]
fn document_types_of_the_peppol_code_list() {
    use Syntax::{Cdar, Cii, TaxData, TransactionStatistics};
    const LIST: &str = "corpora/peppol-codelists/edec-codelists/v9.7/\
                        Peppol Code Lists - Document types v9.7.json";
    let Some(text) = shared_text(LIST) else { return };
    let list: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (mut unknown, mut known) = (Vec::new(), 0);
    for row in list["values"].as_array().unwrap() {
        let value = row["value"].as_str().unwrap();
        let Some((start, rest)) = value.split_once("##") else { panic!("{value}") };
        let customization = rest.rsplit_once("::").map_or(rest, |(id, _)| id);
        // Types of hybrid, EDIFACT, X12 and bilateral documents have no document element.
        let Some((namespace, root)) =
            start.rsplit_once("::").filter(|_| !start.contains("doctype"))
        else {
            continue;
        };
        let cii = "<ExchangedDocumentContext><GuidelineSpecifiedDocumentContextParameter><ID>";
        let text = format!(
            "<{root} xmlns='{namespace}' xmlns:b='urn:oasis:names:specification:ubl:schema:xsd:\
             CommonBasicComponents-2'><b:CustomizationID>{customization}</b:CustomizationID>{cii}\
             {customization}</ID></GuidelineSpecifiedDocumentContextParameter>\
             </ExchangedDocumentContext></{root}>"
        );
        let found = detect(text.as_bytes());
        let profiled = found.syntax.is_some_and(|syntax| {
            syntax.is_ubl() || matches!(syntax, Cii | Cdar | TaxData | TransactionStatistics)
        });
        if found.syntax.is_none()
            || (profiled && (found.profile.is_none() || found.unknown_extension.is_some()))
        {
            unknown.push(start.rsplit(':').nth(2).unwrap_or_default().to_owned());
        }
        known += 1;
    }
    // Three that name the document element of another document, and reports of an old authority.
    assert_eq!(unknown, ["OrderResponse-2", "OrderResponse-2", "Invoice-2", "Reporting-1"]);
    assert!(known > 290, "{known}");
}
