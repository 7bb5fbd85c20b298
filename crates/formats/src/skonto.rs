//! A discount for early payment in the words of XRechnung, a line of the terms of payment (BT-20):
//! `#SKONTO#TAGE=14#PROZENT=2.00#BASISBETRAG=100.00#`.
//!
//! Source: XRechnung 3.0.2 on BT-20, BR-DE-18.

use std::borrow::Cow;
use std::fmt;

use quoin_model::amount::{Decimal, decimals_as_written};

/// A discount for who pays within so many days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SkontoLine<'t> {
    /// Days after the day of issue.
    pub days: u16,
    /// How many percent, with at most two decimals.
    pub percentage: Cow<'t, str>,
    /// Of which amount, where not of all.
    pub basis: Option<Cow<'t, str>>,
}

impl<'t> SkontoLine<'t> {
    /// Reads a line; `None` where it is no such discount.
    pub(crate) fn of(line: &'t str) -> Option<SkontoLine<'t>> {
        let rest = line.trim().strip_prefix("#SKONTO#TAGE=")?.strip_suffix('#')?;
        let (days, rest) = rest.split_once("#PROZENT=")?;
        let (percentage, basis) = match rest.split_once("#BASISBETRAG=") {
            Some((percentage, basis)) => (percentage, Some(basis)),
            None => (rest, None),
        };
        let is_days = (1..=4).contains(&days.len()) && days.bytes().all(|b| b.is_ascii_digit());
        let is_sound = is_days && is_cents(percentage) && basis.is_none_or(is_cents);
        is_sound.then_some(SkontoLine {
            days: days.parse().ok()?,
            percentage: percentage.into(),
            basis: basis.map(Cow::Borrowed),
        })
    }
}

/// Whether a text is a number with at most two decimals, which XRechnung asks for.
pub(crate) fn is_cents(text: &str) -> bool {
    Decimal::parse(text).is_ok() && decimals_as_written(text) <= 2
}

/// The line, with its end.
impl fmt::Display for SkontoLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "#SKONTO#TAGE={}#PROZENT={}#", self.days, self.percentage)?;
        if let Some(basis) = &self.basis {
            write!(out, "BASISBETRAG={basis}#")?;
        }
        out.write_str("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::SkontoLine;

    #[test]
    fn a_line_is_read_as_it_is_written() {
        for text in [
            "#SKONTO#TAGE=14#PROZENT=2.00#\n",
            "#SKONTO#TAGE=7#PROZENT=3.50#BASISBETRAG=-100.10#\n",
        ] {
            assert_eq!(SkontoLine::of(text).map(|line| line.to_string()).as_deref(), Some(text));
        }
        for text in [
            "",
            "2 % in 14 days",
            "#SKONTO#TAGE=#PROZENT=2.00#",
            "#SKONTO#TAGE=99999#PROZENT=2.00#",
            "#SKONTO#TAGE=14#PROZENT=2.001#",
            "#SKONTO#TAGE=14#PROZENT=x#",
            "#SKONTO#TAGE=14#PROZENT=2.00",
            "#VERZUG#TAGE=14#PROZENT=2.00#",
        ] {
            assert_eq!(SkontoLine::of(text), None, "{text}");
        }
    }
}
