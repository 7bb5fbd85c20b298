//! The DICO network of building and installation in the Netherlands.

use super::partner::{CAUSES, WITH_A_FORM};
use super::{ActionKind, ChannelRow, KindRow};

/// What is known of it beforehand.
pub(super) const CHANNEL: ChannelRow = ChannelRow {
    routed: "The document goes to the DICO network at",
    delivered: "The DICO network took the document.",
    families: Some(WITH_A_FORM),
    causes: CAUSES,
    ..ChannelRow::new(KindRow::of_documents(ActionKind::Dico, "dico://"), "Dico")
};
