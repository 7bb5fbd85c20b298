//! What a verb says: on standard output what was asked for, on standard error what happened.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use super::CommandResult;

/// Prints a text on standard output, and ends well.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print(text: &str) -> CommandResult {
    output(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Writes bytes to standard output. A reader that has seen enough, as in `quoin explain … | head`,
/// is no error: the verb goes on and ends with what it found.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn output(bytes: &[u8]) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    enough(out.write_all(bytes).and_then(|()| out.flush())).map(|_| ())
}

/// Whether somebody still reads, after a try to write.
///
/// # Errors
/// What else kept the bytes from standard output.
pub(crate) fn enough(written: std::io::Result<()>) -> Result<bool, String> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(format!("standard output: {error}")),
    }
}

/// Says something on standard error. Where nobody can be told, nobody is.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "quoin: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_has_enough_is_no_error_and_a_full_disk_is_one() {
        assert_eq!(enough(Ok(())), Ok(true));
        assert_eq!(enough(Err(ErrorKind::BrokenPipe.into())), Ok(false));
        let full = enough(Err(ErrorKind::StorageFull.into())).unwrap_err();
        assert!(full.starts_with("standard output: "), "{full}");
    }
}
