//! Reading the messages about an order in UBL 2.1; the groups that invoices have, too, are read as
//! those are.
//!
//! Source: OASIS UBL 2.1 (ISO/IEC 19845); Peppol BIS Ordering 3 for the place of each term.

mod delivery;
mod line;

use quoin_model::en16931::PartyRole;
use quoin_model::order::{Order, OrderKind, OrderSyntax};
use quoin_xml::tree::Element;

use crate::reading::{OrderReading, Pass};
use crate::ubl::CAC;
use crate::ubl::read::UblName::{Aggregate, Basic};
use crate::ubl::read::{allowance, name, party, references, totals, wrapped};

/// Reads the document element.
pub(super) fn read(kind: OrderKind, element: Element<'_>) -> OrderReading<'_> {
    let mut pass = Pass::default();
    let mut order = Order::new(OrderSyntax::Ubl, kind, element);
    pass.open_root(element);
    for child in element.elements() {
        let known = match name(child) {
            Basic(local) => basic(&mut pass, &mut order, local, child),
            Aggregate(local) => {
                one_party(&mut pass, &mut order, local, child)
                    || reference(&mut pass, &mut order, local, child)
                    || group(&mut pass, &mut order, local, child)
            }
            _ => false,
        };
        if !known {
            pass.unread(child);
        }
    }
    pass.order(order)
}

/// The basic components. Whether it was one that is known.
fn basic<'d>(pass: &mut Pass<'d>, order: &mut Order<'d>, local: &str, child: Element<'d>) -> bool {
    let is_response = order.kind == OrderKind::Response;
    match local {
        "UBLVersionID" => pass.take(&mut order.extensions.ubl_version, child),
        "CustomizationID" => pass.take(&mut order.process.customization, child),
        "ProfileID" => pass.take(&mut order.process.profile, child),
        "ID" => pass.take(&mut order.number, child),
        "SalesOrderID" => pass.take(&mut order.sales_order, child),
        "IssueDate" => pass.take(&mut order.issue_date, child),
        "IssueTime" => pass.take(&mut order.issue_time, child),
        "OrderTypeCode" => pass.take(&mut order.type_code, child),
        "SequenceNumberID" => pass.take(&mut order.sequence, child),
        "OrderResponseCode" if is_response => pass.take(&mut order.response, child),
        "CancellationNote" => pass.take(&mut order.cancellation, child),
        "Note" => pass.take(&mut order.notes, child),
        "DocumentCurrencyCode" => pass.take(&mut order.currency, child),
        "CustomerReference" => pass.take(&mut order.buyer_reference, child),
        "AccountingCost" => pass.take(&mut order.accounting_reference, child),
        "LineCountNumeric" => {
            let lines = order.element.elements().filter(|other| other.is(CAC, "OrderLine"));
            pass.derive(child, &lines.count().to_string());
        }
        _ => return false,
    }
    true
}

/// The parties. Whether it was one. Who gets the invoice has a registered name, as the buyer has.
fn one_party<'d>(
    pass: &mut Pass<'d>,
    order: &mut Order<'d>,
    local: &str,
    child: Element<'d>,
) -> bool {
    let (role, field) = match local {
        "BuyerCustomerParty" => (PartyRole::Buyer, &mut order.buyer),
        "SellerSupplierParty" => (PartyRole::Seller, &mut order.seller),
        "OriginatorCustomerParty" => (PartyRole::Originator, &mut order.originator),
        "AccountingCustomerParty" => (PartyRole::Buyer, &mut order.invoicee),
        _ => return false,
    };
    field.extend(party::role(pass, role, child));
    true
}

/// The references. Whether it was one.
fn reference<'d>(
    pass: &mut Pass<'d>,
    order: &mut Order<'d>,
    local: &str,
    child: Element<'d>,
) -> bool {
    let all = &mut order.references;
    let field = match (order.kind, local) {
        (OrderKind::Order, "OrderDocumentReference") => &mut all.order,
        (OrderKind::Response | OrderKind::Change | OrderKind::Cancellation, "OrderReference") => {
            &mut all.order
        }
        (_, "OrderChangeDocumentReference") => &mut all.change,
        (_, "QuotationDocumentReference") => &mut all.quotation,
        (_, "OriginatorDocumentReference") => &mut all.originator,
        (_, "CatalogueReference") => &mut all.catalogue,
        (_, "Contract") => &mut all.contract,
        (_, "ProjectReference") => &mut all.project,
        (_, "AdditionalDocumentReference") => {
            all.documents.push(references::read(pass, child));
            return true;
        }
        _ => return false,
    };
    field.push(references::read(pass, child));
    true
}

/// The groups that are neither parties nor references. Whether it was one.
fn group<'d>(pass: &mut Pass<'d>, order: &mut Order<'d>, local: &str, child: Element<'d>) -> bool {
    match local {
        "ValidityPeriod" => order.validity.push(delivery::period(pass, child)),
        "Delivery" => order.delivery.push(delivery::read(pass, child)),
        "DeliveryTerms" => {
            order.delivery_terms.push(crate::ubl::read::delivery::terms(pass, child));
        }
        "PaymentTerms" => wrapped(pass, &mut order.payment_terms, child, "Note"),
        "AllowanceCharge" => order.allowance_charges.push(allowance::read(pass, child)),
        "TaxTotal" => wrapped(pass, &mut order.tax, child, "TaxAmount"),
        "AnticipatedMonetaryTotal" => order.totals.push(totals::read(pass, child)),
        "OrderLine" => order.lines.push(line::read(pass, child)),
        _ => return false,
    }
    true
}
