//! The table agrees with itself, and states follow the day.

use std::collections::HashSet;

use jiff::civil::date;

use super::*;

#[test]
fn codes_and_aliases_are_unique() {
    let codes: HashSet<&str> = SCHEMES.iter().map(|s| s.icd).collect();
    let aliases: HashSet<String> = SCHEMES.iter().map(|s| s.alias.to_lowercase()).collect();
    assert_eq!((codes.len(), aliases.len(), SCHEMES.len()), (105, 105, 105));
}

#[test]
fn states_follow_the_removal_date() {
    let ublbe = scheme("0193").unwrap();
    assert_eq!(ublbe.state.on(date(2026, 7, 6), ublbe.removal), CodeState::Deprecated);
    assert_eq!(ublbe.state.on(date(2026, 7, 7), ublbe.removal), CodeState::Removed);
    assert_eq!(CodeState::Active.on(date(2030, 1, 1), None), CodeState::Active);
    let day = date(2026, 11, 20);
    assert!(scheme("0106").unwrap().may_register(day) && !ublbe.may_register(day));
}
