//! Where each kind of document names its two ends, one row each. Adding one is a row.
//!
//! Sources: Peppol BIS Billing 3, BIS post-award 3, Peppol logistics 1, Peppol MLS 1.0, UBL 2.1 to
//! 2.4, and UN/CEFACT CII D16B.

use quoin_xml::tree::Element;

use crate::syntax::ElementPath;
use crate::ubl::UBL_PREFIX;

/// The namespace of CII documents.
const CII: &str = "urn:un:unece:uncefact:data:standard:";

/// A row of [`ADDRESSES`].
#[derive(Debug, Clone, Copy)]
pub struct Address {
    /// The local name of the document element.
    pub root: &'static str,
    /// The party of corner 1.
    pub sender: ElementPath,
    /// The party of corner 4.
    pub receiver: ElementPath,
    /// Where it names what it answers; `None` for a document that answers nothing.
    pub answers: Option<Answering>,
    /// What it does to the order that it names; `None` for one that follows no order.
    pub follows: Option<Following>,
}

/// Where an answer says what it is about.
#[derive(Debug, Clone, Copy)]
pub struct Answering {
    /// The number of the document that is answered.
    pub number: ElementPath,
    /// The status that it is given.
    pub status: ElementPath,
    /// Reasons and actions; empty where there are none.
    pub clarification: ElementPath,
    /// The number of the change that is answered, of an order that was changed; empty where there
    /// are no changes.
    pub change: ElementPath,
}

/// What a message of a buyer does to an order that he sent before.
#[derive(Debug, Clone, Copy)]
pub struct Following {
    /// The number of the order.
    pub order: ElementPath,
    /// Whether it takes the order back.
    pub cancels: bool,
}

/// How a syntax writes what all of its documents have.
#[derive(Debug)]
pub struct SyntaxPaths {
    /// The document's own number.
    pub number: ElementPath,
    /// Its date.
    pub date: ElementPath,
    /// Its type code.
    pub type_codes: &'static [ElementPath],
    /// Its currency.
    pub currency: ElementPath,
    /// In a party: the electronic address.
    pub endpoint: ElementPath,
    /// In a party: its name, the best first.
    pub names: &'static [ElementPath],
    /// In a party: its country.
    pub country: ElementPath,
    /// In a party: what stands before the electronic address.
    pub before_endpoint: &'static [&'static str],
    /// In a party: what stands after the electronic address; where this is empty, all the rest.
    pub after_endpoint: &'static [&'static str],
}

const UBL: SyntaxPaths = SyntaxPaths {
    number: &["ID"],
    date: &["IssueDate"],
    type_codes: &[&["InvoiceTypeCode"], &["CreditNoteTypeCode"], &["OrderTypeCode"]],
    currency: &["DocumentCurrencyCode"],
    endpoint: &["EndpointID"],
    names: &[&["PartyLegalEntity", "RegistrationName"], &["PartyName", "Name"]],
    country: &["PostalAddress", "Country", "IdentificationCode"],
    before_endpoint: &[
        "MarkCareIndicator",
        "MarkAttentionIndicator",
        "WebsiteURI",
        "LogoReferenceID",
    ],
    after_endpoint: &[],
};

const CROSS_INDUSTRY: SyntaxPaths = SyntaxPaths {
    number: &["ExchangedDocument", "ID"],
    date: &["ExchangedDocument", "IssueDateTime", "DateTimeString"],
    type_codes: &[&["ExchangedDocument", "TypeCode"]],
    currency: &[
        "SupplyChainTradeTransaction",
        "ApplicableHeaderTradeSettlement",
        "InvoiceCurrencyCode",
    ],
    endpoint: &["URIUniversalCommunication", "URIID"],
    names: &[&["Name"]],
    country: &["PostalTradeAddress", "CountryID"],
    before_endpoint: &[],
    after_endpoint: &["SpecifiedTaxRegistration"],
};

const SUPPLIER: ElementPath = &["AccountingSupplierParty", "Party"];
const CUSTOMER: ElementPath = &["AccountingCustomerParty", "Party"];
const SELLER: ElementPath = &["SellerSupplierParty", "Party"];
const BUYER: ElementPath = &["BuyerCustomerParty", "Party"];
const ORIGINATOR: ElementPath = &["OriginatorCustomerParty", "Party"];
const DESPATCHER: ElementPath = &["DespatchSupplierParty", "Party"];
const CONSIGNEE: ElementPath = &["DeliveryCustomerParty", "Party"];
const SENDER: ElementPath = &["SenderParty"];
const RECEIVER: ElementPath = &["ReceiverParty"];

