//! Transactions: the records of documents on their way.

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::{
    DeliveryRoute, Direction, DocumentId, Family, OrganisationId, Status, Transaction,
    TransactionId,
};

use crate::blobs::BlobId;
use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;

/// What is on record about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionRecord {
    /// What decisions are made from.
    pub transaction: Transaction,
    /// The process in the form `scheme::value`, once known.
    pub process: Option<String>,
    /// COUNTRY_C1 of the envelope: the sender's country.
    pub country_c1: Option<String>,
    /// The receiver's country, where known.
    pub country_c4: Option<String>,
    /// The channel the caller forced, if any.
    pub channel: Option<String>,
    /// The AS4 message id.
    pub message_id: Option<String>,
    /// The SBDH instance identifier.
    pub instance_id: Option<String>,
    /// Incoming: who sent it, the common name of corner 2's certificate.
    pub access_point: Option<String>,
    /// Where the document lies; none once it was deleted.
    pub blob: Option<BlobId>,
    /// SHA-256 of the document, also after its deletion.
    pub sha256: BlobId,
    /// Bytes of the document.
    pub size: u64,
    /// Where the validation report lies, if there is one.
    pub report: Option<BlobId>,
    /// When it was recorded.
    pub created_on: Timestamp,
    /// When it last changed.
    pub changed_on: Timestamp,
    /// When the party first downloaded it.
    pub downloaded_on: Option<Timestamp>,
    /// When the party deleted it.
    pub deleted_on: Option<Timestamp>,
    /// When its bytes went because their time was over.
    pub expired_on: Option<Timestamp>,
    /// What its sender asked beside it.
    pub wishes: SubmitOptions,
}

/// What a caller asks of a document beside the document itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubmitOptions {
    /// Who sends, where the document does not say, `scheme:identifier`.
    pub sender: Option<String>,
    /// Who receives, whatever the document says, `scheme:identifier`.
    pub receiver: Option<String>,
    /// The document type, where the document alone does not tell it, `scheme::value`.
    pub document_type: Option<String>,
    /// The process, where the document alone does not tell it, `scheme::value`.
    pub process: Option<String>,
    /// Attributes of the caller's own, a JSON object of texts.
    pub meta_attributes: Option<String>,
    /// The format to convert it to: a document type, or its customization.
    pub target_format: Option<String>,
    /// What a conversion may lose, beside what the operator allows: terms and paths between
    /// commas.
    pub allowed_losses: Option<String>,
}

impl SubmitOptions {
    pub(crate) fn read(row: &mut SqlRow) -> Result<SubmitOptions, Fault> {
        let wishes = [
            "transactions.wish_sender",
            "transactions.wish_receiver",
            "transactions.wish_document_type",
            "transactions.wish_process",
            "transactions.meta_attributes",
            "transactions.wish_target_format",
            "transactions.wish_allowed_losses",
        ];
        let [
            sender,
            receiver,
            document_type,
            process,
            meta_attributes,
            target_format,
            allowed_losses,
        ] = row.texts(wishes)?;
        Ok(SubmitOptions {
            sender,
            receiver,
            document_type,
            process,
            meta_attributes,
            target_format,
            allowed_losses,
        })
    }

    /// The values in the order of the statement that records them, after the transaction's id.
    pub(crate) fn params(&self) -> [Param<'_>; 7] {
        [
            self.sender.as_ref().into(),
            self.receiver.as_ref().into(),
            self.document_type.as_ref().into(),
            self.process.as_ref().into(),
            self.meta_attributes.as_ref().into(),
            self.target_format.as_ref().into(),
            self.allowed_losses.as_ref().into(),
        ]
    }
}

/// What a step learned about a document: what is set here replaces what is on record, the rest
/// stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TransactionFacts {
    /// The kind of business.
    pub family: Option<Family>,
    /// Sender, `scheme:identifier`.
    pub sender: Option<String>,
    /// Receiver, `scheme:identifier`.
    pub receiver: Option<String>,
    /// The document's own number.
    pub number: Option<String>,
    /// Its day of issue, `2026-05-17`; asked of what was sent.
    pub issued_on: Option<String>,
    /// Its type code: 380, 381, 389; asked of what was sent.
    pub type_code: Option<String>,
    /// The document type as it came, `scheme::value`.
    pub source_document_type: Option<String>,
    /// The process, `scheme::value`.
    pub process: Option<String>,
    /// The sender's country.
    pub country_c1: Option<String>,
    /// The receiver's country.
    pub country_c4: Option<String>,
}

impl TransactionFacts {
    /// The values of `sender, receiver, number, source_document_type, process, country_c1,
    /// country_c4, issued_on, type_code`, in this order.
    pub(crate) fn params(&self) -> [Param<'_>; 9] {
        [
            self.sender.as_ref().into(),
            self.receiver.as_ref().into(),
            self.number.as_ref().into(),
            self.source_document_type.as_ref().into(),
            self.process.as_ref().into(),
            self.country_c1.as_ref().into(),
            self.country_c4.as_ref().into(),
            self.issued_on.as_ref().into(),
            self.type_code.as_ref().into(),
        ]
    }
}

