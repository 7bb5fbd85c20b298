//! Simple types: facets, lists, unions, simple content.

use super::{check, load, refused};

/// A schema whose element `r` has a restriction with these facets.
fn facets(base: &str, facets: &str) -> super::Schema {
    load(&format!(
        "<xs:element name='r'><xs:simpleType><xs:restriction base='{base}'>{facets}</xs:restriction>
         </xs:simpleType></xs:element>"
    ))
}

#[test]
fn each_facet_has_its_clause() {
    for (base, facet, yes, no, clause) in [
        ("xs:string", "<xs:length value='2'/>", "äö", "a", "cvc-length-valid"),
        ("xs:string", "<xs:minLength value='2'/>", "ab", "a", "cvc-minLength-valid"),
        ("xs:string", "<xs:maxLength value='2'/>", "ab", "abc", "cvc-maxLength-valid"),
        ("xs:hexBinary", "<xs:maxLength value='1'/>", "0a", "0a0b", "cvc-maxLength-valid"),
        ("xs:base64Binary", "<xs:length value='1'/>", "QQ==", "QUI=", "cvc-length-valid"),
        ("xs:NMTOKENS", "<xs:maxLength value='2'/>", "a b", "a b c", "cvc-maxLength-valid"),
        ("xs:token", "<xs:pattern value='[A-Z]{2}'/>", " DE ", "de", "cvc-pattern-valid"),
        (
            "xs:token",
            "<xs:enumeration value='a'/><xs:enumeration value='b'/>",
            "b",
            "c",
            "cvc-enumeration-valid",
        ),
        ("xs:decimal", "<xs:enumeration value='1.0'/>", "1", "2", "cvc-enumeration-valid"),
        ("xs:int", "<xs:minInclusive value='5'/>", "5", "4", "cvc-minInclusive-valid"),
        ("xs:int", "<xs:minExclusive value='5'/>", "6", "5", "cvc-minExclusive-valid"),
        ("xs:int", "<xs:maxInclusive value='5'/>", "5", "6", "cvc-maxInclusive-valid"),
        (
            "xs:date",
            "<xs:maxExclusive value='2026-01-01'/>",
            "2025-12-31",
            "2026-01-01",
            "cvc-maxExclusive-valid",
        ),
        ("xs:decimal", "<xs:totalDigits value='3'/>", "012.30", "12.34", "cvc-totalDigits-valid"),
        (
            "xs:decimal",
            "<xs:fractionDigits value='1'/>",
            "1.20",
            "1.23",
            "cvc-fractionDigits-valid",
        ),
        ("xs:byte", "", "127", "128", "cvc-maxInclusive-valid"),
        ("xs:unsignedLong", "", "18446744073709551615", "-1", "cvc-minInclusive-valid"),
        (
            "xs:QName",
            "<xs:enumeration value='t:a' xmlns:t='urn:t'/>",
            "t:a",
            "t:b",
            "cvc-enumeration-valid",
        ),
    ] {
        let schema = facets(base, facet);
        check(&schema, &[(&format!("<r>{yes}</r>"), &[]), (&format!("<r>{no}</r>"), &[clause])]);
    }
}

#[test]
fn patterns_of_one_step_are_alternatives_and_of_two_steps_both_hold() {
    let schema = load(
        "<xs:simpleType name='one'><xs:restriction base='xs:string'><xs:pattern value='a.*'/>
         <xs:pattern value='b.*'/></xs:restriction></xs:simpleType>
         <xs:simpleType name='two'><xs:restriction base='one'><xs:pattern value='.*z'/>
         </xs:restriction></xs:simpleType>
         <xs:element name='r' type='two'/>",
    );
    check(
        &schema,
        &[
            ("<r>a-z</r>", &[]),
            ("<r>b-z</r>", &[]),
            ("<r>c-z</r>", &["cvc-pattern-valid"]),
            ("<r>a-y</r>", &["cvc-pattern-valid"]),
            ("<r>c-y</r>", &["cvc-pattern-valid", "cvc-pattern-valid"]),
        ],
    );
}

