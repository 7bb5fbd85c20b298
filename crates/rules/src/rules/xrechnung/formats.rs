//! What a text must look like: discounts, telephone numbers, e-mail addresses, accounts, links.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use crate::rules::checksums::{has_digits, iban, is_digits};
use crate::rules::values::{Read, SPACE, normalize, normalized, one};
use crate::rules::{Outcome, RuleVerdict, Unreadable};

/// `normalize-space(path)`: of nothing comes an empty text.
///
/// # Errors
/// [`Unreadable`] where there are several elements.
pub(super) fn normal_of<'d>(elements: impl Iterator<Item = Element<'d>>) -> Read<'d, Cow<'d, str>> {
    Ok(one(elements)?.map_or(Cow::Borrowed(""), normalized))
}

/// Broken, or kept, at an element with its text.
pub(super) fn wrong<'d>(holds: bool, element: Option<Element<'d>>) -> RuleVerdict<'d> {
    match (holds, element) {
        (true, _) => RuleVerdict::Holds,
        (false, Some(element)) => {
            RuleVerdict::broken().found(element.text()).element(Some(element))
        }
        (false, None) => RuleVerdict::broken(),
    }
}

/// At least three digits.
pub(super) fn telephone<'d>(element: Option<Element<'d>>) -> RuleVerdict<'d> {
    let text = element.map_or(Cow::Borrowed(""), normalized);
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    wrong(digits >= 3, element)
}

/// One `@`, something before it, and a name of at least two parts after it.
pub(super) fn e_mail<'d>(element: Option<Element<'d>>) -> RuleVerdict<'d> {
    let text = element.map_or(Cow::Borrowed(""), normalized);
    let holds = text.split_once('@').is_some_and(|(name, host)| {
        let is_word = |word: &str| !word.is_empty() && !word.contains(['@', ' ']);
        is_word(name) && host.contains('.') && host.split('.').all(is_word)
    });
    wrong(holds, element)
}

/// An absolute link: a scheme of at least two characters and a colon.
pub(super) fn link<'d>(element: Option<Element<'d>>) -> RuleVerdict<'d> {
    let text = element.map_or(Cow::Borrowed(""), |own| own.string_value());
    let holds = text.split_once(':').is_some_and(|(scheme, _)| {
        let is_first = scheme.starts_with(|first: char| first.is_ascii_alphabetic());
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte);
        is_first && scheme.len() > 1 && scheme.bytes().all(is_part)
    });
    wrong(holds, element)
}

/// The account of a payment in SEPA is an IBAN.
pub(super) fn account<'d>(accounts: impl Iterator<Item = Element<'d>>) -> Outcome<'d> {
    let account = one(accounts)?;
    let text = account.map_or(Cow::Borrowed(""), |own| own.string_value());
    let verdict = wrong(iban(&text.replace(SPACE, "")), account);
    Ok(verdict.expected("an IBAN, such as DE02120300000000202051"))
}

/// Lines of terms of payment that begin with `#` are early payment discounts in a form of their
/// own, each ended by a line feed. The notes are the first of each group of terms.
pub(super) fn discounts<'d>(notes: &[Element<'d>]) -> Outcome<'d> {
    let texts: Vec<(Element<'d>, Cow<'d, str>)> =
        notes.iter().map(|note| (*note, note.string_value())).collect();
    let lines = texts.iter().flat_map(|(note, text)| text.split('\n').map(|line| (*note, line)));
    let lines = lines.map(|(note, line)| (note, normalize(Cow::Borrowed(line))));
    let mut ends = texts.iter().filter(|(_, text)| !text.is_empty());
    let (first, second) = (ends.next(), ends.next());
    let is_ended = first.is_some_and(|(_, text)| is_ended(text));
    for (note, line) in lines.filter(|(_, line)| line.starts_with('#')) {
        let found = || Ok(RuleVerdict::broken().found(line.to_string()).element(Some(note)));
        if !is_discount(&line) {
            return found();
        }
        // One text is asked for here, and there are several.
        if let Some((second, _)) = second {
            return Err(Unreadable::several(*second));
        }
        if !is_ended {
            return found();
        }
    }
    Ok(RuleVerdict::Holds)
}

/// `#SKONTO#TAGE=14#PROZENT=2.00#`, and `BASISBETRAG=123.45#` after it.
fn is_discount(line: &str) -> bool {
    let rate = || {
        let rest = line.strip_prefix("#SKONTO#TAGE=")?;
        let (days, rest) = rest.split_once("#PROZENT=")?;
        let (percent, rest) = rest.split_once('#')?;
        let base = match rest {
            "" => None,
            rest => Some(rest.strip_prefix("BASISBETRAG=")?.strip_suffix('#')?),
        };
        let base = base.map(|base| base.strip_prefix('-').unwrap_or(base));
        Some(is_digits(days) && is_cents(percent) && base.is_none_or(is_cents))
    };
    rate().unwrap_or_default()
}

fn is_cents(text: &str) -> bool {
    text.split_once('.').is_some_and(|(whole, cents)| is_digits(whole) && has_digits(cents, 2))
}

/// After the last line with two `#` and something between them comes a line feed, white space
/// apart.
fn is_ended(text: &str) -> bool {
    let mut from = 0;
    let mut at = 0;
    for line in text.split(['\n', '\r']) {
        if let (Some(first), Some(last)) = (line.find('#'), line.rfind('#'))
            && last > first + 1
        {
            from = at + last + 1;
        }
        at += line.len() + 1;
    }
    let rest = text.get(from..).unwrap_or_default();
    let blank = rest.find(|c: char| !SPACE.contains(&c)).unwrap_or(rest.len());
    rest.get(..blank).unwrap_or_default().contains('\n')
}

#[cfg(test)]
mod tests;
