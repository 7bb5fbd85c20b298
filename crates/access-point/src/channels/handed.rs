//! A document that is handed to somebody outside: where it is, what it is, and what names it.

use std::collections::BTreeMap;

use bytes::Bytes;
use quoin_store::{HookCall, TransactionRecord};

use crate::mail::extension;
use crate::naming::FileFacts;
use crate::step::StepFault;

use super::ChannelContext;

/// Why a document that an event tells of cannot be handed on.
pub(super) const DELETED: &str = "the document was deleted";

/// What a look at the bytes of a document tells.
pub(super) struct DocumentFile {
    /// Its format by name; empty where nobody knows it.
    pub format: String,
    /// `.xml` and the like.
    pub extension: &'static str,
    /// Its media type.
    pub media_type: &'static str,
}

/// Looks at the bytes of a document.
pub(super) fn kind_of(content: &[u8]) -> DocumentFile {
    let detection = quoin_formats::detect(content);
    DocumentFile {
        format: detection.format.as_deref().unwrap_or_default().to_owned(),
        extension: extension(detection.syntax),
        media_type: detection.syntax.map_or("application/xml", quoin_formats::Syntax::media_type),
    }
}

/// What is known of a document without a look into it. The id is the document's own, so that no
/// two documents have the same.
pub(super) fn facts_of(
    record: &TransactionRecord,
    details: &BTreeMap<String, String>,
) -> FileFacts {
    let detail = |name: &str| details.get(name).cloned().unwrap_or_default();
    let transaction = &record.transaction;
    FileFacts {
        id: transaction.document_id.to_string(),
        number: detail("id"),
        family: transaction.family.row().name.to_owned(),
        sender: detail("sender"),
        recipient: detail("recipient"),
        topic: detail("topic"),
        ..FileFacts::default()
    }
}

/// The same with what a look into the document tells.
pub(super) fn named(facts: FileFacts, file: &DocumentFile) -> FileFacts {
    FileFacts { format: file.format.clone(), extension: file.extension.to_owned(), ..facts }
}

impl ChannelContext<'_> {
    /// The document that an event tells of, with its record; none where it was deleted.
    pub(super) async fn arrived_document(
        &self,
        call: &HookCall,
    ) -> Result<Option<(TransactionRecord, Bytes)>, StepFault> {
        let Some(transaction) = &call.event.transaction else { return Ok(None) };
        let Some(record) = self.store.transaction(transaction).await? else { return Ok(None) };
        let content = self.store.document(&record).await?;
        Ok(content.map(|content| (record, content)))
    }
}
