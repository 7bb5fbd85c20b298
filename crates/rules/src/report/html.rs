//! Reports as one page that needs nothing else: no script, no font, no picture from anywhere.
//!
//! The page is written in three parts, so that a batch of any number of documents is written while
//! it runs: [`Head`], a [`Section`] for each document, [`Foot`].

use std::fmt::{self, Display, Formatter};

use super::escape::EscapedText;
use super::{Finding, Flag, Report, Verdict, VerdictTally, words};
use quoin_model::Language;
use quoin_model::vocabulary::{Word, fix_by, flag as flag_word};

#[cfg(test)]
mod tests;

const STYLE: &str = include_str!("html/style.css");

/// The beginning of a page.
#[derive(Debug, Clone, Copy)]
pub struct PageHead<'t> {
    /// The title of the page.
    pub title: &'t str,
    /// The language of its words, as in `en` (BCP 47).
    pub language: &'t str,
}

impl Display for PageHead<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (title, language) = (EscapedText(self.title), EscapedText(self.language));
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
    /// What the documents came to.
    pub tally: VerdictTally,
}

impl Display for Foot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "<footer>{}</footer>", self.tally)?;
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
        let word = |word: Word| word.in_language(report.language);
        let class = match report.verdict() {
            Verdict::Valid => "valid",
            Verdict::Unroutable | Verdict::NotJudged => "open",
            Verdict::NotValid => "invalid",
        };
        let verdict = words::verdict(report.verdict(), report.language);
        writeln!(f, "<section class=\"{class}\">")?;
        writeln!(f, "<h2>{} <em>{verdict}</em></h2>", EscapedText(self.name))?;
        facts(f, report)?;
        if !report.findings.is_empty() {
            writeln!(f, "<ol>")?;
            report.findings.iter().try_for_each(|found| finding(f, found, report.language))?;
            writeln!(f, "</ol>")?;
        }
        if report.omitted > 0 {
            let further = word(words::FURTHER).replace("{}", &report.omitted.to_string());
            writeln!(f, "<p>{further}</p>")?;
        }
        for coming in report.coming.iter().filter(|coming| !coming.findings.is_empty()) {
            let refuses = coming.refuses();
            let what = word(if refuses { words::REFUSED_FROM } else { words::WARNED_FROM });
            let what = capitalised(&what.replace("{}", &coming.from.to_string()));
            let by = word(words::BY).replace("{}", &coming.rule_set);
            writeln!(f, "<h3>{what} {}</h3>\n<ol>", EscapedText(&by))?;
            coming.findings.iter().try_for_each(|found| finding(f, found, report.language))?;
            writeln!(f, "</ol>")?;
        }
        differences(f, report)?;
        writeln!(f, "</section>")
    }
}

fn facts(f: &mut Formatter<'_>, report: &Report) -> fmt::Result {
    let detection = &report.detection;
    let syntax = detection.title().unwrap_or("unknown");
    let profile = detection.profile().map_or("unknown", |profile| profile.title);
    writeln!(f, "<dl>")?;
    let word = |word: Word| word.in_language(report.language);
    row(f, word(words::FORMAT), syntax)?;
    row(f, word(words::PROFILE), profile)?;
    row(f, "CustomizationID", detection.customization_id.as_deref().unwrap_or("none"))?;
    row(f, word(words::RULES), &report.rule_sets.join(", "))?;
    row(f, word(words::RULES_OF), &report.on.to_string())?;
    let steps = report.steps.iter().map(|step| {
        let outcome = word(words::outcome(step.outcome));
        format!("{} {outcome}", step.step.as_str())
    });
    row(f, word(words::STEPS), &steps.collect::<Vec<_>>().join(" · "))?;
    writeln!(f, "</dl>")
}

fn row(f: &mut Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    if value.is_empty() {
        return Ok(());
    }
    writeln!(f, "<dt>{}</dt><dd>{}</dd>", EscapedText(name), EscapedText(value))
}

fn finding(f: &mut Formatter<'_>, found: &Finding, language: Language) -> fmt::Result {
    let word = |word: Word| word.in_language(language);
    let label = |own: Word| capitalised(word(own));
    let (class, flag) = (found.flag.as_str(), word(flag_word(found.flag)));
    let rule = EscapedText(&found.rule);
    writeln!(f, "<li class=\"{class}\"><strong>{rule}</strong> <span>{flag}</span>")?;
    writeln!(f, "<p>{}</p>", EscapedText(&found.message))?;
    if let Some(day) = found.fatal_from {
        let told = word(words::FATAL_FROM).replace("{}", &day.to_string());
        writeln!(f, "<p>{}</p>", capitalised(&told))?;
    }
    for text in found.assertion.iter().flat_map(|assertion| &assertion.diagnostics) {
        writeln!(f, "<p>{}</p>", EscapedText(text))?;
    }
    writeln!(f, "<dl>")?;
    if let Some(place) = &found.location {
        let text = word(words::PLACE).replacen("{}", &place.line.to_string(), 1);
        let text = text.replacen("{}", &place.column.to_string(), 1);
        row(f, word(words::WHERE), &format!("{text} {}", place.xpath))?;
    }
    row(f, &label(words::FOUND), found.value.as_deref().unwrap_or_default())?;
    row(f, &label(words::EXPECTED), found.expected.as_deref().unwrap_or_default())?;
    if found.flag != Flag::Information {
        row(f, word(words::FIXED_BY), word(fix_by(found.fix_by)))?;
    }
    if let Some(command) = found.explained_by() {
        let more = label(words::MORE);
        writeln!(f, "<dt>{more}</dt><dd><code>{}</code></dd>", EscapedText(&command))?;
    }
    row(f, word(words::TERMS), &found.terms.join(", "))?;
    row(f, word(words::RULE_SET), found.rule_set.as_deref().unwrap_or_default())?;
    row(f, word(words::TEST), found.assertion.as_ref().map_or("", |assertion| &assertion.test))?;
    writeln!(f, "</dl></li>")
}

fn differences(f: &mut Formatter<'_>, report: &Report) -> fmt::Result {
    if report.differences.is_empty() {
        return Ok(());
    }
    let title = capitalised(words::DIFFER.in_language(report.language));
    writeln!(f, "<h3>{title}</h3>\n<dl>")?;
    for found in &report.differences {
        row(f, &found.rule, &words::difference(found, report.language))?;
    }
    writeln!(f, "</dl>")
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
