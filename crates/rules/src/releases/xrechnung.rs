//! XRechnung: the German specification on EN 16931, in both syntaxes.

mod r3_0_2;

use super::{CII, RulePublisher, UBL, named};

pub(super) const PUBLISHER: RulePublisher = RulePublisher {
    name: "xrechnung",
    packages: &[
        named("xrechnung-ubl", "XRechnung in UBL", UBL),
        named("xrechnung-cii", "XRechnung in CII", CII),
    ],
    publications: &[r3_0_2::RELEASE],
};
