//! What is the same at every element: tests whose paths all begin at the root, and the values that
//! such paths lead to. Each is worked out once a document, since as many elements may ask for it as
//! it has nodes to look at.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use quoin_xml::tree::Element;

use super::super::notation::{RowTest, TablePath};
use super::Evaluator;

/// Values that several are compared with.
type ValueSet<'d> = Rc<HashSet<Cow<'d, str>>>;

/// What was worked out so far, by where the test or the paths stand in the table.
#[derive(Default)]
pub(super) struct Constants<'d> {
    /// Whether a test holds, and whether it met what an XPath processor ends with.
    answers: RefCell<HashMap<usize, (bool, bool)>>,
    values: RefCell<HashMap<usize, ValueSet<'d>>>,
}

/// Whether paths lead to the same nodes from every element.
fn are_from_root(paths: &[TablePath]) -> bool {
    paths.iter().all(|path| path.from_root)
}

/// Whether a test is the same at every element.
fn is_constant(test: &RowTest) -> bool {
    match test {
        RowTest::Same(here, there) => are_from_root(here) && are_from_root(there),
        RowTest::Has(paths)
        | RowTest::Count(_, _, paths)
        | RowTest::In(_, _, paths)
        | RowTest::Is(_, _, paths)
        | RowTest::Isnt(_, _, paths)
        | RowTest::Within(_, _, paths)
        | RowTest::Length(_, paths)
        | RowTest::Decimals(_, paths)
        | RowTest::Date(paths)
        | RowTest::Starts(_, paths) => are_from_root(paths),
        _ => false,
    }
}

impl<'d> Evaluator<'_, 'd> {
    /// Whether a test holds on an element; one to be tested by hand holds.
    pub(in crate::subset) fn holds(&self, test: &RowTest, element: Element<'d>) -> bool {
        if !is_constant(test) {
            return self.holds_here(test, element);
        }
        let place = std::ptr::from_ref(test).addr();
        let known = self.constants.answers.borrow().get(&place).copied();
        let before = self.failed.take();
        let (answer, failure) =
            known.unwrap_or_else(|| (self.holds_here(test, element), self.failed.take()));
        if known.is_none() {
            self.constants.answers.borrow_mut().insert(place, (answer, failure));
        }
        self.failed.set(before || failure);
        answer
    }

    /// The values of paths.
    pub(super) fn values(&self, paths: &[TablePath], element: Element<'d>) -> ValueSet<'d> {
        let kept = are_from_root(paths);
        let place = paths.as_ptr().addr();
        let known = self.constants.values.borrow().get(&place).filter(|_| kept).cloned();
        known.unwrap_or_else(|| {
            let mut values = HashSet::new();
            self.any(paths, element, &mut |item| {
                values.insert(self.value(item));
                false
            });
            let values = Rc::new(values);
            if kept {
                self.constants.values.borrow_mut().insert(place, values.clone());
            }
            values
        })
    }
}
