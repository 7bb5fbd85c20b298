//! What a document is for, whatever it is written in.

use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($variant:ident $title:literal,)*) => {
        /// What a document is for: an invoice, an order, a receipt of the network.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[allow(missing_docs, reason = "each variant is described by its title")]
        pub enum DocumentKind { $($variant,)* }

        impl DocumentKind {
            /// Every kind.
            pub const ALL: &[DocumentKind] = &[$(DocumentKind::$variant,)*];

            /// Its name for people, with an article.
            pub fn title(self) -> &'static str {
                match self { $(DocumentKind::$variant => $title,)* }
            }
        }
    };
}

kinds! {
    Invoice "an invoice",
    CreditNote "a credit note",
    DebitNote "a debit note",
    Reminder "a reminder",
    Statement "a statement of account",
    UtilityStatement "a utility statement",
    RemittanceAdvice "a remittance advice",
    FreightInvoice "a freight invoice",
    RequestForQuotation "a request for quotation",
    Quotation "a quotation",
    Order "an order",
    OrderChange "an order change",
    OrderCancellation "an order cancellation",
    OrderResponse "an order response",
    OrderAgreement "an order agreement",
    OrderBalance "an order balance",
    DespatchAdvice "a despatch advice",
    DespatchAdviceResponse "a response to a despatch advice",
    ReceiptAdvice "a receipt advice",
    Catalogue "a catalogue",
    CatalogueChange "a change of or request for a catalogue",
    CatalogueResponse "a response to a catalogue",
    PunchOut "a punch out",
    InvoiceResponse "an invoice response",
    MessageLevelResponse "a message level response",
    MessageLevelStatus "a message level status",
    ApplicationResponse "an application response",
    LifecycleStatus "a status in the life of an invoice",
    TransportExecutionPlan "a transport execution plan",
    TransportExecutionPlanRequest "a request for a transport execution plan",
    TransportationStatus "a transportation status",
    TransportationStatusRequest "a request for a transportation status",
    TransportResponse "a response in a transport process",
    Waybill "a waybill",
    WeightStatement "a weight statement",
    Logistics "another document about transport",
    Planning "a document about forecast and stock",
    Tendering "a document about tendering",
    StaffingOrder "a staffing order",
    Assignment "an assignment",
    TimeCard "a time card",
    HumanResource "a human resource document",
    Payment "a payment or bank document",
    MasterData "a document about articles, projects or maintenance",
    TaxData "tax data",
    TaxDataStatus "a status of tax data",
    TransactionStatistics "a transaction statistics report",
    EndUserStatistics "an end user statistics report",
    TaxReceipt "a receipt of a tax authority",
    ServiceMetadata "service metadata of an SMP",
    BusinessCard "a business card of the directory",
    Envelope "an envelope without a document",
    Container "a container",
    Profile "a profile of a connection",
    Other "another document",
}
