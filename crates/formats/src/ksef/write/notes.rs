//! Notes (BG-1): the reason of a correction, three texts of the footer, and facts for the others.

use quoin_model::en16931::{Invoice, Note};

use super::number::{collapsed, text};
use super::plan::FaPlan;
use crate::writing::InvoiceOutput;

/// Characters of a text of the footer.
const MAX_FOOTER: usize = 3_500;
/// Characters of other texts.
pub(super) const MAX_TEXT: usize = 256;

/// Where each note is written.
pub(super) struct NotePlaces {
    reason: Option<usize>,
    footer: Vec<usize>,
    /// Those that are facts.
    pub facts: Vec<usize>,
}

impl NotePlaces {
    pub(super) fn of(invoice: &Invoice<'_>, plan: &FaPlan) -> NotePlaces {
        let mut own = NotePlaces { reason: None, footer: Vec::new(), facts: Vec::new() };
        for (at, note) in invoice.notes.iter().enumerate() {
            let Some(text) = note.text.filled() else { continue };
            let has_code = note.subject_code.is_filled();
            let is_short = collapsed(&text.trimmed()).chars().count() <= MAX_TEXT;
            let is_usual = text.trimmed().chars().count() < MAX_FOOTER - 8;
            match () {
                () if plan.kind == "KOR" && own.reason.is_none() && is_short && !has_code => {
                    own.reason = Some(at);
                }
                () if own.footer.len() < 3 && is_usual => own.footer.push(at),
                () => own.facts.push(at),
            }
        }
        own
    }

    /// Writes `PrzyczynaKorekty`.
    pub(super) fn reason<'d>(&self, out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
        let note = self.reason.and_then(|at| invoice.notes.get(at));
        text(out, "PrzyczynaKorekty", note.and_then(|note| note.text.filled()), MAX_TEXT);
    }

    /// Writes every `Informacje`. How many there are.
    pub(super) fn footer<'d>(&self, out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) -> usize {
        for note in self.footer.iter().filter_map(|at| invoice.notes.get(*at)) {
            out.group("Informacje", |out| one(out, note));
        }
        self.footer.len()
    }
}

fn one<'d>(out: &mut InvoiceOutput<'d>, note: &Note<'d>) {
    const NAME: &str = "StopkaFaktury";
    let Some(text) = note.text.filled() else { return };
    match note.subject_code.filled() {
        None => out.kept(NAME, &text.trimmed(), *text),
        Some(code) => {
            let whole = format!("#{}#{}", code.trimmed(), text.trimmed());
            out.constant(NAME, &whole, &[]);
            out.ledger.carry(*text);
            out.subject_before_text(NAME, code);
        }
    }
}
