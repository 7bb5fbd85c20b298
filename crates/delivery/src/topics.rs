//! The topics of events, one row each, and the wildcards a hook may listen with. A new topic is a
//! row here and, where it is owed, a family's row (interface specification 6; conventions A5).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The longest topic or pattern we take, in bytes.
pub const PATTERN_LIMIT: usize = 64;

/// A topic of the table [`TOPICS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Topic(&'static str);

/// One row of [`TOPICS`].
#[derive(Clone, Copy, Debug)]
pub struct TopicRow {
    /// The name as it stands in payloads and hook registrations.
    pub topic: Topic,
    /// When it is published, one sentence.
    pub meaning: &'static str,
}

macro_rules! topics {
    ($($name:ident $const:ident $meaning:literal;)*) => {
        impl Topic {
            $(#[doc = $meaning] pub const $const: Topic = Topic(stringify!($name));)*
        }
        /// Every topic there is.
        pub const TOPICS: &[TopicRow] =
            &[$(TopicRow { topic: Topic::$const, meaning: $meaning }),*];
    };
}

topics! {
    InvoiceReceived INVOICE_RECEIVED "An invoice or credit note arrived for the party.";
    InvoiceReceivedError INVOICE_RECEIVED_ERROR
        "An arrived invoice breaks the rules of its type; it can be downloaded.";
    InvoiceSent INVOICE_SENT "A sales invoice was delivered.";
    InvoiceSentRetry INVOICE_SENT_RETRY "An attempt failed and another one is planned.";
    InvoiceSentError INVOICE_SENT_ERROR "A sales invoice is invalid or was given up.";
    InvoiceResponseReceived INVOICE_RESPONSE_RECEIVED "An Invoice Response arrived.";
    InvoiceResponseSent INVOICE_RESPONSE_SENT "An Invoice Response was delivered.";
    InvoiceResponseSentRetry INVOICE_RESPONSE_SENT_RETRY "An Invoice Response will be tried again.";
    InvoiceResponseSentError INVOICE_RESPONSE_SENT_ERROR "An Invoice Response was given up.";
    OrderReceived ORDER_RECEIVED
        "An order, its change or cancellation, an answer to one or an order agreement arrived.";
    OrderReceivedError ORDER_RECEIVED_ERROR
        "An arrived document about an order breaks the rules of its type; it can be downloaded.";
    OrderSent ORDER_SENT
        "An order, its change or cancellation, an answer to one or an order agreement was delivered.";
    OrderSentRetry ORDER_SENT_RETRY "An attempt failed and another one is planned.";
    OrderSentError ORDER_SENT_ERROR "A document about an order is invalid or was given up.";
    MessageLevelStatusReceived MLS_RECEIVED "A Message Level Status arrived.";
    MessageLevelStatusSent MLS_SENT "A Message Level Status was delivered.";
    TaxReportSent TAX_REPORT_SENT "A tax report about an invoice is with the authority's provider.";
    TaxReportAccepted TAX_REPORT_ACCEPTED "The authority has taken a tax report about an invoice.";
    TaxReportRejected TAX_REPORT_REJECTED
        "A tax report about an invoice was rejected, or could not be made.";
    ServiceLevelWarning SERVICE_LEVEL_WARNING "Something is due soon and is not there yet.";
    ServiceLevelBreached SERVICE_LEVEL_BREACHED "Something was due and was not there in time.";
    DocumentReceived DOCUMENT_RECEIVED "A document of another family arrived for the party.";
    DocumentReceivedError DOCUMENT_RECEIVED_ERROR
        "An arrived document breaks the rules of its type; it can be downloaded.";
    DocumentSent DOCUMENT_SENT "A document of another family was delivered.";
    DocumentSentRetry DOCUMENT_SENT_RETRY "An attempt failed and another one is planned.";
    DocumentSentError DOCUMENT_SENT_ERROR "A document is invalid or was given up.";
    SendInvoice SEND_INVOICE "A sales invoice goes to its channel.";
    SendOrder SEND_ORDER "An order goes to its channel.";
    SendInvoiceResponse SEND_INVOICE_RESPONSE "An Invoice Response goes to its channel.";
    SendDocument SEND_DOCUMENT "A document of another family goes to its channel.";
    SendTaxReport SEND_TAX_REPORT "A tax report goes to the channel that its profile names.";
    ReceiveInvoice RECEIVE_INVOICE "An arrived invoice goes to the party's channel.";
    ReceiveOrder RECEIVE_ORDER "An arrived order goes to the party's channel.";
    ReceiveDocument RECEIVE_DOCUMENT "An arrived document goes to the party's channel.";
    SendInvoiceFallback SEND_INVOICE_FALLBACK "Peppol delivery answered 400, 404 or 500.";
    SendOrderFallback SEND_ORDER_FALLBACK "Peppol delivery answered 400, 404 or 500.";
    SendInvoiceResponseFallback SEND_INVOICE_RESPONSE_FALLBACK
        "Peppol delivery answered 400, 404 or 500.";
    SendDocumentFallback SEND_DOCUMENT_FALLBACK "Peppol delivery answered 400, 404 or 500.";
    ClearInvoiceBatched CLEAR_INVOICE_BATCHED "Outgoing invoices are ready for clearance.";
    InvoiceCleared INVOICE_CLEARED "The authority registered the invoice.";
    InvoiceClearedRetry INVOICE_CLEARED_RETRY "The authority is unavailable, tried again later.";
    InvoiceClearedError INVOICE_CLEARED_ERROR "The authority refused the invoice.";
    InvoiceReceivedBatched INVOICE_RECEIVED_BATCHED "Arrived invoices were put into one batch.";
    InvoiceReceivedErrorBatched INVOICE_RECEIVED_ERROR_BATCHED
        "Arrived invoices that break the rules of their types were put into one batch.";
    InvoiceClearedBatched INVOICE_CLEARED_BATCHED "Registered invoices were put into one batch.";
    InvoiceClearedErrorBatched INVOICE_CLEARED_ERROR_BATCHED
        "Invoices that the authority refused were put into one batch.";
    InvoiceSentBatched INVOICE_SENT_BATCHED "Delivered invoices were put into one batch.";
    InvoiceSentErrorBatched INVOICE_SENT_ERROR_BATCHED "Failed invoices were put into one batch.";
    InvoiceResponseReceivedBatched INVOICE_RESPONSE_RECEIVED_BATCHED
        "Arrived Invoice Responses were put into one batch.";
    InvoiceResponseSentBatched INVOICE_RESPONSE_SENT_BATCHED
        "Delivered Invoice Responses were put into one batch.";
    InvoiceResponseSentErrorBatched INVOICE_RESPONSE_SENT_ERROR_BATCHED
        "Invoice Responses that were given up were put into one batch.";
    OrderReceivedErrorBatched ORDER_RECEIVED_ERROR_BATCHED
        "Arrived orders that break the rules of their types were put into one batch.";
    OrderReceivedBatched ORDER_RECEIVED_BATCHED "Arrived orders were put into one batch.";
    OrderSentBatched ORDER_SENT_BATCHED "Delivered orders were put into one batch.";
    OrderSentErrorBatched ORDER_SENT_ERROR_BATCHED "Failed orders were put into one batch.";
    MessageLevelStatusReceivedBatched MLS_RECEIVED_BATCHED
        "Arrived Message Level Statuses were put into one batch.";
    MessageLevelStatusSentBatched MLS_SENT_BATCHED
        "Delivered Message Level Statuses were put into one batch.";
    TaxReportSentBatched TAX_REPORT_SENT_BATCHED "Tax reports that were sent were put into one batch.";
    TaxReportAcceptedBatched TAX_REPORT_ACCEPTED_BATCHED
        "Tax reports that were accepted were put into one batch.";
    TaxReportRejectedBatched TAX_REPORT_REJECTED_BATCHED
        "Tax reports that were rejected were put into one batch.";
    DocumentReceivedErrorBatched DOCUMENT_RECEIVED_ERROR_BATCHED
        "Arrived documents that break the rules of their types were put into one batch.";
    DocumentReceivedBatched DOCUMENT_RECEIVED_BATCHED "Arrived documents were put into one batch.";
    DocumentSentBatched DOCUMENT_SENT_BATCHED "Delivered documents were put into one batch.";
    DocumentSentErrorBatched DOCUMENT_SENT_ERROR_BATCHED
        "Failed documents were put into one batch.";
    HookSent HOOK_SENT "A hook of mail or SFTP delivered.";
    HookSentRetry HOOK_SENT_RETRY "A hook of mail or SFTP will be tried again.";
    HookSentError HOOK_SENT_ERROR "A hook of mail or SFTP was given up.";
    HookDisabled HOOK_DISABLED
        "A hook was switched off, since its destination is gone or failed for days.";
    FolderError FOLDER_ERROR
        "A folder with documents to send cannot be looked at, or a file in it is refused.";
    JobEnded JOB_ENDED "A bulk job is finished or was cancelled.";
    CertificateExpiring CERTIFICATE_EXPIRING "A certificate of this service ends soon, or ended.";
    ServiceAlarm SERVICE_ALARM "Whoever runs this service has something to look at.";
    Ping PING "A caller asks whether its hooks are reached.";
}

impl Topic {
    /// The topic of this name, if the table has it. Case counts.
    pub fn named(name: &str) -> Option<Topic> {
        TOPICS.iter().map(|row| row.topic).find(|topic| topic.0 == name)
    }

    /// The name as it stands in payloads.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Whether its events are about a document, or have an id of their own in its place by which
    /// whoever asked for them knows them: those of a batch, and `Ping`.
    pub fn names_a_document(self) -> bool {
        !WITHOUT_DOCUMENT.contains(&self)
    }
}

/// Topics of the service, of which nothing is a document.
const WITHOUT_DOCUMENT: &[Topic] =
    &[Topic::FOLDER_ERROR, Topic::JOB_ENDED, Topic::CERTIFICATE_EXPIRING, Topic::SERVICE_ALARM];

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Serialize for Topic {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Topic {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Topic, D::Error> {
        let name = String::deserialize(deserializer)?;
        Topic::named(&name)
            .ok_or_else(|| serde::de::Error::custom(format_args!("no topic is named {name:?}")))
    }
}

/// What a hook listens to: a topic, or a pattern in which `*` stands for any run of characters
/// (`Send*`, `*Received`, `Send*Fallback`, `*`). A pattern must match at least one topic of the
/// table, so that a misspelt registration is refused instead of staying silent for ever.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TopicPattern(String);

/// A pattern that no topic can match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{found:?} matches no topic; {} docs/reference/events.md lists the topics",
    near::hint(found)
)]
pub struct UnknownTopic {
    /// The text as it came, cut to 64 characters.
    pub found: String,
}

