//! Payment in UBL: BT-9 of a credit note, BT-20, BT-83, BG-16 to BG-19.

use quoin_model::en16931::{
    CreditTransfer, Identifier, Invoice, PaymentMeans, PaymentTerms, TermsAdjustment,
};

use super::{amount, date, quantity, wrapped};
use crate::writing::{InvoiceOutput, LossKind};

/// `Instrument not defined` (UNTDID 4461).
const NOT_DEFINED: &str = "1";
/// The means by which a mandate is used: direct debit, SEPA direct debit (UNTDID 4461).
const DEBITS: &[&str] = &["49", "59"];

/// Writes every `PaymentMeans`, one for each account.
pub(super) fn means<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, is_credit: bool) {
    let all = &invoice.payment.means;
    let debit = all.iter().position(|one| one.direct_debit.is_present());
    let by_code = || all.iter().position(|one| DEBITS.iter().any(|code| one.code.is(code)));
    let mandated = debit.or_else(by_code).unwrap_or_default();
    let remittance = invoice.payment.remittance.filled();
    if let Some(first) = remittance {
        out.repeated(&invoice.payment.remittance, first);
    }
    let named = all.iter().position(|one| one.text.is_filled());
    for (at, means) in all.iter().enumerate() {
        let mut transfers = means.credit_transfers.iter();
        let place = MeansPlace {
            invoice,
            remittance,
            is_credit,
            is_first: at == 0,
            is_first_of_means: true,
            has_mandate: at == mandated,
            has_name: named == Some(at),
        };
        one_means(out, &place, means, transfers.next());
        let place = MeansPlace {
            is_first: false,
            is_first_of_means: false,
            has_mandate: false,
            has_name: false,
            ..place
        };
        for transfer in transfers {
            one_means(out, &place, means, Some(transfer));
        }
    }
    if all.is_empty() {
        without_means(out, invoice, is_credit);
    }
}

/// Where a group of payment means stands, and what of the document level belongs to it.
struct MeansPlace<'i, 'd> {
    invoice: &'i Invoice<'d>,
    remittance: Option<Identifier<'d>>,
    is_credit: bool,
    is_first: bool,
    is_first_of_means: bool,
    has_mandate: bool,
    /// Whether BT-82 stands here: a document has it once (UBL-SR-46).
    has_name: bool,
}

fn one_means<'d>(
    out: &mut InvoiceOutput<'d>,
    place: &MeansPlace<'_, 'd>,
    means: &PaymentMeans<'d>,
    transfer: Option<&CreditTransfer<'d>>,
) {
    out.group("cac:PaymentMeans", |out| {
        if place.is_first_of_means {
            out.first("cbc:ID", &means.id);
        }
        code(out, place, means);
        if place.is_credit && place.is_first {
            date(out, "cbc:PaymentDueDate", &place.invoice.due_date);
        }
        if place.is_first_of_means {
            out.first("cbc:PaymentChannelCode", &means.channel);
        }
        if let Some(remittance) = place.remittance {
            out.text("cbc:PaymentID", remittance);
        }
        card(out, means);
        if let Some(transfer) = transfer {
            account(out, transfer);
        }
        mandate(out, place, means);
    });
}

/// BT-81, BT-82.
fn code<'d>(out: &mut InvoiceOutput<'d>, place: &MeansPlace<'_, 'd>, means: &PaymentMeans<'d>) {
    let name = "cbc:PaymentMeansCode";
    let text = means.text.filled().filter(|_| place.has_name);
    let said = text.map(|text| text.text());
    let attributes: Vec<_> = said.iter().map(|said| ("name", said.as_ref())).collect();
    match means.code.filled() {
        Some(code) => {
            out.constant(name, &code.trimmed(), &attributes);
            out.ledger.carry(*code);
        }
        None => {
            let path = out.path_of(name);
            let reason = "the schema asks for a code: instrument not defined";
            out.ledger.invent(means.element, Some("BT-81"), NOT_DEFINED, path, reason);
            out.constant(name, NOT_DEFINED, &attributes);
        }
    }
    if let Some(text) = text {
        out.ledger.carry(*text);
        let all = place.invoice.payment.means.iter();
        all.for_each(|one| out.repeated(&one.text, text));
    }
}

/// BG-18. UBL asks for a network, which EN 16931 does not have.
fn card<'d>(out: &mut InvoiceOutput<'d>, means: &PaymentMeans<'d>) {
    let Some(card) = means.card.first().filter(|card| card.number.is_filled()) else { return };
    out.group("cac:CardAccount", |out| {
        out.first("cbc:PrimaryAccountNumberID", &card.number);
        if !out.first("cbc:NetworkID", &card.network) {
            let path = out.path_of("cbc:NetworkID");
            let reason = "the schema asks for the network of a card";
            out.ledger.invent(card.element, None, "NA", path, reason);
            out.constant("cbc:NetworkID", "NA", &[]);
        }
        out.first("cbc:HolderName", &card.holder);
    });
}

