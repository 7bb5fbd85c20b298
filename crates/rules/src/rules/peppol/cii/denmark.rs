//! Denmark: registrations, means of payment and their references, special taxes.

use std::borrow::Cow;
use std::rc::Rc;

use quoin_xml::tree::Element;

use super::paths::{agreed, at, document, of_document, says, settled};
use crate::rules::peppol::reading::{attribute, on, own_text, substring, text};
use crate::rules::peppol::ubl::denmark::{CODES, classified, in_scheme, is_negative};
use crate::rules::values::{Read, all_of, any_of, normalize, number, ram, some_double, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, values};
use quoin_model::Flag::{Fatal, Warning};

pub(crate) const RULES: &[Rule] = &[
    Rule::new("DK-R-002", legal_number).at(Fatal, documents),
    Rule::new("DK-R-004", special_tax).at(Fatal, documents),
    Rule::new("DK-R-013", identifier_scheme).at(Fatal, documents),
    Rule::new("DK-R-014", |case| in_scheme(agreed(case, LEGAL))).at(Fatal, documents),
    Rule::new("DK-R-016", negative_total).at(Fatal, documents),
    Rule::new("DK-R-005", means_code).at(Fatal, means),
    Rule::new("DK-R-006", bank).at(Fatal, means),
    Rule::new("DK-R-007", mandate).at(Fatal, means),
    Rule::new("DK-R-008", |case| giro(case, "50", &["01#", "04#", "15#"], 7)).at(Fatal, means),
    Rule::new("DK-R-010", |case| giro(case, "93", &["71#", "73#", "75#"], 8)).at(Fatal, means),
    Rule::new("DK-R-009", |case| reference_length(case, "50", &["04#", "15#"], &[19]))
        .at(Fatal, means),
    Rule::new("DK-R-011", |case| reference_length(case, "93", &["71#", "75#"], &[18, 19]))
        .at(Fatal, means),
    Rule::new("DK-R-003", |case| {
        classified(&at(case.at, "SpecifiedTradeProduct/DesignatedProductClassification/ClassCode"))
    })
    .at(Warning, lines),
];

const LEGAL: &str = "SellerTradeParty/SpecifiedLegalOrganization/ID";
const ACCOUNT: &str = "PayeePartyCreditorFinancialAccount/IBANID";

/// Which parties are Danish.
struct Danish {
    seller: bool,
    buyer: bool,
}

fn danish(facts: &Facts<'_>) -> Rc<Danish> {
    facts.memo(|facts| {
        let is = |party: &str| {
            says(&agreed(facts, &format!("{party}/PostalTradeAddress/CountryID")), "DK")
        };
        Danish { seller: is("SellerTradeParty"), buyer: is("BuyerTradeParty") }
    })
}

fn documents<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if danish(facts).seller {
        document(facts).into_iter().for_each(visit);
    }
}

fn is_domestic(facts: &Facts<'_>) -> bool {
    let danish = danish(facts);
    danish.seller && danish.buyer
}

fn means<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if is_domestic(facts) {
        settled(facts, "SpecifiedTradeSettlementPaymentMeans").into_iter().for_each(visit);
    }
}

fn lines<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if is_domestic(facts) {
        let path = "rsm:SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem";
        of_document(facts, path).into_iter().for_each(visit);
    }
}

fn legal_number<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    Ok(RuleVerdict::of(!own_text(agreed(case, LEGAL))?.is_empty()))
}

/// A tax that is not VAT is told by four digits, or by words around `#`: one for the document.
fn special_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let codes = settled(case, "SpecifiedTradeAllowanceCharge/ReasonCode");
    if !danish(case).buyer || !says(&codes, "ZZZ") {
        return Ok(RuleVerdict::Holds);
    }
    let reasons = settled(case, "SpecifiedTradeAllowanceCharge/Reason");
    let reason = || text(reasons.clone());
    let is_category = || {
        let is_positive = || Ok(number::parse(&reason()?).is_some_and(|value| value >= 0.0));
        let is_small = || some_double(reasons.iter().copied(), |value| value <= 9999.0);
        let has_four = || Ok(own_text(reasons.clone())?.chars().count() == 4);
        all_of([&has_four, &is_positive, &is_small])
    };
    let is_described = || {
        let has_some = || Ok(!reasons.is_empty());
        all_of([
            &has_some,
            &|| Ok(reason()?.contains('#')),
            &|| Ok(!reason()?.starts_with('#')),
            &|| Ok(!reason()?.ends_with('#')),
        ])
    };
    Ok(on(&reasons, any_of([&is_category, &is_described])?))
}

