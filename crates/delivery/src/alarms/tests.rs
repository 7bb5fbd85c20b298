//! Tests of `alarms`: each is told, none is told too often.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

const HAPPENS: AlarmKind = AlarmKind { code: "x", lasts: false, meaning: "" };
const LASTS: AlarmKind = AlarmKind { code: "y", lasts: true, meaning: "" };

fn at(hours: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + hours * 3_600).unwrap()
}

fn told(hours: i64, ended: bool) -> Option<RaisedAlarm> {
    Some(RaisedAlarm { told_on: at(hours), ended })
}

#[test]
fn codes_are_words_of_their_own_and_say_what_to_do() {
    let codes: BTreeSet<&str> = ALARMS.iter().map(|kind| kind.code).collect();
    assert_eq!(codes.len(), ALARMS.len());
    for kind in ALARMS {
        assert!(kind.meaning.ends_with('.') && kind.meaning.len() > 40, "{kind:?}");
        assert_eq!(AlarmKind::named(kind.code), Some(*kind));
    }
}

#[test]
fn the_same_thing_is_told_once_a_day() {
    assert!(is_told(HAPPENS, None, 0, at(0)));
    assert!(!is_told(HAPPENS, told(0, true), 0, at(23)));
    assert!(is_told(HAPPENS, told(0, true), 0, at(24)));
    assert!(!is_told(LASTS, told(0, false), 0, at(23)));
    assert!(is_told(LASTS, told(0, true), 0, at(1)), "it was over and began anew");
    assert!(is_told(HAPPENS, told(100, true), 0, at(0)), "told by a clock that was wrong");
    assert!(!is_told(HAPPENS, None, MOST_AN_HOUR, at(0)));
}

proptest! {
    /// Whatever happens, a day has at most 24 × the limit of an hour, and one thing that goes on is
    /// told once.
    #[test]
    fn nobody_is_flooded(minutes in prop::collection::vec(0i64..1440, 0..300)) {
        let mut minutes = minutes;
        minutes.sort_unstable();
        let (mut record, mut count) = (None, 0);
        for minute in minutes {
            let now = at(0).saturating_add(SignedDuration::from_mins(minute)).unwrap();
            if is_told(LASTS, record, 0, now) {
                record = Some(RaisedAlarm { told_on: now, ended: false });
                count += 1;
            }
        }
        prop_assert!(count <= 1);
    }
}
