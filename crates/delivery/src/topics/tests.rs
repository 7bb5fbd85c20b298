//! Tests of `topics`: the tables are sound, and patterns match what the interface says.

use std::collections::BTreeSet;

use super::*;

fn matches(pattern: &str, topic: Topic) -> bool {
    pattern.parse::<TopicPattern>().unwrap().matches(topic)
}

#[test]
fn every_topic_has_one_row_and_every_family_its_topics() {
    let names: BTreeSet<&str> = TOPICS.iter().map(|row| row.topic.as_str()).collect();
    assert_eq!(names.len(), TOPICS.len());
    for row in TOPICS {
        assert!(row.meaning.ends_with('.'), "{}", row.topic);
        assert_eq!(Topic::named(row.topic.as_str()), Some(row.topic));
    }
    use Family::*;
    for family in [Invoice, InvoiceResponse, Order, MessageLevelStatus, TaxReport, Document] {
        let row = family.row();
        assert_eq!(row.family, family);
        assert_eq!(Family::named(row.name), Some(family));
    }
}

#[test]
fn the_topics_of_the_interface_are_all_there() {
    for name in [
        "InvoiceReceived InvoiceReceivedError InvoiceSent InvoiceSentRetry InvoiceSentError",
        "InvoiceResponseReceived InvoiceResponseSent OrderReceived OrderSent OrderSentRetry",
        "OrderSentError MessageLevelStatusReceived MessageLevelStatusSent SendInvoice SendOrder",
        "ReceiveInvoice ClearInvoiceBatched InvoiceCleared InvoiceClearedRetry",
        "InvoiceClearedError HookSent HookSentRetry HookSentError",
    ]
    .iter()
    .flat_map(|names| names.split(' '))
    {
        assert!(Topic::named(name).is_some(), "{name}");
    }
}

#[test]
fn everything_that_becomes_of_a_document_can_be_collected() {
    let ends = FAMILIES.iter().flat_map(|row| {
        let errors = [row.error, row.received_error];
        [row.sent, row.received].into_iter().chain(errors.into_iter().flatten())
    });
    let cleared = [Topic::INVOICE_CLEARED, Topic::INVOICE_CLEARED_ERROR];
    for topic in ends.chain(cleared) {
        assert!(topic.batched().is_some(), "{topic}");
    }
    // What is tried again has become nothing yet.
    assert!(Topic::INVOICE_SENT_RETRY.batched().is_none());
}

#[test]
fn the_document_type_names_the_family() {
    let ubl = "urn:oasis:names:specification:ubl:schema:xsd:";
    for (element, customization, family) in [
        ("Invoice-2::Invoice", "urn:cen.eu:en16931:2017", Family::Invoice),
        ("CreditNote-2::CreditNote", "urn:cen.eu:en16931:2017", Family::Invoice),
        ("Order-2::Order", "urn:fdc:peppol.eu:poacc:trns:order:3", Family::Order),
        ("OrderCancellation-2::OrderCancellation", "urn:fdc:peppol.eu:x", Family::Order),
        (
            "ApplicationResponse-2::ApplicationResponse",
            "urn:fdc:peppol.eu:poacc:trns:invoice_response:3",
            Family::InvoiceResponse,
        ),
        (
            "ApplicationResponse-2::ApplicationResponse",
            "urn:peppol:edec:mls:1.0",
            Family::MessageLevelStatus,
        ),
        (
            "ApplicationResponse-2::ApplicationResponse",
            "urn:fdc:peppol.eu:poacc:trns:mlr:3",
            Family::MessageLevelStatus,
        ),
        (
            "ApplicationResponse-2::ApplicationResponse",
            "urn:www.cenbii.eu:transaction:biitrns071:ver2.0:extended:urn:www.peppol.eu:bis:peppol36a:ver1.0",
            Family::MessageLevelStatus,
        ),
        ("ApplicationResponse-2::ApplicationResponse", "urn:other", Family::Document),
        ("DespatchAdvice-2::DespatchAdvice", "urn:fdc:peppol.eu:x", Family::Document),
    ] {
        let id = format!("busdox-docid-qns::{ubl}{element}##{customization}::2.1");
        let id: quoin_peppol::identifiers::DocumentTypeId = id.parse().unwrap();
        assert_eq!(Family::of(&id), family, "{element} {customization}");
    }
}

#[test]
fn patterns_match_as_written() {
    assert!(matches("*", Topic::HOOK_SENT));
    assert!(matches("InvoiceSent", Topic::INVOICE_SENT));
    assert!(!matches("InvoiceSent", Topic::INVOICE_SENT_RETRY));
    assert!(matches("*Sent", Topic::INVOICE_SENT));
    assert!(!matches("*Sent", Topic::INVOICE_SENT_ERROR));
    assert!(matches("*Received", Topic::INVOICE_RESPONSE_RECEIVED));
    assert!(!matches("*Received", Topic::INVOICE_RECEIVED_ERROR));
    assert!(matches("Send*", Topic::SEND_INVOICE));
    assert!(!matches("Send*", Topic::INVOICE_SENT));
    assert!(matches("Send*Fallback", Topic::SEND_ORDER_FALLBACK));
    assert!(!matches("Send*Fallback", Topic::SEND_ORDER));
    assert!(matches("Inv*ce*Err*r", Topic::INVOICE_SENT_ERROR));
}