fn identifier_scheme<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !danish(case).buyer {
        return Ok(RuleVerdict::Holds);
    }
    let has_none = |party: &str| -> Read<'d, bool> {
        let ids = agreed(case, &format!("{party}/GlobalID"));
        let is_there = || Ok(!ids.is_empty());
        let is_blank = || {
            let code = normalize(attribute(ids.clone(), "schemeID")?.into());
            Ok(code.is_empty())
        };
        all_of([&is_there, &is_blank])
    };
    let is_broken = any_of([&|| has_none("SellerTradeParty"), &|| has_none("BuyerTradeParty")])?;
    Ok(RuleVerdict::of(!is_broken))
}

fn negative_total<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_credit_note =
        || Ok(own_text(of_document(case, "rsm:ExchangedDocument/TypeCode"))? == "381");
    let path = "SpecifiedTradeSettlementHeaderMonetarySummation/DuePayableAmount";
    let amounts = settled(case, path);
    let is_broken = danish(case).buyer && all_of([&is_credit_note, &|| is_negative(&amounts)])?;
    Ok(on(&amounts, !is_broken))
}

fn has_code(means: Element<'_>, codes: &[&str]) -> bool {
    ram(means, "TypeCode").any(|own| codes.contains(&&*string(own)))
}

fn of_code<'d>(case: &Case<'_, 'd>, holds: bool) -> RuleVerdict<'d> {
    on(&ram(case.at, "TypeCode").collect::<Vec<_>>(), holds)
}

fn means_code<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let code = text(ram(case.at, "TypeCode").collect())?;
    Ok(of_code(case, CODES.contains(&format!(" {code} "))).expected(CODES.trim()))
}

/// Both of two values are told, where the code is one of these.
fn both<'d>(
    case: &Case<'_, 'd>,
    codes: &[&str],
    [first, second]: [Vec<Element<'d>>; 2],
) -> Outcome<'d> {
    if !has_code(case.at, codes) {
        return Ok(RuleVerdict::Holds);
    }
    let is_told = |elements: &Vec<Element<'d>>| Ok(!own_text(elements.clone())?.is_empty());
    Ok(of_code(case, all_of([&|| is_told(&first), &|| is_told(&second)])?))
}

fn bank<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let institution = "PayeeSpecifiedCreditorFinancialInstitution/BICID";
    both(case, &["31", "42"], [at(case.at, ACCOUNT), at(case.at, institution)])
}

fn mandate<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mandates = at(case.at, "SpecifiedTradePaymentTerms/DirectDebitMandateID");
    both(case, &["49"], [beside(case, "CreditorReferenceID"), mandates])
}

/// `../ram:…`.
fn beside<'d>(case: &Case<'_, 'd>, local: &str) -> Vec<Element<'d>> {
    let parent = case.at.parent().map(Element::id);
    let all = case.named(crate::rules::values::RAM, local);
    all.filter(|own| own.parent().map(Element::id) == parent).collect()
}

fn reference<'d>(case: &Case<'_, 'd>) -> Read<'d, Cow<'d, str>> {
    text(beside(case, "PaymentReference"))
}

fn has_kind<'d>(case: &Case<'_, 'd>, kinds: &[&str]) -> Read<'d, bool> {
    Ok(kinds.contains(&substring(&reference(case)?, 1, 3)))
}

fn giro<'d>(case: &Case<'_, 'd>, code: &str, kinds: &[&str], length: usize) -> Outcome<'d> {
    if !has_code(case.at, &[code]) {
        return Ok(RuleVerdict::Holds);
    }
    let has_account = || {
        let account = values::text::one(at(case.at, ACCOUNT).into_iter())?;
        Ok(account.is_some_and(|own| own.chars().count() == length))
    };
    let holds = all_of([&|| has_kind(case, kinds), &has_account])?;
    Ok(on(&beside(case, "PaymentReference"), holds))
}

fn reference_length<'d>(
    case: &Case<'_, 'd>,
    code: &str,
    kinds: &[&str],
    lengths: &[usize],
) -> Outcome<'d> {
    if !has_code(case.at, &[code]) {
        return Ok(RuleVerdict::Holds);
    }
    let is_wrong = || Ok(!lengths.contains(&reference(case)?.chars().count()));
    let is_broken = all_of([&|| has_kind(case, kinds), &is_wrong])?;
    let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
    Ok(on(&beside(case, "PaymentReference"), !is_broken).expected(lengths.join(", ")))
}
