//! Lines (BG-25 to BG-32).

use quoin_model::en16931::{
    AllowanceCharge, AttributeName, Derivation, DocumentReference, DutchLine, DutchProcessing,
    Field, Identifier, ItemAttribute, ItemInformation, Line, OrderLineReference, Price, Quantity,
    UnitCode, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::{GTIN, UNITS};
use super::{DicoWalk, money, name};
use crate::reading::lookup;

/// Quantities of a line, each with an element for its unit.
#[derive(Default)]
struct DicoQuantities<'d> {
    invoiced: Field<Quantity<'d>>,
    delivered: Field<Quantity<'d>>,
    /// The element and what it says, because it may be checked only.
    delivered_element: Option<Element<'d>>,
    delivered_unit: Option<ValueSource<'d>>,
    basis_unit: Option<ValueSource<'d>>,
}

/// Reads `InvoiceLine`.
pub(super) fn read<'d>(walk: &mut DicoWalk<'d>, element: Element<'d>) -> Line<'d> {
    let mut line = Line::new(element);
    let mut more = DutchLine::default();
    let mut quantities = DicoQuantities::default();
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "LineNumber" => walk.pass.take(&mut line.id, child),
            "DeliveredQuantity" if quantities.delivered_element.is_none() => {
                quantities.delivered_element = Some(child);
            }
            "DeliveredQuantityUoM" | "DeliveredQuantityMeasureUnitCode" => {
                quantities.delivered_unit = Some(unit(walk, child));
            }
            "NumberOfInvoicingUnits" => {
                let own = walk.signed(child);
                quantities.invoiced.push(own);
            }
            "NetLineAmount" => walk.amount(&mut line.net_amount, child),
            "FreeText" => walk.pass.take(&mut line.note, child),
            "TradeItemIdentification" => item(walk, &mut line, &mut more, child),
            "TradeItemProcessing" => {
                let own = processing(walk, child);
                more.processing.push(own);
            }
            "FurtherIdentifyingCharacteristics" => walk.pass.take(&mut more.kind, child),
            "PriceInformation" => price(walk, &mut line, &mut more, &mut quantities, child),
            "Allowance" | "Charge" => {
                let own: AllowanceCharge<'d> = money::allowance_charge(walk, child);
                line.allowance_charges.push(own);
            }
            "VATInformation" => {
                let category = money::category(walk, child, None);
                line.tax_category.push(category);
            }
            "OrderLineIdentification" => {
                let mut own = OrderLineReference::new(child);
                walk.pass.take(&mut own.line_id, child);
                line.order_lines.push(own);
            }
            "DespatchAdviceLineIdentification" => {
                let mut own = DocumentReference::new(child);
                walk.pass.take(&mut own.line_id, child);
                line.extensions.get_or_insert_default().despatch_lines.push(own);
            }
            _ => walk.pass.unread(child),
        }
    }
    settle(walk, &mut line, &mut more, quantities);
    if has_more(&more) {
        line.extensions.get_or_insert_default().netherlands = Some(Box::new(more));
    }
    line
}

fn has_more(more: &DutchLine<'_>) -> bool {
    more.kind.is_present()
        || more.delivered.is_present()
        || !more.dimensions.is_empty()
        || more.processing_charge.is_present()
        || more.price_basis.is_present()
        || !more.processing.is_empty()
}

/// A unit in the list of EN 16931.
fn unit<'d>(walk: &mut DicoWalk<'d>, element: Element<'d>) -> ValueSource<'d> {
    let own: UnitCode<'d> = walk.pass.value(element);
    match lookup(UNITS, &own.trimmed()) {
        Some(known) if !own.is(known) => own.saying(Derivation::Mapped, known),
        _ => *own,
    }
}

/// BT-129 is the quantity that is invoiced, in the unit of delivery where it is what was delivered,
/// and else in that of the price.
fn settle<'d>(
    walk: &mut DicoWalk<'d>,
    line: &mut Line<'d>,
    more: &mut DutchLine<'d>,
    mut quantities: DicoQuantities<'d>,
) {
    let with = |quantity: Quantity<'d>, unit: Option<ValueSource<'d>>| match unit {
        Some(unit) => Quantity::from(quantity.with(&[(AttributeName::UnitCode, unit)])),
        None => quantity,
    };
    let DicoQuantities { delivered_unit, basis_unit, .. } = quantities;
    let own = quantities.invoiced.get();
    if let Some(element) = quantities.delivered_element {
        let text = element.text().trim().to_owned();
        let number = quoin_model::amount::Decimal::parse(&text).ok();
        let invoiced = own.map(|own| own.as_written());
        let invoiced = invoiced
            .and_then(|own| quoin_model::amount::Decimal::parse(own.trim()).ok())
            .filter(|_| own.is_some());
        if number.is_some() && number == invoiced {
            walk.pass.derive(element, &text);
        } else {
            let value = walk.signed(element);
            quantities.delivered.push(value);
        }
    }
    match own {
        Some(_) => {
            let is_delivered = quantities.delivered.is_absent();
            let own_unit = if is_delivered { delivered_unit.or(basis_unit) } else { basis_unit };
            let all = quantities.invoiced.iter();
            line.quantity.extend(all.map(|one| with(*one, own_unit)));
            let delivered = quantities.delivered.iter();
            more.delivered.extend(delivered.map(|one| with(*one, delivered_unit)));
        }
        None => {
            let delivered = quantities.delivered.iter();
            line.quantity.extend(delivered.map(|one| with(*one, delivered_unit)));
        }
    }
}

