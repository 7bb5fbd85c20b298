//! Means of payment: which group goes with which code, and IBANs.

use quoin_xml::tree::Element;

use super::{CodeReading, documents};
use crate::rules::checksums::iban;
use crate::rules::peppol::reading::{normal, text};
use crate::rules::peppol::ubl::paths::{at, has, says};
use crate::rules::values::{Read, SPACE, any_of, cac, cbc, some_double, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_model::Flag::{Fatal, Warning};

pub(super) const RULES: &[Rule] = &[
    Rule::new("DE-R-030", creditor).at(Fatal, documents),
    Rule::new("DE-R-031", debited_account).at(Fatal, documents),
];

/// Until May 2026.
pub(super) const UNTIL_2026_05: &[Rule] = &[
    Rule::new("DE-R-019", |case| valid_iban(case, CodeReading::Exact, ("58", ACCOUNT)))
        .at(Warning, |facts, visit| {
            means(facts, CodeReading::Exact, PaymentGroup::Transfer, visit)
        }),
    Rule::new("DE-R-023-1", |case| needs(case, "PayeeFinancialAccount"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Exact, PaymentGroup::Transfer, visit)),
    Rule::new("DE-R-023-2", |case| excludes(case, "CardAccount", "PaymentMandate"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Exact, PaymentGroup::Transfer, visit)),
    Rule::new("DE-R-024-1", |case| needs(case, "CardAccount"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Exact, PaymentGroup::Card, visit)),
    Rule::new("DE-R-024-2", |case| excludes(case, "PayeeFinancialAccount", "PaymentMandate"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Exact, PaymentGroup::Card, visit)),
    Rule::new("DE-R-020", |case| valid_iban(case, CodeReading::Exact, ("59", DEBITED)))
        .at(Warning, |facts, visit| means(facts, CodeReading::Exact, PaymentGroup::Debit, visit)),
    Rule::new("DE-R-025-1", |case| needs(case, "PaymentMandate"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Exact, PaymentGroup::Debit, visit)),
    Rule::new("DE-R-025-2", |case| excludes(case, "PayeeFinancialAccount", "CardAccount"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Exact, PaymentGroup::Debit, visit)),
];

/// From May 2026 on.
pub(super) const FROM_2026_05: &[Rule] = &[
    Rule::new("DE-R-019", |case| valid_iban(case, CodeReading::Normal, ("58", ACCOUNT)))
        .at(Warning, |facts, visit| {
            means(facts, CodeReading::Normal, PaymentGroup::Transfer, visit)
        }),
    Rule::new("DE-R-023-1", |case| needs(case, "PayeeFinancialAccount"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Normal, PaymentGroup::Transfer, visit)),
    Rule::new("DE-R-023-2", |case| excludes(case, "CardAccount", "PaymentMandate"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Normal, PaymentGroup::Transfer, visit)),
    Rule::new("DE-R-024-1", |case| needs(case, "CardAccount"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Normal, PaymentGroup::Card, visit)),
    Rule::new("DE-R-024-2", |case| excludes(case, "PayeeFinancialAccount", "PaymentMandate"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Normal, PaymentGroup::Card, visit)),
    Rule::new("DE-R-020", |case| valid_iban(case, CodeReading::Normal, ("59", DEBITED)))
        .at(Warning, |facts, visit| means(facts, CodeReading::Normal, PaymentGroup::Debit, visit)),
    Rule::new("DE-R-025-1", |case| needs(case, "PaymentMandate"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Normal, PaymentGroup::Debit, visit)),
    Rule::new("DE-R-025-2", |case| excludes(case, "PayeeFinancialAccount", "CardAccount"))
        .at(Fatal, |facts, visit| means(facts, CodeReading::Normal, PaymentGroup::Debit, visit)),
];

const ACCOUNT: &str = "PayeeFinancialAccount/cbc:ID";
const DEBITED: &str = "PaymentMandate/PayerFinancialAccount/cbc:ID";

/// What a means of payment is, in the order in which the official rules ask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PaymentGroup {
    Transfer,
    Card,
    Debit,
}

/// The group of a means of payment; what cannot be read belongs to none.
fn group(means: Element<'_>, reading: CodeReading) -> Option<PaymentGroup> {
    let has = |codes: &[&str]| match reading {
        CodeReading::Normal => {
            let code = normal(cbc(means, "PaymentMeansCode").collect());
            code.is_ok_and(|code| codes.contains(&&*code))
        }
        CodeReading::Exact => {
            let is_one = |found: f64| codes.iter().any(|code| code.parse() == Ok(found));
            some_double(cbc(means, "PaymentMeansCode"), is_one).unwrap_or_default()
        }
    };
    let groups: [(PaymentGroup, &[&str]); 3] = [
        (PaymentGroup::Transfer, &["30", "58"]),
        (PaymentGroup::Card, &["48", "54", "55"]),
        (PaymentGroup::Debit, &["59"]),
    ];
    groups.into_iter().find(|(_, codes)| has(codes)).map(|(group, _)| group)
}

fn means<'d>(
    facts: &Facts<'d>,
    reading: CodeReading,
    wanted: PaymentGroup,
    visit: &mut dyn FnMut(Element<'d>),
) {
    documents(facts, &mut |root| {
        let means = cac(root, "PaymentMeans");
        means.filter(|own| group(*own, reading) == Some(wanted)).for_each(&mut *visit);
    });
}

fn needs<'d>(case: &Case<'_, 'd>, local: &str) -> Outcome<'d> {
    Ok(RuleVerdict::of(has(case.at, local)))
}

fn excludes<'d>(case: &Case<'_, 'd>, first: &str, second: &str) -> Outcome<'d> {
    let element = cac(case.at, first).chain(cac(case.at, second)).next();
    Ok(RuleVerdict::of(element.is_none()).element(element))
}

/// A means of payment of a code has a valid IBAN.
fn valid_iban<'d>(
    case: &Case<'_, 'd>,
    reading: CodeReading,
    (code, path): (&str, &str),
) -> Outcome<'d> {
    let is_other = || -> Read<'d, bool> {
        Ok(match reading {
            CodeReading::Exact => !says(case.at, "PaymentMeansCode", code),
            CodeReading::Normal => normal(cbc(case.at, "PaymentMeansCode").collect())? != code,
        })
    };
    let is_valid = || Ok(iban(&text(at(case.at, path))?.replace(SPACE, "")));
    let holds = any_of([&is_other, &is_valid])?;
    let account = at(case.at, path).into_iter().next();
    let verdict = RuleVerdict::of(holds).element(account);
    Ok(match account {
        Some(account) => verdict.found(string(account)),
        None => verdict,
    })
}

/// A direct debit names the creditor.
fn creditor<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mandate = at(case.at, "PaymentMeans/PaymentMandate").into_iter().next();
    let parties = ["AccountingSupplierParty/Party", "PayeeParty"];
    let mut ids = parties
        .into_iter()
        .flat_map(|party| at(case.at, &format!("{party}/PartyIdentification/cbc:ID")));
    let is_named = ids.any(|id| id.attribute("schemeID") == Some("SEPA"));
    Ok(RuleVerdict::of(mandate.is_none() || is_named).element(mandate))
}

fn debited_account<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let mandate = at(case.at, "PaymentMeans/PaymentMandate").into_iter().next();
    let has_account = has(case.at, &format!("PaymentMeans/{DEBITED}"));
    Ok(RuleVerdict::of(mandate.is_none() || has_account).element(mandate))
}
