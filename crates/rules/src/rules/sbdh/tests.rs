//! Every rule of the envelope fires at an edit that breaks it, and at nothing else.

use super::*;
use quoin_xml::tree::{Document, Limits};

use crate::releases::RULE_SETS;
use crate::rules::Case;

const ENVELOPE: &str = "\
<StandardBusinessDocument xmlns=\"http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader\">
<StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion>
<Sender><Identifier Authority=\"iso6523-actorid-upis\">0106:12345678</Identifier></Sender>
<Receiver><Identifier Authority=\"iso6523-actorid-upis\">0106:87654321</Identifier></Receiver>
<DocumentIdentification><Standard>urn:x</Standard><TypeVersion>2.1</TypeVersion>
<InstanceIdentifier>7f2c</InstanceIdentifier><Type>A</Type>
<CreationDateAndTime>2026-05-31T12:00:00.5+02:00</CreationDateAndTime></DocumentIdentification>
<BusinessScope>
<Scope><Type>DOCUMENTID</Type><InstanceIdentifier>urn:x::A##urn:c::2.1</InstanceIdentifier>\
<Identifier>busdox-docid-qns</Identifier></Scope>
<Scope><Type>PROCESSID</Type><InstanceIdentifier>urn:p</InstanceIdentifier></Scope>
<Scope><Type>COUNTRY_C1</Type><InstanceIdentifier>NL</InstanceIdentifier></Scope>
<Scope><Type>MLS_TO</Type><InstanceIdentifier>0242:000123</InstanceIdentifier>\
<Identifier>iso6523-actorid-upis</Identifier></Scope>
<Scope><Type>MLS_TYPE</Type><InstanceIdentifier>ALWAYS_SEND</InstanceIdentifier></Scope>
</BusinessScope></StandardBusinessDocumentHeader>
<A xmlns=\"urn:x\"><CustomizationID> urn:c </CustomizationID><ProfileID>urn:p</ProfileID>
<EndpointID schemeID=\"0106\">12345678</EndpointID><EndpointID schemeID=\"0106\"> 87654321 </EndpointID></A>
</StandardBusinessDocument>";

fn fired(text: &str) -> Vec<&'static str> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let facts = Facts::new(document.root(), jiff::civil::date(2026, 11, 21));
    let set = RULE_SETS.iter().find(|set| set.id == PACKAGE).unwrap();
    let mut fired = Vec::new();
    set.check(&facts, &mut |hit| fired.push(hit.id));
    fired
}

/// An edit, and the rules that it breaks.
type Broken = (&'static str, &'static str, &'static [&'static str]);

