//! Peppol's own messages: the message level status, and the reports on transactions and users.

use super::RuleSet;

pub(super) const SETS: &[RuleSet] = &[];
