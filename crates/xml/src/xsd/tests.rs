//! Small schemas of our own: each component, and each clause with a document that keeps it and
//! one that breaks it.

mod content;
mod loading;
mod tables;
mod types;

use super::{Schema, SchemaFiles, SchemaLoadError};
use crate::tree::{Document, Limits};

const HEAD: &str = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='urn:t' \
    targetNamespace='urn:t' elementFormDefault='qualified'>";

/// Loads a schema of one document; the text is what stands inside `xs:schema`.
fn try_load(inside: &str) -> Result<Schema, SchemaLoadError> {
    let mut files = SchemaFiles::new();
    files.add("t.xsd", format!("{HEAD}{inside}</xs:schema>"));
    Schema::load(&["t.xsd"], &files)
}

fn load(inside: &str) -> Schema {
    try_load(inside).unwrap_or_else(|error| panic!("{error}\n{inside}"))
}

/// The clauses that a document breaks. The default namespace is that of the schema.
fn clauses(schema: &Schema, text: &str) -> Vec<&'static str> {
    let instance = "http://www.w3.org/2001/XMLSchema-instance";
    let declared = format!(" xmlns='urn:t' xmlns:t='urn:t' xmlns:xsi='{instance}'");
    let end = text.find([' ', '>', '/']).unwrap();
    let whole = format!("{}{declared}{}", &text[..end], &text[end..]);
    let document = Document::parse(whole.as_bytes(), &Limits::default()).unwrap();
    let verdict = schema.validate(document.root());
    let again = Schema::from_bytes(&schema.to_bytes()).unwrap().validate(document.root());
    assert_eq!(verdict, again, "the table gives another verdict on {text}");
    verdict.violations.iter().map(|it| it.clause).collect()
}

#[track_caller]
fn check(schema: &Schema, cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(clauses(schema, text), *expected, "{text}");
    }
}

#[track_caller]
fn refused(inside: &str, clause: &str) {
    match try_load(inside) {
        Err(error) => assert_eq!(error.clause, clause, "{error}"),
        Ok(_) => panic!("{clause} must refuse {inside}"),
    }
}
