//! Payment in CII: BT-9, BT-20, BG-16 to BG-19.

use quoin_model::en16931::{
    CreditTransfer, Date, Identifier, Invoice, PaymentMeans, PaymentTerms, TermsAdjustment,
};

use super::{amount, date, party, quantity, validity};
use crate::writing::{InvoiceOutput, LossKind};

/// Writes every `SpecifiedTradeSettlementPaymentMeans`, one for each account.
pub(super) fn means<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let due = due_date(invoice).filter(|_| out.has_place("ram:SpecifiedTradePaymentTerms"));
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
        out.first("ram:PaymentChannelCode", &means.channel);
        out.first("ram:TypeCode", &means.code);
        out.first("ram:Information", &means.text);
        out.first("ram:ID", &means.id);
        if is_first {
            card(out, means);
            debit(out, means);
        }
        let Some(transfer) = transfer else { return debtor(out, means, is_first) };
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
        debtor(out, means, is_first);
        out.group("ram:PayeeSpecifiedCreditorFinancialInstitution", |out| {
            institution(out, transfer);
        });
    });
}

/// BT-86. Documents before EN 16931 have it with the institution and not with its branch.
fn institution<'d>(out: &mut InvoiceOutput<'d>, transfer: &CreditTransfer<'d>) {
    let own = transfer.institution.filled();
    match own.filter(|_| !transfer.provider.is_filled()) {
        Some(institution) => {
            let path = Some(out.path_of("ram:BICID"));
            let reason = "the institution of the account, which EN 16931 has with its branch";
            if out.has_place("ram:BICID") {
                let term = Some("BT-86");
                out.ledger.list_as(term, *institution, LossKind::Changed, path, reason);
                out.text("ram:BICID", institution);
            }
        }
        None => {
            out.first("ram:BICID", &transfer.provider);
        }
    }
    if transfer.provider.is_filled() || !out.is_of_factur_x() {
        out.first("ram:Name", &transfer.provider_name);
    }
}

/// The payer's payment service provider.
fn debtor<'d>(out: &mut InvoiceOutput<'d>, means: &PaymentMeans<'d>, is_first: bool) {
    let Some(debit) = means.direct_debit.first().filter(|_| is_first) else { return };
    out.group("ram:PayerSpecifiedDebtorFinancialInstitution", |out| {
        out.first("ram:BICID", &debit.provider);
    });
}

/// BT-9: what the document says, else what all its means say, which UBL before EN 16931 has.
fn due_date<'d>(invoice: &Invoice<'d>) -> Option<Date<'d>> {
    invoice.due_date.filled().or_else(|| {
        let mut days = invoice.payment.means.iter().map(|means| means.due_date.filled());
        let first = days.next()??;
        days.all(|day| day.is_some_and(|day| day.is(&first.trimmed()))).then_some(first)
    })
}

/// BG-18. UBL asks for a network and has `NA` where none is known.
fn card<'d>(out: &mut InvoiceOutput<'d>, means: &PaymentMeans<'d>) {
    let Some(card) = means.card.first() else { return };
    out.group("ram:ApplicableTradeSettlementFinancialCard", |out| {
        validity::card(out, card);
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
        // The schemas of Factur-X ask for the account.
        if out.first("ram:IBANID", &debit.debited_account) || !out.is_of_factur_x() {
            out.first("ram:AccountName", &debit.debited_account_name);
        }
    });
}

/// Writes `SpecifiedTradePaymentTerms`: BT-20, BT-9, BT-89. The terms of several elements are one
/// text, but in Factur-X EXTENDED, which has any number.
pub(super) fn terms<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let all = &invoice.payment.terms;
    if out.is_extended() && all.len() > 1 {
        for (at, one) in all.iter().enumerate() {
            out.group("ram:SpecifiedTradePaymentTerms", |out| {
                out.first("ram:Description", &one.text);
                date(out, "ram:DueDateDateTime", "udt:DateTimeString", &one.due_date);
                if at == 0 {
                    out.once("ram:DirectDebitMandateID", &invoice.payment.mandate_reference);
                }
                structured(out, one);
            });
        }
        return;
    }
    out.group("ram:SpecifiedTradePaymentTerms", |out| {
        if let Some(one) = all.first() {
            out.first("ram:ID", &one.id);
        }
        description(out, invoice);
        match invoice.due_date.is_filled() {
            true => date(out, "ram:DueDateDateTime", "udt:DateTimeString", &invoice.due_date),
            false => due_of_means(out, invoice),
        }
        out.once("ram:DirectDebitMandateID", &invoice.payment.mandate_reference);
        if let Some(one) = all.first() {
            structured(out, one);
        }
    });
}

/// BT-20.
fn description<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let texts: Vec<_> = invoice.payment.texts().collect();
    match texts.as_slice() {
        [] => {}
        [one] => {
            out.text("ram:Description", *one);
        }
        several if out.has_place("ram:Description") => {
            out.constant("ram:Description", &invoice.payment.joined_texts(), &[]);
            let path = out.path_of("ram:Description");
            for text in several {
                let reason = "the terms of payment (BT-20) are one text";
                out.ledger.list(**text, LossKind::Merged, Some(path.clone()), reason);
            }
        }
        _ => {}
    }
}

/// BT-9 of a document that has it in its means only.
fn due_of_means<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let name = "ram:DueDateDateTime";
    let Some(due) = due_date(invoice).filter(|_| out.has_place(name)) else { return };
    let path = Some(out.path_of(name));
    let Some(day) = out.day(name, due) else { return };
    let reason = "the day that all means of payment have is the due date (BT-9)";
    out.ledger.list_as(Some("BT-9"), *due, LossKind::Changed, path, reason);
    let text = day.strftime("%Y%m%d").to_string();
    out.group(name, |out| out.constant("udt:DateTimeString", &text, &[("format", "102")]));
}

/// Part of the whole, discount and penalty.
fn structured<'d>(out: &mut InvoiceOutput<'d>, terms: &PaymentTerms<'d>) {
    out.first("ram:PartialPaymentPercent", &terms.percentage);
    amount(out, "ram:PartialPaymentAmount", &terms.amount);
    if let Some(penalty) = terms.penalties.first() {
        out.group("ram:ApplicableTradePaymentPenaltyTerms", |out| {
            adjustment(out, penalty, "ram:ActualPenaltyAmount");
        });
    }
    if let Some(discount) = terms.discounts.first() {
        out.group("ram:ApplicableTradePaymentDiscountTerms", |out| {
            adjustment(out, discount, "ram:ActualDiscountAmount");
        });
    }
    party::write(out, "ram:PayeeTradeParty", &terms.payee);
}

/// A discount for early or a penalty for late payment. UBL has the length in a period.
fn adjustment<'d>(out: &mut InvoiceOutput<'d>, one: &TermsAdjustment<'d>, sum: &'static str) {
    let period = one.periods.first();
    let from = period.filter(|period| !period.end.is_filled());
    let from = from.map_or(&one.basis_date, |period| &period.start);
    date(out, "ram:BasisDateTime", "udt:DateTimeString", from);
    let length = one.basis_period.filled();
    let length = length.or_else(|| period.and_then(|period| period.duration.filled()));
    if let Some(length) = length {
        quantity(out, "ram:BasisPeriodMeasure", length);
    }
    amount(out, "ram:BasisAmount", &one.basis_amount);
    out.first("ram:CalculationPercent", &one.percentage);
    amount(out, sum, &one.amount);
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
