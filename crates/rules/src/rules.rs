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
//! Adding a rule is a row in the file of its family. Which rules a release has is told in the file
//! of the release, which puts the families together.

mod case;
mod checksums;
mod names;
mod prepared;
mod rule;
pub(crate) mod sbdh;
pub mod texts;
pub mod values;

pub(crate) mod en16931;
pub(crate) mod facturx;
pub(crate) mod ksef;
pub(crate) mod logistics;
pub(crate) mod mls;
pub(crate) mod nlcius;
pub(crate) mod peppol;
pub(crate) mod pint;
pub(crate) mod postaward;
pub(crate) mod tax_data;
pub(crate) mod xrechnung;

#[cfg(test)]
mod tests;

pub use case::{Case, Facts};
pub use prepared::BrokenRule;
pub use rule::{Outcome, Rule, RuleDetail, RulePlace, RuleTest, RuleVerdict, Unreadable};

use std::sync::OnceLock;

use quoin_formats::Syntax;
use quoin_xml::tree::Element;

/// Invoices of UBL.
pub const UBL: &[Syntax] = &[Syntax::UblInvoice, Syntax::UblCreditNote];
/// Invoices of CII.
pub const CII: &[Syntax] = &[Syntax::Cii];

/// A structure table: the set that it is of, and its release.
pub type TableName = (&'static str, &'static str);

/// Calls back for each element where a rule is tested.
pub(crate) type ElementVisitor<'v, 'd> = &'v mut dyn FnMut(Element<'d>);

/// A release of a rule set, as the file of the release writes it: a [`RuleSet`] is made from it.
#[derive(Debug, Clone, Copy)]
pub struct RuleSetRow {
    /// The set.
    pub id: &'static str,
    /// The syntaxes it is for.
    pub syntaxes: &'static [Syntax],
    /// Its coordinate.
    pub coordinate: &'static str,
    /// Its structure tables.
    pub tables: &'static [TableName],
    /// Its rules by hand.
    pub hand: &'static [&'static [Rule]],
}

/// A release of a rule set. When it applies, and beside which others, is told by the packages; they
/// and all sets are put together where the releases are.
#[derive(Debug)]
pub struct RuleSet {
    /// The set: `en16931-ubl`, `peppol-t01`. Releases of one set have the same.
    pub id: &'static str,
    /// The syntaxes it is for.
    pub syntaxes: &'static [Syntax],
    /// Its coordinate in reports: group, artifact, release.
    pub coordinate: &'static str,
    /// Its structure tables ([`crate::subset::table`]): set and release.
    pub tables: &'static [TableName],
    /// Its rules by hand, family by family.
    pub hand: &'static [&'static [Rule]],
    /// Its rows with their rules, made when it first judges.
    ready: OnceLock<prepared::PreparedRules>,
}

impl RuleSet {
    /// The set of a row.
    pub(crate) fn new(row: RuleSetRow) -> RuleSet {
        let RuleSetRow { id, syntaxes, coordinate, tables, hand } = row;
        RuleSet { id, syntaxes, coordinate, tables, hand, ready: OnceLock::new() }
    }

    /// Its rules by hand.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> + use<> {
        self.hand.iter().copied().flatten()
    }
}
