//! A folder on an SFTP server.

use crate::corners::{CauseRow, Corner, Fixer, cause, outage};

use super::{ActionKind, ChannelRow, KindRow, SubscriptionMatch};

/// What is known of it beforehand.
pub(super) const CHANNEL: ChannelRow = ChannelRow {
    routed: "The document goes into the folder",
    delivered: "The SFTP server has the document, whole and under its name.",
    causes: CAUSES,
    ..ChannelRow::new(HOOK, "Sftp")
};

const HOOK: KindRow = KindRow {
    reports: true,
    only_documents: true,
    ..KindRow::new(ActionKind::Sftp, "sftp://", SubscriptionMatch::Call)
};

const CAUSES: &[CauseRow] = &[
    cause(
        "sftp-hook",
        Corner::SenderData,
        Fixer::Sender,
        "The action of the SFTP hook cannot be used.",
    ),
    cause(
        "sftp-host-key",
        Corner::Sftp,
        Fixer::Sender,
        "The server showed another key than the hook names, or the hook names none.",
    ),
    cause(
        "sftp-login",
        Corner::Sftp,
        Fixer::Sender,
        "The server did not take the password or the key of the hook.",
    ),
    outage(
        "sftp-unavailable",
        Corner::Sftp,
        Fixer::Time,
        "The server did not answer, or the connection broke.",
    ),
    cause(
        "sftp-refused",
        Corner::Sftp,
        Fixer::Sender,
        "The file may not be written where the hook says, or the host may not be called.",
    ),
    cause(
        "sftp-resting",
        Corner::Sftp,
        Fixer::Time,
        "The server failed several times in a row and is left alone for a while; nothing was sent.",
    ),
];
