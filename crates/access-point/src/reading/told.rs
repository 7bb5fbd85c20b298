//! What is said of JSON that is not taken: the reader's words, with the place before them.

use super::other_value;

/// What is wrong with something that was read, such as `the body`: where, and what.
pub fn told(what: &str, error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = said.strip_suffix(&place).unwrap_or(&said);
    let said = other_value(said, "an object").unwrap_or_else(|| in_words(said).to_owned());
    match (error.line(), error.column()) {
        // There is nothing that could have a place.
        (1, 0) if error.is_eof() => format!("{what}: expected JSON, found nothing"),
        // Of a value that was read before nothing is known of its place.
        (0, _) => format!("{what}: {said}"),
        (line, column) => format!("{what}, line {line}, column {column}: {said}"),
    }
}

/// What the reader says of a text that is no JSON, and what is said in its place.
const WORDS: &[(&str, &str)] = &[
    ("EOF while parsing a value", "expected a value, found the end"),
    ("EOF while parsing an object", "expected the rest of an object, found the end"),
    ("EOF while parsing a list", "expected the rest of a list, found the end"),
    ("EOF while parsing a string", "expected the rest of a text, found the end"),
    ("key must be a string", "expected the name of a member between double quotes"),
    ("expected value", "expected a value"),
    ("expected ident", "expected true, false or null"),
    ("invalid number", "expected a number"),
    ("invalid escape", "expected an escape of JSON"),
    ("trailing comma", "expected another value after the comma"),
    ("trailing characters", "expected the end, found more"),
    ("recursion limit exceeded", "expected fewer objects and lists in each other"),
];

fn in_words(said: &str) -> &str {
    WORDS.iter().find(|(own, _)| *own == said).map_or(said, |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::{json, json_value};
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        #[expect(dead_code, reason = "read only")]
        role: Role,
    }

    #[derive(Debug, Deserialize)]
    enum Role {
        ApUser,
        ApManager,
    }

    #[test]
    fn what_is_no_json_is_told_in_words() {
        for (text, expected) in [
            ("", "the body: expected JSON, found nothing"),
            ("{", "the body, line 1, column 1: expected the rest of an object, found the end"),
            (
                "{a: 1}",
                "the body, line 1, column 2: expected the name of a member between double quotes",
            ),
            (
                "{'role': 1}",
                "the body, line 1, column 2: expected the name of a member between double quotes",
            ),
            ("{} x", "the body, line 1, column 4: expected the end, found more"),
        ] {
            let error = json::<serde_json::Value>(text.as_bytes()).unwrap_err();
            assert_eq!(told("the body", &error), expected, "{text}");
        }
    }

    #[test]
    fn the_place_stands_before_what_is_wrong() {
        for (text, expected) in [
            (
                r#"{"role": "Boss"}"#,
                "the body, line 1, column 15: expected \"ApUser\" or \"ApManager\", found \"Boss\"",
            ),
            ("{\n\"role\" 1}", "the body, line 2, column 8: expected `:`"),
            (r#"{"roll": 1}"#, "the body, line 1, column 7: unknown field `roll`, expected `role`"),
        ] {
            let error = json::<Body>(text.as_bytes()).unwrap_err();
            assert_eq!(told("the body", &error), expected);
        }
        let error = json_value::<Body>(serde_json::json!({ "role": "Boss" })).unwrap_err();
        let expected = "links: expected \"ApUser\" or \"ApManager\", found \"Boss\"";
        assert_eq!(told("links", &error), expected);
    }
}
