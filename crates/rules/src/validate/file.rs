//! A file as it comes: a document, or a container with documents in it.

use jiff::civil::Date;

use super::{Options, validate_envelope, validate_with};
use crate::report::Report;
use quoin_formats::Syntax;
use quoin_formats::unwrap::UnwrapLimits;
use quoin_formats::{ParsedDocument, read};
use quoin_formats::{Unwrapped, unwrap};

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
/// signed file), each under its name there and by the rules of the day. A container of which
/// something could not be opened has a report that says why; so has an envelope around a file,
/// about the envelope alone. The answer is never empty.
pub fn validate_file(bytes: &[u8], on: Date, options: &Options<'_>) -> Vec<ValidatedDocument> {
    let judge = |name: Option<String>, parsed: &ParsedDocument| {
        let report = validate_with(parsed, on, options);
        ValidatedDocument { name, report }
    };
    let whole = read(bytes);
    if !whole.detection().syntax.is_some_and(Syntax::is_container) {
        return vec![judge(None, &whole)];
    }
    let Unwrapped { documents, closed } = unwrap(bytes, &UnwrapLimits::default());
    let mut all = Vec::with_capacity(documents.len());
    for inner in documents {
        if options.until.is_over() {
            // The report about the whole file says so.
            all.push(judge(None, &whole));
            return all;
        }
        let parsed = read(&inner.bytes).found_in(inner.detection.wrappers);
        all.push(judge(inner.name, &parsed));
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
