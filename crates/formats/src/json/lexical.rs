//! What a text of a member looks like: what the reader takes, and what the schema says of it.
//!
//! Source: XML Schema part 2 (`decimal`, `date`, `base64Binary`), to which every value goes that is
//! written in UBL or CII.

use quoin_model::text::SPACE;
use quoin_xml::base64;

use super::form::TextForm;

/// What is expected where a text has not the form of its member; `None` where it has.
pub(super) fn unlike(form: TextForm, text: &str) -> Option<&'static str> {
    let (is_so, expected) = match form {
        TextForm::Plain => return None,
        TextForm::Day => (quoin_model::text::date(text).is_some(), "a day such as 2026-05-18"),
        TextForm::Decimal => (is_decimal(text), "a number such as 12.50"),
        TextForm::Base64 => (is_base64(text), "a file in base64"),
    };
    (!is_so).then_some(expected)
}

/// Whether a text is a number without an exponent: a sign, digits, a point, and at least one digit.
pub(super) fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && is_digits(fraction) && whole.len() + fraction.len() > 0
}

/// Whether a text is a file in base64, with or without line breaks. An empty one is no file.
pub(super) fn is_base64(text: &str) -> bool {
    !text.trim_matches(SPACE).is_empty() && base64::decode(text.as_bytes()).is_ok()
}

/// The keywords of JSON Schema for a form, after the type.
///
/// Of a file the pattern says the characters only: one that counts them in fours is too much for
/// some engines where the file is large.
pub(super) const fn keywords(form: TextForm) -> &'static str {
    match form {
        TextForm::Plain => "",
        TextForm::Day => {
            ", \"format\": \"date\", \"pattern\": \
             \"^[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])\
             |(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))$\""
        }
        TextForm::Decimal => ", \"pattern\": \"^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)$\"",
        TextForm::Base64 => {
            ", \"contentEncoding\": \"base64\", \"pattern\": \
             \"^[ \\\\t\\\\r\\\\n]*[A-Za-z0-9+/][A-Za-z0-9+/ \\\\t\\\\r\\\\n]*\
             (=[ \\\\t\\\\r\\\\n]*){0,2}$\""
        }
    }
}

/// The keywords of a text that every document must say.
pub(super) const SAYS_SOMETHING: &str = ", \"pattern\": \"[^ \\\\t\\\\r\\\\n]\"";
