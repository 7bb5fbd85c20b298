//! Business cards: the elements in the order of the schema, texts escaped, nothing empty.

use crate::smp::{BusinessEntity, business_card};

#[test]
fn a_card_has_its_elements_in_order() {
    let entity = BusinessEntity {
        names: vec!["A & B".to_owned(), "D \"E\"".to_owned()],
        country: "BE".to_owned(),
        geographical_information: Some("Kerkstraat 1 <2>, Gent".to_owned()),
        email: Some("it@example.org".to_owned()),
    };
    let card = business_card(&"BE:EN:0123456749".parse().unwrap(), &entity);
    let expected = [
        "<BusinessCard xmlns=\"http://www.peppol.eu/schema/pd/businesscard/20180621/\">",
        "<ParticipantIdentifier scheme=\"iso6523-actorid-upis\">0208:0123456749<",
        "<BusinessEntity><Name name=\"A &amp; B\"/><Name name=\"D &quot;E&quot;\"/>",
        "<CountryCode>BE</CountryCode>",
        "<GeographicalInformation>Kerkstraat 1 &lt;2",
        "<Contact type=\"technical\" email=\"it@example.org\"/></BusinessEntity></BusinessCard>",
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
        names: vec!["A".to_owned()],
        country: "NL".to_owned(),
        ..BusinessEntity::default()
    };
    let card = business_card(&"0106:12345678".parse().unwrap(), &entity);
    assert!(!card.contains("Contact") && !card.contains("Geographical"), "{card}");
}