const RESPONSE: Answering = Answering {
    number: &["DocumentResponse", "DocumentReference", "ID"],
    status: &["DocumentResponse", "Response", "ResponseCode"],
    clarification: &["DocumentResponse", "Response", "Status"],
    change: &[],
};
const ORDER_RESPONSE: Answering = Answering {
    number: &["OrderReference", "ID"],
    status: &["OrderResponseCode"],
    clarification: &[],
    change: &["OrderChangeDocumentReference", "ID"],
};
const ORDER_SIMPLE: Answering = Answering {
    number: &["OrderReference", "ID"],
    status: &["AcceptedIndicator"],
    clarification: &[],
    change: &[],
};
const CHANGE: Following = Following { order: &["OrderReference", "ID"], cancels: false };
const CANCELLATION: Following = Following { cancels: true, ..CHANGE };

const fn row(root: &'static str, sender: ElementPath, receiver: ElementPath) -> Address {
    Address { root, sender, receiver, answers: None, follows: None }
}

impl Address {
    const fn answers(self, answers: Answering) -> Address {
        Address { answers: Some(answers), ..self }
    }

    const fn follows(self, follows: Following) -> Address {
        Address { follows: Some(follows), ..self }
    }

    /// The row of a document element.
    pub(super) fn of(root: Element<'_>) -> Option<&'static Address> {
        let namespace = root.namespace();
        let known = namespace.starts_with(UBL_PREFIX) || namespace.starts_with(CII);
        ADDRESSES.iter().find(|row| known && row.root == root.local())
    }

    /// How its syntax writes what all of its documents have.
    pub fn shape(&self) -> &'static SyntaxPaths {
        if self.root.starts_with("CrossIndustry") { &CROSS_INDUSTRY } else { &UBL }
    }

    /// Sender and receiver; a self-billed invoice is sent by its customer.
    pub(super) fn ends(&self, self_billing: bool) -> (ElementPath, ElementPath) {
        let turned = self_billing && !self.root.starts_with("SelfBilled");
        if turned { (self.receiver, self.sender) } else { (self.sender, self.receiver) }
    }
}

/// Where documents name their two ends.
pub static ADDRESSES: &[Address] = &[
    row("Invoice", SUPPLIER, CUSTOMER),
    row("CreditNote", SUPPLIER, CUSTOMER),
    row("DebitNote", SUPPLIER, CUSTOMER),
    row("FreightInvoice", SUPPLIER, CUSTOMER),
    row("Reminder", SUPPLIER, CUSTOMER),
    row("Statement", SUPPLIER, CUSTOMER),
    row("UtilityStatement", SENDER, RECEIVER),
    row("SelfBilledInvoice", CUSTOMER, SUPPLIER),
    row("SelfBilledCreditNote", CUSTOMER, SUPPLIER),
    row("Order", BUYER, SELLER),
    row("OrderChange", BUYER, SELLER).follows(CHANGE),
    row("OrderCancellation", BUYER, SELLER).follows(CANCELLATION),
    row("OrderResponse", SELLER, BUYER).answers(ORDER_RESPONSE),
    row("OrderResponseSimple", SELLER, BUYER).answers(ORDER_SIMPLE),
    row("RequestForQuotation", ORIGINATOR, SELLER),
    row("Quotation", SELLER, ORIGINATOR),
    row("Catalogue", &["ProviderParty"], RECEIVER),
    row("CatalogueRequest", RECEIVER, &["ProviderParty"]),
    row("CatalogueDeletion", &["ProviderParty"], RECEIVER),
    row("CatalogueItemSpecificationUpdate", &["ProviderParty"], RECEIVER),
    row("CataloguePricingUpdate", &["ProviderParty"], RECEIVER),
    row("DespatchAdvice", DESPATCHER, CONSIGNEE),
    row("ReceiptAdvice", CONSIGNEE, DESPATCHER),
    row("ApplicationResponse", SENDER, RECEIVER).answers(RESPONSE),
    row("RemittanceAdvice", CUSTOMER, SUPPLIER),
    row("TransportExecutionPlan", SENDER, RECEIVER),
    row(
        "TransportExecutionPlanRequest",
        &["TransportUserParty"],
        &["TransportServiceProviderParty"],
    ),
    row("TransportationStatus", SENDER, RECEIVER),
    row("TransportationStatusRequest", SENDER, RECEIVER),
    row("WeightStatement", SENDER, RECEIVER),
    row("Waybill", &["ConsignorParty"], &["CarrierParty"]),
    row("TenderReceipt", SENDER, RECEIVER),
    row(
        "CrossIndustryInvoice",
        &["SupplyChainTradeTransaction", "ApplicableHeaderTradeAgreement", "SellerTradeParty"],
        &["SupplyChainTradeTransaction", "ApplicableHeaderTradeAgreement", "BuyerTradeParty"],
    ),
];
