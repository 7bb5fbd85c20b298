//! VAT categories as FA has them: the sum that each belongs to (`P_13_n`), and what a row says of
//! it (`P_12`).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Invoice, Party, TaxCategory, ValueSource};

use super::super::codes::{MARGINS, SUMS, SumNames, UNION};
use super::number::decimal;
use crate::reading::lookup;
use crate::writing::{ConversionRefusal, InvoiceOutput, LossKind, without_place};

/// The sum of taxes of other states (`P_13_5`).
pub(super) const OTHER_STATES: usize = 4;
/// The sums of what is exempt, and of margins.
pub(super) const EXEMPT: usize = 8;
pub(super) const MARGIN: usize = 12;

/// What is written of a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FaTaxed {
    /// Which of [`SUMS`].
    pub sum: usize,
    /// `P_12`; `None` where a row says the rate of another state, or none.
    pub rate: Option<&'static str>,
}

impl FaTaxed {
    /// The names of the sum.
    pub(super) fn names(self) -> Option<&'static SumNames> {
        SUMS.get(self.sum)
    }

    /// BT-118 as it is read again.
    pub(super) fn again(self) -> &'static str {
        self.names().map_or("", |names| names.category)
    }
}

/// Where the buyer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BuyerPlace {
    Poland,
    Union,
    Elsewhere,
}

fn place(buyer: Option<&Party<'_>>) -> BuyerPlace {
    let vat = buyer.and_then(|buyer| buyer.vat_identifiers().next());
    let prefix = vat.and_then(|id| id.trimmed().get(..2).map(str::to_owned));
    let prefix = prefix.filter(|prefix| prefix.bytes().all(|byte| byte.is_ascii_uppercase()));
    let country = || Some(buyer?.country()?.trimmed().into_owned());
    match prefix.or_else(country).as_deref() {
        Some("PL") | None => BuyerPlace::Poland,
        Some("GR") => BuyerPlace::Union,
        Some(other) if UNION.contains(&other) => BuyerPlace::Union,
        Some(_) => BuyerPlace::Elsewhere,
    }
}

/// Decides to which sum a category belongs; refuses one that Poland has not.
pub(super) fn decide(
    invoice: &Invoice<'_>,
    category: &TaxCategory<'_>,
) -> Result<FaTaxed, ConversionRefusal> {
    let Some(code) = category.code.filled() else {
        let (what, path) = ("the VAT category (BT-118, BT-151)", category.element.path());
        return Err(ConversionRefusal::Required { what, path, target: "P_12" });
    };
    let rate = category.rate.value().filter(|rate| !rate.is_zero());
    let buyer = invoice.buyer.first();
    let text = code.trimmed();
    let sum = match (text.as_ref(), rate) {
        ("S", None) => {
            return Err(without_place(*code, "a rate of nought asks for another category"));
        }
        ("S", Some(rate)) => return of_rate(invoice, category, rate),
        ("Z" | "K" | "G" | "E" | "AE" | "O", Some(_)) => {
            return Err(without_place(*code, "a category without VAT has a rate of nought"));
        }
        ("Z", None) => 5,
        ("K", None) => 6,
        ("G", None) => 7,
        ("E", None) if is_margin(category) => MARGIN,
        ("E", None) => EXEMPT,
        ("O", None) => 9,
        ("AE", None) => match place(buyer) {
            BuyerPlace::Poland => 11,
            BuyerPlace::Union => 10,
            BuyerPlace::Elsewhere => 9,
        },
        _ => return Err(without_place(*code, "Poland has no such VAT category")),
    };
    let rate = SUMS.get(sum).and_then(|names| names.rates.first().copied());
    Ok(FaTaxed { sum, rate })
}

/// Whether a reason of exemption is one of the schemes in which the margin is taxed.
fn is_margin(category: &TaxCategory<'_>) -> bool {
    category.exemption_reason_code.text().is_some_and(|code| lookup(MARGINS, &code).is_some())
}

/// A rate of Poland, or of the state of a consumer.
fn of_rate(
    invoice: &Invoice<'_>,
    category: &TaxCategory<'_>,
    rate: Decimal,
) -> Result<FaTaxed, ConversionRefusal> {
    let is_it = |own: &&&str| Decimal::parse(own) == Ok(rate);
    for (sum, names) in SUMS.iter().enumerate() {
        if let Some(rate) = names.rates.iter().find(is_it) {
            return Ok(FaTaxed { sum, rate: Some(rate) });
        }
    }
    let buyer = invoice.buyer.first();
    let is_consumer = buyer.is_none_or(|buyer| buyer.vat_identifiers().next().is_none());
    match place(buyer) == BuyerPlace::Union && is_consumer {
        true => Ok(FaTaxed { sum: OTHER_STATES, rate: None }),
        false => {
            let why = "Poland has no such rate of VAT, and the buyer is no consumer of another \
                       state of the Union, whose rate it could be";
            let rate = category.rate.get().map(|rate| *rate);
            Err(without_place(rate.unwrap_or(ValueSource::of(category.element)), why))
        }
    }
}

/// Writes the rate of a row, of which a scheme of margins says none, and gives code, rate and
/// scheme their fates.
pub(super) fn of_row<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    taxed: FaTaxed,
    names: [&'static str; 2],
) {
    let [usual, of_other_state] = names;
    let foreign = category.rate.value().filter(|_| taxed.sum == OTHER_STATES);
    match (taxed.rate, foreign.and_then(|rate| decimal(rate, 6, 3))) {
        (Some(rate), _) => out.constant(usual, rate, &[]),
        (None, Some(rate)) => out.constant(of_other_state, &rate, &[]),
        (None, None) => {}
    }
    fates(out, category, taxed, usual, "BT-152", true);
}

/// Code, rate and scheme of a category that is written by its place.
pub(super) fn fates<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    taxed: FaTaxed,
    path: &'static str,
    rate_term: &'static str,
    is_rate_kept: bool,
) {
    const OTHER: &str = "the target has another category there";
    const RATE: &str = "the target says the rate with the rows, or none";
    category.scheme.iter().for_each(|scheme| out.ledger.carry(**scheme));
    if let Some(code) = category.code.filled() {
        match code.is(taxed.again()) {
            true => out.ledger.carry(*code),
            false => out.told_otherwise(path, *code, LossKind::Changed, OTHER),
        }
    }
    let again = match taxed.again() {
        "S" => None,
        "O" => Some(""),
        _ => Some("0"),
    };
    match (category.rate.filled(), again) {
        (Some(rate), Some("")) => out.told_otherwise(path, *rate, LossKind::Changed, RATE),
        (Some(rate), _) if is_rate_kept => out.ledger.carry(*rate),
        (Some(rate), _) => out.told_otherwise(path, *rate, LossKind::Merged, RATE),
        (None, Some("0")) => out.implied(path, "0", category.element, Some(rate_term), RATE),
        (None, _) => {}
    }
}
