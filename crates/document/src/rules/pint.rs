//! PINT: the international base and its jurisdictions.

use super::RuleSet;

pub(super) const SETS: &[RuleSet] = &[];
