//! The table is walked: names, pages and titles agree, and no page is without a row.

use super::*;

#[test]
fn every_code_has_a_page_that_fits() {
    for code in CODES {
        let heading = format!("# {}: {}\n\nHTTP status {}.\n", code.id, code.title, code.status);
        assert!(code.page.starts_with(&heading), "{}", code.id);
        for section in ["## Where it comes from", "## What to do"] {
            assert!(code.page.contains(section), "{}: {section}", code.id);
        }
        let number = code.id.trim_start_matches("API").split('.').next().unwrap();
        assert_eq!(number, code.status.to_string(), "{}", code.id);
        assert_eq!(find(code.id), Some(*code), "the name {} is taken twice", code.id);
    }
}

#[test]
fn every_page_has_a_code() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let id = name.strip_suffix(".md").unwrap_or(&name);
        assert!(!id.starts_with("API") || find(id).is_some(), "{name} has no row");
    }
}
