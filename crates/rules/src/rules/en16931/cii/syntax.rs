//! Rules of the CII binding: electronic addresses, VAT identifiers, days, and what may differ.

use std::borrow::Cow;
use std::sync::LazyLock;

use quoin_xml::pattern::Pattern;

use super::transactions;
use crate::rules::values::{RAM, SPACE, normalized, ram, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::codes;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-62", |case| endpoint(case, "SellerTradeParty")),
    Rule::new("BR-63", |case| endpoint(case, "BuyerTradeParty")),
    Rule::new("BR-CO-09", co_09),
    Rule::new("CII-SR-462", sr_462),
    Rule::new("CII-SR-467", |case| all_alike(case, "TypeCode")),
    Rule::new("CII-SR-468", |case| all_alike(case, "Information")),
    Rule::new("CII-DT-097", dt_097),
];

/// The countries of rule sets whose files do not list them.
const COUNTRIES: &str = "iso3166@en16931-cii-1.3.16";

/// The scheme of the first electronic address of each party.
fn endpoint<'d>(case: &Case<'_, 'd>, role: &str) -> Outcome<'d> {
    let parties = || {
        let agreements =
            transactions(case).flat_map(|own| ram(own, "ApplicableHeaderTradeAgreement"));
        agreements.flat_map(|own| ram(own, role))
    };
    let addresses = || parties().filter_map(|own| ram(own, "URIUniversalCommunication").next());
    let ids = addresses().flat_map(|own| ram(own, "URIID"));
    let mut schemes = ids.filter_map(|id| Some((id, id.attribute("schemeID")?)));
    let first = schemes.next();
    if let Some((second, _)) = schemes.next() {
        return Err(Unreadable::several(second));
    }
    let is_filled = first.is_some_and(|(_, code)| !code.trim_matches(SPACE).is_empty());
    let at = addresses().next().and_then(|own| ram(own, "URIID").next());
    Ok(RuleVerdict::of(is_filled || addresses().next().is_none()).element(at))
}

/// The prefix of a VAT identifier is a code of ISO 3166, or `EL` for Greece: by the list of the CEN
/// rules, also in the profiles of Factur-X, which have another one for countries themselves.
fn co_09<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    let prefix: String = text.chars().take(2).collect();
    let countries = codes::by_key(COUNTRIES);
    let holds = prefix == "EL" || countries.is_some_and(|list| list.contains(&prefix));
    let expected = "a VAT identifier that begins with a country code, such as NL or EL";
    Ok(RuleVerdict::of(holds).found(text).expected(expected))
}

/// The codes of all VAT point dates are the same.
fn sr_462<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let taxes = case.named(RAM, "ApplicableTradeTax");
    let mut codes = taxes.flat_map(|tax| ram(tax, "DueDateTypeCode"));
    let Some(first) = codes.next() else { return Ok(RuleVerdict::Holds) };
    Ok(match codes.find(|code| string(*code) != string(first)) {
        Some(other) => RuleVerdict::broken().found(string(other)).expected(string(first)),
        None => RuleVerdict::Holds,
    })
}

/// All means of payment say the same.
fn all_alike<'d>(case: &Case<'_, 'd>, local: &'static str) -> Outcome<'d> {
    let means = case.named(RAM, "SpecifiedTradeSettlementPaymentMeans");
    let mut values = means.flat_map(move |own| ram(own, local));
    let Some(first) = values.next() else { return Ok(RuleVerdict::Holds) };
    let wanted = normalized(first);
    Ok(match values.find(|value| normalized(*value) != wanted) {
        Some(other) => {
            let found = RuleVerdict::broken().found(string(other)).element(Some(other));
            found.expected(Cow::Owned(wanted.into_owned()))
        }
        None => RuleVerdict::Holds,
    })
}

/// A day of format 102, where it is written in digits of another script.
static DAY: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    let day = r"^\s*(\d{4})(1[0-2]|0[1-9]){1}(3[01]|[12][0-9]|0[1-9]){1}\s*$";
    Pattern::xpath(day, "").ok()
});

fn dt_097<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    let holds = match text.is_ascii() {
        true => is_day(text.trim_matches(SPACE)),
        false => DAY.as_ref().is_some_and(|day| day.is_match(&text)),
    };
    Ok(RuleVerdict::of(holds).found(text))
}

fn is_day(text: &str) -> bool {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let number = |range| text.get(range).and_then(|part: &str| part.parse::<u8>().ok());
    let (month, day) = (number(4..6).unwrap_or(0), number(6..8).unwrap_or(0));
    (1..=12).contains(&month) && (1..=31).contains(&day)
}
