//! PINT: the international base and its jurisdictions, each in a release of its own. The base has
//! the rules that all share; a jurisdiction has them as they are or with code lists of its own.
//!
//! Source: the PINT specialisations that OpenPEPPOL publishes.

mod ae_1_0_4;
mod aunz_1_1_3;
mod base_1_1_3;
mod eu_1_1_1;
mod jp_1_1_3;
mod my_1_3_1;
mod om_1_0_1;
mod sg_1_4_1;

use super::{RulePublisher, UBL, named};

pub(super) const PUBLISHER: RulePublisher = RulePublisher {
    name: "pint",
    packages: &[
        named("pint", "PINT billing", UBL),
        named("pint-selfbilling", "PINT self-billing", UBL),
        named("pint-nontax", "PINT non-tax invoice", UBL),
        named("pint-ae", "PINT billing, United Arab Emirates", UBL),
        named("pint-ae-sb", "PINT self-billing, United Arab Emirates", UBL),
        named("pint-aunz", "PINT billing, Australia and New Zealand", UBL),
        named("pint-aunz-sb", "PINT self-billing, Australia and New Zealand", UBL),
        named("pint-eu", "PINT billing, European Union", UBL),
        named("pint-jp", "PINT billing, Japan", UBL),
        named("pint-jp-ntr", "PINT non-tax invoice, Japan", UBL),
        named("pint-jp-sb", "PINT self-billing, Japan", UBL),
        named("pint-my", "PINT billing, Malaysia", UBL),
        named("pint-my-sb", "PINT self-billing, Malaysia", UBL),
        named("pint-om", "PINT billing, Oman", UBL),
        named("pint-om-sb", "PINT self-billing, Oman", UBL),
        named("pint-sg", "PINT billing, Singapore", UBL),
    ],
    publications: &[
        base_1_1_3::RELEASE,
        ae_1_0_4::RELEASE,
        aunz_1_1_3::RELEASE,
        eu_1_1_1::RELEASE,
        jp_1_1_3::RELEASE,
        my_1_3_1::RELEASE,
        om_1_0_1::RELEASE,
        sg_1_4_1::RELEASE,
    ],
};
