//! The semantic model of an order and of what follows it: the answer, the change, the cancellation.
//!
//! As of an invoice ([`crate::en16931`]), values are views on the document, presence is not
//! content, and unknown codes are values. Groups that both kinds of document have are the same
//! types: parties, prices, items, allowances, totals.
//!
//! Sources: Peppol BIS Ordering 3 (transactions T01 and T76) and BIS Advanced Ordering 3 (T114 to
//! T116), whose terms are named `tir01-…` and `tir76-…`; DICO INSBOU003 and SALES005; cXML 1.2
//! `OrderRequest` and `ConfirmationRequest`.

mod delivery;
mod line;
mod terms;

use quoin_xml::tree::Element;

use crate::en16931::{
    AllowanceCharge, Amount, Code, CurrencyCode, Date, DeliveryTerms, DocumentReference, Field,
    Identifier, Indicator, Party, ProcessControl, Text, Time, Totals,
};

pub use delivery::{OrderDelivery, OrderPeriod, TransportInstruction};
pub use line::{OrderedLine, OrderedLineExtensions, PartialDelivery, SubstitutedItem};

/// In which syntax an order is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderSyntax {
    /// UBL 2.1 (ISO/IEC 19845).
    Ubl,
    /// DICO: SALES005 and the INSBOU messages before it.
    Dico,
    /// cXML 1.2.
    Cxml,
}

/// Which of the messages about an order it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderKind {
    /// The order itself (T01).
    Order,
    /// What the seller answers (T76, T116).
    Response,
    /// Another version of the order (T114).
    Change,
    /// The order is taken back (T115).
    Cancellation,
}

impl OrderKind {
    /// Its name for people: `an order`.
    pub const fn title(self) -> &'static str {
        match self {
            OrderKind::Order => "an order",
            OrderKind::Response => "an answer to an order",
            OrderKind::Change => "a change of an order",
            OrderKind::Cancellation => "the cancellation of an order",
        }
    }
}

/// An order, or a message about one.
#[derive(Debug, Clone)]
pub struct Order<'d> {
    /// In which syntax it is written.
    pub syntax: OrderSyntax,
    /// Which message it is.
    pub kind: OrderKind,
    /// The document element.
    pub element: Element<'d>,
    /// tir01-001, tir01-002: the specification and the process.
    pub process: ProcessControl<'d>,
    /// tir01-003, tir76-003: the number of the message.
    pub number: Field<Identifier<'d>>,
    /// tir01-p001, tir76-p007: the seller's number of the order.
    pub sales_order: Field<Identifier<'d>>,
    /// tir01-004, tir76-004: the day of issue.
    pub issue_date: Field<Date<'d>>,
    /// tir01-005, tir76-005: the time of issue.
    pub issue_time: Field<Time<'d>>,
    /// tir01-153: the kind of order (UNTDID 1001).
    pub type_code: Field<Code<'d>>,
    /// tir01-006, tir76-006: notes.
    pub notes: Field<Text<'d>>,
    /// tir01-007, tir76-007: the currency.
    pub currency: Field<CurrencyCode<'d>>,
    /// tir01-p002: who ordered, as the buyer says it.
    pub buyer_reference: Field<Text<'d>>,
    /// tir01-008: the buyer's accounting string.
    pub accounting_reference: Field<Text<'d>>,
    /// tir01-009: until when the order holds.
    pub validity: Field<OrderPeriod<'d>>,
    /// References of the document level.
    pub references: OrderReferences<'d>,
    /// tir01-021 to tir01-050, tir76-021 to tir76-023: the buyer.
    pub buyer: Field<Party<'d>>,
    /// tir01-058 to tir01-077, tir76-058 to tir76-060: the seller.
    pub seller: Field<Party<'d>>,
    /// tir01-081 to tir01-086: for whom it is ordered.
    pub originator: Field<Party<'d>>,
    /// tir01-155 to tir01-161: who gets the invoice.
    pub invoicee: Field<Party<'d>>,
    /// Extension: parties in other roles.
    pub parties: Vec<Party<'d>>,
    /// tir01-092 to tir01-106, tir76-099, tir76-100: delivery.
    pub delivery: Field<OrderDelivery<'d>>,
    /// tir01-107 to tir01-109: terms of delivery.
    pub delivery_terms: Vec<DeliveryTerms<'d>>,
    /// tir01-p010: terms of payment.
    pub payment_terms: Field<Text<'d>>,
    /// tir01-112, tir01-113: allowances and charges, in document order.
    pub allowance_charges: Vec<AllowanceCharge<'d>>,
    /// tir01-114: the tax.
    pub tax: Field<Amount<'d>>,
    /// tir01-115 to tir01-118, tir01-145 to tir01-148: anticipated totals.
    pub totals: Field<Totals<'d>>,
    /// The lines.
    pub lines: Vec<OrderedLine<'d>>,
    /// tir76-200: the answer (UNCL4343).
    pub response: Field<Code<'d>>,
    /// T114: which change of the order it is.
    pub sequence: Field<Identifier<'d>>,
    /// T115: why the order is taken back.
    pub cancellation: Field<Text<'d>>,
    /// What only extensions have.
    pub extensions: OrderExtensions<'d>,
}

