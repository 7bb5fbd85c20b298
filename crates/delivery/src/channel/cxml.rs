//! A procurement network that takes messages of cXML.

use super::partner::{CAUSES, WITH_A_FORM};
use super::{ActionKind, ChannelRow, KindRow};

/// What is known of it beforehand.
pub(super) const CHANNEL: ChannelRow = ChannelRow {
    routed: "The document goes to the procurement network at",
    delivered: "The procurement network took the document.",
    families: Some(WITH_A_FORM),
    causes: CAUSES,
    ..ChannelRow::new(KindRow::of_documents(ActionKind::Cxml, "cxml://"), "Cxml")
};
