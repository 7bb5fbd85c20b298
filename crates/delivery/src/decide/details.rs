//! The facts that an event tells by name, cut to a length that hooks can take.

use std::collections::BTreeMap;

use crate::causes::CauseRow;
use crate::event::FindingLine;

/// How many findings an event tells; the report has them all.
pub const FINDINGS_IN_EVENT: usize = 20;
/// The longest text of one detail, in characters.
pub const DETAIL_LIMIT: usize = 4_000;

/// Details hold only what is known: an empty text is left out.
pub(crate) fn put(details: &mut BTreeMap<String, String>, name: &str, value: &str) {
    if !value.is_empty() {
        details.insert(name.to_owned(), cut(value));
    }
}

/// The code of a failure, where it lies, and who can fix it.
pub(crate) fn put_code(details: &mut BTreeMap<String, String>, code: &str) {
    put(details, "code", code);
    if let Some(row) = CauseRow::of(code) {
        put(details, "corner", row.corner.as_str());
        put(details, "whoCanFix", row.fixer.as_str());
    }
}

/// The same of a document that was given up for a code that is told: who can act now.
pub(super) fn put_end(details: &mut BTreeMap<String, String>) {
    let row = details.get("code").and_then(|code| CauseRow::of(code));
    if let Some(row) = row {
        put(details, "whoCanFix", row.fixer_at_end().as_str());
    }
}

pub(super) fn cut(text: &str) -> String {
    text.chars().take(DETAIL_LIMIT).collect()
}

/// One finding a line: `RULE path: text`.
pub(super) fn findings_text(findings: &[FindingLine]) -> String {
    let line = |f: &FindingLine| match f.path.is_empty() {
        true => format!("{}: {}", f.rule, f.text),
        false => format!("{} {}: {}", f.rule, f.path, f.text),
    };
    let lines: Vec<String> = findings.iter().take(FINDINGS_IN_EVENT).map(line).collect();
    lines.join("\n")
}
