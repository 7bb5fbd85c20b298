//! Payment: BT-9, BT-20, BG-10, BG-16, BG-17.

use quoin_model::en16931::{CreditTransfer, Invoice, PaymentMeans};

use super::super::codes::PROVIDERS;
use super::{id, plain, with};
use crate::reading::{lookup, lookup_back};
use crate::writing::{InvoiceOutput, LossKind};

/// Accounts that the target has at most.
const MAX_MEANS: usize = 3;

/// Writes `PaymentMeans`, one for each account; without accounts one that says when it is due.
pub(super) fn means<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let all = &invoice.payment.means;
    let empty = PaymentMeans::new(invoice.element);
    let pairs = |means: &'_ PaymentMeans<'d>| means.credit_transfers.count().max(1);
    let mut left = MAX_MEANS;
    let has_accounts = all.iter().any(|means| means.credit_transfers.is_present());
    let mut is_first = true;
    for means in all {
        // What has no account has no place beside those that have one.
        let is_alone = !means.credit_transfers.is_present() && !out.ledger.in_own_words;
        if is_alone && (has_accounts || !is_first) {
            continue;
        }
        for at in 0..pairs(means).min(left) {
            one(out, invoice, means, means.credit_transfers.all().get(at), at == 0, is_first);
            (left, is_first) = (left - 1, false);
        }
    }
    if all.is_empty() && invoice.due_date.is_filled() {
        let reason = "the target has the day in a way to pay: one that is not told";
        let path = "cac:PaymentMeans/cac:PaymentMeansTypeCode";
        out.implied(path, "1", invoice.element, Some("BT-81"), reason);
        one(out, invoice, &empty, None, true, true);
    }
}

fn one<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    means: &PaymentMeans<'d>,
    account: Option<&CreditTransfer<'d>>,
    is_first_account: bool,
    is_first: bool,
) {
    out.group("cac:PaymentMeans", |out| {
        if is_first_account {
            code(out, means);
        } else {
            out.constant("cac:PaymentMeansTypeCode", "1", &[]);
        }
        if out.ledger.in_own_words {
            out.plain_day("cbc:DuePaymentDate", &means.due_date);
        } else if is_first {
            out.plain_day("cbc:DuePaymentDate", &invoice.due_date);
            if let Some(due) = invoice.due_date.filled() {
                out.repeated(&means.due_date, due);
            }
        }
        out.group("cac:PayeeFinancialAccount", |out| {
            if let Some(account) = account {
                account_of(out, account);
            }
            let whole = invoice.payment.remittance.filled().filter(|_| is_first);
            let own = means.remittance.filled().filter(|_| out.ledger.in_own_words);
            let other = whole.filter(|_| !out.ledger.in_own_words);
            if let Some(reference) = own.or(other) {
                with(out, "cac:PaymentInstructionID", *reference, &[]);
                out.repeated(&invoice.payment.remittance, reference);
            }
        });
        payee(out, invoice, means, is_first);
    });
}

/// BT-81: always 1, which is 58 to an IBAN and 30 to another account.
fn code<'d>(out: &mut InvoiceOutput<'d>, means: &PaymentMeans<'d>) {
    const NAME: &str = "cac:PaymentMeansTypeCode";
    let accounts = means.credit_transfers.iter().take(1);
    let mut accounts = accounts.filter_map(|one| one.account.filled());
    let again = match accounts.next() {
        None => "1",
        Some(account) if is_iban(&account.trimmed()) => "58",
        Some(_) => "30",
    };
    let reason = "the target does not tell how is paid";
    match means.code.filled() {
        Some(code) if out.ledger.in_own_words => with(out, NAME, *code, &[]),
        Some(code) if code.is(again) => out.kept(NAME, "1", *code),
        Some(code) => out.changed(NAME, "1", *code, reason),
        None => {
            let has_more = means.element.elements().next().is_some();
            if has_more {
                out.implied(NAME, again, means.element, Some("BT-81"), reason);
            }
            out.constant(NAME, "1", &[]);
        }
    }
}

/// As readers of the target tell one: two letters, two digits, and long enough.
fn is_iban(text: &str) -> bool {
    let bytes = text.as_bytes();
    let [a, b, c, d, rest @ ..] = bytes else { return false };
    [a, b].iter().all(|byte| byte.is_ascii_alphabetic())
        && [c, d].iter().all(|byte| byte.is_ascii_digit())
        && rest.len() >= 11
}

/// BG-17.
fn account_of<'d>(out: &mut InvoiceOutput<'d>, account: &CreditTransfer<'d>) {
    if let Some(own) = account.account.filled() {
        id(out, "cac:ID", own, "");
    }
    let Some(provider) = account.provider.filled() else { return };
    out.group("cac:FinancialInstitutionBranch", |out| {
        out.group("cac:FinancialInstitution", |out| {
            let text = provider.trimmed();
            match lookup_back(PROVIDERS, &text).filter(|_| !out.ledger.in_own_words) {
                Some(own) => out.kept("cac:ID", own, *provider),
                None if !out.ledger.in_own_words && lookup(PROVIDERS, &text).is_some() => {
                    let reason = "the target means the provider by the word";
                    out.changed("cac:ID", &text, *provider, reason);
                }
                None => id(out, "cac:ID", provider, ""),
            }
        });
    });
}

/// BG-10.
fn payee<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    means: &PaymentMeans<'d>,
    is_first: bool,
) {
    let own = out.ledger.in_own_words;
    let is_here = |element: quoin_xml::tree::Element<'d>| element.parent() == Some(means.element);
    let mut payees = invoice.payee.iter();
    let payee = payees.find(|payee| if own { is_here(payee.element) } else { is_first });
    if let Some(payee) = payee {
        out.group("cac:PayeePartyName", |out| {
            plain(out, "cbc:Name", &payee.name);
        });
    }
    if own {
        return;
    }
    // What is the name of who is paid, too, is no longer that of the account.
    for name in means.credit_transfers.iter().filter_map(|one| one.name.filled()) {
        if out.ledger.is_told(*name) {
            let path = Some(out.path_of("cac:PayeePartyName"));
            let reason = "the target has the name of who is paid, and none of the account";
            out.ledger.list_as(Some("BT-85"), *name, LossKind::Merged, path, reason);
        }
    }
}

/// Writes `PaymentTerms`.
pub(super) fn terms<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    out.group("cac:PaymentTerms", |out| {
        let texts: Vec<_> = invoice.payment.texts().collect();
        match texts.as_slice() {
            [] => {}
            [one] => with(out, "cbc:Note", **one, &[]),
            several => {
                let reason = "the terms of payment (BT-20) are one text";
                for text in several {
                    out.told_otherwise("cbc:Note", **text, LossKind::Merged, reason);
                }
                out.constant("cbc:Note", &invoice.payment.joined_texts(), &[]);
            }
        }
        let penalties = invoice.payment.terms.iter().flat_map(|terms| &terms.penalties);
        let mut penalties = penalties.filter(|one| one.percentage.is_filled());
        if let Some(penalty) = penalties.next() {
            plain(out, "cbc:PenaltySurchargePercent", &penalty.percentage);
        }
    });
}
