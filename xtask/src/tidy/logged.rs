//! The fields of lines of the log: none is called `message`, since that is what a line says itself,
//! and a line in JSON would have the member twice. And what is told of a text of somebody else: it
//! is cut by a function that cuts.

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

/// Every text that is written with Debug and a precision, which cuts none: `{text:.40?}`. One digit
/// is the precision of a time or a number.
pub fn uncut(source: &Source, found: &mut Vec<String>) {
    if source.is_test() {
        return;
    }
    for (at, line) in source.text.lines().enumerate() {
        let mut places = line.match_indices(":.").map(|(place, _)| &line[place + 2..]);
        if !line.trim_start().starts_with("//") && places.any(is_uncut) {
            let place = format!("{}:{}", source.path, at + 1);
            found.push(format!("{place}: a precision cuts no text in Debug: `text::quoted` does"));
        }
    }
}

fn is_uncut(rest: &str) -> bool {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    digits > 1 && rest[digits..].starts_with("?}")
}

fn is_message(field: &str) -> bool {
    let name = field.split('=').next().unwrap_or_default().trim();
    name.trim_start_matches(['%', '?']) == "message"
}
