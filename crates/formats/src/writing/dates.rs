//! The day that a date of either syntax says, and whether it says more.

use jiff::civil;
use quoin_model::en16931::Date;
use quoin_model::text::zoned_date;

/// The day that a date says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenDay {
    pub day: civil::Date,
    /// Whether the source says more than the day: a time, or a time zone.
    pub has_more: bool,
}

/// Reads a date in the form of UBL (`2026-05-18`, with or without a time zone) or of CII (UNTDID
/// 2379: 102 is a day, 203 and 204 are a day with a time); `None` for any other.
pub(crate) fn written_day(date: Date<'_>) -> Option<WrittenDay> {
    let text = date.trimmed();
    let format = date.format().map(|format| format.trimmed());
    match format.as_deref() {
        Some("203" | "204") => {
            compact(text.get(..8)?).map(|day| WrittenDay { day, has_more: true })
        }
        Some("102") if text.len() == 8 => {
            compact(&text).map(|day| WrittenDay { day, has_more: false })
        }
        None | Some("102") => {
            zoned_date(&text).map(|day| WrittenDay { day, has_more: text.len() > 10 })
        }
        Some(_) => None,
    }
}

/// `YYYYMMDD`.
fn compact(text: &str) -> Option<civil::Date> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<i16>().ok();
    let (year, month, day) = (part(0..4)?, part(4..6)?, part(6..8)?);
    civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}
