//! Every table is sound, and the tables tell good documents from bad ones.

use std::collections::HashSet;

use quoin_xml::tree::{Document, Limits};

use super::{STRUCTURES, by_id, find, for_document};

const UBL_INVOICE: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
const CII: &str = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";

#[test]
fn every_table_is_sound() {
    let mut ids = HashSet::new();
    for structure in &STRUCTURES {
        assert!(ids.insert(structure.id), "{} is there twice", structure.id);
        let schema = structure.schema().unwrap_or_else(|| panic!("{} is damaged", structure.id));
        assert!(!structure.roots.is_empty(), "{} has no document element", structure.id);
        for (namespace, local) in structure.roots {
            assert!(schema.declares(namespace, local), "{}: {local}", structure.id);
        }
    }
    let bytes: usize = STRUCTURES.iter().map(|it| it.packed_bytes()).sum();
    assert!(bytes < 1_200_000, "the tables take {bytes} bytes of the program");
}

#[test]
fn a_shared_document_element_is_told_apart_by_name() {
    let id = |syntax| find(UBL_INVOICE, "Invoice", syntax).map(|it| it.id);
    assert_eq!(id(None), Some("ubl-2.1"));
    assert_eq!(id(Some("ubl-2.3")), Some("ubl-2.3"));
    // A structure that does not know the element is not taken.
    assert_eq!(id(Some("cii-d16b")), Some("ubl-2.1"));
    let cii = |syntax| find(CII, "CrossIndustryInvoice", syntax).map(|it| it.id);
    assert_eq!(cii(None), Some("cii-d16b"));
    assert_eq!(cii(Some("factur-x-1.09-minimum")), Some("factur-x-1.09-minimum"));
    assert!(find("urn:nowhere", "Invoice", None).is_none());
    assert!(by_id("ubl-9").is_none());
}

#[test]
fn our_sample_is_valid_and_a_change_is_found() {
    let sample = include_str!("../../samples/bis3-invoice-16-lines.xml");
    let violations = |text: &str| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let schema = for_document(UBL_INVOICE, "Invoice", None).unwrap();
        let verdict = schema.validate(document.root());
        verdict.violations.iter().map(|it| it.clause).collect::<Vec<_>>()
    };
    assert_eq!(violations(sample), [""; 0]);
    let renamed = sample.replacen("cbc:IssueDate>", "cbc:IssueDay>", 2);
    assert_eq!(violations(&renamed), ["cvc-complex-type.2.4.a"]);
    let no_date = sample.replacen("<cbc:IssueDate>", "<cbc:IssueDate>x", 1);
    assert_eq!(violations(&no_date), ["cvc-datatype-valid.1.2.1"]);
}

/// What is reviewed is what is compiled in. `cargo xtask structure` writes both.
#[test]
#[allow(clippy::disallowed_methods, reason = "the texts lie in the checkout")]
fn every_table_is_told_by_its_text() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/structure_tables");
    let mut texts = 0;
    for structure in &STRUCTURES {
        let path = folder.join(format!("{}.txt", structure.id));
        let text = structure.schema().unwrap().to_text();
        if quoin_testing::writes_anew() {
            std::fs::write(&path, &text).unwrap();
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        if known != text {
            let line = text.lines().zip(known.lines()).find(|(own, other)| own != other);
            panic!("{} is not what its table says: {line:?}", path.display());
        }
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{}", structure.id);
        texts += 1;
    }
    let files = std::fs::read_dir(&folder).unwrap().filter_map(Result::ok);
    let written = files.filter(|file| file.path().extension().is_some_and(|it| it == "txt"));
    assert_eq!(written.count(), texts, "a text is of no table any more");
}
