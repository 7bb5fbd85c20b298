//! The delivery dossier of a document: what the store has kept of its passage, put together, listed
//! and signed with the key of our access point.

mod unzip;

use std::collections::BTreeMap;

use bytes::Bytes;
use jiff::Timestamp;
use quoin_delivery::Direction;
use quoin_model::Language;
use quoin_peppol::as4::{self, OwnIdentity};
use quoin_peppol::dossier::{About, DossierManifest, names};
use quoin_peppol::pki::{Certificate, Trust};
use quoin_peppol::sbdh;
use quoin_render::{RenderForm, RenderRefusal, RenderRequest};
use quoin_store::{Attempt, AttemptOutcome, EvidenceKind, Store, TransactionRecord};
use quoin_taxdata::without_source_document;
use quoin_xmldsig::keys::KeyError;
use serde_json::json;

use crate::budget::{Busy, Pool, Purpose, in_place};
use crate::zip::{Zip, ZipError};

pub use unzip::{UnzipError, unzip};

/// What a person reads who opens a dossier.
const README: &str = "\
This archive proves the passage of one document through the Peppol network. manifest.json lists\n\
the parts with their digests, each linked to those before it; manifest.sig is its signature with\n\
the key of manifest.pem, the access point that made the archive. document.xml is the document;\n\
document.pdf shows what it says, made by that access point, to be read; carried.xml, where there\n\
is one, is the form in which another network had it.\n\
\n\
Check it without asking anybody: quoin verify FILE.zip\n";

/// Why a dossier is not made. All but [`Busy::Full`], which is over in a moment, are faults of
/// ours.
#[derive(Debug, thiserror::Error)]
pub enum DossierError {
    /// No thread became free to make its page.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] quoin_store::Error),
    /// The archive could not be written.
    #[error(transparent)]
    Zip(#[from] ZipError),
    /// The key failed.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Our certificate cannot be read.
    #[error(transparent)]
    Certificate(#[from] quoin_peppol::pki::CertificateError),
}

/// Whose key signs, and which authorities are enclosed.
pub struct DossierMaker<'a> {
    /// Our access point.
    pub own: &'a OwnIdentity,
    /// The authorities.
    pub trust: &'a Trust,
    /// The threads on which the page is made.
    pub pool: &'a Pool,
    /// The time.
    pub now: Timestamp,
}

/// The parts in their order.
#[derive(Default)]
struct OrderedParts(Vec<(String, Bytes)>);

impl OrderedParts {
    fn add(&mut self, name: &str, bytes: impl Into<Bytes>) {
        self.0.push((name.to_owned(), bytes.into()));
    }
}

/// Makes the dossier of a document: a ZIP archive.
///
/// # Errors
/// [`DossierError`].
pub async fn make(
    store: &Store,
    maker: &DossierMaker<'_>,
    record: &TransactionRecord,
) -> Result<Vec<u8>, DossierError> {
    let mut parts = OrderedParts::default();
    let attempts = store.attempts_of(&record.transaction.id).await?;
    let mut evidence = evidence(store, record, &attempts).await?;
    document(&mut parts, store, record, evidence.remove(names::PAYLOAD)).await?;
    page(&mut parts, maker.pool, record.transaction.organisation.as_str()).await?;
    for name in [
        names::SMP_ANSWER,
        names::REDIRECTED_ANSWER,
        names::MESSAGE,
        names::RECEIPT,
        names::WORD,
        names::LOSSES,
        names::CARRIED,
    ] {
        if let Some(bytes) = evidence.remove(name) {
            parts.add(name, bytes);
        }
    }
    mail_reports(&mut parts, store, record).await?;
    tax_reports(&mut parts, store, record).await?;
    life(&mut parts, store, record, &attempts).await?;
    authorities(&mut parts, maker.trust);
    parts.add(names::README, README);
    archive(parts, maker, record)
}

/// What was kept, by the name of its part: of the attempt that was taken, or of the arrival.
async fn evidence(
    store: &Store,
    record: &TransactionRecord,
    attempts: &[Attempt],
) -> Result<BTreeMap<&'static str, Bytes>, DossierError> {
    let owner = &record.transaction.organisation;
    let taken = attempts.iter().find(|one| one.outcome == AttemptOutcome::Delivered);
    let number = taken.map_or(0, |taken| taken.attempt);
    let mut found = BTreeMap::new();
    for piece in store.evidence_of(&record.transaction.id).await? {
        if piece.attempt != number {
            continue;
        }
        let name = match piece.kind {
            EvidenceKind::Message => names::MESSAGE,
            EvidenceKind::Payload => names::PAYLOAD,
            EvidenceKind::SmpAnswer => names::SMP_ANSWER,
            EvidenceKind::RedirectedAnswer => names::REDIRECTED_ANSWER,
            EvidenceKind::Receipt => names::RECEIPT,
            EvidenceKind::Word => names::WORD,
            EvidenceKind::Losses => names::LOSSES,
            EvidenceKind::Carried => names::CARRIED,
            // What an authority has is told of the document, not of its passage.
            EvidenceKind::Form | EvidenceKind::Upo | EvidenceKind::CodedPage => continue,
        };
        found.extend(store.blob(owner, piece.blob).await?.map(|bytes| (name, bytes)));
    }
    if let Some(blob) = taken.and_then(|taken| taken.receipt_blob) {
        found.extend(store.blob(owner, blob).await?.map(|bytes| (names::RECEIPT, bytes)));
    }
    Ok(found)
}

