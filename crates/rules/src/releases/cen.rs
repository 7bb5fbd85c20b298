//! EN 16931 itself: the validation artefacts of CEN/TC 434.

mod r1_3_13;
mod r1_3_14_1;
mod r1_3_15;
mod r1_3_16;

use super::{CII, RulePublisher, UBL, named};

pub(super) const PUBLISHER: RulePublisher = RulePublisher {
    name: "cen",
    packages: &[
        named("en16931-ubl", "EN 16931 in UBL", UBL),
        named("en16931-cii", "EN 16931 in CII", CII),
    ],
    publications: &[r1_3_13::RELEASE, r1_3_14_1::RELEASE, r1_3_15::RELEASE, r1_3_16::RELEASE],
};
