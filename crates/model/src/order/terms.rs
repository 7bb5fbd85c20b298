//! The terms of an order as a flat list: which term, where, group by group.
//!
//! A term has a name of its own in each transaction; the table is by its path in UBL, which a term
//! has whatever the syntax of the document is. Extensions are not in it.
//!
//! Source: Peppol BIS Ordering 3 and Advanced Ordering 3, release 2025-Q2, syntax of T01, T76,
//! T114, T115, T116 and T110. Identifiers are as published, be they there twice.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Order, OrderDelivery, OrderKind, OrderPeriod, OrderedLine, SubstitutedItem};
use crate::en16931::{
    AllowanceCharge, BusinessTerm, Contact, DocumentReference, Field, ItemInformation, Party,
    PostalAddress, Price, TaxCategory, Totals, ValueSource, ValueType,
};

/// A path below the document element, and its term in each transaction.
type OrderTermRow = (&'static str, Vec<&'static str>);

/// The rows, in the order of the transactions above.
static TERMS: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let row = |line: &'static str| -> Option<OrderTermRow> {
        let mut cells = line.split('\t');
        Some((cells.next()?, cells.collect()))
    };
    include_str!("terms.txt").lines().filter_map(row).collect()
});

impl<'d> Order<'d> {
    /// Every term that the document has, group by group. A term that is there twice is in the list
    /// twice.
    pub fn terms(&self) -> Vec<BusinessTerm<'d>> {
        let list = Vec::with_capacity(32 + 16 * self.lines.len());
        let mut walk = OrderTermWalk { list, column: self.column(), at: String::new() };
        walk.document(self);
        walk.references(self);
        walk.parties(self);
        for delivery in &self.delivery {
            walk.inside("Delivery", |walk| walk.delivery(delivery));
        }
        for terms in &self.delivery_terms {
            walk.inside("DeliveryTerms", |walk| {
                walk.field("ID", &terms.id);
                walk.field("SpecialTerms", &terms.text);
            });
        }
        walk.field("PaymentTerms/Note", &self.payment_terms);
        for one in &self.allowance_charges {
            walk.inside("AllowanceCharge", |walk| walk.allowance(one));
        }
        walk.field("TaxTotal/TaxAmount", &self.tax);
        for totals in &self.totals {
            walk.inside("AnticipatedMonetaryTotal", |walk| walk.totals(totals));
        }
        for line in &self.lines {
            walk.inside("OrderLine", |walk| walk.line(line));
        }
        walk.list
    }

    /// Which transaction it is, as a column of the table.
    fn column(&self) -> usize {
        let is =
            |part: &str| self.process.customization.iter().any(|own| own.trimmed().contains(part));
        match self.kind {
            OrderKind::Order => 0,
            OrderKind::Response if is("order_agreement") => 5,
            OrderKind::Response if is("order_response_advanced") => 4,
            OrderKind::Response => 1,
            OrderKind::Change => 2,
            OrderKind::Cancellation => 3,
        }
    }
}

/// The list in the making, and the path of the group.
struct OrderTermWalk<'d> {
    list: Vec<BusinessTerm<'d>>,
    column: usize,
    at: String,
}

impl<'d> OrderTermWalk<'d> {
    fn inside(&mut self, step: &str, walk: impl FnOnce(&mut Self)) {
        let length = self.at.len();
        self.at.push_str(step);
        self.at.push('/');
        walk(self);
        self.at.truncate(length);
    }

    fn source(&mut self, step: &str, source: ValueSource<'d>) {
        let length = self.at.len();
        self.at.push_str(step);
        let id = TERMS.get(self.at.as_str()).and_then(|ids| ids.get(self.column));
        self.at.truncate(length);
        if let Some(id) = id.filter(|id| !id.is_empty()) {
            self.list.push(BusinessTerm { id, source });
        }
    }

