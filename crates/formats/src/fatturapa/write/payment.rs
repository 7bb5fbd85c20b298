//! Payment (2.4): BT-9, BT-81 to BT-86, BT-115, and instalments.

use std::collections::HashMap;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{
    Amount, CreditTransfer, Identifier, Invoice, ItalianPayment, PaymentMeans, PaymentTerms, Text,
};

use super::super::codes::{PAYMENT_MEANS, PAYMENT_MEANS_WITH_IBAN, PAYMENT_MEANS_WRITTEN};
use super::{CENTS, text};
use crate::reading::lookup;
use crate::writing::{InvoiceOutput, LossKind};

/// Writes every `DatiPagamento`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    if out.ledger.in_own_words {
        return as_written(out, invoice);
    }
    let means = invoice.payment.means.first();
    let has_any = means.is_some_and(|means| means.code.is_filled())
        || invoice.payment.means.iter().any(|means| !means.credit_transfers.all().is_empty())
        || invoice.due_date.is_filled();
    if !has_any {
        return;
    }
    let empty = PaymentMeans::new(invoice.element);
    let means = means.unwrap_or(&empty);
    let instalments: Vec<&PaymentTerms<'d>> =
        invoice.payment.terms.iter().filter(|terms| terms.amount.is_filled()).collect();
    out.group("DatiPagamento", |out| {
        conditions(out, invoice, instalments.len());
        match instalments.as_slice() {
            [] | [_] => {
                out.group("DettaglioPagamento", |out| {
                    detail(out, invoice, means, instalments.first().copied(), true);
                });
            }
            several => {
                let mut is_first = true;
                for terms in several {
                    out.group("DettaglioPagamento", |out| {
                        detail(out, invoice, means, Some(terms), is_first);
                    });
                    is_first = false;
                }
            }
        }
    });
}

/// `CondizioniPagamento`: instalments, the whole, or an advance.
fn conditions<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, instalments: usize) {
    let code = match instalments {
        _ if invoice.type_code.is("386") => "TP03",
        0 | 1 => "TP02",
        _ => "TP01",
    };
    let reason = "the target asks whether it is paid at once, in parts or in advance";
    out.derived("CondizioniPagamento", code, invoice.element, None, reason);
}

fn detail<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    means: &PaymentMeans<'d>,
    terms: Option<&PaymentTerms<'d>>,
    is_first: bool,
) {
    let account = is_first.then(|| account_of(means)).flatten();
    let iban = account.and_then(|one| one.account.filled()).filter(|id| is_iban(*id));
    payee(out, invoice, account, is_first);
    how(out, invoice, means, iban.is_some(), is_first);
    let due = terms.map(|terms| &terms.due_date).filter(|field| field.is_filled());
    match (due.and_then(|due| due.filled()), is_first) {
        (Some(due), _) => {
            out.one_day("DataScadenzaPagamento", due);
        }
        (None, true) => {
            out.plain_day("DataScadenzaPagamento", &invoice.due_date);
        }
        (None, false) => {}
    }
    amount(out, invoice, terms);
    if let Some(account) = account {
        text::free(out, "IstitutoFinanziario", &account.provider_name, 80);
        if let Some(iban) = iban {
            let compact: String = iban.trimmed().split_whitespace().collect();
            match compact == iban.trimmed() {
                true => out.kept("IBAN", &compact, *iban),
                false => {
                    out.changed("IBAN", &compact, *iban, "an IBAN has no blanks in the target")
                }
            }
        }
        if let Some(bic) = account.provider.filled() {
            text::code_that(out, "BIC", *bic, is_bic);
        }
    }
    if let Some(remittance) = invoice.payment.remittance.filled().filter(|_| is_first) {
        text::one_code(out, "CodicePagamento", *remittance, 60);
        out.repeated(&invoice.payment.remittance, remittance);
    }
}

/// The account that is written: the first with an IBAN, else the first.
fn account_of<'i, 'd>(means: &'i PaymentMeans<'d>) -> Option<&'i CreditTransfer<'d>> {
    let transfers = || means.credit_transfers.iter();
    let with_iban = |one: &&CreditTransfer<'d>| one.account.filled().is_some_and(is_iban);
    transfers().find(with_iban).or_else(|| transfers().next())
}

