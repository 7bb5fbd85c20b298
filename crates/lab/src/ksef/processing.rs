//! What the system does with what was handed over, in its order: digests of parts, key, ciphers,
//! digest of the archive, unpacking, count, and then each invoice.

use std::io::Read;

use flate2::read::GzDecoder;
use jiff::Timestamp;
use quoin_ksef::api::{InvoiceStatus, SendInvoiceRequest, SessionInvoice, StatusInfo};
use quoin_ksef::number::KsefNumber;
use quoin_ksef::offline::{counts_as_offline, is_in_the_future, warsaw};
use quoin_ksef::package::{
    ArchiveError, INVOICE_BYTES, INVOICE_WITH_ATTACHMENT_BYTES, digest, read_archive,
};

use super::reading::{ReadInvoice, read_invoice};
use super::receipts;
use super::server::KsefLab;
use super::state::{KsefState, LabSession, RegisteredInvoice};

/// Bytes of all invoices of a batch at most that the laboratory unpacks.
const UNPACKED: usize = 512 << 20;

fn status(code: u16, details: Vec<String>) -> StatusInfo {
    let description = match code {
        100 => "Sesja wsadowa rozpoczęta",
        150 => "Trwa przetwarzanie",
        170 => "Sesja interaktywna zamknięta",
        200 => "Sesja przetworzona pomyślnie",
        405 => "Błąd weryfikacji poprawności dostarczonych elementów paczki",
        415 => "Błąd odszyfrowania dostarczonego klucza",
        420 => "Przekroczony limit faktur w sesji",
        430 => "Błąd dekompresji pierwotnego archiwum",
        435 => "Błąd odszyfrowania zaszyfrowanych części archiwum",
        440 => "Sesja anulowana",
        445 => "Błąd weryfikacji, brak poprawnych faktur",
        _ => "Nieznany błąd",
    };
    let details = (!details.is_empty()).then_some(details);
    StatusInfo { code, description: description.to_owned(), details }
}

/// Closes a session and works on it at once; what comes of it is told after some polls.
pub(super) fn close(lab: &KsefLab, state: &mut KsefState, reference: &str, now: Timestamp) {
    let planned = state.faults.session();
    let Some(mut session) = state.sessions.remove(reference) else { return };
    session.is_closed = true;
    session.updated = now;
    session.pending = lab.settings().session_polls;
    if let Some(code) = planned {
        session.outcome = status(code, Vec::new());
        session.counts = false;
    } else if session.is_batch {
        match unpacked(lab, &session) {
            Ok(files) => {
                for (name, xml) in files {
                    let invoice = take(state, (reference, &session), Some(name), xml, now);
                    session.invoices.push(invoice);
                }
                session.outcome = concluded(&session);
            }
            Err(outcome) => {
                session.outcome = outcome;
                session.counts = false;
            }
        }
    } else if session.invoices.is_empty() {
        session.outcome = status(440, vec!["Nie przesłano faktur".to_owned()]);
    } else {
        session.outcome = concluded(&session);
    }
    // Parts are not kept once they were read.
    session.parts.clear();
    if session.outcome.code == 200 {
        session.upo = receipts::of_session(lab, state, reference, &session);
    }
    state.sessions.insert(reference.to_owned(), session);
}

fn concluded(session: &LabSession) -> StatusInfo {
    let any = session.invoices.iter().any(|one| one.status.code == 200);
    status(if any { 200 } else { 445 }, Vec::new())
}

/// The files of a batch, or the status that it ends with.
fn unpacked(lab: &KsefLab, session: &LabSession) -> Result<Vec<(String, Vec<u8>)>, StatusInfo> {
    for (at, part) in session.parts.iter().enumerate() {
        let found = digest(part.bytes.as_deref().unwrap_or_default());
        if found != part.digest {
            let detail = format!(
                "Skrót SHA-256 części: '{}' nie zgadza się z zadeklarowanym skrótem: '{}'",
                at + 1,
                part.digest
            );
            return Err(status(405, vec![detail]));
        }
    }
    let refused = |code, detail: &str| status(code, vec![detail.to_owned()]);
    let key = session
        .key
        .as_ref()
        .ok_or_else(|| refused(415, "Rozszyfrowania klucza symetrycznego zakończone błędem"))?;
    let mut archive = Vec::new();
    for part in &session.parts {
        let plain = key.open(part.bytes.as_deref().unwrap_or_default());
        archive.extend(plain.map_err(|_| refused(435, "Odszyfrowanie części zakończone błędem"))?);
    }
    if digest(&archive) != session.file_digest || archive.len() as u64 != session.file_size {
        let detail = format!(
            "Skrót SHA-256 przesłanej paczki faktur nie jest zgodny z zadeklarowanym skrótem: '{}'",
            session.file_digest
        );
        return Err(status(430, vec![detail]));
    }
    let limit = lab.settings().invoices;
    if session.is_tar {
        return untar(&archive, limit).ok_or_else(|| status(430, Vec::new()));
    }
    read_archive(&archive, limit, UNPACKED).map_err(|error| match error {
        ArchiveError::Files(found) => {
            let detail = format!(
                "Przekroczono dopuszczalną liczbę faktur w paczce: '{limit}'. Liczba faktur w \
                 paczce: '{found}'."
            );
            status(420, vec![detail])
        }
        ArchiveError::Damaged | ArchiveError::TooLarge => status(430, Vec::new()),
    })
}

