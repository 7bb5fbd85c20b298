//! The footer: notes (BG-1), what the law asks of the seller (BT-33), and registers (BT-30).

use quoin_model::en16931::{Identifier, Invoice};

use super::notes::NotePlaces;
use super::number::collapsed;
use crate::writing::{InvoiceOutput, LossKind};

/// Texts that a footer may have.
const MAX_NOTES: usize = 3;

/// Writes `Stopka`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, notes: &NotePlaces) {
    let seller = invoice.seller.first();
    out.group("Stopka", |out| {
        let count = notes.footer(out, invoice);
        let law = seller.and_then(|seller| seller.legal_information.filled());
        if let Some(own) = law.filter(|_| count < MAX_NOTES) {
            let whole: String = collapsed(&own.trimmed()).chars().take(3_500).collect();
            out.group("Informacje", |out| {
                let reason = "the target has it among the texts of the footer";
                out.told_otherwise("StopkaFaktury", *own, LossKind::CarriedAsText, reason);
                out.constant("StopkaFaktury", whole.trim_end(), &[]);
            });
        }
        let id = seller.and_then(|seller| seller.legal_registration.filled());
        let Some((id, name)) = id.and_then(|id| Some((id, register(&id.trimmed())?))) else {
            return;
        };
        out.group("Rejestry", |out| out.kept(name, &id.trimmed(), *id));
    });
}

/// Which register a number is of: REGON has 9 or 14 digits, KRS ten that begin with a nought, with
/// which no NIP begins.
fn register(text: &str) -> Option<&'static str> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.len() {
        10 if is_digits && text.starts_with('0') => Some("KRS"),
        9 | 14 if is_digits => Some("REGON"),
        _ => None,
    }
}

/// BT-30 that is of no register of Poland.
pub(super) fn other_registration<'d>(invoice: &Invoice<'d>) -> Option<Identifier<'d>> {
    let id = invoice.seller.first()?.legal_registration.filled()?;
    register(&id.trimmed()).is_none().then_some(id)
}
