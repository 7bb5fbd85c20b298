//! Schemas, their tables and patterns: whatever the bytes are, loading answers, and what was loaded
//! checks any document. The input is a schema and a document, separated by a zero byte.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quoin_xml::pattern::Pattern;
use quoin_xml::tree::{Document, Limits};
use quoin_xml::xsd::{Schema, SchemaFiles};

fuzz_target!(|bytes: &[u8]| {
    // A pattern may take milliseconds to compile, within its limits: long inputs are schemas.
    if bytes.len() < 64
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        let _ = Pattern::xsd(text).map(|pattern| pattern.is_match(text));
        let _ =
            Pattern::xpath(text, "smix").map(|pattern| pattern.tokenize(text).map(|it| it.len()));
    }
    let _ = Schema::from_bytes(bytes);
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let (first, second) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let mut files = SchemaFiles::new();
    files.add("a.xsd", first);
    let Ok(schema) = Schema::load(&["a.xsd"], &files) else { return };
    let table = schema.to_bytes();
    let again = Schema::from_bytes(&table).expect("a table that was written can be read");
    assert_eq!(again.to_bytes(), table);
    let Ok(document) = Document::parse(second, &Limits::default()) else { return };
    let verdict = schema.validate(document.root());
    assert_eq!(verdict, again.validate(document.root()));
});
