//! Tax data documents: the ViDA pilot, Slovakia, the United Arab Emirates, Oman. Each authority has
//! releases of its own.

mod ae_1_0_4;
mod om_1_0_1;
mod sk_1_0_0;
mod vida_1_1_0;

use super::{RulePublisher, named};
use quoin_formats::Syntax;

/// Tax data documents.
const TAX_DATA: &[Syntax] = &[Syntax::TaxData];

pub(super) const PUBLISHER: RulePublisher = RulePublisher {
    name: "tax_data",
    packages: &[
        named("tax-data-vida", "Peppol tax data, ViDA pilot", TAX_DATA),
        named("tax-data-sk", "Peppol tax data, Slovakia", TAX_DATA),
        named("tax-data-ae", "Peppol tax data, United Arab Emirates", TAX_DATA),
        named("tax-data-om", "Peppol tax data, Oman", TAX_DATA),
    ],
    publications: &[vida_1_1_0::RELEASE, sk_1_0_0::RELEASE, ae_1_0_4::RELEASE, om_1_0_1::RELEASE],
};
