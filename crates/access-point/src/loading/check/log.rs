//! Whether a filter of the log can be read, and says what is logged.

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// What is wrong with a filter. A word that is no level is taken for the name of a module, and one
/// that no module has would silence everything, errors and alarms included.
pub fn wrong_filter(filter: &str) -> Option<String> {
    if let Err(error) = tracing_subscriber::EnvFilter::builder().parse(filter) {
        return Some(format!("{filter:?} cannot be read: {error}"));
    }
    let parts = filter.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.into_iter().find_map(wrong_part)
}

fn wrong_part(part: &str) -> Option<String> {
    let levels = || LEVELS.join(", ");
    // A part of a span's fields: what can be read of it, was.
    if part.contains(['[', ']', '{', '}']) {
        return None;
    }
    let (module, level) = match part.split_once('=') {
        Some((module, level)) => (module, Some(level)),
        None if is_level(part) => return None,
        None => (part, None),
    };
    if level.is_some_and(|level| !is_level(level)) {
        return Some(format!("{part:?} names no level, expected one of {} behind it", levels()));
    }
    let is_module = module.split("::").all(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    // Without a level behind it, a single word is a level that was written wrongly.
    let is_word = level.is_none() && !module.contains([':', '_']);
    match (is_module, is_word) {
        (true, false) => None,
        (_, true) => Some(format!("{part:?} is no level, expected one of {}", levels())),
        (false, false) => Some(format!(
            "{module:?} is no module, expected a name such as quoin_store::writer, and behind it \
             = and one of {}",
            levels()
        )),
    }
}

fn is_level(word: &str) -> bool {
    let is_number = word.parse::<u8>().is_ok_and(|level| level <= 5);
    is_number || LEVELS.iter().any(|level| word.eq_ignore_ascii_case(level))
}

/// A filter with what it leaves open: where it has no level but for modules, errors of all others
/// are logged; an empty one is the default.
pub fn whole_filter(filter: &str) -> String {
    let parts: Vec<&str> =
        filter.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [] => "info".to_owned(),
        parts if parts.iter().any(|part| is_level(part)) => filter.to_owned(),
        _ => format!("error,{filter}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_silences_everything_by_mistake_is_told() {
        for good in [
            "",
            "info",
            "WARN",
            "3",
            "off",
            "info,quoin_store=debug",
            "quoin_store::writer=trace, warn",
            "quoin_server",
            "info,[request{path=/a}]=debug",
        ] {
            assert_eq!(wrong_filter(good), None, "{good}");
        }
        for (bad, expected) in [
            ("loud", "is no level"),
            ("9", "is no level"),
            ("z\u{fc}rich", "is no level"),
            ("file:/x", "is no module"),
            ("env:LOG_LEVEL", "is no module"),
            ("env:LOGLEVEL", "is no module"),
            ("quoin-server=info", "is no module"),
            ("info,quoin-server", "is no level"),
            ("quoin_server=", "names no level"),
        ] {
            let said = wrong_filter(bad).unwrap_or_default();
            assert!(said.contains(expected), "{bad}: {said}");
        }
    }

    #[test]
    fn what_a_filter_leaves_open_is_filled_in() {
        for (filter, whole) in [
            ("", "info"),
            (" , ", "info"),
            ("warn", "warn"),
            ("quoin_store=debug,off", "quoin_store=debug,off"),
            ("quoin_store=debug", "error,quoin_store=debug"),
        ] {
            assert_eq!(whole_filter(filter), whole);
        }
    }
}
