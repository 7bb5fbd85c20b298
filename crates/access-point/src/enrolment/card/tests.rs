//! Tests of `card`: both forms, what is required, and the message of the interface.

use serde_json::{Value, json};

use super::*;

fn read(card: Value) -> Result<CardRecord, EnrolmentError> {
    serde_json::from_value::<CardRequest>(card).unwrap().read()
}

#[test]
fn both_forms_say_the_same() {
    let plain = json!({
        "names": "Acme BV, Acme Trading", "geoInfo": "Main Street 1, 1000 AA, Amsterdam, nl",
        "email": "tech@acme.example",
    });
    let text = |value: &str| json!({ "value": value, "state": "on", "description": "…" });
    let full = json!({
        "names": text("Acme BV, Acme Trading"),
        "address": text("Main Street 1, 1000 AA, Amsterdam, NL"),
        "emailAddress": text("tech@acme.example"),
        "state": "on",
    });
    let card = read(plain).unwrap();
    assert_eq!(card, read(full).unwrap());
    assert_eq!(card.names, ["Acme BV", "Acme Trading"]);
    assert_eq!((card.country.as_str(), card.address.len()), ("NL", 3));
}

#[test]
fn names_and_country_are_required_word_for_word() {
    for card in [
        json!({}),
        json!({ "names": "Acme" }),
        json!({ "names": "", "geoInfo": "NL" }),
        json!({ "names": " , ", "geoInfo": "NL" }),
        json!({ "names": "Acme", "geoInfo": "Main Street 1, Amsterdam" }),
        json!({ "names": "Acme", "geoInfo": "Amsterdam, XX" }),
        json!({ "names": "Acme", "geoInfo": "Amsterdam, ZZ" }),
        json!({ "names": "Acme", "geoInfo": "Amsterdam NL" }),
        json!({ "geoInfo": "NL", "email": "a@b.example" }),
    ] {
        let problem = read(card.clone()).unwrap_err();
        assert_eq!(problem.code(), "API400.BusinessCard");
        let words = "Both name(s) and country code are required when adding a business card";
        assert_eq!(problem.to_string(), words, "{card}");
    }
    assert_eq!(read(json!({ "names": "Acme", "geoInfo": "NL" })).unwrap().country, "NL");
}

#[test]
fn a_state_and_a_mail_address_are_checked() {
    let card = |more: (&str, Value)| {
        let mut card = json!({ "names": "Acme", "geoInfo": "NL" });
        card[more.0] = more.1;
        read(card)
    };
    for wrong in [
        ("state", json!("maybe")),
        ("state", json!("inherited")),
        ("state", json!("inherited => on")),
        ("names", json!({ "value": "Acme", "state": "inherited" })),
        ("email", json!("nobody")),
        ("email", json!("a b@c.d")),
    ] {
        assert_eq!(card(wrong).unwrap_err().code(), "API400.BusinessCard");
    }
    assert!(!card(("state", json!("off"))).unwrap().is_public());
    let hidden = json!({ "value": "Acme", "state": "off" });
    assert!(!card(("names", hidden)).unwrap().is_public());
}

#[test]
fn a_text_that_is_too_long_is_named_with_its_length() {
    let long = "a".repeat(1_001);
    for (name, card) in [
        ("names", json!({ "names": long, "geoInfo": "NL" })),
        ("address", json!({ "names": "A", "address": format!("{}, NL", &long[4..]) })),
        ("geoInfo", json!({ "names": "A", "geoInfo": format!("{}, NL", &long[4..]) })),
        ("email", json!({ "names": "A", "geoInfo": "NL", "email": long })),
    ] {
        let refused = read(card).unwrap_err().to_string();
        let said = format!("{name} has 1001 characters, expected at most 1000");
        assert!(refused.contains(&said), "{refused}");
    }
}

/// What XML has not, no card can have: it would be published and read by nobody.
#[test]
fn what_cannot_stand_in_xml_is_refused() {
    for sign in ["\u{1}", "\u{0}", "\u{7f}", "\u{ffff}", "\u{fffe}", "\u{85}"] {
        let names = format!("A{sign}B");
        for card in [
            json!({ "names": names, "geoInfo": "NL" }),
            json!({ "names": "A", "geoInfo": format!("{names}, NL") }),
        ] {
            let refused = read(card).unwrap_err().to_string();
            assert!(
                refused.contains(&format!("U+{:04X}", sign.chars().next().unwrap() as u32)),
                "{refused}"
            );
        }
    }
    assert!(read(json!({ "names": "A\tB 🙂", "geoInfo": "Street 1\nNL, NL" })).is_ok());
}

