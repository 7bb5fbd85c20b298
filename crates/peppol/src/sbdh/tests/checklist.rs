//! The rows D-01 to D-13 of the access point checklist, one or more tests each.

use quoin_xml::tree::Limits;

use super::*;

#[test]
fn d_01_every_message_is_wrapped_once_and_whole() {
    assert!(matches!(read(INVOICE.as_bytes()), Err(SbdhRefusal::NotWrapped { .. })));
    assert_eq!(read(b""), Err(SbdhRefusal::Empty));
    let alone = format!("<StandardBusinessDocumentHeader xmlns=\"{NAMESPACE}\"/>");
    assert_eq!(read(alone.as_bytes()), Err(SbdhRefusal::StandaloneHeader));
    let no_header =
        format!("<StandardBusinessDocument xmlns=\"{NAMESPACE}\"><a/></StandardBusinessDocument>");
    assert_eq!(read(no_header.as_bytes()), Err(SbdhRefusal::NoHeader));

    let text = envelope();
    let payload =
        &text[text.find("<Invoice").unwrap()..text.find("</StandardBusinessDocument>").unwrap()];
    assert_eq!(edited(payload, ""), Err(SbdhRefusal::NoPayload));
    let twice = format!("{payload}{payload}");
    assert!(matches!(edited(payload, &twice), Err(SbdhRefusal::MoreThanOnePayload { .. })));
    assert!(matches!(edited(payload, "text"), Err(SbdhRefusal::MoreThanOnePayload { .. })));
    let nested = text[text.find("<StandardBusinessDocument").unwrap()..].to_owned();
    assert_eq!(edited(payload, &nested), Err(SbdhRefusal::Nested));
    assert_eq!(wrap(&sbdh(), text.as_bytes()), Err(WrapRefusal::Nested));
    assert!(matches!(
        edited("</StandardBusinessDocument>", "</StandardBusinessDocument><a/>"),
        Err(SbdhRefusal::MoreThanOnePayload { .. })
    ));
    assert!(matches!(edited("</cbc:ID>", "</cbc:Id>"), Err(SbdhRefusal::Markup { .. })));
    assert!(matches!(edited("<?xml", "<!DOCTYPE a><?xml"), Err(SbdhRefusal::Markup { .. })));

    // Only a full parse sees an entity that does not exist.
    let entity = text.replace("&lt;", "&nope;");
    assert!(read(entity.as_bytes()).is_ok());
    assert!(matches!(
        read_checked(entity.as_bytes(), &Limits::default()),
        Err(SbdhRefusal::Xml(_))
    ));
}

#[test]
fn d_01_one_encoding() {
    let latin = envelope().replace("A &lt; B", "\u{e9}");
    let latin: Vec<u8> = latin.chars().map(|c| c as u8).collect();
    assert!(matches!(read(&latin), Err(SbdhRefusal::Encoding { .. })));
    let declared = envelope().replace("encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\"");
    assert!(matches!(read(declared.as_bytes()), Err(SbdhRefusal::Markup { .. })));
    let marked = format!("\u{feff}{}", envelope());
    assert!(read_checked(marked.as_bytes(), &Limits::default()).is_ok());
    let doc = format!("\u{feff}{INVOICE}");
    assert_eq!(wrap(&sbdh(), doc.as_bytes()).unwrap(), envelope().into_bytes());
}

#[test]
fn d_02_header_version_is_1_0() {
    let refused = edited("<HeaderVersion>1.0<", "<HeaderVersion>1.1<").unwrap_err();
    assert_eq!(refused.to_string(), "HeaderVersion is '1.1': expected '1.0'");
    assert!(matches!(
        edited("<HeaderVersion>1.0</HeaderVersion>", ""),
        Err(SbdhRefusal::Missing { field: "HeaderVersion" })
    ));
}

