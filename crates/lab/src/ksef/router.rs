//! Which call is which, what it counts as, and what was planned for it.

use axum::http::StatusCode;
use jiff::Timestamp;
use quoin_ksef::limits::{CallGroup, limit_of};

use super::answers::{LabAnswer, LabRefusal, LabRequest};
use super::faults::PlannedCall;
use super::server::KsefLab;
use super::state::KsefState;
use super::{auth, exports, invoices, queries, sessions};

/// The group that a call counts in; `None` for what has no limit.
fn group_of(method: &str, parts: &[&str]) -> Option<CallGroup> {
    Some(match (method, parts) {
        (_, ["upload" | "download" | "lighthouse", ..]) => return None,
        (_, ["auth", "challenge" | "xades-signature" | "token", ..]) => CallGroup::Public,
        (_, ["security", ..]) => CallGroup::Public,
        ("GET", ["auth", _]) => CallGroup::Public,
        (_, ["sessions", "batch", ..]) => CallGroup::BatchSession,
        ("POST", ["sessions", "online", _, "invoices"]) => CallGroup::InvoiceSend,
        (_, ["sessions", "online", ..]) => CallGroup::OnlineSession,
        (_, ["sessions"]) => CallGroup::SessionList,
        (_, ["sessions", _, "invoices"] | ["sessions", _, "invoices", "failed"]) => {
            CallGroup::SessionInvoiceList
        }
        (_, ["sessions", _, "invoices", _]) => CallGroup::InvoiceStatus,
        (_, ["sessions", ..]) => CallGroup::SessionMisc,
        (_, ["invoices", "ksef", _]) => CallGroup::InvoiceDownload,
        (_, ["invoices", "query", ..]) => CallGroup::InvoiceMetadata,
        ("POST", ["invoices", "exports"]) => CallGroup::InvoiceExport,
        (_, ["invoices", "exports", _]) => CallGroup::InvoiceExportStatus,
        _ => CallGroup::Other,
    })
}

/// Answers a call.
pub(super) fn answer(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswer {
    let call = format!("{} {}", request.method, request.path);
    let planned = state.faults.call(&call);
    let refusal = match planned {
        Some(PlannedCall::Refused(429)) => Some(LabRefusal::Limited(lab.settings().retry_after)),
        Some(PlannedCall::Refused(status)) => Some(LabRefusal::Planned(status)),
        Some(PlannedCall::RefusedWith(code)) => Some(LabRefusal::bad(code, "Zaplanowane.")),
        Some(PlannedCall::Gateway(status)) => return LabAnswer::gateway(status),
        Some(PlannedCall::Lost | PlannedCall::Altered) | None => None,
    };
    if let Some(refusal) = refusal {
        return refusal.answer(request, now);
    }
    let parts: Vec<&str> = request.path.split('/').collect();
    let answered = within_limits(lab, state, request, &parts, now)
        .and_then(|()| dispatch(lab, state, request, &parts, now));
    let answer = answered.unwrap_or_else(|refusal| refusal.answer(request, now));
    match planned {
        Some(PlannedCall::Lost) => LabRefusal::Planned(502).answer(request, now),
        Some(PlannedCall::Altered) => answer.altered(),
        _ => answer,
    }
}

/// Counts the call, per context where somebody signed in.
fn within_limits(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    parts: &[&str],
    now: Timestamp,
) -> Result<(), LabRefusal> {
    let Some(group) = group_of(&request.method, parts).filter(|_| lab.settings().limits) else {
        return Ok(());
    };
    let token = request.bearer().and_then(|token| state.tokens.get(token));
    let operation = token.and_then(|token| state.operations.get(&token.operation));
    let who = operation.filter(|_| group != CallGroup::Public);
    let who = who.map_or_else(|| "address".to_owned(), |one| one.context.1.clone());
    let window = state.windows.entry((who, group)).or_default();
    window.take(limit_of(group), now).map_err(LabRefusal::Limited)
}

fn dispatch(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    parts: &[&str],
    now: Timestamp,
) -> Result<LabAnswer, LabRefusal> {
    match (request.method.as_str(), parts) {
        ("GET", ["lighthouse", "status"]) => queries::availability(state),
        ("GET", ["lighthouse", "messages"]) => queries::messages(state),
        ("GET", ["security", "public-key-certificates"]) => {
            Ok(LabAnswer::json(StatusCode::OK, &lab.authority().public_keys()))
        }
        ("POST", ["auth", "challenge"]) => auth::challenge(state, now),
        ("POST", ["auth", "xades-signature"]) => auth::xades_signature(lab, state, request, now),
        ("POST", ["auth", "token", "redeem"]) => auth::redeem(lab, state, request, now),
        ("POST", ["auth", "token", "refresh"]) => auth::refresh(lab, state, request, now),
        ("DELETE", ["auth", "sessions", "current"]) => auth::end(state, request, now),
        ("GET", ["auth", reference]) => auth::operation(state, request, reference, now),
        ("POST", ["sessions", "batch"]) => sessions::open_batch(lab, state, request, now),
        ("POST", ["sessions", "batch", own, "close"]) => {
            sessions::close(lab, state, request, (own, true), now)
        }
        ("POST", ["sessions", "online"]) => sessions::open_online(lab, state, request, now),
        ("POST", ["sessions", "online", own, "close"]) => {
            sessions::close(lab, state, request, (own, false), now)
        }
        ("POST", ["sessions", "online", own, "invoices"]) => {
            sessions::send_invoice(lab, state, request, own, now)
        }
        ("PUT", ["upload", own, number]) => sessions::upload(state, request, (own, number), now),
        ("GET", ["download", _]) => invoices::download(lab, state, request, now),
        ("GET", ["sessions"]) => invoices::list(state, request, now),
        ("GET", ["sessions", own]) => invoices::session_status(lab, state, request, own, now),
        ("GET", ["sessions", own, "invoices"]) => {
            invoices::session_invoices(lab, state, request, (own, false), now)
        }
        ("GET", ["sessions", own, "invoices", "failed"]) => {
            invoices::session_invoices(lab, state, request, (own, true), now)
        }
        ("GET", ["sessions", own, "invoices", "ksef", number, "upo"]) => {
            invoices::invoice_upo(lab, state, request, (own, number), now)
        }
        ("GET", ["sessions", own, "invoices", reference]) => {
            invoices::one_invoice(lab, state, request, (own, reference), now)
        }
        ("GET", ["sessions", own, "invoices", reference, "upo"]) => {
            invoices::invoice_upo(lab, state, request, (own, reference), now)
        }
        ("GET", ["sessions", own, "upo", page]) => {
            invoices::session_upo(state, request, (own, page), now)
        }
        ("POST", ["invoices", "query", "metadata"]) => queries::metadata(lab, state, request, now),
        ("POST", ["invoices", "exports"]) => exports::start(lab, state, request, now),
        ("GET", ["invoices", "exports", own]) => exports::status(lab, state, request, own, now),
        ("GET", ["invoices", "ksef", number]) => queries::invoice(state, request, number, now),
        ("GET", ["limits", "context"]) => queries::context_limits(lab, state, request, now),
        ("GET", ["rate-limits"]) => queries::rate_limits(state, request, now),
        _ => Err(LabRefusal::NotFound),
    }
}
