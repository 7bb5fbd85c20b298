//! Sessions: opening, the parts of a batch, invoices of an online session, closing.

use axum::http::StatusCode;
use data_encoding::BASE64;
use jiff::{SignedDuration, Timestamp};
use quoin_ksef::api::{
    BatchOpened, BatchSessionRequest, EncryptionInfo, FormCode, OnlineOpened, OnlineSessionRequest,
    PartUpload, SendInvoiceRequest, SentInvoice, StatusInfo,
};
use quoin_ksef::package::{ARCHIVE_BYTES, PART_BYTES, PARTS, SessionKey, digest};
use quoin_xmldsig::keys::Decrypter;
use serde::Deserialize;
use uuid::Uuid;

use super::answers::{LabAnswer, LabAnswered, LabRefusal, LabRequest};
use super::auth::caller;
use super::processing;
use super::server::KsefLab;
use super::state::{KsefState, LabPart, LabSession, LabTokenKind};

/// How long an online session is open.
const ONLINE: SignedDuration = SignedDuration::from_hours(12);
/// How long the upload of one part may take.
const PART_TIME: SignedDuration = SignedDuration::from_mins(20);

fn body<T: for<'de> Deserialize<'de>>(request: &LabRequest) -> Result<T, LabRefusal> {
    serde_json::from_slice(&request.body)
        .map_err(|error| LabRefusal::bad(21_405, format!("Nieprawidłowe żądanie: {error}")))
}

fn check_form(form: &FormCode) -> Result<(), LabRefusal> {
    if *form == FormCode::fa3() {
        return Ok(());
    }
    Err(LabRefusal::bad(21_405, "'formCode' jest nieobsługiwany: laboratorium zna FA (3) 1-0E."))
}

/// The key of a session; `Ok(None)` where it cannot be unwrapped, which its status says.
pub(super) fn unwrap_key(
    lab: &KsefLab,
    told: &EncryptionInfo,
) -> Result<Option<SessionKey>, LabRefusal> {
    let authority = lab.authority();
    let private = authority.unwrapping(told.public_key_id.as_deref()).ok_or_else(|| {
        let id = told.public_key_id.clone().unwrap_or_default();
        LabRefusal::bad(21_470, format!("Klucz o identyfikatorze {id} nie jest wspierany."))
    })?;
    let bytes = |text: &str, name: &str| {
        BASE64
            .decode(text.as_bytes())
            .map_err(|_| LabRefusal::bad(21_405, format!("'{name}' nie jest base64.")))
    };
    let sealed = bytes(&told.encrypted_symmetric_key, "encryptedSymmetricKey")?;
    let iv = bytes(&told.initialization_vector, "initializationVector")?;
    let iv: [u8; 16] = iv
        .try_into()
        .map_err(|_| LabRefusal::bad(21_405, "'initializationVector' ma mieć 16 bajtów."))?;
    let key: Option<[u8; 32]> =
        private.decrypt_oaep(&sealed).ok().and_then(|key| key.try_into().ok());
    Ok(key.map(|key| SessionKey { key, iv }))
}