#[test]
fn d_03_one_sender_and_one_receiver_with_the_authority() {
    let twice = "<Sender><Identifier Authority=\"iso6523-actorid-upis\">0106:1</Identifier>\
        </Sender><Receiver>";
    assert!(matches!(edited("<Receiver>", twice), Err(SbdhRefusal::Repeated { count: 2, .. })));
    assert!(matches!(
        edited("Authority=\"iso6523-actorid-upis\"", "Authority=\"iso6523\""),
        Err(SbdhRefusal::Value { field: "Sender/Identifier/@Authority", .. })
    ));
    assert!(matches!(
        edited(" Authority=\"iso6523-actorid-upis\">0208", ">0208"),
        Err(SbdhRefusal::Value { field: "Receiver/Identifier/@Authority", .. })
    ));
    for bad in ["12345678", "NL:KVK:12345678", "0106:", "iso6523-actorid-upis::0106:1"] {
        assert!(
            matches!(edited("0106:12345678", bad), Err(SbdhRefusal::Identifier { .. })),
            "{bad}"
        );
    }
    assert!(edited("0106:12345678", "\n 0106:12345678 ").is_ok());
}

#[test]
fn d_04_document_identification_agrees_with_the_document_type() {
    let standard = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2</Standard>";
    assert!(matches!(
        edited(standard, "urn:x</Standard>"),
        Err(SbdhRefusal::Value { field: "DocumentIdentification/Standard", .. })
    ));
    assert!(matches!(
        edited("<TypeVersion>2.1", "<TypeVersion>2.0"),
        Err(SbdhRefusal::Value { field: "DocumentIdentification/TypeVersion", .. })
    ));
    assert!(matches!(
        edited("<Type>Invoice<", "<Type>CreditNote<"),
        Err(SbdhRefusal::Value { field: "DocumentIdentification/Type", .. })
    ));
    assert!(matches!(
        edited("0b4c2a4e-6a10-4a7e-9f0c-111111111111", " "),
        Err(SbdhRefusal::Missing { field: "DocumentIdentification/InstanceIdentifier" })
    ));
    for bad in [
        "2026-11-20T12:00:00",
        "2026-11-20",
        "yesterday",
        "2026-11-20 12:00:00Z",
        "2026-11-20T12:00Z",
        "2026-11-20T12:00:00+01",
        "2026-11-20T12:00:00Z[UTC]",
    ] {
        assert!(
            matches!(edited("2026-11-20T12:00:00Z", bad), Err(SbdhRefusal::Value { .. })),
            "{bad}"
        );
    }
    for (written, instant) in [
        ("2026-11-20T13:00:00.500+01:00", "2026-11-20T12:00:00.5Z"),
        ("2026-11-20T24:00:00Z", "2026-11-21T00:00:00Z"),
        ("2026-11-20T12:00:00.1234567891Z", "2026-11-20T12:00:00.123456789Z"),
    ] {
        let zone = edited("2026-11-20T12:00:00Z", written).unwrap();
        assert_eq!(zone.sbdh.created, instant.parse().unwrap(), "{written}");
    }
    assert!(matches!(
        edited(
            "Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\"",
            "Invoice xmlns=\"urn:x\""
        ),
        Err(SbdhRefusal::OtherPayload { .. })
    ));
}

/// What stands in a child element is not beside it.
#[test]
fn d_03_what_is_text_holds_no_elements() {
    for (from, field) in [
        ("0b4c2a4e-6a10", "DocumentIdentification/InstanceIdentifier"),
        ("<HeaderVersion>1", "HeaderVersion"),
    ] {
        let found = edited(from, &format!("{from}<x/>")).unwrap_err();
        assert_eq!(found.to_string(), format!("{field} is 'the element x': expected text only"));
    }
    let sender = sbdh().sender.to_string();
    let found = edited(&format!(">{sender}"), &format!("><x>9</x>{sender}")).unwrap_err();
    assert!(found.to_string().contains("'the element x'"), "{found}");
}

#[test]
fn d_05_business_scope_needs_three_scopes() {
    let country = scope_xml("COUNTRY_C1", "NL", None);
    assert_eq!(edited(&country, ""), Err(SbdhRefusal::ScopeCount { count: 2 }));
    for key in ["DOCUMENTID", "PROCESSID", "COUNTRY_C1"] {
        let other = edited(&format!("<Type>{key}<"), "<Type>OTHER<");
        assert_eq!(other, Err(SbdhRefusal::Missing { field: key }));
    }
    let many: String = (0..98).map(|i| scope_xml(&format!("K{i}"), "", None)).collect();
    assert_eq!(add_scopes(&many), Err(SbdhRefusal::ScopeCount { count: 101 }));
}

