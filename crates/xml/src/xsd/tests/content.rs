//! Content models, attributes, wildcards, substitution, `xsi:type`, `xsi:nil`, identity.

use super::{check, clauses, load};
use crate::tree::{Document, Limits};

const AB: &str = "<xs:element name='a' type='xs:string'/><xs:element name='b' type='xs:string'/>
    <xs:element name='c' type='xs:int'/>";

fn root(content: &str) -> super::Schema {
    load(&format!(
        "{AB}<xs:element name='r'><xs:complexType>{content}</xs:complexType></xs:element>"
    ))
}

#[test]
fn a_sequence_is_kept_in_order_and_number() {
    let schema = root(
        "<xs:sequence><xs:element ref='a'/><xs:element ref='b' minOccurs='0' maxOccurs='2'/>
         <xs:element ref='c' minOccurs='1' maxOccurs='unbounded'/></xs:sequence>",
    );
    check(
        &schema,
        &[
            ("<r><a/><c>1</c></r>", &[]),
            ("<r> <a/><!-- x --><?y?><b/><b/><c>1</c><c>2</c> </r>", &[]),
            ("<r><c>1</c></r>", &["cvc-complex-type.2.4.a"]),
            ("<r><a/></r>", &["cvc-complex-type.2.4.b"]),
            ("<r><a/><b/><b/><b/><c>1</c></r>", &["cvc-complex-type.2.4.a"]),
            ("<r><a/><c>1</c><b/></r>", &["cvc-complex-type.2.4.a"]),
            ("<r><a/><x/><c>x</c></r>", &["cvc-complex-type.2.4.a", "cvc-datatype-valid.1.2.1"]),
            ("<r>text<a/><c>1</c></r>", &["cvc-complex-type.2.3"]),
            ("<x/>", &["cvc-elt.1"]),
        ],
    );
}

#[test]
fn the_end_of_a_closed_sequence_is_said() {
    let schema = root("<xs:sequence><xs:element ref='a'/></xs:sequence>");
    check(&schema, &[("<r><a/><b/></r>", &["cvc-complex-type.2.4.d"])]);
}

#[test]
fn choices_groups_and_counts() {
    let schema = root(
        "<xs:choice maxOccurs='3'><xs:element ref='a'/>
         <xs:sequence minOccurs='2' maxOccurs='2'><xs:element ref='b'/><xs:element ref='c'/>
         </xs:sequence>
         </xs:choice>",
    );
    let bc = "<b/><c>1</c>";
    check(
        &schema,
        &[
            ("<r><a/></r>", &[]),
            ("<r><a/><a/><a/></r>", &[]),
            ("<r><a/><a/><a/><a/></r>", &["cvc-complex-type.2.4.d"]),
            (&format!("<r>{bc}{bc}<a/>{bc}{bc}</r>"), &[]),
            (&format!("<r>{bc}</r>"), &["cvc-complex-type.2.4.b"]),
            (&format!("<r>{bc}<a/></r>"), &["cvc-complex-type.2.4.a"]),
            ("<r/>", &["cvc-complex-type.2.4.b"]),
        ],
    );
}

#[test]
fn ambiguous_counts_are_decided_exactly() {
    let schema = root(
        "<xs:sequence maxOccurs='unbounded'><xs:element ref='a' minOccurs='2' maxOccurs='3'/></xs:sequence>",
    );
    for count in 0..12 {
        let text = format!("<r>{}</r>", "<a/>".repeat(count));
        let is_valid = clauses(&schema, &text).is_empty();
        assert_eq!(is_valid, count >= 2, "{count} elements");
    }
}

#[test]
fn huge_counts_cost_nothing() {
    let schema = root(
        "<xs:sequence><xs:element ref='a' maxOccurs='100000'/>
         <xs:sequence minOccurs='0' maxOccurs='99999'><xs:element ref='b'/><xs:element ref='c'/>
         </xs:sequence>
         </xs:sequence>",
    );
    let pairs = "<b/><c>1</c>".repeat(2_000);
    check(&schema, &[(&format!("<r><a/>{pairs}</r>"), &[])]);
    check(&schema, &[(&format!("<r><a/>{pairs}<b/></r>"), &["cvc-complex-type.2.4.b"])]);
}

