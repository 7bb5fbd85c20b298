//! Tests of what is kept: shapes, bounds, and that the second document of a shape is judged alike.

use std::cell::Cell;

use quoin_xml::tree::{Document, Limits};

use super::*;
use crate::subset::evaluate::Evaluator;
use crate::subset::plan::Shape;
use crate::subset::{Outline, RowOutcome, SubsetTable, table};

fn document(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).expect("well-formed")
}

fn order(body: &str) -> String {
    format!(
        "<Order xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Order-2\" \
         xmlns:c=\"urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2\" \
         xmlns:b=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\">\
         {body}</Order>"
    )
}

fn t01() -> &'static SubsetTable {
    table("peppol-t01", "2026-05").expect("T01")
}

fn under(text: &str) -> ShapeUnder {
    let document = document(text);
    let outline = Outline::new(&document);
    let shape = Shape::of(&outline).expect("a small document");
    shape.under(t01(), &Evaluator::new(t01(), &outline))
}

/// How many plans are made for documents, one after the other.
fn made(kept: &mut KeptPlans, texts: &[&str]) -> usize {
    let count = Cell::new(0);
    for text in texts {
        let shape = under(text);
        if kept.find(&shape).is_none() {
            count.set(count.get() + 1);
            kept.add(shape, Arc::new(TablePlan { places: Box::default() }));
        }
    }
    count.get()
}

#[test]
fn values_make_no_shape_and_every_name_does() {
    let plain = order("<b:ID>1</b:ID><c:OrderLine><b:ID>1</b:ID></c:OrderLine>");
    let others = [
        order("<b:ID>2</b:ID><c:OrderLine><b:ID>1</b:ID></c:OrderLine><c:OrderLine/>"),
        order("<b:ID>1</b:ID><c:OrderLine/>"),
        order("<b:ID schemeID='1'>1</b:ID><c:OrderLine><b:ID>1</b:ID></c:OrderLine>"),
        order("<b:ID>1</b:ID><c:OrderLine><b:ID schemeID='1'>1</b:ID></c:OrderLine>"),
        order("<b:ID>1</b:ID><c:OrderLine><b:UUID>1</b:UUID></c:OrderLine>"),
        order("<b:ID>1</b:ID><c:OrderLine><c:ID>1</c:ID></c:OrderLine>"),
        order("<c:OrderLine><b:ID>1</b:ID></c:OrderLine><b:ID>1</b:ID>"),
    ];
    assert_eq!(under(&plain), under(&plain.replace('1', "27")));
    assert_eq!(under(&plain), under(&others[0]), "how many there are is no shape");
    for other in &others[1..] {
        assert_ne!(under(&plain), under(other), "{other}");
    }
}

#[test]
fn a_name_around_the_document_is_another_shape() {
    let inner = order("<b:ID>1</b:ID>");
    let around = |name: &str| {
        let text = format!(
            "<e xmlns:b='urn:oasis:names:specification:ubl:schema:xsd:\
            CommonBasicComponents-2'><b:{name}/>{inner}</e>"
        );
        let document = document(&text);
        let order = document.root().elements().last().expect("the order");
        let outline = Outline::of(order);
        let shape = Shape::of(&outline).expect("a small document");
        shape.under(t01(), &Evaluator::new(t01(), &outline))
    };
    assert_eq!(around("Strange"), under(&inner));
    assert_ne!(around("CustomizationID"), under(&inner), "the table has that name");
}

#[test]
fn a_document_with_many_of_a_kind_has_a_plan_of_its_own() {
    let lines = |count: usize| order(&"<c:OrderLine/>".repeat(count));
    let has_shape = |text: &str| Shape::of(&Outline::new(&document(text))).is_some();
    assert!(has_shape(&lines(63)) && !has_shape(&lines(64)));
    let names: String = (0..20_000).map(|at| format!("<n{at}/>")).collect();
    assert!(!has_shape(&order(&names)), "a shape has an end");
}

#[test]
fn plans_are_kept_within_bounds_and_those_in_use_stay() {
    let mut kept = KeptPlans::default();
    let usual = order("<b:ID>1</b:ID>");
    assert_eq!(made(&mut kept, &[&usual, &usual, &usual]), 1);
    let long: String = (0..200).map(|at| format!("<name-of-an-element-{at}/>")).collect();
    let weight = under(&order(&long)).weight();
    let others = 3 * HALF / weight;
    for at in 0..others {
        let other = order(&long.replace("name", &format!("n{at:03}")));
        assert_eq!(made(&mut kept, &[&other, &usual]), 1, "the usual one stays");
        assert!(kept.weight <= HALF);
    }
    let count = kept.young.len() + kept.old.len();
    assert!(count < 2 * HALF / weight + 2 && count > HALF / weight / 2, "{count} of {others}");
}

#[test]
fn the_second_document_of_a_shape_is_told_the_same_things() {
    let told = |text: &str| {
        let document = document(text);
        let mut told = Vec::new();
        t01().walk(&Outline::new(&document), &mut |row, element, outcome| {
            if outcome != RowOutcome::Test {
                told.push((row.id, element.path(), outcome));
            }
        });
        told
    };
    let right = order(
        "<b:OrderTypeCode>220</b:OrderTypeCode><b:DocumentCurrencyCode>EUR</b:DocumentCurrencyCode>",
    );
    let wrong = right.replace("220", "1").replace("EUR", "EURO");
    let (first, second) = (told(&right), told(&wrong));
    assert_eq!(first, told(&right));
    assert_eq!(second, told(&wrong));
    assert!(second.len() > first.len(), "{first:?} {second:?}");
}
