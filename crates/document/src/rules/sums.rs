//! The totals add up: BR-CO-10 to BR-CO-16.
//!
//! Sums are exact and compared after rounding to 2 decimals, a half going up, where the official
//! UBL binding rounds; where it compares without rounding, so does this. A rule with an operand
//! that is no number is not judged: that number has its own finding.
//!
//! Source: EN 16931-1 section 6.4.2 (conditions) in its UBL binding.

use quoin_xml::tree::Element;

use super::{Check, Emit, Rule};
use crate::amount::Decimal;
use crate::own;
use crate::report::{FixBy, Flag};
use crate::ubl::{self, Invoice, SPACE};

const fn rule(
    id: &'static str,
    terms: &'static [&'static str],
    asks: &'static str,
    check: super::OwnCheck,
) -> Rule {
    let (flag, fix_by) = (Flag::Fatal, FixBy::SourceSystem);
    Rule { id, terms, flag, fix_by, asks, check: Check::Own(check) }
}

pub(super) const RULES: &[Rule] = &[
    rule(
        "BR-CO-10",
        &["BT-106", "BT-131"],
        "The sum of the lines (BT-106) is all line net amounts (BT-131) together.",
        co_10,
    ),
    rule(
        "BR-CO-11",
        &["BT-107", "BT-92"],
        "The sum of allowances (BT-107) is all document level allowances (BT-92) together.",
        co_11,
    ),
    rule(
        "BR-CO-12",
        &["BT-108", "BT-99"],
        "The sum of charges (BT-108) is all document level charges (BT-99) together.",
        co_12,
    ),
    rule(
        "BR-CO-13",
        &["BT-109", "BT-106", "BT-107", "BT-108"],
        "The total without VAT (BT-109) is the lines (BT-106) less allowances (BT-107) plus \
         charges (BT-108).",
        co_13,
    ),
    rule(
        "BR-CO-14",
        &["BT-110", "BT-117"],
        "The total VAT (BT-110) is the VAT of all categories (BT-117) together.",
        co_14,
    ),
    rule(
        "BR-CO-15",
        &["BT-112", "BT-109", "BT-110"],
        "The total with VAT (BT-112) is the total without VAT (BT-109) plus the total VAT in the \
         invoice currency (BT-110), of which there is one.",
        co_15,
    ),
    rule(
        "BR-CO-16",
        &["BT-115", "BT-112", "BT-113", "BT-114"],
        "The amount due (BT-115) is the total with VAT (BT-112) less what is paid (BT-113) plus \
         rounding (BT-114).",
        co_16,
    ),
];

/// Why a rule cannot be judged.
enum Unjudged {
    /// An operand is no number.
    NotANumber,
    /// The numbers are too large to add.
    Overflow,
}

type Judged<T> = Result<T, Unjudged>;

/// The first amount of a name; `None` where there is none.
fn amount(parent: Element<'_>, local: &str) -> Judged<Option<Decimal>> {
    ubl::basic(parent, local).map(number).transpose()
}

fn number(element: Element<'_>) -> Judged<Decimal> {
    Decimal::parse(&element.text()).map_err(|_| Unjudged::NotANumber)
}

fn add(a: Decimal, b: Decimal) -> Judged<Decimal> {
    a.checked_add(b).ok_or(Unjudged::Overflow)
}

fn sub(a: Decimal, b: Decimal) -> Judged<Decimal> {
    a.checked_sub(b).ok_or(Unjudged::Overflow)
}

/// The rounded sum of the amounts of one name over some groups; a group without it adds nothing.
fn sum<'d>(groups: impl Iterator<Item = Element<'d>>, local: &str) -> Judged<Decimal> {
    let mut sum = Decimal::ZERO;
    for element in groups.flat_map(|group| ubl::basics(group, local)) {
        sum = add(sum, number(element)?)?;
    }
    Ok(sum.round_to_cents())
}

/// What the document states, and what it should state: `None` where an operand is missing.
struct Claim {
    stated: Option<Decimal>,
    expected: Option<Decimal>,
    agrees: bool,
}

impl Claim {
    fn of(stated: Option<Decimal>, expected: Option<Decimal>) -> Claim {
        Claim { stated, expected, agrees: stated.is_some() && stated == expected }
    }
}

/// Fires unless the stated amount is there and is the expected one.
fn judge<'d>(group: Element<'d>, local: &str, claim: Judged<Claim>, emit: &mut Emit<'_, 'd>) {
    let at = ubl::basic(group, local).unwrap_or(group);
    let asks = emit.rule.asks;
    let claim = match claim {
        Ok(claim) if claim.agrees => return,
        Ok(claim) => claim,
        Err(Unjudged::NotANumber) => return,
        Err(Unjudged::Overflow) => {
            let remedy = own::DECIMAL_RANGE.remedy;
            let message = format!("{asks} The amounts are too large to add exactly. {remedy}");
            return emit.sink.own(&own::DECIMAL_RANGE, Some(at), None, message);
        }
    };
    let show = |amount: Decimal| format!("{amount:.2}");
    let stated = claim.stated.map(show).unwrap_or_default();
    let expected = claim.expected.map(show).unwrap_or_default();
    let message = match (claim.stated, claim.expected) {
        (Some(has), Some(wants)) => {
            let off = has.checked_sub(wants).unwrap_or_default();
            format!("{asks} Expected {expected}, found {stated} in cbc:{local} ({off:.2} off).")
        }
        (None, Some(_)) => format!("{asks} Expected {expected}; cbc:{local} is missing."),
        (_, None) => format!("{asks} An amount that it is computed from is missing."),
    };
    emit.fire(at, &stated, &expected, message);
}

