//! Denmark: registrations, means of payment and their references, special taxes.

use quoin_xml::tree::Element;

use super::country::{Countries, is, read};
use super::paths::{at, buyers, document, is_credit_note, is_invoice, says, sellers};
use crate::rules::checksums::has_digits;
use crate::rules::peppol::reading::{attribute, on, own_text, substring, text};
use crate::rules::values::{CAC, Read, all_of, any_of, cac, cbc, number, string};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict, values};
use quoin_model::Flag::{Fatal, Warning};
use quoin_model::{Patch, PatchKind};

/// What every release has.
pub(crate) const RULES: &[Rule] = &[
    Rule::new("DK-R-002", legal_number).at(Fatal, documents),
    Rule::new("DK-R-014", |case| scheme(case, "AccountingSupplierParty/Party/PartyLegalEntity"))
        .at(Fatal, documents),
    Rule::new("DK-R-016", negative_total).at(Fatal, documents),
    Rule::new("DK-R-013", identifier_scheme).at(Fatal, identifications),
    Rule::new("DK-R-005", means_code).at(Fatal, means),
    Rule::new("DK-R-006", |case| accounts(case, &["31", "42"], BANK)).at(Fatal, means),
    Rule::new("DK-R-007", |case| accounts(case, &["49"], MANDATE)).at(Fatal, means),
    Rule::new("DK-R-008", giro).at(Fatal, means),
    Rule::new("DK-R-009", |case| reference_length(case, "50", &["04#", "15#"], &[19]))
        .at(Fatal, means),
    Rule::new("DK-R-010", joint_giro).at(Fatal, means),
    Rule::new("DK-R-011", |case| reference_length(case, "93", &["71#", "75#"], &[18, 19]))
        .at(Fatal, means),
    Rule::new("DK-R-004", special_tax).at(Fatal, adjustments),
];

/// The codes of goods, of which it warns.
pub(crate) const CLASSIFICATION: Rule = Rule::new("DK-R-003", classification).at(Warning, lines);

/// Until May 2026 they warn.
pub(crate) const WARNINGS: &[Rule] = &[
    CLASSIFICATION,
    Rule::new("DK-R-017", |case| scheme(case, "PartyLegalEntity")).at(Warning, customers),
];

/// Since May 2026 they stop the document.
pub(crate) const STRICT: &[Rule] = &[
    Rule::new("DK-R-003", classification).at(Fatal, lines),
    Rule::new("DK-R-017", |case| scheme(case, "PartyLegalEntity")).at(Fatal, customers),
];

/// Account and registration number of a bank.
const BANK: [&str; 2] =
    ["PayeeFinancialAccount/cbc:ID", "PayeeFinancialAccount/FinancialInstitutionBranch/cbc:ID"];
/// Mandate and debited account.
const MANDATE: [&str; 2] = ["PaymentMandate/cbc:ID", "PaymentMandate/PayerFinancialAccount/cbc:ID"];
/// Codes of means of payment.
pub(crate) const CODES: &str = " 1 10 31 42 48 49 50 58 59 93 97 ";
const VERSIONS: [&str; 4] = ["19.05.01", "19.0501", "26.08.01", "26.0801"];

fn documents<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if is(&Countries::of(facts).seller_written, "DK") {
        document(facts).into_iter().for_each(visit);
    }
}

/// The document element, where seller and buyer are Danish.
fn domestic<'d>(facts: &Facts<'d>) -> Option<Element<'d>> {
    document(facts).filter(|_| Countries::of(facts).is_within("DK"))
}

/// Elements of some that stand right below the document element.
fn below<'d>(element: &Element<'d>, root: Element<'d>, levels: usize) -> bool {
    let mut above = element.parent();
    for _ in 1..levels {
        above = above.and_then(Element::parent);
    }
    above.is_some_and(|own| own.id() == root.id())
}

fn identifications<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let Some(root) = domestic(facts) else { return };
    let parties = sellers(facts).chain(buyers(facts)).filter(|party| below(party, root, 2));
    parties.flat_map(|party| cac(party, "PartyIdentification")).for_each(visit);
}

