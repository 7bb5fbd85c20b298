//! Identifiers and days of documents of Oman.

use super::{is_uuid, local_day};

#[test]
fn identifiers_of_version_five_are_told_apart() {
    assert!(is_uuid("cfbff0d1-9375-5685-968c-48ce8b15ae17"));
    assert!(!is_uuid("cfbff0d1-9375-4685-968c-48ce8b15ae17"));
    assert!(!is_uuid("cfbff0d1-9375-5685-c68c-48ce8b15ae17"));
}

#[test]
fn days_are_compared_without_their_time_zone() {
    assert_eq!(local_day("2026-11-21+14:00"), local_day("2026-11-21"));
    assert_eq!(local_day(" 2026-11-21Z "), local_day("2026-11-21"));
    assert!(local_day("2026-11-22") > local_day("2026-11-21-08:00"));
    assert_eq!(local_day("2026-11-31"), None);
}
