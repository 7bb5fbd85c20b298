//! What the path of a place alone decides: whether a rule can match there, and whether a test has
//! the same answer for every element of it.

use super::{Evaluator, Flow};
use crate::subset::notation::{NameTest, RowTest, TableAxis, TablePath, TableStep};
use crate::subset::outline::{PlaceId, TOP};

impl Evaluator<'_, '_> {
    /// Whether a path of a rule leads to the elements of a place: to none, to all, or, where it is
    /// `None`, to those of which its predicates are true.
    pub(in super::super) fn leads_to(&self, path: &TablePath, place: PlaceId) -> Option<bool> {
        self.leads(path.from_root, &path.steps, place)
    }

    fn leads(&self, from_root: bool, steps: &[TableStep], place: PlaceId) -> Option<bool> {
        let Some((last, before)) = steps.split_last() else {
            return Some(!from_root || place == TOP);
        };
        let fits = self.outline.name(place).is_some_and(|name| self.takes(last.name, name));
        if !fits {
            return Some(false);
        }
        let own = self.fixed_all(&last.predicates, place, false);
        if own == Some(false) || (before.is_empty() && !from_root) {
            return own;
        }
        let mut best = Some(false);
        let mut above = self.outline.parent(place);
        while let Some(place) = above {
            match self.leads(from_root, before, place) {
                Some(true) => return own,
                Some(false) => {}
                None => best = None,
            }
            let goes_on = last.axis == TableAxis::Descendant;
            above = self.outline.parent(place).filter(|_| goes_on);
        }
        best
    }

    /// The answer of a test where it is the same for every element of a place.
    pub(in super::super) fn fixed(&self, test: &RowTest, place: PlaceId) -> Option<bool> {
        self.fixed_by_names(test, place).or_else(|| self.known(test, place))
    }

    fn fixed_by_names(&self, test: &RowTest, place: PlaceId) -> Option<bool> {
        match test {
            RowTest::Never => Some(false),
            RowTest::Always => Some(true),
            RowTest::Not(inner) => self.fixed(inner, place).map(|answer| !answer),
            RowTest::And(parts) => self.fixed_all(parts, place, false),
            RowTest::Or(parts) => self.fixed_all(parts, place, true),
            RowTest::Count(0, u32::MAX, _) => Some(true),
            RowTest::Count(min, _, paths) => self.none(paths, place).then_some(*min == 0),
            RowTest::Length(_, paths) | RowTest::Decimals(_, paths) => {
                self.none(paths, place).then_some(true)
            }
            RowTest::Has(paths)
            | RowTest::In(_, _, paths)
            | RowTest::Is(_, _, paths)
            | RowTest::Isnt(_, _, paths)
            | RowTest::Within(_, _, paths)
            | RowTest::Date(paths)
            | RowTest::Starts(_, paths) => self.none(paths, place).then_some(false),
            RowTest::Same(here, there) => {
                (self.none(here, place) || self.none(there, place)).then_some(false)
            }
            RowTest::Ends(end) => {
                let name = self.outline.name(place);
                Some(name.is_some_and(|name| self.outline.document().name(name).1.ends_with(end)))
            }
            RowTest::Hand => None,
        }
    }

    /// `and` and `or`: one part decides by being `decisive`, or all are fixed.
    fn fixed_all(&self, parts: &[RowTest], place: PlaceId, decisive: bool) -> Option<bool> {
        let mut all = Some(!decisive);
        for part in parts {
            match self.fixed(part, place) {
                Some(answer) if answer == decisive => return Some(decisive),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }

    /// Whether no path leads anywhere from the elements of a place, and none meets an error on
    /// its way: one with a name that the document does not have is not gone at all.
    fn none(&self, paths: &[TablePath], place: PlaceId) -> bool {
        paths.iter().all(|path| {
            let start = if path.from_root { TOP } else { place };
            let leads_nowhere = self.can_go(start, &path.steps).is_continue();
            leads_nowhere && (self.has_unknown_name(path) || self.is_safe_path(path, place))
        })
    }

    fn has_unknown_name(&self, path: &TablePath) -> bool {
        let is_unknown = |step: &TableStep| {
            matches!(step.name, NameTest::Is(_)) && self.id_of(step.name).is_none()
        };
        path.steps.iter().any(is_unknown)
    }

    /// Breaks where the steps lead somewhere, as far as names and values tell.
    pub(super) fn can_go(&self, place: PlaceId, steps: &[TableStep]) -> Flow {
        let Some((step, rest)) = steps.split_first() else { return Flow::Break(()) };
        if matches!(step.name, NameTest::Is(_)) && self.id_of(step.name).is_none() {
            // Most names of a table the document does not have.
            return Flow::Continue(());
        }
        match step.axis {
            TableAxis::Text => Flow::Break(()),
            TableAxis::Attribute => self.can_have(place, step.name),
            TableAxis::DescendantAttribute => match self.id_of(step.name) {
                Some(name) => found(
                    self.outline
                        .with_attribute(name)
                        .iter()
                        .any(|&own| self.outline.is_within(own, place)),
                ),
                None => self.below(place, &mut |place| self.can_have(place, step.name)),
            },
            TableAxis::Parent => {
                let up = self.outline.parent(place);
                up.map_or(Flow::Continue(()), |up| self.can_step(up, step.name, rest))
            }
            TableAxis::Itself => self.can_step(place, step.name, rest),
            TableAxis::Ancestor => {
                let mut above = self.outline.parent(place);
                while let Some(place) = above {
                    self.can_step(place, step.name, rest)?;
                    above = self.outline.parent(place);
                }
                Flow::Continue(())
            }
            TableAxis::Child => match self.id_of(step.name) {
                Some(name) => match self.outline.child(place, name) {
                    Some(child) if !self.never(&step.predicates, child) => self.can_go(child, rest),
                    _ => Flow::Continue(()),
                },
                None => {
                    let mut children = self.outline.children(place);
                    children.try_for_each(|child| self.can_step(child, step.name, rest))
                }
            },
            TableAxis::Descendant => {
                if let Some(name) = self.id_of(step.name) {
                    let mut named = self.outline.named(name).iter();
                    return named.try_for_each(|&own| {
                        let is_there = self.outline.is_within(own, place)
                            && !self.never(&step.predicates, own);
                        if is_there { self.can_go(own, rest) } else { Flow::Continue(()) }
                    });
                }
                let mut deeper = self.outline.children(place);
                deeper.try_for_each(|child| {
                    self.below(child, &mut |place| self.can_step(place, step.name, rest))
                })
            }
        }
    }

    fn can_step(&self, place: PlaceId, name: NameTest, rest: &[TableStep]) -> Flow {
        let own = self.outline.name(place);
        let fits = own.map_or(name == NameTest::Any, |own| self.takes(name, own));
        if fits { self.can_go(place, rest) } else { Flow::Continue(()) }
    }

    pub(super) fn can_have(&self, place: PlaceId, name: NameTest) -> Flow {
        found(self.outline.attributes(place).iter().any(|&own| self.takes(name, own)))
    }

    /// A place and every place below it.
    pub(super) fn below(&self, place: PlaceId, visit: &mut dyn FnMut(PlaceId) -> Flow) -> Flow {
        visit(place)?;
        self.outline.children(place).try_for_each(|child| self.below(child, visit))
    }
}

fn found(is: bool) -> Flow {
    if is { Flow::Break(()) } else { Flow::Continue(()) }
}
