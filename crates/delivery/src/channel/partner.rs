//! What the channels to other networks have in common: procurement, DICO, collaboration.

use crate::corners::{CauseRow, Corner, Fixer, cause};
use crate::topics::Family;

/// What networks with forms of their own have a form for.
pub(super) const WITH_A_FORM: &[Family] = &[Family::Invoice, Family::Order];

/// The codes of their failures.
pub(super) const CAUSES: &[CauseRow] = &[
    cause(
        "not-convertible",
        Corner::SenderData,
        Fixer::Sender,
        "The document has no place in the format of the channel, or would lose something there.",
    ),
    cause(
        "partner-hook",
        Corner::SenderData,
        Fixer::Sender,
        "The action of the hook of the network cannot be used.",
    ),
    cause(
        "partner-secret",
        Corner::PartnerNetwork,
        Fixer::Sender,
        "The network did not believe the secret of the hook.",
    ),
    cause(
        "partner-relationship",
        Corner::PartnerNetwork,
        Fixer::Sender,
        "The account of the receiver in the network is not among the relationships of the hook.",
    ),
    cause(
        "partner-tls",
        Corner::PartnerNetwork,
        Fixer::Sender,
        "No TLS connection with the network came about.",
    ),
    cause(
        "partner-unavailable",
        Corner::PartnerNetwork,
        Fixer::Time,
        "The network did not answer, or refused for now.",
    ),
    cause(
        "partner-refused",
        Corner::PartnerNetwork,
        Fixer::Sender,
        "The network refused the document, at once or in its receipt.",
    ),
];
