//! The day of issue of any document: by it a document is judged by the rules of its own time.

use jiff::civil::Date;
use quoin_xml::tree::Element;

use crate::{ElementPath, SYNTAXES, Syntax};

/// The day of issue, where the row of its syntax says that it stands; `None` where there is none,
/// or what is there is no day.
pub(crate) fn issue_date(root: Element<'_>, syntax: Syntax) -> Option<Date> {
    let places = SYNTAXES.iter().flat_map(|row| row.issued);
    let mut own = places.filter(|(of, _)| *of == syntax);
    own.find_map(|(_, path)| day(&quoin_model::text::trimmed(at(root, path)?)))
}

/// The first element at the end of a path.
fn at<'d>(root: Element<'d>, path: ElementPath) -> Option<Element<'d>> {
    path.iter().try_fold(root, |place, step| place.elements().find(|own| own.local() == *step))
}

/// `2026-05-31`, with a time or a time zone too, or `20260531` with or without a time after it.
fn day(text: &str) -> Option<Date> {
    if let Some((date, zone)) = text.split_at_checked(10)
        && (zone.is_empty() || zone.starts_with(['Z', '+', '-', 'T']))
        && let Some(date) = quoin_model::text::date(date)
    {
        return Some(date);
    }
    let (digits, _) = text.split_at_checked(8)?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}
