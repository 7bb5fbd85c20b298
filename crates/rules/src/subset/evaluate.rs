//! Evaluates tests: on a place, as far as its path alone decides, and on an element.

mod constant;
mod known;
mod places;
mod steps;

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;

use jiff::civil::Date;
use quoin_xml::tree::{Element, NameId, NodeId};

use super::SubsetTable;
use super::notation::{NameTest, Normalization, RowTest, TableAxis, TablePath, TableStep};
use super::outline::Outline;
use constant::Constants;
pub(super) use known::MANY;

/// A rule set on a document.
pub(super) struct Evaluator<'e, 'd> {
    outline: &'e Outline<'d>,
    /// The document's number of each name of the table; `None` where the document has no such name.
    names: Vec<Option<NameId>>,
    /// Whether a test met what an XPath processor ends with.
    failed: Cell<bool>,
    /// What is the same at every element.
    constants: Constants<'d>,
}

/// What a path leads to.
#[derive(Clone, Copy)]
enum PathTarget {
    Top,
    Element(NodeId),
    Attribute(u32),
    /// A text node of an element, counted from 0: comments and elements are between them.
    Text(NodeId, u32),
}

type Flow = ControlFlow<()>;

impl<'e, 'd> Evaluator<'e, 'd> {
    pub(super) fn new(table: &SubsetTable, outline: &'e Outline<'d>) -> Self {
        let document = outline.document();
        let mut names = vec![None; table.patterns.names.len()];
        for id in (0..document.name_count() as u32).map(NameId) {
            let number = table.patterns.number(document.name(id));
            if let Some(slot) = number.and_then(|number| names.get_mut(usize::from(number))) {
                *slot = Some(id);
            }
        }
        Evaluator { outline, names, failed: Cell::new(false), constants: Constants::default() }
    }

    /// The places of the document.
    pub(super) fn outline(&self) -> &'e Outline<'d> {
        self.outline
    }

    /// The document's number of a name of the table.
    pub(super) fn name(&self, number: usize) -> Option<NameId> {
        self.names.get(number).copied().flatten()
    }

    /// The document's number of a step's name, where the step names one.
    fn id_of(&self, name: NameTest) -> Option<NameId> {
        match name {
            NameTest::Is(number) => self.name(usize::from(number)),
            _ => None,
        }
    }

    fn takes(&self, name: NameTest, id: NameId) -> bool {
        match name {
            NameTest::Any => true,
            NameTest::Is(number) => self.name(usize::from(number)) == Some(id),
            NameTest::AnyIn(namespace) => self.outline.document().name(id).0 == namespace,
            NameTest::AnyNamespace(local) => self.outline.document().name(id).1 == local,
        }
    }

    /// Whether a path of a rule leads to an element, predicates and all.
    pub(super) fn matches(&self, path: &TablePath, element: Element<'d>) -> bool {
        let fits = self.matches_steps(path.from_root, &path.steps, Some(element));
        // What cannot be evaluated does not match.
        !self.take_failure() && fits
    }

    fn matches_steps(&self, from_root: bool, steps: &[TableStep], at: Option<Element<'d>>) -> bool {
        let Some((last, before)) = steps.split_last() else { return !from_root || at.is_none() };
        let Some(element) = at else { return false };
        if !self.step_takes(last, element) {
            return false;
        }
        if before.is_empty() && !from_root {
            return true;
        }
        let mut above = self.outline.above(element);
        loop {
            if self.matches_steps(from_root, before, above) {
                return true;
            }
            match above.filter(|_| last.axis == TableAxis::Descendant) {
                Some(element) => above = self.outline.above(element),
                None => return false,
            }
        }
    }

    fn step_takes(&self, step: &TableStep, element: Element<'d>) -> bool {
        let name = self.outline.document().name_of(element.id());
        name.is_some_and(|name| self.takes(step.name, name))
            && step.predicates.iter().all(|test| self.holds(test, element))
    }

    fn holds_here(&self, test: &RowTest, element: Element<'d>) -> bool {
        if let RowTest::In(..) | RowTest::Is(..) | RowTest::Isnt(..) | RowTest::Within(..) = test
            && let Some(answer) = self.known_of_all(test, element.id())
        {
            return answer;
        }
        match test {
            RowTest::Never => false,
            RowTest::Always | RowTest::Hand => true,
            RowTest::Has(paths) => self.any(paths, element, &mut |_| true),
            RowTest::Not(inner) => !self.holds(inner, element),
            RowTest::And(parts) => self.decided_by(false, parts, element),
            RowTest::Or(parts) => self.decided_by(true, parts, element),
            RowTest::Count(min, max, paths) => self.count(*min, *max, paths, element),
            RowTest::In(how, list, paths) => {
                self.any_value(paths, element, *how, &mut |value| list.0.contains(value))
            }
            RowTest::Is(how, values, paths) => {
                let is_boolean = |value: &str| ["true", "false", "1", "0"].contains(&value);
                self.any_value(paths, element, *how, &mut |value| {
                    if *how == Normalization::Boolean && !is_boolean(value) {
                        self.failed.set(true);
                    }
                    values.contains(&value) || self.failed.get()
                })
            }
            RowTest::Isnt(how, values, paths) => {
                self.any_value(paths, element, *how, &mut |value| !values.contains(&value))
            }
            RowTest::Within(how, text, paths) => {
                self.any_value(paths, element, *how, &mut |value| {
                    text.contains(&format!(" {value} "))
                })
            }
            RowTest::Same(here, there) => self.same(here, there, element),
            RowTest::Length(max, paths) => {
                !self.any_value(paths, element, Normalization::TrimOne, &mut |value| {
                    value.chars().count() > *max as usize
                })
            }
            RowTest::Decimals(max, paths) => {
                !self.any_value(paths, element, Normalization::ExactOne, &mut |value| {
                    decimals(value) > *max as usize
                })
            }
            RowTest::Date(paths) => {
                self.any_value(paths, element, Normalization::ExactOne, &mut is_date)
            }
            RowTest::Starts(start, paths) => {
                self.any_value(paths, element, Normalization::TrimOne, &mut |value| {
                    value.starts_with(start)
                })
            }
            RowTest::Ends(end) => element.local().ends_with(end),
        }
    }

