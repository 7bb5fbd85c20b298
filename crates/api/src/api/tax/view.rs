//! A report to a tax authority, as the interface shows it.

use jiff::Timestamp;
use quoin_delivery::Direction;
use quoin_delivery::tax::{RejectedPlace, TaxState, place_of};
use quoin_model::Language;
use quoin_store::{TaxFacts, TaxReportRecord};
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use crate::http::words::CauseView;

/// A page of reports.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaxReportPage {
    /// The reports, oldest first.
    #[cfg_attr(test, schema(example = json!([{
        "id": "0192f0c1-2b3c-8d4e-8f90-a1b2c3d4e5f6",
        "documentId": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "direction": "outgoing", "place": 1, "role": "C2", "act": "submit", "state": "due",
        "messages": 0,
        "createdOn": "2026-11-26T12:00:00Z", "changedOn": "2026-11-26T12:00:00Z"
    }])))]
    pub items: Vec<TaxReportView>,
    /// Where to go on; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub continuation_token: Option<String>,
}

/// A report to a tax authority about an invoice.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schema(example = json!({
    "id": "0192f0c1-2b3c-8d4e-8f90-a1b2c3d4e5f6",
    "documentId": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "direction": "outgoing", "number": "INV-2026-17", "place": 1,
    "role": "C2", "act": "submit", "state": "rejected",
    "country": "BE", "regime": "vida-1.1", "scope": "D",
    "authority": "0242:000123-TAX.BE", "reporter": "0208:0123456749",
    "invoiceUuid": "5f3a52c5-6f6e-5d34-9f0e-2a1b3c4d5e6f",
    "dataUuid": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "code": "tax-report-rejected",
    "cause": {
        "corner": "authority", "title": "The national invoice system", "whoCanFix": "sender",
        "remedy": "Whoever issued the invoice has to correct it."
    },
    "message": "The report was rejected.", "findings": ["BV /TaxData BT-48 is unknown."],
    "messages": 1, "dueOn": "2026-11-27T12:00:00Z", "sentOn": "2026-11-26T12:00:01Z",
    "createdOn": "2026-11-26T12:00:00Z", "changedOn": "2026-11-26T12:00:04Z"
})))]
pub(crate) struct TaxReportView {
    /// Its id.
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-8d4e-8f90-a1b2c3d4e5f6"))]
    id: String,
    /// The invoice.
    #[cfg_attr(test, schema(example = "0f8fad5b-d9cb-469f-a165-70867728950e"))]
    document_id: String,
    /// Which way the invoice went: `outgoing` ones are reported as corner 2, `incoming` as corner
    /// 3.
    #[cfg_attr(test, schema(example = "outgoing"))]
    direction: &'static str,
    /// The number of the invoice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "INV-2026-17"))]
    number: Option<String>,
    /// Its place among the reports about the invoice, from 1; each takes the place of the one
    /// before it.
    #[cfg_attr(test, schema(example = 1))]
    place: u32,
    /// `C2` or `C3`.
    #[cfg_attr(test, schema(example = "C2"))]
    role: &'static str,
    /// What it is to the authority: `submit`, `resubmit`, `disregard`, or `undelivered` where the
    /// invoice could not be transmitted.
    #[cfg_attr(test, schema(example = "submit"))]
    act: &'static str,
    /// `due` (to be written), `gathered` (waits for the file of its period), `sending`, `sent` (not
    /// answered yet), `accepted`, `rejected`, `failed` (not made, or did not get there), `notOwed`
    /// or `replaced`.
    #[cfg_attr(test, schema(example = "rejected"))]
    state: &'static str,
    /// The country that gave the VAT number under which it is reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "BE"))]
    country: Option<String>,
    /// By which text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "vida-1.1"))]
    regime: Option<String>,
    /// How far the transaction reaches, in the code of the regime.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "D"))]
    scope: Option<String>,
    /// The authority's provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "0242:000123-TAX.BE"))]
    authority: Option<String>,
    /// The id of the hook by which it goes to a registered platform; absent where it goes over the
    /// network.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "platform"))]
    channel: Option<String>,
    /// When the file of its period is written, where it is told in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    file_on: Option<Timestamp>,
    /// The participant that is reported for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "0208:0123456749"))]
    reporter: Option<String>,
    /// What the authority calls the invoice (TDT-017), the same in each report about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "5f3a52c5-6f6e-5d34-9f0e-2a1b3c4d5e6f"))]
    invoice_uuid: Option<String>,
    /// What the report itself is called (TDT-003).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "7c9e6679-7425-40de-944b-e07fc1f90ae7"))]
    data_uuid: Option<String>,
    /// What went wrong, where something did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "tax-report-rejected"))]
    code: Option<String>,
    /// Where that lies, who can fix it and how, in the language of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<CauseView>,
    /// Why it is where it is, one line.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, schema(example = "The report was rejected."))]
    message: String,
    /// What was found, a line each: what of the invoice is missing or wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schema(example = json!(["BV /TaxData BT-48 is unknown."])))]
    findings: Vec<String>,
    /// What of the invoice the authority rejected, one entry a finding that names a place in the
    /// report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<TaxPlaceView>,
    /// Messages that carried it so far: more than one where nobody answered.
    #[cfg_attr(test, schema(example = 1))]
    messages: u32,
    /// Until when the authority has to have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    due_on: Option<Timestamp>,
    /// When the access point of the authority took it last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    sent_on: Option<Timestamp>,
    /// When its invoice was delivered, or came, or it was asked for.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    created_on: Timestamp,
    /// When it changed last.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    changed_on: Timestamp,
}

