//! A file as it comes: a document, or a container with documents in it.

use std::borrow::Cow;

use jiff::civil::Date;

use super::{Options, validate_envelope, validate_with};
use crate::explain::own::told;
use crate::own;
use crate::report::Report;
use quoin_formats::Syntax;
use quoin_formats::unwrap::{InnerDocument, UnwrapLimits};
use quoin_formats::{ParsedDocument, Wrapper, read};
use quoin_formats::{Unwrapped, unwrap};
use quoin_model::finding::MAX_FINDINGS;
use quoin_model::text::shortened;
use quoin_model::{Finding, ValidationStep};

/// Findings that the reports of a container have together; the rest is counted.
const ALL_FINDINGS: usize = 10_000;
/// Findings of each of its documents, however many others have.
const LEAST_FINDINGS: usize = 10;

/// A document of a file, and its report.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidatedDocument {
    /// Its name in the container; `None` for the file itself.
    pub name: Option<String>,
    /// The report.
    pub report: Report,
}

impl ValidatedDocument {
    fn is_container(&self) -> bool {
        self.report.detection.syntax.is_some_and(Syntax::is_container)
    }
}

/// Validates a file: a document, or all documents of a container (an archive, a hybrid PDF, a
/// signed file), each under its name there and by the rules of the day. What stands beside them
/// and is no document is not judged; the first report names it. A container of which something
/// could not be opened has a report that says why; so has an envelope around a file, about the
/// envelope alone. The answer is never empty.
pub fn validate_file(bytes: &[u8], on: Date, options: &Options<'_>) -> Vec<ValidatedDocument> {
    let judge = |name: Option<String>, parsed: &ParsedDocument| {
        let report = validate_with(parsed, on, options);
        ValidatedDocument { name, report }
    };
    let whole = read(bytes);
    if !whole.detection().syntax.is_some_and(Syntax::is_container) {
        return vec![judge(None, &whole)];
    }
    let Unwrapped { documents, attachments, closed } = unwrap(bytes, &UnwrapLimits::default());
    let mut all = Vec::with_capacity(documents.len());
    let mut left = ALL_FINDINGS;
    for inner in documents {
        if options.until.is_over() {
            // The report about the whole file says so.
            all.push(judge(None, &whole));
            return all;
        }
        let parsed = read(&inner.bytes).found_in(inner.detection.wrappers);
        let mut judged = judge(inner.name, &parsed);
        left = left.saturating_sub(cut(&mut judged.report, left.max(LEAST_FINDINGS)));
        all.push(judged);
    }
    if let Some(first) = all.first_mut().filter(|_| !attachments.is_empty()) {
        name_attachments(&mut first.report, &attachments);
    }
    if all.is_empty() || (!closed.is_empty() && !all.iter().any(ValidatedDocument::is_container)) {
        all.push(judge(None, &whole));
    }
    if !all.iter().any(ValidatedDocument::is_container)
        && let Some(report) = validate_envelope(&whole, on, options)
    {
        all.push(ValidatedDocument { name: None, report });
        return all;
    }
    let about = all.iter_mut().find(|judged| judged.is_container());
    if let (Some(judged), Some(closed)) = (about, closed.first()) {
        for finding in judged.report.findings.iter_mut().take(1) {
            finding.message.push_str(&format!(" It could not be opened: {}.", closed.reason));
        }
    }
    all
}

/// Leaves so many findings of a report at most, and counts the others; answers how many there are.
fn cut(report: &mut Report, most: usize) -> usize {
    let lists = report.coming.iter_mut().map(|coming| &mut coming.findings);
    let mut left = most;
    for list in std::iter::once(&mut report.findings).chain(lists) {
        report.omitted += list.len().saturating_sub(left);
        list.truncate(left);
        left -= list.len();
    }
    most - left
}

/// Says which parts of a file were passed over.
fn name_attachments(report: &mut Report, attachments: &[InnerDocument<'_>]) {
    let row = &own::ATTACHMENTS;
    let names: Vec<Cow<'_, str>> = attachments.iter().map(called).collect();
    let names = shortened(&names.join(", ")).into_owned();
    let message = told(row.id, report.language, None)
        .unwrap_or_else(|| format!("{} {}", row.meaning, row.remedy));
    let step = ValidationStep::Parse;
    if let Some(result) = report.steps.iter_mut().find(|result| result.step == step) {
        result.information += 1;
    }
    if report.findings.len() >= MAX_FINDINGS {
        report.omitted += 1;
        return;
    }
    let at = report.findings.partition_point(|finding| finding.step <= step);
    report.findings.insert(
        at,
        Finding {
            rule: row.id.into(),
            step,
            flag: row.flag,
            message,
            location: None,
            value: Some(names),
            expected: None,
            terms: Vec::new(),
            fix_by: row.fix_by,
            rule_set: None,
            assertion: None,
            patch: None,
            fatal_from: None,
        },
    );
}

/// How an attachment is called: by its name, or by what it is said to be.
fn called<'a>(inner: &'a InnerDocument<'_>) -> Cow<'a, str> {
    match (&inner.name, inner.detection.wrappers.last()) {
        (Some(name), _) => name.into(),
        (None, Some(Wrapper::Multipart { part, content_type: Some(media) })) => {
            format!("{part}: {media}").into()
        }
        (None, Some(Wrapper::Multipart { part, .. })) => format!("{part}").into(),
        _ => inner.detection.syntax.map_or("-", Syntax::title).into(),
    }
}
