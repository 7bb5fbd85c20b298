//! General data of the document (2.1.1, 2.1.10).

use quoin_model::codes;
use quoin_model::en16931::{Invoice, InvoiceTypeCode, Note};

use super::super::codes::{DOCUMENT_TYPES, DOCUMENT_TYPES_WRITTEN, SELF_BILLED};
use super::plan::is_fund;
use super::{CENTS, RATE, category, price, text};
use crate::reading::lookup;
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, ONE_LINE, is_broken};

/// Types that Italy has no invoice for: outside the scope of tax, and accounting information.
const NO_TYPES: &[&str] = &["480", "751"];
/// Characters of `Causale`.
const MAX_NOTE: usize = 200;

/// BT-3 and what is written of it.
pub(super) struct ItalianType<'d> {
    code: InvoiceTypeCode<'d>,
    /// `TipoDocumento`.
    written: String,
    /// Whether the buyer issued it (389, 261, 527).
    pub is_self_billed: bool,
}

/// Decides the type; one that has no place is refused.
pub(super) fn kind<'d>(invoice: &Invoice<'d>) -> Result<ItalianType<'d>, ConversionRefusal> {
    let refused =
        |code: &str, why| Err(ConversionRefusal::TypeWithoutPlace { code: code.to_owned(), why });
    let Some(code) = invoice.type_code.filled() else {
        return refused("", "it is not said, and the target must say it");
    };
    let own = code.as_written();
    let text = code.trimmed();
    let is_self_billed = SELF_BILLED.iter().any(|(_, own)| *own == text);
    if let Some((own, _)) = DOCUMENT_TYPES.iter().find(|(known, _)| *known == own.trim()) {
        return Ok(ItalianType { code, written: (*own).to_owned(), is_self_billed });
    }
    let written = lookup(DOCUMENT_TYPES_WRITTEN, &text);
    let written = match (invoice.is_credit_note(), codes::is_document_type(&text)) {
        _ if NO_TYPES.contains(&text.as_ref()) => None,
        _ if written.is_some() => written,
        (true, _) => Some("TD04"),
        (false, true) => Some("TD01"),
        _ => None,
    };
    match written {
        Some(written) => Ok(ItalianType { code, written: written.to_owned(), is_self_billed }),
        None => refused(&text, "Italy has no such document"),
    }
}

/// Writes `DatiGeneraliDocumento`.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    kind: &ItalianType<'d>,
) {
    out.required_group("DatiGeneraliDocumento", |out| {
        type_code(out, kind);
        let is_currency = invoice.currency.filled().is_some_and(|currency| {
            let is_code =
                |text: &str| text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase());
            text::code_that(out, "Divisa", *currency, is_code)
        });
        if !is_currency {
            out.refuse_without(invoice.element, "the currency (BT-5)", "Divisa");
        }
        if !out.plain_day("Data", &invoice.issue_date) {
            out.refuse_without(invoice.element, "the day of issue (BT-2)", "Data");
        }
        number(out, invoice);
        withholding(out, invoice);
        stamp_duty(out, invoice);
        funds(out, invoice);
        let italy = invoice.extensions.italy.as_deref();
        for one in italy.iter().flat_map(|italy| &italy.document_discounts) {
            price::adjustment(out, one);
        }
        if let Some(totals) = invoice.totals.first() {
            out.first_amount_in("ImportoTotaleDocumento", &totals.with_vat, CENTS);
            out.first_amount_in("Arrotondamento", &totals.rounding, CENTS);
        }
        notes(out, invoice);
        if let Some(italy) = italy {
            text::code(out, "Art73", &italy.article_73, 2);
        }
    });
}

fn type_code<'d>(out: &mut InvoiceOutput<'d>, kind: &ItalianType<'d>) {
    let again = lookup(DOCUMENT_TYPES, &kind.written);
    let is_same = out.words(*kind.code) == kind.written || again == Some(&kind.code.trimmed());
    match is_same {
        true => out.kept("TipoDocumento", &kind.written, *kind.code),
        false => {
            let reason = "Italy has no such type of document: the nearest";
            out.changed("TipoDocumento", &kind.written, *kind.code, reason);
        }
    }
}

/// BT-1: never cut, and with a digit (SdI check 00425).
fn number<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let fits = |text: &str| text::is_code(text, 20) && text.bytes().any(|b| b.is_ascii_digit());
    match invoice.number.filled() {
        Some(number) if fits(&out.words(*number)) => {
            let words = out.words(*number);
            out.kept("Numero", &words, *number);
        }
        Some(number) => {
            let why = "the number has at most 20 characters of Basic Latin, a digit among them";
            out.refuse_value(*number, why);
        }
        None => out.refuse_without(invoice.element, "the number (BT-1)", "Numero"),
    }
}