fn co_10<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    for &total in &invoice.totals {
        let claim = || {
            let stated = amount(total, "LineExtensionAmount")?;
            let lines = sum(invoice.lines.iter().copied(), "LineExtensionAmount")?;
            Ok(Claim::of(stated, Some(lines)))
        };
        judge(total, "LineExtensionAmount", claim(), emit);
    }
}

fn co_11<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    allowances_or_charges(invoice, "AllowanceTotalAmount", ["false", "0"], emit);
}

fn co_12<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    allowances_or_charges(invoice, "ChargeTotalAmount", ["true", "1"], emit);
}

fn allowances_or_charges<'d>(
    invoice: &Invoice<'d>,
    local: &str,
    indicator: [&str; 2],
    emit: &mut Emit<'_, 'd>,
) {
    let of_kind = |group: &Element<'d>| {
        ubl::basic(*group, "ChargeIndicator")
            .is_some_and(|sign| indicator.contains(&sign.text().trim_matches(SPACE)))
    };
    let groups = || invoice.allowance_charges.iter().copied().filter(of_kind);
    for &total in &invoice.totals {
        let claim = || Ok(Claim::of(amount(total, local)?, Some(sum(groups(), "Amount")?)));
        let none_stated = ubl::basic(total, local).is_none();
        if !(none_stated && groups().next().is_none()) {
            judge(total, local, claim(), emit);
        }
    }
}

fn co_13<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    for &total in &invoice.totals {
        let claim = || {
            let stated = amount(total, "TaxExclusiveAmount")?;
            let charges = amount(total, "ChargeTotalAmount")?;
            let allowances = amount(total, "AllowanceTotalAmount")?;
            let Some(lines) = amount(total, "LineExtensionAmount")? else {
                return Ok(Claim::of(stated, None));
            };
            let net =
                sub(add(lines, charges.unwrap_or_default())?, allowances.unwrap_or_default())?;
            let plain = charges.is_none() && allowances.is_none();
            Ok(Claim::of(stated, Some(if plain { net } else { net.round_to_cents() })))
        };
        judge(total, "TaxExclusiveAmount", claim(), emit);
    }
}

fn co_14<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    for &group in &invoice.tax_totals {
        if ubl::aggregate(group, "TaxSubtotal").is_none() {
            continue;
        }
        let claim = || {
            let categories = sum(ubl::aggregates(group, "TaxSubtotal"), "TaxAmount")?;
            Ok(Claim::of(amount(group, "TaxAmount")?, Some(categories)))
        };
        judge(group, "TaxAmount", claim(), emit);
    }
}

fn co_15<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    for currency in ubl::basics(invoice.root, "DocumentCurrencyCode") {
        let code = currency.text();
        let vat: Vec<Element<'d>> = invoice
            .tax_totals
            .iter()
            .flat_map(|group| ubl::basics(*group, "TaxAmount"))
            .filter(|amount| amount.attribute("currencyID") == Some(&*code))
            .collect();
        let [vat] = vat[..] else {
            let (asks, found) = (emit.rule.asks, vat.len());
            let message = format!(
                "{asks} Expected one cbc:TaxAmount of cac:TaxTotal in {code}, found {found}."
            );
            let at = invoice.tax_totals.first().copied().unwrap_or(invoice.root);
            emit.fire(at, &found.to_string(), "1", message);
            continue;
        };
        let total = invoice.totals.first().copied();
        let claim = || {
            let Some(total) = total else { return Ok(Claim::of(None, None)) };
            let stated = amount(total, "TaxInclusiveAmount")?;
            let Some(net) = amount(total, "TaxExclusiveAmount")? else {
                return Ok(Claim::of(stated, None));
            };
            Ok(Claim::of(stated, Some(add(net, number(vat)?)?.round_to_cents())))
        };
        judge(total.unwrap_or(invoice.root), "TaxInclusiveAmount", claim(), emit);
    }
}

fn co_16<'d>(invoice: &Invoice<'d>, emit: &mut Emit<'_, 'd>) {
    for &total in &invoice.totals {
        let claim = || {
            let payable = amount(total, "PayableAmount")?;
            let paid = amount(total, "PrepaidAmount")?;
            let rounding = amount(total, "PayableRoundingAmount")?;
            let gross = amount(total, "TaxInclusiveAmount")?;
            let Some((stated, gross)) = payable.zip(gross) else {
                return Ok(Claim::of(payable, gross));
            };
            let due = match paid {
                Some(paid) => sub(gross, paid)?.round_to_cents(),
                None => gross,
            };
            let Some(rounding) = rounding else {
                return Ok(Claim::of(Some(stated), Some(due)));
            };
            // The binding takes the rounding off the amount due, and rounds, before it compares.
            let agrees = sub(stated, rounding)?.round_to_cents() == due;
            Ok(Claim { agrees, ..Claim::of(Some(stated), Some(add(due, rounding)?)) })
        };
        judge(total, "PayableAmount", claim(), emit);
    }
}
