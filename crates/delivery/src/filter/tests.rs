//! Tests of `filter`: which events pass, and how a filter that cannot be read is answered.

use super::*;

fn wants(filter: &str) -> bool {
    let details = [("sender", "0106:sender"), ("attempt", "2")];
    let details = details.map(|(k, v)| (k.to_owned(), v.to_owned())).into_iter().collect();
    filter.parse::<Filter>().unwrap().wants(&details)
}

#[test]
fn comparisons_join() {
    assert!(wants(r#"sender == "0106:sender""#));
    assert!(!wants(r#"sender != "0106:sender""#));
    assert!(wants(r#"sender=="0106:sender"&&attempt=="2""#));
    assert!(!wants(r#"sender == "0106:sender" && attempt == "1""#));
    assert!(wants(r#"sender == "x" || attempt == "2""#));
    assert!(wants(r#"attempt == "2" || sender == "x" && attempt == "1" "#));
}

fn takes(filter: &str, facts: &[(&str, &str)]) -> bool {
    let facts = facts.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    filter.parse::<Filter>().unwrap().wants(&facts)
}

const TYPE: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:\
    en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1";

#[test]
fn bo_10_identifiers_are_compared_as_identifiers_and_names_in_any_case() {
    let full = format!("busdox-docid-qns::{TYPE}");
    let facts = [
        ("sender", "0106:12345678"),
        ("recipient", "9944:NL123456789B01"),
        ("sourceDocumentTypeId", full.as_str()),
        ("attempt", "2"),
    ];
    for filter in [
        r#"sender == "0106:12345678""#,
        r#"Sender == "0106:12345678""#,
        r#"SENDER == "NL:KVK:12345678""#,
        r#"sender == "iso6523-actorid-upis::0106:12345678""#,
        r#"recipient == "9944:nl123456789b01""#,
        r#"attempt == "02""#,
        r#"statusCode == """#,
        &format!(r#"sourceDocumentTypeId == "{TYPE}""#),
        &format!(r#"documentTypeId == "{full}""#),
    ] {
        assert!(takes(filter, &facts), "{filter}");
        assert!(!takes(&filter.replace("==", "!="), &facts), "{filter} turned round");
    }
    assert!(!takes(r#"sender == "NL:KVK:87654321""#, &facts));
    assert!(!takes(r#"documentTypeId == "urn:x::Invoice##y::2.1""#, &facts));
}

#[test]
fn bo_10_what_can_never_be_is_refused_with_what_was_meant() {
    for (filter, expected) in [
        (r#"recepient != "0106:87654321""#, "did you mean recipient?"),
        (r#"senders == "0106:87654321""#, "did you mean sender?"),
        (r#"colour == "red""#, "events have topic, partyId, documentId, sender"),
        (r#"sender == "Acme BV""#, "expected a participant identifier"),
        (r#"attempt == "first""#, "expected a whole number"),
        (r#"documentTypeId == "Invoice""#, "expected a document type"),
        (
            r#"protocol == "AS2""#,
            "expected one of As4, Smtp, Sftp, Https, Cxml, TradingNetwork, Dico, Collaboration",
        ),
        (r#"topic == "Invoice*""#, "the name of one topic"),
        (r#"topic != "Nope""#, "the name of one topic"),
        (r#"topic == "invoicesent""#, "did you mean InvoiceSent?"),
        (r#"hookTopic == "InvoiceSend""#, "did you mean InvoiceSent?"),
        (r#"corner == "sender""#, "expected one of sender-data,"),
        (r#"whoCanFix == "nobody""#, "expected one of sender,"),
        (r#"id == "1" && id == "2""#, "two things at once"),
        (r#"sender == "0106:1" && Sender != "NL:KVK:1""#, "two things at once"),
    ] {
        let problem = filter.parse::<Filter>().unwrap().check().unwrap_err();
        assert!(problem.to_string().contains(expected), "{filter}: {problem}");
    }
    for filter in [
        r#"sender == "0106:1" || sender == "0106:2""#,
        r#"sender != "0106:1" && sender != "0106:2""#,
        r#"recipient != """#,
        r#"topic == "InvoiceSent" || hookTopic == "Ping""#,
        r#"corner == "Sender-Data" && whoCanFix == "sender""#,
        r#"protocol == "as4" && HTTPSTATUS != "503""#,
    ] {
        filter.parse::<Filter>().unwrap().check().unwrap();
    }
}

#[test]
fn an_unknown_name_is_empty() {
    assert!(wants(r#"colour == """#));
    assert!(!wants(r#"colour == "red""#));
}

#[test]
fn what_cannot_be_read_says_where_and_what() {
    for (filter, at, expected) in [
        ("", 0, "name of a detail"),
        ("sender", 6, "== or !="),
        ("sender == 5", 10, "double quotes"),
        ("sender == \"5", 11, "closing quote"),
        ("sender == \"5\" and", 14, "&&, || or the end"),
        ("sender == \"5\" &&", 16, "name of a detail"),
        ("(a == \"5\")", 0, "name of a detail"),
    ] {
        let error = filter.parse::<Filter>().unwrap_err();
        assert_eq!(error.at, at, "{filter}: {error}");
        assert!(error.to_string().contains(expected), "{filter}: {error}");
    }
    assert!(format!("a == \"{}\"", "x".repeat(1000)).parse::<Filter>().is_err());
}

#[test]
fn what_the_hook_never_hears_is_no_comparison() {
    let check = |topics: &[&str], text: &str| {
        let topics: Vec<TopicPattern> = topics.iter().map(|own| own.parse().unwrap()).collect();
        text.parse::<Filter>().unwrap().check_topics(&topics).map_err(|why| why.to_string())
    };
    for (topics, text) in [
        (&["SendInvoice"] as &[&str], "topic == \"SendInvoice\" && documentId != \"x\""),
        (&["Send*"], "topic == \"SendOrder\""),
        (&["Send*Fallback"], "topic == \"SendOrder\""),
        (&["SendInvoice"], "attempt != \"1\" && id == \"7\""),
        (&["SendInvoice", "InvoiceSent"], "protocol == \"As4\""),
        (&["*"], "topic == \"InvoiceSent\" || attempt == \"1\""),
    ] {
        assert_eq!(check(topics, text), Ok(()), "{topics:?} {text}");
    }
    for (topics, text, word) in [
        (&["SendInvoice"] as &[&str], "topic == \"SendOrder\"", "are SendInvoice"),
        (&["SendInvoice"], "topic == \"InvoiceSent\"", "does not listen to"),
        (&["*"], "topic == \"SendInvoice\"", "does not listen to"),
        (&["SendInvoice"], "protocol == \"Https\"", "chosen by sender"),
        (&["Send*", "Send*Fallback"], "id == \"1\" || PARTYID == \"0106:1\"", "partyId"),
    ] {
        let why = check(topics, text).unwrap_err();
        assert!(why.contains(word), "{topics:?} {text}: {why}");
    }
}
