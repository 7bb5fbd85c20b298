//! Accounts to which an invoice is paid.

use super::{child, children, fa, text};
use crate::rules::{Case, ElementVisitor, Facts, Outcome, Rule, RuleVerdict, checksums};
use quoin_model::Flag;

pub(super) const RULES: &[Rule] = &[
    Rule::new("QUOIN-FA-ACCOUNT", length).at(Flag::Fatal, accounts),
    Rule::new("QUOIN-FA-ACCOUNT-DIGITS", digits).at(Flag::Warning, accounts),
];

/// Digits of a Polish account, of which the first two are check digits.
const POLISH: usize = 26;

fn accounts<'d>(facts: &Facts<'d>, visit: ElementVisitor<'_, 'd>) {
    let Some(payment) = fa(facts).and_then(|fa| child(fa, "Platnosc")) else { return };
    let own = children(payment, "RachunekBankowy");
    own.chain(children(payment, "RachunekBankowyFaktora")).for_each(visit);
}

/// An account of digits alone, at no bank that is named by its SWIFT code, is a Polish one.
fn length<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let number = text(case.at, "NrRB");
    let digits = number.strip_prefix("PL").unwrap_or(&number);
    let is_polish = digits.len() < number.len() || child(case.at, "SWIFT").is_none();
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let holds = !is_polish || !is_digits || digits.len() == POLISH;
    Ok(RuleVerdict::of(holds).found(number).element(child(case.at, "NrRB")))
}

/// The check digits of a Polish account or of an IBAN (ISO 7064, modulus 97).
fn digits<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let number = text(case.at, "NrRB");
    let is_digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let iban = match (is_digits, number.len()) {
        (true, POLISH) => format!("PL{number}"),
        (false, _) if number.bytes().take(2).all(|byte| byte.is_ascii_uppercase()) => {
            number.clone().into_owned()
        }
        _ => return Ok(RuleVerdict::Holds),
    };
    Ok(RuleVerdict::of(checksums::iban(&iban)).found(number).element(child(case.at, "NrRB")))
}
