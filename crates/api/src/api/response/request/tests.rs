//! The shapes of the body, and what is refused.

use serde_json::{Value, json};

use super::*;

fn said(body: Value) -> Result<ParsedResponse, Problem> {
    serde_json::from_value::<ResponseRequest>(body).unwrap().said()
}

fn codes_of(explained: &[Explained]) -> Vec<(&str, Option<&str>)> {
    explained.iter().map(|one| (one.code.code, one.text.as_deref())).collect()
}

#[test]
fn the_three_shapes_mean_the_same() {
    for body in [
        json!({ "status": "RE", "clarificationCode": "REF", "actionCode": "NIN", "note": "n" }),
        json!({ "status": "Reject", "reasons": { "REF": null }, "actions": { "NIN": null },
                "note": "n" }),
        json!({ "status": "re", "reasons": ["ReferencesIncorrect"],
                "actions": [{ "code": "IssueNewInvoice" }], "note": "n" }),
    ] {
        let said = said(body).unwrap();
        assert_eq!(said.status.code, "RE");
        assert_eq!(codes_of(&said.reasons), [("REF", None)]);
        assert_eq!(codes_of(&said.actions), [("NIN", None)]);
        assert_eq!(said.note.as_deref(), Some("n"));
    }
}

#[test]
fn words_are_kept() {
    let body = json!({ "status": "UQ", "reasons": { "PRI": "too high" },
                       "actions": [{ "code": "PIN", "description": "which price?" }] });
    let said = said(body).unwrap();
    assert_eq!(codes_of(&said.reasons), [("PRI", Some("too high"))]);
    assert_eq!(codes_of(&said.actions), [("PIN", Some("which price?"))]);
}

#[test]
fn a_state_that_must_be_explained_and_is_not_has_the_reason_other() {
    for status in ["UQ", "CA", "RE"] {
        let plain = said(json!({ "status": status, "note": "call us" })).unwrap();
        assert_eq!(codes_of(&plain.reasons), [("OTH", Some("call us"))], "{status}");
        let bare = said(json!({ "status": status })).unwrap();
        assert_eq!(codes_of(&bare.reasons), [("OTH", None)], "{status}");
        let explained = said(json!({ "status": status, "actionCode": "PIN" })).unwrap();
        assert!(explained.reasons.is_empty(), "{status}");
    }
    for status in ["AB", "IP", "AP", "PD"] {
        assert!(said(json!({ "status": status })).unwrap().reasons.is_empty(), "{status}");
    }
}

#[test]
fn what_the_receiver_would_refuse_is_refused() {
    for (body, word) in [
        (json!({ "status": "XX" }), "expected one of AB, IP"),
        (json!({ "status": "AP", "clarificationCode": "PPD", "note": "half" }), "status PD only"),
        (json!({ "status": "PD", "clarificationCode": "PPD" }), "needs words"),
        (json!({ "status": "RE", "reasons": ["NIN"] }), "reasons is \"NIN\""),
    ] {
        let problem = said(body).err().unwrap();
        assert!(problem.detail.to_string().contains(word), "{}", problem.detail);
    }
    let part = said(json!({ "status": "PD", "clarificationCode": "PPD", "note": "half" })).unwrap();
    assert!(part.is_partial());
    assert_eq!(codes_of(&part.reasons), [("PPD", Some("half"))]);
}

