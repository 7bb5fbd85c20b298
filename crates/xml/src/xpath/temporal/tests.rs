//! Dates, times and durations against a calendar that is known to be right.

use jiff::civil;
use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn days_agree_with_another_calendar(day in -3_000_000i64..2_900_000) {
        let (year, month, number) = calendar::civil(day);
        prop_assert_eq!(calendar::days(year, month, number), day);
        if (-9999..=9999).contains(&year) {
            let date = civil::date(year as i16, month as i8, number as i8);
            prop_assert_eq!(u32::from(date.days_in_month().unsigned_abs()),
                calendar::days_of(year, month));
            let span = date.since((jiff::Unit::Day, civil::date(1970, 1, 1))).unwrap();
            prop_assert_eq!(i64::from(span.get_days()), day);
        }
    }

    #[test]
    fn texts_are_read_again(
        seconds in -1_000_000_000_000i64..1_000_000_000_000,
        nanos in 0u32..1_000_000_000,
        zone in proptest::option::of(-840i16..=840),
    ) {
        let moment = Moment { seconds, nanos, zone };
        prop_assert_eq!(Moment::parse_date_time(&moment.date_time_text()), Ok(moment));
        prop_assert_eq!(Moment::parse_date(&moment.date_text()), Ok(moment.date()));
        prop_assert_eq!(Moment::parse_time(&moment.time_text()), Ok(moment.time()));
    }

    #[test]
    fn differences_add_up(
        a in -1_000_000_000_000i64..1_000_000_000_000,
        b in -1_000_000_000_000i64..1_000_000_000_000,
        (x, y) in (0u32..1_000_000_000, 0u32..1_000_000_000),
    ) {
        let (a, b) = (Moment::utc(a, x), Moment::utc(b, y));
        let between = a.minus(b);
        prop_assert_eq!(b.plus(between), Ok(a));
        prop_assert_eq!(a.plus(between.negate()), Ok(b));
        let text = between.text("PT0S");
        prop_assert_eq!(XPathDuration::parse(&text, false, true), Ok(between));
    }

    #[test]
    fn no_text_brings_them_down(text in "[-+0-9:.TZPYMDHS ]{0,30}") {
        let _ = (Moment::parse_date(&text), Moment::parse_time(&text));
        let _ = (Moment::parse_date_time(&text), XPathDuration::parse(&text, true, true));
    }
}

#[test]
fn what_is_no_date() {
    for text in [
        "",
        "2024",
        "2024-1-01",
        "2024-01-1",
        "2024-00-01",
        "2024-13-01",
        "2024-04-31",
        "2023-02-29",
        "1900-02-29",
        "02024-01-01",
        "24-01-01",
        "2024-01-01z",
        "2024-01-01+1:00",
        "2024-01-01+15:00",
        "2024-01-01+01:60",
        "+2024-01-01",
        "2024/01/01",
        "2024-01-01T00:00:00",
    ] {
        assert!(Moment::parse_date(text).is_err(), "{text}");
    }
    for text in ["2000-02-29", "2024-02-29Z", "-0001-12-31", "12024-01-01", "2024-01-01-14:00"] {
        assert!(Moment::parse_date(text).is_ok(), "{text}");
    }
}

#[test]
fn what_is_no_time() {
    for text in [
        "",
        "12",
        "12:00",
        "12:00:00.",
        "25:00:00",
        "24:00:01",
        "12:60:00",
        "1:00:00",
        "12:00:00 Z",
        "-12:00:00",
        "12:00:00+0100",
    ] {
        assert!(Moment::parse_time(text).is_err(), "{text}");
    }
    for text in ["00:00:00", "23:59:59.999999999999", "24:00:00", "12:00:00Z", "12:00:00-00:30"] {
        assert!(Moment::parse_time(text).is_ok(), "{text}");
    }
}

#[test]
fn durations_have_an_order_of_parts() {
    for text in [
        "P", "PT", "1Y", "P1", "PY", "P1M1Y", "P1H", "PT1Y", "P1.5D", "PT1.S", "P-1D", "PT.5S",
        "P1D2D", "P1YT",
    ] {
        assert!(XPathDuration::parse(text, true, true).is_err(), "{text}");
    }
    let whole = XPathDuration::parse("-P1Y13M40DT25H61M61.25S", true, true).unwrap();
    assert_eq!(whole.text(""), "-P2Y1M41DT2H2M1.25S");
}

#[test]
fn zones_move_the_clock() {
    let noon = Moment::parse_date_time("2024-02-29T12:00:00+02:00").unwrap();
    assert_eq!(noon.in_zone(Some(-600)).date_time_text(), "2024-02-29T00:00:00-10:00");
    assert_eq!(noon.in_zone(None).date_time_text(), "2024-02-29T12:00:00");
    assert_eq!(noon.in_zone(None).in_zone(Some(0)).date_time_text(), "2024-02-29T12:00:00Z");
    assert!(noon.compare(Moment::utc(1_709_200_800, 0)).is_eq());
}