impl TopicPattern {
    /// Whether an event of this topic is for the hook.
    ///
    /// A command (`SendInvoice`, `ReceiveInvoice`, `SendInvoiceFallback`) is only matched by a
    /// pattern that names its verb: who listens to everything that happens wants no commands, and
    /// `Send*` means the channel, not its fallback (specification 6, rule 3).
    pub fn matches(&self, topic: Topic) -> bool {
        let named = topic.verb().is_none_or(|verb| {
            let fallback = topic.0.ends_with(FALLBACK);
            self.0.starts_with(verb) && self.0.ends_with(FALLBACK) == fallback
        });
        named && glob(self.0.as_bytes(), topic.0.as_bytes())
    }

    /// A topic without wildcard; such a registration goes before wildcards (specification 6,
    /// rule 2b).
    pub fn is_specific(&self) -> bool {
        !self.0.contains('*')
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// `*` is any run of bytes, also none; everything else stands for itself. On a mismatch after a
/// star the star takes one byte more, so the work is at most pattern × text.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == text.get(t) {
            p += 1;
            t += 1;
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            p = at + 1;
            t = taken + 1;
        } else {
            return false;
        }
    }
    pattern.iter().skip(p).all(|b| *b == b'*')
}

impl FromStr for TopicPattern {
    type Err = UnknownTopic;
    fn from_str(text: &str) -> Result<TopicPattern, UnknownTopic> {
        let pattern = TopicPattern(text.to_owned());
        let known = || TOPICS.iter().any(|row| pattern.matches(row.topic));
        if text.len() <= PATTERN_LIMIT && known() {
            return Ok(pattern);
        }
        Err(UnknownTopic { found: text.chars().take(PATTERN_LIMIT).collect() })
    }
}

