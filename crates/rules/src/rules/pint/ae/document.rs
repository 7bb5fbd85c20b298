//! The document: kinds of transaction, dates, references, lines and adjustments.

use quoin_xml::tree::{Element, NodeId};

use super::{EmiratesTransaction, bits, is_code, is_kind, is_type};
use crate::rules::en16931::ubl::registered;
use crate::rules::pint::paths::{at, groups, has, here, leaf, leaves, text};
use crate::rules::pint::taxes;
use crate::rules::values::{
    CAC, Read, any_of, cac, cbc, decimal, double, normalized, number, one, some_double, string,
};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::amount::Decimal;

pub(super) const RULES: &[Rule] = &[
    Rule::new("aligned-ibrp-002-ae", process),
    Rule::new("aligned-ibrp-004", net_price),
    Rule::new("ibr-131-ae", percentage),
    Rule::new("ibr-146-ae", percentage),
    Rule::new("ibr-002-ae", exchange_rate),
    Rule::new("ibr-111-ae", margin_rate),
    Rule::new("ibr-147-ae", line),
    Rule::new("aligned-ibrp-s-01", registered::broken_down),
    Rule::new("ibr-007-ae", ibr_007),
    Rule::new("ibr-134-ae", ibr_134),
    Rule::new("ibr-137-ae", |case| {
        of_known_kind(case, EmiratesTransaction::Agent, |root| has(root, AGENT))
    }),
    Rule::new("ibr-138-ae", |case| {
        of_known_kind(case, EmiratesTransaction::Summary, |root| {
            cac(root, "InvoicePeriod").next().is_some()
        })
    }),
    Rule::new("ibr-141-ae", ibr_141),
    Rule::new("ibr-055-ae", ibr_055),
    Rule::new("ibr-142-ae", |case| of_kind(case, EmiratesTransaction::Commerce, is_delivered)),
    Rule::new("ibr-122-ae", ibr_122),
    Rule::new("ibr-124-ae", ibr_124),
    Rule::new("ibr-127-ae", ibr_127),
    Rule::new("ibr-116-ae", ibr_116),
    Rule::new("ibr-151-ae", ibr_151),
    Rule::new("ibr-152-ae", |case| {
        of_kind(case, EmiratesTransaction::Export, |root| {
            is_delivered_here(root) || is_delivered(root)
        })
    }),
    Rule::new("ibr-157-ae", ibr_157),
    Rule::new("ibr-158-ae", ibr_158),
    Rule::new("ibr-176-ae", ibr_176),
    Rule::new("ibr-190-ae", ibr_190),
    Rule::new("ibr-191-ae", ibr_191),
    Rule::new("ibr-154-ae", |case| Ok(at(case, "ProfileExecutionID", !bits(case.at)?.is_empty()))),
];

const AGENT: &str = "SellerSupplierParty/Party/PartyIdentification/ID";
const ADDRESS: &str = "Delivery/DeliveryLocation/Address";

fn process<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let id = text(case.root(), "ProfileID")?;
    let known = ["urn:peppol:bis:billing", "urn:peppol:bis:selfbilling"];
    let holds = known.iter().any(|own| id.starts_with(own));
    Ok(at(case, "ProfileID", holds).expected(known[0]))
}

/// A net price, where the three prices can be computed with.
fn net_price<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let verdict = taxes::net_price(case);
    Ok(verdict
        .unwrap_or_else(|wrong| RuleVerdict::broken().found(wrong.value).element(wrong.element)))
}

/// `number(path)`: not a number of what is none.
fn number_of<'d>(case: &Case<'_, 'd>, local: &str) -> Read<'d, f64> {
    let found = leaf(case.at, local)?;
    Ok(found.and_then(|own| number::parse(&string(own))).unwrap_or(f64::NAN))
}

/// An allowance or charge is the percentage of its base, as it is or rounded.
fn percentage<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !has(case.at, "BaseAmount") || !has(case.at, "MultiplierFactorNumeric") {
        return Ok(RuleVerdict::Holds);
    }
    let amount = number_of(case, "Amount")?;
    let base = number_of(case, "BaseAmount")?;
    let part = base * number_of(case, "MultiplierFactorNumeric")? / 100.0;
    let rounded = number::round(part * 100.0) / 100.0;
    let verdict = at(case, "Amount", amount == part || amount == rounded);
    Ok(verdict.expected(format!("{rounded:.2}")))
}

/// Digits, with one to six decimals.
fn exchange_rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let holds = match text.split_once('.') {
        Some((whole, decimals)) => is_digits(whole) && is_digits(decimals) && decimals.len() <= 6,
        None => is_digits(&text),
    };
    Ok(here(case, holds))
}

fn margin_rate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let categories = groups(case.at, "Item/ClassifiedTaxCategory");
    let mut codes = categories.iter().flat_map(|own| cbc(*own, "ID"));
    if !codes.any(|code| string(code) == "N") {
        return Ok(RuleVerdict::Holds);
    }
    let rates = categories.iter().flat_map(|own| cbc(*own, "Percent"));
    Ok(at(case, "Item/ClassifiedTaxCategory/Percent", some_double(rates, |rate| rate > 0.0)?))
}

