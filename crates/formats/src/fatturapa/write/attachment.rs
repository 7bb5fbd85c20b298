//! Attachments (2.5): BG-24 with a file in it. References without one have no place.

use quoin_model::en16931::{DocumentReference, ValueSource};

use super::super::codes::MEDIA_TYPES;
use super::text;
use crate::reading::lookup_back;
use crate::writing::{InvoiceOutput, LossKind, documents};

/// Characters of `NomeAttachment`.
const MAX_NAME: usize = 60;

/// Writes `Allegati`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, document: &DocumentReference<'d>) {
    let id = document.id.filled().map(|id| *id);
    let Some(file) = document.embedded.filled().filter(|file| is_base64(&file.text())) else {
        return;
    };
    let name = file.filename().filter(|name| !name.is_blank());
    let Some(named) = name.or(id) else { return };
    let Some(written) = text::latin(&named.trimmed(), MAX_NAME) else { return };
    let reason = "the name of the file is the reference in the target";
    out.group("Allegati", |out| {
        out.fitted("NomeAttachment", &written, named, text::REWRITTEN);
        match (name, id) {
            (Some(_), Some(id)) if out.ledger.is_told(id) => {}
            (Some(_), Some(id)) if id.is(&written) => out.ledger.derive(id),
            (Some(_), Some(id)) => {
                out.told_otherwise("NomeAttachment", id, LossKind::Changed, reason);
            }
            (Some(name), None) => {
                out.implied("NomeAttachment", &written, name.element(), Some("BT-122"), reason);
            }
            (None, _) => {
                let place = file.element();
                out.implied("NomeAttachment", &written, place, Some("BT-125-2"), reason);
            }
        }
        text::code(out, "AlgoritmoCompressione", &document.compression, 10);
        if let Some(kind) = file.mime_code() {
            media_type(out, kind);
        }
        text::free(out, "DescrizioneAttachment", &document.description, 100);
        out.kept("Attachment", &file.text(), *file);
    });
    out.ledger.implied_document(document, documents::SUPPORTING);
}

/// `FormatoAttachment`: a short name of the media type (BT-125-1).
fn media_type<'d>(out: &mut InvoiceOutput<'d>, kind: ValueSource<'d>) {
    if out.ledger.in_own_words {
        let words = out.words(kind);
        return out.kept("FormatoAttachment", &words, kind);
    }
    match lookup_back(MEDIA_TYPES, &kind.trimmed()) {
        Some(name) => out.kept("FormatoAttachment", &name.to_uppercase(), kind),
        None => out.lost(kind, "the target has short names of media types, and none for this one"),
    }
}

/// Letters of base64, in fours, with white space between them.
fn is_base64(text: &str) -> bool {
    let is_white = |byte: u8| byte.is_ascii_whitespace();
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let (mut letters, mut fillers) = (0_usize, 0_usize);
    for byte in text.bytes().filter(|byte| !is_white(*byte)) {
        match byte {
            b'=' => fillers += 1,
            _ if is_letter(byte) && fillers == 0 => letters += 1,
            _ => return false,
        }
    }
    letters > 0 && fillers <= 2 && (letters + fillers) % 4 == 0
}