pub(super) fn open_batch(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let told: BatchSessionRequest = body(request)?;
    check_form(&told.form_code)?;
    let file = &told.batch_file;
    if file.file_size == 0 || file.file_size > ARCHIVE_BYTES {
        let detail = format!("'fileSize' must be less than or equal to '{ARCHIVE_BYTES}'.");
        return Err(LabRefusal::bad(21_405, detail));
    }
    if file.file_parts.len() > PARTS {
        let detail = format!("Liczba części pliku musi być mniejsza lub równa niż {PARTS}.");
        return Err(LabRefusal::bad(21_161, detail));
    }
    let numbers = file.file_parts.iter().map(|part| part.ordinal_number);
    if file.file_parts.is_empty() || !numbers.eq(1..=file.file_parts.len() as u32) {
        return Err(LabRefusal::bad(21_405, "'fileParts' mają być ponumerowane od 1."));
    }
    let largest = (PART_BYTES + 16) as u64;
    if file.file_parts.iter().any(|part| part.file_size == 0 || part.file_size > largest) {
        return Err(LabRefusal::bad(21_157, "Część jest większa niż 100000000 bajtów."));
    }
    let key = unwrap_key(lab, &told.encryption)?;
    let reference = state.reference("SB", now);
    let parts: Vec<LabPart> = file
        .file_parts
        .iter()
        .map(|part| LabPart {
            size: part.file_size,
            digest: part.file_hash.clone(),
            pass: Uuid::new_v4().simple().to_string(),
            bytes: None,
        })
        .collect();
    let upload = |(at, part): (usize, &LabPart)| PartUpload {
        ordinal_number: at as u32 + 1,
        method: "PUT".to_owned(),
        url: format!("{}/upload/{reference}/{}?sig={}", lab.links(), at + 1, part.pass),
        headers: [("x-ms-blob-type".to_owned(), Some("BlockBlob".to_owned()))].into(),
    };
    let part_upload_requests = parts.iter().enumerate().map(upload).collect();
    let count = i32::try_from(parts.len()).unwrap_or(1);
    let mut session = new_session(state, operation, key, now, now + PART_TIME * count);
    session.is_batch = true;
    session.parts = parts;
    session.offline_mode = told.offline_mode;
    session.file_digest = file.file_hash.clone();
    session.file_size = file.file_size;
    session.is_tar = file.compression_type.as_deref() == Some("TarGz");
    state.sessions.insert(reference.clone(), session);
    let told = BatchOpened { reference_number: reference, part_upload_requests };
    Ok(LabAnswer::json(StatusCode::CREATED, &told))
}

fn new_session(
    state: &KsefState,
    operation: String,
    key: Option<SessionKey>,
    now: Timestamp,
    until: Timestamp,
) -> LabSession {
    let context = state.operations.get(&operation).map(|one| one.context.clone());
    LabSession {
        is_batch: false,
        operation,
        context: context.unwrap_or_default(),
        created: now,
        updated: now,
        until,
        offline_mode: false,
        file_digest: String::new(),
        file_size: 0,
        is_tar: false,
        key,
        parts: Vec::new(),
        is_closed: false,
        outcome: StatusInfo { code: 100, description: String::new(), details: None },
        pending: 0,
        invoices: Vec::new(),
        counts: true,
        upo: Vec::new(),
    }
}

/// Takes a part at the address that lets in.
pub(super) fn upload(
    state: &mut KsefState,
    request: &LabRequest,
    (reference, number): (&str, &str),
    now: Timestamp,
) -> LabAnswered {
    // A token that goes where it does not belong is a leak: the real storage refuses it, too.
    if request.header("authorization").is_some() {
        return Err(LabRefusal::Unauthorized("Adres części nie przyjmuje tokenu."));
    }
    let at = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let session = state.sessions.get_mut(reference).filter(|session| now < session.until);
    let part = session.and_then(|session| session.parts.get_mut(at?));
    let part = part.filter(|part| request.parameter("sig") == Some(part.pass.as_str()));
    let part = part.ok_or(LabRefusal::Forbidden("insufficient-resource-access"))?;
    if request.header("x-ms-blob-type") != Some("BlockBlob") {
        return Err(LabRefusal::bad(21_405, "Brak nagłówka x-ms-blob-type."));
    }
    part.bytes = Some(request.body.clone());
    Ok(LabAnswer::empty(StatusCode::CREATED))
}

/// The session of a reference, which has to be of the caller's context.
pub(super) fn own_session<'s>(
    state: &'s KsefState,
    operation: &str,
    reference: &str,
) -> Result<&'s LabSession, LabRefusal> {
    let context = state.operations.get(operation).map(|one| &one.context);
    let found = state.sessions.get(reference);
    found.filter(|session| Some(&session.context) == context).ok_or_else(|| {
        let detail = format!("Sesja o numerze referencyjnym {reference} nie została znaleziona.");
        LabRefusal::bad(21_173, detail)
    })
}

