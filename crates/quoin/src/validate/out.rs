//! Reports on their way out: rendered by the workers, written in order, counted.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use quoin_rules::report::VerdictTally;
use quoin_rules::report::html::{Foot, PageHead, Section};
use quoin_rules::report::svrl::Svrl;
use quoin_rules::report::text::ReportText;
use quoin_rules::{Report, ValidatedDocument, Verdict};
use serde::Serialize;

use super::{ReportFormat, ending};
use crate::console::enough;
use crate::{CommandResult, say};

/// Rules that a summary names.
const TOP: usize = 20;

/// What a worker hands over: the documents of one file.
pub(super) struct ToldReports {
    pub text: String,
    pub tally: VerdictTally,
    /// How often each rule made a document invalid.
    pub fatal: BTreeMap<String, usize>,
}

/// A report in JSON, under its name.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReportLine<'r> {
    file: &'r str,
    is_valid: bool,
    verdict: Verdict,
    #[serde(flatten)]
    report: &'r Report,
}

/// Renders the reports of one file.
pub(super) fn render(
    format: ReportFormat,
    brief: bool,
    colour: bool,
    file: &str,
    all: &[ValidatedDocument],
) -> ToldReports {
    let mut rendered =
        ToldReports { text: String::new(), tally: VerdictTally::default(), fatal: BTreeMap::new() };
    for ValidatedDocument { name, report } in all {
        let inside = name.as_ref().map(|name| format!("{file}!{name}"));
        let name = inside.as_deref().unwrap_or(file);
        rendered.tally.add(report.verdict());
        for finding in report.fatal() {
            *rendered.fatal.entry(finding.rule.to_string()).or_default() += 1;
        }
        let text = match format {
            _ if brief => ReportText { name, report, colour, brief }.to_string(),
            ReportFormat::Text => ReportText { name, report, colour, brief }.to_string(),
            ReportFormat::Svrl => Svrl { name, report }.to_string(),
            ReportFormat::Html => Section { name, report }.to_string(),
            ReportFormat::Json => {
                let (is_valid, verdict) = (report.is_valid(), report.verdict());
                let line = ReportLine { file: name, is_valid, verdict, report };
                let json = serde_json::to_string(&line);
                json.map(|json| json + "\n").unwrap_or_default()
            }
        };
        rendered.text.push_str(&text);
    }
    rendered
}

/// Where reports go.
pub(super) struct Out {
    format: ReportFormat,
    folder: Option<PathBuf>,
    quiet: bool,
    summary: bool,
    language: &'static str,
    writer: BufWriter<std::io::Stdout>,
    /// Whether nobody reads any more: what is left is judged all the same, for the exit code.
    is_closed: bool,
    tally: VerdictTally,
    unreadable: usize,
    files: usize,
    fatal: BTreeMap<String, usize>,
}

impl Out {
    pub(super) fn open(
        format: ReportFormat,
        folder: Option<PathBuf>,
        quiet: bool,
        summary: bool,
        language: &'static str,
    ) -> Result<Out, String> {
        if let Some(folder) = &folder {
            let made = std::fs::create_dir_all(folder);
            made.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let writer = BufWriter::new(std::io::stdout());
        let (tally, fatal) = (VerdictTally::default(), BTreeMap::new());
        let (unreadable, files) = (0, 0);
        let mut out = Out {
            format,
            folder,
            quiet,
            summary,
            language,
            writer,
            is_closed: false,
            tally,
            unreadable,
            files,
            fatal,
        };
        if out.is_page() {
            let head = out.head();
            out.print(&head)?;
        }
        Ok(out)
    }

    /// Whether standard output is one page.
    fn is_page(&self) -> bool {
        self.format == ReportFormat::Html && self.folder.is_none() && !self.quiet && !self.summary
    }

    fn head(&self) -> String {
        PageHead { title: "Validation report", language: self.language }.to_string()
    }

    /// Takes the documents of the next file.
    pub(super) fn take(
        &mut self,
        file: &Path,
        judged: Result<ToldReports, String>,
    ) -> Result<(), String> {
        self.files += 1;
        let rendered = match judged {
            Ok(rendered) => rendered,
            Err(error) => {
                self.unreadable += 1;
                say(&error);
                return Ok(());
            }
        };
        let ToldReports { text, tally, fatal } = rendered;
        self.tally.join(tally);
        for (rule, times) in fatal {
            *self.fatal.entry(rule).or_default() += times;
        }
        match &self.folder {
            _ if self.quiet => Ok(()),
            Some(folder) if !self.summary => self.write(folder, file, &text, tally),
            _ => self.print(&text),
        }
    }

    /// Writes the report of one file into the folder: `00012-invoice.xml.json`.
    fn write(
        &self,
        folder: &Path,
        file: &Path,
        text: &str,
        tally: VerdictTally,
    ) -> Result<(), String> {
        let end = match self.format {
            ReportFormat::Text => "txt",
            ReportFormat::Json => "json",
            ReportFormat::Svrl => "svrl",
            ReportFormat::Html => "html",
        };
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        let path = folder.join(format!("{:05}-{name}.{end}", self.files));
        let whole = match self.format {
            ReportFormat::Html => format!("{}{text}{}", self.head(), Foot { tally }),
            _ => text.to_owned(),
        };
        std::fs::write(&path, whole).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn print(&mut self, text: &str) -> Result<(), String> {
        if self.quiet || self.is_closed {
            return Ok(());
        }
        self.is_closed = !enough(self.writer.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// Ends the page or the summary; answers the exit code.
    pub(super) fn end(mut self) -> CommandResult {
        if self.is_page() {
            let foot = Foot { tally: self.tally };
            self.print(&foot.to_string())?;
        }
        if self.summary {
            let text = self.totals();
            self.print(&text)?;
        }
        if !self.is_closed {
            enough(self.writer.flush())?;
        }
        Ok(ending(self.unreadable, self.tally.worst()))
    }

    fn totals(&self) -> String {
        let mut text = format!("\n{}", self.tally);
        if self.unreadable > 0 {
            text.push_str(&format!(", {} files unreadable", self.unreadable));
        }
        text.push('\n');
        let mut rules: Vec<_> = self.fatal.iter().collect();
        rules.sort_by_key(|(rule, times)| (std::cmp::Reverse(**times), (*rule).clone()));
        for (rule, times) in rules.into_iter().take(TOP) {
            text.push_str(&format!("  {times:>7}  {rule}\n"));
        }
        text
    }
}