/// The document as it travelled, in its envelope and in its compressed form; as it was recorded
/// where it did not travel over AS4; nothing where it is no longer kept.
async fn document(
    parts: &mut OrderedParts,
    store: &Store,
    record: &TransactionRecord,
    payload: Option<Bytes>,
) -> Result<(), DossierError> {
    let envelope = payload.as_ref().and_then(|payload| as4::gunzip(payload).ok());
    if let (Some(payload), Some(envelope)) = (payload, envelope) {
        let read = sbdh::read(&envelope);
        let content = read.ok().and_then(|read| Some(read.content(&envelope).ok()?.into_owned()));
        if let Some(content) = content {
            parts.add(names::DOCUMENT, content);
        }
        parts.add(names::ENVELOPE, envelope);
        parts.add(names::PAYLOAD, payload);
    } else if let Some(document) = store.document(record).await? {
        parts.add(names::DOCUMENT, document);
    }
    Ok(())
}

/// The document as a PDF that people read: in English whoever asks, so that the same document has
/// the same bytes. A document that cannot be shown has none; that it cannot be shown now is no
/// reason to sign a dossier without it.
async fn page(parts: &mut OrderedParts, pool: &Pool, owner: &str) -> Result<(), Busy> {
    let document = parts.0.iter().find(|(name, _)| name == names::DOCUMENT);
    let Some(document) = document.map(|(_, bytes)| bytes.clone()) else { return Ok(()) };
    match pool.run(Purpose::ValidateNow, owner, move || pdf(&document)).await? {
        Ok(bytes) => parts.add(names::PAGE, bytes),
        Err(refusal) => tracing::debug!(%refusal, "a dossier has no page"),
    }
    Ok(())
}

fn pdf(document: &[u8]) -> Result<Vec<u8>, RenderRefusal> {
    let parsed = quoin_formats::opened(document);
    let (language, form) = (Language::En, RenderForm::Pdf);
    let request = RenderRequest { language, form, level: None, findings: &[] };
    quoin_render::render(&parsed, &request).map(|shown| shown.bytes)
}

/// What mail servers said of the mail that brought the document.
async fn mail_reports(
    parts: &mut OrderedParts,
    store: &Store,
    record: &TransactionRecord,
) -> Result<(), DossierError> {
    let owner = &record.transaction.organisation;
    for (number, blob) in (1..).zip(store.mail_reports_of(&record.transaction.id).await?) {
        if let Some(bytes) = store.blob(owner, blob).await? {
            parts.add(&format!("{}{number}.eml", names::MAIL_REPORT), bytes);
        }
    }
    Ok(())
}

/// A report to a tax authority as it is shown: once the party has deleted the invoice, without the
/// invoice that stands in it. What the authority has stays as it is.
pub fn shown_report(report: Bytes, invoice: &TransactionRecord) -> Bytes {
    if invoice.deleted_on.is_none() {
        return report;
    }
    let bare = in_place(|| without_source_document(&quoin_formats::read(&report)));
    bare.map_or(report, Bytes::from)
}