/// References of the document level.
#[derive(Debug, Clone, Default)]
pub struct OrderReferences<'d> {
    /// tir01-011, tir76-011: the order that is answered, changed, taken back or replaced.
    pub order: Field<DocumentReference<'d>>,
    /// tir116-208: the change that is answered.
    pub change: Field<DocumentReference<'d>>,
    /// tir01-010: the quotation.
    pub quotation: Field<DocumentReference<'d>>,
    /// tir01-012: the document of the originator; the requisition of cXML; the order of the end
    /// customer in DICO.
    pub originator: Field<DocumentReference<'d>>,
    /// tir01-p45: the catalogue.
    pub catalogue: Field<DocumentReference<'d>>,
    /// tir01-019: the contract.
    pub contract: Field<DocumentReference<'d>>,
    /// tir01-p044: the project.
    pub project: Field<DocumentReference<'d>>,
    /// tir01-154, tir01-016 to tir01-018: further documents.
    pub documents: Vec<DocumentReference<'d>>,
}

/// What an order has beyond the specification.
#[derive(Debug, Clone, Default)]
pub struct OrderExtensions<'d> {
    /// cXML: whether it is a test (`@deploymentMode`).
    pub test: Field<Indicator<'d>>,
    /// UBL: the version of UBL.
    pub ubl_version: Field<Identifier<'d>>,
    /// DICO: what carries the goods and how; the order of the texts is that of the document.
    pub instructions: Vec<TransportInstruction<'d>>,
    /// DICO: words that say how the order is to be handled (`ScenarioTypeCode`,
    /// `DraftOrderIndicator`, `DeliveryOnDemandIndicator`, `BackhaulingIndicator`); the element
    /// says which. cXML: `@orderVersion`, `@shipComplete`; the attribute says which.
    pub codes: Vec<Code<'d>>,
    /// cXML: facts with a name (`Extrinsic`).
    pub facts: Vec<crate::en16931::ItemAttribute<'d>>,
}

impl<'d> Order<'d> {
    /// The message at this element with nothing read yet.
    pub fn new(syntax: OrderSyntax, kind: OrderKind, element: Element<'d>) -> Self {
        Order {
            syntax,
            kind,
            element,
            process: ProcessControl::default(),
            number: Field::default(),
            sales_order: Field::default(),
            issue_date: Field::default(),
            issue_time: Field::default(),
            type_code: Field::default(),
            notes: Field::default(),
            currency: Field::default(),
            buyer_reference: Field::default(),
            accounting_reference: Field::default(),
            validity: Field::default(),
            references: OrderReferences::default(),
            buyer: Field::default(),
            seller: Field::default(),
            originator: Field::default(),
            invoicee: Field::default(),
            parties: Vec::new(),
            delivery: Field::default(),
            delivery_terms: Vec::new(),
            payment_terms: Field::default(),
            allowance_charges: Vec::new(),
            tax: Field::default(),
            totals: Field::default(),
            lines: Vec::new(),
            response: Field::default(),
            sequence: Field::default(),
            cancellation: Field::default(),
            extensions: OrderExtensions::default(),
        }
    }

    /// The delivery of the document; one is made where it has none, for a reader to fill.
    pub fn delivery_at(&mut self, element: Element<'d>) -> Option<&mut OrderDelivery<'d>> {
        if self.delivery.is_absent() {
            self.delivery.push(OrderDelivery::new(element));
        }
        self.delivery.all_mut().first_mut()
    }
}
