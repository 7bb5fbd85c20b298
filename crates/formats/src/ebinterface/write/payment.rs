//! Payment: BT-9, BT-20, BG-16 to BG-19, discounts for early payment.

use quoin_model::en16931::{
    AustrianPayment, CreditTransfer, Identifier, Invoice, Party, PaymentMeans, TermsAdjustment,
};

use super::super::codes::PAYMENT_MEANS;
use super::{CENTS, kept_with};
use crate::reading::lookup;
use crate::writing::{InvoiceOutput, LossKind, TOO_LONG};

/// Codes of transfers, of direct debits and of cards (UNTDID 4461).
const TRANSFERS: &[&str] =
    &["30", "31", "42", "45", "50", "56", "57", "58", "68", "93", "94", "95"];
const DEBITS: &[&str] = &["49", "59"];
const CARDS: &[&str] = &["48", "54", "55"];

/// Characters of `BankNameType`.
const MAX_BANK: usize = 255;

/// The way to pay that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Transfer,
    Debit,
    Card,
    None,
    Other,
}

impl Way {
    const fn element(self) -> &'static str {
        match self {
            Way::Transfer => "eb:UniversalBankTransaction",
            Way::Debit => "eb:SEPADirectDebit",
            Way::Card => "eb:PaymentCard",
            Way::None => "eb:NoPayment",
            Way::Other => "eb:OtherPayment",
        }
    }
}

/// By the code, and by what is there for it.
fn way(means: &PaymentMeans<'_>) -> Way {
    let said = means.element.elements().map(|one| one.local());
    let code = means.code.text().unwrap_or_default();
    let has_account = means.credit_transfers.iter().any(|one| one.account.is_filled());
    match code.as_ref() {
        code if TRANSFERS.contains(&code) => Way::Transfer,
        code if DEBITS.contains(&code) => Way::Debit,
        code if CARDS.contains(&code) && means.card.iter().any(|one| one.number.is_filled()) => {
            Way::Card
        }
        _ if has_account => Way::Transfer,
        _ if means.code.iter().any(|code| code.as_written().contains("NoPayment")) => Way::None,
        _ if said.into_iter().any(|name| name == "NoPayment") => Way::None,
        _ => Way::Other,
    }
}

/// Writes `PaymentMethod`: the target has one.
pub(super) fn method<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let all = &invoice.payment.means;
    let Some(first) = all.first() else { return };
    let way = way(first);
    let joined: Vec<&PaymentMeans<'d>> = match way {
        Way::Transfer => all.iter().filter(|one| self::way(one) == way).collect(),
        _ => vec![first],
    };
    out.group("eb:PaymentMethod", |out| {
        if let Some(text) = first.text.filled() {
            out.constant("eb:Comment", &text.text(), &[]);
            out.ledger.carry(*text);
        }
        code(out, &joined, way);
        match way {
            Way::Transfer => transfer(out, invoice, &joined),
            Way::Debit => debit(out, invoice, first),
            Way::Card => card(out, first),
            Way::None | Way::Other => out.constant(way.element(), "", &[]),
        }
    });
}

/// BT-81: the name of the element says it.
fn code<'d>(out: &mut InvoiceOutput<'d>, all: &[&PaymentMeans<'d>], way: Way) {
    let local = way.element().trim_start_matches("eb:");
    let again = lookup(PAYMENT_MEANS, local).unwrap_or_default();
    let reason = "the target has fewer ways to pay: the nearest";
    let mut is_said = false;
    for code in all.iter().flat_map(|means| means.code.iter()).filter(|code| !code.is_blank()) {
        is_said = true;
        match code.is(again) {
            true => out.ledger.carry(**code),
            false => out.told_otherwise(way.element(), **code, LossKind::Changed, reason),
        }
    }
    if let (false, Some(first)) = (is_said, all.first()) {
        let reason = "the target says how is paid by the name of an element";
        out.implied(way.element(), again, first.element, Some("BT-81"), reason);
    }
}

