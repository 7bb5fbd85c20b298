//! Lines in CII: BG-25 to BG-30.

use quoin_xml::tree::Element;

use super::{delivery, document, indicator, party, product, ram, references, settlement, tax};
use crate::reading::Pass;
use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Code, DeliveryInformation, DocumentReference, Field, Line, LineTax, OrderLineReference,
    PartyRole, Price, Quantity, VatBreakdown,
};

/// Reads `IncludedSupplyChainTradeLineItem`.
pub(super) fn read<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Line<'d> {
    let mut line = Line::new(element);
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "AssociatedDocumentLineDocument" => head(pass, &mut line, child),
            "SpecifiedTradeProduct" => line.item.push(product::read(pass, child)),
            "SpecifiedLineTradeAgreement" => agreement(pass, &mut line, child),
            "SpecifiedLineTradeDelivery" => line_delivery(pass, &mut line, child),
            "SpecifiedLineTradeSettlement" => line_settlement(pass, &mut line, child),
            _ => pass.unread(child),
        }
    }
    settle_base(&mut line);
    line
}

/// BT-149 stands beside the net price. Where it stands beside the gross price alone, it is of both
/// if the line amount (BT-131) says so, and else of the gross price only.
fn settle_base(line: &mut Line<'_>) {
    let [price] = line.price.all() else { return };
    let Some(gross) = price.gross_base_quantity.filled() else { return };
    if !price.base_quantity.is_filled() && is_of_both(line, price, gross).unwrap_or_default() {
        line.price.all_mut().iter_mut().for_each(|price| price.base_quantity.push(gross));
    }
}

/// Whether the line amount is nearer to the price of so many than to that of one, and it is it.
fn is_of_both(line: &Line<'_>, price: &Price<'_>, base: Quantity<'_>) -> Option<bool> {
    let whole = price.net.value()?.checked_mul(line.quantity.value()?)?;
    let mut other = line.net_amount.value()?;
    for one in line.allowance_charges.iter() {
        let amount = one.amount.value()?;
        other = match one.is_charge() {
            true => other.checked_sub(amount)?,
            false => other.checked_add(amount)?,
        };
    }
    let off = |price: Decimal| Some(price.round_to_cents().checked_sub(other)?.abs());
    let (of_both, of_one) = (off(whole.checked_div(base.value()?)?)?, off(whole)?);
    let is_at_most = |one: Decimal, most: Decimal| {
        one.checked_sub(most).is_some_and(|rest| rest.is_negative() || rest.is_zero())
    };
    Some(is_at_most(of_both, of_one) && is_at_most(of_both, Decimal::new(2, 2)))
}

fn head<'d>(pass: &mut Pass<'d>, line: &mut Line<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "LineID" => pass.take(&mut line.id, child),
            "IncludedNote" => {
                let mut note = document::note(pass, child);
                line.note.append(&mut note.text);
                if note.subject_code.is_present() || note.content_code.is_present() {
                    let more = line.extensions.get_or_insert_default();
                    let subjects = note.subject_code.iter().map(|&code| Code::from(code));
                    more.note_codes.extend(subjects);
                    more.note_codes.extend(note.content_code.iter().copied());
                }
            }
            "ParentLineID" => {
                pass.take(&mut line.extensions.get_or_insert_default().parent, child);
            }
            "LineStatusCode" => {
                pass.take(&mut line.extensions.get_or_insert_default().status, child);
            }
            "LineStatusReasonCode" => {
                pass.take(&mut line.extensions.get_or_insert_default().status_reason, child);
            }
            _ => pass.unread(child),
        }
    }
}

