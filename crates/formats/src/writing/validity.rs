//! What EN 16931 asks of amounts and reasons, in UBL and in CII alike, and a document of another
//! syntax need not keep: it is written as it is, and announced where the target refuses it.
//!
//! Source: EN 16931-1, section 6.4 (BR-DEC, BR-CO, BR-S and the rules of the other categories).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, Field, Invoice, Line, Totals};

use super::loss::LossKind;
use super::output::InvoiceOutput;
use crate::syntax::Syntax;

const LINES: &str = "all terms are carried, and the target refuses it: BR-CO-10 asks that the sum \
    of the lines (BT-106) is what they add up to";
const WITHOUT_VAT: &str = "all terms are carried, and the target refuses it: BR-CO-13 asks that \
    the total without VAT is the sum of the lines less allowances and with charges";
const DUE: &str = "all terms are carried, and the target refuses it: BR-CO-16 asks that the amount \
    due is the total with VAT less what is paid and with the rounding";
const LINE_DECIMALS: &str = "all terms are carried, and the target refuses it: BR-DEC-23 allows \
    the net amount of a line two decimals";
/// Categories in which nothing is exempt, and the rule that allows them no reason of exemption.
const WITHOUT_REASON: [(&str, &str); 4] = [
    ("S", "all terms are carried, and the target refuses it: BR-S-10 allows S no reason"),
    ("Z", "all terms are carried, and the target refuses it: BR-Z-10 allows Z no reason"),
    ("L", "all terms are carried, and the target refuses it: BR-AF-10 allows L no reason"),
    ("M", "all terms are carried, and the target refuses it: BR-AG-10 allows M no reason"),
];
/// What EN 16931 rules in its own words.
const RULED: &[Syntax] =
    &[Syntax::UblInvoice, Syntax::UblCreditNote, Syntax::Cii, Syntax::InvoiceJson];
/// Decimals of an amount.
const DECIMALS: usize = 2;

/// Where a syntax has the amounts, as paths below its document element.
pub(crate) struct AmountPlaces {
    /// BT-106.
    pub line_net: &'static str,
    /// BT-109.
    pub without_vat: &'static str,
    /// BT-115.
    pub due: &'static str,
    /// BT-131.
    pub of_line: &'static str,
    /// BT-120.
    pub reason: &'static str,
}

/// Announces, at the document element, what the target refuses.
pub(crate) fn announce<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    places: &AmountPlaces,
) {
    let profile = out.ledger.profile;
    let has_lines = profile.is_none_or(|own| own.has_lines);
    if has_lines {
        decimals(out, invoice, places);
    }
    // MINIMUM has no parts of a total, and EXTENDED allows some cents between them.
    if profile.is_some_and(|own| own.is_extended || !own.has_breakdown) {
        return;
    }
    if let Some(totals) = invoice.totals.first() {
        if has_lines {
            sum_of_lines(out, invoice, totals, places);
        }
        sums(out, totals, places);
    }
    // Of what EN 16931 rules in the source, the rule is broken there.
    let is_ruled = out.ledger.is_of(RULED);
    let specification = invoice.process.customization.text().unwrap_or_default();
    if !is_ruled || specification.contains("extended") {
        reasons(out, invoice, places);
    }
}

/// BR-DEC-23.
fn decimals<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, places: &AmountPlaces) {
    for amount in invoice.lines.iter().filter_map(|line| line.net_amount.filled()) {
        if amount.decimals() > DECIMALS {
            refused(out, "BT-131", amount, places.of_line, LINE_DECIMALS);
        }
    }
}

/// BR-CO-10, where no line is within another one.
fn sum_of_lines<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    totals: &Totals<'d>,
    places: &AmountPlaces,
) {
    let has_level = |line: &Line<'_>| {
        let more = line.extensions.as_deref();
        more.is_some_and(|more| {
            let is_said = more.parent.is_filled() || more.status_reason.is_filled();
            is_said || !more.sub_lines.is_empty()
        })
    };
    if invoice.lines.iter().any(has_level) {
        return;
    }
    let amounts = invoice.lines.iter().map(|line| of(&line.net_amount));
    let sum = amounts.collect::<Option<Vec<_>>>().and_then(Decimal::sum);
    compared(out, "BT-106", &totals.line_net, sum, (places.line_net, LINES));
}

/// BR-CO-13 and BR-CO-16.
fn sums<'d>(out: &mut InvoiceOutput<'d>, totals: &Totals<'d>, places: &AmountPlaces) {
    let net = || {
        let lines = totals.line_net.value()?.checked_add(of(&totals.charges)?)?;
        lines.checked_sub(of(&totals.allowances)?)
    };
    compared(out, "BT-109", &totals.without_vat, net(), (places.without_vat, WITHOUT_VAT));
    let due = || {
        let left = totals.with_vat.value()?.checked_sub(of(&totals.paid)?)?;
        left.checked_add(of(&totals.rounding)?)
    };
    compared(out, "BT-115", &totals.due, due(), (places.due, DUE));
}

/// An amount, nought where none is said; `None` where it is no number.
fn of(field: &Field<Amount<'_>>) -> Option<Decimal> {
    field.filled().map_or(Some(Decimal::ZERO), |amount| amount.value())
}

/// A row for an amount that is not what the others lead to, in cents.
fn compared<'d>(
    out: &mut InvoiceOutput<'d>,
    term: &'static str,
    said: &Field<Amount<'d>>,
    expected: Option<Decimal>,
    (place, reason): (&str, &'static str),
) {
    let Some((said, own)) = said.filled().and_then(|said| Some((said, said.value()?))) else {
        return;
    };
    if expected.is_some_and(|other| other.round_to_cents() != own.round_to_cents()) {
        refused(out, term, said, place, reason);
    }
}

/// Reasons of exemption where nothing is exempt.
fn reasons<'d>(out: &mut InvoiceOutput<'d>, invoice: &Invoice<'d>, places: &AmountPlaces) {
    for category in invoice.vat_breakdown.iter().flat_map(|one| one.category.iter()) {
        let row = WITHOUT_REASON.iter().find(|(code, _)| category.is(code));
        let Some((_, reason)) = row else { continue };
        let words = category.exemption_reason.filled().map(|own| *own);
        let code = category.exemption_reason_code.filled().map(|own| *own);
        for own in words.into_iter().chain(code) {
            let path = Some(out.path_of(places.reason));
            out.ledger.list(own, LossKind::Changed, path, reason);
        }
    }
}

fn refused<'d>(
    out: &mut InvoiceOutput<'d>,
    term: &'static str,
    amount: Amount<'d>,
    place: &str,
    reason: &'static str,
) {
    let path = Some(out.path_of(place));
    out.ledger.list_as(Some(term), *amount, LossKind::Changed, path, reason);
}