#[test]
fn d_06_document_id_scope_has_a_default_scheme() {
    let defaulted = edited("<Identifier>busdox-docid-qns</Identifier>", "").unwrap();
    assert_eq!(defaulted.sbdh, sbdh());
    assert!(matches!(
        edited("<Identifier>busdox-docid-qns<", "<Identifier>busdox<"),
        Err(SbdhRefusal::Identifier { field: "DOCUMENTID", .. })
    ));
}

#[test]
fn d_06_patterns_and_abstract_types_never_appear() {
    let pint = |customization: &str| {
        let value = BILLING.replace(
            BILLING.split("##").nth(1).unwrap().rsplit_once("::").unwrap().0,
            customization,
        );
        let text = envelope()
            .replace(BILLING, &value)
            .replace("busdox-docid-qns", "peppol-doctype-wildcard");
        read(text.as_bytes())
    };
    assert!(pint("urn:peppol:pint:billing-1@aunz-1").is_ok());
    for bad in [
        "urn:peppol:pint:billing-1@aunz-1*",
        "urn:peppol:pint:billing-1*",
        "urn:peppol:pint:billing-1",
    ] {
        assert!(matches!(pint(bad), Err(SbdhRefusal::Value { field: "DOCUMENTID", .. })), "{bad}");
    }
    let mut pattern = sbdh();
    pattern.document_type = format!("peppol-doctype-wildcard::{}", "n::r##a*::1").parse().unwrap();
    assert!(matches!(wrap(&pattern, INVOICE.as_bytes()), Err(WrapRefusal::Pattern(_))));
}

#[test]
fn d_07_process_id_scope_has_a_default_scheme() {
    assert_eq!(edited("<Identifier>cenbii-procid-ubl</Identifier>", "").unwrap().sbdh, sbdh());
    assert!(matches!(
        edited(">urn:fdc:peppol.eu:2017:poacc:billing:01:1.0<", ">a b<"),
        Err(SbdhRefusal::Identifier { field: "PROCESSID", .. })
    ));
}

#[test]
fn d_08_country_of_corner_1() {
    for bad in ["nl", "NLD", "", "N", "QQ", "UK", "ZZ"] {
        assert!(edited(">NL<", &format!(">{bad}<")).is_err(), "{bad}");
    }
    for good in ["XK", "1A", "EL", "XI"] {
        let read = edited(">NL<", &format!(">{good}<")).unwrap();
        assert_eq!(read.sbdh.country.as_str(), good);
    }
}

#[test]
fn d_09_mls_to_is_an_id_of_the_sending_provider() {
    let read = |value: &str, scheme| add_scopes(&scope_xml("MLS_TO", value, scheme));
    let own = read("0242:000723-MLS", Some("iso6523-actorid-upis")).unwrap().sbdh;
    let seat: SeatId = "PIN000723".parse().unwrap();
    assert_eq!(own.mls_receiver(&seat).unwrap().to_string(), "0242:000723-MLS");
    let foreign: SeatId = "PIN000724".parse().unwrap();
    assert_eq!(own.mls_receiver(&foreign).unwrap().to_string(), "0242:000724");
    assert_eq!(sbdh().mls_receiver(&seat).unwrap().to_string(), "0242:000723");
    // What is no id of a provider is passed over: the status goes to the main one.
    let bad = [("0106:12345678", None), ("0242:12", None), ("0242:000723", Some("iso6523"))];
    for (value, scheme) in bad.into_iter().chain([("", None), ("no id", None)]) {
        let read = read(value, scheme).unwrap().sbdh;
        assert_eq!(read.mls_to, None, "{value}");
        assert_eq!(read.mls_receiver(&seat).unwrap().to_string(), "0242:000723");
        assert_eq!(read.others.last().unwrap().key, "MLS_TO", "it stays as it came");
        assert!(matches!(read.check_statuses(), Err(SbdhRefusal::Value { field: "MLS_TO", .. })));
    }
    assert_eq!(own.check_statuses(), Ok(()));
}

