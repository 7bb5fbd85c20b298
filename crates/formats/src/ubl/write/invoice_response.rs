//! The Invoice Response of Peppol BIS Invoice Response 3.0 (transaction T111), and its code lists.
//!
//! Sources: Peppol BIS Invoice Response 3, code lists UNCL4343-T111, OPStatusReason and
//! OPStatusAction; interface specification 2.6; conventions A12 for the long names.

use jiff::civil::{Date, DateTime};

use super::{Participant, UblWriter};

const CUSTOMIZATION: &str = "urn:fdc:peppol.eu:poacc:trns:invoice_response:3";
const PROFILE: &str = "urn:fdc:peppol.eu:poacc:bis:invoice_response:3";

/// A code of a list, with the long name that clients may write instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvoiceResponseCode {
    /// The code.
    pub code: &'static str,
    /// The long name.
    pub name: &'static str,
    /// What it means, for people.
    pub meaning: &'static str,
}

const fn code(
    code: &'static str,
    name: &'static str,
    meaning: &'static str,
) -> InvoiceResponseCode {
    InvoiceResponseCode { code, name, meaning }
}

impl InvoiceResponseCode {
    /// The row of a code or long name, in any case.
    pub fn named(
        list: &'static [InvoiceResponseCode],
        text: &str,
    ) -> Option<&'static InvoiceResponseCode> {
        let text = text.trim();
        list.iter()
            .find(|row| row.code.eq_ignore_ascii_case(text) || row.name.eq_ignore_ascii_case(text))
    }
}

/// The states of an invoice, in their logical order; RE may follow any.
pub static STATUSES: &[InvoiceResponseCode] = &[
    code("AB", "Acknowledge", "received and readable"),
    code("IP", "InProcess", "in process"),
    code("UQ", "UnderQuery", "more information is needed"),
    code("CA", "ConditionallyAccepted", "accepted under conditions"),
    code("RE", "Reject", "rejected"),
    code("AP", "Accept", "accepted, payment follows"),
    code("PD", "Paid", "paid"),
];

/// Why (OPStatusReason).
pub static REASONS: &[InvoiceResponseCode] = &[
    code("NON", "NoIssue", "no specific problem"),
    code("REF", "ReferencesIncorrect", "references are incorrect"),
    code("LEG", "LegalInformationIncorrect", "legal information is incorrect"),
    code("REC", "ReceiverUnknown", "the recipient is unknown"),
    code("QUA", "ItemQualityInsufficient", "the quality is insufficient"),
    code("DEL", "DeliveryIssues", "the delivery has problems"),
    code("PRI", "PricesIncorrect", "prices are incorrect"),
    code("QTY", "QuantityIncorrect", "quantities are incorrect"),
    code("ITM", "ItemsIncorrect", "items are incorrect"),
    code("PAY", "PaymentTermsIncorrect", "payment terms are incorrect"),
    code("UNR", "NotRecognized", "the transaction is not recognised"),
    code("FIN", "FinanceIncorrect", "financing terms are incorrect"),
    code("PPD", "PartiallyPaid", "paid in part"),
    code("OTH", "Other", "another reason"),
];

/// What to do (OPStatusAction).
pub static ACTIONS: &[InvoiceResponseCode] = &[
    code("NOA", "NoActionRequired", "no action"),
    code("PIN", "ProvideInformation", "provide information"),
    code("NIN", "IssueNewInvoice", "send a new invoice"),
    code("CNF", "CreditFully", "send a full credit note"),
    code("CNP", "CreditPartially", "send a partial credit note"),
    code("CNA", "CreditTheAmount", "reimburse the amount"),
    code("OTH", "Other", "another action"),
];

/// A code with words of explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// The code, of [`REASONS`] or [`ACTIONS`].
    pub code: &'static InvoiceResponseCode,
    /// The words.
    pub text: Option<String>,
}

/// The invoice that is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceReference {
    /// Its number.
    pub number: String,
    /// Its date, where known.
    pub issue_date: Option<Date>,
    /// Its type code: 380, 381.
    pub type_code: String,
}

/// An Invoice Response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceResponse {
    /// Its own number.
    pub id: String,
    /// When it is issued, in UTC.
    pub issued: DateTime,
    /// Who answers: the receiver of the invoice.
    pub sender: Participant,
    /// Who is answered: the sender of the invoice.
    pub receiver: Participant,
    /// The invoice.
    pub invoice: InvoiceReference,
    /// The state.
    pub status: &'static InvoiceResponseCode,
    /// Why.
    pub reasons: Vec<Explained>,
    /// What to do.
    pub actions: Vec<Explained>,
    /// A remark on the whole.
    pub note: Option<String>,
}

/// The message.
pub fn invoice_response(response: &InvoiceResponse) -> String {
    let mut out = UblWriter::document("ApplicationResponse", CUSTOMIZATION, PROFILE);
    out.value("ID", &response.id);
    out.issued(response.issued);
    out.optional("Note", response.note.as_deref());
    out.group("SenderParty", |out| out.party(&response.sender, false));
    out.group("ReceiverParty", |out| out.party(&response.receiver, false));
    out.group("DocumentResponse", |out| {
        out.group("Response", |out| {
            out.value("ResponseCode", response.status.code);
            out.value("EffectiveDate", &response.issued.date().to_string());
            for (list, codes) in
                [("OPStatusReason", &response.reasons), ("OPStatusAction", &response.actions)]
            {
                codes.iter().for_each(|explained| status(out, list, explained));
            }
        });
        out.group("DocumentReference", |out| {
            let invoice = &response.invoice;
            out.value("ID", &invoice.number);
            let date = invoice.issue_date.map(|date| date.to_string());
            out.optional("IssueDate", date.as_deref());
            out.value("DocumentTypeCode", &invoice.type_code);
        });
    });
    out.finish()
}

fn status(out: &mut UblWriter, list: &str, explained: &Explained) {
    out.group("Status", |out| {
        out.attributed("StatusReasonCode", &[("listID", list)], explained.code.code);
        out.optional("StatusReason", explained.text.as_deref());
    });
}
