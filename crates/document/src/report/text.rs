//! A report for people who read a terminal: what is wrong, where, what was expected, and who can
//! put it right.

use std::fmt::{self, Display, Formatter, Write};

use super::{Coming, Difference, Finding, Flag, Report};

#[cfg(test)]
mod tests;

/// Columns of a terminal.
const WIDTH: usize = 100;
/// Indentation of what belongs to a finding.
const INDENT: usize = 6;

/// A report under the name of its file.
#[derive(Debug, Clone, Copy)]
pub struct Text<'r> {
    /// What the document is called: a path, or `-`.
    pub name: &'r str,
    /// The report.
    pub report: &'r Report,
    /// Whether to set off verdict and flags with ANSI colours.
    pub colour: bool,
    /// Only the line of the verdict.
    pub brief: bool,
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let verdict = match report.is_valid() {
            true => self.paint("32", "valid"),
            false => self.paint("1;31", "NOT VALID"),
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
            writeln!(f, "  … and {} further findings", report.omitted)?;
        }
        for coming in report.coming.iter().filter(|coming| !coming.findings.is_empty()) {
            self.coming(f, coming)?;
        }
        if !report.differences.is_empty() {
            writeln!(f, "  built-in and official rules differ:")?;
        }
        report.differences.iter().try_for_each(|found| difference(f, found))
    }
}

/// What the document was taken for, and by which rules it was judged.
fn what(report: &Report) -> String {
    let detection = &report.detection;
    let title = match (detection.profile(), detection.syntax) {
        (Some(profile), _) => profile.title,
        (None, Some(syntax)) => syntax.title(),
        (None, None) => "unknown format",
    };
    match &report.rule_sets[..] {
        [] => title.to_owned(),
        sets => format!("{title} · {}", sets.join(", ")),
    }
}

fn counts(report: &Report) -> String {
    let mut text = String::new();
    for (flag, one, more) in [
        (Flag::Fatal, "error", "errors"),
        (Flag::Warning, "warning", "warnings"),
        (Flag::Information, "remark", "remarks"),
    ] {
        match report.count(flag) {
            0 => {}
            1 => text.push_str(&format!(" · 1 {one}")),
            many => text.push_str(&format!(" · {many} {more}")),
        }
    }
    text
}

impl Text<'_> {
    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn finding(&self, f: &mut Formatter<'_>, finding: &Finding) -> fmt::Result {
        let colour = match finding.flag {
            Flag::Fatal => "1;31",
            Flag::Warning => "33",
            Flag::Information => "36",
        };
        let flag = self.paint(colour, finding.flag.as_str());
        let rule = self.paint("1", &OneLine(&finding.rule).to_string());
        write!(f, "\n  {flag} {rule}")?;
        match (&finding.rule_set, &finding.terms[..]) {
            (Some(set), _) => writeln!(f, "  ({set})")?,
            (None, []) => writeln!(f)?,
            (None, terms) => writeln!(f, "  ({})", terms.join(", "))?,
        }
        wrap(f, INDENT, &finding.message)?;
        for diagnostic in finding.assertion.iter().flat_map(|assertion| &assertion.diagnostics) {
            wrap(f, INDENT, diagnostic)?;
        }
        if let Some(place) = &finding.location {
            let (line, column) = (place.line, place.column);
            let xpath = OneLine(&place.xpath);
            writeln!(f, "      at        line {line}, column {column}  {xpath}")?;
        }
        if let Some(value) = &finding.value {
            writeln!(f, "      found     {}", OneLine(value))?;
        }
        if let Some(expected) = &finding.expected {
            writeln!(f, "      expected  {}", OneLine(expected))?;
        }
        if finding.flag != Flag::Information {
            writeln!(f, "      to mend   {}", finding.fix_by.as_str())?;
        }
        if let Some(command) = finding.explained_by() {
            writeln!(f, "      more      {}", OneLine(&command))?;
        }
        Ok(())
    }

    fn coming(&self, f: &mut Formatter<'_>, coming: &Coming) -> fmt::Result {
        let (set, day) = (&coming.rule_set, coming.from);
        let verdict = match coming.refuses() {
            true => self.paint("1;33", &format!("will be refused from {day}")),
            false => format!("will get new warnings from {day}"),
        };
        writeln!(f, "\n  {verdict} by {set}:")?;
        coming.findings.iter().try_for_each(|finding| self.finding(f, finding))
    }
}

fn difference(f: &mut Formatter<'_>, found: &Difference) -> fmt::Result {
    let Difference { rule, builtin, official } = found;
    match builtin {
        Some(builtin) => writeln!(f, "    {rule}: built-in {builtin}, official {official}"),
        None => writeln!(f, "    {rule}: no built-in rule, official {official}"),
    }
}

/// A text on one line, without the control characters that would change a terminal.
struct OneLine<'t>(&'t str);

impl Display for OneLine<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| f.write_char(if harmless(c) { c } else { '\u{fffd}' }))
    }
}

/// Neither a control character nor one that reorders what is written around it.
fn harmless(c: char) -> bool {
    let reorders =
        matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}'..='\u{2029}');
    !c.is_control() && !reorders
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
