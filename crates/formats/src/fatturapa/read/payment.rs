//! Payment (2.4): BT-9, BT-20, BG-10, BG-16 to BG-19, and instalments.

use std::borrow::Cow;

use quoin_model::en16931::{
    Code, CreditTransfer, Identifier, Invoice, ItalianPayment, Party, PartyRole, PaymentMeans,
    PaymentTerms, Period, TermsAdjustment, Text,
};
use quoin_xml::tree::Element;

use super::super::codes::{PAYMENT_MEANS, PAYMENT_MEANS_WITH_IBAN};
use super::body::BodyState;
use super::{day, name};
use crate::reading::{Pass, mapped, view};

/// Reads `DatiPagamento`.
pub(super) fn read<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    state: &mut BodyState<'d>,
    element: Element<'d>,
) {
    let (mut conditions, before) = (Vec::new(), invoice.payment.terms.len());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "CondizioniPagamento" => conditions.push(pass.value::<Identifier<'d>>(child)),
            "DettaglioPagamento" => detail(pass, invoice, state, child),
            _ => pass.unread(child),
        }
    }
    let own = invoice.payment.terms.get_mut(before..).unwrap_or_default();
    own.iter_mut().for_each(|terms| terms.id.extend(conditions.iter().take(1).copied()));
    let rest = if own.is_empty() {
        conditions.as_slice()
    } else {
        conditions.get(1..).unwrap_or_default()
    };
    if !rest.is_empty() {
        let mut terms = PaymentTerms::new(element);
        terms.id.extend(rest.iter().copied());
        invoice.payment.terms.push(terms);
    }
}

/// What of an instalment stands in elements of its own.
struct DetailParts<'d> {
    means: PaymentMeans<'d>,
    terms: PaymentTerms<'d>,
    account: CreditTransfer<'d>,
    discount: TermsAdjustment<'d>,
    penalty: TermsAdjustment<'d>,
    own: ItalianPayment<'d>,
}

/// Reads `DettaglioPagamento` (2.4.2): one way to pay, and one instalment.
fn detail<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    state: &mut BodyState<'d>,
    element: Element<'d>,
) {
    let mut parts = DetailParts {
        means: PaymentMeans::new(element),
        terms: PaymentTerms::new(element),
        account: CreditTransfer::new(element),
        discount: TermsAdjustment::new(element),
        penalty: TermsAdjustment::new(element),
        own: ItalianPayment::default(),
    };
    let iban = element.elements().find(|one| name(*one) == "IBAN").map(|one| one.text());
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "ModalitaPagamento" => {
                let own: Code<'d> = pass.value(child);
                let with_iban = iban.is_some() && own.is("MP05");
                let table = if with_iban { PAYMENT_MEANS_WITH_IBAN } else { PAYMENT_MEANS };
                parts.means.code.push(mapped(*own, table));
            }
            "ImportoPagamento" => pass.take(&mut parts.terms.amount, child),
            "CodicePagamento" => {
                pass.take(&mut parts.means.remittance, child);
                invoice.payment.remittance.push(view(child));
            }
            "DataScadenzaPagamento" => day(pass, &mut parts.terms.due_date, child),
            "DataRiferimentoTerminiPagamento" => day(pass, &mut parts.terms.basis_date, child),
            "GiorniTerminiPagamento" => pass.take(&mut parts.terms.days, child),
            _ if terms_of(pass, &mut parts, child) => {}
            _ => account_of(pass, &mut parts, iban.as_deref(), child),
        }
    }
    finish(invoice, state, parts);
}

/// Discounts for early payment and penalties for late payment.
fn terms_of<'d>(pass: &mut Pass<'d>, parts: &mut DetailParts<'d>, element: Element<'d>) -> bool {
    match name(element) {
        "ScontoPagamentoAnticipato" => pass.take(&mut parts.discount.amount, element),
        "DataLimitePagamentoAnticipato" => {
            let mut period = Period::new(element);
            day(pass, &mut period.end, element);
            parts.discount.periods.push(period);
        }
        "PenalitaPagamentiRitardati" => pass.take(&mut parts.penalty.amount, element),
        "DataDecorrenzaPenale" => day(pass, &mut parts.penalty.basis_date, element),
        _ => return false,
    }
    true
}

/// The account, and who gets the money.
fn account_of<'d>(
    pass: &mut Pass<'d>,
    parts: &mut DetailParts<'d>,
    iban: Option<&str>,
    element: Element<'d>,
) {
    match name(element) {
        "Beneficiario" => pass.take(&mut parts.account.name, element),
        "IstitutoFinanziario" => pass.take(&mut parts.account.provider_name, element),
        "IBAN" => pass.take(&mut parts.account.account, element),
        "BIC" => pass.take(&mut parts.account.provider, element),
        "ABI" | "CAB" => {
            let at = if name(element) == "ABI" { 5..10 } else { 10..15 };
            let of_iban = iban.map(str::trim).filter(|iban| iban.starts_with("IT"));
            let said = element.text();
            match of_iban.and_then(|iban| iban.get(at.clone())) {
                Some(part) if part == said.trim() => pass.derive(element, part),
                _ if at.start == 5 => pass.take(&mut parts.own.abi, element),
                _ => pass.take(&mut parts.own.cab, element),
            }
        }
        "CodUfficioPostale" => pass.take(&mut parts.own.post_office, element),
        "CognomeQuietanzante" | "NomeQuietanzante" | "CFQuietanzante" | "TitoloQuietanzante" => {
            parts.own.receipt_signer.push(pass.value(element));
        }
        _ => pass.unread(element),
    }
}

fn finish<'d>(invoice: &mut Invoice<'d>, state: &mut BodyState<'d>, parts: DetailParts<'d>) {
    let DetailParts { mut means, mut terms, account, discount, penalty, own } = parts;
    let is_account = account.account.is_present()
        || account.provider.is_present()
        || account.provider_name.is_present()
        || account.name.is_present();
    if is_account {
        means.credit_transfers.push(account);
    }
    let has_more = own.abi.is_present()
        || own.cab.is_present()
        || own.post_office.is_present()
        || !own.receipt_signer.is_empty();
    means.italy = has_more.then(|| Box::new(own));
    if discount.amount.is_present() || !discount.periods.is_empty() {
        terms.discounts.push(discount);
    }
    if penalty.amount.is_present() || penalty.basis_date.is_present() {
        terms.penalties.push(penalty);
    }
    means.due_date.extend(terms.due_date.iter().copied());
    invoice.due_date.extend(terms.due_date.iter().copied());
    state.instalments.add(&terms.amount);
    invoice.payment.means.push(means);
    invoice.payment.terms.push(terms);
}

/// BG-10: who gets the money, where it is somebody else than the seller. `Beneficiario` is the
/// name of the account (BT-85), too.
pub(super) fn payee(invoice: &mut Invoice<'_>) {
    let seller = invoice.seller.first().and_then(|seller| seller.name.text());
    let mut last: Option<Cow<'_, str>> = seller;
    let mut names: Vec<Text<'_>> = Vec::new();
    for (_, account) in invoice.payment.credit_transfers() {
        let Some(name) = account.name.get() else { continue };
        let text = name.trimmed();
        if last.as_ref().is_none_or(|last| *last != text) {
            names.push(name);
            last = Some(text);
        }
    }
    for name in names {
        let mut payee = Party::new(PartyRole::Payee, name.element());
        payee.name.push(name);
        invoice.payee.push(payee);
    }
}
