//! Peppol post-award: orders, despatch advices, catalogues and their answers.

use super::RuleSet;

pub(super) const SETS: &[RuleSet] = &[];
