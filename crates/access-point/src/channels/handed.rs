//! A document that is handed to somebody outside: where it is, what it is, and what names it.

use std::collections::BTreeMap;

use bytes::Bytes;
use quoin_formats::Syntax;
use quoin_store::{HookCall, TransactionRecord};

use crate::budget::bytes::SENT_WEIGHT;
use crate::budget::{Busy, LinePlace};
use crate::mail::{extension, recipient};
use crate::naming::FileFacts;
use crate::plan::Plan;
use crate::rules::RuleLibrary;
use crate::step::StepFault;

use super::{ChannelContext, OutboundRun};

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
    file_of(detection.syntax, detection.format.as_deref())
}

/// The same of a document that was looked at.
pub(super) fn file_of(syntax: Option<Syntax>, format: Option<&str>) -> DocumentFile {
    DocumentFile {
        format: format.unwrap_or_default().to_owned(),
        extension: extension(syntax),
        media_type: syntax.map_or("application/xml", Syntax::media_type),
    }
}

/// Bytes of a document that are handled where they are; larger ones on a thread of the pool.
const IN_PLACE: usize = 64 << 10;

impl OutboundRun<'_> {
    /// The mail address that the document names for its recipient.
    pub(crate) async fn named_address(&self, plan: &Plan) -> Result<Option<String>, StepFault> {
        let document = match &self.upload {
            Some(upload) => Some(upload.clone()),
            None => self.context.store.document(&self.record).await?,
        };
        let Some(document) = document else { return Ok(None) };
        let read = |content: Bytes, _| recipient(&quoin_formats::read(&content));
        let named = self.with_content(plan, document, read).await?;
        Ok(named.map(|mailbox| mailbox.email.to_string()))
    }

    /// Makes something of the document that corner 4 takes out of what was uploaded. Nothing is
    /// read again that the plan knows.
    pub(super) async fn with_content<T: Send + 'static>(
        &self,
        plan: &Plan,
        document: Bytes,
        make: impl FnOnce(Bytes, DocumentFile) -> T + Send + 'static,
    ) -> Result<T, StepFault> {
        let file = file_of(plan.content.syntax, plan.content.format.as_deref());
        if document.len() <= IN_PLACE && plan.payload.header().is_none() {
            return Ok(make(document, file));
        }
        let payload = plan.payload.clone();
        let open = move |_: &RuleLibrary| make(payload.content(&document), file);
        self.context.apart(&self.record, open).await
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
        let content = self.told_bytes(&record).await?;
        Ok(content.map(|content| (record, content)))
    }

    /// The bytes of a document that is handed on, with the room that writing it takes.
    pub(super) async fn told_bytes(
        &self,
        record: &TransactionRecord,
    ) -> Result<Option<Bytes>, StepFault> {
        let mut holding = self.budgets.bytes.enter(record.transaction.organisation.as_str());
        let size = usize::try_from(record.size).unwrap_or(usize::MAX);
        let room = holding.ask(size.saturating_mul(SENT_WEIGHT), LinePlace::STEP).await;
        room.map_err(Busy::Full)?;
        let content = self.store.document(record).await?;
        Ok(content.map(|content| holding.keep(content)))
    }
}
