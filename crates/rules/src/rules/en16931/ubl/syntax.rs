//! Rules of the UBL binding: notes, document types, and what may occur once in a document.

use std::collections::HashSet;

use crate::rules::values::{CBC, cbc, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};
use quoin_model::codes;

pub(super) const RULES: &[Rule] = &[
    Rule::new("BR-CL-08", cl_08),
    Rule::new("UBL-SR-43", sr_43),
    Rule::new("UBL-SR-44", |case| one_value(case, "PaymentID")),
    Rule::new("UBL-SR-47", |case| one_value(case, "PaymentMeansCode")),
    Rule::new("UBL-DT-18", dt_18),
];

/// The subject codes (UNTDID 4451) of the CII binding, which has a later version of the list.
const SUBJECTS: &str = "br-cl-08@en16931-cii-1.3.16";

/// Those that the UBL binding does not have.
const LATER: &[&str] = &[
    "BAT", "BAU", "BAV", "BAW", "BAX", "BAY", "BAZ", "BBA", "BBB", "BMF", "BMG", "BMH", "CCJ",
    "CCK", "CCL", "CCM", "CCN", "CCO",
];

/// The text between the first two `#`, if it has three characters, is a subject code. The list is
/// searched as a text: the end of a code, a space and the start of the next are found in it.
pub(in crate::rules) fn cl_08<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let text = string(case.at);
    let code = text.split_once('#').and_then(|(_, rest)| rest.split_once('#'));
    let Some(code) = code.map(|(code, _)| code).filter(|code| code.chars().count() == 3) else {
        return Ok(RuleVerdict::Holds);
    };
    let list = codes::by_key(SUBJECTS).into_iter().flat_map(|list| list.codes());
    let mut known = list.filter(|own| !LATER.contains(own));
    let holds = match code.contains(' ') {
        false => known.any(|own| own == code),
        true => format!(" {} ", known.collect::<Vec<_>>().join(" ")).contains(code),
    };
    Ok(RuleVerdict::of(holds).found(code.to_owned()))
}

pub(in crate::rules) fn sr_43<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is = |code: &str| cbc(case.at, "DocumentTypeCode").any(|own| string(own) == code);
    let scheme = || cbc(case.at, "ID").any(|id| id.attribute("schemeID").is_some());
    let coded = || cbc(case.at, "DocumentTypeCode").next().is_some();
    let is_credit_note = case.root().local() == "CreditNote";
    let holds = is("130") || (is_credit_note && is("50")) || (!scheme() && !coded());
    let code = cbc(case.at, "DocumentTypeCode").next();
    let verdict = RuleVerdict::of(holds).element(code);
    Ok(match code {
        Some(code) => verdict.found(string(code)),
        None => verdict,
    })
}

/// All elements of a name, wherever they stand, say the same.
pub(in crate::rules) fn one_value<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    let mut known = HashSet::new();
    for element in case.named(CBC, local) {
        let text = string(element);
        if known.insert(text.clone()) && known.len() > 1 {
            return Ok(RuleVerdict::broken().found(text).element(Some(element)));
        }
    }
    Ok(RuleVerdict::Holds)
}

/// `@name` stands at the code of a means of payment only.
fn dt_18<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if case.document().name_id("", "name").is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let has_name = |own: &quoin_xml::tree::Element<'d>| own.attribute("name").is_some();
    let elsewhere = std::iter::once(case.root()).chain(case.root().descendants());
    let mut elsewhere = elsewhere.filter(has_name).filter(|own| !own.is(CBC, "PaymentMeansCode"));
    Ok(match elsewhere.next() {
        Some(element) => {
            let name = element.attribute("name").unwrap_or_default();
            RuleVerdict::broken().found(name).element(Some(element))
        }
        None => RuleVerdict::Holds,
    })
}
