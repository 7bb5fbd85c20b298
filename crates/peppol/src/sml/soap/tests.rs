//! Messages both ways, against the official schema and WSDLs, and what must be refused.

use quoin_xml::tree::{Document, Limits};
use quoin_xml::xsd::{Schema, SchemaFiles};

use super::*;

const FOLDER: &str = "network-data/sml";

fn id(text: &str) -> ParticipantId {
    text.parse().unwrap()
}

fn publisher() -> Publisher {
    Publisher {
        id: "POP000999-SMP".to_owned(),
        logical_address: "https://smp.example.test/a&b".to_owned(),
        physical_address: "192.0.2.10".to_owned(),
    }
}

fn entries(participants: &[&str]) -> Entries {
    let participants = participants.iter().map(|text| id(text)).collect();
    Entries { publisher: "POP000999-SMP".to_owned(), participants }
}

fn moved() -> Move {
    let (publisher, key) = ("POP000999-SMP".to_owned(), "aB3$xY7#mQ9!".to_owned());
    Move { publisher, participant: id("0106:12345678"), key }
}

fn change(on: Option<jiff::civil::Date>) -> SmlRequest {
    let pem = "-----BEGIN CERTIFICATE-----\nMIIF\n-----END CERTIFICATE-----";
    SmlRequest::ChangeCertificate(CertificateChange { certificate_pem: pem.to_owned(), on })
}

/// One of each, and the forms with and without a page.
fn requests() -> Vec<SmlRequest> {
    let list = |page: Option<&str>| SmlRequest::List {
        publisher: "POP000999-SMP".to_owned(),
        page: page.map(str::to_owned),
    };
    vec![
        SmlRequest::CreatePublisher(publisher()),
        SmlRequest::ReadPublisher(publisher()),
        SmlRequest::UpdatePublisher(publisher()),
        SmlRequest::DeletePublisher("POP000999-SMP".to_owned()),
        SmlRequest::Create(entries(&["0106:12345678"])),
        SmlRequest::CreateList(entries(&["0106:12345678", "9944:NL123456782B90"])),
        SmlRequest::Delete(entries(&["0106:12345678"])),
        SmlRequest::DeleteList(entries(&["0106:12345678", "9944:NL123456782B90"])),
        list(None),
        list(Some("2 <next>")),
        SmlRequest::PrepareToMigrate(moved()),
        SmlRequest::Migrate(moved()),
        change(None),
        change(Some(jiff::civil::date(2027, 1, 15))),
        SmlRequest::CreateAs(entries(&["0106:12345678"]), SMP_SERVICE.to_owned()),
        SmlRequest::IsAlive,
    ]
}

fn answers() -> Vec<(SmlOperation, SmlAnswer)> {
    let page = |next: Option<&str>| {
        SmlAnswer::Page(ParticipantPage {
            participants: vec![id("0106:12345678")],
            publisher: Some("POP000999-SMP".to_owned()),
            next: next.map(str::to_owned),
        })
    };
    let mut all = vec![
        (SmlOperation::Create, SmlAnswer::Done),
        (SmlOperation::ReadPublisher, SmlAnswer::Publisher(publisher())),
        (SmlOperation::List, page(None)),
        (SmlOperation::List, page(Some("0106:12345678"))),
    ];
    let kinds = FaultKind::NAMED.into_iter().chain([FaultKind::Unspecified]);
    for kind in kinds {
        let text = "[ERR-106] it <exists> & is taken".to_owned();
        all.push((SmlOperation::Migrate, SmlAnswer::Fault(SmlFault { kind, text })));
    }
    all
}

/// The official schema, as far as it is here.
fn schema() -> Option<Schema> {
    let mut files = SchemaFiles::new();
    let types = ["BDMSLService-1.0.xsd", "peppol-sml-types-v1.xsd", "peppol-identifiers-v1.xsd"];
    for name in types {
        let text = quoin_testing::shared_text(&format!("{FOLDER}/{name}"))?;
        files.add(name, text);
    }
    Some(Schema::load(&["BDMSLService-1.0.xsd", "peppol-sml-types-v1.xsd"], &files).unwrap())
}