/// Two letters, two digits, and 11 to 30 letters and digits, blanks apart. An account that UBL and
/// CII say to be of another scheme is none.
fn is_iban(account: Identifier<'_>) -> bool {
    let text: String = account.trimmed().split_whitespace().collect();
    let head = text.get(..4).unwrap_or_default();
    let rest = text.get(4..).unwrap_or_default();
    let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = head.split_at_checked(2);
    parts.is_some_and(|(country, check)| letters(country) && digits(check) && head.len() == 4)
        && (11..=30).contains(&rest.len())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// `BICType`.
fn is_bic(text: &str) -> bool {
    let bytes = text.as_bytes();
    let [a, b, c, d, e, f, g, h, rest @ ..] = bytes else { return false };
    [a, b, c, d, e, f].iter().all(|byte| byte.is_ascii_uppercase())
        && (g.is_ascii_uppercase() || (b'2'..=b'9').contains(g))
        && ((h.is_ascii_uppercase() && *h != b'O') || h.is_ascii_digit())
        && (rest.is_empty() || rest.len() == 3)
        && rest.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// `Beneficiario`: BT-59, else BT-85.
fn payee<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    account: Option<&CreditTransfer<'d>>,
    is_first: bool,
) {
    let reason = "who is paid has one name in the target, which is that of the account, too";
    let of_party = invoice.payee.first().and_then(|payee| payee.name.filled());
    let of_account = account.and_then(|account| account.name.filled());
    let Some(name) = of_party.or(of_account) else { return };
    let Some(written) = text::latin(&name.trimmed(), 200) else { return };
    out.fitted("Beneficiario", &written, *name, text::REWRITTEN);
    if !is_first {
        return;
    }
    match (of_party, of_account) {
        (Some(_), Some(other)) if other.is(&written) => out.ledger.derive(*other),
        (Some(_), Some(other)) => {
            out.told_otherwise("Beneficiario", *other, LossKind::Changed, reason);
        }
        (Some(party), None) => {
            out.implied("Beneficiario", &written, party.element(), Some("BT-85"), reason);
        }
        (None, _) => not_the_seller(out, invoice, name, &written),
    }
}

/// Readers take the name of an account for a payee where it is not that of the seller.
fn not_the_seller<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    name: Text<'d>,
    written: &str,
) {
    let seller = invoice.seller.first().and_then(|seller| seller.name.text());
    let seller = seller.and_then(|seller| text::latin(&seller, 80));
    if seller.as_deref() != Some(written) {
        let reason = "whose account it is is paid";
        out.implied("Beneficiario", written, name.element(), Some("BT-59"), reason);
    }
}

/// `ModalitaPagamento`: BT-81.
fn how<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    means: &PaymentMeans<'d>,
    with_iban: bool,
    is_first: bool,
) {
    const NAME: &str = "ModalitaPagamento";
    let table = if with_iban { PAYMENT_MEANS_WITH_IBAN } else { PAYMENT_MEANS };
    let Some(code) = means.code.filled() else {
        let reason = "the target asks how is paid: by transfer";
        let again = if with_iban { "58" } else { "30" };
        if is_first {
            out.implied(NAME, again, invoice.element, Some("BT-81"), reason);
        }
        return out.constant(NAME, "MP05", &[]);
    };
    let text = code.trimmed();
    let row = PAYMENT_MEANS_WRITTEN.iter().find(|(_, codes)| codes.contains(&text.as_ref()));
    let written = row.map_or("MP01", |(written, _)| *written);
    let again = lookup(table, written).or_else(|| lookup(PAYMENT_MEANS, written));
    match again == Some(&text) {
        true => out.kept(NAME, written, *code),
        false => out.changed(NAME, written, *code, "the target has fewer ways to pay: the nearest"),
    }
}

