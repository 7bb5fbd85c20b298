//! Amounts, prices, allowances and tax rates: what orders, their changes and agreements share.

use crate::rules::en16931::sums::beside;
use crate::rules::postaward::reading::{
    nearly, not_negative, number_of, or_nought, reckoned, wrong,
};
use crate::rules::values::{any_of, cac, cbc, decimal_of, normalize, normalized, one};
use crate::rules::values::{some_double, string, text};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};
use quoin_model::amount::{Decimal, decimals_as_written};

/// Order.
pub(super) const T01: &[Rule] = &[
    Rule::new("PEPPOL-T01-R028", two_decimals),
    Rule::new("PEPPOL-T01-R022", amount_of_base),
    Rule::new("PEPPOL-T01-R032", amount_not_negative),
    Rule::new("PEPPOL-T01-R030", standard_rate),
    Rule::new("PEPPOL-T01-R019", price_after_allowance),
    Rule::new("PEPPOL-T01-R005", price_not_negative),
    Rule::new("PEPPOL-T01-R027", gross_not_negative),
    Rule::new("PEPPOL-T01-R033", discount_not_negative),
    Rule::new("PEPPOL-T01-CL001", allowance_reason),
    Rule::new("PEPPOL-T01-CL002", charge_reason),
    Rule::new("PEPPOL-T01-R026", country_of_vat_number),
];

/// Order change.
pub(super) const T114: &[Rule] = &[
    Rule::new("PEPPOL-T114-R028", two_decimals),
    Rule::new("PEPPOL-T114-R022", amount_of_base),
    Rule::new("PEPPOL-T114-R032", amount_not_negative),
    Rule::new("PEPPOL-T114-R030", standard_rate),
    Rule::new("PEPPOL-T114-R019", price_after_allowance),
    Rule::new("PEPPOL-T114-R005", price_not_negative),
    Rule::new("PEPPOL-T114-R027", gross_not_negative),
    Rule::new("PEPPOL-T114-R033", discount_not_negative),
    Rule::new("PEPPOL-T114-CL001", allowance_reason),
    Rule::new("PEPPOL-T114-CL002", charge_reason),
    Rule::new("PEPPOL-T114-R026", country_of_vat_number),
];

/// Order agreement.
pub(super) const T110: &[Rule] = &[
    Rule::new("PEPPOL-T110-R013", two_decimals),
    Rule::new("PEPPOL-T110-R017", amount_of_base),
    Rule::new("PEPPOL-T110-R021", amount_not_negative),
    Rule::new("PEPPOL-T110-R020", standard_rate),
    Rule::new("PEPPOL-T110-R001", price_not_negative),
    Rule::new("PEPPOL-T110-R022", gross_not_negative),
    Rule::new("PEPPOL-T110-R023", discount_not_negative),
    Rule::new("PEPPOL-T110-CL001", allowance_reason),
    Rule::new("PEPPOL-T110-CL002", charge_reason),
];

/// The countries of VAT identifiers. It is searched as a text, so that the end of a code with the
/// space after it is found too, and so is nothing.
const COUNTRIES: &str = "\
AD AE AF AG AI AL AM AN AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BL BJ BM BN BO BR BS \
BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CX CY CZ DE DJ DK DM DO DZ EC EE EG \
EH EL ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM \
HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC \
LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA \
NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RO RS RU RW SA \
SB SC SD SE SG SH SI SJ SK SL SM SN SO SR ST SV SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV \
TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

fn country_of_vat_number<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(number) = one(cbc(case.at, "CompanyID"))? else { return Ok(RuleVerdict::Holds) };
    let prefix: String = string(number).chars().take(2).collect();
    let holds = COUNTRIES.contains(&prefix);
    Ok(wrong(holds, std::iter::once(number)))
}

/// Two decimals, as they are written; unit prices may have more.
fn two_decimals<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    if decimals_as_written(&text) <= 2 {
        return Ok(RuleVerdict::Holds);
    }
    let mut above = std::iter::successors(case.at.parent(), |element| element.parent());
    let in_price = above.any(|element| element.local() == "Price");
    Ok(RuleVerdict::of(in_price).found(text))
}

/// The amount is the percentage of the base, give or take 0.02.
fn amount_of_base<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has = |local| cbc(case.at, local).next().is_some();
    if !has("MultiplierFactorNumeric") || !has("BaseAmount") {
        return Ok(RuleVerdict::Holds);
    }
    let stated = or_nought(cbc(case.at, "Amount"))?;
    let base = or_nought(cbc(case.at, "BaseAmount"))?;
    let percentage = or_nought(cbc(case.at, "MultiplierFactorNumeric"))?;
    let whole = base.checked_mul(percentage);
    let part = whole.and_then(|whole| whole.checked_div(Decimal::new(100, 0)));
    let part = reckoned(case, part)?;
    let holds = nearly(stated, part).unwrap_or(false);
    Ok(beside(cbc(case.at, "Amount").next(), holds, Some(part.round_to_cents())))
}

fn amount_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    not_negative(|| cbc(case.at, "Amount"))
}

/// Category S has a rate above nought.
pub(super) fn standard_rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let rates = || cbc(case.at, "Percent");
    let other = || Ok(one(cbc(case.at, "ID"))?.is_none_or(|code| normalized(code) != "S"));
    let holds = any_of([&other, &|| some_double(rates(), |rate| rate > 0.0)])?;
    Ok(wrong(holds, rates()))
}

fn price_after_allowance<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if cbc(case.at, "BaseAmount").next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let prices = || case.at.parent().into_iter().flat_map(|price| cbc(price, "PriceAmount"));
    let price = decimal_of(prices())?;
    let gross = decimal_of(cbc(case.at, "BaseAmount"))?;
    let allowance = decimal_of(cbc(case.at, "Amount"))?;
    let (Some(gross), Some(allowance)) = (gross, allowance) else {
        return Ok(RuleVerdict::broken());
    };
    let net = reckoned(case, gross.checked_sub(allowance))?;
    Ok(match price {
        Some(price) => beside(prices().next(), price == net, Some(net)),
        None => RuleVerdict::broken().expected(net.to_string()),
    })
}

pub(super) fn price_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    not_negative(|| cbc(case.at, "PriceAmount"))
}

fn gross_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let gross = || cac(case.at, "AllowanceCharge").flat_map(|own| cbc(own, "BaseAmount"));
    let absent = || Ok(gross().next().is_none());
    let holds = any_of([&|| some_double(gross(), |gross| gross >= 0.0), &absent])?;
    Ok(wrong(holds, gross()))
}

fn discount_not_negative<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let amounts = || cac(case.at, "AllowanceCharge").flat_map(|own| cbc(own, "Amount"));
    let absent = || Ok(amounts().next().is_none());
    let holds = any_of([&|| Ok(number_of(amounts())? >= 0.0), &absent])?;
    Ok(wrong(holds, amounts()))
}

fn allowance_reason<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    reason(case, "uncl5189")
}

fn charge_reason<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    reason(case, "uncl7161")
}

fn reason<'d>(case: &Case<'_, 'd>, list: &'static str) -> Outcome<'d> {
    let code = normalize(text::own(case.at)?);
    Ok(RuleVerdict::of(case.list(list).is_some_and(|list| list.contains(&code))).found(code))
}
