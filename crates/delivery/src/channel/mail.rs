//! Mail.

use crate::corners::{CauseRow, Corner, Fixer, cause};

use super::{ActionKind, ChannelRow, KindRow, SubscriptionMatch};

/// What is known of it beforehand.
pub(super) const CHANNEL: ChannelRow = ChannelRow {
    routed: "The document goes by mail to",
    delivered: "The mail server took the document.",
    causes: CAUSES,
    ..ChannelRow::new(HOOK, "Smtp")
};

const HOOK: KindRow =
    KindRow { reports: true, ..KindRow::new(ActionKind::Mail, "mailto:", SubscriptionMatch::Call) };

/// The code of a mail that a server took and could not deliver after all.
pub const MAIL_BOUNCED: &str = "mail-bounced";

/// The code of a mail that a server took and could not deliver yet.
pub const MAIL_DELAYED: &str = "mail-delayed";

const CAUSES: &[CauseRow] = &[
    cause(
        "mail-hook",
        Corner::SenderData,
        Fixer::Sender,
        "The action of the mail hook cannot be used.",
    ),
    cause(
        "mail-unavailable",
        Corner::Mail,
        Fixer::Time,
        "The mail server did not answer, or refused the mail for now.",
    ),
    cause(
        "mail-refused",
        Corner::Mail,
        Fixer::Sender,
        "The mail server refused the mail for good.",
    ),
    cause(
        MAIL_BOUNCED,
        Corner::Mail,
        Fixer::Sender,
        "A mail server had taken the mail and could not deliver it.",
    ),
    cause(
        MAIL_DELAYED,
        Corner::Mail,
        Fixer::Time,
        "A mail server has taken the mail and could not deliver it yet.",
    ),
];
