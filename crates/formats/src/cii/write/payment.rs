//! Payment in CII: BT-9, BT-20, BG-16 to BG-19.

use quoin_model::en16931::{CreditTransfer, Identifier, Invoice, PaymentMeans};

use super::date;
use crate::writing::{InvoiceOutput, LossKind};

/// Writes every `SpecifiedTradeSettlementPaymentMeans`, one for each account.
pub(super) fn means<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let due = invoice.due_date.filled();
    for means in &invoice.payment.means {
        // BT-9 is said once; what says the same again is told by it.
        if let Some(due) = due {
            out.repeated(&means.due_date, due);
        }
        let mut transfers = means.credit_transfers.iter();
        one_means(out, means, transfers.next(), true);
        for transfer in transfers {
            one_means(out, means, Some(transfer), false);
        }
    }
}

fn one_means<'d>(
    out: &mut InvoiceOutput<'d>,
    means: &PaymentMeans<'d>,
    transfer: Option<&CreditTransfer<'d>>,
    is_first: bool,
) {
    out.group("ram:SpecifiedTradeSettlementPaymentMeans", |out| {
        out.first("ram:TypeCode", &means.code);
        if let Some(text) = means.text.filled() {
            out.constant("ram:Information", &text.text(), &[]);
            out.ledger.carry(*text);
        }
        if is_first {
            card(out, means);
            debit(out, means);
        }
        let Some(transfer) = transfer else { return };
        // BR-50: where there is an account there must be its number.
        out.group("ram:PayeePartyCreditorFinancialAccount", |out| {
            let Some(account) = transfer.account.filled() else { return };
            if is_iban(account) {
                out.text("ram:IBANID", account);
            }
            out.first("ram:AccountName", &transfer.name);
            if !is_iban(account) {
                out.text("ram:ProprietaryID", account);
            }
        });
        out.group("ram:PayeeSpecifiedCreditorFinancialInstitution", |out| {
            out.first("ram:BICID", &transfer.provider);
        });
    });
}

/// BG-18. UBL asks for a network and has `NA` where none is known.
fn card<'d>(out: &mut InvoiceOutput<'d>, means: &PaymentMeans<'d>) {
    let Some(card) = means.card.first() else { return };
    out.group("ram:ApplicableTradeSettlementFinancialCard", |out| {
        out.first("ram:ID", &card.number);
        match card.network.filled().filter(|network| network.is("NA")) {
            Some(filler) => out.ledger.regenerate(*filler),
            None => {
                out.first("ram:TypeCode", &card.network);
            }
        }
        out.first("ram:CardholderName", &card.holder);
    });
}

/// BT-91.
fn debit<'d>(out: &mut InvoiceOutput<'d>, means: &PaymentMeans<'d>) {
    let Some(debit) = means.direct_debit.first() else { return };
    out.group("ram:PayerPartyDebtorFinancialAccount", |out| {
        out.first("ram:IBANID", &debit.debited_account);
    });
}

/// Writes `SpecifiedTradePaymentTerms`: BT-20, BT-9, BT-89. The terms of several elements are one
/// text.
pub(super) fn terms<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    out.group("ram:SpecifiedTradePaymentTerms", |out| {
        let texts: Vec<_> = invoice.payment.texts().collect();
        match texts.as_slice() {
            [] => {}
            [one] => {
                out.text("ram:Description", *one);
            }
            several => {
                out.constant("ram:Description", &invoice.payment.joined_texts(), &[]);
                let path = out.path_of("ram:Description");
                for text in several {
                    let reason = "the terms of payment (BT-20) are one text";
                    out.ledger.list(**text, LossKind::Merged, Some(path.clone()), reason);
                }
            }
        }
        date(out, "ram:DueDateDateTime", "udt:DateTimeString", &invoice.due_date);
        out.once("ram:DirectDebitMandateID", &invoice.payment.mandate_reference);
    });
}

/// Whether an account has the form of an IBAN and its check digits are right (ISO 13616); blanks
/// between the groups are passed over.
fn is_iban(account: Identifier<'_>) -> bool {
    let text = account.trimmed();
    let mut count = 0;
    // The first four characters are counted last.
    let (mut head, mut rest) = (0_u32, 0_u32);
    let mut shift = 1_u32;
    for byte in text.bytes().filter(|byte| *byte != b' ') {
        let digit = match byte {
            b'0'..=b'9' => u32::from(byte - b'0'),
            b'A'..=b'Z' => u32::from(byte - b'A') + 10,
            _ => return false,
        };
        let fits = if count < 2 { digit > 9 } else { count > 3 || digit < 10 };
        if !fits {
            return false;
        }
        let base = if digit > 9 { 100 } else { 10 };
        if count < 4 {
            head = (head * base + digit) % 97;
            shift = shift * base % 97;
        } else {
            rest = (rest * base + digit) % 97;
        }
        count += 1;
    }
    (15..=34).contains(&count) && (rest * shift + head) % 97 == 1
}

#[cfg(test)]
mod tests {
    use quoin_model::en16931::ValueSource;
    use quoin_xml::tree::{Document, Limits};

    use super::is_iban;

    #[test]
    fn an_iban_is_told_by_its_form_and_check_digits() {
        for (text, expected) in [
            ("NL91ABNA0417164300", true),
            ("DE75 5121 0800 1245 1261 99", true),
            ("NL92ABNA0417164300", false),
            ("0417164300", false),
            ("NL91", false),
            ("nl91abna0417164300", false),
        ] {
            let document = Document::parse(format!("<a>{text}</a>").as_bytes(), &Limits::default());
            let document = document.unwrap();
            let account = ValueSource::of(document.root()).into();
            assert_eq!(is_iban(account), expected, "{text}");
        }
    }
}
