//! Peppol's own messages: the message level status, and the reports on transactions and users.
//!
//! Sources: Peppol message level status 1.0.1, transaction statistics report 1.0.5 and end user
//! statistics report 1.1.5.

mod counts;
mod keys;
mod status;

use super::Rule;

/// The message level status.
pub(crate) const MLS: &[&[Rule]] = &[status::MLS];
/// The transaction statistics report.
pub(crate) const TSR: &[&[Rule]] = &[status::TSR, keys::TSR, counts::TSR];
/// The end user statistics report.
pub(crate) const EUSR: &[&[Rule]] = &[status::EUSR, keys::EUSR, counts::EUSR];
