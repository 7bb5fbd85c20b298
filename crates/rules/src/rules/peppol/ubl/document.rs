//! Rules of the document: process, identifiers, currencies, totals of VAT, type codes, days.

use quoin_xml::tree::Element;

use super::paths::at;
use crate::rules::peppol::reading::own_text;
use crate::rules::values::{
    Read, all_of, any_of, cac, cbc, normalized, number, one, some_double, string, text,
};
use crate::rules::{Case, Outcome, Rule, RuleVerdict};
use quoin_model::{Patch, PatchKind};

/// What every release and both profiles have.
pub(crate) const RULES: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R005", r005),
    Rule::new("PEPPOL-EN16931-R054", r054),
    Rule::new("PEPPOL-EN16931-R055", r055),
    Rule::new("PEPPOL-EN16931-F001", f001),
];

/// Billing, November 2025.
pub(crate) const BILLING_2025_11: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R007", |case| process(case, numbered_billing, BILLING)),
    Rule::new("PEPPOL-EN16931-P0100", |case| {
        type_code(case, numbered_billing, &["01"], INVOICE_CODES)
    }),
    Rule::new("PEPPOL-EN16931-P0101", |case| {
        type_code(case, numbered_billing, &["01"], CREDIT_NOTE_CODES)
    }),
];

/// Billing, May 2026.
pub(crate) const BILLING_2026_05: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R004", |case| specification(case, "billing")),
    Rule::new("PEPPOL-EN16931-R007", |case| process(case, listed_billing, BILLING)),
    Rule::new("PEPPOL-EN16931-P0100", |case| {
        type_code(case, listed_billing, &["01", "02"], INVOICE_CODES)
    }),
    Rule::new("PEPPOL-EN16931-P0101", |case| {
        type_code(case, listed_billing, &["01", "02"], CREDIT_NOTE_CODES)
    }),
];

/// Self-billing, March 2026.
pub(crate) const SELF_BILLING_2026_03: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R007", |case| process(case, numbered_self, SELF_BILLING)),
    Rule::new("PEPPOL-EN16931-P0100", |case| {
        type_code(case, numbered_self, &["01"], SELF_INVOICE_CODES)
    }),
    Rule::new("PEPPOL-EN16931-P0101", |case| {
        type_code(case, numbered_self, &["01"], SELF_CREDIT_NOTE_CODES)
    }),
];

/// Self-billing, May 2026.
pub(crate) const SELF_BILLING_2026_05: &[Rule] = &[
    Rule::new("PEPPOL-EN16931-R004", |case| specification(case, "selfbilling")),
    Rule::new("PEPPOL-EN16931-R007", |case| process(case, listed_self, SELF_BILLING)),
    Rule::new("PEPPOL-EN16931-P0100", |case| {
        type_code(case, listed_self, &["01"], SELF_INVOICE_CODES)
    }),
    Rule::new("PEPPOL-EN16931-P0101", |case| {
        type_code(case, listed_self, &["01"], SELF_CREDIT_NOTE_CODES)
    }),
];

/// The process of BIS Billing 3.
pub(crate) const BILLING: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
/// The process of BIS Self-Billing 3.
pub(crate) const SELF_BILLING: &str = "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0";
/// Processes of France, which both profiles take.
const FRENCH: &[&str] =
    &["urn:peppol:france:billing:regulated", "urn:peppol:france:billing:non-regulated"];
/// The process with a response, which both profiles take.
const WITH_RESPONSE: &str = "urn:peppol:bis:billing_with_response";

/// Type codes of invoices.
#[rustfmt::skip]
pub(crate) const INVOICE_CODES: &[&str] = &[
    "71", "80", "82", "84", "102", "218", "219", "326", "331", "380", "382", "383", "384", "386",
    "388", "393", "395", "553", "575", "623", "780", "817", "870", "875", "876", "877",
];
/// Type codes of credit notes.
pub(crate) const CREDIT_NOTE_CODES: &[&str] = &["381", "396", "81", "83", "532"];
const SELF_INVOICE_CODES: &[&str] = &["389", "527"];
const SELF_CREDIT_NOTE_CODES: &[&str] = &["261"];

/// The number of a process by its identifier; `None` for one that is not known.
pub(crate) type Processes = fn(&str) -> Option<&str>;

/// Whether a text of fixed length stands in another, where `.` is any character and `#` a digit:
/// the official expression does not escape its points.
fn stands_in(text: &str, shape: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let shape: Vec<char> = shape.chars().collect();
    let fits = |(own, wanted): (&char, &char)| match wanted {
        '.' => true,
        '#' => own.is_ascii_digit(),
        _ => own == wanted,
    };
    letters.windows(shape.len()).any(|part| part.iter().zip(&shape).all(fits))
}

/// The number is the seventh part, wherever the identifier stands in the text.
fn numbered<'t>(text: &'t str, shape: &str) -> Option<&'t str> {
    let number = || text.split(':').nth(6).filter(|number| *number != "Unknown");
    stands_in(text, shape).then(number).flatten()
}

/// As [`numbered`], with what stands for a number where there are fewer parts.
pub(crate) fn numbered_at<'t>(text: &'t str, shape: &str, missing: &'t str) -> Option<&'t str> {
    stands_in(text, shape).then(|| text.split(':').nth(6).unwrap_or(missing))
}

