//! What a test is given: the element, and the facts about its document.

use std::any::{Any, TypeId};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_xml::tree::{Document, Element, NameId, NodeId};

use crate::subset::Outline;
use quoin_formats::readers;
use quoin_formats::readers::Reading;
use quoin_model::codes;
use quoin_model::codes::CodeList;
use quoin_model::en16931::Invoice;

/// A rule at an element. The facts about the document are its own by `Deref`.
pub struct Case<'c, 'd> {
    /// The element at which the rule is tested.
    pub at: Element<'d>,
    /// The rule's identifier, for a function that serves several.
    pub id: &'static str,
    /// The release whose lists apply: `en16931-ubl-1.3.16`.
    pub(super) release: &'c str,
    pub(super) facts: &'c Facts<'d>,
}

impl<'d> Deref for Case<'_, 'd> {
    type Target = Facts<'d>;

    fn deref(&self) -> &Facts<'d> {
        self.facts
    }
}

impl Case<'_, '_> {
    /// A code list as the release of the rule has it; found once for a document.
    pub fn list(&self, name: &'static str) -> Option<&'static CodeList> {
        let mut lists = self.facts.lists.borrow_mut();
        let known = lists.iter().find(|(own, release, _)| *own == name && release == self.release);
        if let Some((_, _, list)) = known {
            return *list;
        }
        let list = codes::list(name, self.release);
        lists.push((name, self.release.to_owned(), list));
        list
    }
}

/// A list by name and release.
type ListOf = (&'static str, String, Option<&'static CodeList>);

/// What is true of a document, each worked out when it is first asked for.
pub struct Facts<'d> {
    root: Element<'d>,
    on: Date,
    at: Option<Timestamp>,
    outline: OnceCell<Arc<Outline<'d>>>,
    reading: OnceCell<Option<Reading<'d>>>,
    memo: RefCell<Vec<(TypeId, Rc<dyn Any>)>>,
    lists: RefCell<Vec<ListOf>>,
}

impl<'d> Facts<'d> {
    /// Of the document at an element (not always the document element: it may be in an envelope),
    /// for the rules of a day.
    pub fn new(root: Element<'d>, on: Date) -> Facts<'d> {
        Facts {
            root,
            on,
            at: None,
            outline: OnceCell::new(),
            reading: OnceCell::new(),
            memo: RefCell::default(),
            lists: RefCell::default(),
        }
    }

    /// The same, with the places of the document as another thread has worked them out.
    pub(crate) fn sharing(root: Element<'d>, on: Date, outline: Arc<Outline<'d>>) -> Facts<'d> {
        Facts { outline: OnceCell::from(outline), ..Facts::new(root, on) }
    }

    /// The document element.
    pub fn root(&self) -> Element<'d> {
        self.root
    }

    /// The tree.
    pub fn document(&self) -> &'d Document {
        self.root.document()
    }

    /// The day whose rules apply.
    pub fn on(&self) -> Date {
        self.on
    }

    /// The same at a moment of the day.
    #[must_use]
    pub fn at(self, at: Option<Timestamp>) -> Facts<'d> {
        Facts { at, ..self }
    }

    /// The moment, where it is known.
    pub(crate) fn moment(&self) -> Option<Timestamp> {
        self.at
    }

    /// Which day it is at a place, by its hours as POSIX writes them; where only a day is known,
    /// that one.
    pub(crate) fn today(&self, hours: &str) -> Date {
        let there = self.at.zip(TimeZone::posix(hours).ok());
        there.map_or(self.on, |(at, zone)| at.to_zoned(zone).date())
    }

    /// The places of the document.
    pub fn outline(&self) -> &Outline<'d> {
        self.places()
    }

    /// The places, for a thread that shares them.
    pub(crate) fn shared_outline(&self) -> Arc<Outline<'d>> {
        self.places().clone()
    }

    fn places(&self) -> &Arc<Outline<'d>> {
        self.outline.get_or_init(|| Arc::new(Outline::of(self.root)))
    }

    /// The semantic model; `None` of what is no invoice.
    pub fn invoice(&self) -> Option<&Invoice<'d>> {
        self.reading().map(|reading| &reading.invoice)
    }

    /// The semantic model with its residue; `None` of what is no invoice.
    pub fn reading(&self) -> Option<&Reading<'d>> {
        self.reading.get_or_init(|| readers::read_invoice_at(self.root)).as_ref()
    }

    /// Every element of a name, in document order.
    pub fn named(
        &self,
        namespace: &str,
        local: &str,
    ) -> impl Iterator<Item = Element<'d>> + use<'d> {
        let document = self.document();
        let name: Option<NameId> = document.name_id(namespace, local);
        let (from, to) = (self.root.id(), document.end_of(self.root.id()));
        let ids = name.map(|name| document.elements_named(name)).unwrap_or_default();
        let ids = ids.iter().filter(move |id| (from..to).contains(id));
        ids.filter_map(|&id| document.element(id))
    }

    /// A value of a type of its own, computed once for the document: sums, sets, counts. It holds
    /// no element; it may hold a [`quoin_xml::tree::NodeId`].
    pub fn memo<T: 'static>(&self, compute: impl FnOnce(&Facts<'d>) -> T) -> Rc<T> {
        let key = TypeId::of::<T>();
        let known = self.memo.borrow().iter().find(|(own, _)| *own == key).map(|(_, v)| v.clone());
        if let Some(value) = known.and_then(|value| value.downcast::<T>().ok()) {
            return value;
        }
        let value = Rc::new(compute(self));
        self.memo.borrow_mut().push((key, value.clone()));
        value
    }

    /// A value about one element, computed once for it however many others ask. `what` tells it
    /// from other values of this type about the same element.
    pub fn memo_at<T: Copy + 'static>(
        &self,
        (at, what): (NodeId, &'static str),
        compute: impl FnOnce() -> T,
    ) -> T {
        let all = self.memo(|_| ElementMemo::<T>(RefCell::default()));
        let known = all.0.borrow().get(&(at.0, what)).copied();
        known.unwrap_or_else(|| {
            let value = compute();
            all.0.borrow_mut().insert((at.0, what), value);
            value
        })
    }
}

/// Values about elements, by their numbers.
struct ElementMemo<T>(RefCell<HashMap<(u32, &'static str), T>>);

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use quoin_xml::tree::Limits;

    use super::*;

    #[test]
    fn a_day_begins_with_its_country() {
        let document = Document::parse(b"<a/>", &Limits::default()).unwrap();
        let facts = || Facts::new(document.root(), date(2026, 11, 28));
        assert_eq!(facts().today("<+04>-4"), date(2026, 11, 28));
        for (at, day) in [("2026-11-28T19:59:59Z", 28), ("2026-11-28T20:00:00Z", 29)] {
            let facts = facts().at(Some(at.parse().unwrap()));
            assert_eq!(facts.today("<+04>-4"), date(2026, 11, day), "{at}");
        }
    }
}
