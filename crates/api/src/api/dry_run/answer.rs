//! What a dry run answers.

use jiff::Timestamp;
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use quoin_access_point::lookup::LookupReport;

use super::beside::WayPoint;
use crate::api::conversion::LossView;

/// What would happen to a document.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DryRun {
    /// `deliverable`, `rejected` (the document is wrong), `unroutable` (nobody takes it),
    /// `uncertain` (the look-up had no answer), or `refused` (it would not be taken now, as the
    /// package is used up).
    #[cfg_attr(test, schema(example = "deliverable"))]
    pub verdict: String,
    /// Why, one sentence.
    #[cfg_attr(test, schema(example = "it keeps the rules and its recipient takes it"))]
    pub reason: String,
    /// What is wrong with the document, warnings included.
    pub findings: Vec<DryRunFinding>,
    /// Who would send.
    #[cfg_attr(test, schema(example = "0106:12345678"))]
    pub sender: Option<String>,
    /// Who would receive.
    #[cfg_attr(test, schema(example = "0106:87654321"))]
    pub recipient: Option<String>,
    /// The document's own number.
    #[cfg_attr(test, schema(example = "INV-2026-17"))]
    pub number: Option<String>,
    /// The document type that would be sent, `scheme::value`.
    #[cfg_attr(test, schema(example = json!(crate::api::paths::BILLING)))]
    pub document_type_id: Option<String>,
    /// The process, `scheme::value`.
    #[cfg_attr(test, schema(example = json!(crate::api::paths::BILLING_PROCESS)))]
    pub process_id: Option<String>,
    /// What it becomes, where its recipient takes another format, or its channel carries one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversion: Option<DryRunConversion>,
    /// The way it would take.
    pub route: Option<DryRunRoute>,
    /// Everything that is not as it was in what its recipient gets, in the order of the document;
    /// empty where it is sent as it is.
    pub losses: Vec<LossView>,
    /// How the access point of the recipient is.
    pub endpoint: Option<DryRunEndpoint>,
    /// Where the way goes on, where a channel before it did not reach the recipient.
    #[serde(skip)]
    pub(super) passed: Option<WayPoint>,
}

/// A finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DryRunFinding {
    /// The rule.
    #[cfg_attr(test, schema(example = "BR-CO-15"))]
    pub rule: String,
    /// `error`, `warning` or `information`.
    #[cfg_attr(test, schema(example = "error"))]
    pub flag: String,
    /// What is wrong.
    #[cfg_attr(
        test,
        schema(example = "The invoice total with VAT (BT-112) is 120.00, expected 121.00.")
    )]
    pub text: String,
    /// Where, an XPath.
    #[cfg_attr(test, schema(example = "/Invoice/cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount"))]
    pub path: Option<String>,
}

/// What a document becomes for a recipient that takes another format, or a channel that carries
/// one.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DryRunConversion {
    /// What it would be sent as: a type of document, or the format of a channel.
    #[cfg_attr(
        test,
        schema(
            example = "busdox-docid-qns::urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100::CrossIndustryInvoice##urn:cen.eu:en16931:2017::D16B"
        )
    )]
    pub target_document_type_id: String,
    /// How many values are in it as they were, or follow from what is.
    #[cfg_attr(test, schema(example = 112))]
    pub carried: usize,
}

/// A way.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DryRunRoute {
    /// The channel.
    #[cfg_attr(test, schema(example = "peppol"))]
    pub channel: String,
    /// How it delivers: `As4`, `Smtp`, `Sftp`, `Https`.
    #[cfg_attr(test, schema(example = "As4"))]
    pub protocol: String,
    /// Where a channel beside the network sends it to, without parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = json!(null)))]
    pub destination: Option<String>,
    /// What is shown there: names, and never values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schema(example = json!([])))]
    pub credentials: Vec<String>,
    /// Why nothing could be sent by the hook of the channel as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = json!(null)))]
    pub problem: Option<String>,
    /// Why this way, sentences in the order of the decisions.
    #[cfg_attr(test, schema(example = json!(["The recipient is registered for the document's own type."])))]
    pub because: Vec<String>,
    /// What was seen on the way to the recipient, where it goes over Peppol.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(
        value_type = Option<std::collections::BTreeMap<String, serde_json::Value>>,
        example = json!({})
    ))]
    pub lookup: Option<LookupReport>,
}

/// How an access point is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DryRunEndpoint {
    /// Its address.
    #[cfg_attr(test, schema(example = "https://ap.example.org/as4"))]
    pub url: String,
    /// The seat id of its certificate.
    #[cfg_attr(test, schema(example = "POP000001"))]
    pub seat_id: String,
    /// Until when its certificate is valid.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub certificate_until: Timestamp,
    /// Whole days until then.
    #[cfg_attr(test, schema(example = 412))]
    pub certificate_days_left: i64,
    /// Whether its address answers just now.
    pub is_reachable: bool,
    /// What it answered to a plain request, or why there was no answer.
    #[cfg_attr(test, schema(example = "it answers with status 405"))]
    pub answer: String,
    /// Attempts of the organisation to deliver there in the last week that were taken.
    #[cfg_attr(test, schema(example = 17))]
    pub delivered_lately: u64,
    /// Attempts of the organisation to deliver there in the last week that failed.
    #[cfg_attr(test, schema(example = 0))]
    pub failed_lately: u64,
    /// When one was last taken.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub last_delivered_on: Option<Timestamp>,
    /// When one last failed.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime, example = json!(null)))]
    pub last_failed_on: Option<Timestamp>,
    /// `closed`, `open` (it failed for several documents in a row and is left alone) or
    /// `half-open`.
    #[cfg_attr(test, schema(example = "closed"))]
    pub state: String,
    /// In how many milliseconds half of those that were taken had their receipt.
    #[cfg_attr(test, schema(example = 210))]
    pub median_ms: Option<u32>,
    /// Why the last one failed, one stable word.
    #[cfg_attr(test, schema(example = json!(null)))]
    pub last_error: Option<String>,
}