/// BG-17. BR-50: where there is an account there must be its number.
fn account<'d>(out: &mut InvoiceOutput<'d>, transfer: &CreditTransfer<'d>) {
    if !transfer.account.is_filled() {
        return;
    }
    out.group("cac:PayeeFinancialAccount", |out| {
        out.first("cbc:ID", &transfer.account);
        out.first("cbc:Name", &transfer.name);
        out.group("cac:FinancialInstitutionBranch", |out| {
            out.first("cbc:ID", &transfer.provider);
            out.first("cbc:Name", &transfer.provider_name);
        });
    });
}

/// BG-19. The reference to the mandate stands in the terms in CII.
fn mandate<'d>(out: &mut InvoiceOutput<'d>, place: &MeansPlace<'_, 'd>, means: &PaymentMeans<'d>) {
    out.group("cac:PaymentMandate", |out| {
        if place.has_mandate {
            out.once("cbc:ID", &place.invoice.payment.mandate_reference);
        }
        if let Some(debit) = means.direct_debit.first() {
            out.group("cac:PayerFinancialAccount", |out| {
                out.first("cbc:ID", &debit.debited_account);
                out.first("cbc:Name", &debit.debited_account_name);
                let branch = "cac:FinancialInstitutionBranch";
                wrapped(out, branch, "cbc:ID", &debit.provider);
            });
        }
    });
}

/// BT-83, BT-89 and BT-9 of a credit note need payment means, of which nothing is known.
fn without_means<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, is_credit: bool) {
    let payment = &invoice.payment;
    let has_due_date = is_credit && invoice.due_date.is_filled();
    let is_needed =
        has_due_date || payment.remittance.is_filled() || payment.mandate_reference.is_filled();
    if is_needed {
        let empty = PaymentMeans::new(invoice.element);
        let remittance = payment.remittance.filled();
        let place = MeansPlace {
            invoice,
            remittance,
            is_credit,
            is_first: true,
            is_first_of_means: true,
            has_mandate: true,
            has_name: false,
        };
        one_means(out, &place, &empty, None);
    }
}

/// BT-20, which is one text; parts of the whole, discount and penalty of the first terms.
pub(super) fn terms<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>) {
    let texts: Vec<_> = invoice.payment.texts().collect();
    let first = invoice.payment.terms.first();
    out.group("cac:PaymentTerms", |out| {
        if let Some(first) = first {
            out.first("cbc:ID", &first.id);
        }
        match texts.as_slice() {
            [] => {}
            [one] => {
                out.text("cbc:Note", *one);
            }
            several => {
                out.constant("cbc:Note", &invoice.payment.joined_texts(), &[]);
                let path = out.path_of("cbc:Note");
                for text in several {
                    let reason = "the terms of payment (BT-20) are one text";
                    out.ledger.list(**text, LossKind::Merged, Some(path.clone()), reason);
                }
            }
        }
        if let Some(first) = first {
            structured(out, first);
        }
    });
}

/// Part of the whole, discount and penalty.
fn structured<'d>(out: &mut InvoiceOutput<'d>, terms: &PaymentTerms<'d>) {
    let (discount, penalty) = (terms.discounts.first(), terms.penalties.first());
    if let Some(one) = discount {
        out.first("cbc:SettlementDiscountPercent", &one.percentage);
    }
    if let Some(one) = penalty {
        out.first("cbc:PenaltySurchargePercent", &one.percentage);
    }
    out.first("cbc:PaymentPercent", &terms.percentage);
    amount(out, "cbc:Amount", &terms.amount);
    if let Some(one) = discount {
        amount(out, "cbc:SettlementDiscountAmount", &one.amount);
    }
    if let Some(one) = penalty {
        amount(out, "cbc:PenaltyAmount", &one.amount);
    }
    if let Some(one) = discount {
        term(out, "cac:SettlementPeriod", one);
    }
    if let Some(one) = penalty {
        term(out, "cac:PenaltyPeriod", one);
    }
}

/// From which day, and for how long.
fn term<'d>(out: &mut InvoiceOutput<'d>, name: &'static str, one: &TermsAdjustment<'d>) {
    out.group(name, |out| {
        date(out, "cbc:StartDate", &one.basis_date);
        if let Some(length) = one.basis_period.filled() {
            quantity(out, "cbc:DurationMeasure", length);
        }
    });
}
