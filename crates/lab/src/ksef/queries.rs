//! Asking for invoices, limits, keys, and whether the system runs.

use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use quoin_ksef::api::{
    Availability, AvailabilityStatus, FormCode, InvoiceMetadata, InvoiceMetadataBuyer,
    InvoiceMetadataPage, InvoiceMetadataSeller, InvoiceQuery, QueryIdentifier,
};
use quoin_ksef::limits::{CallGroup, LIMITS};
use quoin_ksef::package::digest;
use serde_json::{Value, json};

use super::answers::{LabAnswer, LabAnswered, LabRefusal, LabRequest};
use super::auth::caller;
use super::server::KsefLab;
use super::state::{KsefState, LabTokenKind, RegisteredInvoice};

/// Rows of a set of filters at most.
const SET: usize = 10_000;
/// The longest period.
const PERIOD: SignedDuration = SignedDuration::from_hours(24 * 93);

pub(super) fn metadata(
    lab: &KsefLab,
    state: &KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let context = state.operations.get(&operation).map(|one| one.context.1.clone());
    let nip = context.unwrap_or_default();
    let query: InvoiceQuery = serde_json::from_slice(&request.body)
        .map_err(|error| LabRefusal::bad(21_405, format!("Nieprawidłowe żądanie: {error}")))?;
    let number = |name: &str, default: usize, range: std::ops::RangeInclusive<usize>| {
        let value = request.parameter(name).map_or(Ok(default), str::parse::<usize>);
        value.ok().filter(|value| range.contains(value)).ok_or_else(|| {
            LabRefusal::bad(21_405, format!("'{name}' jest poza dozwolonym zakresem."))
        })
    };
    let size = number("pageSize", 10, 10..=250)?;
    let offset = number("pageOffset", 0, 0..=usize::MAX)?;
    let settled = now - lab.settings().settling;
    let mut all = found(lab, state, (&nip, &query), now)?;
    if request.parameter("sortOrder") == Some("Desc") {
        all.reverse();
    }
    let set = lab.settings().query_set.min(SET);
    let from = offset.saturating_mul(size);
    let end = from.saturating_add(size);
    let told = InvoiceMetadataPage {
        has_more: end < all.len(),
        is_truncated: all.len() > set && end >= set,
        permanent_storage_hwm_date: Some(settled),
        invoices: all.iter().take(set).skip(from).take(size).map(|one| row(one)).collect(),
    };
    Ok(LabAnswer::json(StatusCode::OK, &told))
}

/// What is asked for, in the order of its time.
pub(super) fn found<'s>(
    lab: &KsefLab,
    state: &'s KsefState,
    (nip, query): (&str, &InvoiceQuery),
    now: Timestamp,
) -> Result<Vec<&'s RegisteredInvoice>, LabRefusal> {
    let range = &query.date_range;
    let until = range.to.unwrap_or(now);
    if until < range.from || until.duration_since(range.from) > PERIOD {
        return Err(LabRefusal::bad(21_405, "'dateRange' może obejmować najwyżej 3 miesiące."));
    }
    // What was stored within the last moment may still get company.
    let settled = now - lab.settings().settling;
    let is_restricted = range.restrict_to_permanent_storage_hwm_date == Some(true);
    if is_restricted && range.from > settled {
        return Err(LabRefusal::bad(
            21_183,
            "Parametr dateRange.from jest późniejszy niż \
            PermanentStorageHwmDate przy włączonym restrictToPermanentStorageHwmDate.",
        ));
    }
    let moment = |one: &RegisteredInvoice| match range.date_type.as_str() {
        "Invoicing" => one.received,
        _ => one.stored,
    };
    let until = if is_restricted { until.min(settled) } else { until };
    let mut all: Vec<&RegisteredInvoice> = state
        .registered
        .iter()
        .filter(|one| one.told.names(nip, &query.subject_type))
        .filter(|one| range.from <= moment(one) && moment(one) <= until)
        .filter(|one| query.ksef_number.as_ref().is_none_or(|own| *own == one.ksef_number))
        .filter(|one| query.invoice_number.as_ref().is_none_or(|own| *own == one.told.number))
        .filter(|one| query.seller_nip.as_ref().is_none_or(|own| *own == one.told.seller_nip))
        .collect();
    all.sort_by_key(|one| (moment(one), one.ksef_number.clone()));
    Ok(all)
}

