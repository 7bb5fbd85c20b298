//! What a correction is about (BG-3): why, and which invoices, each with its number of KSeF or
//! without one.

use quoin_model::en16931::{DocumentReference, Identifier, Invoice};

use super::head::FIRST_DAY;
use super::notes::NotePlaces;
use super::number::{id, one_day};
use super::party::is_nip;
use super::plan::FaPlan;
use crate::writing::{InvoiceOutput, documents, written_day};

/// The day from which the first had to use KSeF: what was issued before it may have no number.
const DUTY: &str = "2026-02-01";

/// Whether a text is a number of KSeF: the seller, the day, two technical parts and a check.
fn is_ksef_number(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let (head, tail, check) = match parts.as_slice() {
        [nip, day, one, two, check] => ([*nip, *day], format!("{one}{two}"), *check),
        [nip, day, both, check] => ([*nip, *day], (*both).to_owned(), *check),
        _ => return false,
    };
    let [nip, day] = head;
    let is_hex = |part: &str| {
        part.bytes().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte))
    };
    let is_day = day.len() == 8
        && day.bytes().all(|byte| byte.is_ascii_digit())
        && jiff::civil::Date::strptime("%Y%m%d", day).is_ok();
    is_nip(nip) && is_day && tail.len() == 12 && check.len() == 2 && is_hex(&tail) && is_hex(check)
}

/// Writes `PrzyczynaKorekty` and `DaneFaKorygowanej`.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    plan: &FaPlan,
    notes: &NotePlaces,
) {
    if plan.kind != "KOR" {
        return;
    }
    notes.reason(out, invoice);
    let all = &invoice.references.preceding_invoices;
    if all.is_empty() {
        let what = "the invoice that is corrected (BG-3), with its number and day";
        return out.refuse_without(invoice.element, what, "DaneFaKorygowanej");
    }
    for (at, one) in all.iter().enumerate().take(50_000) {
        out.group("DaneFaKorygowanej", |out| {
            corrected(out, invoice, one, all.len() == 1 && at == 0)
        });
    }
}

fn corrected<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    one: &DocumentReference<'d>,
    is_only: bool,
) {
    let day = one.issue_date.filled();
    if !day.is_some_and(|day| one_day(out, "DataWystFaKorygowanej", day, FIRST_DAY)) {
        let what = "the day of the invoice that is corrected (BT-26)";
        return out.refuse_without(one.element, what, "DataWystFaKorygowanej");
    }
    if !id(out, "NrFaKorygowanej", one.id.filled(), 256) {
        let what = "the number of the invoice that is corrected (BT-25)";
        return out.refuse_without(one.element, what, "NrFaKorygowanej");
    }
    out.ledger.implied_document(one, documents::INVOICE);
    if let Some(number) = number_of(invoice, one, is_only) {
        out.constant("NrKSeF", "1", &[]);
        return out.kept("NrKSeFFaKorygowanej", &number.trimmed(), *number);
    }
    if let Some(own) = one.id.filled().filter(|id| is_ksef_number(&id.trimmed())) {
        out.constant("NrKSeF", "1", &[]);
        return out.constant("NrKSeFFaKorygowanej", &own.trimmed(), &[]);
    }
    let written = day.and_then(written_day).map(|written| written.day.to_string());
    match written.is_some_and(|day| day.as_str() < DUTY) {
        true => {
            let reason = "the source has no number of KSeF of the invoice, which is of a day \
                          before the first had to use KSeF";
            out.derived("NrKSeFN", "1", one.element, None, reason);
        }
        false => {
            let what = "the number of KSeF of the invoice that is corrected, as its UUID, as BT-25 \
                        or as the identifier of a supporting document (BT-122)";
            out.refuse_without(one.element, what, "NrKSeFFaKorygowanej");
        }
    }
}

/// The number of KSeF beside the number of the invoice: as its unique identifier, or as that of
/// the one supporting document that is such a number.
fn number_of<'d>(
    invoice: &Invoice<'d>,
    one: &DocumentReference<'d>,
    is_only: bool,
) -> Option<Identifier<'d>> {
    let fits = |id: &Identifier<'d>| is_ksef_number(&id.trimmed());
    let supporting = &invoice.references.supporting_documents;
    let mut documents = supporting.iter().filter_map(|document| document.id.filled()).filter(fits);
    let own = one.uuid.filled().filter(fits);
    if own.is_some() || !is_only {
        return own;
    }
    documents.next().filter(|_| documents.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::is_ksef_number;

    #[test]
    fn a_number_of_ksef_is_told_by_its_parts() {
        assert!(is_ksef_number("5260001246-20260518-0A1B2C-3D4E5F-6A"));
        assert!(is_ksef_number("5260001246-20260518-0A1B2C3D4E5F-6A"));
        for other in [
            "",
            "FV/2026/05/17",
            "5260001246-20261318-0A1B2C3D4E5F-6A",
            "5260001246-20260518-0a1b2c3d4e5f-6a",
            "0260001246-20260518-0A1B2C3D4E5F-6A",
            "5260001246-20260518-0A1B2C3D4E5-6A",
            "5260001246-20260518-0A1B2C-3D4E5F-6A-1",
        ] {
            assert!(!is_ksef_number(other), "{other}");
        }
    }
}