const BROKEN: &[Broken] = &[
    ("<HeaderVersion>1.0<", "<HeaderVersion>1.1<", &["QUOIN-SBDH-VERSION"]),
    ("<HeaderVersion>1.0</HeaderVersion>", "", &["QUOIN-SBDH-VERSION"]),
    (
        "<Receiver>",
        "<Sender><Identifier Authority=\"iso6523-actorid-upis\">0106:1</Identifier></Sender><Receiver>",
        &["QUOIN-SBDH-PARTNER"],
    ),
    (
        "Authority=\"iso6523-actorid-upis\">0106:1",
        "Authority=\"iso6523\">0106:1",
        &["QUOIN-SBDH-AUTHORITY"],
    ),
    (" Authority=\"iso6523-actorid-upis\">0106:8", ">0106:8", &["QUOIN-SBDH-AUTHORITY"]),
    (">0106:87654321<", "><", &["QUOIN-SBDH-PARTICIPANT"]),
    (
        "</Identifier></Receiver>",
        "</Identifier><Identifier Authority=\"iso6523-actorid-upis\">0106:1</Identifier></Receiver>",
        &["QUOIN-SBDH-PARTNER"],
    ),
    (">0106:87654321<", ">NL:KVK:87654321<", &["QUOIN-SBDH-PARTICIPANT"]),
    (">7f2c<", "><", &["QUOIN-SBDH-FIELD"]),
    ("<Standard>urn:x</Standard>", "", &["QUOIN-SBDH-FIELD"]),
    ("<Type>A</Type>", "<Type>A</Type><Type>A</Type>", &["QUOIN-SBDH-FIELD"]),
    ("2026-05-31T12:00:00.5+02:00", "2026-05-31T12:00:00", &["QUOIN-SBDH-CREATED"]),
    ("2026-05-31T12:00:00.5+02:00", "2026-05-31", &["QUOIN-SBDH-CREATED"]),
    ("<Type>COUNTRY_C1<", "<Type>COUNTRY<", &["QUOIN-SBDH-SCOPE"]),
    ("<Type>MLS_TYPE<", "<Type>MLS_TO<", &["QUOIN-SBDH-SCOPE-ONCE"]),
    ("urn:x::A##urn:c::2.1", "urn:x::A#urn:c::2.1", &["QUOIN-SBDH-DOCUMENTID"]),
    ("busdox-docid-qns", "docid", &["QUOIN-SBDH-DOCUMENTID"]),
    (">urn:p</Inst", "></Inst", &["QUOIN-SBDH-PROCESSID"]),
    (">NL<", ">nl<", &["QUOIN-SBDH-COUNTRY"]),
    (">NL<", ">NLD<", &["QUOIN-SBDH-COUNTRY"]),
    (">NL<", ">QQ<", &["QUOIN-SBDH-COUNTRY"]),
    (">0242:000123<", ">000123<", &["QUOIN-SBDH-MLS-TO"]),
    ("<Identifier>iso6523-actorid-upis</Identifier>", "", &["QUOIN-SBDH-MLS-TO"]),
    ("ALWAYS_SEND", "always_SEND", &["QUOIN-SBDH-MLS-TYPE"]),
    ("<Standard>urn:x<", "<Standard>urn:y<", &["QUOIN-SBDH-STANDARD"]),
    ("<Type>A<", "<Type>B<", &["QUOIN-SBDH-TYPE"]),
    ("<TypeVersion>2.1<", "<TypeVersion>2.0<", &["QUOIN-SBDH-TYPE-VERSION"]),
    ("<A xmlns=\"urn:x\">", "<A xmlns=\"urn:y\">", &["QUOIN-SBDH-ROOT"]),
    (" urn:c ", "urn:d", &["QUOIN-SBDH-CUSTOMIZATION"]),
    ("<ProfileID>urn:p", "<ProfileID>urn:q", &["QUOIN-SBDH-PROCESS"]),
    (
        "<EndpointID schemeID=\"0106\">12345678<",
        "<EndpointID schemeID=\"0106\">12345679<",
        &["QUOIN-SBDH-SENDER"],
    ),
    (
        "<EndpointID schemeID=\"0106\"> 8",
        "<EndpointID schemeID=\"0106\"> 9",
        &["QUOIN-SBDH-RECEIVER"],
    ),
    ("</StandardBusinessDocument>", "<a/></StandardBusinessDocument>", &["QUOIN-SBDH-PAYLOAD"]),
    (
        "<A xmlns=\"urn:x\">",
        "<StandardBusinessDocumentHeader/><A xmlns=\"urn:x\">",
        &["QUOIN-SBDH-HEADER"],
    ),
    // What only the schema knows.
    ("<Scope><Type>COUNTRY_C1<", "<Scope x=\"1\"><Type>COUNTRY_C1<", &["QUOIN-SBDH-STRUCTURE"]),
    (
        "</Identifier></Scope>\n<Scope><Type>MLS_TYPE",
        "</Identifier><Identifier>iso6523-actorid-upis</Identifier></Scope>\n<Scope><Type>MLS_TYPE",
        &["QUOIN-SBDH-STRUCTURE"],
    ),
    (
        "<Type>PROCESSID</Type>",
        "<Type>PROCESSID</Type><Type>PROCESSID</Type>",
        &["QUOIN-SBDH-STRUCTURE"],
    ),
    ("<Type>PROCESSID</Type>", "<Type>PROCESSID</Type>stray", &["QUOIN-SBDH-STRUCTURE"]),
    ("busdox-docid-qns<", "busdox-docid-qns<Type/><", &["QUOIN-SBDH-STRUCTURE"]),
    ("<BusinessScope>", "<Manifest/><BusinessScope>", &["QUOIN-SBDH-STRUCTURE"]),
    (
        "<StandardBusinessDocument xmlns",
        "<StandardBusinessDocument name=\"a\" xmlns",
        &["QUOIN-SBDH-STRUCTURE"],
    ),
];

#[test]
fn each_rule_is_broken_by_itself() {
    assert_eq!(fired(ENVELOPE), Vec::<&str>::new());
    for (from, to, rules) in BROKEN {
        assert!(ENVELOPE.contains(from), "{from}");
        assert_eq!(fired(&ENVELOPE.replacen(from, to, 1)), *rules, "{from} {to}");
    }
    let set = RULE_SETS.iter().find(|set| set.id == PACKAGE).unwrap();
    for rule in set.rules() {
        assert!(BROKEN.iter().any(|(_, _, rules)| rules.contains(&rule.id)), "{}", rule.id);
    }
}

#[test]
fn a_file_has_no_element_to_compare() {
    let text = ENVELOPE
        .replace("urn:x::A##urn:c::2.1", "urn:peppol:doctype:pdf+xml##urn:c::D22B")
        .replace("<Standard>urn:x<", "<Standard>urn:peppol:doctype:pdf+xml<")
        .replace("<A xmlns=\"urn:x\">", "<A xmlns=\"http://peppol.eu/xsd/ticc/envelope/1.0\">");
    assert_eq!(fired(&text), Vec::<&str>::new());
}

/// The place of a violation is found without reading the line of each element before it.
#[test]
fn a_violation_behind_many_scopes_on_one_line_is_told_at_its_place() {
    let own = "<Scope><Type>OWN</Type><InstanceIdentifier>1</InstanceIdentifier></Scope>";
    let last = own.replace("<Scope>", "<Scope x='1'>");
    let many = format!("{}{last}</BusinessScope>", own.repeat(20_000));
    let text = ENVELOPE.replace("</BusinessScope>", &many).replace('\n', "");
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let facts = Facts::new(document.root(), jiff::civil::date(2026, 11, 21));
    let case = Case { at: document.root(), id: "", release: "", facts: &facts };
    let header = header(&case).unwrap();
    let wrong = schema::violation(header).unwrap();
    let found = schema::element_at(header, wrong.position).unwrap();
    assert_eq!(found.attribute("x"), Some("1"));
}
