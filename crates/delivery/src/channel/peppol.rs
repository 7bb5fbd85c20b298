//! The network: the receiver is looked up, and its access point gets the document over AS4.

use crate::corners::{CauseRow, Corner, Fixer, cause, outage};
use crate::ids::PEPPOL;

use super::{ActionKind, ChannelRow, KindRow, SubscriptionMatch};

/// What is said of a receipt that did not come back.
const HELD: &str = "The receiver's access point says that it took the document before, in an attempt \
                    of which no answer came, or none that told so; no receipt is in hand.";

/// What is known of it beforehand.
pub const NETWORK: ChannelRow = ChannelRow {
    id: Some(PEPPOL),
    network: true,
    routed: "The receiver's access point is",
    delivered: "The receiver's access point took the document and signed a receipt.",
    unproven: Some((HELD, NO_RECEIPT_IN_HAND)),
    causes: CAUSES,
    ..ChannelRow::new(HOOK, "As4")
};

const HOOK: KindRow = KindRow {
    alone: true,
    ..KindRow::new(ActionKind::Peppol, "peppol", SubscriptionMatch::Nothing)
};

/// The code of an attempt for which no connection was made.
pub const UNREACHABLE: &str = "AP-UNREACHABLE";

/// The code of a delivery of which the receiver's access point says that it had it before, without
/// a receipt.
pub const NO_RECEIPT_IN_HAND: &str = "NO-RECEIPT-IN-HAND";

/// The code of a document that waits because its receiver's access point is left alone for a while.
pub const RESTING: &str = "AP-RESTING";

const CAUSES: &[CauseRow] = &[
    cause(
        "not-registered",
        Corner::Sml,
        Fixer::Receiver,
        "The register of participants (SML) does not have the receiver, or the publisher that it names does not know it.",
    ),
    cause(
        "dns-trouble",
        Corner::Sml,
        Fixer::Time,
        "The register of participants (SML) gave no answer, or none that can be believed.",
    ),
    cause(
        "invalid-smp-address",
        Corner::Sml,
        Fixer::ReceiversProvider,
        "The register names an address of the receiver's publisher that is none, or that may not be called.",
    ),
    cause(
        "smp-trouble",
        Corner::Smp,
        Fixer::ReceiversProvider,
        "The receiver's publisher (SMP) gave no answer, or one that passes: a redirect, 408, 425, 429 or 5xx.",
    ),
    cause(
        "smp-status",
        Corner::Smp,
        Fixer::ReceiversProvider,
        "The receiver's publisher (SMP) gave a status that says neither that the receiver is there nor that it is not.",
    ),
    cause(
        "unsupported-document-type",
        Corner::Smp,
        Fixer::Receiver,
        "The receiver is registered, but not for this type of document in this process.",
    ),
    cause(
        "untrusted-metadata",
        Corner::Smp,
        Fixer::ReceiversProvider,
        "The answer of the receiver's publisher (SMP) is not signed as it has to be, or its signature or certificate cannot be believed.",
    ),
    cause(
        "no-usable-endpoint",
        Corner::Smp,
        Fixer::ReceiversProvider,
        "The receiver's publisher (SMP) names no endpoint that can be used: of another transport, not in service at this time, or without a usable address.",
    ),
    cause(
        "receiver-certificate",
        Corner::ReceiverCertificate,
        Fixer::ReceiversProvider,
        "The certificate that the receiver's publisher names for the access point cannot be believed; the text says why.",
    ),
    cause(
        "revocation-unknown",
        Corner::Us,
        Fixer::Time,
        "Nobody said whether a certificate of the receiver's SMP or access point is revoked: its certificate authority gave no answer, or this service did not reach it.",
    ),
    cause(
        "AP-CERTIFICATE",
        Corner::ReceiverCertificate,
        Fixer::ReceiversProvider,
        "The certificate of the receiver's access point could not be believed or used when the message was about to be sealed.",
    ),
    cause(
        "NOT-SERVICED",
        Corner::ReceiverAccessPoint,
        Fixer::ReceiversProvider,
        "The receiver's access point says that it does not serve this receiver, type of document or process (PEPPOL:NOT_SERVICED).",
    ),
    cause(
        "AP-ERROR",
        Corner::ReceiverAccessPoint,
        Fixer::ReceiversProvider,
        "The receiver's access point answered with an error of AS4; the text has its code and its words.",
    ),
    cause(
        "AP-REFUSED",
        Corner::ReceiverAccessPoint,
        Fixer::ReceiversProvider,
        "The receiver's access point answered with a redirect or another status that says no (3xx, 4xx).",
    ),
    outage(
        "AP-STATUS",
        Corner::ReceiverAccessPoint,
        Fixer::ReceiversProvider,
        "The receiver's access point answered with a status that passes (5xx, 408, 425, 429), without a receipt.",
    ),
    outage(
        "AP-TLS",
        Corner::ReceiverAccessPoint,
        Fixer::ReceiversProvider,
        "No TLS connection with the receiver's access point came about.",
    ),
    outage(
        "AP-TIMEOUT",
        Corner::ReceiverAccessPoint,
        Fixer::ReceiversProvider,
        "The receiver's access point did not answer in time. Whether it has the document is not known.",
    ),
    outage(
        "NO-ANSWER",
        Corner::Network,
        Fixer::Time,
        "The connection ended before an answer. Whether the document arrived is not known.",
    ),
    outage(
        "NO-RECEIPT",
        Corner::ReceiverAccessPoint,
        Fixer::ReceiversProvider,
        "The answer is no receipt that can be verified. Whether the document arrived is not known.",
    ),
    cause(
        NO_RECEIPT_IN_HAND,
        Corner::ReceiverAccessPoint,
        Fixer::Time,
        "The receiver's access point says that it had the document before: it was delivered by an attempt whose receipt was lost.",
    ),
    cause(
        "AP-ADDRESS",
        Corner::Smp,
        Fixer::ReceiversProvider,
        "The address of the receiver's access point may not be called: not https, another port, or a private network.",
    ),
    outage(
        UNREACHABLE,
        Corner::Network,
        Fixer::Time,
        "No connection with the receiver's access point came about; nothing was sent.",
    ),
    cause(
        RESTING,
        Corner::ReceiverAccessPoint,
        Fixer::Time,
        "The receiver's access point failed several times in a row and is left alone for a while; nothing was sent.",
    ),
];
