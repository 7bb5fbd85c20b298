//! The forms of texts.

use super::*;
use quoin_xml::tree::{Document, Limits};

#[test]
fn a_discount_has_its_form() {
    for good in ["#SKONTO#TAGE=7#PROZENT=2.00#", "#SKONTO#TAGE=14#PROZENT=10.50#BASISBETRAG=-1.00#"]
    {
        assert!(is_discount(good), "{good}");
    }
    for bad in [
        "#SKONTO#TAGE=7#PROZENT=2.00",
        "#SKONTO#TAGE=7#PROZENT=2.0#",
        "#SKONTO#TAGE=#PROZENT=2.00#",
        "#SKONTO#TAGE=7#PROZENT=2.00#BASISBETRAG=1#",
        "#SKONTO#TAGE=7#PROZENT=2.00##",
        "#Skonto#TAGE=7#PROZENT=2.00#",
    ] {
        assert!(!is_discount(bad), "{bad}");
    }
}

#[test]
fn a_line_feed_follows_the_last_discount() {
    for good in ["#a#\n", "#a# \t\n", "x\n#a#\n#b#\nmore", "\n"] {
        assert!(is_ended(good), "{good:?}");
    }
    for bad in ["#a#", "#a# x\n", "#a#\n#b#", "##\nx", "x\n"] {
        assert!(!is_ended(bad), "{bad:?}");
    }
}

#[test]
fn telephones_addresses_and_links_have_their_form() {
    let is = |test: fn(Option<Element<'_>>) -> RuleVerdict<'_>, text: &str| {
        let text = format!("<x>{text}</x>");
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        test(Some(document.root())) == RuleVerdict::Holds
    };
    assert!(is(telephone, "+49 30") == is(telephone, "a1b2c3") && !is(telephone, "12"));
    for good in ["a@b.de", " a.b@c.d.e ", "é@ü.x"] {
        assert!(is(e_mail, good), "{good}");
    }
    for bad in ["", "a@b", "a@b.", "a@.b", "@b.de", "a@b@c.de", "a b@c.de", "a@b..de"] {
        assert!(!is(e_mail, bad), "{bad}");
    }
    for good in ["https://x", "ab:", "a+:c:d"] {
        assert!(is(link, good), "{good}");
    }
    for bad in ["", "a:b", "1a:b", " https://x", "www.example.org", "a/b:c"] {
        assert!(!is(link, bad), "{bad}");
    }
}
