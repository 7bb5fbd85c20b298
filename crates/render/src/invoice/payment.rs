//! BG-16 to BG-19, BT-20: how and when is paid, and a code to scan where the document allows one.

use quoin_model::en16931::{CreditTransfer, Invoice, PaymentMeans, ValueType};

use crate::codes::SpelledList;
use crate::draft::PageDraft;
use crate::epc;
use crate::numbers;
use crate::page::{PageField, PagePart, PageSection};
use crate::words::PageWord;

/// Everything about payment.
pub(super) fn section<'d>(draft: &mut PageDraft<'d>, invoice: &Invoice<'d>) -> PageSection {
    let mut section = PageSection::new(draft.word(PageWord::Payment));
    let (payment, mut all) = (&invoice.payment, Vec::new());
    for one in &payment.means {
        section.parts.extend(means(draft, one).into_iter().map(PagePart::Fields));
    }
    draft.ids(&mut all, PageWord::Remittance, &payment.remittance);
    draft.plain(&mut all, PageWord::Mandate, &payment.mandate_reference);
    draft.ids(&mut all, PageWord::Creditor, &payment.creditor_identifier);
    for terms in &payment.terms {
        draft.plain(&mut all, PageWord::PaymentTerms, &terms.text);
    }
    if !all.is_empty() {
        section.parts.push(PagePart::Fields(all));
    }
    section.parts.extend(epc::picture(invoice, draft.language).map(PagePart::Qr));
    section
}

/// A means of payment with its first account, and each further account by itself: whose name and
/// bank it is must be seen.
fn means<'d>(draft: &mut PageDraft<'d>, one: &PaymentMeans<'d>) -> Vec<Vec<PageField>> {
    let (mut own, mut all) = (Vec::new(), Vec::new());
    let into = &mut own;
    draft.codes(into, PageWord::PaymentMeans, SpelledList::PaymentMeans, &one.code);
    draft.plain(into, PageWord::PaymentMeans, &one.text);
    for (at, transfer) in one.credit_transfers.iter().enumerate() {
        let mut other = Vec::new();
        account(draft, if at == 0 { into } else { &mut other }, transfer);
        all.push(other);
    }
    for card in &one.card {
        draft.plain(into, PageWord::Card, &card.number);
        draft.plain(into, PageWord::Card, &card.network);
        draft.plain(into, PageWord::CardHolder, &card.holder);
    }
    for debit in &one.direct_debit {
        draft.shown_as(into, PageWord::DebitedAccount, &debit.debited_account, |draft, one| {
            Some(numbers::account(&draft.said(one.source())?))
        });
    }
    all.insert(0, own);
    all.retain(|fields| !fields.is_empty());
    all
}

/// BG-17.
fn account<'d>(
    draft: &mut PageDraft<'d>,
    into: &mut Vec<PageField>,
    transfer: &CreditTransfer<'d>,
) {
    draft.shown_as(into, PageWord::Account, &transfer.account, |draft, account| {
        Some(numbers::account(&draft.identifier(account)?))
    });
    draft.plain(into, PageWord::AccountName, &transfer.name);
    draft.ids(into, PageWord::Provider, &transfer.provider);
    draft.plain(into, PageWord::Provider, &transfer.provider_name);
}
