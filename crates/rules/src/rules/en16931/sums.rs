//! Sums by VAT category and rate: of lines, of charges and of allowances, each once a document.
//!
//! Nearly every line has one category, one rate and one amount: those are added up as they come.
//! The others (several categories, a rate that is no number) are kept, and looked at again for each
//! sum, exactly as the official paths do it: an error counts only where a path meets it.

#![expect(clippy::indexing_slicing, reason = "an array has a place for each variant")]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use quoin_xml::tree::{Element, NodeId};

use crate::rules::en16931::category::{COUNT, Category};
use crate::rules::values::{Read, all_of, some};
use crate::rules::{Facts, RuleVerdict, Unreadable};
use quoin_model::amount::Decimal;

/// Lines with something unusual that are looked at for all sums of a document together. A document
/// that needs more has its sums refused as not computable.
const MAX_LOOKS: u32 = 1_000_000;

/// Rates of one line that are added up; a line with more is unusual.
const MAX_RATES: usize = 16;

/// What is added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rules) enum SumGroup {
    /// Lines of an invoice at the top (all lines in CII).
    InvoiceLines,
    /// Lines of a credit note at the top (UBL).
    CreditNoteLines,
    /// Charges of the document.
    Charges,
    /// Allowances of the document.
    Allowances,
    /// Charges, where the official path casts the indicator, and fails without one (CII).
    ChargesByCast,
    /// Allowances, where the official path casts the indicator.
    AllowancesByCast,
    /// Lines of an invoice wherever they stand (UBL).
    AnyInvoiceLine,
    /// Lines of a credit note wherever they stand (UBL).
    AnyCreditNoteLine,
    /// Allowances and charges wherever they stand (UBL).
    AnyAdjustment,
}

/// How many groups there are.
const GROUPS: usize = 9;

impl SumGroup {
    /// The indicator that the elements of the group have.
    pub(in crate::rules) fn indicator(self) -> Option<bool> {
        match self {
            SumGroup::Charges | SumGroup::ChargesByCast => Some(true),
            SumGroup::Allowances | SumGroup::AllowancesByCast => Some(false),
            _ => None,
        }
    }

    pub(in crate::rules) fn is_line(self) -> bool {
        use SumGroup::{AnyCreditNoteLine, AnyInvoiceLine, CreditNoteLines, InvoiceLines};
        matches!(self, InvoiceLines | CreditNoteLines | AnyInvoiceLine | AnyCreditNoteLine)
    }
}