#[test]
fn commands_are_heard_by_who_names_them() {
    assert!(!matches("*", Topic::SEND_INVOICE));
    assert!("*Invoice".parse::<TopicPattern>().is_err(), "it can match nothing but commands");
    assert!(!matches("Send*", Topic::SEND_INVOICE_FALLBACK), "rule 3 keeps them apart");
    assert!(matches("SendInvoiceFallback", Topic::SEND_INVOICE_FALLBACK));
    assert!(matches("Receive*", Topic::RECEIVE_ORDER));
    for row in COMMANDS {
        assert_eq!(row.family.commands().map(|row| row.send), Some(row.send));
        assert_eq!(row.fallback.as_str(), format!("{}Fallback", row.send));
        assert!(row.send.is_command() && row.fallback.is_command());
    }
    assert!(!Topic::INVOICE_SENT.is_command());
    assert!(Family::MessageLevelStatus.commands().is_none());
}

#[test]
fn what_arrives_and_what_is_sent_can_be_batched() {
    for row in FAMILIES {
        assert!(row.sent.batched().is_some(), "{}", row.sent);
        assert!(row.received.batched().is_some(), "{}", row.received);
    }
    assert_eq!(Topic::INVOICE_RECEIVED.batched(), Some(Topic::INVOICE_RECEIVED_BATCHED));
    assert_eq!(Topic::INVOICE_RECEIVED_BATCHED.batched(), None);
}

#[test]
fn a_pattern_that_can_never_match_is_refused() {
    for wrong in ["", "InvoiceSend", "invoicesent", "Foo*", "Send?", &"*".repeat(65)] {
        let error = wrong.parse::<TopicPattern>().unwrap_err();
        assert!(error.to_string().contains("matches no topic"), "{error}");
    }
    assert!(serde_json::from_str::<TopicPattern>("\"Foo\"").is_err());
    assert!(serde_json::from_str::<Topic>("\"Foo\"").is_err());
}

proptest::proptest! {
    /// The matcher agrees with a matcher that tries every split.
    #[test]
    fn glob_agrees_with_the_plain_definition(pattern in "[ab*]{0,8}", text in "[ab]{0,8}") {
        fn plain(p: &[u8], t: &[u8]) -> bool {
            match p.split_first() {
                None => t.is_empty(),
                Some((b'*', rest)) => (0..=t.len()).any(|n| plain(rest, &t[n..])),
                Some((b, rest)) => t.first() == Some(b) && plain(rest, &t[1..]),
            }
        }
        let (p, t) = (pattern.as_bytes(), text.as_bytes());
        proptest::prop_assert_eq!(glob(p, t), plain(p, t));
    }
}

#[test]
fn what_was_probably_meant_is_told() {
    for (wrong, meant) in [
        ("InvoiceSend", "did you mean InvoiceSent?"),
        ("invoicesent", "did you mean InvoiceSent?"),
        ("InvoiceRecieved", "did you mean InvoiceReceived?"),
        ("Whatever", "expected a topic such as InvoiceSent"),
        ("x", "expected a topic such as InvoiceSent"),
    ] {
        let said = wrong.parse::<TopicPattern>().unwrap_err().to_string();
        assert!(said.contains(meant) && said.contains("docs/reference/events.md"), "{said}");
    }
}

/// The page of the topics, as it is published.
const PAGE: &str = include_str!("../../../../docs/reference/events.md");

fn page() -> String {
    let is_batch = |row: &&TopicRow| row.topic.as_str().ends_with("Batched");
    let table = |rows: Vec<&TopicRow>| -> String {
        let row = |row: &TopicRow| format!("| `{}` | {} |\n", row.topic, row.meaning);
        let rows: String = rows.into_iter().map(row).collect();
        format!("\n| topic | published when |\n|---|---|\n{rows}")
    };
    let detail =
        |row: &crate::details::EventDetail| format!("| `{}` | {} |\n", row.name, row.tells);
    let details: String = crate::details::DETAILS.iter().map(detail).collect();
    let (asks, tells): (Vec<_>, Vec<_>) = TOPICS.iter().partition(|row| row.topic.is_command());
    let (batches, tells): (Vec<_>, Vec<_>) = tells.into_iter().partition(is_batch);
    format!(
        "# Events\n\nThe topics that [hooks](../guides/hooks.md) listen to and that the feed \
         (`GET /api/v1/events`) has. Made from\n`crates/delivery/src/topics.rs` by `UPDATE=1 cargo \
         test -p quoin-delivery --lib topics`.\n\n## What happened\n{}\n## What is asked for\n\n\
         A hook hears these where a pattern of its topics begins with the same word.\n{}\n\
         ## Batches\n\nWhat a hook `batch://zip` collected.\n{}\n## Details\n\nWhat \
         `details` of an event can have, and what filters of hooks compare. An event has those \
         that are\nknown of what it tells; `topic`, `partyId` and `documentId` stand beside \
         them.\n\n| name | what it tells |\n|---|---|\n{details}",
        table(tells),
        table(asks),
        table(batches)
    )
}

#[test]
#[allow(clippy::disallowed_methods, reason = "UPDATE=1 writes the page anew")]
fn the_page_lists_every_topic() {
    let made = page();
    if quoin_testing::writes_anew() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/events.md");
        std::fs::write(file, &made).unwrap();
    } else {
        assert!(made == PAGE, "docs/reference/events.md is stale: run this test with UPDATE=1");
    }
}
