//! What the report of an attempt says: of a document that was converted, and of whether it may have
//! arrived.

use quoin_delivery::fate;
use quoin_store::Attempt;
use serde::{Deserialize, Serialize};

use crate::plan::Plan;

/// What a document that was converted is sent as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentAs {
    /// The type of what it was converted to, `scheme::value`.
    pub(crate) document_type: String,
    /// The process, `scheme::value`.
    pub(crate) process: String,
}

impl SentAs {
    /// What the plan says.
    pub(super) fn planned(plan: &Plan) -> SentAs {
        let (document_type, process) = (plan.document_type.to_string(), plan.process.to_string());
        SentAs { document_type, process }
    }

    /// What the report of an attempt says of it.
    pub(crate) fn of(report: &serde_json::Value) -> Option<SentAs> {
        SentAs::deserialize(report.get("converted")?).ok()
    }
}

/// Whether the receiver may have taken what an attempt sent, although no answer said so.
pub(crate) fn may_have_arrived(attempt: &Attempt) -> bool {
    let status = attempt.report.pointer("/send/httpStatus").and_then(serde_json::Value::as_u64);
    let status = status.and_then(|status| u16::try_from(status).ok());
    attempt.code.as_deref().is_some_and(|code| fate::may_have_arrived(code, status))
}
