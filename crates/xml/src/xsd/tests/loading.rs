//! Finding documents, and what is refused at load.

use super::{HEAD, check, clauses, refused};
use crate::xsd::{Schema, SchemaFiles};

fn files(list: &[(&str, &str)]) -> SchemaFiles {
    let mut files = SchemaFiles::new();
    for (path, text) in list {
        files.add(*path, *text);
    }
    files
}

fn schema(attributes: &str, inside: &str) -> String {
    format!(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' {attributes}>{inside}</xs:schema>"
    )
}

/// What is built in of the `xml` namespace stands in for its document, and is not put before it.
#[test]
fn attributes_of_the_xml_namespace_are_those_of_its_document() {
    let main = format!(
        "{HEAD}<xs:import namespace='http://www.w3.org/XML/1998/namespace'/>
         <xs:element name='r'><xs:complexType><xs:attribute ref='xml:lang'/>
         <xs:attribute ref='xml:space'/></xs:complexType></xs:element></xs:schema>"
    );
    let xml = schema(
        "targetNamespace='http://www.w3.org/XML/1998/namespace'",
        "<xs:attribute name='lang' type='xs:language'/>",
    );
    let without = Schema::load(&["m.xsd"], &files(&[("m.xsd", &main)])).unwrap();
    assert!(clauses(&without, "<r xml:lang='4'/>").is_empty());
    assert!(!clauses(&without, "<r xml:space='a b'/>").is_empty());
    let with = Schema::load(&["m.xsd"], &files(&[("m.xsd", &main), ("xml.xsd", &xml)])).unwrap();
    assert!(clauses(&with, "<r xml:lang='nl'/>").is_empty());
    assert!(!clauses(&with, "<r xml:lang='4'/>").is_empty());
    assert!(!clauses(&with, "<r xml:space='a b'/>").is_empty());
}

#[test]
fn documents_are_found_by_location_by_namespace_and_by_file_name() {
    let other = schema("targetNamespace='urn:o'", "<xs:element name='x' type='xs:int'/>");
    let import = |location: &str| {
        format!(
            "{HEAD}<xs:import namespace='urn:o' {location}/><xs:element name='r'><xs:complexType>
             <xs:sequence xmlns:o='urn:o'><xs:element ref='o:x'/></xs:sequence></xs:complexType>
             </xs:element></xs:schema>"
        )
    };
    for location in
        ["schemaLocation='../o/other.xsd'", "", "schemaLocation='http://example.org/other.xsd'"]
    {
        let files = files(&[("m/main.xsd", &import(location)), ("o/other.xsd", &other)]);
        let loaded = Schema::load(&["m/main.xsd"], &files).unwrap();
        check(
            &loaded,
            &[
                ("<r><o:x xmlns:o='urn:o'>1</o:x></r>", &[]),
                ("<r><x>1</x></r>", &["cvc-complex-type.2.4.a"]),
            ],
        );
    }
    // A location cannot leave the folder.
    let outside = files(&[("main.xsd", &import("schemaLocation='../../etc/other.xsd'"))]);
    assert_eq!(Schema::load(&["main.xsd"], &outside).unwrap_err().clause, "src-resolve");
}

#[test]
fn several_documents_make_one_namespace() {
    let part = |local: &str| {
        schema("targetNamespace='urn:o'", &format!("<xs:element name='{local}' type='xs:int'/>"))
    };
    let main = format!(
        "{HEAD}<xs:import namespace='urn:o'/><xs:element name='r'><xs:complexType><xs:sequence
         xmlns:o='urn:o'><xs:element ref='o:a'/><xs:element ref='o:b'/></xs:sequence>
         </xs:complexType></xs:element></xs:schema>"
    );
    let files = files(&[("a.xsd", &part("a")), ("b.xsd", &part("b")), ("m.xsd", &main)]);
    let loaded = Schema::load(&["m.xsd"], &files).unwrap();
    check(&loaded, &[("<r><a xmlns='urn:o'>1</a><b xmlns='urn:o'>1</b></r>", &[])]);
}

#[test]
fn an_included_document_without_namespace_takes_that_of_the_includer() {
    let part = schema(
        "elementFormDefault='qualified'",
        "<xs:element name='r' type='T'/><xs:complexType name='T'><xs:sequence>
         <xs:element name='a' type='xs:int'/></xs:sequence></xs:complexType>",
    );
    let main = format!("{HEAD}<xs:include schemaLocation='part.xsd'/></xs:schema>");
    let set = files(&[("part.xsd", &part), ("main.xsd", &main)]);
    let loaded = Schema::load(&["main.xsd"], &set).unwrap();
    check(&loaded, &[("<r><a>1</a></r>", &[])]);
    let wrong = schema("targetNamespace='urn:other'", "");
    let set = files(&[("part.xsd", &wrong), ("main.xsd", &main)]);
    assert_eq!(Schema::load(&["main.xsd"], &set).unwrap_err().clause, "src-include.2.1");
}

