//! Business cards: the elements in the order of the schema, texts escaped, nothing empty, and every
//! version read.

use crate::smp::*;

fn card(participant: &str, entity: BusinessEntity) -> BusinessCard {
    BusinessCard { participant: participant.parse().unwrap(), entities: vec![entity] }
}

fn whole() -> BusinessEntity {
    BusinessEntity {
        names: vec![
            BusinessName { text: "A & B".to_owned(), language: Some("nl".to_owned()) },
            "D <E>".to_owned().into(),
        ],
        country: "BE".to_owned(),
        geographical_information: Some("Kerkstraat 1 <2>, Gent".to_owned()),
        identifiers: vec![BusinessIdentifier {
            scheme: "vat".to_owned(),
            value: "BE0123456749".to_owned(),
        }],
        websites: vec!["https://example.org/?a=1&b=2".to_owned()],
        contacts: vec![BusinessContact {
            kind: Some("technical".to_owned()),
            email: Some("it@example.org".to_owned()),
            ..BusinessContact::default()
        }],
        additional_information: Some("open on Sundays".to_owned()),
        registration_date: Some("2026-01-15".to_owned()),
    }
}

#[test]
fn a_card_has_its_elements_in_order() {
    let card = business_card(&card("BE:EN:0123456749", whole()));
    let expected = [
        "<BusinessCard xmlns=\"http://www.peppol.eu/schema/pd/businesscard/20180621/\">",
        "<ParticipantIdentifier scheme=\"iso6523-actorid-upis\">0208:0123456749<",
        "<BusinessEntity registrationDate=\"2026-01-15\">",
        "<Name language=\"nl\">A &amp; B</Name><Name>D &lt;E",
        "<CountryCode>BE</CountryCode>",
        "<GeographicalInformation>Kerkstraat 1 &lt;2",
        "<Identifier scheme=\"vat\">BE0123456749</Identifier>",
        "<WebsiteURI>https://example.org/?a=1&amp;b=2</WebsiteURI>",
        "<Contact><Type>technical</Type><Email>it@example.org</Email></Contact>",
        "<AdditionalInformation>open on Sundays</AdditionalInformation></BusinessEntity>",
        "</BusinessCard>",
    ];
    let mut rest = card.as_str();
    for part in expected {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is not in {rest}"));
        rest = &rest[at + part.len()..];
    }
    assert_eq!(rest, "");
}

#[test]
fn what_is_not_known_is_left_out() {
    let entity = BusinessEntity {
        names: vec!["A".to_owned().into()],
        country: "NL".to_owned(),
        ..BusinessEntity::default()
    };
    let text = business_card(&card("0106:12345678", entity));
    assert!(!text.contains("Contact") && !text.contains("Geographical"), "{text}");
}

#[test]
fn what_is_written_is_read() {
    let written = card("0208:0123456749", whole());
    assert_eq!(read_business_card(business_card(&written).as_bytes()).unwrap(), written);
    // Versions 1 and 2 have the same elements in namespaces of their own, and fewer of them.
    for version in ["20160112", "20161123"] {
        let text = business_card(&written).replace("20180621", version);
        assert_eq!(read_business_card(text.as_bytes()).unwrap(), written);
    }
}

#[test]
fn the_sample_of_the_network_is_read() {
    let path = "network-data/derived/samples/business-card-v3.xml";
    let Some(text) = quoin_testing::shared_text(path) else { return };
    let card = read_business_card(text.as_bytes()).unwrap();
    assert_eq!(card.participant.as_str(), "0106:12345678");
    let entity = &card.entities[0];
    assert_eq!(entity.names[1].language.as_deref(), Some("en"));
    assert_eq!(entity.contacts[0].name.as_deref(), Some("Helpdesk"));
    assert_eq!(read_business_card(business_card(&card).as_bytes()).unwrap(), card);
}

#[test]
fn cards_that_break_the_schema_are_refused() {
    let good = business_card(&card("0208:0123456749", whole()));
    let bad = [
        ("<CountryCode>BE</CountryCode>", "", "CountryCode"),
        ("<CountryCode>BE<", "<CountryCode>BEL<", "CountryCode"),
        ("language=\"nl\"", "language=\"nld\"", "language"),
        ("registrationDate=\"2026-01-15\"", "registrationDate=\"today\"", "registrationDate"),
        ("Identifier scheme=\"vat\"", "Identifier", "scheme"),
        ("0208:0123456749<", "nobody<", "ParticipantIdentifier"),
        ("20180621", "20990101", "BusinessCard"),
        ("<BusinessCard xmlns", "<!DOCTYPE x><BusinessCard xmlns", "document type"),
    ];
    for (from, to, told) in bad {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let refusal = read_business_card(text.as_bytes()).unwrap_err().to_string();
        assert!(refusal.contains(told), "{refusal} does not tell {told}");
    }
}