fn customers<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let Some(root) = domestic(facts) else { return };
    buyers(facts).filter(|party| below(party, root, 2)).for_each(visit);
}

fn means<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let Some(root) = domestic(facts).filter(|root| is_invoice(*root)) else { return };
    cac(root, "PaymentMeans").for_each(visit);
}

fn lines<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let Some(root) = domestic(facts) else { return };
    let local = if is_invoice(root) { "InvoiceLine" } else { "CreditNoteLine" };
    cac(root, local).for_each(visit);
}

fn adjustments<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    if Countries::of(facts).is_within("DK") {
        facts.named(CAC, "AllowanceCharge").for_each(visit);
    }
}

fn legal_number<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let path = "AccountingSupplierParty/Party/PartyLegalEntity/cbc:CompanyID";
    Ok(RuleVerdict::of(!own_text(at(case.at, path))?.is_empty()))
}

fn scheme<'d>(case: &Case<'_, 'd>, entity: &str) -> Outcome<'d> {
    in_scheme(at(case.at, &format!("{entity}/cbc:CompanyID")))
}

/// The legal registrations of a party are in the scheme 0184.
pub(crate) fn in_scheme<'d>(numbers: Vec<Element<'d>>) -> Outcome<'d> {
    let Some(&first) = numbers.first() else { return Ok(RuleVerdict::Holds) };
    let code = crate::rules::values::normalize(attribute(numbers, "schemeID")?.into());
    let holds = code == "0184";
    let verdict = RuleVerdict::of(holds).element(Some(first)).found(code.clone()).expected("0184");
    // Eight digits without a scheme are a CVR number.
    Ok(match code.is_empty() && has_digits(string(first).trim(), 8) {
        true => verdict.patch(Patch {
            xpath: "@schemeID".to_owned(),
            kind: PatchKind::SetAttribute,
            value: "0184".to_owned(),
        }),
        false => verdict,
    })
}

fn negative_total<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let countries = Countries::of(case);
    let is_danish = || Ok(read(&countries.buyer_written, case)? == "DK");
    let amounts = at(case.at, "LegalMonetaryTotal/cbc:PayableAmount");
    let is_negative = || is_negative(&amounts);
    let is_broken = all_of([&|| Ok(is_credit_note(case.root())), &is_danish, &is_negative])?;
    Ok(on(&amounts, !is_broken))
}

/// `number(path/text()) < 0`.
pub(crate) fn is_negative<'d>(amounts: &[Element<'d>]) -> Read<'d, bool> {
    let amount = values::text::one(amounts.iter().copied())?;
    Ok(amount.and_then(|own| number::parse(&own)).is_some_and(|value| value < 0.0))
}

fn identifier_scheme<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let ids: Vec<_> = cbc(case.at, "ID").collect();
    let Some(&first) = ids.first() else { return Ok(RuleVerdict::Holds) };
    let code = attribute(ids, "schemeID")?;
    let is_blank = crate::rules::values::normalize(code.into()).is_empty();
    Ok(RuleVerdict::of(!is_blank).element(Some(first)).found(string(first)))
}

/// The code of a means of payment, found with the verdict.
fn of_code<'d>(case: &Case<'_, 'd>, holds: bool) -> RuleVerdict<'d> {
    match cbc(case.at, "PaymentMeansCode").next() {
        Some(code) => RuleVerdict::of(holds).found(string(code)),
        None => RuleVerdict::of(holds),
    }
}

fn has_code(means: Element<'_>, codes: &[&str]) -> bool {
    codes.iter().any(|code| says(means, "PaymentMeansCode", code))
}

fn means_code<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let code = text(cbc(case.at, "PaymentMeansCode").collect())?;
    Ok(of_code(case, CODES.contains(&format!(" {code} "))).expected(CODES.trim()))
}