#[test]
fn c_30_every_word_of_the_public_clients_is_taken() {
    // Among the reasons of one of them is a word of the actions.
    let body =
        json!({ "status": "RE", "reasons": { "CreditFully": "twice", "PricesIncorrect": "x" } });
    let said = said(body).unwrap();
    assert_eq!(codes_of(&said.reasons), [("PRI", Some("x"))]);
    assert_eq!(codes_of(&said.actions), [("CNF", Some("twice"))]);
    let reasons = [
        "NoIssue",
        "ReferencesIncorrect",
        "LegalInformationIncorrect",
        "CreditFully",
        "ReceiverUnknown",
        "ItemQualityInsufficient",
        "DeliveryIssues",
        "PricesIncorrect",
        "QuantityIncorrect",
        "ItemsIncorrect",
        "PaymentTermsIncorrect",
        "NotRecognized",
        "FinanceIncorrect",
        "Other",
    ];
    for word in reasons {
        let body = json!({ "status": "RE", "reasons": { word: "why" } });
        assert!(serde_json::from_value::<ResponseRequest>(body).unwrap().said().is_ok(), "{word}");
    }
    for word in [
        "NoActionRequired",
        "ProvideInformation",
        "IssueNewInvoice",
        "CreditFully",
        "CreditPartially",
        "CreditTheAmount",
        "Other",
    ] {
        let body = json!({ "status": "RE", "actions": { word: "what" } });
        assert!(serde_json::from_value::<ResponseRequest>(body).unwrap().said().is_ok(), "{word}");
    }
    let nonsense = json!({ "status": "RE", "reasons": { "Nonsense": "x" } });
    assert!(serde_json::from_value::<ResponseRequest>(nonsense).unwrap().said().is_err());
}

#[test]
fn more_than_the_reader_keeps_is_refused() {
    let body = |reasons: usize| {
        json!({ "status": "RE", "reasons": vec!["REF"; reasons], "actions": ["NIN"],
                "clarificationCode": "PRI" })
    };
    assert!(said(body(98)).is_ok());
    let problem = said(body(99)).err().unwrap();
    assert_eq!(problem.code.id, "API400.Json");
    assert!(problem.detail.to_string().contains("101 together, expected 100"));
}

#[test]
fn nothing_beside_a_code_is_passed_over() {
    let read = |item: Value| {
        let body = json!({ "status": "RE", "reasons": [item] });
        serde_json::from_value::<ResponseRequest>(body)
    };
    for (item, found) in [
        (json!({ "code": "REF", "txt": "x" }), "\"txt\""),
        (json!({ "code": "REF", "text": "x", "description": "y" }), "one thing"),
    ] {
        let refused = read(item).unwrap_err().to_string();
        assert!(refused.contains(found), "{refused}");
    }
    for name in ["text", "description", "note"] {
        let said = read(json!({ "code": "REF", name: "x" })).unwrap().said().ok().unwrap();
        assert_eq!(codes_of(&said.reasons), [("REF", Some("x"))], "{name}");
    }
}

/// Blanks are no words: the receiver's rules would refuse a note of them.
#[test]
fn words_of_blanks_are_none() {
    for blank in ["", " ", "\n\t", "\u{a0}"] {
        let body = json!({ "status": "UQ", "note": blank, "reasons": { "REF": blank } });
        let said = said(body).unwrap();
        assert_eq!((said.note, codes_of(&said.reasons)), (None, vec![("REF", None)]), "{blank:?}");
    }
    let trimmed = said(json!({ "status": "AB", "note": " n " })).unwrap();
    assert_eq!(trimmed.note.as_deref(), Some("n"));
}

#[test]
fn another_kind_of_value_is_told_in_words() {
    for reasons in [json!(5), json!([5]), json!([{ "text": "x" }]), json!({ "REF": 5 })] {
        let body = json!({ "status": "RE", "reasons": reasons });
        let refused = serde_json::from_value::<ResponseRequest>(body).unwrap_err().to_string();
        assert!(refused.contains("an object from code to words"), "{refused}");
    }
}

/// Nothing of what somebody says is left out: what no message can carry, or more than is read of
/// one, is refused.
#[test]
fn words_are_carried_whole_or_refused() {
    let whole = format!("é\u{85}\n{}", "x".repeat(MAX_WORDS - 3));
    let found = said(json!({ "status": "AB", "note": &whole })).unwrap();
    assert_eq!(found.note.as_deref(), Some(&*whole));
    let long = format!("{whole}x");
    for (note, why) in [("a\u{1}b", "U+0001 at place 2"), ("\u{fffe}", "U+FFFE"), (&long, "10001")]
    {
        for body in [
            json!({ "status": "AB", "note": note }),
            json!({ "status": "RE", "reasons": { "REF": note } }),
        ] {
            let Err(refused) = said(body) else { panic!("{why}") };
            let detail = refused.detail.to_string();
            assert!(detail.contains(why), "{detail}");
        }
    }
}