    /// `or` and `and`: a failure counts only where no other part decides.
    fn decided_by(&self, decides: bool, parts: &[RowTest], element: Element<'d>) -> bool {
        let before = self.failed.take();
        let mut failure = false;
        for part in parts {
            let value = self.holds(part, element);
            if self.failed.take() {
                failure = true;
            } else if value == decides {
                self.failed.set(before);
                return decides;
            }
        }
        self.failed.set(before || failure);
        !decides
    }

    fn count(&self, min: u32, max: u32, paths: &[TablePath], element: Element<'d>) -> bool {
        // With conditions all are counted, because a later one may have no answer.
        let is_plain = |path: &TablePath| path.steps.iter().all(|step| step.predicates.is_empty());
        let is_plain = paths.iter().all(is_plain);
        let mut found = 0u32;
        self.any(paths, element, &mut |_| {
            found = found.saturating_add(1);
            // One more than the maximum decides, and the minimum without a maximum.
            is_plain && (found > max || (max == u32::MAX && found >= min))
        });
        (min..=max).contains(&found)
    }

    fn same(&self, here: &[TablePath], there: &[TablePath], element: Element<'d>) -> bool {
        let values = self.values(there, element);
        self.any_value(here, element, Normalization::Exact, &mut |value| values.contains(value))
    }

    fn any_value(
        &self,
        paths: &[TablePath],
        element: Element<'d>,
        how: Normalization,
        test: &mut dyn FnMut(&str) -> bool,
    ) -> bool {
        if !how.is_one() {
            return self.any(paths, element, &mut |item| test(&how.of(self.value(item))));
        }
        let (mut count, mut answer) = (0, false);
        let several = self.any(paths, element, &mut |item| {
            count += 1;
            answer = count == 1 && test(&how.of(self.value(item)));
            count > 1
        });
        self.failed.set(self.failed.get() || several);
        answer
    }

    /// Whether the last test met what an XPath processor ends with; forgets it.
    pub(super) fn take_failure(&self) -> bool {
        self.failed.take()
    }

    /// How many nodes the paths lead to from an element.
    pub(super) fn number_of(&self, paths: &[TablePath], element: Element<'_>) -> u32 {
        let mut found = 0u32;
        if let Some(element) = self.within_document(element) {
            self.any(paths, element, &mut |_| {
                found = found.saturating_add(1);
                false
            });
        }
        found
    }

    /// The value of the first node that the paths lead to.
    pub(super) fn first_value(
        &self,
        paths: &[TablePath],
        element: Element<'_>,
    ) -> Option<Cow<'d, str>> {
        let mut found = None;
        self.any(paths, self.within_document(element)?, &mut |item| {
            found = Some(self.value(item));
            true
        });
        found
    }

    /// The element that the paths lead to after so many others.
    pub(super) fn nth_element(
        &self,
        paths: &[TablePath],
        element: Element<'d>,
        mut skipped: u32,
    ) -> Option<Element<'d>> {
        let mut found = None;
        self.any(paths, element, &mut |item| {
            if let PathTarget::Element(id) = item {
                found = self.outline.document().element(id).filter(|_| skipped == 0);
                skipped = skipped.saturating_sub(1);
            }
            found.is_some()
        });
        found
    }

    /// The element of the document of the outline at the place of another.
    pub(super) fn within_document(&self, element: Element<'_>) -> Option<Element<'d>> {
        self.outline.document().element(element.id())
    }

    /// Whether some node that the paths lead to is as asked.
    fn any(
        &self,
        paths: &[TablePath],
        element: Element<'d>,
        test: &mut dyn FnMut(PathTarget) -> bool,
    ) -> bool {
        let mut visit = |item| if test(item) { Flow::Break(()) } else { Flow::Continue(()) };
        let flow = paths.iter().try_for_each(|path| {
            let start =
                if path.from_root { PathTarget::Top } else { PathTarget::Element(element.id()) };
            self.go(start, &path.steps, &mut visit)
        });
        flow.is_break()
    }
}

/// Characters after the first point.
fn decimals(value: &str) -> usize {
    value.split_once('.').map_or(0, |(_, after)| after.chars().count())
}

/// `2026-05-18`: ten characters, and a day of the calendar.
fn is_date(value: &str) -> bool {
    value.len() == 10 && value.as_bytes().get(4) == Some(&b'-') && value.parse::<Date>().is_ok()
}
