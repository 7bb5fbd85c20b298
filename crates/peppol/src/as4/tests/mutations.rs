//! Whatever is done to a message on its way: nothing panics, and nothing changed is believed.

use std::sync::OnceLock;

use proptest::prelude::*;

use super::super::*;
use super::fixture::*;

/// One change to some bytes.
#[derive(Debug, Clone)]
enum Mutation {
    Set(u32, u8),
    Insert(u32, Vec<u8>),
    Remove(u32, u8),
    Truncate(u32),
    Copy(u32, u32, u8),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let tokens = prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        prop::sample::select(vec![
            "\r\n", "--", "<", ">", "&", "\"", "<!--", "]]>", "=", ":", "\0"
        ])
        .prop_map(|token| token.as_bytes().to_vec()),
    ];
    prop_oneof![
        (any::<u32>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set(at, byte)),
        (any::<u32>(), tokens).prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        (any::<u32>(), any::<u8>()).prop_map(|(at, count)| Mutation::Remove(at, count)),
        any::<u32>().prop_map(Mutation::Truncate),
        (any::<u32>(), any::<u32>(), any::<u8>()).prop_map(|(a, b, n)| Mutation::Copy(a, b, n)),
    ]
}

fn apply(mutations: &[Mutation], bytes: &mut Vec<u8>) {
    for mutation in mutations {
        let place = |at: u32, length: usize| at as usize % (length + 1);
        let length = bytes.len();
        match mutation {
            Mutation::Set(at, byte) => {
                let at = place(*at, length);
                if let Some(target) = bytes.get_mut(at) {
                    *target = *byte;
                }
            }
            Mutation::Insert(at, inserted) => {
                let at = place(*at, length);
                bytes.splice(at..at, inserted.iter().copied());
            }
            Mutation::Remove(at, count) => {
                let at = place(*at, length);
                bytes.drain(at..(at + *count as usize).min(length));
            }
            Mutation::Truncate(at) => bytes.truncate(place(*at, length)),
            Mutation::Copy(from, to, count) => {
                let from = place(*from, length);
                let piece = bytes[from..(from + *count as usize).min(length)].to_vec();
                let to = place(*to, length);
                bytes.splice(to..to, piece);
            }
        }
    }
}

fn sample() -> &'static HttpMessage {
    static SAMPLE: OnceLock<HttpMessage> = OnceLock::new();
    SAMPLE.get_or_init(|| sent().http)
}

fn sample_answer() -> &'static HttpMessage {
    static SAMPLE: OnceLock<HttpMessage> = OnceLock::new();
    SAMPLE.get_or_init(sample_receipt)
}

fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    prop::collection::vec(mutation(), 1..6)
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_mutated_message_never_panics_and_is_never_misread(changes in mutations()) {
        let mut body = sample().body.clone();
        apply(&changes, &mut body);
        let http = HttpMessage { body, ..sample().clone() };
        if let Ok(incoming) = Incoming::read(&http.content_type, &http.body) {
            incoming.claimed_signer();
            if let Ok(received) = incoming.open(&seat(RECEIVER).own, &Known) {
                prop_assert_eq!(received.message, user_message());
                prop_assert_eq!(received.payload, PAYLOAD);
            }
        }
    }

    #[test]
    fn a_mutated_envelope_never_panics_and_is_never_misread(changes in mutations()) {
        let mut forged = Forged::of(sample(), PAYLOAD);
        let mut envelope = forged.envelope.into_bytes();
        apply(&changes, &mut envelope);
        forged.envelope = String::from_utf8_lossy(&envelope).into_owned();
        if let Ok(received) = forged.open() {
            prop_assert_eq!(received.message, user_message());
            prop_assert_eq!(received.payload, PAYLOAD);
        }
    }

    #[test]
    fn a_mutated_answer_never_panics_and_is_never_misread(changes in mutations()) {
        let mut body = sample_answer().body.clone();
        apply(&changes, &mut body);
        let answer = read_answer(&sample_answer().content_type, &body, &sent(), &Known);
        if let Ok(As4Answer::Receipt { signer, message_id, timestamp, warnings }) = answer {
            prop_assert_eq!(&signer.common_name, "POP000002");
            prop_assert_eq!(message_id, SIGNAL_ID);
            prop_assert_eq!(timestamp, "2026-11-21T10:00:00.000Z");
            prop_assert!(warnings.is_empty());
        }
    }

    #[test]
    fn a_mutated_package_never_panics(
        changes in mutations(),
        header_changes in prop::collection::vec(mutation(), 0..4),
    ) {
        let mut body = sample().body.clone();
        apply(&changes, &mut body);
        let mut content_type = sample().content_type.clone().into_bytes();
        apply(&header_changes, &mut content_type);
        let content_type = String::from_utf8_lossy(&content_type);
        if let Ok(parts) = parse_mime(&content_type, &body) {
            let bytes: usize = parts.iter().map(|part| part.body.len()).sum();
            prop_assert!(bytes <= body.len());
        }
    }

    #[test]
    fn gunzip_never_panics(changes in mutations()) {
        let mut bytes = gzip(PAYLOAD).unwrap();
        apply(&changes, &mut bytes);
        let _ = gunzip(&bytes).map(|payload| payload.len());
    }
}