#[test]
fn d_10_mls_type_defaults_to_failure_only() {
    assert!(!edited(">NL<", ">NL<").unwrap().sbdh.wants_positive_mls());
    let always = add_scopes(&scope_xml("MLS_TYPE", "ALWAYS_SEND", None)).unwrap();
    assert!(always.sbdh.wants_positive_mls());
    let failure = add_scopes(&scope_xml("MLS_TYPE", "FAILURE_ONLY", None)).unwrap();
    assert!(!failure.sbdh.wants_positive_mls());
    for unknown in ["always_send", "", "SOMETIMES"] {
        let read = add_scopes(&scope_xml("MLS_TYPE", unknown, None)).unwrap().sbdh;
        assert_eq!((read.mls_type, read.wants_positive_mls()), (None, false), "{unknown}");
        assert!(read.check_statuses().is_err());
    }
}

#[test]
fn d_11_keys_are_unique_and_unknown_ones_pass() {
    let again = scope_xml("COUNTRY_C1", "BE", None);
    assert_eq!(
        add_scopes(&again),
        Err(SbdhRefusal::RepeatedScope { key: "COUNTRY_C1".to_owned() })
    );
    let passed = add_scopes(&scope_xml("Country_C1", "", None)).unwrap();
    assert_eq!(
        passed.sbdh.others,
        [Scope { key: "Country_C1".to_owned(), value: String::new(), scheme: None }]
    );
    let bare = add_scopes("<Scope><Type>FLAG</Type></Scope>").unwrap();
    assert_eq!(bare.sbdh.others[0].value, "");
}

#[test]
fn d_12_payloads_that_are_not_xml() {
    let mut pdf = sbdh();
    pdf.document_type = "busdox-docid-qns::urn:peppol:doctype:pdf+xml##a::D22B".parse().unwrap();
    let bytes = wrap_binary(&pdf, "application/pdf", None, b"%PDF-1.7\xff").unwrap();
    let read_back = read_checked(&bytes, &Limits::default()).unwrap();
    assert_eq!(read_back.sbdh, pdf);
    assert_eq!(
        read_back.kind,
        PayloadKind::Binary { mime: "application/pdf".to_owned(), encoding: None }
    );
    assert_eq!(&*read_back.content(&bytes).unwrap(), b"%PDF-1.7\xff");

    let text = String::from_utf8(bytes).unwrap();
    let content = &text
        [text.find("<BinaryContent").unwrap()..text.find("</StandardBusinessDocument>").unwrap()];
    let with = |content_now: &str| {
        let text = text.replace(content, content_now);
        read(text.as_bytes()).map(|envelope| {
            (envelope.content(text.as_bytes()).map(|c| c.into_owned()), envelope.kind)
        })
    };
    let ns = CONTENT_NAMESPACE;
    let (said, kind) = with(&format!(
        "<c:TextContent xmlns:c=\"{ns}\" mimeType=\"text/plain\">a &amp; b</c:TextContent>"
    ))
    .unwrap();
    assert_eq!(
        (said.unwrap(), kind),
        (b"a & b".to_vec(), PayloadKind::Text { mime: "text/plain".to_owned() })
    );
    for bad in [
        format!("<BinaryContent xmlns=\"{ns}\">AAAA</BinaryContent>"),
        format!("<BinaryContent xmlns=\"{ns}\" mimeType=\"text/xml\">AAAA</BinaryContent>"),
        format!("<BinaryContent xmlns=\"{ns}\" mimeType=\"a/b\"/>"),
        format!("<BinaryContent xmlns=\"{ns}\" mimeType=\"a/b\"><a/></BinaryContent>"),
    ] {
        assert!(matches!(with(&bad), Err(SbdhRefusal::Content { .. })), "{bad}");
    }
    let (said, _) =
        with(&format!("<BinaryContent xmlns=\"{ns}\" mimeType=\"a/b\">A*</BinaryContent>"))
            .unwrap();
    assert!(matches!(said, Err(SbdhRefusal::Content { .. })));
}

#[test]
fn d_13_every_cut_is_refused_and_nothing_panics() {
    let bytes = envelope().into_bytes();
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end]).is_err(), "cut at {end}");
    }
    assert_eq!(SbdhRefusal::EBMS_CODE, "EBMS:0004");
}
