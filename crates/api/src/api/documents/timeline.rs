//! The steps in the life of a document as they are shown.

use jiff::Timestamp;
use quoin_delivery::Status;
use quoin_ksef::explain::in_language;
use quoin_store::{TimelineLine, TransactionRecord};
use serde::Serialize;
#[cfg(test)]
use utoipa::ToSchema;

use crate::api::Api;
use crate::http::words::CauseView;
use crate::http::{Caller, Problem};

/// A step in the life of a document.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StatusLine {
    /// The document's id.
    #[cfg_attr(test, schema(example = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6"))]
    pub id: String,
    /// What happened, one word.
    #[cfg_attr(test, schema(example = "Delivered"))]
    pub name: String,
    /// What happened, one sentence.
    #[cfg_attr(test, schema(example = "POP000001 took the document and signed a receipt."))]
    pub description: String,
    /// What went wrong, one stable word, where something did: `invalid-document`,
    /// `not-registered`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(example = "not-registered"))]
    pub code: Option<String>,
    /// Where that lies, and who can fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<CauseView>,
    /// When.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
}

/// The timeline of a document, oldest first.
pub(super) async fn timeline(
    api: &Api,
    caller: &Caller,
    record: &TransactionRecord,
) -> Result<Vec<StatusLine>, Problem> {
    let lines = api.store.timeline_of(&record.transaction.id).await?;
    let id = record.transaction.document_id.as_str();
    let cause = |line: &TimelineLine| {
        let code = line.code.as_deref()?;
        match line.name == Status::Failed.as_str() {
            true => CauseView::at_end(code, caller.language),
            false => CauseView::of(code, caller.language),
        }
    };
    Ok(lines
        .into_iter()
        .map(|line| StatusLine {
            id: id.to_owned(),
            cause: cause(&line),
            name: line.name,
            // What KSeF told stands there in Polish and English; it is read in every language.
            description: in_language(&line.description, caller.language)
                .unwrap_or(line.description),
            code: line.code,
            created_on: line.created_on,
        })
        .collect())
}