macro_rules! columns {
    ($rest:literal) => {
        concat!(
            "SELECT id, organisation, party, document_id, direction, family, status, attempts, ",
            "version, sender, receiver, number, source_document_type, target_document_type, ",
            "process, country_c1, country_c4, channel, message_id, instance_id, access_point, ",
            "blob, sha256, size, report, created_on, changed_on, downloaded_on, deleted_on, ",
            "expired_on, wish_sender, wish_receiver, wish_document_type, wish_process, ",
            "meta_attributes, wish_target_format, wish_allowed_losses, ",
            "via, attempts_before ",
            "FROM transactions ",
            $rest
        )
    };
}
pub(crate) use columns;

const BY_ID: &str = columns!("WHERE id = ?1");
const BY_DOCUMENT: &str =
    columns!("WHERE organisation = ?1 AND direction = ?2 AND document_id = ?3");
const BY_NAME: &str = columns!(
    "WHERE organisation = ?1 AND direction IN ('outgoing', 'incoming') AND document_id = ?2"
);

/// Reads a row of [`columns`].
pub(crate) fn read(mut row: SqlRow) -> Result<TransactionRecord, Fault> {
    let transaction = Transaction {
        id: row.parsed("transactions.id")?,
        organisation: row.parsed("transactions.organisation")?,
        party: row.text("transactions.party")?,
        document_id: row.parsed("transactions.document_id")?,
        direction: row.word("transactions.direction", Direction::named)?,
        family: row.word("transactions.family", Family::named)?,
        status: row.word("transactions.status", Status::named)?,
        attempts: row.count("transactions.attempts")?,
        version: row.count("transactions.version")?,
        sender: row.text_or_none("transactions.sender")?,
        receiver: row.text_or_none("transactions.receiver")?,
        number: row.text_or_none("transactions.number")?,
        source_document_type: row.text_or_none("transactions.source_document_type")?,
        target_document_type: row.text_or_none("transactions.target_document_type")?,
        way: DeliveryRoute::default(),
    };
    let [process, country_c1, country_c4, channel] = row.texts([
        "transactions.process",
        "transactions.country_c1",
        "transactions.country_c4",
        "transactions.channel",
    ])?;
    let [message_id, instance_id, access_point] = row.texts([
        "transactions.message_id",
        "transactions.instance_id",
        "transactions.access_point",
    ])?;
    let mut record = TransactionRecord {
        transaction,
        process,
        country_c1,
        country_c4,
        channel,
        message_id,
        instance_id,
        access_point,
        blob: row.digest_or_none("transactions.blob")?.map(BlobId),
        sha256: BlobId(row.digest("transactions.sha256")?),
        size: row.count("transactions.size")?,
        report: row.digest_or_none("transactions.report")?.map(BlobId),
        created_on: row.time("transactions.created_on")?,
        changed_on: row.time("transactions.changed_on")?,
        downloaded_on: row.time_or_none("transactions.downloaded_on")?,
        deleted_on: row.time_or_none("transactions.deleted_on")?,
        expired_on: row.time_or_none("transactions.expired_on")?,
        wishes: SubmitOptions::read(&mut row)?,
    };
    let way = &mut record.transaction.way;
    way.channel = row.text_or_none("transactions.via")?;
    way.attempts_before = row.count("transactions.attempts_before")?;
    Ok(record)
}

/// The transaction of this id.
pub(crate) fn find(db: &mut dyn Connection, id: &str) -> Result<Option<TransactionRecord>, Fault> {
    db.first(BY_ID, &[id.into()])?.map(read).transpose()
}

/// The transaction of this document.
pub(crate) fn find_document(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    direction: Direction,
    document: &DocumentId,
) -> Result<Option<TransactionRecord>, Fault> {
    let key = [organisation.as_str().into(), direction.as_str().into(), document.as_str().into()];
    db.first(BY_DOCUMENT, &key)?.map(read).transpose()
}

/// The document that an id names for its organisation, whichever way it goes; the one that goes
/// this way, where there are two.
pub(crate) fn find_named(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    direction: Direction,
    document: &DocumentId,
) -> Result<Option<TransactionRecord>, Fault> {
    let mut found = Vec::new();
    for row in db.query(BY_NAME, &[organisation.as_str().into(), document.as_str().into()])? {
        found.push(read(row)?);
    }
    found.sort_by_key(|record| record.transaction.direction != direction);
    Ok(found.into_iter().next())
}

impl Store {
    /// The transaction of this key.
    pub async fn transaction(
        &self,
        id: &TransactionId,
    ) -> Result<Option<TransactionRecord>, Error> {
        let id = id.clone();
        self.read(move |db| Ok(find(db, id.as_str())?)).await
    }

    /// The transaction of a document of an organisation, deleted ones included.
    pub async fn transaction_of(
        &self,
        organisation: &OrganisationId,
        direction: Direction,
        document: &DocumentId,
    ) -> Result<Option<TransactionRecord>, Error> {
        let (organisation, document) = (organisation.clone(), document.clone());
        self.read(move |db| Ok(find_document(db, &organisation, direction, &document)?)).await
    }

    /// The bytes of a document, or `None` once it was deleted.
    pub async fn document(&self, record: &TransactionRecord) -> Result<Option<Bytes>, Error> {
        match record.blob {
            Some(blob) => self.blob(&record.transaction.organisation, blob).await,
            None => Ok(None),
        }
    }
}
