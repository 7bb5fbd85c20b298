//! Tests of `repeats`: PE-3, a receipt is never given for what is not stored.

use proptest::prelude::*;

use super::*;

fn identity<'a>(digest: &'a [u8], receiver: &'a str) -> ContentIdentity<'a> {
    ContentIdentity { digest, receiver }
}

#[test]
fn pe_3_only_the_same_bytes_to_the_same_receiver_are_a_repeat() {
    let known = identity(b"a", "0106:12345678");
    let cases = [
        (identity(b"a", "0106:12345678"), Repeat::Same),
        (identity(b"b", "0106:12345678"), Repeat::OtherDocument),
        (identity(b"a", "0106:12345679"), Repeat::OtherReceiver),
        (identity(b"b", "0106:12345679"), Repeat::OtherDocument),
    ];
    for (arrived, expected) in cases {
        assert_eq!(repeat(arrived, known), expected, "{arrived:?}");
    }
    let folded = identity(b"a", "9944:nl123456789b01");
    assert_eq!(repeat(identity(b"a", "9944:NL123456789B01"), folded), Repeat::Same);
}

#[test]
fn pe_3_a_refusal_names_the_identifier_and_the_remedy() {
    assert_eq!(Repeat::Same.refusal(RepeatedIdentifier::Message), None);
    let text = Repeat::OtherDocument.refusal(RepeatedIdentifier::Instance).unwrap();
    assert!(text.contains("another document") && text.contains("instance identifier"), "{text}");
    let text = Repeat::OtherReceiver.refusal(RepeatedIdentifier::Message).unwrap();
    assert!(text.contains("another receiver") && text.contains("message id"), "{text}");
}

proptest! {
    /// A receipt means that these bytes are stored for this receiver.
    #[test]
    fn pe_3_a_repeat_is_always_stored(
        stored in prop::collection::vec((prop::collection::vec(0u8..3, 0..3), "[a-c]"), 1..6),
        arrived in (prop::collection::vec(0u8..3, 0..3), "[a-cA-C]"),
    ) {
        let new = identity(&arrived.0, &arrived.1);
        for (digest, receiver) in &stored {
            let same = *digest == arrived.0 && *receiver == arrived.1.to_lowercase();
            let found = repeat(new, identity(digest, receiver));
            prop_assert_eq!(found == Repeat::Same, same);
            prop_assert_eq!(found.refusal(RepeatedIdentifier::Instance).is_none(), same);
        }
    }
}
