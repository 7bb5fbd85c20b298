//! The log: one writer, in which nothing that somebody else wrote can begin a line or move a
//! cursor.

use std::fmt::{self, Write as _};
use std::io::IsTerminal;

use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;

use quoin_access_point::config::LogFormat;

/// Characters of one field that are written; what quotes a request is never longer.
const LONGEST: usize = 8 << 10;

/// Begins to log to standard error. The first call of a process counts.
pub(super) fn log(filter: &str, format: LogFormat) {
    let filter = tracing_subscriber::EnvFilter::try_from_env("QUOIN_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(filter));
    let colour = std::io::stderr().is_terminal();
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second subscriber in one process is a test's; the first one stays.
    let _ = match format {
        LogFormat::Text => lines.fmt_fields(Plain).with_ansi(colour).try_init(),
        // JSON writes control characters as escapes by itself.
        LogFormat::Json => lines.json().try_init(),
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let text = panic.payload_as_str().unwrap_or("a panic without words");
        tracing::error!(place, "a thread panicked: {text}");
    }));
}

/// Writes fields with every control character escaped.
struct Plain;

impl<'w> FormatFields<'w> for Plain {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        let mut line = LogLine { writer, first: true, result: Ok(()) };
        fields.record(&mut line);
        line.result
    }
}

struct LogLine<'w> {
    writer: Writer<'w>,
    first: bool,
    result: fmt::Result,
}

impl Visit for LogLine<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if self.result.is_err() {
            return;
        }
        let gap = if std::mem::take(&mut self.first) { "" } else { " " };
        let mut text = EscapingWriter { out: &mut self.writer, left: LONGEST };
        self.result = match field.name() {
            "message" => write!(text, "{gap}{value:?}"),
            name => write!(text, "{gap}{name}={value:?}"),
        };
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "message" => self.record_debug(field, &format_args!("{value}")),
            _ => self.record_debug(field, &value),
        }
    }
}

/// Writes text on, with what is no visible character escaped, up to a length.
struct EscapingWriter<'a, W> {
    out: &'a mut W,
    left: usize,
}

impl<W: fmt::Write> fmt::Write for EscapingWriter<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            let Some(left) = self.left.checked_sub(1) else { return Ok(()) };
            self.left = left;
            match is_visible(letter) {
                true => self.out.write_char(letter)?,
                false => write!(self.out, "{}", letter.escape_unicode())?,
            }
            if left == 0 {
                self.out.write_char('…')?;
            }
        }
        Ok(())
    }
}

/// Whether a character stays where it is: no control character, no line or paragraph separator,
/// none that turns the direction of writing.
fn is_visible(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn logged(write: impl FnOnce()) -> String {
        let kept = Kept::default();
        let writer = kept.clone();
        let lines = tracing_subscriber::fmt().with_ansi(false).fmt_fields(Plain);
        let lines = lines.with_writer(move || writer.clone()).finish();
        tracing::subscriber::with_default(lines, write);
        let bytes = kept.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn b5_nobody_outside_begins_a_line_of_the_log() {
        let evil = "evil\n2026-11-22T00:00:00Z ERROR quoin: FAKE\u{1b}[2K\u{202e}\u{9b}31m\r";
        let text = logged(|| {
            tracing::info!("{evil}");
            tracing::info!(path = evil, detail = %evil, list = ?[evil], "an honest line");
        });
        assert_eq!(text.lines().count(), 2, "{text}");
        let end = text.trim_end_matches('\n');
        assert!(end.replace('\n', "").chars().all(is_visible), "{text:?}");
        assert!(text.contains("an honest line path=") && text.contains("evil\\u{a}2026"), "{text}");
    }

    #[test]
    fn a_field_has_an_end() {
        let text = logged(|| tracing::info!("{}", "x".repeat(100_000)));
        assert!(text.len() < LONGEST + 200 && text.ends_with("…\n"), "{}", text.len());
    }
}
