//! The code to scan for a credit transfer in euro: EPC069-12 version 3.1 of the European Payments
//! Council, "Guidelines to enable data capture for the initiation of an SCT".
//!
//! It is made where the document says all that it needs, once and without doubt: one account that
//! is an IBAN, a name, an amount due in euro, and a means that is a credit transfer. Everything in
//! it stands on the page too.

use qrcodegen::{QrCode, QrCodeEcc};
use quoin_model::Language;
use quoin_model::en16931::Invoice;

use crate::numbers::{is_iban, remainder};
use crate::page::QrPicture;
use crate::words::PageWord;

/// Means of payment that are a credit transfer (UNTDID 4461).
const TRANSFERS: [&str; 3] = ["30", "42", "58"];

/// The code of an invoice; `None` where the document does not allow one.
pub(crate) fn picture(invoice: &Invoice<'_>, language: Language) -> Option<QrPicture> {
    let code = QrCode::encode_text(&content(invoice)?, QrCodeEcc::Medium).ok()?;
    let side = code.size();
    let dark = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let dark = dark.map(|(x, y)| code.get_module(x, y)).collect();
    let caption = PageWord::QrCode.text(language).to_owned();
    Some(QrPicture { caption, size: usize::try_from(side).ok()?, dark })
}

/// The twelve lines of the code, the last ones left out where they are empty.
fn content(invoice: &Invoice<'_>) -> Option<String> {
    let means: Vec<_> = invoice.payment.means.iter().collect();
    let [means] = means.as_slice() else { return None };
    let transfer = means.credit_transfers.one()?;
    let account: String = transfer.account.one()?.trimmed().replace(' ', "");
    let is_transfer = means.code.one().is_some_and(|code| TRANSFERS.iter().any(|one| code.is(one)));
    let is_euro = invoice.currency.one().is_some_and(|currency| currency.is("EUR"));
    if !is_transfer || !is_euro || !is_iban(&account) || is_credit(invoice) {
        return None;
    }
    let of = invoice.payee.first().or_else(|| invoice.seller.first());
    let name = transfer.name.one().copied().or_else(|| of?.name.one().copied())?;
    let name = line(&name.trimmed(), 70)?;
    let due = invoice.totals.one()?.due.one()?.trimmed().into_owned();
    let amount = amount(&due)?;
    let provider = transfer.provider.one().map(|one| one.trimmed().into_owned());
    let provider = provider.filter(|one| is_bic(one)).unwrap_or_default();
    let remittance = match invoice.payment.remittance.all() {
        [] => String::new(),
        [one] => line(&one.trimmed(), 140)?,
        _ => return None,
    };
    let (structured, text) = match is_creditor_reference(&remittance) {
        true => (remittance.replace(' ', ""), String::new()),
        false => (String::new(), remittance),
    };
    let lines =
        ["BCD", "002", "1", "SCT", &provider, &name, &account, &amount, "", &structured, &text];
    Some(lines.join("\n").trim_end_matches('\n').to_owned())
}

/// What is credited is not paid by the one who reads it.
fn is_credit(invoice: &Invoice<'_>) -> bool {
    invoice.root == quoin_model::en16931::Root::CreditNote || invoice.is_credit_note()
}

/// One line of at most so many characters; `None` where it does not fit.
fn line(text: &str, most: usize) -> Option<String> {
    let fits = text.chars().count() <= most && !text.chars().any(char::is_control);
    fits.then(|| text.to_owned())
}

/// `EUR12.3`: from a cent to 999,999,999.99; `None` for what has more decimals or is not positive.
fn amount(text: &str) -> Option<String> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = whole.len() <= 9 && part.len() <= 2 && digits(whole) && digits(part);
    if !fits || (whole.is_empty() && part.is_empty()) {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if part.is_empty() { format!("EUR{whole}") } else { format!("EUR{whole}.{part}") })
}

/// ISO 9362: eight or eleven characters.
fn is_bic(text: &str) -> bool {
    matches!(text.len(), 8 | 11)
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && text.bytes().take(6).all(|byte| byte.is_ascii_uppercase())
}

/// ISO 11649: `RF`, check digits modulo 97, and up to 21 characters.
fn is_creditor_reference(text: &str) -> bool {
    let letters: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
    let is_form = letters.starts_with(b"RF")
        && (5..=25).contains(&letters.len())
        && letters.iter().all(u8::is_ascii_alphanumeric);
    is_form && remainder(&letters) == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact_or_none() {
        assert_eq!(amount("656.250").as_deref(), Some("EUR656.25"));
        assert_eq!(amount("0.10").as_deref(), Some("EUR0.1"));
        for wrong in ["0", "0.00", "-5", "1.005", "1e3", "1000000000"] {
            assert_eq!(amount(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_creditor_reference_is_told_by_its_check_digits() {
        assert!(is_creditor_reference("RF18 5390 0754 7034"));
        assert!(!is_creditor_reference("RF19 5390 0754 7034"));
        assert!(!is_creditor_reference("INV-1"));
    }
}
