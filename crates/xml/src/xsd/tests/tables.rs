//! Tables: the same schema comes back, a damaged one is an error, and a part keeps its verdicts.

use super::{check, load};
use crate::xsd::{Schema, TableError};

fn sample() -> Schema {
    load(
        "<xs:simpleType name='code'><xs:restriction base='xs:token'><xs:enumeration value='a'/>
         <xs:pattern value='[a-z]'/></xs:restriction></xs:simpleType>
         <xs:element name='r'><xs:complexType><xs:choice maxOccurs='5'>
         <xs:element name='c' type='code'/>
         <xs:element ref='h'/></xs:choice><xs:attribute name='n' type='xs:int'/></xs:complexType>
         <xs:unique name='once'><xs:selector xpath='t:c' xmlns:t='urn:t'/><xs:field xpath='.'/>
         </xs:unique></xs:element>
         <xs:element name='h' type='xs:string'/><xs:element name='m' substitutionGroup='h'/>
         <xs:element name='unused' type='alsoUnused'/>
         <xs:complexType name='alsoUnused'><xs:sequence/></xs:complexType>",
    )
}

#[test]
fn a_table_is_the_same_every_time() {
    let table = sample().to_bytes();
    assert_eq!(table, sample().to_bytes());
    assert_eq!(table, Schema::from_bytes(&table).unwrap().to_bytes());
}

#[test]
fn every_damaged_table_is_an_error() {
    let table = sample().to_bytes();
    for length in 0..table.len() {
        assert!(Schema::from_bytes(&table[..length]).is_err(), "cut to {length}");
    }
    for at in 0..table.len() {
        for bit in [1, 0x80] {
            let mut damaged = table.clone();
            damaged[at] ^= bit;
            assert!(Schema::from_bytes(&damaged).is_err(), "byte {at}");
        }
    }
    let mut other = table;
    other[4] = 9;
    assert_eq!(
        Schema::from_bytes(&other).unwrap_err(),
        TableError::Version { expected: 1, found: 9 }
    );
}

#[test]
fn a_forged_table_is_an_error_or_harmless() {
    // With a right checksum, so that the checks behind it are reached.
    let table = sample().to_bytes();
    let body = &table[super::super::table::HEAD..];
    for at in 0..body.len() {
        for byte in [0, 1, 0x7F, 0xFF] {
            let mut forged = body.to_vec();
            forged[at] = byte;
            if let Ok(schema) = Schema::from_bytes(&super::super::table::sealed(forged)) {
                let text = "<r xmlns='urn:t' n='x'><c>b</c><m/><c>a</c><x/></r>";
                let limits = crate::tree::Limits::default();
                let document = crate::tree::Document::parse(text.as_bytes(), &limits).unwrap();
                let _ = schema.validate(document.root());
            }
        }
    }
}

#[test]
fn the_part_for_a_root_keeps_its_verdicts() {
    let whole = sample();
    let part = whole.for_roots(&[("urn:t".to_owned(), "r".to_owned())]);
    assert!(part.to_bytes().len() < whole.to_bytes().len());
    assert!(!part.declares("urn:t", "unused"));
    for schema in [&whole, &part] {
        check(
            schema,
            &[
                ("<r n='1'><c>a</c><m/></r>", &[]),
                (
                    "<r n='x'><c>b</c><c>a</c><c>a</c></r>",
                    &[
                        "cvc-datatype-valid.1.2.1",
                        "cvc-enumeration-valid",
                        "cvc-identity-constraint.4.1",
                    ],
                ),
                ("<r/>", &["cvc-complex-type.2.4.b"]),
            ],
        );
    }
}

#[test]
fn a_schema_is_told_in_short_lines() {
    let text = sample().to_text();
    assert_eq!(text, Schema::from_bytes(&sample().to_bytes()).unwrap().to_text());
    for line in [
        "element urn:r = its own",
        "  unique urn:once of urn:c by .",
        "    choice{1..5}",
        "      urn:c = urn:code",
        "      urn:h",
        "    attribute n = xs:int",
        "  or urn:m",
        "simple urn:code = xs:token String",
        "  enumeration \"a\"",
        "  pattern [a-z]",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}\n{text}");
    }
    let many: String = (1..60).map(|at| format!("<xs:enumeration value='value {at}'/>")).collect();
    let long = format!("<xs:pattern value='{}'/>", "[a-z]?".repeat(40));
    let long = load(&format!(
        "<xs:element name='r'><xs:simpleType><xs:restriction base='xs:string'>{many}{long}\
         </xs:restriction></xs:simpleType></xs:element>"
    ));
    let text = long.to_text();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let whole: String = text.lines().map(|line| line.trim().trim_end_matches('\\')).collect();
    assert!(whole.contains(&"[a-z]?".repeat(40)) && whole.contains("\"value 59\""), "{whole}");
}
