//! What is known of each channel beforehand: its names, whether it is the network, and the words of
//! the timeline. How it delivers is in a folder of its name in the room `access-point`.

use crate::causes::NO_RECEIPT_IN_HAND;
use crate::hook::ActionKind;
use crate::ids::PEPPOL;
use crate::topics::Family;

/// The channel value that bypasses Peppol on purpose.
pub const PEPPOL_FALLBACK: &str = "peppol-fallback";

/// The status code of a channel that delivered.
pub const DONE: &str = "200";
/// The status code of a channel that was refused for good.
pub const REFUSED: &str = "400";
/// The status code of a channel that does not reach the receiver.
pub const NOT_FOUND: &str = "404";
/// The status code of a channel whose attempts are used up.
pub const EXHAUSTED: &str = "500";

/// One row of [`CHANNELS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChannelRow {
    /// The kind of hook that is this channel.
    pub kind: ActionKind,
    /// Its protocol as the interface names it.
    pub protocol: &'static str,
    /// The id that its hook has, and no other hook; any id where it says none.
    pub id: Option<&'static str>,
    /// Whether it is the network: there without being registered, asks whether it reaches the
    /// receiver, and others may stand behind it and take over what it could not deliver.
    pub network: bool,
    /// What the timeline says before the endpoint that a document goes to.
    pub routed: &'static str,
    /// What the timeline says of a delivery.
    pub delivered: &'static str,
    /// What it says of one whose receipt is not in hand, and the code of that; none where nobody
    /// signs receipts.
    pub unproven: Option<(&'static str, &'static str)>,
}

/// What is said of a receipt that did not come back.
const HELD: &str = "The receiver's access point says that it took the document before, in an attempt \
                    that ended without an answer; no receipt is in hand.";

/// The network.
pub const NETWORK: ChannelRow = ChannelRow {
    kind: ActionKind::Peppol,
    protocol: "As4",
    id: Some(PEPPOL),
    network: true,
    routed: "The receiver's access point is",
    delivered: "The receiver's access point took the document and signed a receipt.",
    unproven: Some((HELD, NO_RECEIPT_IN_HAND)),
};

/// Every channel.
pub const CHANNELS: &[ChannelRow] = &[
    NETWORK,
    ChannelRow {
        kind: ActionKind::Mail,
        protocol: "Smtp",
        id: None,
        network: false,
        routed: "The document goes by mail to",
        delivered: "The mail server took the document.",
        unproven: None,
    },
    ChannelRow {
        kind: ActionKind::Sftp,
        protocol: "Sftp",
        id: None,
        network: false,
        routed: "The document goes into the folder",
        delivered: "The SFTP server has the document, whole and under its name.",
        unproven: None,
    },
    ChannelRow {
        kind: ActionKind::Web,
        protocol: "Https",
        id: None,
        network: false,
        routed: "The document goes over HTTPS to",
        delivered: "The server said that it has the document.",
        unproven: None,
    },
    ChannelRow {
        kind: ActionKind::Cxml,
        protocol: "Cxml",
        id: None,
        network: false,
        routed: "The document goes to the procurement network at",
        delivered: "The procurement network took the document.",
        unproven: None,
    },
    ChannelRow {
        kind: ActionKind::TradingNetwork,
        protocol: "TradingNetwork",
        id: None,
        network: false,
        routed: "The document goes to the trading network at",
        delivered: "The trading network took the document.",
        unproven: None,
    },
    ChannelRow {
        kind: ActionKind::Dico,
        protocol: "Dico",
        id: None,
        network: false,
        routed: "The document goes to the DICO network at",
        delivered: "The DICO network took the document.",
        unproven: None,
    },
    ChannelRow {
        kind: ActionKind::Collaboration,
        protocol: "Collaboration",
        id: None,
        network: false,
        routed: "The document goes to the collaboration platform at",
        delivered: "The collaboration platform took the document.",
        unproven: None,
    },
];

/// What networks with forms of their own have a form for.
const WITH_A_FORM: &[Family] = &[Family::Invoice, Family::Order];

/// Channels that carry documents of some families only; any other carries all.
const FAMILIES: &[(ActionKind, &[Family])] = &[
    (ActionKind::Cxml, WITH_A_FORM),
    (ActionKind::TradingNetwork, WITH_A_FORM),
    (ActionKind::Dico, WITH_A_FORM),
];

/// Whether hooks of a kind are a channel that carries documents of a family.
pub fn carries(kind: ActionKind, family: Family) -> bool {
    let limit = FAMILIES.iter().find(|(limited, _)| *limited == kind);
    row(kind).is_some() && limit.is_none_or(|(_, families)| families.contains(&family))
}

/// A kind that is no channel: what stands for one that is not there, so that nothing falls back
/// from it.
pub const NO_CHANNEL: ActionKind = ActionKind::Batch;

/// The protocols of all channels.
pub const PROTOCOLS: &[&str] = &protocols();

#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
const fn protocols() -> [&'static str; CHANNELS.len()] {
    let mut all = [""; CHANNELS.len()];
    let mut at = 0;
    while at < CHANNELS.len() {
        all[at] = CHANNELS[at].protocol;
        at += 1;
    }
    all
}

/// The channel that hooks of a kind are; none where they carry no documents.
pub fn row(kind: ActionKind) -> Option<&'static ChannelRow> {
    CHANNELS.iter().find(|row| row.kind == kind)
}

/// The channel of a protocol; the network for one that none has.
pub fn of_protocol(protocol: &str) -> ChannelRow {
    CHANNELS.iter().find(|row| row.protocol == protocol).copied().unwrap_or(NETWORK)
}

/// Whether hooks of a kind are the network.
pub fn is_network(kind: ActionKind) -> bool {
    row(kind).is_some_and(|row| row.network)
}
