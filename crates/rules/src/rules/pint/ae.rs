//! The United Arab Emirates: VAT with a category for profit margins (N), and kinds of transaction
//! as eight bits.

mod document;
mod parties;
mod subtotals;

use std::borrow::Cow;

use quoin_xml::tree::Element;

use super::paths::{some_text, text};
use crate::rules::values::{Read, cbc, string};
use crate::rules::{Case, Rule};

/// All of them; self-billing has the same.
pub(super) const RULES: &[&[Rule]] = &[document::RULES, parties::RULES, subtotals::RULES];

/// Kinds of transaction, by their place among the bits.
#[derive(Debug, Clone, Copy)]
enum EmiratesTransaction {
    FreeZone = 0,
    Deemed = 1,
    Margin = 2,
    Summary = 3,
    Agent = 5,
    Commerce = 6,
    Export = 7,
}

/// The eight bits of the document, empty where they are not eight bits.
fn bits<'d>(root: Element<'d>) -> Read<'d, Cow<'d, str>> {
    let code = super::paths::raw(root, "ProfileExecutionID")?;
    let is_code = code.len() == 8 && code.bytes().all(|bit| matches!(bit, b'0' | b'1'));
    Ok(if is_code { code } else { Cow::Borrowed("") })
}

/// Whether the document is of a kind: this bit is set, whatever the others say.
fn is_kind<'d>(root: Element<'d>, kind: EmiratesTransaction) -> Read<'d, bool> {
    Ok(bits(root)?.as_bytes().get(kind as usize) == Some(&b'1'))
}

/// Whether the type of the document is one of some codes.
fn is_type(root: Element<'_>, codes: &[&str]) -> bool {
    let is = |local| some_text(root, local, |code| codes.contains(&code));
    is("InvoiceTypeCode") || is("CreditNoteTypeCode")
}

/// Whether the first component of a name has a text.
fn is_code(case: &Case<'_, '_>, local: &str, code: &str) -> bool {
    cbc(case.at, local).any(|own| string(own) == code)
}

/// `normalize-space(cbc:ID)` of a category.
fn code_of<'d>(category: Element<'d>) -> Read<'d, Cow<'d, str>> {
    text(category, "ID")
}
