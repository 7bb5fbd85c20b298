//! Factur-X, whose profiles have the rules of EN 16931 as far as they have its terms.

mod r1_09_2;

use super::{CII, RulePublisher, named};

pub(super) const PUBLISHER: RulePublisher = RulePublisher {
    name: "facturx",
    packages: &[
        named("factur-x-minimum", "Factur-X MINIMUM", CII),
        named("factur-x-basic-wl", "Factur-X BASIC WL", CII),
        named("factur-x-basic", "Factur-X BASIC", CII),
        named("factur-x-en16931", "Factur-X EN 16931", CII),
        named("factur-x-extended", "Factur-X EXTENDED", CII),
    ],
    publications: &[r1_09_2::RELEASE],
};
