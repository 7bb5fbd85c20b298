//! The element that makes a row broken, where it is another one than that of the row.

use quoin_xml::tree::Element;

use super::super::evaluate::Evaluator;
use super::super::notation::RowTest;
use super::super::{Outline, SubsetTable, TableRow};

impl SubsetTable {
    /// The element that makes a row broken at an element, where it is another one that is there:
    /// the value that is wrong, what is not used, what is there too often.
    pub fn culprit<'d>(
        &self,
        row: &TableRow,
        element: Element<'d>,
        outline: &Outline<'d>,
    ) -> Option<Element<'d>> {
        culprit(&Evaluator::new(self, outline), &row.test, element)
    }
}

fn culprit<'d>(
    evaluator: &Evaluator<'_, 'd>,
    test: &RowTest,
    element: Element<'d>,
) -> Option<Element<'d>> {
    match test {
        RowTest::In(_, _, paths)
        | RowTest::Is(_, _, paths)
        | RowTest::Isnt(_, _, paths)
        | RowTest::Within(_, _, paths)
        | RowTest::Length(_, paths)
        | RowTest::Decimals(_, paths)
        | RowTest::Date(paths)
        | RowTest::Starts(_, paths)
        | RowTest::Same(paths, _) => evaluator.nth_element(paths, element, 0),
        RowTest::Count(_, max, paths) => evaluator.nth_element(paths, element, *max),
        RowTest::Not(inner) => match &**inner {
            RowTest::Has(paths) => evaluator.nth_element(paths, element, 0),
            _ => None,
        },
        RowTest::And(parts) => {
            let broken = parts.iter().find(|part| !evaluator.holds(part, element));
            evaluator.take_failure();
            broken.and_then(|part| culprit(evaluator, part, element))
        }
        // "Not a, or b": where a is given, b is asked for.
        RowTest::Or(parts) => match parts.as_slice() {
            [RowTest::Not(_), rest] | [rest, RowTest::Not(_)] => culprit(evaluator, rest, element),
            _ => None,
        },
        RowTest::Has(_) | RowTest::Never | RowTest::Always | RowTest::Hand | RowTest::Ends(_) => {
            None
        }
    }
}
