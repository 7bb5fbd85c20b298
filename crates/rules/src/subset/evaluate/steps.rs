//! Walking the steps of a path through a document.

use std::borrow::Cow;

use quoin_xml::tree::{Element, NameId, NodeId};

use super::known::MANY;
use super::{Evaluator, Flow, PathTarget};
use crate::subset::notation::{NameTest, TableAxis, TableStep};
use crate::subset::outline::{PlaceId, TOP, inside};
use crate::subset::text;

impl<'d> Evaluator<'_, 'd> {
    pub(super) fn go(
        &self,
        from: PathTarget,
        steps: &[TableStep],
        visit: &mut dyn FnMut(PathTarget) -> Flow,
    ) -> Flow {
        let Some((step, rest)) = steps.split_first() else { return visit(from) };
        if matches!(step.name, NameTest::Is(_)) && self.id_of(step.name).is_none() {
            return Flow::Continue(());
        }
        let place = match from {
            PathTarget::Top => Some(TOP),
            PathTarget::Element(id) => self.outline.place_of(id),
            PathTarget::Attribute(_) | PathTarget::Text(..) => None,
        };
        let Some(place) = place else { return Flow::Continue(()) };
        match step.axis {
            TableAxis::Text => match from {
                PathTarget::Element(id) => (0..self.element(from).map_or(0, text::count))
                    .try_for_each(|number| self.go(PathTarget::Text(id, number), rest, visit)),
                _ => Flow::Continue(()),
            },
            TableAxis::Attribute => self.attributes(from, step, rest, visit),
            TableAxis::DescendantAttribute => self.below(place, &mut |place| {
                if self.can_have(place, step.name).is_continue() {
                    return Flow::Continue(());
                }
                let within = self.within(from, place).iter();
                within
                    .copied()
                    .try_for_each(|id| self.attributes(PathTarget::Element(id), step, rest, visit))
            }),
            TableAxis::Parent => match self.element(from).map(|own| self.outline.above(own)) {
                Some(Some(up)) => self.enter(up, step, rest, visit),
                Some(None) if step.name == NameTest::Any => self.go(PathTarget::Top, rest, visit),
                _ => Flow::Continue(()),
            },
            TableAxis::Itself => match self.element(from) {
                Some(element) => self.enter(element, step, rest, visit),
                None => Flow::Continue(()),
            },
            TableAxis::Ancestor => {
                let above = |element: &Element<'d>| self.outline.above(*element);
                std::iter::successors(self.element(from).as_ref().and_then(above), above)
                    .try_for_each(|element| self.enter(element, step, rest, visit))
            }
            TableAxis::Child => match self.id_of(step.name) {
                Some(name) => match self.outline.child(place, name) {
                    Some(child) => self.enter_place(from, child, step, rest, visit),
                    None => Flow::Continue(()),
                },
                None => self
                    .outline
                    .children(place)
                    .try_for_each(|child| self.enter_place(from, child, step, rest, visit)),
            },
            TableAxis::Descendant if self.id_of(step.name).is_some() => {
                let name = self.id_of(step.name).unwrap_or(NameId(u32::MAX));
                let mut named = self.outline.named(name).iter();
                named.try_for_each(|&own| self.enter_place(from, own, step, rest, visit))
            }
            TableAxis::Descendant => self.outline.children(place).try_for_each(|child| {
                self.below(child, &mut |below| self.enter_place(from, below, step, rest, visit))
            }),
        }
    }

    /// The elements of a place that stand inside an item or are it.
    fn within(&self, item: PathTarget, place: PlaceId) -> &[NodeId] {
        let nodes = self.outline.elements(place);
        match item {
            PathTarget::Element(id) if self.outline.place_of(id) == Some(place) => {
                let at = nodes.partition_point(|node| *node < id);
                nodes.get(at..at + 1).unwrap_or_default()
            }
            PathTarget::Element(id) => inside(self.outline.document(), nodes, id),
            PathTarget::Top => nodes,
            PathTarget::Attribute(_) | PathTarget::Text(..) => &[],
        }
    }

    fn enter_place(
        &self,
        from: PathTarget,
        place: PlaceId,
        step: &TableStep,
        rest: &[TableStep],
        visit: &mut dyn FnMut(PathTarget) -> Flow,
    ) -> Flow {
        if !self.outline.name(place).is_some_and(|name| self.takes(step.name, name)) {
            return Flow::Continue(());
        }
        let elements = self.within(from, place);
        if elements.len() >= MANY && self.leads_nowhere(step, rest, place) {
            return Flow::Continue(());
        }
        elements
            .iter()
            .filter_map(|&id| self.outline.document().element(id))
            .try_for_each(|element| self.enter(element, step, rest, visit))
    }

    fn enter(
        &self,
        element: Element<'d>,
        step: &TableStep,
        rest: &[TableStep],
        visit: &mut dyn FnMut(PathTarget) -> Flow,
    ) -> Flow {
        if !self.step_takes(step, element) {
            return Flow::Continue(());
        }
        self.go(PathTarget::Element(element.id()), rest, visit)
    }

    fn attributes(
        &self,
        from: PathTarget,
        step: &TableStep,
        rest: &[TableStep],
        visit: &mut dyn FnMut(PathTarget) -> Flow,
    ) -> Flow {
        let Some(element) = self.element(from) else { return Flow::Continue(()) };
        let document = self.outline.document();
        element
            .attribute_ids()
            .filter(|&id| document.attribute_name(id).is_some_and(|own| self.takes(step.name, own)))
            .try_for_each(|id| self.go(PathTarget::Attribute(id), rest, visit))
    }

    pub(super) fn element(&self, item: PathTarget) -> Option<Element<'d>> {
        match item {
            PathTarget::Element(id) => self.outline.document().element(id),
            PathTarget::Top | PathTarget::Attribute(_) | PathTarget::Text(..) => None,
        }
    }

    pub(super) fn value(&self, item: PathTarget) -> Cow<'d, str> {
        let document = self.outline.document();
        match item {
            PathTarget::Top => Cow::Borrowed(""),
            PathTarget::Element(id) => {
                document.element(id).map_or(Cow::Borrowed(""), Element::string_value)
            }
            PathTarget::Text(id, number) => {
                let Some(element) = document.element(id) else { return Cow::Borrowed("") };
                match text::count(element) {
                    1 => element.text(),
                    _ => text::nodes(element).swap_remove(number as usize).into(),
                }
            }
            PathTarget::Attribute(id) => {
                Cow::Borrowed(document.attribute(id).map_or("", |attribute| attribute.value))
            }
        }
    }
}
