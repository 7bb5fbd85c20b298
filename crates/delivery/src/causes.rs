//! Every code that an attempt, a look-up or a check can end with: one row for each, which says
//! where the failure lies and who can fix it. Those of a channel stand with it. What the rows mean
//! is told in the languages of the interface.

use std::sync::LazyLock;

use crate::channel::CHANNELS;
use crate::corners::cause;

pub use crate::corners::{CauseRow, Corner, Fixer};

/// Every code with its cause, each once.
pub static CAUSES: LazyLock<Vec<&'static CauseRow>> = LazyLock::new(|| {
    let mut all: Vec<&CauseRow> = Vec::new();
    for row in rows() {
        if !all.contains(&row) {
            all.push(row);
        }
    }
    all
});

/// The rows, those of all channels between those that are of none; what several channels have in
/// common stands with each.
fn rows() -> impl Iterator<Item = &'static CauseRow> {
    let of_channels = CHANNELS.iter().flat_map(|channel| channel.causes);
    BEFORE_A_CHANNEL.iter().chain(of_channels).chain(BESIDE_CHANNELS)
}

/// What ends a document before a channel has it.
const BEFORE_A_CHANNEL: &[CauseRow] = &[
    cause(
        "invalid-document",
        Corner::SenderData,
        Fixer::Sender,
        "The document breaks rules; the timeline has each with its place.",
    ),
    cause(
        "channel",
        Corner::SenderData,
        Fixer::Sender,
        "The channel that the sender asked for does not carry this document, or there is none of that name.",
    ),
    cause(
        "ENVELOPE",
        Corner::SenderData,
        Fixer::Sender,
        "The document could not be put into the envelope of the network (SBDH); the text says why.",
    ),
];

/// What an authority says of a document or of a report about it, and what this service cannot do.
const BESIDE_CHANNELS: &[CauseRow] = &[
    cause(
        "ksef-document",
        Corner::SenderData,
        Fixer::Sender,
        "KSeF did not take the invoice for what it says, or it cannot become an FA(3).",
    ),
    cause(
        "ksef-duplicate",
        Corner::SenderData,
        Fixer::Sender,
        "Another invoice has this number of this seller in KSeF already.",
    ),
    cause(
        "ksef-certificate",
        Corner::SenderData,
        Fixer::Sender,
        "The certificate of the hook cannot be used with KSeF.",
    ),
    cause(
        "ksef-refused",
        Corner::Authority,
        Fixer::Sender,
        "KSeF refused the account of the hook, or what it wanted to do.",
    ),
    cause(
        "ksef-defect",
        Corner::Us,
        Fixer::Us,
        "KSeF could not read or decrypt what this service handed over.",
    ),
    cause(
        "ksef-unavailable",
        Corner::Authority,
        Fixer::Time,
        "KSeF did not answer, or says that it is out of service.",
    ),
    cause(
        "ksef-fault",
        Corner::Us,
        Fixer::Us,
        "The receipt of KSeF says something else than what was sent.",
    ),
    cause(
        TAX_REPORT_REJECTED,
        Corner::Authority,
        Fixer::Sender,
        "The tax authority did not accept the report about the invoice.",
    ),
    cause(
        TAX_REPORT_DATA,
        Corner::Us,
        Fixer::Us,
        "The tax authority did not accept what the service writes into a report beside the invoice.",
    ),
    cause(
        TAX_REPORT_INCOMPLETE,
        Corner::SenderData,
        Fixer::Sender,
        "The invoice lacks something that the report about it has to say.",
    ),
    cause(
        TAX_REPORT_INVALID,
        Corner::SenderData,
        Fixer::Sender,
        "The report would break a rule of the authority by what the invoice says.",
    ),
    cause(
        TAX_REPORT_UNSENT,
        Corner::Authority,
        Fixer::Us,
        "The report did not get to the tax authority.",
    ),
    cause(
        "SEAL",
        Corner::Us,
        Fixer::Us,
        "The message could not be signed or encrypted by this service.",
    ),
];

/// The code of a tax report that its authority did not take.
pub const TAX_REPORT_REJECTED: &str = "tax-report-rejected";
/// The code of a tax report that its authority did not take for what the service says beside the
/// invoice.
pub const TAX_REPORT_DATA: &str = "tax-report-data";
/// The code of a tax report that cannot be written, since the invoice lacks what it has to say.
pub const TAX_REPORT_INCOMPLETE: &str = "tax-report-incomplete";
/// The code of a tax report that breaks the rules of its regime by what the invoice says.
pub const TAX_REPORT_INVALID: &str = "tax-report-invalid";
/// The code of a tax report that did not get to its authority.
pub const TAX_REPORT_UNSENT: &str = "tax-report-unsent";

impl CauseRow {
    /// The cause of a code, if the table has it.
    pub fn of(code: &str) -> Option<&'static CauseRow> {
        CAUSES.iter().copied().find(|row| row.code == code)
    }
}

#[cfg(test)]
mod tests;
