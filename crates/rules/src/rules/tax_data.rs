//! Tax data documents: what the tables of the regimes leave to be tested by hand.
//!
//! Sources: Peppol tax data documents of the ViDA pilot 1.0.0 and 1.1.0, of Slovakia 1.0.0, of the
//! United Arab Emirates 1.0.4 and of Oman 1.0.1.

mod buyers;
mod foreign;
mod forms;
mod totals;

use quoin_xml::tree::Element;

use super::{Case, Rule};

/// The ViDA pilot: 1.1, and 1.0 where a document is one of it.
pub(crate) const VIDA: &[&[Rule]] =
    &[forms::EXTRACT, forms::ZONED_TIME, forms::IDENTIFIED, foreign::ATTRIBUTES, buyers::RULES];
/// Slovakia.
pub(crate) const SLOVAKIA: &[&[Rule]] = &[forms::EXTRACT, forms::OPEN_TIME, foreign::ATTRIBUTES];
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

/// Whether the document is one of 1.1 of the ViDA pilot.
struct IsNewer(bool);

/// Whether a document of the ViDA pilot is one of 1.1: it has the identifier of a transmission.
fn is_of_1_1(case: &Case<'_, '_>) -> bool {
    let known = case.memo(|facts| {
        let mut transactions = own(facts.root(), "ReportedTransaction");
        IsNewer(transactions.any(|one| own(one, "TransmissionUUID").next().is_some()))
    });
    known.0
}
