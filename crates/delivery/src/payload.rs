//! The body of a webhook call (interface specification 6; conventions A6).

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{DocumentId, HookId};
use crate::topics::Topic;

/// What a hook's destination gets as JSON. Everything but `hook_id` and `sent_on` is fixed when the
/// event is recorded; `sent_on` is new for each try, since receivers refuse what is more than five
/// minutes old.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HookPayload {
    /// The topic.
    pub topic: Topic,
    /// The party it concerns, `scheme:identifier`; left out of what is about the organisation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party_id: Option<String>,
    /// The hook that is called.
    pub hook_id: HookId,
    /// The document it concerns; left out of what is about none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_id: Option<DocumentId>,
    /// The answer, where the event tells of one that arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_document_id: Option<DocumentId>,
    /// One sentence for people.
    pub message: String,
    /// Facts by name; see `decide` for the names of each topic.
    pub details: BTreeMap<String, String>,
    /// When it happened.
    pub created_on: Timestamp,
    /// When this try of the call was made.
    pub sent_on: Timestamp,
}
