//! Topics that ask for something instead of telling it: a document is to go to a channel, or has
//! arrived for one (interface specification 6; conventions A5). They are told to the hooks that
//! name them, and are not recorded where nobody does.

use super::{FAMILIES, Family, FamilyRow, Topic};

/// The end of a topic that asks for the channel after Peppol.
pub(crate) const FALLBACK: &str = "Fallback";

/// The commands of a family; none where its documents travel over the network only.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    /// The family.
    pub family: Family,
    /// A document goes to its channel.
    pub send: Topic,
    /// Peppol could not deliver it.
    pub fallback: Topic,
    /// One has arrived.
    pub receive: Option<Topic>,
}

/// Every family that can take other channels than Peppol. A Message Level Status is about the
/// network itself and has no other way.
pub const COMMANDS: &[CommandRow] = &[
    CommandRow {
        family: Family::Invoice,
        send: Topic::SEND_INVOICE,
        fallback: Topic::SEND_INVOICE_FALLBACK,
        receive: Some(Topic::RECEIVE_INVOICE),
    },
    CommandRow {
        family: Family::InvoiceResponse,
        send: Topic::SEND_INVOICE_RESPONSE,
        fallback: Topic::SEND_INVOICE_RESPONSE_FALLBACK,
        receive: None,
    },
    CommandRow {
        family: Family::Order,
        send: Topic::SEND_ORDER,
        fallback: Topic::SEND_ORDER_FALLBACK,
        receive: Some(Topic::RECEIVE_ORDER),
    },
    CommandRow {
        family: Family::Document,
        send: Topic::SEND_DOCUMENT,
        fallback: Topic::SEND_DOCUMENT_FALLBACK,
        receive: Some(Topic::RECEIVE_DOCUMENT),
    },
];

impl Family {
    /// The commands of the family, if it has any.
    pub fn commands(self) -> Option<&'static CommandRow> {
        COMMANDS.iter().find(|row| row.family == self)
    }
}

impl Topic {
    /// The verb of a command; `None` for what tells that something happened.
    pub fn verb(self) -> Option<&'static str> {
        // The profile of a report names its channel: none is chosen, and none follows it.
        if self == Topic::SEND_TAX_REPORT {
            return Some("Send");
        }
        COMMANDS.iter().find_map(|row| {
            if self == row.send || self == row.fallback {
                return Some("Send");
            }
            row.receive.is_some_and(|receive| receive == self).then_some("Receive")
        })
    }

    /// Whether it tells of a document that arrived, so that the document can be handed on with it.
    pub fn brings_a_document(self) -> bool {
        let arrived = |row: &FamilyRow| row.received == self || row.received_error == Some(self);
        self.verb() == Some("Receive") || FAMILIES.iter().any(arrived)
    }

    /// Whether it asks for something instead of telling that it happened.
    pub fn is_command(self) -> bool {
        self.verb().is_some()
    }

    /// The topic that is published when events of this one were put into a batch, if there is one.
    pub fn batched(self) -> Option<Topic> {
        Topic::named(&format!("{self}Batched"))
    }
}