#[test]
fn a_doctype_is_passed_over_and_its_entities_are_unknown() {
    let doctype = "<!DOCTYPE schema PUBLIC 'a' 'b' [ <!ATTLIST schema x CDATA #FIXED 'y'>\n\
                   <!-- don't > --> <!ENTITY e 'v'> ]>";
    let good = schema("targetNamespace='urn:t'", "<xs:element name='r'/>");
    let set = files(&[("a.xsd", &format!("{doctype}{good}"))]);
    assert!(Schema::load(&["a.xsd"], &set).unwrap().declares("urn:t", "r"));
    let entity = schema("targetNamespace='&e;'", "");
    let set = files(&[("a.xsd", &format!("{doctype}{entity}"))]);
    assert_eq!(Schema::load(&["a.xsd"], &set).unwrap_err().clause, "schema_reference.4");
}

#[test]
fn what_is_wrong_or_not_supported_is_refused_with_its_clause() {
    let typed = |inside: &str| format!("<xs:complexType name='x'>{inside}</xs:complexType>");
    for (inside, clause) in [
        ("<xs:redefine schemaLocation='x'/>".to_owned(), "unsupported"),
        (typed("<xs:sequence/><xs:assert test='1'/>"), "unsupported"),
        ("<xs:element name='a'/><xs:element name='a'/>".to_owned(), "sch-props-correct.2"),
        ("<xs:element name='a' type='b'/>".to_owned(), "src-resolve"),
        ("<xs:element name='a' type='q:b'/>".to_owned(), "src-qname"),
        ("<xs:element name='a' default='1' fixed='2'/>".to_owned(), "src-element.1"),
        ("<xs:element/>".to_owned(), "s4s-att-must-appear"),
        (typed("<xs:sequence><xs:element name='a' minOccurs='2'/></xs:sequence>"), "p-props-correct.2.1"),
        (typed("<xs:sequence><xs:all/></xs:sequence>"), "cos-all-limited.1"),
        (typed("<xs:all><xs:element name='a' maxOccurs='2'/></xs:all>"), "cos-all-limited.2"),
        (typed("<xs:attribute name='a'/><xs:attribute name='a'/>"), "ct-props-correct.4"),
        (typed("<xs:complexContent><xs:extension base='x'/></xs:complexContent>"), "ct-props-correct.3"),
        (typed("<xs:simpleContent><xs:extension base='y'/></xs:simpleContent>")
            + "<xs:complexType name='y'/>", "src-ct.2"),
        ("<xs:group name='g'><xs:sequence><xs:group ref='g'/></xs:sequence></xs:group>".to_owned()
            + &typed("<xs:group ref='g'/>"), "mg-props-correct.2"),
        ("<xs:element name='a'><xs:key name='k'><xs:selector xpath='..'/><xs:field xpath='.'/></xs:key></xs:element>".to_owned(),
            "c-selector-xpath"),
        ("<xs:element name='a'><xs:keyref name='k' refer='n'><xs:selector xpath='.'/><xs:field xpath='.'/></xs:keyref></xs:element>".to_owned(),
            "src-resolve"),
        ("<xs:nonsense/>".to_owned(), "s4s-elt-invalid-content.1"),
    ] {
        refused(&inside, clause);
    }
}

#[test]
fn hostile_schemas_end_in_an_error() {
    // Groups that double at every step: the content model would have two to the power of forty.
    let mut doubling =
        "<xs:group name='g0'><xs:sequence><xs:element name='a'/></xs:sequence></xs:group>"
            .to_owned();
    let mut empty = "<xs:group name='e0'><xs:sequence/></xs:group>".to_owned();
    for at in 1..40 {
        let before = at - 1;
        doubling.push_str(&format!(
            "<xs:group name='g{at}'><xs:sequence><xs:group ref='g{before}'/><xs:group ref='g{before}'/></xs:sequence></xs:group>"
        ));
        empty.push_str(&format!(
            "<xs:group name='e{at}'><xs:sequence><xs:group ref='e{before}'/><xs:group ref='e{before}'/></xs:sequence></xs:group>"
        ));
    }
    doubling.push_str("<xs:complexType name='x'><xs:group ref='g39'/></xs:complexType>");
    empty.push_str("<xs:complexType name='x'><xs:group ref='e39'/></xs:complexType>");
    refused(&doubling, "limit");
    refused(&empty, "limit");
    let mut chain =
        "<xs:simpleType name='s0'><xs:restriction base='xs:string'/></xs:simpleType>".to_owned();
    for at in (1..1_000).rev() {
        chain.push_str(&format!(
            "<xs:simpleType name='s{at}'><xs:restriction base='s{}'/></xs:simpleType>",
            at - 1
        ));
    }
    refused(&chain, "limit");
    assert_eq!(Schema::load(&["a.xsd"], &SchemaFiles::new()).unwrap_err().clause, "src-resolve");
    let set = files(&[("a.xsd", "<x")]);
    assert_eq!(Schema::load(&["a.xsd"], &set).unwrap_err().clause, "schema_reference.4");
}
