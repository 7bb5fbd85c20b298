//! What is known of many elements at once: how often a path leads somewhere, and the few values
//! that it leads to.
//!
//! A hundred thousand lines have a handful of units, rates and categories, and no line is without
//! an identifier. Where a test of the values of a place has one answer for all of its elements, or
//! for none of them, it is found in one pass over the values, and not asked of each. Only answers
//! that cannot end in an error are given.

use std::borrow::Cow;

use quoin_xml::tree::{NameId, NodeId};

use super::{Evaluator, Flow, PathTarget, decimals, is_date};
use crate::subset::notation::{NameTest, Normalization, RowTest, TableAxis, TablePath, TableStep};
use crate::subset::outline::{PlaceId, TOP};

/// Elements of a place from which on it is worth while to look at all of its values first.
pub(in crate::subset) const MANY: usize = 64;

/// How the elements of a place are related to what paths lead to from them.
#[derive(Debug, Clone, Copy)]
struct PathRelation {
    /// No element leads to more than one node.
    single: bool,
    /// Every element leads to one at least.
    every: bool,
}

/// Where a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PathEnd {
    place: PlaceId,
    attribute: Option<NameId>,
}

impl<'d> Evaluator<'_, 'd> {
    /// The answer of a test on values that is the same for every element of a place.
    pub(super) fn known(&self, test: &RowTest, place: PlaceId) -> Option<bool> {
        if self.outline.most() < MANY {
            return None;
        }
        match test {
            RowTest::Has(paths) => self.shape(paths, place)?.0.every.then_some(true),
            RowTest::Count(min, max, paths) => {
                let (shape, _) = self.shape(paths, place)?;
                match (shape.single, shape.every) {
                    (true, true) => Some((*min..=*max).contains(&1)),
                    (true, false) => (*min == 0 && *max > 0).then_some(true),
                    _ => None,
                }
            }
            RowTest::In(how, list, paths) => {
                self.some(*how, paths, place, &|value| list.0.contains(value))
            }
            RowTest::Is(how, values, paths) => {
                self.some(*how, paths, place, &|value| values.contains(&value))
            }
            RowTest::Isnt(how, values, paths)
                if **values == [""] && self.are_filled(*how, paths, place) =>
            {
                Some(true)
            }
            RowTest::Isnt(how, values, paths) => {
                self.some(*how, paths, place, &|value| !values.contains(&value))
            }
            RowTest::Within(how, text, paths) => {
                self.some(*how, paths, place, &|value| text.contains(&format!(" {value} ")))
            }
            RowTest::Length(max, paths) => {
                let is_longer = |value: &str| value.chars().count() > *max as usize;
                self.some(Normalization::TrimOne, paths, place, &is_longer).map(|longer| !longer)
            }
            RowTest::Decimals(max, paths) => {
                let has_more = |value: &str| decimals(value) > *max as usize;
                self.some(Normalization::ExactOne, paths, place, &has_more).map(|more| !more)
            }
            RowTest::Date(paths) => self.some(Normalization::ExactOne, paths, place, &is_date),
            RowTest::Starts(start, paths) => {
                self.some(Normalization::TrimOne, paths, place, &|value| value.starts_with(start))
            }
            RowTest::Same(here, there) => {
                let there = self.values_of_all(there)?;
                self.some(Normalization::Exact, here, place, &|value| {
                    there.iter().any(|own| own == value)
                })
            }
            _ => None,
        }
    }

    /// The values of paths that lead to the same nodes from every element.
    fn values_of_all(&self, paths: &[TablePath]) -> Option<Vec<Cow<'d, str>>> {
        let is_same = |path: &TablePath| {
            path.from_root && path.steps.iter().all(|step| step.predicates.is_empty())
        };
        if !paths.iter().all(is_same) {
            return None;
        }
        let mut values = Vec::new();
        for path in paths {
            // Where they are many, it is better to stop at the first one that is wanted.
            let flow = self.go(PathTarget::Top, &path.steps, &mut |item| {
                values.push(self.value(item));
                if values.len() < MANY { Flow::Continue(()) } else { Flow::Break(()) }
            });
            if flow.is_break() {
                return None;
            }
        }
        Some(values)
    }

    /// Whether the paths lead to elements from every element, and all of those say something.
    fn are_filled(&self, how: Normalization, paths: &[TablePath], place: PlaceId) -> bool {
        let Some((shape, ends)) = self.shape(paths, place) else { return false };
        let is_filled =
            |end: &PathEnd| end.attribute.is_none() && self.outline.are_filled(end.place);
        let is_one = shape.single || !how.is_one();
        shape.every && is_one && how != Normalization::Boolean && ends.iter().all(is_filled)
    }

    /// Whether some value that the paths lead to is as asked: of all elements, or of none.
    fn some(
        &self,
        how: Normalization,
        paths: &[TablePath],
        place: PlaceId,
        is: &dyn Fn(&str) -> bool,
    ) -> Option<bool> {
        let (shape, ends) = self.shape(paths, place)?;
        if how.is_one() && !shape.single {
            return None;
        }
        let (mut any, mut all, mut is_sure) = (false, true, true);
        let mut look = |value: Cow<'_, str>| {
            let value = how.of(value);
            is_sure =
                how != Normalization::Boolean || ["true", "false", "1", "0"].contains(&&*value);
            match is(&value) {
                true => any = true,
                false => all = false,
            }
            // Where some are so and others are not, there is no answer for all.
            let is_mixed = any && !all;
            if is_sure && !is_mixed { Flow::Continue(()) } else { Flow::Break(()) }
        };
        for end in ends {
            if self.each_value(end, &mut look)?.is_break() {
                return None;
            }
        }
        match (any, all) {
            (false, _) => Some(false),
            (true, true) if shape.every => Some(true),
            _ => None,
        }
    }

    /// Whether the predicates of a step hold for no element of a place, and cannot end in an error.
    pub(super) fn never(&self, predicates: &[RowTest], place: PlaceId) -> bool {
        if predicates.is_empty() || self.outline.elements(place).len() < MANY {
            return false;
        }
        for predicate in predicates {
            if self.fixed(predicate, place) == Some(false) {
                return true;
            }
            if !self.is_safe(predicate, place) {
                return false;
            }
        }
        false
    }

    /// Whether a step into a place with many elements and the steps behind it lead nowhere, without
    /// an error on the way.
    pub(super) fn leads_nowhere(
        &self,
        step: &TableStep,
        rest: &[TableStep],
        place: PlaceId,
    ) -> bool {
        let all_safe = || step.predicates.iter().all(|test| self.is_safe(test, place));
        self.never(&step.predicates, place)
            || (!rest.is_empty() && self.can_go(place, rest).is_continue() && all_safe())
    }

    /// The answer of a test at a place of one element, such as the document element.
    pub(super) fn known_of_all(&self, test: &RowTest, element: NodeId) -> Option<bool> {
        if self.outline.most() < MANY {
            return None;
        }
        let place = self.outline.place_of(element)?;
        if self.outline.elements(place).len() > 1 { None } else { self.known(test, place) }
    }

    /// Whether a test cannot end in an error at any element of a place.
    fn is_safe(&self, test: &RowTest, place: PlaceId) -> bool {
        let safe = |paths: &[TablePath]| paths.iter().all(|path| self.is_safe_path(path, place));
        let single = |paths: &[TablePath]| {
            safe(paths) && self.shape(paths, place).is_some_and(|own| own.0.single)
        };
        match test {
            RowTest::Never | RowTest::Always | RowTest::Ends(_) => true,
            RowTest::Has(paths) | RowTest::Count(_, _, paths) => safe(paths),
            RowTest::Same(here, there) => safe(here) && safe(there),
            RowTest::Not(inner) => self.is_safe(inner, place),
            RowTest::And(parts) | RowTest::Or(parts) => {
                parts.iter().all(|part| self.is_safe(part, place))
            }
            RowTest::In(how, _, paths)
            | RowTest::Is(how, _, paths)
            | RowTest::Isnt(how, _, paths)
            | RowTest::Within(how, _, paths) => match how {
                Normalization::Boolean => false,
                how if how.is_one() => single(paths),
                _ => safe(paths),
            },
            RowTest::Length(_, paths)
            | RowTest::Decimals(_, paths)
            | RowTest::Date(paths)
            | RowTest::Starts(_, paths) => single(paths),
            RowTest::Hand => false,
        }
    }

    /// Whether no predicate of a path down from a place can end in an error.
    pub(super) fn is_safe_path(&self, path: &TablePath, place: PlaceId) -> bool {
        if path.steps.iter().all(|step| step.predicates.is_empty()) {
            return true;
        }
        let mut here = if path.from_root { TOP } else { place };
        for step in &path.steps {
            let Some(name) = self.id_of(step.name).filter(|_| step.axis == TableAxis::Child) else {
                return false;
            };
            // What is not there is not evaluated.
            let Some(child) = self.outline.child(here, name) else { return true };
            if !step.predicates.iter().all(|test| self.is_safe(test, child)) {
                return false;
            }
            here = child;
        }
        true
    }

    /// Where paths lead from the elements of a place; `None` where that is not plain, or where
    /// there are few elements. Predicates are plain where they hold for all elements of a place.
    fn shape(&self, paths: &[TablePath], place: PlaceId) -> Option<(PathRelation, Vec<PathEnd>)> {
        let (mut whole, mut ends) = (PathRelation { single: true, every: false }, Vec::new());
        let mut most = self.outline.elements(place).len();
        for path in paths {
            let start = if path.from_root { TOP } else { place };
            let mut here = vec![PathEnd { place: start, attribute: None }];
            let mut shape = PathRelation { single: true, every: true };
            for step in &path.steps {
                here = self.step_ends(here, step, &mut shape)?;
                let holds = |end: &PathEnd| {
                    let fixed = |test| self.fixed(test, end.place) == Some(true);
                    end.attribute.is_none() && step.predicates.iter().all(fixed)
                };
                if !step.predicates.is_empty() && !here.iter().all(holds) {
                    return None;
                }
            }
            most = here
                .iter()
                .map(|end| self.outline.elements(end.place).len())
                .fold(most, usize::max);
            whole.single &= here.is_empty() || (shape.single && ends.is_empty());
            whole.every |= shape.every && !here.is_empty();
            ends.extend(here);
        }
        (most >= MANY).then_some((whole, ends))
    }

    fn step_ends(
        &self,
        from: Vec<PathEnd>,
        step: &TableStep,
        shape: &mut PathRelation,
    ) -> Option<Vec<PathEnd>> {
        if step.axis == TableAxis::Itself && step.name == NameTest::Any {
            return Some(from);
        }
        if step.axis == TableAxis::Child && step.name == NameTest::Any {
            return self.children_of(&from, shape);
        }
        let NameTest::Is(_) = step.name else { return None };
        let Some(name) = self.id_of(step.name) else {
            shape.every = false;
            return Some(Vec::new());
        };
        let mut ends = Vec::new();
        for PathEnd { place, attribute } in from {
            if attribute.is_some() {
                return None;
            }
            match step.axis {
                TableAxis::Child => {
                    let Some(child) = self.outline.child(place, name) else {
                        shape.every = false;
                        continue;
                    };
                    let repeats = self.outline.repeats(child);
                    let above = if place == TOP { 1 } else { self.outline.elements(place).len() };
                    shape.single &= !repeats;
                    shape.every &= !repeats && self.outline.elements(child).len() == above;
                    ends.push(PathEnd { place: child, attribute: None });
                }
                TableAxis::Attribute if self.outline.elements(place).len() < MANY => return None,
                TableAxis::Attribute => {
                    let end = PathEnd { place, attribute: Some(name) };
                    let count = self.outline.attribute_values(place, name).0;
                    shape.every &= count == self.outline.elements(place).len();
                    if count > 0 {
                        ends.push(end);
                    }
                }
                TableAxis::Descendant => {
                    *shape = PathRelation { single: false, every: false };
                    let named = self.outline.named(name).iter().copied();
                    let within =
                        named.filter(|own| *own != place && self.outline.is_within(*own, place));
                    ends.extend(within.map(|place| PathEnd { place, attribute: None }));
                }
                _ => return None,
            }
        }
        Some(ends)
    }

    /// All children. Every element has one where there is a child of some name in each.
    fn children_of(&self, from: &[PathEnd], shape: &mut PathRelation) -> Option<Vec<PathEnd>> {
        let mut ends = Vec::new();
        for PathEnd { place, attribute } in from {
            let above = if *place == TOP { 1 } else { self.outline.elements(*place).len() };
            let in_each = |child: PlaceId| {
                !self.outline.repeats(child) && self.outline.elements(child).len() == above
            };
            shape.every &= attribute.is_none() && self.outline.children(*place).any(in_each);
            let children = self.outline.children(*place).filter(|_| attribute.is_none());
            ends.extend(children.map(|place| PathEnd { place, attribute: None }));
        }
        shape.single &= ends.is_empty();
        Some(ends)
    }

    /// Looks at the values of the elements of a place, or of an attribute of theirs: at the
    /// distinct ones where they are few, and at all where they are short: of elements without
    /// others inside. `None` where they are not told.
    fn each_value(&self, end: PathEnd, look: &mut dyn FnMut(Cow<'_, str>) -> Flow) -> Option<Flow> {
        let few = match end.attribute {
            Some(name) => Some(self.outline.attribute_values(end.place, name).1?),
            None if end.place == TOP => return None,
            None => self.outline.values(end.place),
        };
        Some(match few {
            Some(few) => few.iter().try_for_each(|value| look(Cow::Borrowed(value))),
            None if self.outline.children(end.place).next().is_some() => return None,
            None => self.outline.elements(end.place).iter().try_for_each(|&id| {
                let element = self.outline.document().element(id);
                element.map_or(Flow::Continue(()), |element| look(element.string_value()))
            }),
        })
    }
}
