//! VAT categories as FatturaPA has them: a rate, or why there is none (`Natura`).

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Derivation, TaxCategory};
use quoin_xml::tree::Element;

use super::super::codes::CATEGORIES;
use super::RATE;
use crate::reading::lookup;
use crate::writing::{ConversionRefusal, InvoiceOutput, in_form, without_place};

/// UNTDID 5305 in `Natura`, where nothing says more.
const USUAL: &[(&str, &str)] =
    &[("Z", "N1"), ("E", "N4"), ("AE", "N6.9"), ("K", "N3.2"), ("G", "N3.1"), ("O", "N2.2")];

/// Reasons of exemption (BT-121) that say more.
const BY_REASON: &[(&str, &str)] = &[
    ("VATEX-EU-151", "N7"),
    ("VATEX-EU-F", "N5"),
    ("VATEX-EU-I", "N5"),
    ("VATEX-EU-J", "N5"),
    ("VATEX-EU-D", "N5"),
];

/// What is written of a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Taxed {
    /// `Natura`; `None` where VAT is due.
    pub nature: Option<&'static str>,
    /// Whether the buyer pays the VAT to the state (category B).
    pub is_split: bool,
    /// What the category is when it is read again.
    pub again: &'static str,
}

/// Whether a category says `Natura` itself: it is one of FatturaPA.
pub(super) fn is_as_written(category: &TaxCategory<'_>) -> bool {
    let code = category.code.get();
    code.is_some_and(|code| code.derivation() == Some(Derivation::Mapped))
}

/// Decides what is written of a category; refuses one that Italy has not.
pub(super) fn decide(
    category: &TaxCategory<'_>,
    place: Element<'_>,
) -> Result<Taxed, ConversionRefusal> {
    let taxed = |nature, again| Taxed { nature, is_split: false, again };
    let Some(code) = category.code.filled() else {
        let what = "the VAT category (BT-118, BT-151)";
        return Err(ConversionRefusal::Required { what, path: place.path(), target: "Natura" });
    };
    let rate = category.rate.value().filter(|rate| !rate.is_zero());
    if let Some((nature, again)) = natures().find(|(nature, _)| code.as_written().trim() == *nature)
    {
        return Ok(taxed(Some(nature), again));
    }
    let text = code.trimmed();
    match text.as_ref() {
        "S" | "B" if rate.is_none() => Err(without_place(
            *code,
            "a rate of nought asks for another category in Italy (SdI check 00400)",
        )),
        "S" => Ok(taxed(None, "S")),
        "B" => Ok(Taxed { nature: None, is_split: true, again: "B" }),
        other if rate.is_some() && lookup(USUAL, other).is_some() => Err(without_place(
            *code,
            "a category without VAT has a rate of nought (SdI check 00401)",
        )),
        other => match nature(category, other) {
            Some(nature) => Ok(taxed(Some(nature), lookup(CATEGORIES, nature).unwrap_or(""))),
            None => Err(without_place(*code, "Italy has no such VAT category")),
        },
    }
}

/// Every `Natura`, and the category that it is read as; N3 is read as itself.
fn natures() -> impl Iterator<Item = (&'static str, &'static str)> {
    CATEGORIES.iter().copied().chain([("N3", "N3")])
}

/// `Natura` of a category without VAT: the one that its reason begins with, the one that the code
/// of the reason says, else the usual one.
fn nature(category: &TaxCategory<'_>, code: &str) -> Option<&'static str> {
    let usual = lookup(USUAL, code)?;
    let reason = category.exemption_reason.text().unwrap_or_default();
    let first = reason.split([' ', '#', ':']).next().unwrap_or_default();
    let fits = |nature: &str| lookup(CATEGORIES, nature) == lookup(CATEGORIES, usual);
    let said = CATEGORIES.iter().find(|(nature, _)| *nature == first && fits(nature));
    let by_code = || {
        let vatex = category.exemption_reason_code.text()?;
        lookup(BY_REASON, &vatex).filter(|nature| fits(nature) || code == "K")
    };
    Some(said.map(|(nature, _)| *nature).or_else(by_code).unwrap_or(usual))
}

/// Writes `AliquotaIVA`: the rate, which is 0.00 where there is no VAT.
pub(super) fn rate<'d>(
    out: &mut InvoiceOutput<'d>,
    category: &TaxCategory<'d>,
    term: &'static str,
) {
    match category.rate.filled() {
        Some(rate) if rate.value().is_some_and(|rate| !rate.is_negative()) => {
            out.number_in("AliquotaIVA", *rate, RATE);
        }
        Some(rate) => out.refuse_value(*rate, "the target asks for a rate of 0 to 100"),
        None => {
            let reason = "without VAT the rate is nought";
            out.derived("AliquotaIVA", "0.00", category.element, Some(term), reason);
        }
    }
}

/// Writes `Natura`, where there is one, and gives the category its fate.
pub(super) fn nature_of<'d>(out: &mut InvoiceOutput<'d>, category: &TaxCategory<'d>, taxed: Taxed) {
    let Some(code) = category.code.filled() else {
        return out.refuse_without(category.element, "the VAT category (BT-151)", "Natura");
    };
    for scheme in &category.scheme {
        out.ledger.carry(**scheme);
    }
    let Some(nature) = taxed.nature else {
        return out.ledger.carry(*code);
    };
    let is_own = code.as_written().trim() == nature;
    if is_own && out.ledger.in_own_words {
        return out.kept("Natura", nature, *code);
    }
    match code.is(taxed.again) {
        true => out.kept("Natura", nature, *code),
        false => out.changed("Natura", nature, *code, "the target has no such category of its own"),
    }
}

/// The rate as it is written.
pub(super) fn rate_text(category: &TaxCategory<'_>) -> String {
    let rate = category.rate.value().unwrap_or(Decimal::ZERO);
    in_form(rate, RATE).unwrap_or_default()
}
