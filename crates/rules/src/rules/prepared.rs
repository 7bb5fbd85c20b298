//! A rule set made ready once: which rule tests which row of its tables.

use quoin_xml::tree::Element;

use super::{Case, Facts, Rule, RuleDetail, RulePlace, RuleSet, RuleVerdict};
use crate::subset;
use crate::subset::{RowOutcome, SubsetTable, TableRow};
use quoin_model::Flag;
use quoin_model::amount::{Decimal, DecimalError};

/// A broken rule of a set, before texts.
#[derive(Debug, Clone)]
pub struct BrokenRule<'d> {
    /// The rule.
    pub id: &'static str,
    /// Whether it stops the document.
    pub flag: Flag,
    /// The element at which the rule was tested.
    pub context: Element<'d>,
    /// The row of a structure table that is broken; `None` for a rule by hand.
    pub row: Option<(&'static SubsetTable, &'static TableRow)>,
    /// What the test told.
    pub detail: RuleDetail<'d>,
    /// The test could not be evaluated.
    pub failed: bool,
}

/// The tables of a set with the rule of each row.
#[derive(Debug)]
pub(super) struct PreparedRules {
    tables: Vec<(&'static SubsetTable, Vec<Option<&'static Rule>>, String)>,
    /// The rules at places of their own.
    own: Vec<(&'static Rule, Flag, super::rule::Elements)>,
}

impl RuleSet {
    /// Tests a document and calls `hit` for every broken rule.
    pub fn check<'d>(&'static self, facts: &Facts<'d>, hit: &mut dyn FnMut(BrokenRule<'d>)) {
        let prepared = self.prepared();
        for (table, rules, release) in &prepared.tables {
            table.walk(facts.outline(), &mut |row, context, answer| match answer {
                RowOutcome::Broken => hit(broken(table, row, context)),
                RowOutcome::Failed => {
                    let hit_here = broken(table, row, context);
                    hit(BrokenRule { flag: Flag::Fatal, failed: true, ..hit_here });
                }
                RowOutcome::Test => {
                    if let Some(rule) = rules.get(row.number as usize).copied().flatten() {
                        rule.run(row.flag, context, (facts, release), hit);
                    }
                }
            });
        }
        let release = prepared.tables.first().map_or("", |(_, _, release)| release);
        for &(rule, flag, elements) in &prepared.own {
            let at = &mut |context| rule.run(flag, context, (facts, release), hit);
            elements(facts, at);
        }
    }

    /// The identifiers of all of its rules, tables and by hand. A rule with several rows is there
    /// several times.
    pub fn ids(&'static self) -> impl Iterator<Item = &'static str> {
        let rows =
            self.prepared().tables.iter().flat_map(|(table, ..)| table.rows().map(|row| row.id));
        rows.chain(self.rules().map(|rule| rule.id))
    }

    /// The identifiers of what it tests: a rule by hand that none of its tables has a row for is
    /// shared with other sets, and tests nothing in this one.
    pub fn tested(&'static self) -> impl Iterator<Item = &'static str> {
        let PreparedRules { tables, own } = self.prepared();
        let rows = tables.iter().flat_map(|(table, ..)| table.rows().map(|row| row.id));
        rows.chain(own.iter().map(|(rule, ..)| rule.id))
    }

    /// The rows that are to be tested by hand and have no rule.
    #[cfg(test)]
    pub(super) fn untested(&'static self) -> Vec<&'static str> {
        let rows =
            self.prepared().tables.iter().flat_map(|(table, rules, _)| table.rows().zip(rules));
        let missing = rows.filter(|(row, rule)| row.is_by_hand() && rule.is_none());
        missing.map(|(row, _)| row.id).collect()
    }

    fn prepared(&'static self) -> &'static PreparedRules {
        self.ready.get_or_init(|| PreparedRules::of(self))
    }
}

impl PreparedRules {
    fn of(set: &'static RuleSet) -> PreparedRules {
        let mut tables = Vec::new();
        // How many rows of an identifier have gone before.
        let mut seen: Vec<&str> = Vec::new();
        for (id, release) in set.tables {
            let Some(table) = subset::table(id, release) else { continue };
            let mut rules = Vec::new();
            for row in table.rows() {
                if !row.is_by_hand() {
                    rules.push(None);
                    continue;
                }
                let number = seen.iter().filter(|own| **own == row.id).count();
                seen.push(row.id);
                rules.push(set.rules().find(|rule| rule.tests(row, number)));
            }
            tables.push((table, rules, format!("{id}-{release}")));
        }
        let own = set.rules().filter_map(|rule| match rule.place {
            RulePlace::Own(flag, elements) => Some((rule, flag, elements)),
            _ => None,
        });
        PreparedRules { tables, own: own.collect() }
    }
}

impl Rule {
    fn tests(&self, row: &TableRow, number: usize) -> bool {
        self.id == row.id
            && match self.place {
                RulePlace::Rows => true,
                RulePlace::Row(own) => usize::from(own) == number,
                RulePlace::Own(..) => false,
            }
    }

    fn run<'d>(
        &'static self,
        flag: Flag,
        context: Element<'d>,
        (facts, release): (&Facts<'d>, &str),
        hit: &mut dyn FnMut(BrokenRule<'d>),
    ) {
        let case = Case { at: context, id: self.id, release, facts };
        let (id, row) = (self.id, None);
        match (self.test)(&case) {
            Ok(RuleVerdict::Holds) => {}
            Ok(RuleVerdict::Broken(detail)) => {
                hit(BrokenRule { id, flag, context, row, detail: *detail, failed: false });
            }
            Err(unreadable) => {
                let found = Some(unreadable.value).filter(|value| !value.is_empty());
                let element = unreadable.element;
                // Where the number is right and only our digits are too few, the rule keeps its
                // weight; where it is none, the published validators end with an error.
                let is_ours = found.as_deref().is_some_and(is_beyond_us);
                let flag = if is_ours { flag } else { Flag::Fatal };
                let detail = RuleDetail { found, element, ..RuleDetail::default() };
                hit(BrokenRule { id, flag, context, row, detail, failed: true });
            }
        }
    }
}

/// Whether a text is a number that cannot be computed with here.
fn is_beyond_us(text: &str) -> bool {
    Decimal::parse(text) == Err(DecimalError::Range)
}

fn broken<'d>(
    table: &'static SubsetTable,
    row: &'static TableRow,
    context: Element<'d>,
) -> BrokenRule<'d> {
    let (id, flag, detail) = (row.id, row.flag, RuleDetail::default());
    BrokenRule { id, flag, context, row: Some((table, row)), detail, failed: false }
}
