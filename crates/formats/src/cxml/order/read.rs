//! Reading cXML 1.2 `OrderRequest` and `ConfirmationRequest`.
//!
//! Source: cXML 1.2.063 `cXML.dtd`, `Fulfill.dtd` and the user's guide.

mod answer;
mod header;
mod line;
mod party;

use quoin_model::en16931::{
    Date, Derivation, Field, Identifier, Indicator, ItemAttribute, Text, Time, ValueSource,
};
use quoin_model::order::{Order, OrderKind, OrderSyntax};
use quoin_model::text::SPACE;
use quoin_xml::tree::Element;

use super::super::codes::MODES;
use super::super::read::{CxmlWalk, at, open, text, value};
use crate::reading::{DocumentLeaf, OrderReading, day_of, mapped};

/// Reads the document element.
pub(super) fn read(kind: OrderKind, element: Element<'_>) -> OrderReading<'_> {
    let mut walk = CxmlWalk::default();
    walk.pass.has_languages = true;
    let mut order = Order::new(OrderSyntax::Cxml, kind, element);
    let own = DocumentLeaf::attribute_of;
    walk.pass.regenerated.extend(element.attributes().map(|one| own(element, one)));
    text(&mut walk.pass, element);
    let mut credentials = party::MessageEnds::default();
    let mut seen = false;
    for child in element.elements() {
        match child.local() {
            "Header" => party::credentials(&mut walk, &mut credentials, child),
            "Request" if !std::mem::replace(&mut seen, true) => {
                request(&mut walk, &mut order, child)
            }
            _ => walk.pass.unread(child),
        }
    }
    credentials.give(&mut order);
    finish(&mut order);
    walk.pass.order(order)
}

fn request<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, &["deploymentMode"]);
    if let Some(mode) = ValueSource::attribute_called(element, "", "deploymentMode") {
        match mode.is("production") {
            // What is no test says nothing.
            true => told(walk, element, "deploymentMode"),
            false => order.extensions.test.push(mapped::<Indicator<'d>>(mode, MODES)),
        }
    }
    let wanted = super::request(order.element);
    for child in element.elements() {
        match Some(child) == wanted {
            true => message(walk, order, child),
            false => walk.pass.unread(child),
        }
    }
}

fn message<'d>(walk: &mut CxmlWalk<'d>, order: &mut Order<'d>, element: Element<'d>) {
    open(&mut walk.pass, element, &[]);
    let is_answer = order.kind == OrderKind::Response;
    for child in element.elements() {
        match child.local() {
            "OrderRequestHeader" if !is_answer => header::read(walk, order, child),
            "ItemOut" if !is_answer => {
                let line = line::read(walk, child);
                order.lines.push(line);
            }
            "ConfirmationHeader" if is_answer => answer::header(walk, order, child),
            "OrderReference" | "OrderIDInfo" if is_answer => answer::order(walk, order, child),
            "ConfirmationItem" if is_answer => {
                let line = answer::line(walk, child);
                order.lines.push(line);
            }
            _ => walk.pass.unread(child),
        }
    }
}

/// Counts an attribute that was opened as told by something else.
fn told<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>, name: &str) {
    let own = element.attributes().filter(|one| one.local == name && one.namespace.is_empty());
    for attribute in own {
        walk.pass.read = walk.pass.read.saturating_sub(1);
        walk.pass.derived.push(DocumentLeaf::attribute_of(element, attribute));
    }
}

/// The currency is that of the total, else of the first price.
fn finish(order: &mut Order<'_>) {
    let total = order.totals.iter().find_map(|total| total.line_net.get()?.currency());
    let mut lines = order.lines.iter();
    let price = || lines.find_map(|line| line.price.first()?.net.get()?.currency());
    order.currency.extend(total.or_else(price));
}

/// A moment of an attribute: its day, and its time where it has one.
fn moment<'d>(
    day: &mut Field<Date<'d>>,
    time: &mut Field<Time<'d>>,
    element: Element<'d>,
    name: &str,
) {
    let Some(source) = ValueSource::attribute_called(element, "", name) else { return };
    day.push(day_of(source));
    let whole = source.trimmed().into_owned();
    // The zone that a writer without one puts there says nothing.
    let of_day = whole.split_once('T').map(|(_, time)| time.trim_matches(SPACE));
    let of_day = of_day.map(|time| time.strip_suffix("+00:00").unwrap_or(time).to_owned());
    if let Some(of_day) = of_day.filter(|time| !is_midnight(time)) {
        time.push(source.saying(Derivation::Part, of_day).into());
    }
}

/// Whether a time says nothing: a day is written so.
fn is_midnight(time: &str) -> bool {
    time.get(..8).is_none_or(|time| time == "00:00:00")
}

/// `Comments`: a text, and attachments.
fn comments<'d>(
    walk: &mut CxmlWalk<'d>,
    notes: &mut Field<Text<'d>>,
    element: Element<'d>,
) -> Vec<Element<'d>> {
    let attachments: Vec<_> =
        element.elements().filter(|child| child.local() == "Attachment").collect();
    if attachments.is_empty() && !element.elements().any(|_| true) {
        notes.push(value(&mut walk.pass, element, &[]));
        return attachments;
    }
    open(&mut walk.pass, element, &[]);
    if matches!(crate::reading::leaf(element), crate::reading::LeafKind::Text) {
        // The text is the note, not a text that is in no term.
        walk.pass.residue.pop();
        walk.pass.read += 1;
        notes.push(crate::reading::view(element));
    }
    for child in element.elements().filter(|child| child.local() != "Attachment") {
        walk.pass.unread(child);
    }
    attachments
}

/// `Extrinsic`: a fact with a name.
fn fact<'d>(walk: &mut CxmlWalk<'d>, element: Element<'d>) -> ItemAttribute<'d> {
    let mut fact = ItemAttribute::new(element);
    fact.value.push(value(&mut walk.pass, element, &["name"]));
    fact.name.extend(at::<Text<'d>>(element, "name"));
    fact
}

/// Reads an extrinsic that is a term into its field.
fn named<'d>(walk: &mut CxmlWalk<'d>, field: &mut Field<Identifier<'d>>, element: Element<'d>) {
    field.push(value(&mut walk.pass, element, &["name"]));
}
