//! What proves the passage of a document: bytes as they travelled, kept with the attempt or the
//! arrival in the same commit; but for the receipt of an arrival, which is signed only after that
//! commit and is kept by a write of its own. The document as it travelled goes when the document
//! goes; the signed headers, receipts and answers hold none of it and stay with the record of the
//! passage.

use bytes::Bytes;
use quoin_delivery::{OrganisationId, TransactionId};

use crate::blobs::{self, BlobId, Ready};
use crate::engine::{Param, SqlRow};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::writer::Tx;

/// What a piece of evidence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EvidenceKind {
    /// The signed SOAP envelope of the AS4 message, without its attachment.
    Message,
    /// The attachment before encryption: the enveloped document, compressed. It goes with the
    /// document.
    Payload,
    /// The signed answer of the receiver's SMP.
    SmpAnswer,
    /// The signed answer to which that one redirected.
    RedirectedAnswer,
    /// The signed receipt that we gave, for a document that arrived.
    Receipt,
    /// What the receiver's access point said instead of a receipt: that it had the message before.
    Word,
    /// What became of a document that was converted for its receiver, with the list of what is not
    /// in it as it was, as JSON.
    Losses,
    /// The document as another network had it, where it was converted for that. It goes with the
    /// document.
    Carried,
    /// The document as an authority has it: FA(3).
    Form,
    /// The official receipt of an authority: UPO.
    Upo,
    /// The page of the document with the codes that an authority asks for, as PDF.
    CodedPage,
}

impl EvidenceKind {
    /// Every kind.
    pub const ALL: [EvidenceKind; 11] = [
        EvidenceKind::Message,
        EvidenceKind::Payload,
        EvidenceKind::SmpAnswer,
        EvidenceKind::RedirectedAnswer,
        EvidenceKind::Receipt,
        EvidenceKind::Word,
        EvidenceKind::Losses,
        EvidenceKind::Carried,
        EvidenceKind::Form,
        EvidenceKind::Upo,
        EvidenceKind::CodedPage,
    ];

    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            EvidenceKind::Message => "message",
            EvidenceKind::Payload => "payload",
            EvidenceKind::SmpAnswer => "smp-answer",
            EvidenceKind::RedirectedAnswer => "redirected-answer",
            EvidenceKind::Receipt => "receipt",
            EvidenceKind::Word => "word",
            EvidenceKind::Losses => "losses",
            EvidenceKind::Carried => "carried",
            EvidenceKind::Form => "form",
            EvidenceKind::Upo => "upo",
            EvidenceKind::CodedPage => "coded-page",
        }
    }

    fn named(word: &str) -> Option<EvidenceKind> {
        EvidenceKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A piece of evidence as it is handed in.
pub type Evidence = (EvidenceKind, Bytes);

/// A piece of evidence on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvidenceRecord {
    /// The attempt; 0 for an arrival.
    pub attempt: u32,
    /// What it is.
    pub kind: EvidenceKind,
    /// Where its bytes lie.
    pub blob: BlobId,
}

const ADD: &str = "INSERT INTO evidence (transaction_id, attempt, kind, blob)
    VALUES (?1, ?2, ?3, ?4)";
const OF: &str = "SELECT attempt, kind, blob FROM evidence WHERE transaction_id = ?1
    ORDER BY attempt, kind";
const HAS_RECEIPT: &str = "SELECT 1 FROM evidence WHERE transaction_id = ?1 AND attempt = 0
    AND kind = 'receipt'";
const DROP: &str = "DELETE FROM evidence WHERE transaction_id = ?1
    AND kind IN ('payload', 'carried', 'form', 'coded-page') RETURNING blob";

/// Records a piece; answers the file to discard after the commit, if any.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    (owner, transaction): (&OrganisationId, &TransactionId),
    attempt: u32,
    (kind, blob): (EvidenceKind, &Ready),
) -> Result<Option<String>, Fault> {
    let surplus = blobs::record(tx, owner, blob)?;
    let row = [
        transaction.as_str().into(),
        attempt.into(),
        kind.as_str().into(),
        Param::Blob(&blob.id.0),
    ];
    tx.execute(ADD, &row)?;
    Ok(surplus)
}

/// Drops what holds the document itself; answers the files to discard after the commit.
pub(crate) fn drop_payload(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    transaction: &TransactionId,
) -> Result<Vec<String>, Fault> {
    let mut files = Vec::new();
    for mut row in tx.query(DROP, &[transaction.as_str().into()])? {
        let blob = BlobId(row.digest("evidence.blob")?);
        files.extend(blobs::release(tx, owner, blob)?);
    }
    Ok(files)
}

fn read(mut row: SqlRow) -> Result<EvidenceRecord, Fault> {
    Ok(EvidenceRecord {
        attempt: row.count("evidence.attempt")?,
        kind: row.word("evidence.kind", EvidenceKind::named)?,
        blob: BlobId(row.digest("evidence.blob")?),
    })
}

impl Store {
    /// What is kept as evidence of a transaction, by attempt.
    pub async fn evidence_of(&self, id: &TransactionId) -> Result<Vec<EvidenceRecord>, Error> {
        let id = id.clone();
        self.read(move |db| {
            let rows = db.query(OF, &[id.as_str().into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Keeps the signed receipt of an arrival. The first one stays, also where a repeat of the
    /// message got another.
    ///
    /// Errors: [`Refusal::NotFound`] for a transaction that is not there.
    pub async fn keep_receipt(&self, id: &TransactionId, receipt: Bytes) -> Result<(), Error> {
        let found = self.transaction(id).await?;
        let found =
            found.ok_or_else(|| Refusal::NotFound { what: "transaction", key: id.to_string() })?;
        let owner = found.transaction.organisation;
        let blob = self.blobs.ready_anyhow(&owner, receipt).await?;
        let id = id.clone();
        let surplus = self
            .write(move |tx| {
                if tx.first(HAS_RECEIPT, &[id.as_str().into()])?.is_some() {
                    return Ok(blob.into_file());
                }
                Ok(add(tx, (&owner, &id), 0, (EvidenceKind::Receipt, &blob))?)
            })
            .await?;
        self.blobs.discard(surplus).await;
        Ok(())
    }

    pub(crate) async fn ready_evidence(
        &self,
        owner: &OrganisationId,
        evidence: Vec<Evidence>,
    ) -> Result<Vec<(EvidenceKind, Ready)>, Error> {
        let mut ready = Vec::with_capacity(evidence.len());
        for (kind, bytes) in evidence {
            let blob = match kind {
                EvidenceKind::SmpAnswer | EvidenceKind::RedirectedAnswer => {
                    self.blobs.ready_shared(owner, bytes).await?
                }
                _ => self.blobs.ready_anyhow(owner, bytes).await?,
            };
            ready.push((kind, blob));
        }
        Ok(ready)
    }
}
