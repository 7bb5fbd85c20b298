//! Tax data documents: what the tables of the regimes leave to be tested by hand.
//!
//! Sources: Peppol tax data documents of the ViDA pilot 1.0.0 and 1.1.0, of Slovakia 1.0.0, of the
//! United Arab Emirates 1.0.4 and of Oman 1.0.1.

mod buyers;
mod foreign;
mod forms;
mod totals;

use quoin_xml::tree::Element;

use super::Rule;

/// The ViDA pilot 1.0.
pub(crate) const VIDA_1_0: &[&[Rule]] = &[forms::EXTRACT, forms::OPEN_TIME, foreign::ATTRIBUTES];
/// The ViDA pilot 1.1.
pub(crate) const VIDA_1_1: &[&[Rule]] =
    &[forms::EXTRACT, forms::ZONED_TIME, forms::IDENTIFIED, foreign::ATTRIBUTES, buyers::RULES];
/// Slovakia.
pub(crate) const SLOVAKIA: &[&[Rule]] = VIDA_1_0;
/// The United Arab Emirates.
pub(crate) const EMIRATES: &[&[Rule]] =
    &[forms::WHOLE, forms::STRICT_TIME, foreign::EMIRATES, totals::WHOLE, totals::EMIRATES];
/// Oman.
pub(crate) const OMAN: &[&[Rule]] =
    &[forms::WHOLE, forms::OPEN_TIME, forms::OMAN, foreign::OMAN, totals::WHOLE, totals::OMAN];

/// The document element of a report.
fn report(at: Element<'_>) -> Element<'_> {
    let mut top = at;
    while let Some(above) = top.parent().filter(|_| top.local() != "TaxData") {
        top = above;
    }
    top
}

/// The elements of a name that are of the report's own namespace.
fn own<'d>(parent: Element<'d>, local: &str) -> impl Iterator<Item = Element<'d>> {
    parent.children_named(report(parent).namespace(), local)
}