/// The files of a tar archive under gzip (POSIX.1-1988, `ustar`).
fn untar(archive: &[u8], limit: usize) -> Option<Vec<(String, Vec<u8>)>> {
    let mut bytes = Vec::new();
    GzDecoder::new(archive).take(UNPACKED as u64).read_to_end(&mut bytes).ok()?;
    let mut rest = bytes.as_slice();
    let mut files = Vec::new();
    while rest.len() >= 512 && rest.first() != Some(&0) {
        let (head, body) = rest.split_at(512);
        let text = |from: usize, to: usize| {
            let field = head.get(from..to)?;
            let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
            std::str::from_utf8(field.get(..end)?).ok().map(|text| text.trim().to_owned())
        };
        let size = usize::from_str_radix(&text(124, 136)?, 8).ok()?;
        let content = body.get(..size)?;
        if matches!(head.get(156), Some(b'0' | 0)) {
            files.push((text(0, 100)?, content.to_vec()));
        }
        rest = body.get(size.div_ceil(512) * 512..)?;
    }
    (files.len() <= limit).then_some(files)
}

/// Takes an invoice of an online session: the answer is its reference.
pub(super) fn send(
    state: &mut KsefState,
    reference: &str,
    told: &SendInvoiceRequest,
    sealed: &[u8],
    now: Timestamp,
) -> String {
    let Some(mut session) = state.sessions.remove(reference) else { return String::new() };
    let plain = session.key.as_ref().and_then(|key| key.open(sealed).ok());
    let invoice = match plain {
        Some(xml) if digest(&xml) == told.invoice_hash && xml.len() as u64 == told.invoice_size => {
            session.offline_mode = told.offline_mode;
            take(state, (reference, &session), None, xml, now)
        }
        _ => {
            let ordinal = session.invoices.len() as u32 + 1;
            let mut invoice = empty(state, ordinal, told.invoice_hash.clone(), now);
            invoice.status = invoice_status(435, "Błąd odszyfrowania pliku", Vec::new());
            invoice
        }
    };
    let own = invoice.reference_number.clone();
    session.updated = now;
    session.invoices.push(invoice);
    state.sessions.insert(reference.to_owned(), session);
    own
}

fn empty(state: &mut KsefState, ordinal: u32, hash: String, now: Timestamp) -> SessionInvoice {
    SessionInvoice {
        ordinal_number: ordinal,
        invoice_number: None,
        ksef_number: None,
        reference_number: state.reference("EE", now),
        invoice_hash: hash,
        invoice_file_name: None,
        acquisition_date: None,
        invoicing_date: now,
        permanent_storage_date: None,
        upo_download_url: None,
        upo_download_url_expiration_date: None,
        invoicing_mode: None,
        status: invoice_status(200, "Sukces", Vec::new()),
    }
}

fn invoice_status(code: u16, description: &str, details: Vec<String>) -> InvoiceStatus {
    let details = (!details.is_empty()).then_some(details);
    InvoiceStatus { code, description: description.to_owned(), details, extensions: None }
}

