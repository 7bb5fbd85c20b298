//! Totals (BG-22). DICO has one amount for charges and allowances, and none for BT-109, BT-113,
//! BT-114 and BT-115: what readers make of the rest must be what the source says.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, Field, Invoice, Totals};

use super::{amount, made, one_amount};
use crate::writing::{ConversionRefusal, InvoiceOutput, WrittenSign, sum_of};

/// The rule behind a refusal.
const RULE: &str = "the target has the total with VAT only, which is what is due";

/// Whether the first total that says something is below nought.
pub(super) fn is_below_nought(invoice: &Invoice<'_>) -> bool {
    let Some(totals) = invoice.totals.first() else { return false };
    let all = [&totals.with_vat, &totals.line_net];
    let mut values = all.into_iter().filter_map(|field| field.filled()?.value());
    values.find(|value| !value.is_zero()).is_some_and(Decimal::is_negative)
}

/// What readers of the target compute must be what the source says.
pub(super) fn refuse(invoice: &Invoice<'_>, in_own_words: bool) -> Result<(), ConversionRefusal> {
    let Some(totals) = invoice.totals.first().filter(|_| !in_own_words) else { return Ok(()) };
    let differ = |own: Amount<'_>, computed: Decimal| {
        let (path, said) = (own.path(), own.trimmed().into_owned());
        let computed = computed.to_string();
        Err(ConversionRefusal::SumsDiffer { path, said, computed, rule: RULE })
    };
    let whole = totals.with_vat.filled().and_then(Amount::value);
    if let Some((due, whole)) = totals.due.filled().zip(whole)
        && cents(due.value()) != cents(Some(whole))
    {
        return differ(due, whole);
    }
    let net = net(invoice, totals);
    if let Some((own, net)) = totals.without_vat.filled().zip(net)
        && cents(own.value()) != cents(Some(net))
    {
        return differ(own, net);
    }
    Ok(())
}

fn cents(number: Option<Decimal>) -> Option<Decimal> {
    number.map(Decimal::round_to_cents)
}

/// The lines with the charges and without the allowances.
fn net(invoice: &Invoice<'_>, totals: &Totals<'_>) -> Option<Decimal> {
    let lines = totals.line_net.filled()?.value()?;
    lines.checked_add(changes(invoice)?)
}

/// Charges less allowances.
fn changes(invoice: &Invoice<'_>) -> Option<Decimal> {
    let more = sum_of(invoice.charges().map(|one| one.amount.filled()))?;
    let less = sum_of(invoice.allowances().map(|one| one.amount.filled()))?;
    more.checked_sub(less)
}

/// Writes `InvoiceTotals`.
pub(super) fn write<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    let empty = Totals::new(invoice.element);
    let totals = invoice.totals.first().unwrap_or(&empty);
    let more = invoice.extensions.netherlands.as_deref();
    out.group("InvoiceTotals", |out| {
        if !amount(out, "TotalInvoiceAmount", &totals.with_vat, sign) {
            out.refuse_without(totals.element, "the total with VAT (BT-112)", "TotalInvoiceAmount");
        }
        if !amount(out, "TotalNetLineAmount", &totals.line_net, sign) {
            out.refuse_without(
                totals.element,
                "the sum of the lines (BT-106)",
                "TotalNetLineAmount",
            );
        }
        if let Some(more) = more {
            amount(out, "TotalAmountSubjectToPaymentDiscount", &more.discountable_total, sign);
        }
        change(out, invoice, sign);
        vat(out, invoice, sign);
    });
    if !out.ledger.in_own_words {
        rest(out, invoice, totals, sign);
    }
}

/// `TotalAmountInvoiceChargeAllowance`.
fn change<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    const NAME: &str = "TotalAmountInvoiceChargeAllowance";
    let own = invoice.extensions.netherlands.as_deref();
    let own = own.and_then(|more| more.charge_allowance_total.filled());
    match own.filter(|_| out.ledger.in_own_words) {
        Some(own) => one_amount(out, NAME, own, sign),
        None if invoice.allowance_charges.is_empty() => out.constant(NAME, "0.00", &[]),
        None => {
            if let Some(sum) = changes(invoice) {
                made(out, NAME, sum, sign);
            }
        }
    }
}

/// BT-110; without it the sum of its parts.
fn vat<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, sign: WrittenSign) {
    const NAME: &str = "TotalVATAmount";
    if !out.ledger.in_own_words {
        out.vat_total_said_twice(invoice, NAME);
    }
    let own: Field<Amount<'d>> =
        invoice.vat_total().chain(invoice.vat_total_without_currency()).collect();
    if amount(out, NAME, &own, sign) || out.ledger.in_own_words {
        return;
    }
    let parts = invoice.breakdown_in_document_currency().map(|one| one.tax_amount.filled());
    if let Some(sum) = sum_of(parts) {
        let reason = "the target asks for the total of VAT: the sum of its parts";
        let text = sign.of(&format!("{sum:.2}"));
        out.implied(NAME, &text, invoice.element, Some("BT-110"), reason);
        made(out, NAME, sum, sign);
    }
}

/// The totals that readers compute: each is what the source says, or has a row.
fn rest<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    totals: &Totals<'d>,
    sign: WrittenSign,
) {
    let place = invoice.element;
    let own = |field: &Field<Amount<'d>>| field.filled();
    let less = sum_of(invoice.allowances().map(|one| one.amount.filled()));
    let less = less.filter(|_| invoice.allowances().next().is_some());
    let more = sum_of(invoice.charges().map(|one| one.amount.filled()));
    let more = more.filter(|_| invoice.charges().next().is_some());
    const NAME: &str = "TotalAmountInvoiceChargeAllowance";
    for (name, field, computed, term) in [
        (NAME, &totals.allowances, less, "BT-107"),
        (NAME, &totals.charges, more, "BT-108"),
        ("TotalNetLineAmount", &totals.without_vat, net(invoice, totals), "BT-109"),
        (
            "TotalInvoiceAmount",
            &totals.due,
            own(&totals.with_vat).and_then(Amount::value),
            "BT-115",
        ),
    ] {
        match own(field).filter(|own| sign != WrittenSign::Same && own.value() == computed) {
            // What is told with another sign has a row as the amounts have that it is made of.
            Some(value) => {
                out.signed(name, *value, sign);
                out.one_currency(value);
            }
            None => out.computed_total(place, name, field, computed, term),
        }
    }
}
