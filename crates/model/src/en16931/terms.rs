//! The business terms of an invoice as a flat list: which term, where, group by group.
//!
//! Tests compare syntaxes with it; views and losses name terms by it. Extensions are not in it.

use super::{
    AllowanceCharge, Contact, DeliveryInformation, DocumentReference, Field, Identifier, Invoice,
    ItemInformation, Line, Party, Payment, Period, PostalAddress, Price, Quantity, TaxCategory,
    TaxRegistrationKind, Totals, ValueSource, ValueType, VatBreakdown,
};

mod tables;

use tables::{
    AllowanceTerms, BUYER, DELIVER_TO, DOCUMENT_ALLOWANCE, DOCUMENT_CHARGE, LINE_ALLOWANCE,
    LINE_CHARGE, PAYEE, PartyTerms, SELLER, TAX_REPRESENTATIVE,
};

/// One business term of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusinessTerm<'d> {
    /// `BT-31`, `BT-29-1`.
    pub id: &'static str,
    /// Where it stands. BT-21 and BT-22 of UBL stand in one note: both have its place.
    pub source: ValueSource<'d>,
}

impl<'d> Invoice<'d> {
    /// Every business term that the document has, group by group. A term that is there twice is
    /// in the list twice.
    pub fn terms(&self) -> Vec<BusinessTerm<'d>> {
        let mut list = TermList(Vec::with_capacity(64 + 16 * self.lines.len()));
        list.document(self);
        list.references(self);
        list.party(&self.seller, &SELLER);
        list.party(&self.buyer, &BUYER);
        list.party(&self.payee, &PAYEE);
        list.party(&self.tax_representative, &TAX_REPRESENTATIVE);
        for delivery in &self.delivery {
            list.delivery(delivery);
        }
        list.period(&self.period, "BT-73", "BT-74");
        list.payment(&self.payment);
        for one in self.allowances() {
            list.allowance(one, &DOCUMENT_ALLOWANCE);
        }
        for one in self.charges() {
            list.allowance(one, &DOCUMENT_CHARGE);
        }
        for totals in &self.totals {
            list.totals(totals);
        }
        list.values("BT-110", self.vat_total().chain(self.vat_total_without_currency()));
        // Where BT-6 is BT-5, a total is BT-110.
        if self.tax_currency.text() != self.currency.text() {
            list.values("BT-111", self.vat_total_in_tax_currency());
        }
        for one in &self.vat_breakdown {
            list.vat(one);
        }
        for document in &self.references.supporting_documents {
            list.supporting(document);
        }
        for line in &self.lines {
            list.line(line);
        }
        list.0
    }
}

/// The list in the making.
struct TermList<'d>(Vec<BusinessTerm<'d>>);

impl<'d> TermList<'d> {
    fn source(&mut self, id: &'static str, source: Option<ValueSource<'d>>) {
        if !id.is_empty() {
            self.0.extend(source.map(|source| BusinessTerm { id, source }));
        }
    }

