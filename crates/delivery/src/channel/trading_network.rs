//! A procurement network of accounts, where each supplier has a relationship with each buyer.

use super::partner::{CAUSES, WITH_A_FORM};
use super::{ActionKind, ChannelRow, KindRow};

/// What is known of it beforehand.
pub(super) const CHANNEL: ChannelRow = ChannelRow {
    routed: "The document goes to the trading network at",
    delivered: "The trading network took the document.",
    families: Some(WITH_A_FORM),
    causes: CAUSES,
    ..ChannelRow::new(
        KindRow::of_documents(ActionKind::TradingNetwork, "tradingnetwork://"),
        "TradingNetwork",
    )
};
