//! What became of sessions and their invoices: status, lists, receipts.

use axum::http::StatusCode;
use data_encoding::BASE64URL_NOPAD;
use jiff::{SignedDuration, Timestamp};
use quoin_ksef::api::{
    SessionInvoice, SessionInvoices, SessionStatus, SessionSummary, SessionUpo, Sessions,
    StatusInfo, UpoPage,
};
use uuid::Uuid;

use super::answers::{LabAnswer, LabAnswered, LabRefusal, LabRequest};
use super::auth::caller;
use super::receipts;
use super::server::KsefLab;
use super::sessions::own_session;
use super::state::{KsefState, LabSession, LabTokenKind};

/// How long a link to a receipt is good.
const LINK: SignedDuration = SignedDuration::from_hours(72);

fn said(code: u16, description: &str) -> StatusInfo {
    StatusInfo { code, description: description.to_owned(), details: None }
}

/// How a session stands now, without counting a poll.
fn current(session: &LabSession, now: Timestamp) -> StatusInfo {
    if !session.is_closed && session.until <= now {
        let mut status = said(440, "Sesja anulowana");
        status.details = Some(vec!["Przekroczono czas wysyłki".to_owned()]);
        return status;
    }
    match (session.is_closed, session.is_batch, session.pending) {
        (false, true, _) => said(100, "Sesja wsadowa rozpoczęta"),
        (false, false, _) => said(100, "Sesja interaktywna otwarta"),
        (true, true, 1..) => said(150, "Trwa przetwarzanie"),
        (true, false, 1..) => said(170, "Sesja interaktywna zamknięta"),
        (true, _, 0) => session.outcome.clone(),
    }
}

pub(super) fn session_status(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    reference: &str,
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    own_session(state, &operation, reference)?;
    let Some(session) = state.sessions.get_mut(reference) else { return Err(LabRefusal::NotFound) };
    let status = current(session, now);
    session.pending = session.pending.saturating_sub(u32::from(session.is_closed));
    let session = session.clone();
    let is_done = !matches!(status.code, 100 | 150 | 170);
    let upo = (is_done && !session.upo.is_empty()).then(|| SessionUpo {
        pages: session
            .upo
            .iter()
            .map(|(reference, document)| UpoPage {
                reference_number: reference.clone(),
                download_url: {
                    let file = LabDownload::File("application/xml", document.clone());
                    link(lab, state, ("upo", file), now + LINK)
                },
                download_url_expiration_date: now + LINK,
            })
            .collect(),
    });
    let counted = |count: usize| (is_done && session.counts).then_some(count as u32);
    let good = session.invoices.iter().filter(|one| one.status.code == 200).count();
    let told = SessionStatus {
        status,
        date_created: session.created,
        date_updated: session.updated,
        valid_until: Some(session.until),
        upo,
        invoice_count: counted(session.invoices.len()),
        successful_invoice_count: counted(good),
        failed_invoice_count: counted(session.invoices.len() - good),
    };
    Ok(LabAnswer::json(StatusCode::OK, &told))
}