/// Judges an invoice and registers it.
fn take(
    state: &mut KsefState,
    (reference, session): (&str, &LabSession),
    name: Option<String>,
    xml: Vec<u8>,
    now: Timestamp,
) -> SessionInvoice {
    // Of a batch, it came when the session was opened.
    let received = if session.is_batch { session.created } else { now };
    let ordinal = session.invoices.len() as u32 + 1;
    let mut invoice = empty(state, ordinal, digest(&xml), received);
    invoice.invoice_file_name = name.map(|name| name.chars().take(128).collect());
    let told = match read_invoice(&xml) {
        Ok(told) => told,
        Err(detail) => {
            invoice.status = invoice_status(430, "Błąd weryfikacji pliku faktury", vec![detail]);
            return invoice;
        }
    };
    invoice.invoice_number = Some(told.number.clone());
    let planned = state.faults.invoice(&told.number);
    if let Some(status) = refused(state, session, &told, &xml, received, planned) {
        invoice.status = status;
        return invoice;
    }
    let offline = session.offline_mode || counts_as_offline(told.issued, received);
    let digits = state.next_number();
    let number = KsefNumber::compose(&told.seller_nip, warsaw(now).date(), digits).to_string();
    invoice.ksef_number = Some(number.clone());
    invoice.acquisition_date = Some(now);
    invoice.permanent_storage_date = Some(now);
    invoice.invoicing_mode = Some(if offline { "Offline" } else { "Online" }.to_owned());
    let key = (told.seller_nip.clone(), told.kind.clone(), told.number.clone());
    let registered = RegisteredInvoice {
        ksef_number: number,
        session: reference.to_owned(),
        reference: invoice.reference_number.clone(),
        xml,
        received,
        stored: now,
        offline,
        told,
        upo: Default::default(),
    };
    state.known.insert(key, state.registered.len());
    state.register(registered);
    invoice
}

/// Registers an invoice that somebody else sent in a session of their own.
pub(super) fn deposit(
    state: &mut KsefState,
    xml: &[u8],
    stored: Timestamp,
) -> Result<String, String> {
    let told = read_invoice(xml)?;
    let digits = state.next_number();
    let number = KsefNumber::compose(&told.seller_nip, warsaw(stored).date(), digits).to_string();
    let (session, reference) = (state.reference("SB", stored), state.reference("EE", stored));
    state.register(RegisteredInvoice {
        ksef_number: number.clone(),
        session,
        reference,
        xml: xml.to_vec(),
        received: stored,
        stored,
        offline: false,
        told,
        upo: Default::default(),
    });
    Ok(number)
}

/// The status of an invoice that is refused.
fn refused(
    state: &KsefState,
    session: &LabSession,
    told: &ReadInvoice,
    xml: &[u8],
    received: Timestamp,
    planned: Option<u16>,
) -> Option<InvoiceStatus> {
    let limit = if told.has_attachment { INVOICE_WITH_ATTACHMENT_BYTES } else { INVOICE_BYTES };
    if xml.len() > limit {
        let detail = format!("Rozmiar faktury przekracza {limit} bajtów.");
        return Some(invoice_status(430, "Błąd weryfikacji pliku faktury", vec![detail]));
    }
    if let Some(code) = planned {
        return Some(invoice_status(code, "Status zaplanowany", Vec::new()));
    }
    let context = session.context.1.get(..10).unwrap_or_default();
    let issuer = if told.is_self_invoicing { told.buyer_nip.as_deref() } else { None };
    if told.seller_nip != context && issuer != Some(context) {
        return Some(invoice_status(410, "Nieprawidłowy zakres uprawnień", Vec::new()));
    }
    if told.has_attachment && !session.is_batch {
        let text = "Brak możliwości wysyłania faktury z załącznikiem";
        return Some(invoice_status(415, text, Vec::new()));
    }
    if is_in_the_future(told.issued, received) {
        let text = "Błąd weryfikacji semantyki dokumentu faktury";
        let detail = "Data wystawienia faktury nie może być późniejsza niż data jej przyjęcia.";
        return Some(invoice_status(450, text, vec![detail.to_owned()]));
    }
    let key = (told.seller_nip.clone(), told.kind.clone(), told.number.clone());
    let original = state.registered.get(*state.known.get(&key)?)?;
    let detail = format!(
        "Duplikat faktury. Faktura o numerze KSeF: {} została już prawidłowo przesłana do systemu \
         w sesji: {}",
        original.ksef_number, original.session
    );
    let mut status = invoice_status(440, "Duplikat faktury", vec![detail]);
    let own = |text: &str| Some(text.to_owned());
    status.extensions = Some(
        [
            ("originalSessionReferenceNumber".to_owned(), own(&original.session)),
            ("originalKsefNumber".to_owned(), own(&original.ksef_number)),
        ]
        .into(),
    );
    Some(status)
}
