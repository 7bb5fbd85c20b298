//! The fields of lines of the log: none is called `message`, since that is what a line says itself,
//! and a line in JSON would have the member twice.

use super::sources::Source;

/// How a line of the log begins.
const MACROS: [&str; 5] = ["trace!(", "debug!(", "info!(", "warn!(", "error!("];

/// Every field `message` in the product code.
pub fn check(source: &Source, found: &mut Vec<String>) {
    if !source.path.contains("/src/") || source.is_test() || source.path.starts_with("xtask/") {
        return;
    }
    for name in MACROS.map(|end| format!("tracing::{end}")) {
        for (at, _) in source.text.match_indices(&name) {
            let rest = source.text.get(at + name.len()..).unwrap_or_default();
            // Fields stand before the sentence.
            let fields = rest.split('"').next().unwrap_or_default();
            if fields.split(',').any(is_message) {
                let line = source.text.get(..at).unwrap_or_default().lines().count().max(1);
                let place = format!("{}:{line}", source.path);
                found.push(format!("{place}: a field of the log is called `message`"));
            }
        }
    }
}

fn is_message(field: &str) -> bool {
    let name = field.split('=').next().unwrap_or_default().trim();
    name.trim_start_matches(['%', '?']) == "message"
}
