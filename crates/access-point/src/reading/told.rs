//! What is said of JSON that is not taken: the reader's words, with the place before them.

use super::other_value;

/// What is wrong with something that was read, such as `the body`: where, and what.
pub fn told(what: &str, error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = said.strip_suffix(&place).unwrap_or(&said);
    let said = other_value(said, "an object").unwrap_or_else(|| said.to_owned());
    match (error.line(), error.column()) {
        // Of a value that was read before nothing is known of its place.
        (0, _) => format!("{what}: {said}"),
        (line, column) => format!("{what}, line {line}, column {column}: {said}"),
    }
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