fn transfer<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, all: &[&PaymentMeans<'d>]) {
    let empty = AustrianPayment::default();
    let own = all.first().and_then(|means| means.austria.as_deref()).unwrap_or(&empty);
    let accounts: Vec<_> = all.iter().flat_map(|means| means.credit_transfers.iter()).collect();
    let name = Way::Transfer.element();
    let flag = own.consolidator_payable.filled();
    flag.iter().for_each(|flag| out.ledger.carry(**flag));
    let text = flag.map(|flag| flag.trimmed());
    let attributes = text.as_deref().map(|text| ("ConsolidatorPayable", text));
    out.required_group_with(name, attributes.as_slice(), |out| {
        for (at, account) in accounts.iter().enumerate() {
            let payee = invoice.payee.first().filter(|_| at == 0);
            let code = own.bank_code.filled().filter(|_| at == 0);
            out.group("eb:BeneficiaryAccount", |out| one_account(out, account, payee, code));
        }
        if let Some(reference) = invoice.payment.remittance.filled() {
            remittance(out, reference, own);
            out.repeated(&invoice.payment.remittance, reference);
        }
    });
}

fn remittance<'d>(
    out: &mut InvoiceOutput<'d>,
    reference: Identifier<'d>,
    own: &AustrianPayment<'d>,
) {
    if reference.trimmed().chars().count() > 35 {
        return out.lost(*reference, TOO_LONG);
    }
    let sum = own.check_sum.filled();
    let text = sum.map(|sum| sum.trimmed());
    let attributes = text.as_deref().map(|text| ("CheckSum", text));
    kept_with(out, "eb:PaymentReference", *reference, attributes.as_slice());
    sum.iter().for_each(|sum| out.ledger.carry(**sum));
}

fn one_account<'d>(
    out: &mut InvoiceOutput<'d>,
    account: &CreditTransfer<'d>,
    payee: Option<&Party<'d>>,
    code: Option<Identifier<'d>>,
) {
    let is_bic = |text: &str| {
        matches!(text.len(), 8 | 11) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let provider = account.provider.filled();
    let bic = provider.filter(|one| is_bic(&one.trimmed()));
    match (account.provider_name.filled(), provider) {
        (Some(name), _) => {
            out.limited("eb:BankName", *name, MAX_BANK);
        }
        (None, Some(other)) if bic.is_none() => {
            let reason = "it is no BIC: it is the name of the bank in the target";
            match out.is_short(*other, MAX_BANK) {
                true => {
                    out.constant("eb:BankName", &other.trimmed(), &[]);
                    out.told_otherwise("eb:BankName", *other, LossKind::CarriedAsText, reason);
                }
                false => out.lost(*other, TOO_LONG),
            }
        }
        _ => {}
    }
    if let Some((code, country)) = code.and_then(|code| Some((code, code.scheme()?))) {
        let letters = country.trimmed();
        kept_with(out, "eb:BankCode", *code, &[("BankCodeType", &letters)]);
        out.ledger.carry(country);
    }
    if let Some(bic) = bic {
        out.kept("eb:BIC", &bic.trimmed(), *bic);
    }
    let is_iban = |id: &Identifier<'d>| {
        let text = id.trimmed();
        let head: String = text.chars().take(4).collect();
        let (country, check) = head.split_at_checked(2).unwrap_or_default();
        text.len() <= 34
            && country.bytes().all(|byte| byte.is_ascii_uppercase())
            && check.len() == 2
            && check.bytes().all(|byte| byte.is_ascii_digit())
    };
    let iban = |id: &&Identifier<'d>| match out.ledger.in_own_words {
        true => id.element().local() == "IBAN",
        false => is_iban(id),
    };
    let filled = || account.account.iter().filter(|id| !id.is_blank());
    let number = filled().find(|id| !iban(id)).copied();
    let iban = filled().find(iban).copied();
    if let Some(number) = number {
        out.text("eb:BankAccountNr", number);
    }
    if let Some(iban) = iban {
        out.text("eb:IBAN", iban);
    }
    owner(out, account, payee);
}