#[test]
fn all_is_a_set() {
    let schema = root("<xs:all><xs:element ref='a'/><xs:element ref='b' minOccurs='0'/></xs:all>");
    check(
        &schema,
        &[
            ("<r><b/><a/></r>", &[]),
            ("<r><a/></r>", &[]),
            ("<r><b/></r>", &["cvc-complex-type.2.4.b"]),
            ("<r><a/><a/></r>", &["cvc-complex-type.2.4.a"]),
            ("<r><a/><c>1</c></r>", &["cvc-complex-type.2.4.a"]),
        ],
    );
}

#[test]
fn empty_and_mixed_content() {
    check(
        &root(""),
        &[
            ("<r/>", &[]),
            ("<r><!-- x --></r>", &[]),
            ("<r> </r>", &["cvc-complex-type.2.1"]),
            ("<r><a/></r>", &["cvc-complex-type.2.1"]),
        ],
    );
    let mixed = load(&format!(
        "{AB}<xs:element name='r'><xs:complexType mixed='true'><xs:sequence>
         <xs:element ref='a' minOccurs='0'/></xs:sequence></xs:complexType></xs:element>"
    ));
    check(&mixed, &[("<r>x<a/>y</r>", &[]), ("<r><b/></r>", &["cvc-complex-type.2.4.a"])]);
}

#[test]
fn attributes_are_required_fixed_and_closed() {
    let schema = load(
        "<xs:attribute name='g' type='xs:int'/>
         <xs:attributeGroup name='more'><xs:attribute name='m' type='xs:boolean'/>
         </xs:attributeGroup>
         <xs:element name='r'><xs:complexType><xs:attribute name='a' type='xs:int' use='required'/>
         <xs:attribute name='f' fixed='x'/><xs:attribute ref='g'/><xs:attributeGroup ref='more'/>
         </xs:complexType></xs:element>",
    );
    check(
        &schema,
        &[
            ("<r a='1' f='x' t:g='2' m='true'/>", &[]),
            ("<r a=' 1 ' xsi:schemaLocation='x y'/>", &[]),
            ("<r/>", &["cvc-complex-type.4"]),
            ("<r a='x'/>", &["cvc-datatype-valid.1.2.1"]),
            ("<r a='1' f='y'/>", &["cvc-attribute.4"]),
            ("<r a='1' b='y'/>", &["cvc-complex-type.3.2.1"]),
            ("<r a='1' g='2'/>", &["cvc-complex-type.3.2.1"]),
            (
                "<r a='1' m='maybe' t:g='x'/>",
                &["cvc-datatype-valid.1.2.1", "cvc-datatype-valid.1.2.1"],
            ),
            ("<r a='1' xsi:other='y'/>", &["cvc-complex-type.3.2.1"]),
        ],
    );
}

#[test]
fn wildcards_check_strictly_laxly_or_not_at_all() {
    let any = |namespace: &str, process: &str| {
        load(&format!(
            "<xs:element name='n' type='xs:int'/><xs:attribute name='g' type='xs:int'/>
             <xs:element name='r'><xs:complexType><xs:sequence>
             <xs:any namespace='{namespace}' processContents='{process}' maxOccurs='9'/>
         </xs:sequence>
             <xs:anyAttribute namespace='{namespace}' processContents='{process}'/>
             </xs:complexType></xs:element>"
        ))
    };
    let foreign = "<o:x xmlns:o='urn:o'/>";
    check(
        &any("##any", "strict"),
        &[
            ("<r><n>1</n></r>", &[]),
            ("<r><n>x</n></r>", &["cvc-datatype-valid.1.2.1"]),
            (&format!("<r>{foreign}</r>"), &["cvc-complex-type.2.4.c"]),
            ("<r t:g='x'><n>1</n></r>", &["cvc-datatype-valid.1.2.1"]),
            ("<r h='x'><n>1</n></r>", &["cvc-complex-type.3.2.2"]),
        ],
    );
    check(
        &any("##any", "lax"),
        &[
            (&format!("<r h='1'>{foreign}</r>"), &[]),
            ("<r><o:x xmlns:o='urn:o'><n>x</n></o:x></r>", &["cvc-datatype-valid.1.2.1"]),
        ],
    );
    check(&any("##any", "skip"), &[("<r><n>x</n></r>", &[])]);
    check(
        &any("##other", "skip"),
        &[
            (&format!("<r>{foreign}</r>"), &[]),
            ("<r><n>1</n></r>", &["cvc-complex-type.2.4.a"]),
            ("<r><x xmlns=''/></r>", &["cvc-complex-type.2.4.a"]),
        ],
    );
    check(
        &any("##targetNamespace ##local", "lax"),
        &[
            ("<r><n>1</n><x xmlns=''/></r>", &[]),
            (&format!("<r>{foreign}</r>"), &["cvc-complex-type.2.4.a"]),
        ],
    );
}