/// What a rejection is about.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaxPlaceView {
    /// The terms and groups of the invoice (`BT-`, `BG-`, `IBT-`), or of the report itself
    /// (`TDT-`); empty where all of the invoice is meant.
    #[cfg_attr(test, schema(example = json!(["BT-48"])))]
    terms: Vec<String>,
    /// The line of the invoice, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = 2))]
    line: Option<u32>,
    /// The same in words, in the language of the request.
    #[cfg_attr(test, schema(example = "BT-48 (VAT number of the buyer)"))]
    words: String,
    /// Who can change it: `sender`, who issued the invoice, or `us`, the operator of the service.
    #[cfg_attr(test, schema(example = "sender"))]
    who_can_fix: &'static str,
}

impl TaxPlaceView {
    fn of(regime: Option<&str>, finding: &str, language: Language) -> Option<TaxPlaceView> {
        let RejectedPlace { terms, line, words, fixer } = place_of(regime?, finding, language)?;
        Some(TaxPlaceView { terms, line, words, who_can_fix: fixer.as_str() })
    }
}

impl TaxReportView {
    /// A report, with its cause in a language.
    pub(super) fn of(report: TaxReportRecord, language: Language) -> TaxReportView {
        let is_rejected = report.state == TaxState::Rejected;
        let findings = report.reason.findings.iter().filter(|_| is_rejected);
        let place =
            |finding: &String| TaxPlaceView::of(report.facts.regime.as_deref(), finding, language);
        let places = findings.filter_map(place).collect();
        let TaxFacts {
            country,
            regime,
            scope,
            authority,
            document_type: _,
            reporter,
            invoice_uuid,
            data_uuid,
            due_on,
            channel,
        } = report.facts;
        TaxReportView {
            id: report.id,
            document_id: report.invoice.to_string(),
            direction: match report.direction {
                Direction::Outgoing => "outgoing",
                Direction::Incoming => "incoming",
            },
            number: report.number,
            place: report.place,
            role: report.role.as_str(),
            act: report.act.as_str(),
            state: report.state.as_str(),
            country,
            regime,
            scope,
            authority,
            reporter,
            invoice_uuid,
            data_uuid,
            cause: report.reason.code.as_deref().and_then(|code| CauseView::of(code, language)),
            code: report.reason.code,
            message: report.reason.message,
            findings: report.reason.findings,
            places,
            messages: report.messages,
            channel,
            file_on: report.gathered.map(|gathered| gathered.until),
            due_on,
            sent_on: report.left_on,
            created_on: report.created_on,
            changed_on: report.changed_on,
        }
    }
}
