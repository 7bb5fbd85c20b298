//! Tests of `filter`: which events pass, and how a filter that cannot be read is answered.

use super::*;

fn wants(filter: &str) -> bool {
    let details = [("sender", "0106:sender"), ("attempt", "2")];
    let details = details.map(|(k, v)| (k.to_owned(), v.to_owned())).into_iter().collect();
    filter.parse::<Filter>().unwrap().wants(&details)
}

#[test]
fn comparisons_join() {
    assert!(wants(r#"sender == "0106:sender""#));
    assert!(!wants(r#"sender != "0106:sender""#));
    assert!(wants(r#"sender=="0106:sender"&&attempt=="2""#));
    assert!(!wants(r#"sender == "0106:sender" && attempt == "1""#));
    assert!(wants(r#"sender == "x" || attempt == "2""#));
    assert!(wants(r#"attempt == "2" || sender == "x" && attempt == "1" "#));
}

#[test]
fn an_unknown_name_is_empty() {
    assert!(wants(r#"colour == """#));
    assert!(!wants(r#"colour == "red""#));
}

#[test]
fn what_cannot_be_read_says_where_and_what() {
    for (filter, at, expected) in [
        ("", 0, "name of a detail"),
        ("sender", 6, "== or !="),
        ("sender == 5", 10, "double quotes"),
        ("sender == \"5", 11, "closing quote"),
        ("sender == \"5\" and", 14, "&&, || or the end"),
        ("sender == \"5\" &&", 16, "name of a detail"),
        ("(a == \"5\")", 0, "name of a detail"),
    ] {
        let error = filter.parse::<Filter>().unwrap_err();
        assert_eq!(error.at, at, "{filter}: {error}");
        assert!(error.to_string().contains(expected), "{filter}: {error}");
    }
    assert!(format!("a == \"{}\"", "x".repeat(1000)).parse::<Filter>().is_err());
}
