//! How lists are named and kept.

use super::*;

fn codes(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_same_codes_are_kept_once() {
    let mut lists = Lists::default();
    lists.release("one");
    assert_eq!(lists.intern(Some("clISO4217"), "X-1", codes("EUR USD")), "iso4217@one");
    lists.release("two");
    assert_eq!(lists.intern(Some("clISO4217"), "X-1", codes("USD EUR")), "iso4217@one");
    assert_eq!(lists.intern(Some("clISO4217"), "X-1", codes("USD")), "iso4217@two");
    assert_eq!(lists.intern(Some("clISO4217"), "X-2", codes("EUR")), "iso4217.2@two");
    assert_eq!(lists.lists[0].releases, ["one", "two"]);
}

#[test]
fn a_list_without_a_name_is_told_by_its_codes() {
    let mut lists = Lists::default();
    lists.release("one");
    lists.published(read::ListFile {
        identifier: "UNCL9999".to_owned(),
        title: "Anything".to_owned(),
        codes: codes("A B C D"),
        ..read::ListFile::default()
    });
    assert_eq!(lists.intern(None, "X-1", codes("A B C")), "uncl9999.2@one");
    assert_eq!(lists.intern(None, "X-1", codes("A X Y Z")), "x-1@one");
    assert_eq!(lists.intern(None, "BR-CL-14", codes("NL DE")), "iso3166@one");
}

#[test]
fn a_list_is_written_in_short_lines() {
    let mut lists = Lists::default();
    lists.release("one");
    let many: Vec<String> = (100..150).map(|number| format!("B{number}")).collect();
    let key = lists.intern(Some("clLong"), "X-1", [many, codes("A AB C ")].concat());
    let text = text(&lists).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let own = text.split_once(&format!("= {key}\n")).unwrap().1;
    assert!(own.starts_with("name long\nreleases one\n  ''\n  A AB\n  B100 B101"), "{own}");
    assert!(own.ends_with("B149\n  C\n"), "{own}");
    lists.intern(None, "X-2", vec!["two words".to_owned()]);
    assert!(super::text(&lists).is_err());
}
