//! The day that a date of either syntax says, and whether it says more.

use jiff::civil;
use quoin_model::en16931::Date;
use quoin_model::text::zoned_date;

use super::ledger::reasons::{DAY_ASSUMED, DAY_ONLY};

/// The day that a date says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenDay {
    pub day: civil::Date,
    /// Why the day is not all that the source says: there is a time or a time zone beside it, or it
    /// is not said in which form it is.
    pub changed: Option<&'static str>,
}

/// Reads a date in the form of UBL (`2026-05-18`, with or without a time and a time zone) or of CII
/// (UNTDID 2379: 102 is a day, 203 and 204 are a day with a time; without a format, eight digits
/// are a day); `None` for any other.
pub(crate) fn written_day(date: Date<'_>) -> Option<WrittenDay> {
    let text = date.trimmed();
    let format = date.format().map(|format| format.trimmed());
    let (day, changed) = match format.as_deref() {
        Some("203" | "204") => (compact(text.get(..8)?)?, Some(DAY_ONLY)),
        Some("102") if text.len() == 8 => (compact(&text)?, None),
        None if text.len() == 8 => (compact(&text)?, Some(DAY_ASSUMED)),
        None | Some("102") => {
            let day = timed_day(&text)?;
            (day, (text.len() > DAY).then_some(DAY_ONLY))
        }
        Some(_) => return None,
    };
    Some(WrittenDay { day, changed })
}

/// Characters of a day.
const DAY: usize = 10;

/// The day of a text that is an `xs:date` or an `xs:dateTime` (XML Schema part 2, sections 3.2.7
/// and 3.2.9), with or without a time zone.
fn timed_day(text: &str) -> Option<civil::Date> {
    let Some((day, time)) = text.split_once('T').filter(|(day, _)| day.len() == DAY) else {
        return zoned_date(text);
    };
    let (clock, rest) = time.split_at_checked("00:00:00".len())?;
    let fraction = rest.strip_prefix('.').map(|rest| {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest.split_at(length)
    });
    let zone = match fraction {
        Some(("", _)) => return None,
        Some((_, zone)) => zone,
        None => rest,
    };
    // A time zone is the same after a time as after a day.
    is_clock(clock).then(|| zoned_date(&format!("{day}{zone}"))).flatten()
}

/// `hh:mm:ss`; the end of the day is 24:00:00.
fn is_clock(text: &str) -> bool {
    let parts: Vec<Option<u8>> = text
        .split(':')
        .map(|part| {
            let is_number = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| part.parse().ok()).flatten()
        })
        .collect();
    matches!(parts.as_slice(), [Some(0..=23), Some(0..=59), Some(0..=59)])
        || matches!(parts.as_slice(), [Some(24), Some(0), Some(0)])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_may_have_a_time_and_a_time_zone() {
        for text in [
            "2026-05-18",
            "2026-05-18Z",
            "2026-05-18+02:00",
            "2026-05-18T00:00:00",
            "2026-05-18T23:59:59.123456789012Z",
            "2026-05-18T24:00:00-14:00",
        ] {
            assert_eq!(timed_day(text), Some(civil::date(2026, 5, 18)), "{text}");
        }
        for text in [
            "",
            "T",
            "20260518",
            "2026-02-30",
            "2026-02-30T00:00:00",
            "2026-05-18T",
            "2026-05-18T0:00:00",
            "2026-05-18T24:00:01",
            "2026-05-18T12:60:00",
            "2026-05-18T12:00:00.",
            "2026-05-18T12:00:00+25:00",
            "2026-05-18T12:00:00é",
            "2026-05-18 12:00:00",
            "2026-05-18T+1:00:00",
        ] {
            assert_eq!(timed_day(text), None, "{text}");
        }
    }
}
