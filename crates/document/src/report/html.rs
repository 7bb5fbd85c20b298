//! Reports as one page that needs nothing else: no script, no font, no picture from anywhere.
//!
//! The page is written in three parts, so that a batch of any number of documents is written while
//! it runs: [`Head`], a [`Section`] for each document, [`Foot`].

use std::fmt::{self, Display, Formatter};

use super::escape::Escaped;
use super::{Finding, Flag, Report};

#[cfg(test)]
mod tests;

const STYLE: &str = include_str!("html/style.css");

/// The beginning of a page.
#[derive(Debug, Clone, Copy)]
pub struct Head<'t> {
    /// The title of the page.
    pub title: &'t str,
    /// The language of its words, as in `en` (BCP 47).
    pub language: &'t str,
}

impl Display for Head<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (title, language) = (Escaped(self.title), Escaped(self.language));
        write!(
            f,
            "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
             <h1>{title}</h1>\n"
        )
    }
}

/// The end of a page.
#[derive(Debug, Clone, Copy)]
pub struct Foot {
    /// How many documents there were.
    pub documents: usize,
    /// How many of them are valid.
    pub valid: usize,
}

impl Display for Foot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Foot { documents, valid } = self;
        writeln!(f, "<footer>{documents} documents, {valid} valid</footer>")?;
        f.write_str("</main>\n</body>\n</html>\n")
    }
}

/// The part of a page about one document.
#[derive(Debug, Clone, Copy)]
pub struct Section<'r> {
    /// What the document is called.
    pub name: &'r str,
    /// The report.
    pub report: &'r Report,
}

impl Display for Section<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let (class, verdict) =
            if report.is_valid() { ("valid", "valid") } else { ("invalid", "not valid") };
        writeln!(f, "<section class=\"{class}\">")?;
        writeln!(f, "<h2>{} <em>{verdict}</em></h2>", Escaped(self.name))?;
        facts(f, report)?;
        if !report.findings.is_empty() {
            writeln!(f, "<ol>")?;
            report.findings.iter().try_for_each(|found| finding(f, found))?;
            writeln!(f, "</ol>")?;
        }
        if report.omitted > 0 {
            writeln!(f, "<p>and {} further findings</p>", report.omitted)?;
        }
        for coming in report.coming.iter().filter(|coming| !coming.findings.is_empty()) {
            let what = if coming.refuses() { "Will be refused" } else { "New warnings" };
            let set = Escaped(&coming.rule_set);
            writeln!(f, "<h3>{what} from {} by {set}</h3>\n<ol>", coming.from)?;
            coming.findings.iter().try_for_each(|found| finding(f, found))?;
            writeln!(f, "</ol>")?;
        }
        differences(f, report)?;
        writeln!(f, "</section>")
    }
}

fn facts(f: &mut Formatter<'_>, report: &Report) -> fmt::Result {
    let detection = &report.detection;
    let syntax = detection.syntax.map_or("unknown", |syntax| syntax.title());
    let profile = detection.profile().map_or("unknown", |profile| profile.title);
    writeln!(f, "<dl>")?;
    row(f, "Format", syntax)?;
    row(f, "Profile", profile)?;
    row(f, "CustomizationID", detection.customization_id.as_deref().unwrap_or("none"))?;
    row(f, "Rules", &report.rule_sets.join(", "))?;
    row(f, "Rules of", &report.on.to_string())?;
    let steps = report.steps.iter().map(|step| {
        let outcome = match step.outcome {
            super::Outcome::Passed => "passed",
            super::Outcome::Failed => "failed",
            super::Outcome::Skipped => "skipped",
        };
        format!("{} {outcome}", step.step.as_str())
    });
    row(f, "Steps", &steps.collect::<Vec<_>>().join(" · "))?;
    writeln!(f, "</dl>")
}

fn row(f: &mut Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    if value.is_empty() {
        return Ok(());
    }
    writeln!(f, "<dt>{}</dt><dd>{}</dd>", Escaped(name), Escaped(value))
}

fn finding(f: &mut Formatter<'_>, found: &Finding) -> fmt::Result {
    let flag = found.flag.as_str();
    let rule = Escaped(&found.rule);
    writeln!(f, "<li class=\"{flag}\"><strong>{rule}</strong> <span>{flag}</span>")?;
    writeln!(f, "<p>{}</p>", Escaped(&found.message))?;
    for text in found.assertion.iter().flat_map(|assertion| &assertion.diagnostics) {
        writeln!(f, "<p>{}</p>", Escaped(text))?;
    }
    writeln!(f, "<dl>")?;
    if let Some(place) = &found.location {
        let text = format!("line {}, column {} {}", place.line, place.column, place.xpath);
        row(f, "Where", &text)?;
    }
    row(f, "Found", found.value.as_deref().unwrap_or_default())?;
    row(f, "Expected", found.expected.as_deref().unwrap_or_default())?;
    if found.flag != Flag::Information {
        row(f, "Mended by", found.fix_by.as_str())?;
    }
    if let Some(command) = found.explained_by() {
        writeln!(f, "<dt>More</dt><dd><code>{}</code></dd>", Escaped(&command))?;
    }
    row(f, "Business terms", &found.terms.join(", "))?;
    row(f, "Rule set", found.rule_set.as_deref().unwrap_or_default())?;
    row(f, "Test", found.assertion.as_ref().map_or("", |assertion| &assertion.test))?;
    writeln!(f, "</dl></li>")
}

fn differences(f: &mut Formatter<'_>, report: &Report) -> fmt::Result {
    if report.differences.is_empty() {
        return Ok(());
    }
    writeln!(f, "<h3>Built-in and official rules differ</h3>\n<dl>")?;
    for found in &report.differences {
        let builtin = found.builtin.map_or("no such rule".to_owned(), |times| times.to_string());
        let text = format!("built-in {builtin}, official {}", found.official);
        row(f, &found.rule, &text)?;
    }
    writeln!(f, "</dl>")
}
