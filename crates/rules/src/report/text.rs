//! A report for people who read a terminal: what is wrong, where, what was expected, and who can
//! put it right.

use std::fmt::{self, Display, Formatter, Write};

use super::words::{self, counted};
use super::{Coming, Difference, Finding, Flag, Report, Verdict};
use quoin_model::text::is_plain;
use quoin_model::vocabulary::{TO_FIX, Word, fix_by, flag};

#[cfg(test)]
mod tests;

/// Columns of a terminal.
const WIDTH: usize = 100;
/// Indentation of what belongs to a finding.
const INDENT: usize = 6;

/// A report under the name of its file.
#[derive(Debug, Clone, Copy)]
pub struct ReportText<'r> {
    /// What the document is called: a path, or `-`.
    pub name: &'r str,
    /// The report.
    pub report: &'r Report,
    /// Whether to set off verdict and flags with ANSI colours.
    pub colour: bool,
    /// Only the line of the verdict.
    pub brief: bool,
}

impl Display for ReportText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let verdict = report.verdict();
        let word = words::verdict(verdict, report.language);
        let verdict = match verdict {
            Verdict::Valid => self.paint("32", word),
            Verdict::Unroutable | Verdict::NotJudged => self.paint("33", word),
            Verdict::NotValid => self.paint("1;31", &word.to_uppercase()),
        };
        write!(f, "{}: {verdict}", OneLine(self.name))?;
        writeln!(f, " · {}{}", what(report), counts(report))?;
        if self.brief {
            return Ok(());
        }
        for finding in &report.findings {
            self.finding(f, finding)?;
        }
        if report.omitted > 0 {
            let further = self.word(words::FURTHER).replace("{}", &report.omitted.to_string());
            writeln!(f, "  … {further}")?;
        }
        for coming in report.coming.iter().filter(|coming| !coming.findings.is_empty()) {
            self.coming(f, coming)?;
        }
        if !report.differences.is_empty() {
            writeln!(f, "  {}:", self.word(words::DIFFER))?;
        }
        report.differences.iter().try_for_each(|found| self.difference(f, found))
    }
}

/// What the document was taken for, and by which rules it was judged.
fn what(report: &Report) -> String {
    let detection = &report.detection;
    let title = detection.profile().map(|profile| profile.title).or_else(|| detection.title());
    let title = title.unwrap_or_else(|| words::UNKNOWN.in_language(report.language));
    match &report.rule_sets[..] {
        [] => title.to_owned(),
        sets => format!("{title} · {}", sets.join(", ")),
    }
}

fn counts(report: &Report) -> String {
    let mut text = String::new();
    for flag in [Flag::Fatal, Flag::Warning, Flag::Information] {
        match report.count(flag) {
            0 => {}
            count => text.push_str(&format!(" · {}", counted(flag, count, report.language))),
        }
    }
    text
}

impl ReportText<'_> {
    fn word(&self, word: Word) -> &'static str {
        word.in_language(self.report.language)
    }

    /// A label of a finding, and the space behind it.
    fn label(&self, word: Word) -> String {
        format!("      {:<9} ", self.word(word))
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn finding(&self, f: &mut Formatter<'_>, finding: &Finding) -> fmt::Result {
        let colour = match finding.flag {
            Flag::Fatal => "1;31",
            Flag::Warning => "33",
            Flag::Information => "36",
        };
        let flag = self.paint(colour, self.word(flag(finding.flag)));
        let rule = self.paint("1", &OneLine(&finding.rule).to_string());
        write!(f, "\n  {flag} {rule}")?;
        match (&finding.rule_set, &finding.terms[..]) {
            (Some(set), _) => writeln!(f, "  ({set})")?,
            (None, []) => writeln!(f)?,
            (None, terms) => writeln!(f, "  ({})", terms.join(", "))?,
        }
        wrap(f, INDENT, &finding.message)?;
        if let Some(day) = finding.fatal_from {
            wrap(f, INDENT, &self.word(words::FATAL_FROM).replace("{}", &day.to_string()))?;
        }
        for diagnostic in finding.assertion.iter().flat_map(|assertion| &assertion.diagnostics) {
            wrap(f, INDENT, diagnostic)?;
        }
        if let Some(place) = &finding.location {
            let (line, column) = (place.line, place.column);
            let xpath = OneLine(&place.xpath);
            let place = self.word(words::PLACE).replacen("{}", &line.to_string(), 1);
            let place = place.replacen("{}", &column.to_string(), 1);
            writeln!(f, "{}{place}  {xpath}", self.label(words::AT))?;
        }
        if let Some(value) = &finding.value {
            writeln!(f, "{}{}", self.label(words::FOUND), OneLine(value))?;
        }
        if let Some(expected) = &finding.expected {
            writeln!(f, "{}{}", self.label(words::EXPECTED), OneLine(expected))?;
        }
        if finding.flag != Flag::Information {
            let who = self.word(fix_by(finding.fix_by));
            writeln!(f, "{}{who}", self.label(TO_FIX))?;
        }
        if let Some(command) = finding.explained_by() {
            writeln!(f, "{}{}", self.label(words::MORE), OneLine(&command))?;
        }
        Ok(())
    }

    fn coming(&self, f: &mut Formatter<'_>, coming: &Coming) -> fmt::Result {
        let (set, day) = (&coming.rule_set, coming.from.to_string());
        let verdict = match coming.refuses() {
            true => self.paint("1;33", &self.word(words::REFUSED_FROM).replace("{}", &day)),
            false => self.word(words::WARNED_FROM).replace("{}", &day),
        };
        writeln!(f, "\n  {verdict} {}:", self.word(words::BY).replace("{}", set))?;
        coming.findings.iter().try_for_each(|finding| self.finding(f, finding))
    }

    fn difference(&self, f: &mut Formatter<'_>, found: &Difference) -> fmt::Result {
        let language = self.report.language;
        writeln!(f, "    {}: {}", found.rule, words::difference(found, language))
    }
}

/// A text on one line, without the control characters that would change a terminal.
struct OneLine<'t>(&'t str);

impl Display for OneLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| f.write_char(if is_plain(c) { c } else { '\u{fffd}' }))
    }
}

/// Writes words in lines of at most [`WIDTH`] columns.
fn wrap(f: &mut Formatter<'_>, indent: usize, text: &str) -> fmt::Result {
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            writeln!(f)?;
            column = 0;
        }
        match column {
            0 => {
                write!(f, "{:indent$}", "")?;
                column = indent;
            }
            _ => {
                f.write_char(' ')?;
                column += 1;
            }
        }
        write!(f, "{}", OneLine(word))?;
        column += length;
    }
    if column > 0 { writeln!(f) } else { Ok(()) }
}