/// BT-85, else BT-59.
fn owner<'d>(out: &mut InvoiceOutput<'d>, account: &CreditTransfer<'d>, payee: Option<&Party<'d>>) {
    const NAME: &str = "eb:BankAccountOwner";
    if let Some(name) = account.name.filled() {
        out.limited(NAME, *name, 70);
        return;
    }
    let payee = payee.and_then(|payee| payee.name.filled());
    if let Some(payee) = payee.filter(|name| name.trimmed().chars().count() <= 70) {
        let reason = "who is paid is the owner of the account in the target";
        out.constant(NAME, &payee.trimmed(), &[]);
        out.told_otherwise(NAME, *payee, LossKind::Changed, reason);
        out.implied(NAME, &payee.trimmed(), payee.element(), Some("BT-85"), reason);
    }
}

/// BG-19.
fn debit<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, means: &PaymentMeans<'d>) {
    let empty = AustrianPayment::default();
    let own = means.austria.as_deref().unwrap_or(&empty);
    out.required_group(Way::Debit.element(), |out| {
        out.first("eb:Type", &own.debit_type);
        let debit = means.direct_debit.first();
        if let Some(debit) = debit {
            out.first("eb:BIC", &debit.provider);
            if let Some(account) = debit.debited_account.filled() {
                out.limited("eb:IBAN", *account, 34);
            }
            if let Some(name) = debit.debited_account_name.filled() {
                out.limited("eb:BankAccountOwner", *name, 70);
            }
        }
        if let Some(creditor) = invoice.payment.creditor_identifier.filled() {
            if out.limited("eb:CreditorID", *creditor, 35)
                && let Some(scheme) = creditor.scheme().filter(|scheme| scheme.is("SEPA"))
            {
                out.ledger.carry(scheme);
            }
            out.repeated(&invoice.payment.creditor_identifier, creditor);
        }
        if let Some(mandate) = invoice.payment.mandate_reference.filled() {
            out.limited("eb:MandateReference", *mandate, 35);
            out.repeated(&invoice.payment.mandate_reference, mandate);
        }
        out.plain_day("eb:DebitCollectionDate", &own.collected_on);
    });
}

/// BG-18. UBL asks for a network and has `NA` where none is known.
fn card<'d>(out: &mut InvoiceOutput<'d>, means: &PaymentMeans<'d>) {
    let Some(card) = means.card.first() else { return };
    out.required_group(Way::Card.element(), |out| {
        out.first("eb:PrimaryAccountNumber", &card.number);
        out.first("eb:CardHolderName", &card.holder);
    });
    if let Some(filler) = card.network.filled().filter(|network| network.is("NA")) {
        out.ledger.regenerate(*filler);
    }
}

/// Writes `PaymentConditions`.
pub(super) fn conditions<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    out.group("eb:PaymentConditions", |out| {
        out.plain_day("eb:DueDate", &invoice.due_date);
        for terms in &invoice.payment.terms {
            for one in &terms.discounts {
                discount(out, one);
            }
        }
        let austria = invoice.extensions.austria.as_deref();
        if let Some(austria) = austria {
            out.first_amount_in("eb:MinimumPayment", &austria.minimum_payment, CENTS);
        }
        let texts: Vec<_> = invoice.payment.texts().collect();
        match texts.as_slice() {
            [] => {}
            [one] => {
                out.text("eb:Comment", *one);
            }
            several => {
                let reason = "the terms of payment (BT-20) are one text";
                out.constant("eb:Comment", &invoice.payment.joined_texts(), &[]);
                for text in several {
                    out.told_otherwise("eb:Comment", **text, LossKind::Merged, reason);
                }
            }
        }
    });
}

/// A discount for who pays until a day, which the target asks for.
fn discount<'d>(out: &mut InvoiceOutput<'d>, one: &TermsAdjustment<'d>) {
    let Some(period) = one.periods.iter().find(|period| period.end.is_filled()) else { return };
    out.group("eb:Discount", |out| {
        out.plain_day("eb:PaymentDate", &period.end);
        out.first_amount_in("eb:BaseAmount", &one.basis_amount, CENTS);
        if let Some(percentage) = one.percentage.filled() {
            out.number_in("eb:Percentage", *percentage, CENTS);
        }
        out.first_amount_in("eb:Amount", &one.amount, CENTS);
        out.first("eb:Comment", &one.note);
    });
}
