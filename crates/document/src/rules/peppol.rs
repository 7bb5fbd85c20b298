//! Peppol BIS Billing 3 and self-billing, with the national rules.

use super::RuleSet;

pub(super) const SETS: &[RuleSet] = &[];
