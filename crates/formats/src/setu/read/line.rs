//! Lines (BG-25 to BG-32). A line with lines in it is a group: its amounts are those of its lines.

use quoin_model::codes;
use quoin_model::en16931::{
    AttributeName, Derivation, DocumentReference, DutchLine, Invoice, ItemAttribute,
    ItemInformation, Line, Percentage, Period, Price, Quantity, StaffingGroup, TaxCategory, Text,
    ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::{HOUR, HOUR_TYPE, PIECE, REGULAR, is_hours};
use super::{SetuWalk, child, document, dutch, money, name, staffing};
use crate::reading::{RunningSum, implied};

/// Units of UN/ECE recommendation 20.
const UNITS: &str = "unece-rec20@peppol-bis3-2025-q2";
/// Units of recommendation 21, without the `X` before them.
const PACKAGES: &str = "unece-rec21@peppol-poacc-2025-q2";

/// What a group lends its lines.
#[derive(Clone, Copy)]
pub(super) struct LentByGroup<'d> {
    description: Option<Text<'d>>,
    rate: Option<Percentage<'d>>,
}

/// Reads `Line`, and the lines in it.
pub(super) fn read<'d>(
    walk: &mut SetuWalk<'d>,
    invoice: &mut Invoice<'d>,
    element: Element<'d>,
    lent: Option<LentByGroup<'d>>,
) {
    match child(element, "Line").is_some() {
        true => group(walk, invoice, element),
        false => {
            let line = one(walk, element, lent);
            invoice.lines.push(line);
        }
    }
}

/// A group and its lines.
fn group<'d>(walk: &mut SetuWalk<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut own = StaffingGroup::new(element);
    let first = invoice.lines.len();
    let (mut totals, mut lines) = (Vec::new(), Vec::new());
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "LineNumber" => walk.pass.take(&mut own.id, child),
            "Description" => walk.pass.take(&mut own.description, child),
            "ReasonCode" => walk.pass.take(&mut own.reason_code, child),
            "Charges" => totals.push(child),
            "Tax" => {
                let category: TaxCategory<'d> = money::of_line(walk, &mut own.taxes, child);
                own.rate.extend(category.rate.iter().copied());
            }
            "UserArea" => group_area(walk, &mut own, child),
            "Line" => lines.push(child),
            _ => walk.pass.unread(child),
        }
    }
    let lent = LentByGroup { description: own.description.filled(), rate: own.rate.filled() };
    lines.into_iter().for_each(|line| read(walk, invoice, line, Some(lent)));
    let sum = money::sum_of(invoice.lines.get(first..).unwrap_or_default());
    for charges in totals {
        total(walk, &mut own, sum, charges);
    }
    own.lines = first..invoice.lines.len();
    dutch(invoice).groups.push(own);
}

/// The total of a group, which follows from its lines where it is their sum.
fn total<'d>(
    walk: &mut SetuWalk<'d>,
    own: &mut StaffingGroup<'d>,
    sum: RunningSum,
    element: Element<'d>,
) {
    walk.pass.open(element);
    for one in element.elements() {
        if name(one) != "TotalCharge" {
            walk.pass.unread(one);
            continue;
        }
        let mut trial = SetuWalk { is_negated: walk.is_negated, ..SetuWalk::default() };
        let charge = money::charge(&mut trial, one);
        match trial.pass.residue.is_empty() && money::is_sum(sum, &charge.amount) {
            true => walk.pass.derive_whole(one),
            false => {
                let charge = money::charge(walk, one);
                own.total.extend(charge.amount.iter().copied());
                own.description.extend(charge.reason.iter().copied());
            }
        }
    }
}

