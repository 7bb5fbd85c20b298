//! A web server: documents are posted to it, and events are told to it.

use crate::corners::{CauseRow, Corner, Fixer, cause, outage};

use super::{ActionKind, ChannelRow, KindRow, SubscriptionMatch};

/// What is known of it beforehand.
pub(super) const CHANNEL: ChannelRow = ChannelRow {
    routed: "The document goes over HTTPS to",
    delivered: "The server said that it has the document.",
    causes: CAUSES,
    ..ChannelRow::new(HOOK, "Https")
};

const HOOK: KindRow = KindRow {
    told: "an https address",
    ..KindRow::new(ActionKind::Web, "https://", SubscriptionMatch::Call)
};

const CAUSES: &[CauseRow] = &[
    cause(
        "https-resting",
        Corner::Https,
        Fixer::Time,
        "The server failed several times in a row and is left alone for a while; nothing was sent.",
    ),
    cause(
        "https-hook",
        Corner::SenderData,
        Fixer::Sender,
        "The address or the init of the hook cannot be used.",
    ),
    cause(
        "https-login",
        Corner::Https,
        Fixer::Sender,
        "The token endpoint gave no token; nothing of the document was sent.",
    ),
    cause(
        "https-tls",
        Corner::Https,
        Fixer::Sender,
        "No TLS connection came about: a certificate was not believed, on our side or theirs.",
    ),
    outage(
        "https-unavailable",
        Corner::Https,
        Fixer::Time,
        "The server did not answer, or with a status that passes.",
    ),
    cause(
        "https-refused",
        Corner::Https,
        Fixer::Sender,
        "The server refused the document, or its address may not be called.",
    ),
];
