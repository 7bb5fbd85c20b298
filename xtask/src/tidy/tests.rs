//! The tree is tidy, and the rules can tell when it is not.

use std::path::Path;

use super::*;

#[test]
fn the_tree_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let found = breaches(&root).unwrap();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn functions_are_measured() {
    let text =
        "impl X {\n    pub async fn a(\n        x: u8,\n    ) {\n        b();\n    }\n}\nfn c();\n";
    assert_eq!(sources::functions(text), [("a".to_owned(), 2, 5)]);
}

#[test]
fn breaches_are_found() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let mut found = Vec::new();
    check_head(&source("crates/xml/src/a.rs", "use b;\n"), &mut found);
    check_name(&source("crates/xml/src/utils.rs", "//! x\n"), &mut found);
    check_layers(&source("crates/xml/src/a.rs", "use quoin_store::Store;\n"), &mut found);
    check_sizes(&source("crates/xml/src/a.rs", &"//! x\n".repeat(401)), &mut found);
    let long = format!("fn f() {{\n{}}}\n", "    a();\n".repeat(70));
    check_sizes(&source("crates/xml/src/a.rs", &long), &mut found);
    assert_eq!(found.len(), 5, "{found:?}");
}
