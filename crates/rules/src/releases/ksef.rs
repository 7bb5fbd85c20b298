//! The Polish national system: what it asks of FA.

mod fa3_1_0e;

use super::{FA, RulePublisher, named};

pub(super) const PUBLISHER: RulePublisher = RulePublisher {
    name: "ksef",
    packages: &[named("ksef-fa3", "KSeF FA(3)", FA)],
    publications: &[fa3_1_0e::RELEASE],
};
