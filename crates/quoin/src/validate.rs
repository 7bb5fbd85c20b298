//! `quoin validate`: documents, folders and standard input, judged on all cores and told in the
//! order in which they were named.
//!
//! Exit codes: 0 all valid, 1 some not valid, 2 a usage error, something unreadable, or a fault,
//! 3 some cannot be routed, 4 some are not judged; of several, the worst: 2, 1, 4, 3.

mod batch;
pub(crate) mod files;
mod out;
mod rules;
#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_access_point::reading::time::day;
use quoin_model::Language;
use quoin_rules::official::{OfficialLibrary, OfficialSet, Policies};
use quoin_rules::{Options, ValidationPolicy, Verdict, validate_file};

use super::{CommandResult, DataDir, language};
use batch::Batch;
use out::{Out, ToldReports};

/// Validates documents.
#[derive(Debug, Args)]
pub struct Validate {
    /// The documents: files, folders (every .xml below them), or `-` for standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Judge by exactly these rules: a coordinate (`quoin rules list`), a .sch or .xsd file, a
    /// folder or an archive. May be given several times.
    #[arg(long, value_name = "RULES")]
    rules: Vec<String>,
    /// The day whose rules apply, as the day of sending: YYYY-MM-DD or `today`.
    #[arg(long, default_value = "today", value_name = "DATE")]
    on: Day,
    /// Whose rules decide [default: builtin, or official with --rules].
    #[arg(long, value_enum)]
    policy: Option<PolicyName>,
    /// Tell what the next release of the rules will find.
    #[arg(long)]
    coming: bool,
    /// How to tell it.
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
    /// The language of the findings: en, nl, de, fr or pl.
    #[arg(long, default_value = "en", value_name = "LANGUAGE", value_parser = language)]
    lang: Language,
    /// Write one report for each document into this folder instead of standard output.
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// How many documents are judged at a time [default: the number of cores].
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
    /// Print nothing; the exit code tells.
    #[arg(long, short, conflicts_with = "summary")]
    quiet: bool,
    /// Print a line for each document and the totals.
    #[arg(long, short)]
    summary: bool,
    #[command(flatten)]
    data: DataDir,
}

/// How reports are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For a terminal.
    Text,
    /// One JSON object a line for each document.
    Json,
    /// Schematron Validation Report Language; one document, or with --output.
    Svrl,
    /// One page for a browser.
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PolicyName {
    Builtin,
    Official,
    Both,
}

impl From<PolicyName> for ValidationPolicy {
    fn from(name: PolicyName) -> ValidationPolicy {
        match name {
            PolicyName::Builtin => ValidationPolicy::Builtin,
            PolicyName::Official => ValidationPolicy::Official,
            PolicyName::Both => ValidationPolicy::Both,
        }
    }
}

/// The day whose rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Day {
    Today,
    Is(Date),
}

impl std::str::FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        match text {
            "today" => Ok(Day::Today),
            "document" => Err("a document is judged by the rules of the day on which it is sent, \
                               never by a day that it claims; give that day as in 2026-05-18"
                .to_owned()),
            date => day(date)
                .map(Day::Is)
                .map_err(|_| format!("expected today or a date as in 2026-05-18, found {date:?}")),
        }
    }
}

/// Everything that workers share.
struct ValidationContext {
    format: ReportFormat,
    brief: bool,
    colour: bool,
    day: Day,
    now: Timestamp,
    library: Option<OfficialLibrary>,
    policies: Policies,
    exactly: Option<Vec<Arc<OfficialSet>>>,
    coming: bool,
    language: Language,
}

impl ValidationContext {
    fn judge(&self, name: &str, bytes: &[u8]) -> ToldReports {
        let (on, at) = match self.day {
            Day::Today => (self.now.to_zoned(TimeZone::UTC).date(), Some(self.now)),
            Day::Is(date) => (date, None),
        };
        let options = Options {
            library: self.library.as_ref(),
            policies: Some(&self.policies),
            exactly: self.exactly.as_deref(),
            coming: self.coming,
            language: self.language,
            at,
            ..Options::default()
        };
        let judged = validate_file(bytes, on, &options);
        out::render(self.format, self.brief, self.colour, name, &judged)
    }
}

/// `quoin validate`.
///
/// # Errors
/// A usage error, rules that cannot be loaded, or a closed standard output.
pub fn validate(arguments: &Validate) -> CommandResult {
    if arguments.summary && arguments.format != ReportFormat::Text {
        return Err("--summary is text: give it without --format".to_owned());
    }
    arguments.data.is_there()?;
    let files = files::collect(&arguments.files)?;
    let single = files.len() == 1;
    if arguments.format == ReportFormat::Svrl && arguments.output.is_none() && !single {
        return Err("SVRL is one document each: give --output FOLDER for several".to_owned());
    }
    let desk = desk(arguments)?;
    let mut out = Out::open(
        arguments.format,
        arguments.output.clone(),
        arguments.quiet,
        arguments.summary,
        arguments.lang.code(),
    )?;
    let jobs = arguments.jobs.map_or_else(cores, std::num::NonZeroUsize::get);
    let quiet_out = arguments.quiet || !std::io::stdout().is_terminal();
    let progress = std::io::stderr().is_terminal() && quiet_out && !single;
    let batch = Batch { jobs, progress };
    batch.run(
        &files,
        |file| {
            let bytes =
                files::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
            Ok(desk.judge(&file.to_string_lossy(), &bytes))
        },
        |file, judged| out.take(file, judged),
    )?;
    out.end()
}

fn desk(arguments: &Validate) -> Result<ValidationContext, String> {
    let exactly = rules::named(&arguments.rules, &arguments.data)?;
    let usual =
        if exactly.is_some() { ValidationPolicy::Official } else { ValidationPolicy::Builtin };
    let policy = arguments.policy.map_or(usual, ValidationPolicy::from);
    let library = match policy {
        ValidationPolicy::Builtin => None,
        _ if exactly.is_some() => None,
        _ => Some(arguments.data.registry()?.load().map_err(|error| error.to_string())?),
    };
    let plain = arguments.output.is_none() && std::io::stdout().is_terminal();
    Ok(ValidationContext {
        format: arguments.format,
        brief: arguments.summary,
        colour: plain && std::env::var_os("NO_COLOR").is_none(),
        day: arguments.on,
        now: Timestamp::now(),
        library,
        policies: Policies::all(policy),
        exactly,
        coming: arguments.coming,
        language: arguments.lang,
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// What the verb ends with.
fn ending(unreadable: usize, worst: Option<Verdict>) -> ExitCode {
    match (unreadable, worst) {
        (1.., _) => ExitCode::from(2),
        (0, None | Some(Verdict::Valid)) => ExitCode::SUCCESS,
        (0, Some(Verdict::NotValid)) => ExitCode::FAILURE,
        (0, Some(Verdict::Unroutable)) => ExitCode::from(3),
        (0, Some(Verdict::NotJudged)) => ExitCode::from(4),
    }
}
