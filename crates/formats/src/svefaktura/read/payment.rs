//! Payment: BT-9, BT-20, BG-10, BG-16, BG-17.

use quoin_model::en16931::{
    CreditTransfer, Field, Identifier, Invoice, Party, PartyRole, PaymentMeans, PaymentMeansCode,
    PaymentTerms, TermsAdjustment,
};
use quoin_xml::tree::Element;

use super::super::codes::{DOMESTIC, PROVIDERS, SEPA};
use super::{name, take, wrapped};
use crate::reading::{CodeTable, Pass, mapped, view};

/// Reads `PaymentMeans`.
pub(super) fn means<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut means = PaymentMeans::new(element);
    let mut codes: Field<PaymentMeansCode<'d>> = Field::default();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "PaymentMeansTypeCode" => take(pass, &mut codes, child),
            "DuePaymentDate" => {
                take(pass, &mut means.due_date, child);
                invoice.due_date.push(view(child));
            }
            "PayeeFinancialAccount" => account(pass, invoice, &mut means, child),
            "PayeePartyName" => {
                let mut payee = Party::new(PartyRole::Payee, child);
                wrapped(pass, &mut payee.name, child, &["Name"]);
                invoice.payee.push(payee);
            }
            _ => pass.unread(child),
        }
    }
    let accounts = means.credit_transfers.iter().flat_map(|one| one.account.iter());
    let accounts: Vec<_> = accounts.map(|account| account.trimmed()).collect();
    let table: CodeTable = match accounts.as_slice() {
        // A transfer is one to an account (BR-61).
        [] => &[],
        all if all.iter().any(|text| is_iban(text)) => SEPA,
        _ => DOMESTIC,
    };
    means.code.extend(codes.iter().map(|code| mapped::<PaymentMeansCode<'d>>(**code, table)));
    invoice.payment.means.push(means);
}

/// Two letters, two digits, and as long as the shortest IBAN.
fn is_iban(text: &str) -> bool {
    let bytes = text.as_bytes();
    let begins = |range: std::ops::Range<usize>, is: fn(&u8) -> bool| {
        bytes.get(range).is_some_and(|part| part.iter().all(is))
    };
    bytes.len() >= 15 && begins(0..2, u8::is_ascii_alphabetic) && begins(2..4, u8::is_ascii_digit)
}

/// BG-17, and BT-83 that stands in it.
fn account<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    means: &mut PaymentMeans<'d>,
    element: Element<'d>,
) {
    let mut account = CreditTransfer::new(element);
    let mut providers: Field<Identifier<'d>> = Field::default();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "ID" => take(pass, &mut account.account, child),
            "FinancialInstitutionBranch" => {
                wrapped(pass, &mut providers, child, &["FinancialInstitution", "ID"]);
            }
            "PaymentInstructionID" => {
                take(pass, &mut means.remittance, child);
                invoice.payment.remittance.push(view(child));
            }
            _ => pass.unread(child),
        }
    }
    account.provider.extend(providers.iter().map(|one| mapped::<Identifier<'d>>(**one, PROVIDERS)));
    means.credit_transfers.push(account);
}

/// Reads `PaymentTerms`.
pub(super) fn terms<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut terms = PaymentTerms::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Note" => take(pass, &mut terms.text, child),
            "PenaltySurchargePercent" => {
                let mut penalty = TermsAdjustment::new(child);
                take(pass, &mut penalty.percentage, child);
                terms.penalties.push(penalty);
            }
            _ => pass.unread(child),
        }
    }
    invoice.payment.terms.push(terms);
}
