//! What is known already of a message that comes, and of an envelope that a caller made.

use bytes::Bytes;
use quoin_delivery::repeats::{self, ContentIdentity, RepeatedIdentifier};
use quoin_delivery::{OrganisationId, Status, TransactionId};

use super::{New, RecordOutcome};
use crate::blobs::BlobId;
use crate::engine::Connection;
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::transactions;

const MESSAGE: &str = "SELECT id, sha256, receiver FROM transactions
    WHERE direction = 'incoming' AND message_id = ?1 AND access_point = ?2";
/// Of the same organisation: what others send is none of a caller's business, and nobody can take
/// an identifier from them by using it first.
const ENVELOPE: &str = "SELECT id, sha256 FROM transactions
    WHERE instance_id = ?1 AND direction = 'outgoing'
    AND +organisation = ?2 AND status NOT IN (?3, ?4) LIMIT 1";
const INSTANCE: &str = "SELECT id, sha256, receiver FROM transactions
    WHERE direction = 'incoming' AND instance_id = ?1 AND envelope_sender = ?2";

/// The identifiers of a message that came, and whom its document is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrivalIdentifiers {
    /// The AS4 message id.
    pub message_id: String,
    /// The common name of corner 2's certificate.
    pub access_point: String,
    /// The SBDH instance identifier.
    pub instance_id: String,
    /// The sender in the envelope, in lower case.
    pub sender: String,
    /// The receiver in the envelope.
    pub receiver: String,
}

impl Store {
    /// Whether an envelope that its caller made may be sent under its instance identifier.
    pub async fn is_envelope_free(
        &self,
        organisation: &OrganisationId,
        instance: &str,
    ) -> Result<bool, Error> {
        let (organisation, instance) = (organisation.clone(), instance.to_owned());
        self.read(move |db| Ok(bearer(db, &organisation, &instance)?.is_none())).await
    }

    /// What is known already of a message that brings a document. A document is looked at only
    /// where one of the identifiers is known.
    pub async fn arrived_before(
        &self,
        ids: ArrivalIdentifiers,
        document: Bytes,
    ) -> Result<Option<RecordOutcome>, Error> {
        self.read(move |db| Ok(known(db, &ids, || BlobId::of(&document))?)).await
    }
}

/// What is known of a message by its identifiers. The message id comes first; where that one bears
/// another document, the envelope does not matter any more.
pub(super) fn known(
    db: &mut dyn Connection,
    ids: &ArrivalIdentifiers,
    document: impl FnOnce() -> BlobId,
) -> Result<Option<RecordOutcome>, Fault> {
    let ArrivalIdentifiers { message_id, access_point, instance_id, sender, receiver } = ids;
    let questions = [
        (RepeatedIdentifier::Message, MESSAGE, [message_id.into(), access_point.into()]),
        (RepeatedIdentifier::Instance, INSTANCE, [instance_id.into(), sender.into()]),
    ];
    for (by, sql, key) in questions {
        let Some(mut row) = db.first(sql, &key)? else { continue };
        let existing = row.parsed("transactions.id")?;
        let digest = row.digest("transactions.sha256")?;
        let known = row.text_or_none("transactions.receiver")?.unwrap_or_default();
        let repeat = repeats::repeat(
            ContentIdentity { digest: &document().0, receiver },
            ContentIdentity { digest: &digest, receiver: &known },
        );
        return Ok(Some(RecordOutcome::Known { existing, by, repeat }));
    }
    Ok(None)
}

/// What is known of a document whose id is that of another one of its organisation, sent or
/// received, whichever way that one came; nothing where it is that of none.
pub(super) fn known_document(
    db: &mut dyn Connection,
    new: &New,
) -> Result<Option<RecordOutcome>, Fault> {
    let own = &new.transaction;
    let found = transactions::find_named(db, &own.organisation, own.direction, &own.document_id)?;
    let Some(found) = found else { return Ok(None) };
    let [receiver, known] = [&own.receiver, &found.transaction.receiver];
    let repeat = repeats::repeat(
        ContentIdentity {
            digest: &new.blob.id.0,
            receiver: receiver.as_deref().unwrap_or_default(),
        },
        ContentIdentity { digest: &found.sha256.0, receiver: known.as_deref().unwrap_or_default() },
    );
    let by = RepeatedIdentifier::Document;
    Ok(Some(RecordOutcome::Known { existing: found.transaction.id, by, repeat }))
}

/// What bears the identifier of an envelope already: a document of the same organisation that was
/// sent or may be.
pub(super) fn bearer(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    instance: &str,
) -> Result<Option<(TransactionId, BlobId)>, Fault> {
    let [rejected, failed] = [Status::Rejected, Status::Failed].map(Status::as_str);
    let key = [instance.into(), organisation.as_str().into(), rejected.into(), failed.into()];
    let Some(mut row) = db.first(ENVELOPE, &key)? else { return Ok(None) };
    Ok(Some((row.parsed("transactions.id")?, BlobId(row.digest("transactions.sha256")?))))
}
