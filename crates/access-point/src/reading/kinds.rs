//! Values that are not expected, in the words of those who write them, in place of the types of the
//! program.

use quoin_model::text::{plain, quoted};

/// Characters of a text that are shown.
const SHOWN: usize = 60;

/// What is said of a value of another kind than is expected, of a number out of reach, or of a word
/// that is none of those that are expected; nothing where the reader said something else. `table`
/// is what names with values are called there.
pub fn other_value(said: &str, table: &str) -> Option<String> {
    other_word(said).or_else(|| other_kind(said, table))
}

fn other_word(said: &str) -> Option<String> {
    let (found, expected) = said.strip_prefix("unknown variant `")?.split_once("`, expected ")?;
    let (found, expected) = (quoted(found, SHOWN), expected.replace('`', "\""));
    Some(format!("expected {expected}, found {found}"))
}

fn other_kind(said: &str, table: &str) -> Option<String> {
    let of_kind = said.strip_prefix("invalid type: ");
    let rest = of_kind.or_else(|| said.strip_prefix("invalid value: integer"))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    let found = match of_kind {
        Some(_) => seen(found, table),
        None => found.trim().trim_matches('`').to_owned(),
    };
    Some(format!("expected {}, found {found}", wanted(expected, &found, table)))
}

/// The kind that a reader of the program expects.
fn wanted(expected: &str, found: &str, table: &str) -> String {
    let most = match expected {
        "u8" => u64::from(u8::MAX),
        "u16" => u64::from(u16::MAX),
        "u32" => u64::from(u32::MAX),
        "u64" | "usize" => u64::MAX,
        "i8" | "i16" | "i32" | "i64" | "isize" => return "a whole number".to_owned(),
        "f32" | "f64" => return "a number".to_owned(),
        "a boolean" => return "true or false".to_owned(),
        "a string" => return "a text".to_owned(),
        "a sequence" => return "a list".to_owned(),
        "a map" => return table.to_owned(),
        other if other.starts_with("struct ") => return table.to_owned(),
        other => return other.to_owned(),
    };
    match found.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("a whole number from 0 to {most}"),
        false => "a whole number from 0 on".to_owned(),
    }
}

/// What stands there.
fn seen(found: &str, table: &str) -> String {
    let value = ["boolean ", "integer ", "floating point ", "character "];
    let value = value.iter().find_map(|kind| found.strip_prefix(kind));
    match (value, found.strip_prefix("string ")) {
        (Some(value), _) => value.trim_matches('`').to_owned(),
        (None, Some(text)) if text.chars().count() > SHOWN => format!("{}…", plain(text, SHOWN)),
        (None, Some(text)) => text.to_owned(),
        (None, None) => match found {
            "sequence" => "a list".to_owned(),
            "map" => table.to_owned(),
            other => other.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_named_in_the_words_of_who_writes_them() {
        for (said, told) in [
            ("invalid type: string \"a\", expected u32", "a whole number from 0 on, found \"a\""),
            (
                "invalid type: floating point `1.5`, expected u16",
                "a whole number from 0 to 65535, found 1.5",
            ),
            ("invalid type: integer `1`, expected a string", "a text, found 1"),
            ("invalid type: boolean `true`, expected a sequence", "a list, found true"),
            ("invalid type: sequence, expected struct Settings", "a table, found a list"),
            ("invalid type: map, expected a boolean", "true or false, found a table"),
            ("invalid type: null, expected f64", "a number, found null"),
            ("invalid type: map, expected a day of the week", "a day of the week, found a table"),
            ("invalid value: integer `-1`, expected u32", "a whole number from 0 on, found -1"),
            (
                "invalid value: integer `300`, expected u8",
                "a whole number from 0 to 255, found 300",
            ),
            ("unknown variant `c`, expected one of `a`, `b`", "one of \"a\", \"b\", found \"c\""),
            (
                "invalid type: string \"x, expected u8\", expected i64",
                "a whole number, found \"x, expected u8\"",
            ),
        ] {
            assert_eq!(other_value(said, "a table"), Some(format!("expected {told}")), "{said}");
        }
        for other in ["missing field `a`", "invalid value: string \"x\", expected a date"] {
            assert_eq!(other_value(other, "a table"), None);
        }
        let long = format!("invalid type: string {:?}, expected u8", "a".repeat(5_000));
        assert!(other_value(&long, "a table").is_some_and(|told| told.len() < 200));
    }
}