#[test]
fn another_kind_of_value_is_told_in_words() {
    for names in [
        json!(["A", "B"]),
        json!(5),
        json!({ "value": 5 }),
        json!({ "state": ["on"] }),
        json!({ "value": "Acme", "States": "off" }),
    ] {
        let card = json!({ "names": names, "geoInfo": "NL" });
        let refused = serde_json::from_value::<CardRequest>(card).unwrap_err().to_string();
        assert!(refused.contains("a text of a business card is"), "{refused}");
    }
}

/// A member that has two names says one thing.
#[test]
fn two_names_of_one_text_say_the_same() {
    let hidden = |value: &str| json!({ "value": value, "state": "off" });
    for (more, named) in [
        (json!({ "address": "BE" }), "address and geoInfo"),
        (json!({ "address": hidden("NL") }), "address and geoInfo"),
        (
            json!({ "email": "a@b.example", "emailAddress": "c@d.example" }),
            "emailAddress and email",
        ),
        (json!({ "email": "a@b.example", "emailAddress": "" }), "emailAddress and email"),
    ] {
        let mut card = json!({ "names": "A", "geoInfo": "NL" });
        card.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let problem = read(card).unwrap_err();
        assert_eq!(problem.code(), "API400.BusinessCard");
        assert!(problem.to_string().contains(named), "{problem}");
    }
    let email = json!({ "value": "a@b.example", "state": "on" });
    let same = json!({
        "names": "A", "geoInfo": "NL", "address": { "value": "NL" }, "email": "a@b.example",
        "emailAddress": email,
    });
    assert_eq!(read(same).unwrap().email.as_deref(), Some("a@b.example"));
    let contact = json!({ "email": "a@b.example", "emailAddress": "c@d.example" });
    let contact = serde_json::from_value::<CardRequest>(contact).unwrap().contact();
    assert!(contact.is_err(), "{contact:?}");
}

/// What is published is read by people, in the order in which it is written.
#[test]
fn what_nobody_sees_is_in_no_text() {
    for hidden in ['\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{ad}', '\u{e0041}'] {
        for card in [
            json!({ "names": format!("N{hidden}B.V."), "geoInfo": "NL" }),
            json!({ "names": "A", "geoInfo": format!("Street{hidden}, NL") }),
            json!({ "names": "A", "geoInfo": "NL", "email": format!("{hidden}a@b.example") }),
        ] {
            let refused = read(card).unwrap_err().to_string();
            assert!(refused.contains(&format!("U+{:04X}", u32::from(hidden))), "{refused}");
        }
        let contact = json!({ "email": format!("a@b.example{hidden}") });
        let contact = serde_json::from_value::<CardRequest>(contact).unwrap().contact();
        assert!(contact.is_err(), "{hidden:?}");
    }
}

#[test]
fn a_mail_address_is_one() {
    let card = |mail: &str| read(json!({ "names": "A", "geoInfo": "NL", "email": mail }));
    let long = format!("{}@x.org", "a".repeat(65));
    let label = format!("a@{}.org", "b".repeat(64));
    for wrong in [
        "mailto:a@x.org",
        "a@x..org",
        ".a@x.org",
        "a.@x.org",
        "a..b@x.org",
        "a@-x.org",
        "a@x-.org",
        "a@x.org.",
        "a@.x.org",
        "a@x_y.org",
        "<script>alert(1)</script>@x.org",
        ";a@x.org",
        "A <a@x.org>",
        "a@b@x.org",
        "a@x",
        "@x.org",
        "a@",
        &long,
        &label,
    ] {
        let refused = card(wrong).unwrap_err();
        assert_eq!(refused.code(), "API400.BusinessCard", "{wrong}");
        assert!(refused.to_string().contains("is no mail address"), "{refused}");
    }
    for good in [
        "a@x.org",
        "A.b+c-d_e'f@x-y.example.org",
        "info@müller.example",
        "日本@例え.example",
        "a@1.example",
        &long[1..],
    ] {
        assert_eq!(card(good).unwrap().email.as_deref(), Some(good), "{good}");
    }
}

/// The Directory knows the codes of ISO 3166-1, and not what stands in documents beside them.
#[test]
fn the_country_of_a_card_is_one_of_iso() {
    let country = |code: &str| {
        let card = read(json!({ "names": "A", "geoInfo": format!("Street, {code}") }));
        card.map(|card| card.country)
    };
    for wrong in ["XI", "1A", "UK", "EU", "AN", "XX", "ZZ", "05", "NLD"] {
        assert_eq!(country(wrong).unwrap_err().to_string(), REQUIRED, "{wrong}");
    }
    for (written, published) in
        [("EL", "GR"), ("el", "GR"), ("GR", "GR"), ("GB", "GB"), ("XK", "XK"), ("nl", "NL")]
    {
        assert_eq!(country(written).unwrap(), published, "{written}");
    }
}
