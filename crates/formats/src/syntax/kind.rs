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

/// The types of credit notes (UNTDID 1001; EN 16931, BT-3), in syntaxes of one document element.
pub(crate) const CREDIT_CODES: &[(&str, DocumentKind)] = &[
    ("81", DocumentKind::CreditNote),
    ("83", DocumentKind::CreditNote),
    ("261", DocumentKind::CreditNote),
    ("262", DocumentKind::CreditNote),
    ("296", DocumentKind::CreditNote),
    ("308", DocumentKind::CreditNote),
    ("381", DocumentKind::CreditNote),
    ("396", DocumentKind::CreditNote),
    ("420", DocumentKind::CreditNote),
    ("458", DocumentKind::CreditNote),
    ("502", DocumentKind::CreditNote),
    ("503", DocumentKind::CreditNote),
    ("532", DocumentKind::CreditNote),
];

#[cfg(test)]
mod tests {
    use super::{CREDIT_CODES, DocumentKind};

    #[test]
    fn the_types_of_credit_notes_are_those_of_the_list() {
        let all = CREDIT_CODES.iter();
        assert!(all.clone().all(|(_, kind)| *kind == DocumentKind::CreditNote));
        assert!(all.clone().all(|(code, _)| quoin_model::codes::is_credit_note_type(code)));
        let listed = (0..1000).map(|code: u16| code.to_string());
        let listed = listed.filter(|code| quoin_model::codes::is_credit_note_type(code));
        assert_eq!(listed.count(), CREDIT_CODES.len());
    }
}
