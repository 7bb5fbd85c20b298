//! The tables in the tree are what the published lists generate.

use super::*;

#[test]
fn the_tables_in_the_tree_are_the_generated_ones() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Some(lists) = quoin_testing::shared("network-data/codelists") else { return };
    for (name, text) in generate(&lists).expect("the lists are readable") {
        let path = root.join("crates/peppol/src").join(name);
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{name} is stale: run `cargo xtask codelists`");
    }
}