/// Where a syntax has what is added up.
pub(in crate::rules) trait SumLayout: 'static {
    /// Whether indicator, category and rate are one condition of the official path, joined by
    /// `and`, and not one after the other.
    const ONE_CONDITION: bool;
    /// Every element of every group, in document order inside a group.
    fn elements<'d>(facts: &Facts<'d>, add: &mut dyn FnMut(Element<'d>, SumGroup));
    /// Whether an element has the indicator of its group.
    fn is_wanted<'d>(element: Element<'d>, group: SumGroup) -> Read<'d, bool>;
    /// Whether it has one indicator, so that every path reads it alike.
    fn has_one_indicator(element: Element<'_>) -> bool;
    /// The tax categories of an element.
    fn categories<'d>(element: Element<'d>, group: SumGroup) -> impl Iterator<Item = Element<'d>>;
    /// The code of a category; an error where there are several.
    fn code(category: Element<'_>) -> Read<'_, Option<Category>>;
    /// Whether a category is one, as the official path compares it.
    fn is<'d>(category: Element<'d>, wanted: Category) -> Read<'d, bool>;
    /// The rate of a category.
    fn rate(category: Element<'_>) -> Read<'_, Option<Decimal>>;
    /// The amount of an element.
    fn amount(element: Element<'_>, group: SumGroup) -> Read<'_, Decimal>;
}

/// A sum, and the first element in it; `None` beyond 38 digits.
#[derive(Debug, Clone, Copy)]
struct CategorySum {
    total: Option<Decimal>,
    first: NodeId,
}

#[derive(Debug, Default)]
struct CategorySums {
    by_category: [Option<CategorySum>; COUNT],
    by_rate: BTreeMap<(Category, Decimal), CategorySum>,
    /// Elements with something unusual, in document order.
    unusual: Vec<NodeId>,
    first: Option<NodeId>,
}

/// The sums of a document.
pub(in crate::rules) struct TaxSums<L> {
    groups: [CategorySums; GROUPS],
    looks: Cell<u32>,
    layout: PhantomData<L>,
}

/// Which elements of a group: those of a category, and of a rate where one is given.
pub(in crate::rules) type SumKey = (SumGroup, Category, Option<Decimal>);

impl<L: SumLayout> TaxSums<L> {
    pub(in crate::rules) fn of(facts: &Facts<'_>) -> TaxSums<L> {
        let mut groups: [CategorySums; GROUPS] = Default::default();
        let mut last = LastElement::default();
        L::elements(facts, &mut |element, group| {
            let sums = &mut groups[group as usize];
            sums.first = sums.first.or(Some(element.id()));
            let is_usual = group.indicator().is_none() || L::has_one_indicator(element);
            match L::is_wanted(element, group) {
                Ok(true) if is_usual => sums.add(element, last.read::<L>(element, group)),
                Ok(false) if is_usual => {}
                _ => sums.unusual.push(element.id()),
            }
        });
        TaxSums { groups, looks: Cell::new(0), layout: PhantomData }
    }

    /// The sum of the amounts.
    pub(in crate::rules) fn sum<'d>(&self, facts: &Facts<'d>, key: SumKey) -> Read<'d, Decimal> {
        let sums = &self.groups[key.0 as usize];
        let usual = sums.get(key);
        let overflow = |id: NodeId| Unreadable::at(facts, id);
        let mut total = match usual {
            Some(sum) => sum.total.ok_or_else(|| overflow(sum.first))?,
            None => Decimal::ZERO,
        };
        for &id in &sums.unusual {
            let Some(element) = self.look(facts, id, key.0)? else { continue };
            if fits::<L>(element, key)? {
                let amount = L::amount(element, key.0)?;
                total = total.checked_add(amount).ok_or_else(|| overflow(id))?;
            }
        }
        Ok(total)
    }

    /// Whether there is one; an error before the first counts.
    pub(in crate::rules) fn has<'d>(&self, facts: &Facts<'d>, key: SumKey) -> Read<'d, bool> {
        let sums = &self.groups[key.0 as usize];
        let usual = sums.get(key).map(|sum| sum.first);
        let before = |id: &&NodeId| usual.is_none_or(|first| id.0 < first.0);
        for &id in sums.unusual.iter().take_while(before) {
            let Some(element) = self.look(facts, id, key.0)? else { continue };
            if fits::<L>(element, key)? {
                return Ok(true);
            }
        }
        Ok(usual.is_some())
    }

    /// Whether a group has an element at all.
    pub(in crate::rules) fn any(&self, group: SumGroup) -> bool {
        self.groups[group as usize].first.is_some()
    }

    /// An element that is looked at by itself. One of many categories is as many looks.
    fn look<'d>(
        &self,
        facts: &Facts<'d>,
        id: NodeId,
        group: SumGroup,
    ) -> Read<'d, Option<Element<'d>>> {
        if self.looks.get() > MAX_LOOKS {
            return Err(Unreadable::at(facts, id));
        }
        let element = facts.document().element(id);
        let categories = element.map_or(0, |element| L::categories(element, group).count());
        let looks = 1 + u32::try_from(categories).unwrap_or(u32::MAX - 1);
        self.looks.set(self.looks.get().saturating_add(looks));
        match self.looks.get() > MAX_LOOKS {
            true => Err(Unreadable::at(facts, id)),
            false => Ok(element),
        }
    }
}

impl CategorySums {
    fn get(&self, (_, category, rate): SumKey) -> Option<CategorySum> {
        match rate {
            Some(rate) => self.by_rate.get(&(category, rate)).copied(),
            None => self.by_category[category as usize],
        }
    }

    fn add(&mut self, element: Element<'_>, said: &StatedAmount) {
        let (categories, rates, amount) = match said {
            StatedAmount::One(category, rate, amount) => {
                (category.as_slice(), rate.as_slice(), amount)
            }
            StatedAmount::Several(categories, rates, amount) => (&**categories, &**rates, amount),
            StatedAmount::Nothing => return,
            StatedAmount::Unusual => return self.unusual.push(element.id()),
        };
        for &category in categories {
            let sum = &mut self.by_category[category as usize];
            add(sum.get_or_insert(CategorySum::none(element.id())), *amount);
            for &rate in rates {
                let sum = self.by_rate.entry((category, rate));
                add(sum.or_insert(CategorySum::none(element.id())), *amount);
            }
        }
    }
}