pub(super) fn close(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    (reference, is_batch): (&str, bool),
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let session = own_session(state, &operation, reference)?;
    if session.is_batch != is_batch {
        let detail = format!("Sesja o numerze referencyjnym {reference} nie została znaleziona.");
        return Err(LabRefusal::bad(21_173, detail));
    }
    if session.is_closed {
        let code = session.outcome.code;
        let detail = format!("Status sesji {code} uniemożliwia jej zamknięcie.");
        return Err(LabRefusal::bad(21_180, detail));
    }
    if session.until <= now {
        return Err(LabRefusal::bad(21_208, "Sesja anulowana, przekroczony czas wysyłki."));
    }
    for (at, part) in session.parts.iter().enumerate() {
        let number = at + 1;
        let bytes = part.bytes.as_ref().ok_or_else(|| {
            LabRefusal::bad(
                21_205,
                format!("Nie przesłano zadeklarowanej '{number}' części pliku."),
            )
        })?;
        if bytes.len() as u64 != part.size {
            let detail =
                format!("Zadeklarowany rozmiar części '{number}' nie zgadza się z rzeczywistym.");
            return Err(LabRefusal::bad(21_157, detail));
        }
    }
    processing::close(lab, state, reference, now);
    Ok(LabAnswer::empty(StatusCode::NO_CONTENT))
}

pub(super) fn open_online(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let told: OnlineSessionRequest = body(request)?;
    check_form(&told.form_code)?;
    let key = unwrap_key(lab, &told.encryption)?;
    let reference = state.reference("SO", now);
    let session = new_session(state, operation, key, now, now + ONLINE);
    let told = OnlineOpened { reference_number: reference.clone(), valid_until: session.until };
    state.sessions.insert(reference, session);
    Ok(LabAnswer::json(StatusCode::CREATED, &told))
}

pub(super) fn send_invoice(
    lab: &KsefLab,
    state: &mut KsefState,
    request: &LabRequest,
    reference: &str,
    now: Timestamp,
) -> LabAnswered {
    let operation = caller(state, request, LabTokenKind::Access, now)?;
    let session = own_session(state, &operation, reference)?;
    if session.is_closed || session.is_batch || session.until <= now {
        let code = session.outcome.code;
        let detail = format!("Status sesji {code} uniemożliwia wysyłkę faktur.");
        return Err(LabRefusal::bad(21_180, detail));
    }
    if session.invoices.len() >= lab.settings().invoices {
        let detail = format!(
            "Sesja o numerze referencyjnym {reference} osiągnęła dozwolony limit liczby faktur {}.",
            lab.settings().invoices
        );
        return Err(LabRefusal::bad(21_155, detail));
    }
    let told: SendInvoiceRequest = body(request)?;
    let sealed = BASE64
        .decode(told.encrypted_invoice_content.as_bytes())
        .map_err(|_| LabRefusal::bad(21_405, "'encryptedInvoiceContent' nie jest base64."))?;
    if sealed.len() as u64 != told.encrypted_invoice_size {
        return Err(LabRefusal::bad(21_402, "Długość treści nie zgadza się z rozmiarem pliku."));
    }
    if digest(&sealed) != told.encrypted_invoice_hash {
        return Err(LabRefusal::bad(21_403, "Skrót treści nie zgadza się ze skrótem pliku."));
    }
    if let Some(corrected) = &told.hash_of_corrected_invoice {
        check_correction(state, corrected)?;
    }
    let reference = processing::send(state, reference, &told, &sealed, now);
    Ok(LabAnswer::json(StatusCode::ACCEPTED, &SentInvoice { reference_number: reference }))
}

/// A technical correction is of an invoice that was refused, and there is one.
fn check_correction(state: &KsefState, corrected: &str) -> Result<(), LabRefusal> {
    let mut all = state.sessions.values().flat_map(|session| &session.invoices);
    if all.any(|one| one.invoice_hash == corrected && one.status.code == 200) {
        let detail = "Nie można wysłać korekty technicznej do prawidłowo przetworzonej faktury.";
        return Err(LabRefusal::bad(21_167, detail));
    }
    Ok(())
}
