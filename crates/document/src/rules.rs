//! The built-in rules: dated rule sets, each of structure tables and of rules written by hand.
//!
//! ```text
//! RuleSet::in_force(family, syntax, day) ──► check(&Facts) ──► Hit: rule, flag, element, detail
//!     tables: rows that are broken at an element, and rows that a Rule tests there
//!     hand:   a Rule by its identifier, for such a row or at elements of its own
//! ```
//! The verdict is the official one: what a rule does is read from the official file of its release,
//! as an XPath 2.0 processor evaluates it ([`values`] has its conversions and roundings). Who can
//! mend a finding, which terms it is about and what it says is data: [`texts`].
//!
//! Adding a rule is a row in the file of its family; adding a release is a row of [`RULE_SETS`],
//! and the old one stays, with its last day.

pub(crate) mod accounts;
mod case;
mod checksums;
pub(crate) mod endpoints;
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

use jiff::civil::Date;

pub use case::{Case, Facts};
pub use prepared::Hit;
pub use rule::{Detail, Outcome, Patch, PatchKind, Place, Rule, Test, Unreadable, Verdict};

use crate::formats::{Syntax, join};

/// A release of a rule set.
#[derive(Debug, Clone, Copy)]
pub struct RuleSet {
    /// The set: `en16931-ubl`, `peppol-t01`. Releases of one set have the same.
    pub id: &'static str,
    /// What [`crate::profiles::Profile::rule_sets`] names: `en16931`, whatever the syntax.
    pub family: &'static str,
    /// The syntaxes it is for.
    pub syntaxes: &'static [Syntax],
    /// Its coordinate in reports: group, artifact, release.
    pub coordinate: &'static str,
    /// The first day on which it applies.
    pub from: Date,
    /// The first day on which it does not apply any more.
    pub until: Option<Date>,
    /// Its structure tables ([`crate::subset::table`]): set and release.
    pub tables: &'static [(&'static str, &'static str)],
    /// Its rules by hand, family by family.
    pub hand: &'static [&'static [Rule]],
}

/// A day before every document.
pub const EVER: Date = jiff::civil::date(2000, 1, 1);
/// Invoices of UBL.
pub const UBL: &[Syntax] = &[Syntax::UblInvoice, Syntax::UblCreditNote];
/// Invoices of CII.
pub const CII: &[Syntax] = &[Syntax::Cii];

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
    /// The sets of a family for a syntax that are in force on a day: of each set one release.
    pub fn in_force(
        family: &str,
        syntax: Syntax,
        on: Date,
    ) -> impl Iterator<Item = &'static RuleSet> {
        let fits = move |set: &&RuleSet| set.family == family && set.syntaxes.contains(&syntax);
        let dated = RULE_SETS.iter().filter(fits).filter(move |set| set.applies_on(on));
        // Of overlapping releases the later one counts.
        dated.filter(move |set| {
            let later = |other: &RuleSet| other.id == set.id && other.from > set.from;
            !RULE_SETS.iter().any(|other| later(other) && other.applies_on(on))
        })
    }

    /// The next releases of the sets of a family for a syntax, after a day.
    pub fn coming(
        family: &str,
        syntax: Syntax,
        on: Date,
    ) -> impl Iterator<Item = &'static RuleSet> {
        let fits = move |set: &&RuleSet| set.family == family && set.syntaxes.contains(&syntax);
        let later = RULE_SETS.iter().filter(fits).filter(move |set| set.from > on);
        later.filter(move |set| {
            let sooner = |other: &RuleSet| other.id == set.id && other.from > on;
            !RULE_SETS.iter().any(|other| sooner(other) && other.from < set.from)
        })
    }

    fn applies_on(&self, on: Date) -> bool {
        self.from <= on && self.until.is_none_or(|end| on < end)
    }

    /// Its rules by hand.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> + use<> {
        self.hand.iter().copied().flatten()
    }
}