    fn field<T: ValueType<'d>>(&mut self, step: &str, field: &Field<T>) {
        for value in field {
            self.source(step, value.source());
        }
    }

    fn document(&mut self, order: &Order<'d>) {
        self.field("CustomizationID", &order.process.customization);
        self.field("ProfileID", &order.process.profile);
        self.field("ID", &order.number);
        self.field("SalesOrderID", &order.sales_order);
        self.field("IssueDate", &order.issue_date);
        self.field("IssueTime", &order.issue_time);
        self.field("OrderTypeCode", &order.type_code);
        self.field("OrderResponseCode", &order.response);
        self.field("SequenceNumberID", &order.sequence);
        self.field("Note", &order.notes);
        self.field("CancellationNote", &order.cancellation);
        self.field("DocumentCurrencyCode", &order.currency);
        self.field("CustomerReference", &order.buyer_reference);
        self.field("AccountingCost", &order.accounting_reference);
        for period in &order.validity {
            self.inside("ValidityPeriod", |walk| walk.period(period));
        }
    }

    fn references(&mut self, order: &Order<'d>) {
        let all = &order.references;
        let of_order = match order.kind {
            OrderKind::Order => "OrderDocumentReference",
            _ => "OrderReference",
        };
        for (step, field) in [
            (of_order, &all.order),
            ("OrderChangeDocumentReference", &all.change),
            ("QuotationDocumentReference", &all.quotation),
            ("OriginatorDocumentReference", &all.originator),
            ("CatalogueReference", &all.catalogue),
            ("Contract", &all.contract),
            ("ProjectReference", &all.project),
        ] {
            for one in field {
                self.inside(step, |walk| walk.field("ID", &one.id));
            }
        }
        for one in &all.documents {
            self.inside("AdditionalDocumentReference", |walk| walk.attached(one));
        }
    }

    fn attached(&mut self, one: &DocumentReference<'d>) {
        self.field("ID", &one.id);
        self.field("DocumentType", &one.document_type);
        self.field("Attachment/EmbeddedDocumentBinaryObject", &one.embedded);
        self.field("Attachment/ExternalReference/URI", &one.uri);
    }

    fn parties(&mut self, order: &Order<'d>) {
        for (step, parties) in [
            ("BuyerCustomerParty", &order.buyer),
            ("SellerSupplierParty", &order.seller),
            ("OriginatorCustomerParty", &order.originator),
            ("AccountingCustomerParty", &order.invoicee),
        ] {
            for party in parties {
                self.inside(step, |walk| walk.inside("Party", |walk| walk.party(party)));
            }
        }
    }

    /// Of the parties that have a registered name it is the name; of others it is `PartyName`.
    fn party(&mut self, party: &Party<'d>) {
        self.field("EndpointID", &party.endpoint);
        self.field("PartyIdentification/ID", &party.identifiers);
        let is_registered = party.role.is_registered_by_name();
        let names = if is_registered { &party.trading_name } else { &party.name };
        self.field("PartyName/Name", names);
        for address in &party.address {
            self.inside("PostalAddress", |walk| walk.address(address));
        }
        for registration in &party.tax_registrations {
            self.field("PartyTaxScheme/CompanyID", &registration.id);
        }
        if is_registered {
            self.field("PartyLegalEntity/RegistrationName", &party.name);
        }
        self.field("PartyLegalEntity/CompanyID", &party.legal_registration);
        let more = party.extensions.as_deref();
        for address in more.iter().flat_map(|more| &more.registration_address) {
            self.inside("PartyLegalEntity/RegistrationAddress", |walk| walk.address(address));
        }
        for contact in &party.contact {
            self.inside("Contact", |walk| walk.contact(contact));
        }
    }

    fn contact(&mut self, contact: &Contact<'d>) {
        self.field("Name", &contact.name);
        self.field("Telephone", &contact.telephone);
        self.field("ElectronicMail", &contact.email);
    }

    fn address(&mut self, address: &PostalAddress<'d>) {
        self.field("StreetName", &address.line1);
        self.field("AdditionalStreetName", &address.line2);
        self.field("CityName", &address.city);
        self.field("PostalZone", &address.post_code);
        self.field("CountrySubentity", &address.subdivision);
        self.field("AddressLine/Line", &address.line3);
        self.field("Country/IdentificationCode", &address.country);
    }

    fn delivery(&mut self, delivery: &OrderDelivery<'d>) {
        self.field("ID", &delivery.id);
        self.field("DeliveryLocation/ID", &delivery.location);
        self.field("DeliveryLocation/Name", &delivery.location_name);
        for address in &delivery.address {
            self.inside("DeliveryLocation/Address", |walk| walk.address(address));
        }
        for period in &delivery.requested {
            self.inside("RequestedDeliveryPeriod", |walk| walk.period(period));
        }
        for period in &delivery.promised {
            self.inside("PromisedDeliveryPeriod", |walk| walk.period(period));
        }
        for party in &delivery.party {
            self.inside("DeliveryParty", |walk| walk.party(party));
        }
        self.field("Despatch/RequestedDespatchDate", &delivery.despatch_date);
        self.field("Despatch/RequestedDespatchTime", &delivery.despatch_time);
        self.field("Shipment/ShippingPriorityLevelCode", &delivery.priority);
        self.field("Shipment/TransportHandlingUnit/ShippingMarks", &delivery.marks);
    }

    /// One day is the first day, and the last.
    fn period(&mut self, period: &OrderPeriod<'d>) {
        self.field("StartDate", &period.day);
        self.field("StartTime", &period.time);
        self.field("StartDate", &period.start);
        self.field("StartTime", &period.start_time);
        self.field("EndDate", &period.end);
        self.field("EndTime", &period.end_time);
    }

    fn allowance(&mut self, one: &AllowanceCharge<'d>) {
        self.field("ChargeIndicator", &one.indicator);
        self.field("AllowanceChargeReasonCode", &one.reason_code);
        self.field("AllowanceChargeReason", &one.reason);
        self.field("MultiplierFactorNumeric", &one.percentage);
        self.field("Amount", &one.amount);
        self.field("BaseAmount", &one.base_amount);
        for category in &one.tax_category {
            self.inside("TaxCategory", |walk| walk.category(category));
        }
    }

    fn category(&mut self, category: &TaxCategory<'d>) {
        self.field("ID", &category.code);
        self.field("Percent", &category.rate);
        self.field("TaxScheme/ID", &category.scheme);
    }

    fn totals(&mut self, totals: &Totals<'d>) {
        self.field("LineExtensionAmount", &totals.line_net);
        self.field("TaxExclusiveAmount", &totals.without_vat);
        self.field("TaxInclusiveAmount", &totals.with_vat);
        self.field("AllowanceTotalAmount", &totals.allowances);
        self.field("ChargeTotalAmount", &totals.charges);
        self.field("PrepaidAmount", &totals.paid);
        self.field("PayableRoundingAmount", &totals.rounding);
        self.field("PayableAmount", &totals.due);
    }

    fn line(&mut self, line: &OrderedLine<'d>) {
        self.field("Note", &line.notes);
        self.inside("LineItem", |walk| {
            walk.field("Note", &line.notes);
            walk.field("ID", &line.id);
            walk.field("LineStatusCode", &line.status);
            walk.field("Quantity", &line.quantity);
            walk.field("MaximumBackorderQuantity", &line.backorder);
            walk.field("LineExtensionAmount", &line.net_amount);
            walk.field("PartialDeliveryIndicator", &line.partial);
            walk.field("AccountingCost", &line.accounting_reference);
            for delivery in &line.delivery {
                walk.inside("Delivery", |walk| walk.delivery(delivery));
            }
            for party in &line.originator {
                walk.inside("OriginatorParty", |walk| walk.party(party));
            }
            for one in &line.allowance_charges {
                walk.inside("AllowanceCharge", |walk| walk.allowance(one));
            }
            for price in &line.price {
                walk.inside("Price", |walk| walk.price(price));
            }
            for item in &line.item {
                walk.inside("Item", |walk| walk.item(item, &line.tax_category));
            }
        });
        for one in &line.substitute {
            self.inside("SellerSubstitutedLineItem", |walk| walk.substitute(one));
        }
        self.field("OrderLineReference/LineID", &line.order_line);
    }

    fn substitute(&mut self, one: &SubstitutedItem<'d>) {
        self.field("ID", &one.id);
        for item in &one.item {
            self.inside("Item", |walk| walk.item(item, &one.tax_category));
        }
    }

    fn price(&mut self, price: &Price<'d>) {
        self.field("PriceAmount", &price.net);
        self.field("BaseQuantity", &price.base_quantity);
        self.field("AllowanceCharge/ChargeIndicator", &price.discount_indicator);
        self.field("AllowanceCharge/Amount", &price.discount);
        self.field("AllowanceCharge/BaseAmount", &price.gross);
    }

    fn item(&mut self, item: &ItemInformation<'d>, tax: &Field<TaxCategory<'d>>) {
        self.field("Description", &item.description);
        self.field("Name", &item.name);
        self.field("BuyersItemIdentification/ID", &item.buyer_id);
        self.field("SellersItemIdentification/ID", &item.seller_id);
        self.field("StandardItemIdentification/ID", &item.standard_id);
        for one in &item.classifications {
            self.field("CommodityClassification/ItemClassificationCode", &one.code);
        }
        for category in tax {
            self.inside("ClassifiedTaxCategory", |walk| walk.category(category));
        }
        for one in &item.attributes {
            self.field("AdditionalItemProperty/Name", &one.name);
            self.field("AdditionalItemProperty/NameCode", &one.code);
            self.field("AdditionalItemProperty/Value", &one.value);
            self.field("AdditionalItemProperty/ValueQuantity", &one.quantity);
        }
        let Some(more) = item.extensions.as_deref() else { return };
        self.field("ManufacturersItemIdentification/ID", &more.other_ids);
        for one in &more.specifications {
            self.field("ItemSpecificationDocumentReference/ID", &one.id);
        }
        for one in &more.instances {
            self.field("ItemInstance/SerialID", &one.serial);
            self.field("ItemInstance/LotIdentification/LotNumberID", &one.lot);
        }
    }
}