/// `ImportoPagamento`: that of an instalment, else BT-115.
fn amount<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    terms: Option<&PaymentTerms<'d>>,
) {
    const NAME: &str = "ImportoPagamento";
    if let Some(own) = terms.and_then(|terms| terms.amount.filled()) {
        return out.amount_in(NAME, own, CENTS);
    }
    let totals = invoice.totals.first();
    let whole = totals.and_then(|totals| totals.with_vat.filled());
    match totals.and_then(|totals| totals.due.filled()) {
        Some(due) => {
            let value = due.value();
            // Readers take the total with its rounding.
            let rounding = totals.and_then(|totals| totals.rounding.filled()?.value());
            let whole = whole.and_then(Amount::value);
            let whole = whole.and_then(|own| own.checked_add(rounding.unwrap_or(Decimal::ZERO)));
            let is_whole = whole.is_some() && whole == value;
            match (is_whole, value.and_then(cents)) {
                (false, Some(text)) => {
                    let reason = "the amount due is what is asked for here: readers of the \
                        target take the total of the document for it";
                    out.changed(NAME, &text, *due, reason);
                    out.one_currency(due);
                }
                _ => out.amount_in(NAME, due, CENTS),
            }
        }
        None => match whole.and_then(Amount::value).and_then(cents) {
            Some(text) => {
                let reason = "the whole is due";
                out.derived(NAME, &text, invoice.element, Some("BT-115"), reason);
            }
            None => out.refuse_without(invoice.element, "the amount due (BT-115)", NAME),
        },
    }
}

fn cents(value: Decimal) -> Option<String> {
    crate::writing::in_form(value, CENTS)
}

/// As it stands in a document of FatturaPA: groups of instalments, each with its conditions.
fn as_written<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let terms = invoice.payment.terms.iter();
    let known: HashMap<u32, _> = terms.map(|terms| (terms.element.id().0, terms)).collect();
    let groups =
        invoice.payment.means.chunk_by(|one, next| one.element.parent() == next.element.parent());
    for group in groups {
        out.group("DatiPagamento", |out| {
            let terms_of = |means: &PaymentMeans<'d>| known.get(&means.element.id().0).copied();
            let first = group.first().and_then(terms_of);
            if let Some(terms) = first {
                text::code(out, "CondizioniPagamento", &terms.id, 4);
            }
            for means in group {
                out.group("DettaglioPagamento", |out| own_detail(out, means, terms_of(means)));
            }
        });
    }
}

fn own_detail<'d>(
    out: &mut InvoiceOutput<'d>,
    means: &PaymentMeans<'d>,
    terms: Option<&PaymentTerms<'d>>,
) {
    let empty = (PaymentTerms::new(means.element), ItalianPayment::default());
    let terms = terms.unwrap_or(&empty.0);
    let own = means.italy.as_deref().unwrap_or(&empty.1);
    let account = means.credit_transfers.first();
    if let Some(account) = account {
        text::free(out, "Beneficiario", &account.name, 200);
    }
    text::code(out, "ModalitaPagamento", &means.code, 4);
    out.plain_day("DataRiferimentoTerminiPagamento", &terms.basis_date);
    text::code(out, "GiorniTerminiPagamento", &terms.days, 3);
    out.plain_day("DataScadenzaPagamento", &terms.due_date);
    out.first_amount_in("ImportoPagamento", &terms.amount, CENTS);
    text::code(out, "CodUfficioPostale", &own.post_office, 20);
    for name in ["CognomeQuietanzante", "NomeQuietanzante", "CFQuietanzante", "TitoloQuietanzante"]
    {
        let part = own.receipt_signer.iter().find(|part| part.element().local() == name);
        if let Some(part) = part {
            text::one_free(out, name, **part, 60);
        }
    }
    if let Some(account) = account {
        text::free(out, "IstitutoFinanziario", &account.provider_name, 80);
        text::code(out, "IBAN", &account.account, 34);
    }
    text::code(out, "ABI", &own.abi, 5);
    text::code(out, "CAB", &own.cab, 5);
    if let Some(account) = account {
        text::code(out, "BIC", &account.provider, 11);
    }
    for discount in terms.discounts.iter().take(1) {
        out.first_amount_in("ScontoPagamentoAnticipato", &discount.amount, CENTS);
        if let Some(period) = discount.periods.first() {
            out.plain_day("DataLimitePagamentoAnticipato", &period.end);
        }
    }
    for penalty in terms.penalties.iter().take(1) {
        out.first_amount_in("PenalitaPagamentiRitardati", &penalty.amount, CENTS);
        out.plain_day("DataDecorrenzaPenale", &penalty.basis_date);
    }
    text::code(out, "CodicePagamento", &means.remittance, 60);
}