impl TryFrom<String> for TopicPattern {
    type Error = UnknownTopic;
    fn try_from(text: String) -> Result<TopicPattern, UnknownTopic> {
        text.parse()
    }
}

impl From<TopicPattern> for String {
    fn from(pattern: TopicPattern) -> String {
        pattern.0
    }
}

/// The kind of business a document belongs to, which names the topics of its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Family {
    /// Invoices and credit notes, self-billing ones as well.
    Invoice,
    /// Peppol BIS Invoice Response 3.0.
    InvoiceResponse,
    /// Orders, their changes, cancellations and responses.
    Order,
    /// Peppol Message Level Status.
    MessageLevelStatus,
    /// A report to a tax authority about an invoice, which the service makes itself.
    TaxReport,
    /// Anything else that travels.
    Document,
}

/// The topics of a family; none where the specification has none.
#[derive(Clone, Copy, Debug)]
pub struct FamilyRow {
    /// The family.
    pub family: Family,
    /// The word in the store and in listings.
    pub name: &'static str,
    /// Delivered.
    pub sent: Topic,
    /// An attempt failed, another one is planned.
    pub retry: Option<Topic>,
    /// Given up, or invalid.
    pub error: Option<Topic>,
    /// Arrived.
    pub received: Topic,
    /// Arrived, and breaks the rules of its type.
    pub received_error: Option<Topic>,
}