/// What the schema says of the message in an envelope; faults keep theirs in the detail.
fn violations(schema: &Schema, xml: &str) -> Vec<String> {
    let document = Document::parse(xml.as_bytes(), &Limits::default()).unwrap();
    let known = [LOCATOR_NAMESPACE, BDMSL_NAMESPACE];
    let own = document.root().descendants().find(|e| known.contains(&e.namespace()));
    let verdict = own.map(|message| schema.validate(message)).unwrap_or_default();
    verdict.violations.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_written_is_read_again() {
    for request in requests() {
        let xml = request.to_xml();
        assert_eq!(SmlRequest::read(xml.as_bytes()).unwrap(), request, "{xml}");
    }
    for (operation, answer) in answers() {
        let xml = answer.to_xml();
        assert_eq!(SmlAnswer::read(xml.as_bytes(), operation).unwrap(), answer, "{xml}");
    }
}

#[test]
fn every_message_is_valid_by_the_official_schema() {
    let Some(schema) = schema() else { return };
    for request in requests() {
        assert_eq!(violations(&schema, &request.to_xml()), Vec::<String>::new(), "{request:?}");
    }
    for (_, answer) in answers() {
        assert_eq!(violations(&schema, &answer.to_xml()), Vec::<String>::new(), "{answer:?}");
    }
    let wrong = SmlRequest::Migrate(moved()).to_xml().replace("MigrationKey", "Key");
    assert_ne!(violations(&schema, &wrong), Vec::<String>::new(), "the check can fail");
    let wrong = change(None).to_xml().replace("newCertificatePublicKey", "newKey");
    assert_ne!(violations(&schema, &wrong), Vec::<String>::new(), "the check can fail");
}

#[test]
fn every_action_and_element_stands_in_the_official_wsdl() {
    for (service, name) in [
        (SmlService::Publishers, "peppol-sml-manage-service-metadata-service-v1.wsdl"),
        (SmlService::Participants, "peppol-sml-manage-business-identifier-service-v1.wsdl"),
        (SmlService::Certificates, "BDMSLService-1.0.wsdl"),
    ] {
        let Some(wsdl) = quoin_testing::shared_text(&format!("{FOLDER}/{name}")) else { return };
        let rows = OPERATIONS.iter().filter(|row| row.service == service);
        let mut seen = 0;
        for row in rows {
            let action = format!("soapAction={}", row.operation.soap_action());
            assert!(wsdl.contains(&action), "{action}");
            assert!(wsdl.contains(&format!("element=\"lrs:{}\"", row.element)), "{}", row.element);
            seen += 1;
        }
        assert_eq!(wsdl.matches("soapAction=").count(), seen, "{name}");
    }
}

#[test]
fn the_samples_of_the_research_are_read() {
    for (name, operation) in [
        ("create-smp", SmlOperation::CreatePublisher),
        ("read-smp", SmlOperation::ReadPublisher),
        ("update-smp", SmlOperation::UpdatePublisher),
        ("delete-smp", SmlOperation::DeletePublisher),
        ("create-participant", SmlOperation::Create),
        ("create-list", SmlOperation::CreateList),
        ("delete-participant", SmlOperation::Delete),
        ("delete-list", SmlOperation::DeleteList),
        ("list-page", SmlOperation::List),
        ("prepare-migrate", SmlOperation::PrepareToMigrate),
        ("migrate", SmlOperation::Migrate),
        ("bdmsl-prepare-change-certificate", SmlOperation::ChangeCertificate),
        ("bdmsl-create-participant", SmlOperation::CreateAs),
        ("bdmsl-is-alive", SmlOperation::IsAlive),
    ] {
        let path = format!("network-data/derived/samples/soap/{name}.xml");
        let Some(text) = quoin_testing::shared_text(&path) else { return };
        assert_eq!(SmlRequest::read(text.as_bytes()).unwrap().operation(), operation, "{name}");
    }
    let sample = |name: &str, operation| {
        let path = format!("network-data/derived/samples/soap/{name}.xml");
        let text = quoin_testing::shared_text(&path)?;
        Some(SmlAnswer::read(text.as_bytes(), operation).unwrap())
    };
    let Some(SmlAnswer::Page(page)) = sample("list-page-response", SmlOperation::List) else {
        return;
    };
    assert_eq!(page.participants, [id("0106:12345678")]);
    let Some(SmlAnswer::Fault(fault)) = sample("fault-badrequest", SmlOperation::Create) else {
        return;
    };
    assert_eq!((fault.kind, fault.code()), (FaultKind::BadRequest, Some("ERR-106")));
}

#[test]
fn every_operation_has_one_row() {
    for (at, row) in OPERATIONS.iter().enumerate() {
        assert!(std::ptr::eq(row.operation.row(), row));
        assert!(OPERATIONS.iter().skip(at + 1).all(|other| other.element != row.element));
        let namespace = row.service.namespace();
        assert_eq!(SmlOperation::of_element(namespace, row.element), Some(row.operation));
        assert_eq!(SmlOperation::of_element("urn:other", row.element), None);
    }
    assert_eq!(OPERATIONS.len(), 14);
    for request in requests() {
        // There the certificate alone says who asks.
        let alone = [SmlOperation::ChangeCertificate, SmlOperation::IsAlive];
        let named = !alone.contains(&request.operation());
        let expected = if named { "POP000999-SMP" } else { "" };
        assert_eq!(request.publisher(), expected, "{request:?}");
    }
}

#[test]
fn what_the_schema_does_not_have_is_refused() {
    let create = SmlRequest::Create(entries(&["0106:12345678"])).to_xml();
    let day = change(Some(jiff::civil::date(2027, 1, 15))).to_xml();
    let header = "<s:Header><x:a xmlns:x=\"urn:x\" s:mustUnderstand=\"1\"/></s:Header>";
    for (change, expected) in [
        (create.replace("schemas.xmlsoap.org/soap", "schemas.example.org/soap"), "SOAP 1.1"),
        (create.replace("<s:Body>", &format!("{header}<s:Body>")), "must be understood"),
        (create.replace("CreateParticipantIdentifier", "Invent"), "a message of the SML"),
        (day.replace("2027-01-15", "soon"), "is no date"),
        (day.replace("BDMSL:data:1.0", "BDMSL:data:2.0"), "a message of the SML"),
        (create.replace("iso6523-actorid-upis", "iso6523"), "its scheme is"),
        (create.replace("0106:12345678", "0106:1 2"), "not acceptable"),
        (create.replace("0106:12345678", "&#10;"), "not acceptable"),
        (create.replace("POP000999-SMP", " "), "ServiceMetadataPublisherID is empty"),
        (create.replace("</CreateP", "<MigrationKey>k</MigrationKey></CreateP"), "nothing more"),
        (
            create.replace(
                "<ServiceMetadataPublisherID>POP000999-SMP</ServiceMetadataPublisherID>",
                "",
            ),
            "expected ServiceMetadataPublisherID",
        ),
        (create.replace("<s:Body>", "<s:Body><a/>"), "2 elements"),
        (create.replace("</s:Envelope>", "<s:Body/></s:Envelope>"), "nothing more"),
        (create.replace("<s:Env", "<!DOCTYPE a [<!ENTITY b \"c\">]><s:Env"), "cannot be read"),
        (format!("<a>{}</a>", "x".repeat(MESSAGE_LIMIT)), "cannot be read"),
        ("<a>".repeat(60), "cannot be read"),
        (String::new(), "cannot be read"),
    ] {
        let read = SmlRequest::read(change.as_bytes());
        let said = read.expect_err("it is wrong").to_string();
        assert!(said.contains(expected), "{said}: {}", &change[..change.len().min(600)]);
    }
}

#[test]
fn an_answer_to_something_else_is_refused() {
    let page =
        answers().into_iter().find(|(operation, _)| *operation == SmlOperation::List).unwrap();
    let xml = page.1.to_xml();
    assert!(SmlAnswer::read(xml.as_bytes(), SmlOperation::ReadPublisher).is_err());
    assert!(SmlAnswer::read(SmlAnswer::Done.to_xml().as_bytes(), SmlOperation::List).is_err());
    assert!(SmlAnswer::read(b"<html/>", SmlOperation::Create).is_err());
}

#[test]
fn faults_mean_what_the_table_says() {
    for (kind, text, meaning) in [
        (
            FaultKind::NotFound,
            "[ERR-100] The SMP 'X' is unknown. [a1]",
            FaultMeaning::UnknownPublisher,
        ),
        (FaultKind::NotFound, "[ERR-110] no such participant", FaultMeaning::NotRegistered),
        (
            FaultKind::Unauthorized,
            "[ERR-101] another certificate",
            FaultMeaning::ForeignCertificate,
        ),
        (FaultKind::BadRequest, "[ERR-106] it exists already", FaultMeaning::MaybeRegistered),
        (FaultKind::BadRequest, "ERR-106 without brackets", FaultMeaning::Rejected),
        (FaultKind::BadRequest, "[ERR-1x6] no number", FaultMeaning::Rejected),
        (FaultKind::InternalError, "", FaultMeaning::Broken),
        (FaultKind::Unspecified, "anything", FaultMeaning::Broken),
    ] {
        let fault = SmlFault { kind, text: text.to_owned() };
        assert_eq!(fault.meaning(), meaning, "{fault:?}");
    }
    for row in FAULTS {
        let text = row.code.map_or(String::new(), |code| format!("[{code}] text"));
        assert_eq!(SmlFault { kind: row.kind, text }.meaning(), row.meaning, "{row:?}");
    }
}

#[test]
fn keys_have_two_of_each_kind() {
    for good in ["aB3$xY7#", "aB3$xY7#mQ9!", "AAaa11()[]{}*^-!~|+=@#$%"] {
        check_migration_key(good).unwrap();
    }
    for (bad, why) in [
        ("aB3$xY7", "8 to 24"),
        ("aB3$xY7#aB3$xY7#aB3$xY7#a", "8 to 24"),
        ("aB3$xY7# ", "' '"),
        ("aB3$xY7#_", "'_'"),
        ("aB3$xY7#é", "'é'"),
        ("AB3$XY7#", "small"),
        ("ab3$xy7#", "capital"),
        ("aBx$xYy#", "digits"),
        ("aB3xxY7#", "signs"),
    ] {
        let said = check_migration_key(bad).unwrap_err().to_string();
        assert!(said.contains(why), "{bad}: {said}");
        assert!(!said.contains(bad), "a key is not repeated");
    }
    assert!(!format!("{:?}", moved()).contains("aB3"), "nor shown");
}

/// PE-15: the SML's reference client leaves out what the schema lets be left out.
#[test]
fn pe_15_what_the_schema_lets_be_left_out_may_be_left_out() {
    let ids = "xmlns:i=\"http://busdox.org/transport/identifiers/1.0/\"";
    let soap = |body: &str| {
        format!(
            "<s:Envelope xmlns:s=\"{SOAP_NAMESPACE}\" {ids}><s:Body>{body}</s:Body></s:Envelope>"
        )
    };
    let participant = "<i:ParticipantIdentifier scheme=\"iso6523-actorid-upis\">0106:12345678\
                       </i:ParticipantIdentifier>";
    let list =
        soap(&format!("<DeleteList xmlns=\"{LOCATOR_NAMESPACE}\">{participant}</DeleteList>"));
    let SmlRequest::DeleteList(entries) = SmlRequest::read(list.as_bytes()).unwrap() else {
        panic!()
    };
    assert_eq!((entries.publisher.as_str(), entries.participants.len()), ("", 1));
    let read = soap(&format!(
        "<ReadServiceMetadataPublisherService xmlns=\"{LOCATOR_NAMESPACE}\">\
         <ServiceMetadataPublisherID>POP000999-SMP</ServiceMetadataPublisherID>\
         </ReadServiceMetadataPublisherService>"
    ));
    let SmlRequest::ReadPublisher(asked) = SmlRequest::read(read.as_bytes()).unwrap() else {
        panic!()
    };
    assert_eq!((asked.id.as_str(), asked.logical_address.as_str()), ("POP000999-SMP", ""));
    assert_eq!(LIST_LIMIT, 99, "a list has less than a hundred participants");
}