/// 2.1.1.5, where all of it is known.
fn withholding<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for one in &invoice.extensions.withholding {
        let is_whole = one.kind.is_filled() && one.amount.is_filled() && one.rate.is_filled();
        if !is_whole || !one.reason.is_filled() {
            continue;
        }
        out.group("DatiRitenuta", |out| {
            text::code(out, "TipoRitenuta", &one.kind, 4);
            out.first_amount_in("ImportoRitenuta", &one.amount, CENTS);
            if let Some(rate) = one.rate.filled() {
                out.number_in("AliquotaRitenuta", *rate, RATE);
            }
            text::code(out, "CausalePagamento", &one.reason, 2);
        });
    }
}

/// 2.1.1.6.
fn stamp_duty<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let italy = invoice.extensions.italy.as_deref();
    for one in italy.iter().flat_map(|italy| &italy.stamp_duty).take(1) {
        out.group("DatiBollo", |out| {
            text::code(out, "BolloVirtuale", &one.paid_virtually, 2);
            out.first_amount_in("ImportoBollo", &one.amount, CENTS);
        });
    }
}

/// 2.1.1.7: the charge and what a pension fund has beside it.
fn funds<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let Some(italy) = invoice.extensions.italy.as_deref() else { return };
    let charges = invoice.allowance_charges.iter().filter(|one| is_fund(one));
    for (charge, fund) in charges.zip(&italy.social_funds) {
        out.group("DatiCassaPrevidenziale", |out| {
            text::code(out, "TipoCassa", &fund.kind, 4);
            if let Some(rate) = charge.percentage.filled() {
                out.number_in("AlCassa", *rate, RATE);
            }
            out.first_amount_in("ImportoContributoCassa", &charge.amount, CENTS);
            out.first_amount_in("ImponibileCassa", &charge.base_amount, CENTS);
            let tax = charge.tax_category.first();
            if let Some(tax) = tax {
                category::rate(out, tax, "BT-103");
            }
            text::code(out, "Ritenuta", &fund.withheld, 2);
            if let Some(tax) = tax {
                match category::decide(tax, charge.element) {
                    Ok(taxed) => category::nature_of(out, tax, taxed),
                    Err(refusal) => out.refuse(refusal),
                }
            }
            text::code(out, "RiferimentoAmministrazione", &fund.accounting_reference, 20);
        });
    }
}

/// BG-1, and the terms of payment in words (BT-20), which have no other place.
fn notes<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    for note in &invoice.notes {
        one_note(out, note);
    }
    for terms in invoice.payment.texts() {
        let Some(words) = text::letters(&terms.trimmed()) else {
            out.lost(*terms, text::NOT_LATIN);
            continue;
        };
        let reason = "the terms of payment in words are a note in the target";
        out.told_otherwise("Causale", *terms, LossKind::CarriedAsText, reason);
        for piece in text::pieces(&words, MAX_NOTE) {
            out.constant("Causale", &piece, &[]);
        }
    }
}

/// A note, in pieces where it is long. Its subject stands before it, as in UBL.
fn one_note<'d>(out: &mut InvoiceOutput<'d>, note: &Note<'d>) {
    let Some(source) = note.text.filled() else { return };
    if out.ledger.in_own_words {
        let words = out.words(*source);
        return out.kept("Causale", &words, *source);
    }
    let subject = note.subject_code.filled();
    let words = match subject {
        Some(subject) => format!("#{}#{}", subject.trimmed(), source.trimmed()),
        None => source.trimmed().into_owned(),
    };
    let Some(written) = text::letters(&words) else {
        return out.lost(*source, text::NOT_LATIN);
    };
    let is_same = written.split_whitespace().eq(words.split_whitespace());
    let pieces = text::pieces(&written, MAX_NOTE);
    const PIECES: &str =
        "a note of the target has at most 200 characters of Latin-1: it is cut into pieces";
    let reason = match (pieces.len(), is_same) {
        (1, true) => is_broken(&words, &written).then_some(ONE_LINE),
        (1, false) => Some(text::REWRITTEN),
        _ => Some(PIECES),
    };
    match reason {
        None => out.ledger.carry(*source),
        Some(reason) => out.told_otherwise("Causale", *source, LossKind::Changed, reason),
    }
    if let Some(subject) = subject {
        out.subject_before_text("Causale", subject);
    }
    for piece in &pieces {
        out.constant("Causale", piece, &[]);
    }
}

/// Writes `FatturaPrincipale` (2.1.10).
pub(super) fn main_invoice<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let italy = invoice.extensions.italy.as_deref();
    let main = italy.and_then(|italy| italy.main_invoice.first());
    if let Some(main) = main {
        out.group("FatturaPrincipale", |out| {
            text::code(out, "NumeroFatturaPrincipale", &main.id, 20);
            out.plain_day("DataFatturaPrincipale", &main.issue_date);
        });
    }
}
