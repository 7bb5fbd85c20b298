//! Peppol logistics: transport execution plans, waybills, weight statements and the like.

use super::RuleSet;

pub(super) const SETS: &[RuleSet] = &[];
