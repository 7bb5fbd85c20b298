//! The log: one writer, in which nothing that somebody else wrote can begin a line or move a
//! cursor.

use std::cell::Cell;
use std::env::VarError;
use std::fmt::{self, Write as _};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;

use quoin_access_point::config::LogFormat;
use quoin_access_point::loading::{whole_filter, wrong_filter};
use quoin_access_point::metrics::LOST_LOG_LINES;
use quoin_model::text::is_plain;

/// Characters of one field that are written; what quotes a request is never longer.
const LONGEST: usize = 8 << 10;

/// Begins to log to standard error. The first call of a process counts.
///
/// # Errors
/// `QUOIN_LOG` is set and is no filter.
pub(super) fn log(filter: &str, format: LogFormat) -> Result<(), String> {
    let chosen = whole_filter(&chosen(std::env::var("QUOIN_LOG"), filter)?);
    let filter = tracing_subscriber::EnvFilter::new(chosen);
    let colour = std::io::stderr().is_terminal();
    let lines = tracing_subscriber::fmt().with_env_filter(filter);
    let lines = lines.with_writer(StandardError::new);
    // What cannot be written is counted, and told by nobody: there is no other place to tell it.
    let lines = lines.log_internal_errors(false);
    // A second subscriber in one process is a test's; the first one stays.
    let _ = match format {
        LogFormat::Text => lines.fmt_fields(Plain).with_ansi(colour).try_init(),
        // JSON writes control characters as escapes by itself.
        LogFormat::Json => lines.json().try_init(),
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let text = panic.payload_as_str().unwrap_or("a panic without words");
        if WRITING.get() {
            // A line that is being written is no place for another one.
            let line = format!("a thread panicked at {place}: {text:?}\n");
            let _ = std::io::stderr().write_all(line.as_bytes());
        } else {
            tracing::error!(place, "a thread panicked: {text}");
        }
    }));
    Ok(())
}

/// What is wrong with `QUOIN_LOG`, where it is set.
pub(super) fn wrong_filter_set() -> Option<String> {
    chosen(std::env::var("QUOIN_LOG"), "").err()
}

/// The filter of the environment, or that of the configuration.
fn chosen(set: Result<String, VarError>, filter: &str) -> Result<String, String> {
    let set = match set {
        Ok(set) if !set.trim().is_empty() => set,
        Ok(_) | Err(VarError::NotPresent) => return Ok(filter.to_owned()),
        Err(VarError::NotUnicode(_)) => return Err("QUOIN_LOG: it is no text".to_owned()),
    };
    match wrong_filter(&set) {
        None => Ok(set),
        Some(wrong) => Err(format!("QUOIN_LOG: {wrong}")),
    }
}

thread_local! {
    /// Whether this thread is writing a line.
    static WRITING: Cell<bool> = const { Cell::new(false) };
}

/// Standard error, as the log writes to it. A line that cannot be written, since the disk is full
/// or nobody reads the pipe any more, is counted and forgotten: the service goes on without it.
struct StandardError;

impl StandardError {
    fn new() -> StandardError {
        StandardError
    }
}

impl Write for StandardError {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        WRITING.set(true);
        keep(&mut std::io::stderr(), line, &LOST_LOG_LINES);
        WRITING.set(false);
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes a line, or counts it.
fn keep(out: &mut impl Write, line: &[u8], lost: &AtomicU64) {
    if out.write_all(line).is_err() {
        lost.fetch_add(1, Ordering::Relaxed);
    }
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
            match is_plain(letter) {
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

#[cfg(test)]
mod tests {
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
        assert!(end.replace('\n', "").chars().all(is_plain), "{text:?}");
        assert!(text.contains("an honest line path=") && text.contains("evil\\u{a}2026"), "{text}");
    }

    #[test]
    fn a_line_that_cannot_be_written_is_counted() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let lost = AtomicU64::new(0);
        keep(&mut Full, b"one\n", &lost);
        keep(&mut Vec::new(), b"two\n", &lost);
        keep(&mut Full, b"three\n", &lost);
        assert_eq!(lost.into_inner(), 2);
    }

    #[test]
    fn the_filter_of_the_environment_is_judged_and_an_empty_one_is_none() {
        let of = |set: &str| chosen(Ok(set.to_owned()), "info");
        assert_eq!(chosen(Err(VarError::NotPresent), "warn"), Ok("warn".to_owned()));
        for empty in ["", " "] {
            assert_eq!(of(empty), Ok("info".to_owned()));
        }
        for good in ["debug", "off", "warn,quoin_server=trace"] {
            assert_eq!(of(good), Ok(good.to_owned()));
        }
        for (wrong, word) in
            [("information", "\"information\""), ("foo=", "\"foo=\""), ("a==b", "read")]
        {
            let said = of(wrong).unwrap_err();
            assert!(said.starts_with("QUOIN_LOG: ") && said.contains(word), "{said}");
        }
    }

    #[test]
    fn a_field_has_an_end() {
        let text = logged(|| tracing::info!("{}", "x".repeat(100_000)));
        assert!(text.len() < LONGEST + 200 && text.ends_with("…\n"), "{}", text.len());
    }
}