#[test]
fn a_member_stands_for_the_head_of_its_group() {
    let schema = load(
        "<xs:element name='h' type='xs:string' abstract='true'/>
         <xs:element name='m' substitutionGroup='h'/>
         <xs:element name='n' type='xs:token' substitutionGroup='m'/>
         <xs:element name='o' type='xs:string' substitutionGroup='k'/>
         <xs:element name='k' type='xs:string' block='substitution'/>
         <xs:element name='r'><xs:complexType><xs:choice maxOccurs='5'>
         <xs:element ref='h'/><xs:element ref='k'/></xs:choice></xs:complexType></xs:element>",
    );
    check(
        &schema,
        &[
            ("<r><m/><n/><k/></r>", &[]),
            ("<r><h/></r>", &["cvc-elt.2"]),
            ("<r><o/></r>", &["cvc-complex-type.2.4.a"]),
        ],
    );
}

#[test]
fn instance_types_must_be_derived_and_not_blocked() {
    let schema = load(
        "<xs:complexType name='base'><xs:sequence><xs:element name='a' type='xs:int'/></xs:sequence></xs:complexType>
         <xs:complexType name='more'><xs:complexContent><xs:extension base='base'><xs:sequence>
         <xs:element name='b' type='xs:int'/></xs:sequence></xs:extension></xs:complexContent>
         </xs:complexType>
         <xs:complexType name='less'><xs:complexContent><xs:restriction base='base'><xs:sequence>
         <xs:element name='a' type='xs:int' fixed='1'/></xs:sequence></xs:restriction>
         </xs:complexContent></xs:complexType>
         <xs:complexType name='none' abstract='true'/>
         <xs:element name='r' type='base'/><xs:element name='s' type='base' block='extension'/>
         <xs:element name='t' type='none'/>",
    );
    check(
        &schema,
        &[
            ("<r xsi:type='more'><a>1</a><b>2</b></r>", &[]),
            ("<r xsi:type=' t:more '><a>1</a></r>", &["cvc-complex-type.2.4.b"]),
            ("<r><a>1</a><b>2</b></r>", &["cvc-complex-type.2.4.d"]),
            ("<s xsi:type='more'><a>1</a></s>", &["cvc-elt.4.3"]),
            ("<s xsi:type='less'><a>2</a></s>", &["cvc-elt.5.2.2.2.2"]),
            ("<r xsi:type='none'><a>1</a></r>", &["cvc-elt.4.3"]),
            ("<r xsi:type='nowhere'><a>1</a></r>", &["cvc-elt.4.2"]),
            ("<r xsi:type='no:where'><a>1</a></r>", &["cvc-elt.4.1"]),
            ("<t/>", &["cvc-type.2"]),
        ],
    );
}

#[test]
fn nil_needs_permission_and_emptiness() {
    let schema = load(
        "<xs:element name='r' nillable='true' type='xs:int'/><xs:element name='s' type='xs:int'/>
         <xs:element name='f' nillable='true' fixed='1' type='xs:int'/>",
    );
    check(
        &schema,
        &[
            ("<r xsi:nil='true'/>", &[]),
            ("<r xsi:nil='0'>1</r>", &[]),
            ("<r xsi:nil='1'>1</r>", &["cvc-elt.3.2.1"]),
            ("<r xsi:nil='yes'>1</r>", &["cvc-datatype-valid.1.2.1"]),
            ("<s xsi:nil='false'>1</s>", &["cvc-elt.3.1"]),
            ("<f xsi:nil='true'/>", &["cvc-elt.3.2.2"]),
            ("<f/>", &[]),
            ("<f>01</f>", &[]),
            ("<f>2</f>", &["cvc-elt.5.2.2.2.2"]),
        ],
    );
}

