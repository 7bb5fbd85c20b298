//! NLCIUS (SI-UBL 2.0): the Dutch specification on EN 16931. Its releases in UBL and in CII have
//! numbers of their own; their files hold a copy of EN 16931 without a number.

mod cii_1_0_3_13;
mod ubl_2_0_3_13;

use super::{CII, RulePublisher, UBL, named};

pub(super) const PUBLISHER: RulePublisher = RulePublisher {
    name: "nlcius",
    packages: &[
        named("nlcius-ubl", "NLCIUS in UBL", UBL),
        named("nlcius-cii", "NLCIUS in CII", CII),
        named("nlcius-gaccount-ubl", "NLCIUS with G-account in UBL", UBL),
        named("nlcius-gaccount-cii", "NLCIUS with G-account in CII", CII),
    ],
    publications: &[ubl_2_0_3_13::RELEASE, cii_1_0_3_13::RELEASE],
};