/// The amount of a line to the cent; a base quantity belongs to it.
fn line<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    const LOCAL: &str = "LineExtensionAmount";
    let missing = || Ok(at(case, LOCAL, false));
    // Where one is missing those behind it are not read.
    let Some(stated) = one(cbc(case.at, LOCAL))? else { return missing() };
    let stated = double(stated)?;
    let quantities = cbc(case.at, "InvoicedQuantity").chain(cbc(case.at, "CreditedQuantity"));
    let Some(quantity) = one(quantities)? else { return missing() };
    let Some(price) = leaf(case.at, "Price/PriceAmount")? else { return missing() };
    let Some(base) = leaf(case.at, "Price/BaseQuantity")? else { return missing() };
    let charges = adjusted(case.at, "true")?;
    let product = double(quantity)? * (double(price)? / double(base)?);
    let amount = product + charges - adjusted(case.at, "false")?;
    let cents = |x: f64| number::round(x * 100.0) / 100.0;
    let verdict = at(case, LOCAL, cents(stated) == cents(amount));
    Ok(verdict.expected(format!("{:.2}", cents(amount))))
}

/// The sum of the charges or allowances of a line, by the indicator as it is written.
fn adjusted<'d>(line: Element<'d>, indicator: &str) -> Read<'d, f64> {
    let own = cac(line, "AllowanceCharge");
    let wanted = own.filter(|own| cbc(*own, "ChargeIndicator").any(|is| string(is) == indicator));
    crate::rules::values::double_sum(wanted.flat_map(|own| cbc(own, "Amount")))
}

/// What a document of a kind must have.
fn of_kind<'d>(
    case: &Case<'_, 'd>,
    kind: EmiratesTransaction,
    has: fn(Element<'d>) -> bool,
) -> Outcome<'d> {
    match is_kind(case.at, kind) {
        Err(unreadable) if !has(case.at) => Err(unreadable),
        is_kind => Ok(RuleVerdict::of(!is_kind.unwrap_or(false) || has(case.at))),
    }
}

/// The same where the test asks for the kind on both sides, so that it must be readable.
fn of_known_kind<'d>(
    case: &Case<'_, 'd>,
    kind: EmiratesTransaction,
    has: fn(Element<'d>) -> bool,
) -> Outcome<'d> {
    is_kind(case.at, kind)?;
    of_kind(case, kind, has)
}

fn ibr_007<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    of_kind(case, EmiratesTransaction::FreeZone, |root| {
        has(root, "BuyerCustomerParty/Party/PartyIdentification/ID")
    })
}

/// A street, a city and an emirate of delivery, in whichever addresses.
fn is_delivered(root: Element<'_>) -> bool {
    let parts = ["StreetName", "CityName", "CountrySubentity"];
    parts.iter().all(|part| has(root, &format!("{ADDRESS}/{part}")))
}

fn is_delivered_here(root: Element<'_>) -> bool {
    let countries = leaves(root, &format!("{ADDRESS}/Country/IdentificationCode"));
    countries.into_iter().any(|own| string(own) == "AE")
}

/// A seller has a tax number, but on commercial documents.
fn ibr_134<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if is_type(case.at, &["480", "81"]) {
        return Ok(RuleVerdict::Holds);
    }
    let schemes = groups(case.at, "AccountingSupplierParty/Party/PartyTaxScheme");
    let is_vat =
        |own: &Element<'_>| leaves(*own, "TaxScheme/ID").iter().any(|id| string(*id) == "VAT");
    Ok(RuleVerdict::of(schemes.iter().any(|own| is_vat(own) && has(*own, "CompanyID"))))
}

/// Tax is due before the document is issued; days are compared as texts.
fn ibr_141<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let issued: Vec<_> = cbc(case.at, "IssueDate").map(string).collect();
    let before =
        cbc(case.at, "TaxPointDate").any(|own| issued.iter().any(|issued| *string(own) < **issued));
    let holds = before || !has(case.at, "TaxPointDate");
    Ok(at(case, "TaxPointDate", holds))
}

/// A credit note refers to invoices, or says that it is a volume discount (VD), and not both.
fn ibr_055<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !is_type(case.at, &["381", "81"]) {
        return Ok(RuleVerdict::Holds);
    }
    let reasons = leaves(case.at, "DiscrepancyResponse/ResponseCode");
    let is = |own: &Element<'_>| string(*own) == "VD";
    Ok(RuleVerdict::of(match cac(case.at, "BillingReference").next() {
        Some(_) => reasons.iter().any(|own| !is(own)),
        None => reasons.iter().any(is),
    }))
}

/// The codes of the tax categories of a document, once: those other than E, O and Z, other than N.
struct CategoryCodes {
    other_than_exempt: Option<NodeId>,
    other_than_margin: Option<NodeId>,
}

