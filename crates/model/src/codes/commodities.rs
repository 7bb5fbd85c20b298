//! Codes of goods (Harmonised System) of twelve digits, as invoices of Oman have them.
//!
//! They are kept as runs of numbers, which `cargo xtask subsets` generates from the official file.

use std::sync::LazyLock;

/// Four digits of a heading, then runs of the other eight.
const RUNS: &str = include_str!("commodities.txt");
/// Digits of a code.
const DIGITS: usize = 12;
/// What a heading counts.
const HEADING: u64 = 100_000_000;

/// First and last number of each run, in order.
static TABLE: LazyLock<Vec<(u64, u64)>> = LazyLock::new(|| {
    let lines = RUNS.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' '))
        .flat_map(|(heading, runs)| {
            let heading = heading.parse().unwrap_or(0) * HEADING;
            runs.split(' ').filter_map(move |run| {
                let (first, more) = run.split_once('-').unwrap_or((run, "0"));
                let first = heading + first.parse::<u64>().ok()?;
                Some((first, first + more.parse::<u64>().ok()?))
            })
        })
        .collect()
});

/// Whether a text is a code: exactly so.
pub fn has(text: &str) -> bool {
    let is_code = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(number) = is_code.then(|| text.parse::<u64>().ok()).flatten() else { return false };
    let after = TABLE.partition_point(|(first, _)| *first <= number);
    after.checked_sub(1).and_then(|at| TABLE.get(at)).is_some_and(|(_, last)| number <= *last)
}

#[cfg(test)]
mod tests {
    use super::{TABLE, has};

    #[test]
    fn every_run_is_read_and_looked_up() {
        let codes: u64 = TABLE.iter().map(|(first, last)| last - first + 1).sum();
        assert_eq!(codes, 14_313);
        assert!(TABLE.windows(2).all(|pair| pair[0].1 < pair[1].0));
        for (first, last) in TABLE.iter() {
            assert!(has(&format!("{first:012}")) && has(&format!("{last:012}")));
        }
    }

    #[test]
    fn other_texts_are_no_codes() {
        for text in
            ["", "999999999999", "84011000000", "8401100000000", "8401 1000000", "+84011000000"]
        {
            assert!(!has(text), "{text}");
        }
    }
}