#[test]
fn keys_are_unique_present_and_referred_to() {
    let schema = load(
        "<xs:element name='r'><xs:complexType><xs:sequence>
           <xs:element name='i' maxOccurs='9'><xs:complexType>
         <xs:attribute name='k' type='xs:decimal'/></xs:complexType></xs:element>
           <xs:element name='p' type='xs:decimal' minOccurs='0' maxOccurs='9'/>
           <xs:element name='u' type='xs:string' minOccurs='0' maxOccurs='9'/>
         </xs:sequence></xs:complexType>
         <xs:key name='key'><xs:selector xpath='t:i' xmlns:t='urn:t'/><xs:field xpath='@k'/>
         </xs:key>
         <xs:keyref name='ref' refer='key'><xs:selector xpath='.//t:p' xmlns:t='urn:t'/>
         <xs:field xpath='.'/></xs:keyref>
         <xs:unique name='once'><xs:selector xpath='*|t:u' xmlns:t='urn:t'/><xs:field xpath='@z'/>
         </xs:unique>
         <xs:unique name='text'><xs:selector xpath='t:u' xmlns:t='urn:t'/><xs:field xpath='.'/>
         </xs:unique>
         </xs:element>",
    );
    check(
        &schema,
        &[
            ("<r><i k='1'/><i k='2'/><p>2.0</p><u>a</u><u>b</u></r>", &[]),
            ("<r><i k='1'/><i k='1.0'/></r>", &["cvc-identity-constraint.4.2.2"]),
            ("<r><i/></r>", &["cvc-identity-constraint.4.2.1"]),
            ("<r><i k='1'/><p>3</p></r>", &["cvc-identity-constraint.4.3"]),
            ("<r><i k='1'/><u>a</u><u>a</u></r>", &["cvc-identity-constraint.4.1"]),
        ],
    );
}

#[test]
fn identifiers_are_unique_and_found() {
    let schema = load(
        "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='i' type='xs:ID' maxOccurs='9'/>
         <xs:element name='f' type='xs:IDREFS' minOccurs='0'/></xs:sequence></xs:complexType></xs:element>",
    );
    check(
        &schema,
        &[
            ("<r><i>a</i><i>b</i><f>b a</f></r>", &[]),
            ("<r><i>a</i><i>a</i></r>", &["cvc-id.2"]),
            ("<r><i>a</i><f>a c</f></r>", &["cvc-id.1"]),
        ],
    );
}

#[test]
fn a_violation_says_where_and_what() {
    let schema = root("<xs:sequence><xs:element ref='a'/><xs:element ref='c'/></xs:sequence>");
    let text = "<p:r xmlns:p='urn:t'>\n <p:a/>\n <p:x/>\n</p:r>";
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let verdict = schema.validate(document.root());
    let said = verdict.violations.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        said,
        ["line 3, column 2, /p:r[1]/p:x[1]: expected p:c, found p:x (cvc-complex-type.2.4.a)"]
    );
    assert!(!verdict.is_valid());
}

#[test]
fn a_document_full_of_violations_is_cut() {
    let schema = root("<xs:sequence><xs:element ref='c' maxOccurs='unbounded'/></xs:sequence>");
    let text = format!("<r xmlns='urn:t'>{}</r>", "<c>x</c>".repeat(5_000));
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let verdict = schema.validate(document.root());
    assert!(verdict.is_cut);
    assert_eq!(verdict.violations.len(), crate::xsd::MAX_VIOLATIONS);
    assert!(!schema.is_valid(document.root()));
    let text = text.replace(">x<", "><");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(schema.is_valid(document.root()), schema.validate(document.root()).is_valid());
}

#[test]
fn paths_and_positions_are_those_of_the_tree() {
    let schema = root("<xs:sequence><xs:element ref='c' maxOccurs='unbounded'/></xs:sequence>");
    let text =
        format!("<r xmlns='urn:t'>{}\n{}</r>", "<c>\u{e4}</c><c>1</c>".repeat(3), "<c/>".repeat(3));
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let found = schema.validate(document.root()).violations;
    let wrong = document.root().elements().filter(|it| it.text() != "1");
    let expected: Vec<_> = wrong.map(|it| (it.path(), it.position())).collect();
    let places: Vec<_> = found.into_iter().map(|it| (it.path, it.position)).collect();
    assert_eq!(places, expected);
}