impl CategoryCodes {
    fn of(facts: &Facts<'_>) -> CategoryCodes {
        let mut codes = CategoryCodes { other_than_exempt: None, other_than_margin: None };
        for local in ["TaxCategory", "ClassifiedTaxCategory"] {
            for code in facts.named(CAC, local).flat_map(|own| cbc(own, "ID")) {
                let text = normalized(code);
                if !matches!(&*text, "E" | "O" | "Z") {
                    codes.other_than_exempt = codes.other_than_exempt.or(Some(code.id()));
                }
                if text != "N" {
                    codes.other_than_margin = codes.other_than_margin.or(Some(code.id()));
                }
            }
        }
        codes
    }
}

/// Kept, or broken at a code.
fn without<'d>(case: &Case<'_, 'd>, code: Option<NodeId>) -> RuleVerdict<'d> {
    let Some(code) = code else { return RuleVerdict::Holds };
    let element = case.document().element(code);
    RuleVerdict::broken().found(element.map(string).unwrap_or_default()).element(element)
}

fn ibr_122<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    match is_type(case.at, &["81", "480"]) {
        true => Ok(without(case, case.memo(CategoryCodes::of).other_than_exempt)),
        false => Ok(RuleVerdict::Holds),
    }
}

fn ibr_116<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let other = case.memo(CategoryCodes::of).other_than_margin;
    match is_kind(case.at, EmiratesTransaction::Margin) {
        Ok(true) => Ok(without(case, other)),
        Err(unreadable) if other.is_some() => Err(unreadable),
        _ => Ok(RuleVerdict::Holds),
    }
}

fn ibr_124<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let holds = !is_type(case.at, &["381", "81"]) || !has(case.at, "TaxPointDate");
    Ok(at(case, "TaxPointDate", holds))
}

/// Documents on which nothing is to be paid at a day: credit notes, and deemed supplies.
fn is_free<'d>(case: &Case<'_, 'd>) -> Read<'d, bool> {
    Ok(is_type(case.at, &["381", "81"])
        || is_code(case, "CreditNoteTypeCode", "261")
        || is_kind(case.at, EmiratesTransaction::Deemed)?)
}

fn ibr_127<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let due = || {
        let amounts = leaves(case.at, "LegalMonetaryTotal/PayableAmount");
        Ok(!some_double(amounts.into_iter(), |due| due > 0.0)?)
    };
    let dated = || Ok(has(case.at, "DueDate"));
    Ok(RuleVerdict::of(any_of([&|| is_free(case), &due, &dated])?))
}

fn ibr_191<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let free = || {
        let is_type = is_type(case.at, &["81", "381", "261"]);
        Ok(is_type || is_kind(case.at, EmiratesTransaction::Deemed)?)
    };
    let paid = || Ok(has(case.at, "PaymentMeans/PaymentMeansCode"));
    Ok(RuleVerdict::of(any_of([&free, &paid])?))
}

/// A tax document has a line that is neither exempt nor outside tax.
fn ibr_151<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !is_type(case.at, &["380", "381"]) {
        return Ok(RuleVerdict::Holds);
    }
    for line in cac(case.at, "InvoiceLine").chain(cac(case.at, "CreditNoteLine")) {
        for category in groups(line, "Item/ClassifiedTaxCategory") {
            if !matches!(&*super::code_of(category)?, "E" | "O") {
                return Ok(RuleVerdict::Holds);
            }
        }
    }
    Ok(RuleVerdict::broken())
}

/// Commercial documents are not of margins, of deemed supplies or summaries alone.
fn ibr_157<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !is_type(case.at, &["480", "81"]) {
        return Ok(RuleVerdict::Holds);
    }
    let kinds =
        [EmiratesTransaction::Margin, EmiratesTransaction::Deemed, EmiratesTransaction::Summary];
    let bits = bits(case.at)?;
    let is = |kind: &EmiratesTransaction| bits.as_bytes().get(*kind as usize) == Some(&b'1');
    Ok(at(case, "ProfileExecutionID", !kinds.iter().any(is)))
}

fn ibr_158<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has_reason = has(case.at, "DiscrepancyResponse/ResponseCode");
    Ok(RuleVerdict::of(!is_type(case.at, &["381"]) || has_reason))
}

/// An agent is not the seller.
fn ibr_176<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !is_kind(case.at, EmiratesTransaction::Agent)? {
        return Ok(RuleVerdict::Holds);
    }
    let sellers = leaves(case.at, "AccountingSupplierParty/Party/PartyTaxScheme/CompanyID");
    let agents = leaves(case.at, AGENT);
    let differ = |own: &Element<'_>| agents.iter().any(|agent| string(*agent) != string(*own));
    Ok(RuleVerdict::of(sellers.iter().any(differ)))
}

/// A standard rate that is not 5, or that is no number, once a document.
struct OtherRate(Option<NodeId>);

fn ibr_190<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let five = Decimal::new(5, 0);
    let known = case.memo(|facts| {
        let is_standard = |own: &Element<'_>| cbc(*own, "ID").any(|code| string(code) == "S");
        let standard = facts.named(CAC, "TaxCategory").filter(is_standard);
        let mut rates = standard.flat_map(|own| cbc(own, "Percent"));
        OtherRate(rates.find(|rate| decimal(*rate) != Ok(five)).map(Element::id))
    });
    Ok(without(case, known.0).expected("5"))
}