/// Every family with its topics.
pub const FAMILIES: &[FamilyRow] = &[
    FamilyRow {
        family: Family::Invoice,
        name: "Invoice",
        sent: Topic::INVOICE_SENT,
        retry: Some(Topic::INVOICE_SENT_RETRY),
        error: Some(Topic::INVOICE_SENT_ERROR),
        received: Topic::INVOICE_RECEIVED,
        received_error: Some(Topic::INVOICE_RECEIVED_ERROR),
    },
    FamilyRow {
        family: Family::InvoiceResponse,
        name: "InvoiceResponse",
        sent: Topic::INVOICE_RESPONSE_SENT,
        retry: Some(Topic::INVOICE_RESPONSE_SENT_RETRY),
        error: Some(Topic::INVOICE_RESPONSE_SENT_ERROR),
        received: Topic::INVOICE_RESPONSE_RECEIVED,
        received_error: None,
    },
    FamilyRow {
        family: Family::Order,
        name: "Order",
        sent: Topic::ORDER_SENT,
        retry: Some(Topic::ORDER_SENT_RETRY),
        error: Some(Topic::ORDER_SENT_ERROR),
        received: Topic::ORDER_RECEIVED,
        received_error: Some(Topic::ORDER_RECEIVED_ERROR),
    },
    FamilyRow {
        family: Family::MessageLevelStatus,
        name: "MessageLevelStatus",
        sent: Topic::MLS_SENT,
        retry: None,
        error: None,
        received: Topic::MLS_RECEIVED,
        received_error: None,
    },
    FamilyRow {
        family: Family::TaxReport,
        name: "TaxReport",
        sent: Topic::TAX_REPORT_SENT,
        retry: None,
        error: Some(Topic::TAX_REPORT_REJECTED),
        received: Topic::DOCUMENT_RECEIVED,
        received_error: Some(Topic::DOCUMENT_RECEIVED_ERROR),
    },
    FamilyRow {
        family: Family::Document,
        name: "Document",
        sent: Topic::DOCUMENT_SENT,
        retry: Some(Topic::DOCUMENT_SENT_RETRY),
        error: Some(Topic::DOCUMENT_SENT_ERROR),
        received: Topic::DOCUMENT_RECEIVED,
        received_error: Some(Topic::DOCUMENT_RECEIVED_ERROR),
    },
];

impl Family {
    /// The family's row. The table has one for each variant, which a test walks; the last row
    /// answers for a variant that was forgotten.
    pub fn row(self) -> &'static FamilyRow {
        #[expect(clippy::indexing_slicing, reason = "done by the compiler")]
        const LAST: &FamilyRow = &FAMILIES[FAMILIES.len() - 1];
        FAMILIES.iter().find(|row| row.family == self).unwrap_or(LAST)
    }

    /// Whether documents of it may answer others: Invoice Responses, order responses.
    pub fn may_answer(self) -> bool {
        matches!(self, Family::InvoiceResponse | Family::Order)
    }

    /// The family of this word, if there is one.
    pub fn named(name: &str) -> Option<Family> {
        FAMILIES.iter().find(|row| row.name == name).map(|row| row.family)
    }
}

mod commands;
mod near;
mod of_document;

pub(crate) use commands::FALLBACK;
pub use commands::{COMMANDS, CommandRow};
pub(crate) use near::meant;

#[cfg(test)]
mod tests;
