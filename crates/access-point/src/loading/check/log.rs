//! Whether a filter of the log can be read.

/// What is wrong with a filter; a word that is no level is taken for the name of a module, and
/// nothing would ever be logged.
pub fn wrong_filter(filter: &str) -> Option<String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    if let Err(error) = tracing_subscriber::EnvFilter::builder().parse(filter) {
        return Some(format!("{filter:?} cannot be read: {error}"));
    }
    let mut parts = filter.split(',').map(str::trim);
    if let Some(part) = parts.find(|part| part.ends_with('=')) {
        let levels = LEVELS.join(", ");
        return Some(format!("{part:?} names no level, expected one of {levels} behind it"));
    }
    let bare = filter.split(',').map(str::trim).filter(|part| !part.is_empty());
    let unknown = bare.into_iter().find(|part| {
        let word = part.chars().all(|c| c.is_ascii_alphanumeric());
        let level = LEVELS.iter().any(|level| part.eq_ignore_ascii_case(level));
        word && !level && part.parse::<u8>().is_err()
    });
    unknown.map(|word| format!("{word:?} is no level, expected one of {}", LEVELS.join(", ")))
}
