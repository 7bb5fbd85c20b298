//! Which SMP records name.

use super::*;

fn record(order: u16, preference: u16, flags: &str, services: &str, regexp: &str) -> Naptr {
    let (flags, services, regexp) = (flags.to_owned(), services.to_owned(), regexp.to_owned());
    Naptr { order, preference, flags, services, regexp }
}

fn of(regexp: &str) -> Result<String, LookupError> {
    let records = [record(100, 10, "U", "Meta:SMP", regexp)];
    base(&records, "label.zone.", UriPolicy::default()).map(|base| base.to_string())
}

#[test]
fn substitutions_seen_in_the_network() {
    for (regexp, expected) in [
        ("!.*!https://smp.example.org!", "https://smp.example.org"),
        ("!^.*$!https://smp.example.org/!", "https://smp.example.org"),
        ("!^.*$!https://SMP.example.org/Path/to/my/smp!", "https://smp.example.org/Path/to/my/smp"),
        ("#.*#https://server.example.org/smp#i", "https://server.example.org/smp"),
        ("!^(.*)$!https://smp.example.org/\\1!", "https://smp.example.org/label.zone"),
        ("!.*!https://smp.example.org:443!", "https://smp.example.org"),
    ] {
        assert_eq!(of(regexp).as_deref(), Ok(expected), "{regexp}");
    }
}

#[test]
fn broken_registrations_are_an_alarm() {
    for regexp in [
        "",
        "!.*!",
        "!.*!https://a.example",
        "!.*!https://a.example!!",
        "!a.*!https://a.example!",
        "!.*!https://a.example/\\1!",
        "!.*!https://a.example!x",
        "!.*!http://a.example!",
        "!.*!https://a.example:8443!",
        "!.*!https://user@a.example!",
        "!.*!https://@a.example!",
        "!.*!https://a.example/?q!",
        "!.*!https://a.example/#f!",
        "!.*!ftp://a.example!",
        "!.*!smp.example.org!",
        "!.*!https://a .example!",
        "!.*!https:///!",
    ] {
        let error = of(regexp).expect_err(regexp);
        assert!(matches!(error, LookupError::InvalidSmpAddress(_)), "{regexp}: {error}");
        assert!(error.is_alarm() && !error.is_temporary(), "{regexp}");
    }
}

#[test]
fn records_are_chosen_by_service_flag_order_and_preference() {
    let chosen = |records: &[Naptr]| base(records, "n.", UriPolicy::default());
    let good = |host: &str| format!("!.*!https://{host}!");
    let records = [
        record(10, 1, "U", "Meta:Other", &good("other")),
        record(20, 1, "S", "Meta:SMP", &good("flag")),
        record(100, 20, "u", "meta:smp", &good("second")),
        record(100, 10, "U", "META:SMP", &good("first")),
        record(101, 1, "U", "Meta:SMP", &good("third")),
    ];
    assert_eq!(chosen(&records).unwrap().as_str(), "https://first");
    assert_eq!(chosen(&records[..2]), Err(LookupError::NotRegistered(NotRegistered::NoSmpService)));
    assert_eq!(chosen(&[]), Err(LookupError::NotRegistered(NotRegistered::NoRecord)));
}
