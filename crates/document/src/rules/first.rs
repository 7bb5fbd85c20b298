//! The business rules: one function a rule, in dated sets.
//!
//! A rule is a row with its identifier, its business terms and a function over the groups of an
//! invoice; a family of rules that differ only in an element shares a function and keeps a row
//! each. Adding a rule is a row; adding a release is a row of [`RULE_SETS`], and the old one stays.
//! What the rules of EN 16931 mean in UBL is fixed by its official UBL binding, including its
//! rounding; every rule here gives the same verdict under the same identifier.

mod codes;
pub(crate) use codes::EAS;

mod peppol;

use jiff::civil::Date;
use quoin_xml::tree::Element;

use crate::report::{FixBy, Flag};
use crate::ubl::Invoice;
use crate::validate::{Draft, Sink};

/// A rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The standard's identifier: `BR-CO-15`.
    pub id: &'static str,
    /// The business terms and groups of EN 16931 that it is about.
    pub terms: &'static [&'static str],
    /// Whether breaking it stops the document.
    pub flag: Flag,
    /// Who can put it right.
    pub fix_by: FixBy,
    /// What it asks for, in our own words.
    pub asks: &'static str,
    check: Check,
}

/// How a rule is tested.
#[derive(Debug, Clone, Copy)]
enum Check {
    /// A function of its own.
    Own(OwnCheck),
}

/// A rule's function: it looks at the groups of a document and fires where it is broken.
type OwnCheck = for<'d> fn(&Invoice<'d>, &mut Emit<'_, 'd>);

/// A dated set of rules.
#[derive(Debug, Clone, Copy)]
pub struct RuleSet {
    /// What [`crate::profiles::Profile::rule_sets`] names it.
    pub id: &'static str,
    /// Its coordinate in reports: who, what, release.
    pub coordinate: &'static str,
    /// The first day on which it applies.
    pub from: Date,
    /// Its rules, family by family.
    pub families: &'static [&'static [Rule]],
}

/// The rule sets. A set applies from its day until a later row of the same `id`.
pub static RULE_SETS: &[RuleSet] = &[
    RuleSet {
        id: "peppol-bis3",
        coordinate: "eu.peppol.bis3:invoice-core:2026.5",
        from: jiff::civil::date(2017, 10, 17),
        families: &[peppol::BILLING],
    },
    RuleSet {
        id: "peppol-bis3-selfbilling",
        coordinate: "eu.peppol.bis3:selfbilling-core:2026.5",
        from: jiff::civil::date(2017, 10, 17),
        families: &[peppol::SELF_BILLING],
    },
];

impl RuleSet {
    /// The release of a rule set that is in force on a day.
    pub fn in_force(id: &str, on: Date) -> Option<&'static RuleSet> {
        let dated = RULE_SETS.iter().filter(|set| set.id == id && set.from <= on);
        dated.max_by_key(|set| set.from)
    }

    /// Its rules.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> + use<> {
        self.families.iter().copied().flatten()
    }
}

impl Rule {
    /// Runs the rule.
    pub(crate) fn run<'d>(&'static self, invoice: &Invoice<'d>, sink: &mut Sink<'d>) {
        let mut emit = Emit { rule: self, flag: self.flag, sink };
        match self.check {
            Check::Own(check) => check(invoice, &mut emit),
        }
    }
}

/// What a rule fires with.
pub struct Emit<'a, 'd> {
    rule: &'static Rule,
    flag: Flag,
    sink: &'a mut Sink<'d>,
}

impl<'d> Emit<'_, 'd> {
    /// Fires at an element with the value it has and the one expected.
    fn fire(&mut self, at: Element<'d>, value: &str, expected: &str, message: String) {
        let rule = self.rule;
        let given = |text: &str| Some(text).filter(|text| !text.is_empty()).map(str::to_owned);
        self.sink.push(Draft {
            terms: rule.terms,
            value: given(value),
            expected: given(expected),
            ..Draft::new(rule.id, (self.flag, rule.fix_by), Some(at), message)
        });
    }

    /// Fires where the path of child elements is missing, or is there without text.
    fn missing(&mut self, at: Element<'d>, path: &str) {
        let (asks, parent) = (self.rule.asks, at.qualified_name());
        let message = format!("{asks} Expected {path} inside {parent}; it is missing or empty.");
        self.fire(at, "", path, message);
    }
}