    fn values<T: ValueType<'d>>(&mut self, id: &'static str, values: impl IntoIterator<Item = T>) {
        for value in values {
            self.source(id, Some(value.source()));
        }
    }

    fn field<T: ValueType<'d>>(&mut self, id: &'static str, field: &Field<T>) {
        self.values(id, field.iter().copied());
    }

    /// Identifiers, each with its scheme.
    fn ids(&mut self, id: &'static str, scheme: &'static str, field: &Field<Identifier<'d>>) {
        for value in field {
            self.source(id, Some(value.source()));
            self.source(scheme, value.scheme());
        }
    }

    /// Quantities, each with its unit.
    fn quantity(&mut self, id: &'static str, unit: &'static str, value: Option<Quantity<'d>>) {
        self.values(id, value);
        self.values(unit, value.and_then(Quantity::unit));
    }

    fn document(&mut self, invoice: &Invoice<'d>) {
        self.field("BT-1", &invoice.number);
        self.field("BT-2", &invoice.issue_date);
        self.field("BT-3", &invoice.type_code);
        self.field("BT-5", &invoice.currency);
        self.field("BT-6", &invoice.tax_currency);
        self.field("BT-7", &invoice.tax_point_date);
        self.field("BT-8", &invoice.tax_point_date_code);
        self.field("BT-9", &invoice.due_date);
        self.field("BT-10", &invoice.buyer_reference);
        self.field("BT-19", &invoice.accounting_reference);
        for terms in &invoice.payment.terms {
            self.field("BT-20", &terms.text);
        }
        for note in &invoice.notes {
            if note.subject().is_some() {
                let code = note.subject_code.get().map(|code| *code);
                self.source("BT-21", code.or_else(|| note.text.get().map(|text| *text)));
            }
            self.field("BT-22", &note.text);
        }
        self.field("BT-23", &invoice.process.profile);
        self.field("BT-24", &invoice.process.customization);
    }

    fn references(&mut self, invoice: &Invoice<'d>) {
        let references = &invoice.references;
        for (id, field) in [
            ("BT-11", &references.project),
            ("BT-12", &references.contract),
            ("BT-13", &references.purchase_order),
            ("BT-14", &references.sales_order),
            ("BT-15", &references.receiving_advice),
            ("BT-16", &references.despatch_advice),
            ("BT-17", &references.tender),
        ] {
            let is_filler = id == "BT-13" && references.filler_of_order().is_some();
            for reference in field.iter().filter(|_| !is_filler) {
                self.field(id, &reference.id);
            }
        }
        for object in &references.invoiced_object {
            self.field("BT-18", &object.id);
            self.source("BT-18-1", object.scheme());
        }
        for preceding in &references.preceding_invoices {
            self.field("BT-25", &preceding.id);
            self.field("BT-26", &preceding.issue_date);
        }
    }

    fn party(&mut self, parties: &Field<Party<'d>>, terms: &PartyTerms) {
        for party in parties {
            self.field(terms.name, &party.name);
            self.field(terms.trading_name, &party.trading_name);
            self.ids(terms.identifier[0], terms.identifier[1], &party.identifiers);
            let [registration, scheme] = terms.legal_registration;
            self.ids(registration, scheme, &party.legal_registration);
            for one in &party.tax_registrations {
                let vat = one.kind() == TaxRegistrationKind::Vat;
                self.field(if vat { terms.vat } else { terms.tax }, &one.id);
            }
            self.field(terms.legal_information, &party.legal_information);
            self.ids(terms.endpoint[0], terms.endpoint[1], &party.endpoint);
            self.address(&party.address, terms);
            for contact in &party.contact {
                self.contact(contact, terms.contact);
            }
        }
    }

    fn address(&mut self, addresses: &Field<PostalAddress<'d>>, terms: &PartyTerms) {
        let [line1, line2, line3, city, post_code, subdivision, country] = terms.address;
        for address in addresses {
            self.field(line1, &address.line1);
            self.field(line2, &address.line2);
            self.field(line3, &address.line3);
            self.field(city, &address.city);
            self.field(post_code, &address.post_code);
            self.field(subdivision, &address.subdivision);
            self.field(country, &address.country);
        }
    }

    fn contact(&mut self, contact: &Contact<'d>, terms: [&'static str; 3]) {
        let [name, telephone, email] = terms;
        self.field(name, &contact.name);
        self.field(name, &contact.department);
        self.field(telephone, &contact.telephone);
        self.field(email, &contact.email);
    }

    fn delivery(&mut self, delivery: &DeliveryInformation<'d>) {
        for party in &delivery.party {
            self.field("BT-70", &party.name);
        }
        self.ids("BT-71", "BT-71-1", &delivery.location);
        self.field("BT-72", &delivery.date);
        self.address(&delivery.address, &DELIVER_TO);
    }

    fn period(&mut self, periods: &Field<Period<'d>>, start: &'static str, end: &'static str) {
        for period in periods {
            self.field(start, &period.start);
            self.field(end, &period.end);
        }
    }

    fn payment(&mut self, payment: &Payment<'d>) {
        for means in &payment.means {
            self.field("BT-81", &means.code);
            self.field("BT-82", &means.text);
            for transfer in &means.credit_transfers {
                self.field("BT-84", &transfer.account);
                self.field("BT-85", &transfer.name);
                self.field("BT-86", &transfer.provider);
            }
            for card in &means.card {
                self.field("BT-87", &card.number);
                self.field("BT-88", &card.holder);
            }
            for debit in &means.direct_debit {
                self.field("BT-91", &debit.debited_account);
            }
        }
        self.field("BT-83", &payment.remittance);
        self.field("BT-89", &payment.mandate_reference);
        self.field("BT-90", &payment.creditor_identifier);
    }

    fn allowance(&mut self, one: &AllowanceCharge<'d>, terms: &AllowanceTerms) {
        self.field(terms.amount, &one.amount);
        self.field(terms.base_amount, &one.base_amount);
        self.field(terms.percentage, &one.percentage);
        for category in &one.tax_category {
            self.field(terms.category, &category.code);
            self.field(terms.rate, &category.rate);
        }
        self.field(terms.reason, &one.reason);
        self.field(terms.reason_code, &one.reason_code);
    }

    fn totals(&mut self, totals: &Totals<'d>) {
        self.field("BT-106", &totals.line_net);
        self.field("BT-107", &totals.allowances);
        self.field("BT-108", &totals.charges);
        self.field("BT-109", &totals.without_vat);
        self.field("BT-112", &totals.with_vat);
        self.field("BT-113", &totals.paid);
        self.field("BT-114", &totals.rounding);
        self.field("BT-115", &totals.due);
    }

    fn vat(&mut self, one: &VatBreakdown<'d>) {
        self.field("BT-116", &one.taxable_amount);
        self.field("BT-117", &one.tax_amount);
        for category in &one.category {
            self.field("BT-118", &category.code);
            self.field("BT-119", &category.rate);
            self.field("BT-120", &category.exemption_reason);
            self.field("BT-121", &category.exemption_reason_code);
        }
    }

    fn supporting(&mut self, document: &DocumentReference<'d>) {
        self.field("BT-122", &document.id);
        self.field("BT-123", &document.description);
        self.field("BT-124", &document.uri);
        for embedded in &document.embedded {
            self.source("BT-125", Some(embedded.source()));
            self.source("BT-125-1", embedded.mime_code());
            self.source("BT-125-2", embedded.filename());
        }
    }

    fn line(&mut self, line: &Line<'d>) {
        self.field("BT-126", &line.id);
        self.field("BT-127", &line.note);
        for object in line.invoiced_objects() {
            self.field("BT-128", &object.id);
            self.source("BT-128-1", object.scheme());
        }
        for quantity in &line.quantity {
            self.quantity("BT-129", "BT-130", Some(*quantity));
        }
        self.field("BT-131", &line.net_amount);
        for order_line in &line.order_lines {
            self.field("BT-132", &order_line.line_id);
        }
        self.field("BT-133", &line.accounting_reference);
        self.period(&line.period, "BT-134", "BT-135");
        for one in line.allowances() {
            self.allowance(one, &LINE_ALLOWANCE);
        }
        for one in line.charges() {
            self.allowance(one, &LINE_CHARGE);
        }
        for price in &line.price {
            self.price(price);
        }
        for category in &line.tax_category {
            self.line_vat(category);
        }
        for item in &line.item {
            self.item(item);
        }
        // Lines within a line: in Factur-X they stand in a row with the others.
        for inner in line.sub_lines() {
            self.line(inner);
        }
    }

    fn price(&mut self, price: &Price<'d>) {
        self.field("BT-146", &price.net);
        // A charge on the price is no discount.
        if price.discount_indicator.value() != Some(true) {
            self.field("BT-147", &price.discount);
        }
        self.field("BT-148", &price.gross);
        self.quantity("BT-149", "BT-150", price.base());
    }

    fn line_vat(&mut self, category: &TaxCategory<'d>) {
        self.field("BT-151", &category.code);
        self.field("BT-152", &category.rate);
    }

    fn item(&mut self, item: &ItemInformation<'d>) {
        self.field("BT-153", &item.name);
        self.field("BT-154", &item.description);
        self.field("BT-155", &item.seller_id);
        self.field("BT-156", &item.buyer_id);
        self.ids("BT-157", "BT-157-1", &item.standard_id);
        for classification in &item.classifications {
            for code in &classification.code {
                self.source("BT-158", Some(code.source()));
                self.source("BT-158-1", code.list());
                self.source("BT-158-2", code.list_version());
            }
        }
        self.field("BT-159", &item.origin);
        for attribute in &item.attributes {
            self.field("BT-160", &attribute.name);
            self.field("BT-161", &attribute.value);
        }
    }
}
