//! The values of a place: which there are, where they are few.

use std::borrow::Cow;

use quoin_xml::tree::{Element, NameId};

use super::{Outline, PlaceId};

/// Distinct values; `None` where they are many.
pub(super) type Few<'d> = Option<Vec<Cow<'d, str>>>;

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

    /// The distinct values of the elements of a place; `None` where they are many.
    pub(in super::super) fn values(&self, place: PlaceId) -> Option<&[Cow<'d, str>]> {
        let read = || {
            let elements = self.elements(place).iter().filter_map(|&id| self.document.element(id));
            few(elements.map(Element::string_value))
        };
        self.values.get(place.0 as usize)?.get_or_init(read).as_deref()
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