/// `SpecifiedLineTradeAgreement`: BG-29, BT-132.
fn agreement<'d>(pass: &mut Pass<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let mut price = Price::new(element);
    let mut priced = false;
    let mut sales = Field::default();
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "NetPriceProductTradePrice" => {
                net_price(pass, &mut price, child);
                priced = true;
            }
            "GrossPriceProductTradePrice" => {
                gross_price(pass, &mut price, child);
                priced = true;
            }
            "BuyerOrderReferencedDocument" => {
                let reference = references::read(pass, child);
                line.order_lines.push(order_line(child, reference));
            }
            "AdditionalReferencedDocument" => line.documents.push(references::read(pass, child)),
            "ItemSellerTradeParty" | "ItemBuyerTradeParty" => {
                let party = party::read(pass, PartyRole::Other, child);
                line.extensions.get_or_insert_default().parties.push(party);
            }
            "SellerOrderReferencedDocument" => {
                let mut reference = references::read(pass, child);
                sales.append(&mut reference.line_id);
                if reference.id.is_present() || reference.issue_date.is_present() {
                    line.extensions.get_or_insert_default().billing_references.push(reference);
                }
            }
            "QuotationReferencedDocument"
            | "ContractReferencedDocument"
            | "UltimateCustomerOrderReferencedDocument" => {
                let reference = references::read(pass, child);
                line.extensions.get_or_insert_default().billing_references.push(reference);
            }
            _ => pass.unread(child),
        }
    }
    if sales.is_present() {
        if line.order_lines.is_absent() {
            line.order_lines.push(OrderLineReference::new(element));
        }
        if let Some(order_line) = line.order_lines.all_mut().first_mut() {
            order_line.sales_line_id.append(&mut sales);
        }
    }
    if priced {
        line.price.push(price);
    }
}

/// BT-132 is the line; the rest names the order.
fn order_line<'d>(
    element: Element<'d>,
    mut reference: DocumentReference<'d>,
) -> OrderLineReference<'d> {
    let mut order_line = OrderLineReference::new(element);
    order_line.line_id.append(&mut reference.line_id);
    if reference.id.is_present() || reference.issue_date.is_present() {
        order_line.order.push(reference);
    }
    order_line
}

fn net_price<'d>(pass: &mut Pass<'d>, price: &mut Price<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ChargeAmount" => pass.take(&mut price.net, child),
            "BasisQuantity" => pass.take(&mut price.base_quantity, child),
            "OrderUnitConversionFactorNumeric" => {
                pass.take(&mut price.extensions.get_or_insert_default().unit_factor, child);
            }
            "IncludedTradeTax" => {
                let included = tax::breakdown(pass, child);
                price.extensions.get_or_insert_default().included_taxes.push(included);
            }
            "AppliedTradeAllowanceCharge" => {
                let adjustment = tax::allowance_charge(pass, child);
                price.extensions.get_or_insert_default().adjustments.push(adjustment);
            }
            _ => pass.unread(child),
        }
    }
}

fn gross_price<'d>(pass: &mut Pass<'d>, price: &mut Price<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ChargeAmount" => pass.take(&mut price.gross, child),
            "BasisQuantity" => pass.take(&mut price.gross_base_quantity, child),
            "AppliedTradeAllowanceCharge" => discount(pass, price, child),
            _ => pass.unread(child),
        }
    }
}

/// BT-147: the amount of `AppliedTradeAllowanceCharge`.
fn discount<'d>(pass: &mut Pass<'d>, price: &mut Price<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ActualAmount" => pass.take(&mut price.discount, child),
            "ChargeIndicator" => indicator(pass, &mut price.discount_indicator, child),
            "Reason" => pass.take(&mut price.extensions.get_or_insert_default().reason, child),
            "ReasonCode" => {
                pass.take(&mut price.extensions.get_or_insert_default().reason_code, child);
            }
            "CalculationPercent" => {
                pass.take(&mut price.extensions.get_or_insert_default().percentage, child);
            }
            "BasisAmount" => {
                pass.take(&mut price.extensions.get_or_insert_default().base_amount, child);
            }
            "CategoryTradeTax" => {
                let more = price.extensions.get_or_insert_default();
                let category = tax::taxed_category(pass, &mut more.tax, child);
                more.tax_category.push(category);
            }
            _ => pass.unread(child),
        }
    }
}

