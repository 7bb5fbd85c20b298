//! A platform on which companies work together.

use super::partner::CAUSES;
use super::{ActionKind, ChannelRow, KindRow};

/// What is known of it beforehand.
pub(super) const CHANNEL: ChannelRow = ChannelRow {
    routed: "The document goes to the collaboration platform at",
    delivered: "The collaboration platform took the document.",
    causes: CAUSES,
    ..ChannelRow::new(
        KindRow::of_documents(ActionKind::Collaboration, "collaboration://"),
        "Collaboration",
    )
};