fn accounts<'d>(case: &Case<'_, 'd>, codes: &[&str], paths: [&str; 2]) -> Outcome<'d> {
    if !has_code(case.at, codes) {
        return Ok(RuleVerdict::Holds);
    }
    let [first, second] = paths;
    let is_there = |path: &str| Ok(!own_text(at(case.at, path))?.is_empty());
    Ok(of_code(case, all_of([&|| is_there(first), &|| is_there(second)])?))
}

/// Whether the reference begins with one of some kinds of card.
fn has_kind<'d>(case: &Case<'_, 'd>, kinds: &[&str]) -> Read<'d, bool> {
    let reference = text(cbc(case.at, "PaymentID").collect())?;
    Ok(kinds.contains(&substring(&reference, 1, 3)))
}

fn giro<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !has_code(case.at, &["50"]) {
        return Ok(RuleVerdict::Holds);
    }
    let has_account = || {
        let account = text(at(case.at, BANK[0]))?;
        Ok(has_digits(&account, 7) || has_digits(&account, 8))
    };
    let has_kind = || has_kind(case, &["01#", "04#", "15#"]);
    Ok(of_reference(case, all_of([&has_kind, &has_account])?))
}

fn joint_giro<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !has_code(case.at, &["93"]) {
        return Ok(RuleVerdict::Holds);
    }
    let has_account = || {
        let account = values::text::one(at(case.at, BANK[0]).into_iter())?;
        Ok(account.is_some_and(|own| own.chars().count() == 8))
    };
    let has_kind = || has_kind(case, &["71#", "73#", "75#"]);
    Ok(of_reference(case, all_of([&has_kind, &has_account])?))
}

/// A verdict with the reference of the payment.
fn of_reference<'d>(case: &Case<'_, 'd>, holds: bool) -> RuleVerdict<'d> {
    match cbc(case.at, "PaymentID").next() {
        Some(reference) => RuleVerdict::of(holds).element(Some(reference)).found(string(reference)),
        None => RuleVerdict::of(holds),
    }
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
    let length = || Ok(text(cbc(case.at, "PaymentID").collect())?.chars().count());
    let is_broken = all_of([&|| has_kind(case, kinds), &|| Ok(!lengths.contains(&length()?))])?;
    let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
    Ok(of_reference(case, !is_broken).expected(lengths.join(", ")))
}

fn classification<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    classified(&at(case.at, "Item/CommodityClassification/cbc:ItemClassificationCode"))
}

/// Codes of the list TST have one of the known versions.
pub(crate) fn classified<'d>(codes: &[Element<'d>]) -> Outcome<'d> {
    let Some(code) = codes.iter().find(|own| own.attribute("listID") == Some("TST")) else {
        return Ok(RuleVerdict::Holds);
    };
    let version = |own: &Element<'d>| own.attribute("listVersionID");
    let is_known = |own| version(own).is_some_and(|version| VERSIONS.contains(&version));
    let verdict = RuleVerdict::of(codes.iter().any(is_known)).element(Some(*code));
    Ok(verdict.found(version(code).unwrap_or_default()).expected("19.05.01, 26.08.01"))
}

/// A tax that is not VAT is told by four digits, or by words around `#`.
fn special_tax<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if !says(case.at, "AllowanceChargeReasonCode", "ZZZ") {
        return Ok(RuleVerdict::Holds);
    }
    let reasons = || cbc(case.at, "AllowanceChargeReason");
    let reason = || text(reasons().collect());
    let value = || Ok(number::parse(&reason()?));
    let has_four = || Ok(own_text(reasons().collect())?.chars().count() == 4);
    let is_category = || {
        all_of([&has_four, &|| Ok(value()?.is_some_and(|value| value >= 0.0)), &|| {
            Ok(value()?.is_some_and(|value| value <= 9999.0))
        }])
    };
    let is_described = || {
        let has_some = || Ok(reasons().next().is_some());
        all_of([
            &has_some,
            &|| Ok(reason()?.contains('#')),
            &|| Ok(!reason()?.starts_with('#')),
            &|| Ok(!reason()?.ends_with('#')),
        ])
    };
    let holds = any_of([&is_category, &is_described])?;
    Ok(on(&reasons().collect::<Vec<_>>(), holds))
}
