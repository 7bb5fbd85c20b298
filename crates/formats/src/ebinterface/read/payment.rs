//! Payment: BT-9, BT-20, BG-16 to BG-19, discounts for early payment.

use quoin_model::en16931::{
    AttributeName, AustrianPayment, Card, CreditTransfer, Derivation, DirectDebit, Field,
    Identifier, Invoice, PaymentMeans, PaymentMeansCode, PaymentTerms, Period, TermsAdjustment,
    ValueSource,
};
use quoin_xml::tree::Element;

use super::super::codes::PAYMENT_MEANS;
use super::{austria, is_one_of, name, put, with_attribute};
use crate::reading::{Pass, implied, lookup, view};

/// The attribute that says the way of payment in 4.0.
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Reads `PaymentMethod`: since 4.1 an element says the way, in 4.0 the type of the element.
pub(super) fn method<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut means = PaymentMeans::new(element);
    let mut own = AustrianPayment::default();
    pass.open_of(element, |one| {
        is_one_of(one, &["ConsolidatorPayable"]) || (one.namespace == XSI && one.local == "type")
    });
    put(&mut own.consolidator_payable, element, "ConsolidatorPayable");
    if let Some(kind) = ValueSource::attribute_called(element, XSI, "type") {
        let text = kind.trimmed();
        let plain = text.rsplit(':').next().unwrap_or_default();
        means.code.push(match lookup(PAYMENT_MEANS, plain) {
            Some(code) => kind.saying(Derivation::Mapped, code).into(),
            None => kind.into(),
        });
    }
    for child in element.elements() {
        match name(child) {
            "Comment" => pass.take(&mut means.text, child),
            "UniversalBankTransaction" => {
                means.code.push(kind(child));
                pass.open_of(child, |one| is_one_of(one, &["ConsolidatorPayable"]));
                put(&mut own.consolidator_payable, child, "ConsolidatorPayable");
                for inner in child.elements() {
                    transfer(pass, invoice, &mut means, &mut own, inner);
                }
            }
            "SEPADirectDebit" => {
                means.code.push(kind(child));
                debit(pass, invoice, &mut means, &mut own, child);
            }
            "PaymentCard" => {
                means.code.push(kind(child));
                means.card.push(card(pass, child));
            }
            "NoPayment" | "OtherPayment" | "DirectDebit" => {
                means.code.push(kind(child));
                pass.open(child);
                child.elements().for_each(|inner| pass.unread(inner));
            }
            _ => transfer(pass, invoice, &mut means, &mut own, child),
        }
    }
    let has_more = own.consolidator_payable.is_present()
        || own.check_sum.is_present()
        || own.bank_code.is_present()
        || own.debit_type.is_present()
        || own.collected_on.is_present();
    means.austria = has_more.then(|| Box::new(own));
    invoice.payment.means.push(means);
}

/// BT-81: the element says it by its name.
fn kind<'d>(element: Element<'d>) -> PaymentMeansCode<'d> {
    let code = lookup(PAYMENT_MEANS, element.local()).unwrap_or_default();
    implied(element, code)
}

/// A term of a transfer: an account (BG-17) or the reference (BT-83).
fn transfer<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    means: &mut PaymentMeans<'d>,
    own: &mut AustrianPayment<'d>,
    element: Element<'d>,
) {
    match name(element) {
        "BeneficiaryAccount" => means.credit_transfers.push(account(pass, own, element)),
        "PaymentReference" => {
            let (reference, _) = with_attribute(pass, element, "CheckSum");
            means.remittance.push(reference);
            invoice.payment.remittance.push(reference);
            put(&mut own.check_sum, element, "CheckSum");
        }
        _ => pass.unread(element),
    }
}

/// An account: the IBAN, else the number; the provider by BIC, its name and its national code.
fn account<'d>(
    pass: &mut Pass<'d>,
    own: &mut AustrianPayment<'d>,
    element: Element<'d>,
) -> CreditTransfer<'d> {
    let mut account = CreditTransfer::new(element);
    let mut number: Field<Identifier<'d>> = Field::default();
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "IBAN" => pass.take(&mut account.account, child),
            "BankAccountNr" => pass.take(&mut number, child),
            "BIC" => pass.take(&mut account.provider, child),
            "BankName" => pass.take(&mut account.provider_name, child),
            "BankAccountOwner" => pass.take(&mut account.name, child),
            "BankCode" => {
                let (code, country): (Identifier<'d>, _) =
                    with_attribute(pass, child, "BankCodeType");
                let country = country.map(|country| (AttributeName::SchemeId, country));
                own.bank_code.push(code.with(country.as_slice()).into());
            }
            _ => pass.unread(child),
        }
    }
    account.account.append(&mut number);
    account
}

/// BG-19.
fn debit<'d>(
    pass: &mut Pass<'d>,
    invoice: &mut Invoice<'d>,
    means: &mut PaymentMeans<'d>,
    own: &mut AustrianPayment<'d>,
    element: Element<'d>,
) {
    let mut debit = DirectDebit::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "Type" => pass.take(&mut own.debit_type, child),
            "BIC" => pass.take(&mut debit.provider, child),
            "IBAN" => pass.take(&mut debit.debited_account, child),
            "BankAccountOwner" => pass.take(&mut debit.debited_account_name, child),
            "CreditorID" => pass.take(&mut invoice.payment.creditor_identifier, child),
            "MandateReference" => {
                pass.take(&mut debit.mandate_reference, child);
                invoice.payment.mandate_reference.push(view(child));
            }
            "DebitCollectionDate" => pass.take(&mut own.collected_on, child),
            _ => pass.unread(child),
        }
    }
    means.direct_debit.push(debit);
}

/// BG-18.
fn card<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> Card<'d> {
    let mut card = Card::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "PrimaryAccountNumber" => pass.take(&mut card.number, child),
            "CardHolderName" => pass.take(&mut card.holder, child),
            _ => pass.unread(child),
        }
    }
    card
}

/// Reads `PaymentConditions`.
pub(super) fn conditions<'d>(pass: &mut Pass<'d>, invoice: &mut Invoice<'d>, element: Element<'d>) {
    let mut terms = PaymentTerms::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "DueDate" => {
                pass.take(&mut terms.due_date, child);
                invoice.due_date.push(view(child));
            }
            "Discount" => terms.discounts.push(discount(pass, child)),
            "MinimumPayment" => pass.take(&mut austria(invoice).minimum_payment, child),
            "Comment" => pass.take(&mut terms.text, child),
            _ => pass.unread(child),
        }
    }
    invoice.payment.terms.push(terms);
}

/// A discount for who pays until a day.
fn discount<'d>(pass: &mut Pass<'d>, element: Element<'d>) -> TermsAdjustment<'d> {
    let mut discount = TermsAdjustment::new(element);
    pass.open(element);
    for child in element.elements() {
        match name(child) {
            "PaymentDate" => {
                let mut period = Period::new(child);
                pass.take(&mut period.end, child);
                discount.periods.push(period);
            }
            "BaseAmount" => pass.take(&mut discount.basis_amount, child),
            "Percentage" => pass.take(&mut discount.percentage, child),
            "Amount" => pass.take(&mut discount.amount, child),
            "Comment" => pass.take(&mut discount.note, child),
            _ => pass.unread(child),
        }
    }
    discount
}
