//! Packages of invoices: asked for, made in some time, encrypted for who asked, and handed out in
//! parts behind links that let in by themselves.

use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::zip::Zip;
use quoin_ksef::api::{
    ExportMetadata, ExportPackage, ExportPart, ExportStarted, ExportStatus, InvoiceExportRequest,
    StatusInfo,
};
use quoin_ksef::export::METADATA;
use quoin_ksef::package::{SessionKey, digest};

use super::answers::{LabAnswer, LabAnswered, LabRefusal, LabRequest};
use super::auth::caller;
use super::invoices::{LabDownload, link};
use super::queries::{found, row};
use super::server::KsefLab;
use super::sessions::unwrap_key;
use super::state::{KsefState, LabTokenKind, RegisteredInvoice};

/// Exports of one context that are under way at most.
const UNDER_WAY: usize = 10;
/// How long a package can be taken.
const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// How long a link to a part is good.
const LINK: SignedDuration = SignedDuration::from_hours(1);

/// A package that is made.
#[derive(Debug, Clone)]
pub(super) struct LabExport {
    context: (String, String),
    started: Timestamp,
    /// What it ends with once `pending` polls were answered.
    outcome: StatusInfo,
    pending: u32,
    package: Option<LabPackage>,
}

/// A package before its links are made.
#[derive(Debug, Clone)]
struct LabPackage {
    /// Without links.
    told: ExportPackage,
    parts: Vec<Vec<u8>>,
}

fn said(code: u16, description: &str) -> StatusInfo {
    StatusInfo { code, description: description.to_owned(), details: None }
}

pub(super) fn start(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let context = state.operations.get(&operation).map(|one| one.context.clone());
    let context = context.unwrap_or_default();
    let told: InvoiceExportRequest = serde_json::from_slice(&request.body)
        .map_err(|error| LabRefusal::bad(21_405, format!("Nieprawidłowe żądanie: {error}")))?;
    if told.compression_type.as_deref().is_some_and(|kind| kind != "Zip") {
        return Err(LabRefusal::bad(21_405, "Laboratorium pakuje tylko do ZIP."));
    }
    let own = state.exports.values().filter(|one| one.context == context && one.pending > 0);
    if own.count() >= UNDER_WAY {
        let detail = format!(
            "Dla uwierzytelnionego podmiotu w bieżącym kontekście osiągnięto maksymalny limit \
             {UNDER_WAY} równoczesnych eksportów faktur. Spróbuj ponownie później."
        );
        return Err(LabRefusal::bad(21_182, detail));
    }
    let key = unwrap_key(lab, &told.encryption)?;
    let reference = state.reference("EH", now);
    let planned = state.faults.export();
    let (outcome, package) = match (planned, key) {
        (Some(code), _) => (said(code, "Status zaplanowany"), None),
        (None, None) => (said(415, "Błąd odszyfrowania dostarczonego klucza"), None),
        (None, Some(key)) => {
            let hwm = now - lab.settings().settling;
            let until = told.filters.date_range.to.map_or(hwm, |until| until.min(hwm));
            match found(lab, state, (&context.1, &told.filters), now) {
                Ok(all) => {
                    let package = packed(lab, &all, (&key, told.only_metadata), until, now)?;
                    (said(200, "Eksport faktur zakończony sukcesem"), Some(package))
                }
                // What a question is refused for, an export ends with.
                Err(LabRefusal::Bad { code: 21_183, description, .. }) => {
                    (said(420, description.trim_end_matches('.')), None)
                }
                Err(refusal) => return Err(refusal),
            }
        }
    };
    let pending = lab.settings().export_polls;
    let export = LabExport { context, started: now, outcome, pending, package };
    state.exports.insert(reference.clone(), export);
    Ok(LabAnswer::json(StatusCode::CREATED, &ExportStarted { reference_number: reference }))
}

/// The package of what was found, up to its limit.
fn packed(
    lab: &KsefLab,
    all: &[&RegisteredInvoice],
    (key, only_metadata): (&SessionKey, bool),
    until: Timestamp,
    now: Timestamp,
) -> Result<LabPackage, LabRefusal> {
    let fault = |_| LabRefusal::Planned(500);
    let set = all.get(..lab.settings().export_set).unwrap_or(all);
    let invoices = set.iter().map(|one| row(one)).collect();
    let mut zip = Zip::default();
    for one in set.iter().filter(|_| !only_metadata) {
        zip.add(&format!("{}.xml", one.ksef_number), &one.xml, now).map_err(fault)?;
    }
    let metadata = serde_json::to_vec(&ExportMetadata { invoices }).unwrap_or_default();
    zip.add(METADATA, &metadata, now).map_err(fault)?;
    let archive = zip.finish().map_err(fault)?;
    let (mut parts, mut told) = (Vec::new(), Vec::new());
    for (at, plain) in (1..).zip(archive.chunks(lab.settings().export_part.max(1))) {
        let sealed = key.seal(plain).map_err(|_| LabRefusal::Planned(500))?;
        told.push(ExportPart {
            ordinal_number: at,
            part_name: format!("lab-{at:03}.zip.aes"),
            method: "GET".to_owned(),
            url: String::new(),
            part_size: plain.len() as u64,
            part_hash: digest(plain),
            encrypted_part_size: sealed.len() as u64,
            encrypted_part_hash: digest(&sealed),
            expiration_date: now,
        });
        parts.push(sealed);
    }
    let is_truncated = set.len() < all.len();
    let told = ExportPackage {
        invoice_count: set.len() as u64,
        size: archive.len() as u64,
        compression_type: Some("Zip".to_owned()),
        parts: told,
        is_truncated,
        last_permanent_storage_date: set.last().filter(|_| is_truncated).map(|one| one.stored),
        permanent_storage_hwm_date: Some(until),
    };
    Ok(LabPackage { told, parts })
}

pub(super) fn status(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    reference: &str,
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let context = state.operations.get(&operation).map(|one| one.context.clone());
    let found =
        state.exports.get_mut(reference).filter(|one| Some(&one.context) == context.as_ref());
    let export = found.ok_or_else(|| LabRefusal::bad(21_175, ""))?;
    if export.pending > 0 {
        export.pending -= 1;
        let status = said(100, "Eksport faktur w toku");
        let (completed_date, package_expiration_date, package) = (None, None, None);
        let told = ExportStatus { status, completed_date, package_expiration_date, package };
        return Ok(LabAnswer::json(StatusCode::OK, &told));
    }
    let (until, mut status) = (export.started + KEPT, export.outcome.clone());
    if status.code == 200 && until <= now {
        status = said(210, "Eksport faktur wygasł i nie jest już dostępny do pobrania");
    }
    let completed_date = Some(export.started);
    let kept = export.package.clone().filter(|_| status.code == 200);
    let package = kept.map(|LabPackage { mut told, parts }| {
        for (part, sealed) in told.parts.iter_mut().zip(parts) {
            let file = LabDownload::File("application/octet-stream", sealed);
            part.url = link(lab, state, ("package", file), now + LINK);
            part.expiration_date = now + LINK;
        }
        told
    });
    let package_expiration_date = package.is_some().then_some(until);
    let told = ExportStatus { status, completed_date, package_expiration_date, package };
    Ok(LabAnswer::json(StatusCode::OK, &told))
}
