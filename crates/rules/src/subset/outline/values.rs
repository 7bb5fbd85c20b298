//! The values of a place: which there are, where they are few.
//!
//! Those of all places are gathered in one pass over the document: what lies side by side in memory
//! is read together, which for a hundred thousand lines is faster than place by place.

use std::borrow::Cow;

use quoin_xml::tree::{NameId, NodeId};

use super::{Outline, PlaceId};

/// Distinct values; `None` where they are many.
pub(super) type Few<'d> = Option<Vec<Cow<'d, str>>>;

/// The values of the elements of a place.
#[derive(Debug)]
pub(super) struct Values<'d> {
    few: Few<'d>,
    /// Whether one of them is nothing but white space.
    has_blank: bool,
}

impl<'d> Values<'d> {
    fn add(&mut self, value: Cow<'d, str>) {
        self.has_blank = self.has_blank || value.trim_ascii_start().is_empty();
        let Some(few) = self.few.as_mut().filter(|few| !few.contains(&value)) else { return };
        match few.len() {
            FEW => self.few = None,
            _ => few.push(value),
        }
    }
}

/// How many distinct values are few.
const FEW: usize = 24;

impl<'d> Outline<'d> {
    /// How many elements the fullest place has.
    pub(in super::super) fn most(&self) -> usize {
        self.most
    }

    /// Whether some element has two children that are elements of a place.
    pub(in super::super) fn repeats(&self, place: PlaceId) -> bool {
        self.place(place.0).is_some_and(|place| place.repeats)
    }

    /// The distinct values of the elements of a place; `None` where they are many, or where there
    /// are elements inside.
    pub(in super::super) fn values(&self, place: PlaceId) -> Option<&[Cow<'d, str>]> {
        self.all_values().get(place.0 as usize)?.few.as_deref()
    }

    /// Whether every element of a place says something, and none has elements inside.
    pub(in super::super) fn are_filled(&self, place: PlaceId) -> bool {
        let values = self.all_values().get(place.0 as usize);
        self.children(place).next().is_none() && values.is_some_and(|values| !values.has_blank)
    }

    fn all_values(&self) -> &[Values<'d>] {
        self.values.get_or_init(|| {
            let is_leaf = |place: PlaceId| self.children(place).next().is_none();
            let places = (0..self.places.len() as u32).map(PlaceId);
            let few = |place| is_leaf(place).then(Vec::new);
            let mut values: Vec<Values<'d>> =
                places.map(|place| Values { few: few(place), has_blank: false }).collect();
            let are_leaves: Vec<bool> = values.iter().map(|values| values.few.is_some()).collect();
            for (id, &place) in (0..).map(NodeId).zip(&self.of_node) {
                if are_leaves.get(place as usize) != Some(&true) {
                    continue;
                }
                let (element, own) = (self.document.element(id), values.get_mut(place as usize));
                if let (Some(element), Some(own)) = (element, own) {
                    own.add(element.string_value());
                }
            }
            values
        })
    }

    /// How many elements of a place have an attribute, and its distinct values.
    pub(in super::super) fn attribute_values(
        &self,
        place: PlaceId,
        name: NameId,
    ) -> (usize, Option<&[Cow<'d, str>]>) {
        let Some(own) = self.place(place.0) else { return (0, None) };
        let at = own.attributes.iter().position(|known| *known == name);
        let slot = at.and_then(|at| self.attribute_values.get(own.first_attribute as usize + at));
        let Some(slot) = slot else { return (0, Some(&[])) };
        let (count, values) = slot.get_or_init(|| {
            let mut count = 0;
            let elements = self.elements(place).iter().filter_map(|&id| self.document.element(id));
            let ids = elements.filter_map(|element| {
                element.attribute_ids().find(|&id| self.document.attribute_name(id) == Some(name))
            });
            let ids: Vec<u32> = ids.inspect(|_| count += 1).collect();
            let values = ids.into_iter().filter_map(|id| self.document.attribute(id));
            let values = few(values.map(|attribute| Cow::Borrowed(attribute.value)));
            (count, values)
        });
        (*count, values.as_deref())
    }
}

/// The distinct ones of some values.
fn few<'d>(all: impl Iterator<Item = Cow<'d, str>>) -> Few<'d> {
    let mut found: Vec<Cow<'d, str>> = Vec::new();
    for value in all {
        if !found.contains(&value) {
            if found.len() == FEW {
                return None;
            }
            found.push(value);
        }
    }
    Some(found)
}