pub(super) fn row(one: &RegisteredInvoice) -> InvoiceMetadata {
    let told = &one.told;
    let total: serde_json::Number = told.total.parse().unwrap_or_else(|_| 0.into());
    let kind = match told.kind.as_str() {
        "KOR" => "Kor",
        "ZAL" => "Zal",
        "ROZ" => "Roz",
        "UPR" => "Upr",
        "KOR_ZAL" => "KorZal",
        "KOR_ROZ" => "KorRoz",
        _ => "Vat",
    };
    let identifier = match &told.buyer_nip {
        Some(nip) => QueryIdentifier { kind: "Nip".to_owned(), value: Some(nip.clone()) },
        None => QueryIdentifier { kind: "None".to_owned(), value: None },
    };
    InvoiceMetadata {
        ksef_number: one.ksef_number.clone(),
        invoice_number: told.number.clone(),
        issue_date: told.issued,
        invoicing_date: one.received,
        acquisition_date: one.stored,
        permanent_storage_date: one.stored,
        seller: InvoiceMetadataSeller {
            nip: told.seller_nip.clone(),
            name: told.seller_name.clone(),
        },
        buyer: InvoiceMetadataBuyer { identifier, name: told.buyer_name.clone() },
        net_amount: total.clone(),
        gross_amount: total,
        vat_amount: 0.into(),
        currency: told.currency.clone(),
        invoicing_mode: if one.offline { "Offline" } else { "Online" }.to_owned(),
        invoice_type: kind.to_owned(),
        form_code: FormCode::fa3(),
        is_self_invoicing: told.is_self_invoicing,
        has_attachment: told.has_attachment,
        invoice_hash: digest(&one.xml),
    }
}

/// An invoice by its number, for those who are named in it.
pub(super) fn invoice(
    state: &KsefState,
    request: &LabRequest,
    number: &str,
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let nip = state.operations.get(&operation).map(|one| one.context.1.clone());
    let nip = nip.unwrap_or_default();
    let found = state.of_number(number);
    let found = found.filter(|one| one.told.is_seen_by(&nip));
    found.map(|one| LabAnswer::document(one.xml.clone())).ok_or_else(|| {
        LabRefusal::bad(21_164, format!("Faktura o numerze KSeF {number} nie istnieje."))
    })
}

pub(super) fn context_limits(
    lab: &KsefLab,
    state: &KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswered {
    caller(state, request, LabTokenKind::Access, now)?;
    let one = json!({"maxInvoiceSizeInMB": 1, "maxInvoiceWithAttachmentSizeInMB": 3,
        "maxInvoices": lab.settings().invoices});
    Ok(LabAnswer::json(StatusCode::OK, &json!({"onlineSession": one, "batchSession": one})))
}

pub(super) fn rate_limits(state: &KsefState, request: &LabRequest, now: Timestamp) -> LabAnswered {
    caller(state, request, LabTokenKind::Access, now)?;
    let mut told = json!({});
    for (group, limit) in LIMITS.iter().filter(|(group, _)| *group != CallGroup::Public) {
        told[group.word()] = json!({"perSecond": limit.second, "perMinute": limit.minute,
            "perHour": limit.hour});
    }
    Ok(LabAnswer::json(StatusCode::OK, &told))
}

/// Whether the system runs.
pub(super) fn availability(state: &KsefState) -> LabAnswered {
    let status = state.availability.unwrap_or(Availability::Available);
    let messages = (!state.messages.is_empty()).then(|| state.messages.clone());
    Ok(LabAnswer::json(StatusCode::OK, &AvailabilityStatus { status, messages }))
}

pub(super) fn messages(state: &KsefState) -> LabAnswered {
    let all: Value = serde_json::to_value(&state.messages).unwrap_or_default();
    Ok(LabAnswer::json(StatusCode::OK, &all))
}