#[test]
fn lists_and_unions() {
    let schema = load(
        "<xs:simpleType name='ints'><xs:list itemType='xs:int'/></xs:simpleType>
         <xs:simpleType name='size'><xs:union memberTypes='xs:int'><xs:simpleType>
         <xs:restriction base='xs:token'><xs:enumeration value='small'/></xs:restriction>
         </xs:simpleType></xs:union></xs:simpleType>
         <xs:simpleType name='few'><xs:restriction base='size'><xs:enumeration value='1'/>
         <xs:enumeration value='small'/></xs:restriction></xs:simpleType>
         <xs:element name='l' type='ints'/><xs:element name='u' type='size'/><xs:element name='f' type='few'/>",
    );
    check(
        &schema,
        &[
            ("<l> 1  2\n3 </l>", &[]),
            ("<l/>", &[]),
            ("<l>1 x</l>", &["cvc-datatype-valid.1.2.2"]),
            ("<u> 5 </u>", &[]),
            ("<u>small</u>", &[]),
            ("<u>large</u>", &["cvc-datatype-valid.1.2.3"]),
            ("<f>01</f>", &[]),
            ("<f>2</f>", &["cvc-enumeration-valid"]),
        ],
    );
}

#[test]
fn simple_content_is_extended_and_restricted() {
    let schema = load(
        "<xs:complexType name='amount'><xs:simpleContent><xs:extension base='xs:decimal'>
         <xs:attribute name='c' type='xs:token' use='required'/><xs:attribute name='d'/>
         </xs:extension></xs:simpleContent></xs:complexType>
         <xs:complexType name='euro'><xs:simpleContent><xs:restriction base='amount'>
         <xs:maxInclusive value='10'/>
         <xs:attribute name='c' fixed='EUR' type='xs:token' use='required'/>
         <xs:attribute name='d' use='prohibited'/>
         </xs:restriction></xs:simpleContent></xs:complexType>
         <xs:element name='a' type='amount'/><xs:element name='e' type='euro'/>",
    );
    check(
        &schema,
        &[
            ("<a c='X' d='1'>11</a>", &[]),
            ("<a>1</a>", &["cvc-complex-type.4"]),
            ("<a c='X'><b/></a>", &["cvc-complex-type.2.2"]),
            ("<a c='X'>1<!-- a comment -->2</a>", &[]),
            ("<e c='EUR'>9</e>", &[]),
            (
                "<e c='X' d='1'>11</e>",
                &["cvc-attribute.4", "cvc-complex-type.3.2.1", "cvc-maxInclusive-valid"],
            ),
        ],
    );
}

#[test]
fn a_simple_type_takes_no_children_and_no_attributes() {
    let schema = load("<xs:element name='r' type='xs:string' default='x'/>");
    check(
        &schema,
        &[
            ("<r xsi:schemaLocation='a b'>x</r>", &[]),
            ("<r a='1'/>", &["cvc-complex-type.3.2.1"]),
            ("<r><b/></r>", &["cvc-type.3.1.2"]),
        ],
    );
}

#[test]
fn wrong_types_are_refused() {
    let restriction = |base: &str, facets: &str| {
        format!(
            "<xs:simpleType name='x'><xs:restriction base='{base}'>{facets}</xs:restriction></xs:simpleType>"
        )
    };
    refused(&restriction("xs:string", r"<xs:pattern value='\b'/>"), "pattern");
    refused(&restriction("xs:string", "<xs:minInclusive value='1'/>"), "cos-applicable-facets");
    refused(&restriction("xs:int", "<xs:minInclusive value='x'/>"), "cos-applicable-facets");
    refused(
        &restriction("xs:token", "<xs:whiteSpace value='preserve'/>"),
        "whiteSpace-valid-restriction",
    );
    refused(&restriction("xs:nothing", ""), "src-resolve");
    refused(&restriction("x", ""), "st-props-correct.2");
    refused(
        "<xs:simpleType name='x'><xs:list itemType='xs:NMTOKENS'/></xs:simpleType>",
        "cos-st-restricts.2.1",
    );
}
