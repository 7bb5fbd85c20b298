//! What is to be known of the network.

use super::super::manual::{ChannelManual, needed};

/// What is to be known of it.
pub(super) const MANUAL: ChannelManual = ChannelManual {
    example: "peppol",
    needs: &[needed(
        "registration",
        "operator",
        "a sender that is registered, and a receiver that is",
    )],
    formats: "What the SMP of the receiver offers; a document in another format is converted.",
    received: "Documents arrive by it; nothing is handed on.",
    doubles: "Nothing: a repeat has the same message id and is not delivered again.",
    guide: "docs/guides/first-invoice.md",
};