/// What the customer wants to be told of a group, and the industry of the customer.
fn group_area<'d>(walk: &mut SetuWalk<'d>, own: &mut StaffingGroup<'d>, element: Element<'d>) {
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "StaffingAdditionalData" => {
                walk.pass.open(child);
                for inner in child.elements() {
                    match name(inner) {
                        "CustomerReportingRequirements" => {
                            own.requirements.push(staffing::requirements(walk, inner));
                        }
                        _ => walk.pass.unread(inner),
                    }
                }
            }
            "StaffingOrganization" => {
                walk.open_of(child, "typeOfOrganization", "Customer");
                for inner in child.elements() {
                    match name(inner) {
                        "Organization" => {
                            walk.wrapped(&mut own.industry, inner, &["IndustryCode"]);
                        }
                        _ => walk.pass.unread(inner),
                    }
                }
            }
            _ => walk.pass.unread(child),
        }
    }
}

/// A line without lines.
fn one<'d>(
    walk: &mut SetuWalk<'d>,
    element: Element<'d>,
    lent: Option<LentByGroup<'d>>,
) -> Line<'d> {
    let mut line = Line::new(element);
    let mut more = DutchLine::default();
    let mut item = ItemInformation::new(element);
    let (mut descriptions, mut areas, mut hours) = (Vec::new(), Vec::new(), None);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "LineNumber" => walk.pass.take(&mut line.id, child),
            "Description" => descriptions.push(walk.pass.value::<Text<'d>>(child)),
            "Note" => walk.pass.take(&mut line.note, child),
            "ReasonCode" => walk.pass.take(&mut item.name, child),
            "Charges" => money::of_charges(walk, &mut line, child),
            "Tax" => {
                let category = money::of_line(walk, &mut more.taxes, child);
                line.tax_category.push(category);
            }
            "Price" => price(walk, &mut line, child),
            "ItemQuantity" => {
                let unit = quantity(walk, &mut line, &mut item, child);
                hours = unit.filter(|unit| is_hours(&unit.trimmed()));
            }
            "Allowance" => {
                let own = money::allowance(walk, child);
                line.allowance_charges.push(own);
            }
            "DocumentReferences" => {
                let all = document::references(walk, child);
                line.extensions.get_or_insert_default().billing_references.extend(all);
            }
            "UserArea" => areas.push(child),
            _ => walk.pass.unread(child),
        }
    }
    named(&mut item, hours, descriptions);
    line.item.push(item);
    areas.into_iter().for_each(|area| self::area(walk, &mut line, &mut more, area));
    if let Some(lent) = lent {
        line.note.extend(lent.description);
        if line.tax_category.is_absent() {
            line.tax_category.extend(lent.rate.map(|rate| rated(element, rate)));
        }
    }
    if !more.requirements.is_empty() || !more.taxes.is_empty() {
        line.extensions.get_or_insert_default().netherlands = Some(Box::new(more));
    }
    line
}

/// A category at the rate of a group.
fn rated<'d>(element: Element<'d>, rate: Percentage<'d>) -> TaxCategory<'d> {
    let mut category = TaxCategory::new(element);
    let text = rate.trimmed().into_owned();
    category.rate.push(rate.saying(Derivation::Implied, text).into());
    money::implied_category(&mut category);
    category
}

/// BT-153 is what was charged, or of hours their kind; else the description, which is BT-154 beside
/// a name.
fn named<'d>(
    item: &mut ItemInformation<'d>,
    hours: Option<ValueSource<'d>>,
    descriptions: Vec<Text<'d>>,
) {
    let is_named = item.name.is_filled();
    if is_named {
        return item.description.extend(descriptions);
    }
    if let Some(hours) = hours {
        item.name.push(hours.into());
        return item.description.extend(descriptions);
    }
    let mut all = descriptions.into_iter();
    item.name.extend(all.next());
    item.description.extend(all);
}

