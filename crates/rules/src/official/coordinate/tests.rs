//! Coordinates: their shape, and the order of releases.

use super::*;

fn coordinate(text: &str) -> Coordinate {
    text.parse().unwrap()
}

#[test]
fn it_has_three_parts() {
    let found = coordinate("eu.peppol.bis3:invoice:2026.5");
    assert_eq!((found.line(), found.release()), ("eu.peppol.bis3:invoice", "2026.5"));
    assert_eq!(found.to_string(), "eu.peppol.bis3:invoice:2026.5");
}

#[test]
fn anything_else_is_refused_with_an_example() {
    let long = format!("a:b:{}", "1".repeat(300));
    for text in ["", "a", "a:b", "a:b:c:d", "a::c", ":b:c", "a:b:", "a:b:../x", "a b:c:d", &long] {
        let error = text.parse::<Coordinate>().unwrap_err();
        assert!(error.to_string().contains("group:artifact:release"), "{text}");
    }
    for text in ["..:b:c", "a:..:c", "a:b:.."] {
        assert!(text.parse::<Coordinate>().is_err(), "{text} would leave a folder");
    }
}

#[test]
fn releases_are_ordered_by_their_numbers() {
    let sorted = ["a:b:1.3.9", "a:b:1.3.16", "a:b:2025.11", "a:b:2026.5", "a:c:1.0"];
    let mut found: Vec<_> = sorted.iter().rev().map(|text| coordinate(text)).collect();
    found.sort();
    assert_eq!(found.iter().map(Coordinate::as_str).collect::<Vec<_>>(), sorted);
}