/// What is behind a link.
#[derive(Debug, Clone)]
pub(super) enum LabDownload {
    /// A file of a media type.
    File(&'static str, Vec<u8>),
    /// The receipt of an invoice, by its number.
    Receipt(String),
}

/// An address that lets in to a file until a time.
pub(super) fn link(
    lab: &KsefLab,
    state: &mut KsefState,
    (what, file): (&str, LabDownload),
    until: Timestamp,
) -> String {
    let pass = Uuid::new_v4().simple().to_string();
    state.downloads.insert(pass.clone(), (file, until));
    format!("{}/download/{what}?sig={pass}", lab.links())
}

pub(super) fn download(
    lab: &KsefLab,
    state: &KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswered {
    if request.header("authorization").is_some() {
        return Err(LabRefusal::Unauthorized("Adres nie przyjmuje tokenu."));
    }
    let found = request.parameter("sig").and_then(|pass| state.downloads.get(pass));
    match found {
        Some((LabDownload::File(kind, bytes), until)) if now < *until => {
            Ok(LabAnswer { kind, ..LabAnswer::document(bytes.clone()) })
        }
        Some((LabDownload::Receipt(number), until)) if now < *until => {
            let invoice = state.of_number(number).ok_or(LabRefusal::NotFound)?;
            Ok(LabAnswer::document(receipts::of_registered(lab, state, invoice)))
        }
        _ => Err(LabRefusal::Forbidden("insufficient-resource-access")),
    }
}

/// A page of something: from where, and how many.
fn page(request: &LabRequest) -> Result<(usize, usize), LabRefusal> {
    let size = request.parameter("pageSize").map_or(Ok(10), str::parse::<usize>);
    let size = size
        .ok()
        .filter(|size| (10..=1_000).contains(size))
        .ok_or_else(|| LabRefusal::bad(21_405, "'pageSize' must be between 10 and 1000."))?;
    let from = match request.header("x-continuation-token") {
        None | Some("") => 0,
        Some(token) => BASE64URL_NOPAD
            .decode(token.as_bytes())
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .and_then(|text| text.strip_prefix("from:")?.parse().ok())
            .ok_or_else(|| LabRefusal::bad(21_418, ""))?,
    };
    Ok((from, size))
}

fn continuation(from: usize, size: usize, total: usize) -> Option<String> {
    let next = from + size;
    (next < total).then(|| BASE64URL_NOPAD.encode(format!("from:{next}").as_bytes()))
}

pub(super) fn session_invoices(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    (reference, failed_only): (&str, bool),
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let session = own_session(state, &operation, reference)?;
    let (from, size) = page(request)?;
    let is_pending = session.is_closed && session.pending > 0 && session.is_batch;
    let all: Vec<SessionInvoice> = session
        .invoices
        .iter()
        .filter(|one| !failed_only || one.status.code >= 400)
        .filter(|_| !is_pending)
        .cloned()
        .collect();
    let total = all.len();
    let mut invoices: Vec<_> = all.into_iter().skip(from).take(size).collect();
    for invoice in &mut invoices {
        add_link(lab, state, invoice, now);
    }
    let told = SessionInvoices { continuation_token: continuation(from, size, total), invoices };
    Ok(LabAnswer::json(StatusCode::OK, &told))
}

/// The link to the receipt of what is registered; a new one each time.
fn add_link(lab: &KsefLab, state: &mut KsefState, invoice: &mut SessionInvoice, now: Timestamp) {
    let Some(number) = &invoice.ksef_number else { return };
    let receipt = LabDownload::Receipt(number.clone());
    invoice.upo_download_url = Some(link(lab, state, ("upo", receipt), now + LINK));
    invoice.upo_download_url_expiration_date = Some(now + LINK);
}

pub(super) fn one_invoice(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    (reference, own): (&str, &str),
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let session = own_session(state, &operation, reference)?;
    let found = session.invoices.iter().find(|one| one.reference_number == own).cloned();
    let mut invoice = found.ok_or_else(|| LabRefusal::bad(21_175, ""))?;
    add_link(lab, state, &mut invoice, now);
    Ok(LabAnswer::json(StatusCode::OK, &invoice))
}

/// The receipt of an invoice, by its reference or its number.
pub(super) fn invoice_upo(
    lab: &KsefLab,
    state: &KsefState,
    request: &LabRequest,
    (reference, own): (&str, &str),
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    own_session(state, &operation, reference)?;
    let mut all = state.registered.iter().filter(|one| one.session == reference);
    let found = all.find(|one| one.reference == own || one.ksef_number == own);
    let found = found.ok_or_else(|| LabRefusal::bad(21_178, ""))?;
    Ok(LabAnswer::document(receipts::of_registered(lab, state, found)))
}

pub(super) fn session_upo(
    state: &KsefState,
    request: &LabRequest,
    (reference, page): (&str, &str),
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let session = own_session(state, &operation, reference)?;
    let found = session.upo.iter().find(|(own, _)| own == page).filter(|_| session.pending == 0);
    found
        .map(|(_, document)| LabAnswer::document(document.clone()))
        .ok_or_else(|| LabRefusal::bad(21_178, ""))
}

pub(super) fn list(state: &KsefState, request: &LabRequest, now: Timestamp) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let context = state.operations.get(&operation).map(|one| &one.context);
    let is_batch = match request.parameter("sessionType") {
        Some("Batch") => true,
        Some("Online") => false,
        _ => return Err(LabRefusal::bad(21_405, "'sessionType' is required.")),
    };
    let (from, size) = page(request)?;
    let own = |(_, session): &(&String, &LabSession)| {
        Some(&session.context) == context && session.is_batch == is_batch
    };
    let mut all: Vec<_> = state.sessions.iter().filter(own).collect();
    all.sort_by_key(|(_, session)| std::cmp::Reverse(session.created));
    let total = all.len();
    let summary = |(reference, session): (&String, &LabSession)| {
        let good = session.invoices.iter().filter(|one| one.status.code == 200).count();
        SessionSummary {
            reference_number: reference.clone(),
            status: current(session, now),
            date_created: session.created,
            date_updated: session.updated,
            valid_until: Some(session.until),
            total_invoice_count: session.invoices.len() as u32,
            successful_invoice_count: good as u32,
            failed_invoice_count: (session.invoices.len() - good) as u32,
        }
    };
    let sessions = all.into_iter().skip(from).take(size).map(summary).collect();
    let told = Sessions { continuation_token: continuation(from, size, total), sessions };
    Ok(LabAnswer::json(StatusCode::OK, &told))
}
