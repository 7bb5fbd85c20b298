//! The reader: whatever the bytes are, it answers; what it accepts can be walked and written.
#![no_main]

mod limits;

use libfuzzer_sys::fuzz_target;
use quoin_xml::c14n;
use quoin_xml::tree::{Document, Limits};

fuzz_target!(|bytes: &[u8]| limits::within(bytes, |bytes| {
    let Ok(document) = Document::parse(bytes, &Limits::default()) else { return };
    let root = document.root();
    for element in root.descendants() {
        let name = document.name_of(element.id()).expect("every element has a name");
        assert!(document.elements_named(name).contains(&element.id()));
        assert!(element.position().line > 0);
        element.text();
    }
    // Canonical form is a fixed point: reading and writing it again changes nothing.
    let mut once = Vec::new();
    c14n::inclusive(root, &[], &mut once);
    let again = Document::parse(&once, &Limits::default()).expect("canonical form is well-formed");
    let mut twice = Vec::new();
    c14n::inclusive(again.root(), &[], &mut twice);
    assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice));
}));