/// What an element says.
enum StatedAmount {
    /// It has no category.
    Nothing,
    /// Its category, if that has rules, the rate of it, and the amount.
    One(Option<Category>, Option<Decimal>, Decimal),
    /// Distinct categories and rates, and the amount.
    Several(Vec<Category>, Vec<Decimal>, Decimal),
    /// What cannot be read, or has very many rates.
    Unusual,
}

impl StatedAmount {
    fn of<L: SumLayout>(element: Element<'_>, group: SumGroup) -> StatedAmount {
        let mut categories = L::categories(element, group);
        let Some(first) = categories.next() else { return StatedAmount::Nothing };
        let several = categories.next().is_some();
        let Ok(amount) = L::amount(element, group) else { return StatedAmount::Unusual };
        let said = match several {
            true => all::<L>(element, group, amount),
            false => only::<L>(first, amount),
        };
        said.unwrap_or(StatedAmount::Unusual)
    }
}

/// The element that was read last. One that is of several groups comes several times in a row, and
/// says the same each time, as a line or as an adjustment.
#[derive(Default)]
struct LastElement(Option<(NodeId, StatedAmount)>);

impl LastElement {
    fn read<L: SumLayout>(&mut self, element: Element<'_>, group: SumGroup) -> &StatedAmount {
        let known = self.0.take().filter(|(id, _)| *id == element.id());
        let (_, said) = self
            .0
            .insert(known.unwrap_or_else(|| (element.id(), StatedAmount::of::<L>(element, group))));
        said
    }
}

impl CategorySum {
    fn none(first: NodeId) -> CategorySum {
        CategorySum { total: Some(Decimal::ZERO), first }
    }
}

fn add(sum: &mut CategorySum, amount: Decimal) {
    sum.total = sum.total.and_then(|total| total.checked_add(amount));
}

/// What an element with one category says; `None` where that cannot be read.
fn only<L: SumLayout>(own: Element<'_>, amount: Decimal) -> Option<StatedAmount> {
    let category = L::code(own).ok()?;
    let rate = if category.is_some() { L::rate(own).ok()? } else { None };
    Some(StatedAmount::One(category, rate, amount))
}

/// What one with several says; `None` where they cannot be read or are very many.
fn all<L: SumLayout>(
    element: Element<'_>,
    group: SumGroup,
    amount: Decimal,
) -> Option<StatedAmount> {
    let (mut categories, mut rates) = (Vec::new(), Vec::new());
    for own in L::categories(element, group) {
        let found = L::code(own).ok()?.filter(|found| !categories.contains(found));
        categories.extend(found);
        let rate = L::rate(own).ok()?.filter(|rate| !rates.contains(rate));
        rates.extend(rate);
        if rates.len() > MAX_RATES {
            return None;
        }
    }
    Some(StatedAmount::Several(categories, rates, amount))
}

/// Whether an element fits, as the official path finds out.
fn fits<'d, L: SumLayout>(element: Element<'d>, (group, wanted, rate): SumKey) -> Read<'d, bool> {
    let indicated = || match group.indicator() {
        Some(_) => L::is_wanted(element, group),
        None => Ok(true),
    };
    let categorised = || some(L::categories(element, group).map(|own| L::is(own, wanted)));
    let rated = || match rate {
        Some(rate) => {
            some(L::categories(element, group).map(|own| Ok(L::rate(own)? == Some(rate))))
        }
        None => Ok(true),
    };
    match L::ONE_CONDITION {
        true => all_of([&indicated, &categorised, &rated]),
        false => Ok(indicated()? && categorised()? && rated()?),
    }
}

/// Broken, or kept: a total beside what it should be, found at the element that states it.
pub(in crate::rules) fn beside<'d>(
    stated: Option<Element<'d>>,
    holds: bool,
    expected: Option<Decimal>,
) -> RuleVerdict<'d> {
    if holds {
        return RuleVerdict::Holds;
    }
    let verdict = match stated {
        Some(element) => RuleVerdict::broken().found(element.text()).element(stated),
        None => RuleVerdict::broken(),
    };
    match expected {
        Some(expected) => verdict.expected(format!("{expected:.2}")),
        None => verdict,
    }
}
