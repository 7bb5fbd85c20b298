//! The codes of goods that invoices of Oman may have: `crates/model/src/codes/commodities.txt`.
//!
//! There are more of them than of all other codes together, and they are numbers: so they are kept
//! as runs, and not among the code lists.

use std::fmt::Write as _;
use std::path::Path;

use super::schematron;
use crate::codes::MARK;

/// Where the file goes.
pub const FILE: &str = "crates/model/src/codes/commodities.txt";
/// The official file, below the corpora.
const SOURCE: &str = "pint/pint-om/trn-creditnote/schematron/PINT-jurisdiction-aligned-rules.sch";
/// The rule that has the codes, as texts of its variables `codes01` and on.
const RULE: &str = "CL-08-OM-HS";
/// Digits of a code, and those of them that a line of the file begins with.
const DIGITS: usize = 12;
const HEADING: usize = 4;

/// Makes the file.
///
/// # Errors
/// A sentence that says what cannot be read.
pub fn text(corpora: &Path) -> Result<String, String> {
    let schema = schematron::read(&corpora.join(SOURCE))?;
    let rules = schema.patterns.iter().flat_map(|pattern| &pattern.rules);
    let mut with_codes = rules.filter(|rule| rule.asserts.iter().any(|assert| assert.id == RULE));
    let rule = with_codes.next().ok_or_else(|| format!("{SOURCE}: no rule {RULE}"))?;
    let lists = rule.lets.iter().filter(|(name, _)| name.starts_with("codes"));
    let codes = lists.flat_map(|(_, value)| value.trim_matches('\'').split_whitespace());
    runs(codes.map(str::to_owned).collect())
}

/// Writes codes as runs, a line for each heading.
fn runs(mut codes: Vec<String>) -> Result<String, String> {
    codes.sort();
    codes.dedup();
    let mut out = format!(
        "{}# Codes of goods (Harmonised System) of PINT Oman 1.0.1: four digits, then eight of \
         each code;\n# 00000001-3 is that one and the next three.",
        MARK.replace("//", "#")
    );
    let (mut heading, mut last, mut more) = (String::new(), 0_u64, 0_u32);
    for code in &codes {
        let number: u64 = code.parse().map_err(|_| format!("{RULE}: {code} is no number"))?;
        if code.len() != DIGITS {
            return Err(format!("{RULE}: {code} has not {DIGITS} digits"));
        }
        let (own, rest) = code.split_at(HEADING);
        if own == heading && number == last + 1 {
            (last, more) = (number, more + 1);
            continue;
        }
        end_run(&mut out, more);
        let start = if own == heading { " ".to_owned() } else { format!("\n{own} ") };
        let _ = write!(out, "{start}{rest}");
        (heading, last, more) = (own.to_owned(), number, 0);
    }
    end_run(&mut out, more);
    out.push('\n');
    Ok(out)
}

fn end_run(out: &mut String, more: u32) {
    if more > 0 {
        let _ = write!(out, "-{more}");
    }
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn codes_in_a_row_are_one_run() {
        let codes = ["010200000001", "010100000000", "010100000001", "010100000003"];
        let text = runs(codes.map(str::to_owned).to_vec()).unwrap();
        let lines: Vec<&str> = text.lines().skip(3).collect();
        assert_eq!(lines, ["0101 00000000-1 00000003", "0102 00000001"]);
    }

    #[test]
    fn what_is_no_code_is_told() {
        assert!(runs(vec!["12".to_owned()]).is_err());
        assert!(runs(vec!["01010000000x".to_owned()]).is_err());
    }
}
