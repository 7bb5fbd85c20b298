//! XRechnung, its extension and its profile for clean vehicles.

use super::RuleSet;

pub(super) const SETS: &[RuleSet] = &[];
