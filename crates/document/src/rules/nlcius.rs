//! NLCIUS (SI-UBL 2), its CII binding and the G-account extension.

use super::RuleSet;

pub(super) const SETS: &[RuleSet] = &[];
