//! Identifiers and references to them (part 1 section 3.3.4, Validation Root Valid), and values
//! that identity constraints will need.

use super::{SchemaRun, describe};
use crate::tree::{Attribute, Element};
use crate::xsd::simple::IdKind;

impl<'d> SchemaRun<'_, 'd> {
    /// Remembers identifiers, references, and values that identity constraints may need.
    pub(super) fn record(
        &mut self,
        element: Element<'d>,
        attribute: Option<Attribute<'d>>,
        ty: u32,
        text: &str,
    ) {
        if self.scopes.is_open() {
            self.scopes.remember(element, attribute, ty);
        }
        match self.schema.id_kind(ty) {
            IdKind::None => {}
            IdKind::Id => {
                let text = self.schema.normalised(ty, text).into_owned();
                let owner = self.ids.entry(text.clone()).or_insert(element.id());
                if *owner != element.id() {
                    let expected = "an identifier that no other element has".to_owned();
                    let found = describe::value(&text);
                    self.push("cvc-id.2", element, attribute, Some(&text), expected, found);
                }
            }
            IdKind::IdRef => {
                for part in self.schema.normalised(ty, text).split(' ') {
                    self.refs.push((part.to_owned(), element.id()));
                }
            }
        }
    }

    /// `cvc-id.1`: every reference has its identifier.
    pub(super) fn check_references(&mut self) {
        for (text, id) in std::mem::take(&mut self.refs) {
            if self.ids.contains_key(&text) {
                continue;
            }
            let Some(element) = self.document.element(id) else { continue };
            let expected = "an identifier of this document".to_owned();
            self.push("cvc-id.1", element, None, Some(&text), expected, describe::value(&text));
        }
    }
}
