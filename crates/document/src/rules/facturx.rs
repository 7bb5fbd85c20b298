//! Factur-X and ZUGFeRD: the rules of each profile.

use super::RuleSet;

pub(super) const SETS: &[RuleSet] = &[];
