//! The ways in which a document leaves, and the table of them. What is known of a channel
//! beforehand stands in its file: how the action of its hook begins, its names, the words of the
//! timeline, the families that it carries, the codes of its failures. How it delivers is in a
//! folder of its name in the room `access-point`.

mod collaboration;
mod cxml;
mod dico;
mod https;
mod kind;
mod mail;
mod partner;
mod peppol;
mod sftp;
mod trading_network;

use crate::corners::CauseRow;
use crate::topics::Family;

pub use kind::{KindRow, SubscriptionMatch};
pub use mail::{MAIL_BOUNCED, MAIL_DELAYED};
pub use peppol::{NETWORK, NO_RECEIPT_IN_HAND, RESTING, UNREACHABLE};

/// Every channel, in the order in which the interface lists them.
pub const CHANNELS: &[ChannelRow] = &[
    NETWORK,
    mail::CHANNEL,
    sftp::CHANNEL,
    https::CHANNEL,
    cxml::CHANNEL,
    trading_network::CHANNEL,
    dico::CHANNEL,
    collaboration::CHANNEL,
];

/// What the action of a hook is, in the order in which texts list how actions begin. A kind that
/// is no channel has its row in [`crate::hook`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionKind {
    /// An https address: events are told to it, and documents are posted to it.
    Web,
    /// A mail address.
    Mail,
    /// A folder on an SFTP server.
    Sftp,
    /// A folder on an SFTP server that is looked at for documents to send.
    SftpFrom,
    /// A mailbox from which documents to send are taken.
    MailFrom,
    /// A procurement network that takes messages of cXML.
    Cxml,
    /// A procurement network of accounts, where each supplier has a relationship with each buyer.
    TradingNetwork,
    /// The DICO network of building and installation in the Netherlands.
    Dico,
    /// A platform on which companies work together.
    Collaboration,
    /// Events are collected and their documents zipped.
    Batch,
    /// The national system of Poland, which registers the invoices of its party before they leave.
    Ksef,
    /// The network itself.
    Peppol,
}

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
    pub hook: KindRow,
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
    /// The families of documents that it carries; all where it names none.
    pub families: Option<&'static [Family]>,
    /// The codes of its failures. One that it shares with other channels is in the rows of each.
    pub causes: &'static [CauseRow],
}

impl ChannelRow {
    /// A channel by its hook and its protocol, without words and with nothing besides.
    const fn new(hook: KindRow, protocol: &'static str) -> ChannelRow {
        ChannelRow {
            hook,
            protocol,
            id: None,
            network: false,
            routed: "",
            delivered: "",
            unproven: None,
            families: None,
            causes: &[],
        }
    }
}

/// Whether hooks of a kind are a channel that carries documents of a family.
pub fn carries(kind: ActionKind, family: Family) -> bool {
    row(kind).is_some_and(|row| row.families.is_none_or(|families| families.contains(&family)))
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
    CHANNELS.iter().find(|row| row.hook.kind == kind)
}

/// The channel of a protocol; the network for one that none has.
pub fn of_protocol(protocol: &str) -> ChannelRow {
    CHANNELS.iter().find(|row| row.protocol == protocol).copied().unwrap_or(NETWORK)
}

/// Whether hooks of a kind are the network.
pub fn is_network(kind: ActionKind) -> bool {
    row(kind).is_some_and(|row| row.network)
}