/// `SpecifiedLineTradeDelivery`: BT-129; where and when is an extension.
fn line_delivery<'d>(pass: &mut Pass<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let mut place = DeliveryInformation::new(element);
    let mut placed = false;
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "BilledQuantity" => pass.take(&mut line.quantity, child),
            "ChargeFreeQuantity" | "PackageQuantity" | "RequestedQuantity" => {
                line.extensions.get_or_insert_default().quantities.push(pass.value(child));
            }
            "ShipToTradeParty" => {
                delivery::ship_to(pass, &mut place, child);
                placed = true;
            }
            "UltimateShipToTradeParty" => {
                place.party.push(party::read(pass, PartyRole::UltimateShipTo, child));
                placed = true;
            }
            "ActualDeliverySupplyChainEvent" => {
                delivery::event(pass, &mut place.date, child);
                placed = true;
            }
            "DespatchAdviceReferencedDocument" => {
                let reference = references::read(pass, child);
                line.extensions.get_or_insert_default().despatch_lines.push(reference);
            }
            "ReceivingAdviceReferencedDocument" => {
                let reference = references::read(pass, child);
                line.extensions.get_or_insert_default().receipt_lines.push(reference);
            }
            "DeliveryNoteReferencedDocument" => {
                let reference = references::read(pass, child);
                line.extensions.get_or_insert_default().billing_references.push(reference);
            }
            _ => pass.unread(child),
        }
    }
    if placed {
        line.extensions.get_or_insert_default().deliveries.push(place);
    }
}

/// `SpecifiedLineTradeSettlement`: BT-128, BT-131, BT-133, BG-26 to BG-28, BG-30.
fn line_settlement<'d>(pass: &mut Pass<'d>, line: &mut Line<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ApplicableTradeTax" => {
                line_tax(pass, line, child);
            }
            "BillingSpecifiedPeriod" => line.period.push(settlement::period(pass, child)),
            "SpecifiedTradeAllowanceCharge" => {
                line.allowance_charges.push(tax::allowance_charge(pass, child));
            }
            "SpecifiedTradeSettlementLineMonetarySummation" => summation(pass, line, child),
            "AdditionalReferencedDocument" => line.documents.push(references::read(pass, child)),
            "InvoiceReferencedDocument" => {
                let reference = references::read(pass, child);
                line.extensions.get_or_insert_default().billing_references.push(reference);
            }
            "ReceivableSpecifiedTradeAccountingAccount" => account(pass, line, child),
            _ => pass.unread(child),
        }
    }
}

/// BG-30, and the tax of the line itself, which only extensions have.
fn line_tax<'d>(pass: &mut Pass<'d>, line: &mut Line<'d>, element: Element<'d>) {
    let mut due = Field::default();
    let mut sums = VatBreakdown::new(element);
    let category = tax::line_category(pass, &mut due, &mut sums, element);
    if due.is_present() {
        line.extensions.get_or_insert_default().tax_point_date_code.append(&mut due);
    }
    if sums.tax_amount.is_present() || sums.taxable_amount.is_present() {
        sums.category.push(category.clone());
        let mut tax = LineTax::new(element);
        tax.breakdown.push(sums);
        line.extensions.get_or_insert_default().taxes.push(tax);
    }
    line.tax_category.push(category);
}

fn summation<'d>(pass: &mut Pass<'d>, line: &mut Line<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "LineTotalAmount" => pass.take(&mut line.net_amount, child),
            "GrandTotalAmount" => {
                pass.take(&mut line.extensions.get_or_insert_default().gross_amount, child);
            }
            "TaxTotalAmount" => {
                let taxes = &mut line.extensions.get_or_insert_default().taxes;
                match taxes.first_mut() {
                    Some(tax) => pass.take(&mut tax.amount, child),
                    None => {
                        let mut tax = LineTax::new(child);
                        pass.take(&mut tax.amount, child);
                        taxes.push(tax);
                    }
                }
            }
            "ChargeTotalAmount" | "AllowanceTotalAmount" | "TotalAllowanceChargeAmount" => {
                line.extensions.get_or_insert_default().totals.push(pass.value(child));
            }
            _ => pass.unread(child),
        }
    }
}

fn account<'d>(pass: &mut Pass<'d>, line: &mut Line<'d>, element: Element<'d>) {
    pass.open(element);
    for child in element.elements() {
        match ram(child) {
            "ID" => pass.take(&mut line.accounting_reference, child),
            "TypeCode" => {
                pass.take(&mut line.extensions.get_or_insert_default().accounting_code, child);
            }
            _ => pass.unread(child),
        }
    }
}