/// BT-129, BT-130 and the kind of hours; gives the unit as it stands.
fn quantity<'d>(
    walk: &mut SetuWalk<'d>,
    line: &mut Line<'d>,
    item: &mut ItemInformation<'d>,
    element: Element<'d>,
) -> Option<ValueSource<'d>> {
    let (own, unit) = walk.quantity(element);
    let signed = Quantity::from(walk.signed(*own));
    let Some(unit) = unit else {
        line.quantity.push(signed);
        return None;
    };
    line.quantity.push(signed.with(&[(AttributeName::UnitCode, known_unit(unit))]).into());
    if is_told_by_attribute(&unit.trimmed()) {
        let mut kind = ItemAttribute::new(element);
        kind.name.push(unit.saying(Derivation::Named, HOUR_TYPE).into());
        kind.value.push(unit.into());
        item.attributes.push(kind);
    }
    Some(unit)
}

/// Whether a kind of hours, or a unit that is in no list, is told by an attribute of the item.
fn is_told_by_attribute(unit: &str) -> bool {
    match is_hours(unit) {
        true => !unit.eq_ignore_ascii_case(REGULAR),
        false => !is_listed(unit),
    }
}

fn is_listed(unit: &str) -> bool {
    let is_in = |list, code| codes::by_key(list).is_some_and(|list| list.contains(code));
    let is_package = unit.strip_prefix('X').is_some_and(|code| is_in(PACKAGES, code));
    unit == PIECE || is_in(UNITS, unit) || is_package
}

/// A kind of hours is an hour; a unit that is in no list a piece.
fn known_unit(unit: ValueSource<'_>) -> ValueSource<'_> {
    let text = unit.trimmed();
    match () {
        () if is_hours(&text) => unit.saying(Derivation::Mapped, HOUR),
        () if is_listed(&text) => unit,
        () => unit.saying(Derivation::Mapped, PIECE),
    }
}

/// BG-29.
fn price<'d>(walk: &mut SetuWalk<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let mut price = Price::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Amount" => {
                let own = walk.price(child);
                price.net.push(own);
            }
            "PerQuantity" => {
                let (own, unit) = walk.quantity(child);
                let unit = unit.map(|unit| (AttributeName::UnitCode, known_unit(unit)));
                price.base_quantity.push(own.with(unit.as_slice()).into());
            }
            _ => walk.pass.unread(child),
        }
    }
    line.price.push(price);
}

/// `UserArea` of a line.
fn area<'d>(
    walk: &mut SetuWalk<'d>,
    line: &mut Line<'d>,
    more: &mut DutchLine<'d>,
    element: Element<'d>,
) {
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "StaffingAdditionalData" => {}
            "TimeCard" => {
                time_card(walk, line, child);
                continue;
            }
            _ => {
                walk.pass.unread(child);
                continue;
            }
        }
        walk.pass.open(child);
        for inner in child.elements() {
            match name(inner) {
                "CustomerReportingRequirements" => {
                    let own = staffing::of_line(walk, line, inner);
                    if !own.values.is_empty() || !own.others.is_empty() {
                        more.requirements.push(own);
                    }
                }
                _ => walk.pass.unread(inner),
            }
        }
    }
}

/// A time card, of which the period is BG-26 and the number is BT-128. The rest of it is a document
/// of its own.
fn time_card<'d>(walk: &mut SetuWalk<'d>, line: &mut Line<'d>, element: Element<'d>) {
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Id" => {
                let mut document = DocumentReference::new(child);
                walk.wrapped(&mut document.id, child, &["IdValue"]);
                document.type_code.push(implied(child, "130"));
                line.documents.push(document);
            }
            "ReportedTime" => {
                let mut period = Period::new(child);
                walk.pass.open(child);
                for inner in child.elements() {
                    match name(inner) {
                        "PeriodStartDate" => walk.pass.take(&mut period.start, inner),
                        "PeriodEndDate" => walk.pass.take(&mut period.end, inner),
                        _ => walk.pass.unread(inner),
                    }
                }
                line.period.push(period);
            }
            _ => walk.pass.unread(child),
        }
    }
}
