//! Sequence types: `instance of`, and the function conversion rules (XPath 2.0 section 3.1.5).

use super::super::cast::{cast, type_name};
use super::super::compare::type_of;
use super::super::environment::Environment;
use super::super::error::{DynamicError, XPathResult, fail};
use super::super::ir::NodeTest;
use super::super::types::{AtomicType, IntegerType, ItemType, SequenceType};
use super::super::value::{Item, Sequence};
use super::shortened;

impl<'d> Environment<'d> {
    /// Whether a value is of a sequence type.
    pub(super) fn is_instance(&self, value: &Sequence<'d>, kind: &SequenceType) -> bool {
        kind.occurrence.allows(value.len())
            && value.items().iter().all(|item| self.is_item(item, &kind.item))
    }

    fn is_item(&self, item: &Item<'d>, kind: &ItemType) -> bool {
        let Item::Node(node) = item else {
            return match kind {
                ItemType::Any => true,
                ItemType::Atomic(kind) => is_derived(type_of(item), *kind),
                _ => false,
            };
        };
        let test = match kind {
            ItemType::Any | ItemType::Node => return true,
            ItemType::Atomic(_) => return false,
            ItemType::Document => NodeTest::Document,
            ItemType::Element(name) => NodeTest::Element(*name),
            ItemType::Attribute(name) => NodeTest::Attribute(*name),
            ItemType::Text => NodeTest::Text,
            ItemType::Comment => NodeTest::Comment,
            ItemType::Instruction(target) => NodeTest::Instruction(target.clone()),
        };
        self.passes(&test, *node, false)
    }

    /// The value as an argument or result of a type; `XPTY0004` where it cannot be one.
    pub(crate) fn convert(
        &self,
        value: Sequence<'d>,
        kind: &SequenceType,
    ) -> XPathResult<Sequence<'d>> {
        let value = match &kind.item {
            ItemType::Atomic(atomic) => self.convert_items(value, *atomic)?,
            _ => value,
        };
        if !kind.occurrence.allows(value.len()) {
            return fail!(XPTY0004, "a value of {} items is not allowed here", value.len());
        }
        if let Some(wrong) = value.items().iter().find(|item| !self.is_item(item, &kind.item)) {
            return fail!(XPTY0004, "{} is not of the type that is asked for", type_name(wrong));
        }
        Ok(value)
    }

    fn convert_items(&self, value: Sequence<'d>, kind: AtomicType) -> XPathResult<Sequence<'d>> {
        let convert = |item: Item<'d>| -> XPathResult<Item<'d>> {
            let item = self.atomized(item);
            let promoted = match (&item, kind) {
                (Item::Untyped(_), AtomicType::Any | AtomicType::Untyped) => return Ok(item),
                (Item::Untyped(_), kind) => cast(&item, kind),
                (Item::Integer(_) | Item::Decimal(_) | Item::Float(_), AtomicType::Double)
                | (Item::Integer(_) | Item::Decimal(_), AtomicType::Float)
                | (Item::Uri(_), AtomicType::String) => cast(&item, kind),
                _ => return Ok(item),
            };
            promoted.map_err(|code| {
                let text = super::text_of(&item);
                let message = format!("{:?} is no xs:{}", shortened(text.as_str()), kind.name());
                DynamicError::new(code, message)
            })
        };
        match value {
            Sequence::Empty => Ok(Sequence::Empty),
            Sequence::One(item) => Ok(convert(item)?.into()),
            many => {
                let items: XPathResult<Vec<_>> =
                    many.into_items().into_iter().map(convert).collect();
                Ok(items?.into())
            }
        }
    }
}

/// Whether a type is the other one or derived from it.
fn is_derived(kind: AtomicType, from: AtomicType) -> bool {
    use AtomicType as T;
    match (kind, from) {
        (_, T::Any) => true,
        (T::Integer(_), T::Decimal | T::Integer(IntegerType::Any)) => true,
        (T::YearMonth | T::DayTime, T::Duration) => true,
        (kind, from) => kind == from,
    }
}
