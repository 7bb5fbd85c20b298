//! The embedded tables give the verdicts of the schemas that they were made from, on the documents
//! of the corpora; and the verdicts are those that the corpora declare.

use std::collections::HashMap;
use std::path::Path;

use quoin_xml::tree::{Document, Limits};
use quoin_xml::xsd::{Schema, SchemaVerdict};

use super::sets::SETS;
use super::{load, roots};

/// Every how many documents of the corpora one is taken.
const SAMPLE: usize = 7;

/// Documents whose declared verdict is wrong, and why.
const WRONGLY_DECLARED: &[(&str, &str)] = &[
    (
        "mls-mlr/mls-resources-1.1.0/trn-mls/example/MessageLevelStatus_Example_RE3.xml",
        "white space around a date is collapsed (part 2 section 4.3.6); libxml2 does not",
    ),
    (
        "logistics/logistics-bis/rules/examples/TransportExecutionPlanRequest_Example_Full.xml",
        "it stands on UBL 2.4 and was judged by 2.3",
    ),
    (
        "logistics/logistics-bis/rules/examples/TransportExecutionPlan_Example_Full.xml",
        "it stands on UBL 2.4 and was judged by 2.3",
    ),
];

struct Pair {
    id: &'static str,
    from_schema: Schema,
    from_table: Schema,
}

/// The sets that have a document element, by its namespace and local name.
type ByRoot = HashMap<(String, String), Vec<usize>>;

fn pairs(shared: &Path) -> (Vec<Pair>, ByRoot) {
    let mut by_root = ByRoot::new();
    let mut pairs = Vec::new();
    for set in SETS {
        let from_schema = load(shared, set).unwrap_or_else(|error| panic!("{error}"));
        let roots = roots(shared, set).unwrap();
        let table = from_schema.for_roots(&roots).to_bytes();
        let from_table = Schema::from_bytes(&table).unwrap();
        for root in roots {
            by_root.entry(root).or_default().push(pairs.len());
        }
        pairs.push(Pair { id: set.id, from_schema, from_table });
    }
    (pairs, by_root)
}

#[test]
fn tables_and_schemas_agree_on_the_corpora() {
    let Some(manifest) = quoin_testing::shared_text("corpora/MANIFEST.tsv") else { return };
    let Some(shared) = quoin_testing::shared("") else { return };
    let (pairs, by_root) = pairs(&shared);
    let mut checked = 0;
    for line in manifest.lines().skip(1).step_by(SAMPLE) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [path, .., declared] = fields.as_slice() else { continue };
        let Ok(bytes) = std::fs::read(shared.join("corpora").join(path)) else { continue };
        let Ok(document) = Document::parse(&bytes, &Limits::default()) else { continue };
        let root = document.root();
        let name = (root.namespace().to_owned(), root.local().to_owned());
        let Some(fit) = by_root.get(&name) else { continue };
        let mut verdicts: Vec<SchemaVerdict> = Vec::new();
        for pair in fit.iter().filter_map(|&at| pairs.get(at)) {
            let verdict = pair.from_schema.validate(root);
            let from_table = pair.from_table.validate(root);
            assert_eq!(verdict.is_valid(), from_table.is_valid(), "{} {path}", pair.id);
            assert_eq!(verdict.violations.len(), from_table.violations.len(), "{} {path}", pair.id);
            verdicts.push(verdict);
        }
        checked += 1;
        // Several standards share a document element: one of them is the one that was meant.
        let is_valid = verdicts.iter().any(SchemaVerdict::is_valid);
        let is_known = WRONGLY_DECLARED.iter().any(|(known, _)| known == path);
        match *declared {
            "xsd:ok" => assert!(is_valid, "{path}: {:?}", verdicts.first()),
            "xsd:FAIL" => assert!(!is_valid || is_known, "{path} is valid"),
            _ => {}
        }
    }
    println!("{checked} documents");
    assert!(checked > 100);
}

#[test]
fn the_embedded_tables_are_those_of_the_schemas() {
    let Some(shared) = quoin_testing::shared("ksef-data/xsd/FA") else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let shared = shared.ancestors().nth(3).unwrap().to_owned();
    let set = SETS.iter().find(|set| set.id == "ksef-fa-3").unwrap();
    let roots = roots(&shared, set).unwrap();
    let table = load(&shared, set).unwrap().for_roots(&roots).to_bytes();
    let packed = super::deflate(&table).unwrap();
    let embedded = std::fs::read(root.join(super::FOLDER).join("ksef-fa-3.bin")).unwrap();
    assert_eq!(packed, embedded, "run cargo xtask structure");
}
