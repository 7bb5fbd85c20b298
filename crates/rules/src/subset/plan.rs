//! Which rows can fail at which places of a document: worked out from the places alone, and kept
//! for the next document of the same shape.

mod kept;
mod shape;

use std::sync::Arc;

use quoin_xml::tree::NameId;

use super::SubsetTable;
use super::evaluate::Evaluator;
use super::outline::PlaceId;
pub(super) use shape::Shape;

/// An alternative of a rule's places.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaceCandidate {
    pub(super) rule: u32,
    pub(super) place: u32,
}

/// What is to be tested on a document: the places at which rules may run, each with its rules.
#[derive(Debug)]
pub(super) struct TablePlan {
    pub(super) places: Box<[(PlaceId, Box<[Live]>)]>,
}

/// A rule where it may run: its rows that are not settled, under its conditions. By numbers, so
/// that it belongs to no document.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) pattern: u16,
    pub(super) rule: u32,
    /// One of these places of the rule must lead to the element; empty where the place of the
    /// document is enough.
    pub(super) conditions: Vec<u32>,
    /// Each with its answer where that is the same everywhere.
    pub(super) rows: Vec<(u32, Option<bool>)>,
}

impl TablePlan {
    /// What is to be tested on the document of an evaluator.
    pub(super) fn of(table: &SubsetTable, evaluator: &Evaluator<'_, '_>) -> Arc<TablePlan> {
        let shape = evaluator.outline().shape().map(|shape| shape.under(table, evaluator));
        let Some(shape) = shape else { return Arc::new(TablePlan::new(table, evaluator)) };
        kept::plan(shape, || TablePlan::new(table, evaluator))
    }

    fn new(table: &SubsetTable, evaluator: &Evaluator<'_, '_>) -> TablePlan {
        let outline = evaluator.outline();
        let numbers = numbers(table, evaluator);
        let number = |place: PlaceId| {
            let NameId(id) = outline.name(place)?;
            numbers.get(id as usize).copied().flatten()
        };
        let mut places = Vec::new();
        for place in outline.places() {
            let above = outline.parent(place).and_then(number);
            let live = live(table, table.candidates(number(place), above), place, evaluator);
            if !live.is_empty() {
                places.push((place, live.into()));
            }
        }
        TablePlan { places: places.into() }
    }

    /// How many bytes it takes.
    fn weight(&self) -> usize {
        let of_rule = |live: &Live| {
            size_of::<Live>() + 4 * live.conditions.capacity() + 8 * live.rows.capacity()
        };
        let rules = self.places.iter().flat_map(|(_, rules)| rules).map(of_rule);
        size_of_val(&*self.places) + rules.sum::<usize>()
    }
}

/// Which numbers of the table the names of the document have.
fn numbers(table: &SubsetTable, evaluator: &Evaluator<'_, '_>) -> Vec<Option<usize>> {
    let mut numbers = vec![None; evaluator.outline().document().name_count()];
    for number in 0..table.patterns.names.len() {
        let id = evaluator.name(number);
        if let Some(slot) = id.and_then(|NameId(id)| numbers.get_mut(id as usize)) {
            *slot = Some(number);
        }
    }
    numbers
}

/// The rules that may run at a place and have something to say there.
fn live(
    table: &SubsetTable,
    candidates: Vec<PlaceCandidate>,
    place: PlaceId,
    evaluator: &Evaluator<'_, '_>,
) -> Vec<Live> {
    let mut live: Vec<Live> = Vec::new();
    let mut settled = None;
    for candidate in candidates {
        let Some(rule) = table.patterns.rules.get(candidate.rule as usize) else { continue };
        let Some(path) = rule.places.get(candidate.place as usize) else { continue };
        if settled == Some(rule.pattern) {
            continue;
        }
        let leads = evaluator.leads_to(path, place);
        if leads == Some(false) {
            continue;
        }
        if live.last().is_none_or(|last| last.rule != candidate.rule) {
            let rows = (0u32..).zip(&rule.rows);
            let rows = rows.map(|(at, row)| (row, at, evaluator.fixed(&row.test, place)));
            let rows = rows.filter(|(row, _, fixed)| row.is_by_hand() || *fixed != Some(true));
            let rows = rows.map(|(_, at, fixed)| (at, fixed)).collect();
            let (pattern, rule) = (rule.pattern, candidate.rule);
            live.push(Live { pattern, rule, conditions: Vec::new(), rows });
        }
        let Some(rule_here) = live.last_mut() else { continue };
        if leads == Some(true) {
            rule_here.conditions.clear();
            settled = Some(rule.pattern);
        } else {
            rule_here.conditions.push(candidate.place);
        }
    }
    with_something_to_say(live)
}

/// What comes after the last rule of a pattern that has something to say need not be tried.
fn with_something_to_say(mut live: Vec<Live>) -> Vec<Live> {
    let mut spoken = None;
    let mut keep = vec![false; live.len()];
    for (keep, rule) in keep.iter_mut().zip(&live).rev() {
        if !rule.rows.is_empty() {
            spoken = Some(rule.pattern);
        }
        *keep = spoken == Some(rule.pattern);
    }
    let mut keep = keep.into_iter();
    live.retain(|_| keep.next().unwrap_or_default());
    live
}