/// The reports to tax authorities about the document, each with the receipt of the authority's
/// access point where it gave one.
async fn tax_reports(
    parts: &mut OrderedParts,
    store: &Store,
    record: &TransactionRecord,
) -> Result<(), DossierError> {
    let owner = &record.transaction.organisation;
    for report in store.tax_reports_of(&record.transaction.id).await? {
        let Some(message) = store.tax_message_of(&report).await? else { continue };
        let name = |part: &str| format!("{}{}{part}", names::TAX_REPORT, report.place);
        if let Some(document) = store.document(&message).await? {
            parts.add(&name(".xml"), shown_report(document, record));
        }
        let attempts = store.attempts_of(&message.transaction.id).await?;
        if let Some(blob) = attempts.iter().find_map(|attempt| attempt.receipt_blob)
            && let Some(receipt) = store.blob(owner, blob).await?
        {
            parts.add(&name("-receipt.xml"), receipt);
        }
    }
    Ok(())
}

/// Timeline and attempts, with their times.
async fn life(
    parts: &mut OrderedParts,
    store: &Store,
    record: &TransactionRecord,
    attempts: &[Attempt],
) -> Result<(), DossierError> {
    let timeline = store.timeline_of(&record.transaction.id).await?;
    let timeline = timeline.iter().map(|line| {
        json!({
            "name": line.name,
            "description": line.description,
            "code": line.code,
            "createdOn": line.created_on,
        })
    });
    parts.add(names::TIMELINE, pretty(timeline.collect()));
    let attempts = attempts.iter().map(|one| {
        json!({
            "attempt": one.attempt,
            "startedOn": one.started_on,
            "endedOn": one.ended_on,
            "outcome": one.outcome.as_str(),
            "endpoint": one.endpoint,
            "code": one.code,
            "elapsedMs": one.elapsed_ms,
            "report": one.report,
        })
    });
    parts.add(names::ATTEMPTS, pretty(attempts.collect()));
    Ok(())
}

fn pretty(lines: Vec<serde_json::Value>) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(&lines).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn authorities(parts: &mut OrderedParts, trust: &Trust) {
    for (number, generation) in (1..).zip(trust.generations()) {
        for (file, certificate) in [
            ("root.pem", &generation.root),
            ("access-point.pem", &generation.access_point),
            ("smp.pem", &generation.smp),
        ] {
            parts.add(&format!("{}{number}/{file}", names::AUTHORITIES), certificate.pem());
        }
    }
}

fn archive(
    parts: OrderedParts,
    maker: &DossierMaker<'_>,
    record: &TransactionRecord,
) -> Result<Vec<u8>, DossierError> {
    let listed = parts.0.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref()));
    let manifest = DossierManifest::of(about(record, maker.now), listed).to_bytes();
    let sign = || maker.own.signer.sign_rsa_sha256(&manifest);
    let signature = match maker.own.is_slow() {
        true => tokio::task::block_in_place(sign)?,
        false => sign()?,
    };
    let signature = format!("{}\n", data_encoding::BASE64.encode(&signature));
    let signer = Certificate::from_der(&maker.own.certificate)?.pem();
    let mut zip = Zip::default();
    zip.add(names::MANIFEST, &manifest, maker.now)?;
    zip.add(names::SIGNATURE, signature.as_bytes(), maker.now)?;
    zip.add(names::SIGNER, signer.as_bytes(), maker.now)?;
    for (name, bytes) in &parts.0 {
        zip.add(name, bytes, maker.now)?;
    }
    Ok(zip.finish()?)
}

fn about(record: &TransactionRecord, now: Timestamp) -> About {
    let transaction = &record.transaction;
    let travelled = match transaction.direction {
        Direction::Outgoing => &transaction.target_document_type,
        Direction::Incoming => &transaction.source_document_type,
    };
    About {
        document_id: transaction.document_id.to_string(),
        direction: transaction.direction.as_str().to_owned(),
        sender: transaction.sender.clone(),
        receiver: transaction.receiver.clone(),
        number: transaction.number.clone(),
        document_type: travelled.clone(),
        process: record.process.clone(),
        message_id: record.message_id.clone(),
        instance_id: record.instance_id.clone(),
        recorded_on: record.created_on,
        made_on: now,
    }
}

#[cfg(test)]
mod tests;
