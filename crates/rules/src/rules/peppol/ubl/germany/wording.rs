//! How telephone numbers, mail addresses, addresses of documents and terms of cash discount are
//! written: the official regular expressions, read by hand.

use quoin_xml::tree::Element;

use super::{contacts, documents, each};
use crate::rules::peppol::reading::{normal, text};
use crate::rules::values::{Read, SPACE, all_of, cac, cbc, normalize, string};
use crate::rules::{Case, Outcome, Rule, RuleVerdict, Unreadable};
use quoin_model::Flag::{Fatal, Warning};

pub(super) const RULES: &[Rule] =
    &[Rule::new("DE-R-027", |case| written(case, "Telephone", is_telephone)).at(Warning, contacts)];

/// Until May 2026.
pub(super) const UNTIL_2026_05: &[Rule] = &[
    Rule::new("DE-R-018", |case| discounts(case, ends_with_discount)).at(Fatal, documents),
    Rule::new("DE-R-028", |case| written(case, "ElectronicMail", is_strict_mail))
        .at(Warning, contacts),
];

/// From May 2026 on.
pub(super) const FROM_2026_05: &[Rule] = &[
    Rule::new("DE-R-018", |case| discounts(case, is_discount)).at(Fatal, documents),
    Rule::new("DE-R-028", |case| written(case, "ElectronicMail", is_mail)).at(Warning, contacts),
    Rule::new("DE-R-T02", document_address).at(Warning, |facts, visit| {
        each(facts, "AdditionalDocumentReference/Attachment/ExternalReference", visit);
    }),
];

fn written<'d>(case: &Case<'_, 'd>, local: &str, fits: fn(&str) -> bool) -> Outcome<'d> {
    let element = cbc(case.at, local).next();
    let value = normal(cbc(case.at, local).collect())?;
    Ok(RuleVerdict::of(fits(&value)).element(element).found(value))
}

/// Three digits at least.
pub(crate) fn is_telephone(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() >= 3
}

/// One `@` with something before it, and a domain of two parts at least; no white space.
pub(crate) fn is_mail(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    let parts: Vec<&str> = domain.split('.').collect();
    !name.is_empty()
        && !text.contains(SPACE)
        && !domain.contains('@')
        && parts.len() > 1
        && parts.iter().all(|part| !part.is_empty())
}

/// As [`is_mail`], of the characters that are usual in mail addresses.
pub(crate) fn is_strict_mail(text: &str) -> bool {
    const SIGNS: &[u8] = b"!#$%&\"*+/=?^_`{|}~-";
    let Some((name, domain)) = text.split_once('@') else { return false };
    let is_word = |part: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || SIGNS.contains(&byte);
        !part.is_empty() && part.bytes().all(fits)
    };
    let is_label = |part: &str| {
        let is_end = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
        is_end(part.bytes().next())
            && is_end(part.bytes().next_back())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    name.split('.').all(is_word) && domain.contains('.') && domain.split('.').all(is_label)
}

/// A scheme of two characters or more, and a colon, at the beginning.
pub(crate) fn is_absolute(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte);
    let begins = scheme.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    begins && scheme.len() > 1 && scheme.bytes().all(fits)
}

fn document_address<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let address = text(cbc(case.at, "URI").collect())?;
    Ok(RuleVerdict::of(is_absolute(&address)).found(address))
}

/// A line of cash discount: `#SKONTO#TAGE=14#PROZENT=2.25#`, with `BASISBETRAG=100.00#` or without.
pub(crate) fn is_discount(line: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    // A number with two decimals and what comes after it.
    let number = |text: &str| -> Option<usize> {
        let whole = digits(text);
        let rest = text.get(whole..)?.strip_prefix('.')?;
        (whole > 0 && digits(rest) == 2).then_some(whole + 3)
    };
    let read = || -> Option<bool> {
        let rest = line.strip_prefix("#SKONTO#TAGE=")?;
        let days = digits(rest);
        let rest = rest.get(days..)?.strip_prefix("#PROZENT=")?;
        let rest = rest.get(number(rest)?..)?;
        let rest = match rest.strip_prefix("#BASISBETRAG=") {
            Some(base) => {
                let base = base.strip_prefix('-').unwrap_or(base);
                base.get(number(base)?..)?
            }
            None => rest,
        };
        Some(days > 0 && rest == "#")
    };
    read().unwrap_or_default()
}

/// The line ends with a cash discount, whatever stands before it.
pub(crate) fn ends_with_discount(line: &str) -> bool {
    line.match_indices("#SKONTO#").any(|(at, _)| line.get(at..).is_some_and(is_discount))
}

/// The first note of each group of payment terms.
fn notes<'d>(case: &Case<'_, 'd>) -> Vec<Element<'d>> {
    cac(case.at, "PaymentTerms").filter_map(|terms| cbc(terms, "Note").next()).collect()
}

/// Every line that begins with `#` is a cash discount, and the last one ends.
fn discounts<'d>(case: &Case<'_, 'd>, is_one: fn(&str) -> bool) -> Outcome<'d> {
    let notes = notes(case);
    for note in &notes {
        let whole = string(*note);
        for line in whole.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)) {
            let line = normalize(line.into());
            if !line.starts_with('#') {
                continue;
            }
            let ends = || last_line_ends(&notes);
            if !all_of([&|| Ok(is_one(&line)), &ends])? {
                let line = line.into_owned();
                return Ok(RuleVerdict::broken().element(Some(*note)).found(line));
            }
        }
    }
    Ok(RuleVerdict::Holds)
}

/// After the last `#…#` comes white space with the end of a line.
fn last_line_ends<'d>(notes: &[Element<'d>]) -> Read<'d, bool> {
    let mut filled = notes.iter().filter(|note| !string(**note).is_empty());
    let (note, second) = (filled.next(), filled.next());
    if let Some(second) = second {
        return Err(Unreadable::several(*second));
    }
    let whole = note.map(|note| string(*note)).unwrap_or_default();
    let rest = after_last_entry(&whole);
    Ok(rest.chars().take_while(|own| SPACE.contains(own)).any(|own| own == '\n'))
}

/// What comes after the last `#.+#` of a line, each as long as it can be.
pub(crate) fn after_last_entry(text: &str) -> &str {
    let mut start = 0;
    let mut rest = text;
    for line in text.split_inclusive('\n') {
        let inner = line.strip_suffix('\n').unwrap_or(line);
        if let (Some(first), Some(last)) = (inner.find('#'), inner.rfind('#'))
            && last > first + 1
        {
            rest = text.get(start + last + 1..).unwrap_or_default();
        }
        start += line.len();
    }
    rest
}