/// BG-31.
fn item<'d>(
    walk: &mut DicoWalk<'d>,
    line: &mut Line<'d>,
    more: &mut DutchLine<'d>,
    element: Element<'d>,
) {
    let mut item = ItemInformation::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "GTIN" => walk.id_of(&mut item.standard_id, child, GTIN),
            "SuppliersTradeItemId" | "SuppliersTradeItemIdentification" => {
                walk.pass.take(&mut item.seller_id, child);
            }
            "AdditionalItemIdentification" => description(walk, &mut item, more, child),
            _ => walk.pass.unread(child),
        }
    }
    line.item.push(item);
}

/// BT-153, and what is an attribute of the item (BG-32) by the name of its element.
fn description<'d>(
    walk: &mut DicoWalk<'d>,
    item: &mut ItemInformation<'d>,
    more: &mut DutchLine<'d>,
    element: Element<'d>,
) {
    walk.pass.open(element);
    for child in element.elements() {
        let known = match name(child) {
            "TradeItemDescription" => {
                walk.pass.take(&mut item.name, child);
                continue;
            }
            "PhysicalDimensions" => {
                dimensions(walk, more, child);
                continue;
            }
            "Colour" => "Colour",
            "Size" => "Size",
            "SerialNumber" => "SerialNumber",
            _ => {
                walk.pass.unread(child);
                continue;
            }
        };
        let mut own = ItemAttribute::new(child);
        walk.pass.take(&mut own.value, child);
        own.name.push(ValueSource::of(child).saying(Derivation::Named, known).into());
        item.attributes.push(own);
    }
}

fn dimensions<'d>(walk: &mut DicoWalk<'d>, more: &mut DutchLine<'d>, element: Element<'d>) {
    let (mut own, mut units): (Vec<Quantity<'d>>, Vec<ValueSource<'d>>) = (Vec::new(), Vec::new());
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Width" | "Length" | "Height" => own.push(walk.pass.value(child)),
            "MeasurementUnitCode" | "MeasurementUoM" if units.is_empty() => {
                units.push(unit(walk, child));
            }
            _ => walk.pass.unread(child),
        }
    }
    let units: Vec<_> = units.iter().map(|unit| (AttributeName::UnitCode, *unit)).collect();
    match own.as_slice() {
        // A unit of nothing is a quantity that says nothing.
        [] => more.dimensions.extend(units.first().map(|(_, unit)| Quantity::from(*unit))),
        all => more.dimensions.extend(all.iter().map(|one| Quantity::from(one.with(&units)))),
    }
}

fn processing<'d>(walk: &mut DicoWalk<'d>, element: Element<'d>) -> DutchProcessing<'d> {
    let mut own = DutchProcessing::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "ProcessingGTIN" => {
                let id: Identifier<'d> = walk.pass.value(child);
                own.id.push(id);
            }
            "ProcessingSequence" => walk.pass.take(&mut own.sequence, child),
            "ProcessingDescription" => walk.pass.take(&mut own.description, child),
            _ => walk.pass.unread(child),
        }
    }
    own
}

/// BG-29.
fn price<'d>(
    walk: &mut DicoWalk<'d>,
    line: &mut Line<'d>,
    more: &mut DutchLine<'d>,
    quantities: &mut DicoQuantities<'d>,
    element: Element<'d>,
) {
    let mut price = Price::new(element);
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Price" | "NetPrice" => walk.pass.take(&mut price.net, child),
            "GrossPrice" => walk.pass.take(&mut price.gross, child),
            "GrossPriceProcessingCharge" => walk.pass.take(&mut more.processing_charge, child),
            "PriceBase" => base(walk, &mut price, more, quantities, child),
            _ => walk.pass.unread(child),
        }
    }
    line.price.push(price);
}

/// BT-149, BT-150.
fn base<'d>(
    walk: &mut DicoWalk<'d>,
    price: &mut Price<'d>,
    more: &mut DutchLine<'d>,
    quantities: &mut DicoQuantities<'d>,
    element: Element<'d>,
) {
    let mut own: Field<Quantity<'d>> = Field::default();
    walk.pass.open(element);
    for child in element.elements() {
        match name(child) {
            "NumberOfUnitsInPriceBasis" => walk.pass.take(&mut own, child),
            "PriceBasisUoM" | "MeasureUnitPriceBasis" => {
                quantities.basis_unit = Some(unit(walk, child));
            }
            "PriceBaseDescription" => walk.pass.take(&mut more.price_basis, child),
            _ => walk.pass.unread(child),
        }
    }
    let unit = quantities.basis_unit.map(|unit| (AttributeName::UnitCode, unit));
    price.base_quantity.extend(own.iter().map(|one| match unit {
        Some(unit) => Quantity::from(one.with(&[unit])),
        None => *one,
    }));
}
