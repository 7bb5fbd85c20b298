//! The built-in rules: dated rule sets, each of structure tables and of rules written by hand.
//!
//! ```text
//! RuleSet ── check(&Facts) ──► Hit: rule, flag, element, detail
//!     tables: rows that are broken at an element, and rows that a Rule tests there
//!     hand:   a Rule by its identifier, for such a row or at elements of its own
//! ```
//! The verdict is the official one: what a rule does is read from the official file of its release,
//! as an XPath 2.0 processor evaluates it ([`values`] has its conversions and roundings). Who can
//! fix a finding, which terms it is about and what it says is data: [`texts`].
//!
//! Adding a rule is a row in the file of its family; adding a release is a row of [`RULE_SETS`]
//! and a line of its package ([`crate::releases`]), and the old one stays.

mod case;
mod checksums;
mod names;
mod prepared;
mod rule;
pub(crate) mod sbdh;
pub mod texts;
pub mod values;

mod en16931;
mod facturx;
mod logistics;
mod mls;
mod nlcius;
mod peppol;
mod pint;
mod postaward;
mod xrechnung;

#[cfg(test)]
mod tests;

pub use case::{Case, Facts};
pub use prepared::Hit;
pub use rule::{Detail, Outcome, Place, Rule, Test, Unreadable, Verdict};

use quoin_formats::Syntax;
use quoin_model::rows::join;

/// Invoices of UBL.
pub const UBL: &[Syntax] = &[Syntax::UblInvoice, Syntax::UblCreditNote];
/// Invoices of CII.
pub const CII: &[Syntax] = &[Syntax::Cii];

/// A release of a rule set. When it applies, and beside which others, is told by the packages
/// ([`crate::releases`]).
#[derive(Debug, Clone, Copy)]
pub struct RuleSet {
    /// The set: `en16931-ubl`, `peppol-t01`. Releases of one set have the same.
    pub id: &'static str,
    /// The syntaxes it is for.
    pub syntaxes: &'static [Syntax],
    /// Its coordinate in reports: group, artifact, release.
    pub coordinate: &'static str,
    /// Its structure tables ([`crate::subset::table`]): set and release.
    pub tables: &'static [(&'static str, &'static str)],
    /// Its rules by hand, family by family.
    pub hand: &'static [&'static [Rule]],
}

/// The rule sets.
pub static RULE_SETS: &[RuleSet] = &join::<RuleSet, COUNT>(&[
    en16931::SETS,
    peppol::SETS,
    xrechnung::SETS,
    nlcius::SETS,
    facturx::SETS,
    pint::SETS,
    postaward::SETS,
    logistics::SETS,
    mls::SETS,
    sbdh::SETS,
]);

const COUNT: usize = en16931::SETS.len()
    + peppol::SETS.len()
    + xrechnung::SETS.len()
    + nlcius::SETS.len()
    + facturx::SETS.len()
    + pint::SETS.len()
    + postaward::SETS.len()
    + logistics::SETS.len()
    + mls::SETS.len()
    + sbdh::SETS.len();

impl RuleSet {
    /// The release with a coordinate.
    pub fn of(coordinate: &str) -> Option<&'static RuleSet> {
        RULE_SETS.iter().find(|set| set.coordinate == coordinate)
    }

    /// Its rules by hand.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> + use<> {
        self.hand.iter().copied().flatten()
    }
}
