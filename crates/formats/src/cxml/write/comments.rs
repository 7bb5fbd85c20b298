//! `Comments` of the head: BG-1 and BT-20, and the names of the files that travel beside the
//! message (BG-24).

use quoin_model::en16931::{DocumentReference, Invoice};

use super::{LANGUAGE, made, spoken};
use crate::writing::{InvoiceOutput, LossKind, OutputAttribute, content_id, documents, with_files};

/// Why a reference has one name here.
const ONE_NAME: &str = "the target has one name for a file beside the message";

/// BG-1 and BT-20 are one text here.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let files = match out.ledger.files_beside {
        true => with_files(invoice),
        false => Vec::new(),
    };
    let terms: Vec<_> = invoice.payment.texts().collect();
    let notes: Vec<_> = invoice.notes.iter().filter(|note| note.text.is_filled()).collect();
    if let ([note], []) = (notes.as_slice(), terms.as_slice())
        && note.subject().is_none()
    {
        let text = note.text.filled();
        if files.is_empty() {
            return spoken(out, "Comments", text);
        }
        return around(out, &files, |out| {
            if let Some(text) = text {
                out.own_text(text);
            }
        });
    }
    let own = notes.iter().map(|note| match note.subject_code.text() {
        Some(code) => format!("#{code}#{}", note.text.text().unwrap_or_default()),
        None => note.text.filled().map(|text| text.text().into_owned()).unwrap_or_default(),
    });
    let own = own.chain(terms.iter().map(|text| text.text().into_owned()));
    let text = own.collect::<Vec<_>>().join("\n");
    if text.is_empty() && files.is_empty() {
        return;
    }
    let path = out.path_of("Comments");
    let reason = "notes (BG-1) and terms of payment (BT-20) are one text";
    for note in &notes {
        let parts = note.text.filled().map(|text| *text);
        for part in parts.into_iter().chain(note.subject_code.filled().map(|code| *code)) {
            out.ledger.list(part, LossKind::Merged, Some(path.clone()), reason);
        }
    }
    for part in &terms {
        out.ledger.list(**part, LossKind::Merged, Some(path.clone()), reason);
    }
    if notes.is_empty() && !text.is_empty() {
        out.ledger.invent(invoice.element, Some("BG-1"), &text, path, reason);
    }
    match files.is_empty() {
        true => made(out, "Comments", &text),
        false => around(out, &files, |out| out.made_text(&text)),
    }
}

/// A text with the files behind it.
fn around<'d>(
    out: &mut InvoiceOutput<'d>,
    files: &[&DocumentReference<'d>],
    text: impl FnOnce(&mut InvoiceOutput<'d>),
) {
    let (attribute, language) = LANGUAGE;
    let attributes = [(attribute, Some(OutputAttribute::Constant(language)))];
    out.mixed("Comments", &attributes, |out| {
        text(out);
        for (at, one) in files.iter().enumerate() {
            file(out, at, one);
        }
    });
}

/// One file: its part of the message, and its name. The part holds the bytes and the media type.
fn file<'d>(out: &mut InvoiceOutput<'d>, at: usize, one: &DocumentReference<'d>) {
    let Some(data) = one.embedded.filled() else { return };
    out.ledger.carry(*data);
    data.mime_code().into_iter().for_each(|media| out.ledger.carry(media));
    data.filename().into_iter().for_each(|name| out.ledger.carry(name));
    out.ledger.implied_document(one, documents::SUPPORTING);
    let (words, id) = (one.description.filled(), one.id.filled());
    let file = data.filename();
    if let Some(id) = id {
        match words.is_none() || file.is_some_and(|name| name.is(&id.trimmed())) {
            true => out.ledger.carry(*id),
            false => out.told_otherwise("Attachment", *id, LossKind::Changed, ONE_NAME),
        }
    }
    let name = words.map(|words| *words).or(id.map(|id| *id));
    let name = name.map(|name| name.trimmed().into_owned()).unwrap_or_default();
    if let Some(words) = words {
        out.ledger.carry(*words);
    }
    out.group("Attachment", |out| {
        out.constant("URL", &format!("cid:{}", content_id(at)), &[("name", &name)]);
    });
}
