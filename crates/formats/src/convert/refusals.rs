//! What has no meaning in any other syntax, whatever the target: other taxes, specifications of one
//! syntax, lines within lines, payments of third parties.

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Invoice, Line, TaxCategory};

use super::{ConversionRequest, ConversionTarget};
use crate::profiles::has_other_taxes;
use crate::syntax::Syntax;
use crate::writing::{ConversionRefusal, TargetProfile, sum_of};

/// Refuses a document that would be another one in another syntax.
pub(super) fn refuse(
    syntax: Syntax,
    invoice: &Invoice<'_>,
    target: ConversionTarget,
    profile: Option<&TargetProfile>,
) -> Result<(), ConversionRefusal> {
    other_taxes(invoice)?;
    pint(invoice)?;
    third_party_payments(invoice)?;
    neither_allowance_nor_charge(invoice)?;
    if syntax == Syntax::Ksef && target != ConversionTarget::KSEF {
        settled_advances(invoice)?;
    }
    // UBL has lines within lines, and its writer finds out whether they can be that.
    let has_groups = profile.is_some_and(|profile| profile.is_extended);
    match has_groups || target == ConversionTarget::UBL {
        true => Ok(()),
        false => hierarchy(invoice),
    }
}

/// A document without lines (MINIMUM and BASIC WL of Factur-X) that is to follow another
/// specification, which asks for them (BR-16). Where none is asked for it says what it is.
pub(super) fn without_lines(
    invoice: &Invoice<'_>,
    request: &ConversionRequest<'_>,
) -> Result<(), ConversionRefusal> {
    let has_lines = request.profile.is_none_or(|profile| profile.row().has_lines);
    let own = invoice.process.customization.text();
    let is_another = request.specification.is_some_and(|wanted| own.as_deref() != Some(wanted));
    let is_form = request.target == ConversionTarget::JSON;
    match is_another && has_lines && !is_form && invoice.lines.is_empty() {
        true => Err(ConversionRefusal::NoLines),
        false => Ok(()),
    }
}

/// EN 16931 has value added tax only. Another tax under the name of VAT would be another document.
fn other_taxes(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let of_document = invoice.vat_breakdown.iter().flat_map(|one| one.category.iter());
    let allowances = invoice.allowance_charges.iter().flat_map(|one| one.tax_category.iter());
    let lines = invoice.lines.iter().flat_map(|line| line.tax_category.iter());
    let is_other = |category: &&TaxCategory<'_>| category.scheme.is_filled() && !category.is_vat();
    let Some(category) = of_document.chain(allowances).chain(lines).find(is_other) else {
        return Ok(());
    };
    let scheme = category.scheme.text().unwrap_or_default().into_owned();
    Err(ConversionRefusal::OtherTax { scheme, path: category.element.path() })
}

/// PINT is written in UBL only, and what of it is not of Europe is no document of EN 16931.
fn pint(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let specification = invoice.process.customization.text().unwrap_or_default();
    match has_other_taxes(&specification) {
        true => Err(ConversionRefusal::SpecificationWithoutPlace {
            specification: specification.into_owned(),
        }),
        false => Ok(()),
    }
}

/// BG-DEX-09 of XRechnung is added to the amount due (BR-DEX-09), so it cannot be left out.
fn third_party_payments(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let profile = invoice.process.customization.text().unwrap_or_default();
    let is_extension = profile.contains("kosit:extension:xrechnung");
    match invoice.extensions.prepaid_payments.first().filter(|_| is_extension) {
        Some(payment) => Err(ConversionRefusal::ThirdPartyPayment { path: payment.element.path() }),
        None => Ok(()),
    }
}

/// An invoice of FA that settles advances (`ROZ`, `KOR_ROZ`) lists the whole order in its rows, and
/// its sums are what the advances left: everywhere else sums are those of their lines (BR-CO-13).
fn settled_advances(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    if invoice.lines.is_empty() {
        return Ok(());
    }
    let nets = invoice.vat_breakdown.iter().map(|one| one.taxable_amount.filled());
    let rows = invoice.lines.iter().map(|line| line.net_amount.filled());
    let first = invoice.vat_breakdown.iter().find_map(|one| one.taxable_amount.filled());
    let Some(((nets, rows), first)) = sum_of(nets).zip(sum_of(rows)).zip(first) else {
        return Ok(());
    };
    // A sum may be rounded, as our own writer of FA takes it.
    let apart = nets.checked_sub(rows).map(Decimal::abs);
    let beyond = apart.and_then(|apart| Decimal::new(1, 0).checked_sub(apart));
    match beyond.is_none_or(Decimal::is_negative) {
        false => Ok(()),
        true => Err(ConversionRefusal::SumsDiffer {
            path: first.path(),
            said: format!("the sum {nets:.2} (P_13)"),
            computed: format!("{rows:.2}"),
            rule: "the target asks that its sums are those of its lines (BR-CO-13), and the rows \
                (P_11) are not what is taxed, as where advances are settled (ROZ)",
        }),
    }
}

/// Groups of lines of Factur-X EXTENDED: BT-106 counts some of the lines only.
fn hierarchy(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let is_part = |line: &&Line<'_>| {
        let more = line.extensions.as_deref();
        more.is_some_and(|more| {
            more.parent.is_filled()
                || more.status_reason.is("GROUP")
                || more.status_reason.is("INFORMATION")
        })
    };
    match invoice.lines.iter().find(is_part) {
        Some(line) => Err(ConversionRefusal::LineHierarchy { path: line.element.path() }),
        None => Ok(()),
    }
}

/// Whether an amount is taken off or added is not guessed: the totals would be others.
fn neither_allowance_nor_charge(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let of_lines = invoice.lines.iter().flat_map(|line| &line.allowance_charges);
    let mut all = invoice.allowance_charges.iter().chain(of_lines);
    match all.find(|one| one.amount.is_filled() && one.indicator.value().is_none()) {
        None => Ok(()),
        Some(one) => Err(ConversionRefusal::Required {
            what: "indicator that says whether it is an allowance or a charge",
            path: one.element.path(),
            target: "ChargeIndicator",
        }),
    }
}
