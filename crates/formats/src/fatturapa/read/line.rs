//! Lines (2.2.1): BG-25 to BG-32.

use std::collections::BTreeSet;

use quoin_model::en16931::{
    AttributeName, Classification, Derivation, Identifier, ItalianLine, ItemAttribute,
    ItemInformation, Line, Period, Price, Quantity, Text, ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::{GTIN, UNITS};
use super::vat::CategoryParts;
use super::{adjustment, day, name};
use crate::reading::{Pass, implied, lookup};

/// What of a line belongs together and stands apart.
#[derive(Default)]
struct LineParts<'d> {
    category: CategoryParts<'d>,
    quantity: Vec<Quantity<'d>>,
    unit: Option<Element<'d>>,
}

/// Reads `DettaglioLinee`; `split` are the rates of which the buyer pays the VAT.
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    split: &BTreeSet<String>,
    element: Element<'d>,
) -> Line<'d> {
    let mut line = Line::new(element);
    let (mut item, mut price) = (ItemInformation::new(element), Price::new(element));
    let (mut period, mut parts) = (Period::new(element), LineParts::default());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "NumeroLinea" => pass.take(&mut line.id, child),
            "TipoCessionePrestazione" => pass.take(&mut own(&mut line).kind, child),
            "CodiceArticolo" => article(pass, &mut item, child),
            "Descrizione" => pass.take(&mut item.name, child),
            "Quantita" => parts.quantity.push(pass.value(child)),
            "UnitaMisura" if parts.unit.is_none() => {
                let _: Text<'_> = pass.value(child);
                parts.unit = Some(child);
            }
            "DataInizioPeriodo" => day(pass, &mut period.start, child),
            "DataFinePeriodo" => day(pass, &mut period.end, child),
            "PrezzoUnitario" => pass.take(&mut price.net, child),
            "ScontoMaggiorazione" => line.allowance_charges.push(adjustment::read(pass, child)),
            "PrezzoTotale" => pass.take(&mut line.net_amount, child),
            "AliquotaIVA" => parts.category.rate(pass, child),
            "Natura" => parts.category.nature(pass, child),
            "Ritenuta" => pass.take(&mut own(&mut line).withheld, child),
            "RiferimentoAmministrazione" => pass.take(&mut line.accounting_reference, child),
            "AltriDatiGestionali" => attribute(pass, &mut line, &mut item, child),
            _ => pass.unread(child),
        }
    }
    quantities(&mut line, &parts, element);
    let is_split = parts.category.rate_text().is_some_and(|rate| split.contains(rate.as_ref()));
    line.tax_category.extend(parts.category.category(element, is_split));
    if period.start.is_present() || period.end.is_present() {
        line.period.push(period);
    }
    if price.net.is_present() {
        line.price.push(price);
    }
    line.item.push(item);
    if !line.allowance_charges.is_empty() {
        adjustment::of_line(&mut line);
    }
    line
}

fn own<'l, 'd>(line: &'l mut Line<'d>) -> &'l mut ItalianLine<'d> {
    line.extensions.get_or_insert_default().italy.get_or_insert_default()
}

/// BT-129 and BT-130. Without a quantity it is one (SdI check 00423); without a unit a number.
fn quantities<'d>(line: &mut Line<'d>, parts: &LineParts<'d>, element: Element<'d>) {
    let unit = match parts.unit {
        Some(unit) => unit_code(ValueSource::of(unit)),
        None => ValueSource::of(element).saying(Derivation::Implied, "C62"),
    };
    let unit = [(AttributeName::UnitCode, unit)];
    line.quantity.extend(parts.quantity.iter().map(|one| Quantity::from(one.with(&unit))));
    if parts.quantity.is_empty() {
        let one: Quantity<'d> = implied(element, "1");
        line.quantity.push(Quantity::from(one.with(&unit)));
    }
}

/// A short name in the list of the model, whatever the case of its letters.
fn unit_code(unit: ValueSource<'_>) -> ValueSource<'_> {
    match lookup(UNITS, &unit.trimmed().to_lowercase()) {
        Some(code) => unit.saying(Derivation::Mapped, code),
        None => unit,
    }
}

/// Reads `CodiceArticolo` (2.2.1.3): the kind of code decides which term it is.
fn article<'d>(pass: &mut Pass<'d>, item: &mut ItemInformation<'d>, element: Element<'d>) {
    let (mut kind, mut values) = (None, Vec::new());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "CodiceTipo" if kind.is_none() => {
                kind = Some(pass.value::<Text<'d>>(child));
            }
            "CodiceValore" => values.push(pass.value::<Identifier<'d>>(child)),
            _ => pass.unread(child),
        }
    }
    let place = kind.map(|kind| *kind);
    let upper = kind.map(|kind| kind.trimmed().to_ascii_uppercase()).unwrap_or_default();
    match upper.as_str() {
        // A kind of code without a code.
        _ if values.is_empty() => {
            let mut own = Classification::new(element);
            own.name.extend(place.map(Text::from));
            item.classifications.push(own);
        }
        "FORN" => item.seller_id.extend(values),
        "CLI" => item.buyer_id.extend(values),
        "GTIN" | "EAN" => item.standard_id.extend(values.iter().map(|value| {
            let scheme = place.map(|place| place.saying(Derivation::Mapped, GTIN));
            let scheme = scheme.map(|scheme| (AttributeName::SchemeId, scheme));
            Identifier::from(value.with(scheme.as_slice()))
        })),
        _ => item.classifications.extend(values.iter().map(|value| {
            let list = place.map(|place| (AttributeName::ListId, place));
            let mut own = Classification::new(element);
            own.code.push(value.with(list.as_slice()).into());
            own
        })),
    }
}

/// Reads `AltriDatiGestionali` (2.2.1.16): BG-32, but for a note (BT-127) and the country of origin
/// (BT-159), which the rules on European invoices put there.
fn attribute<'d>(
    pass: &mut Pass<'d>,
    line: &mut Line<'d>,
    item: &mut ItemInformation<'d>,
    element: Element<'d>,
) {
    let mut own = ItemAttribute::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "TipoDato" => pass.take(&mut own.name, child),
            "RiferimentoTesto" => pass.take(&mut own.value, child),
            "RiferimentoNumero" => pass.take(&mut own.number, child),
            "RiferimentoData" => day(pass, &mut own.date, child),
            _ => pass.unread(child),
        }
    }
    let text_only = own.number.is_absent() && own.date.is_absent() && own.value.is_present();
    match own.name.text().as_deref() {
        Some("NOTA") if text_only => line.note.append(&mut own.value),
        Some("ORIGINE") if text_only => {
            item.origin.extend(own.value.iter().map(|value| (**value).into()));
        }
        _ => item.attributes.push(own),
    }
}