/// Processes of billing until May 2026.
pub(crate) fn numbered_billing(text: &str) -> Option<&str> {
    numbered(text, "urn:fdc:peppol.eu:2017:poacc:billing:##:1.0")
}

fn numbered_self(text: &str) -> Option<&str> {
    numbered(text, "urn:fdc:peppol.eu:2017:poacc:selfbilling:##:1.0")
}

fn listed(text: &str, own: &str) -> Option<&'static str> {
    match text {
        WITH_RESPONSE => Some("02"),
        _ => (text == own || FRENCH.contains(&text)).then_some("01"),
    }
}

/// Processes of billing from May 2026 on.
pub(crate) fn listed_billing(text: &str) -> Option<&str> {
    listed(text, BILLING)
}

fn listed_self(text: &str) -> Option<&str> {
    listed(text, SELF_BILLING)
}

fn r005<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let currencies = case.at.parent().into_iter().flat_map(|up| cbc(up, "DocumentCurrencyCode"));
    let own = own_text(vec![case.at])?;
    let holds = own != own_text(currencies.take(2).collect())?;
    Ok(RuleVerdict::of(holds).found(own))
}

fn specification<'d>(case: &Case<'_, 'd>, name: &str) -> Outcome<'d> {
    let ids = at(case.at, "cbc:CustomizationID");
    let (found, text) = (ids.first().copied(), own_text(ids)?);
    let start = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:";
    let rest = text.strip_prefix(start).and_then(|rest| rest.strip_prefix(name));
    let holds = rest.is_some_and(|rest| rest.starts_with(":3.0")) && !text.contains("::");
    if holds {
        return Ok(RuleVerdict::Holds);
    }
    let expected = format!("{start}{name}:3.0");
    let patch = Patch {
        xpath: "cbc:CustomizationID".to_owned(),
        kind: PatchKind::SetText,
        value: expected.clone(),
    };
    let verdict = RuleVerdict::broken().element(found).found(text).expected(expected);
    Ok(if found.is_some() { verdict.patch(patch) } else { verdict })
}

fn process<'d>(case: &Case<'_, 'd>, known: Processes, usual: &'static str) -> Outcome<'d> {
    let found = one(cbc(case.root(), "ProfileID"))?;
    let text = found.map_or("".into(), normalized);
    if known(&text).is_some() {
        return Ok(RuleVerdict::Holds);
    }
    let verdict = RuleVerdict::broken().found(text).expected(usual);
    let kind = if found.is_some() { PatchKind::SetText } else { PatchKind::Insert };
    let patch = Patch { xpath: "cbc:ProfileID".to_owned(), kind, value: usual.to_owned() };
    Ok(verdict.element(found).patch(patch))
}

pub(crate) fn type_code<'d>(
    case: &Case<'_, 'd>,
    known: Processes,
    numbers: &[&str],
    codes: &'static [&'static str],
) -> Outcome<'d> {
    let other_process = || {
        let id = one(cbc(case.root(), "ProfileID"))?.map_or("".into(), normalized);
        Ok(!known(&id).is_some_and(|number| numbers.contains(&number)))
    };
    let listed = || Ok(codes.contains(&&*own_text(vec![case.at])?));
    Ok(match any_of([&listed, &other_process])? {
        true => RuleVerdict::Holds,
        false => RuleVerdict::broken().found(normalized(case.at)).expected(codes.join(", ")),
    })
}

fn r054<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let is_bare = |total: &Element<'d>| cac(*total, "TaxSubtotal").next().is_none();
    let bare: Vec<_> = cac(case.at, "TaxTotal").filter(is_bare).collect();
    let wanted = usize::from(cbc(case.at, "TaxCurrencyCode").next().is_some());
    let element = if wanted == 0 { bare.first() } else { bare.get(1) };
    Ok(RuleVerdict::of(bare.len() == wanted).element(element.copied()))
}

/// Both totals of VAT are nought or less, or both nought or more.
fn r055<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    if cbc(case.at, "TaxCurrencyCode").next().is_none() {
        return Ok(RuleVerdict::Holds);
    }
    let some = |local: &'static str, is: fn(f64) -> bool| -> Read<'d, bool> {
        let amounts = at(case.at, "TaxTotal/cbc:TaxAmount");
        let mut wanted = Vec::new();
        for amount in amounts {
            let currency = one(cbc(case.at, local))?.map_or("".into(), normalized);
            if amount.attribute("currencyID") == Some(&currency) {
                wanted.push(amount);
            }
        }
        some_double(wanted.into_iter(), is)
    };
    let both = |is: fn(f64) -> bool| {
        all_of([&|| some("TaxCurrencyCode", is), &|| some("DocumentCurrencyCode", is)])
    };
    Ok(RuleVerdict::of(any_of([&|| both(|tax| tax <= 0.0), &|| both(|tax| tax >= 0.0)])?))
}

fn f001<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let has_ten = || Ok(text::own(case.at)?.chars().count() == 10);
    let holds = all_of([&has_ten, &|| Ok(number::date(&string(case.at)).is_some())])?;
    Ok(RuleVerdict::of(holds).found(string(case.at)).expected("YYYY-MM-DD"))
}
