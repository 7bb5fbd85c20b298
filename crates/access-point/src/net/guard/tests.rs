//! Addresses that must never be called, and those that may.

use super::*;

#[test]
fn special_addresses_are_not_public() {
    for text in [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::a00:1",
        "2001:db8::1",
        "2001::1",
        "2002:7f00:1::",
        "3fff::1",
    ] {
        assert!(!is_public(text.parse().unwrap()), "{text}");
    }
}

#[test]
fn ordinary_addresses_are_public() {
    for text in [
        "1.1.1.1",
        "100.63.0.1",
        "100.128.0.1",
        "172.32.0.1",
        "193.0.0.1",
        "2606:4700::1111",
        "2001:4860:4860::8888",
        "::ffff:1.1.1.1",
        "64:ff9b::101:101",
    ] {
        assert!(is_public(text.parse().unwrap()), "{text}");
    }
}

#[test]
fn addresses_as_written_are_judged() {
    let guard = Guard { standard_port: true, ..Guard::default() };
    assert!(guard.check("https://erp.example.org/events").is_ok());
    for (address, refusal) in [
        ("http://erp.example.org/", AddressRefusal::Scheme("http".into())),
        ("file:///etc/passwd", AddressRefusal::NotAnAddress("file:///etc/passwd".into())),
        ("ftp://a.example/", AddressRefusal::Scheme("ftp".into())),
        ("/relative", AddressRefusal::NotAnAddress("/relative".into())),
        (
            "https://a.example/\r\nX: y",
            AddressRefusal::NotAnAddress("https://a.example/\r\nX: y".into()),
        ),
        ("https://u:p@erp.example.org/", AddressRefusal::UserInfo),
        ("https://erp.example.org:8443/", AddressRefusal::Port(8443)),
        ("https://erp.example.org:0/", AddressRefusal::Port(0)),
    ] {
        assert_eq!(guard.check(address).unwrap_err(), refusal, "{address}");
    }
    let nowhere = Guard::default().check("https://erp.example.org:0/").unwrap_err();
    assert_eq!(nowhere, AddressRefusal::NoPort, "nothing listens there");
    for address in [
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://017700000001/",
        "https://[::ffff:7f00:1]/",
        "https://169.254.169.254/latest",
    ] {
        assert!(matches!(guard.check(address), Err(AddressRefusal::Private { .. })), "{address}");
    }
}

#[test]
fn exceptions_are_by_name() {
    let guard = Guard {
        hosts_allowed: BTreeSet::from(["127.0.0.1".to_owned(), "erp.internal".to_owned()]),
        ..Guard::default()
    };
    assert!(guard.check("http://127.0.0.1:9000/x").is_ok());
    assert!(guard.check("http://ERP.internal/x").is_ok());
    assert!(guard.check("https://127.0.0.2/x").is_err());
    let lab = Guard { any_address: true, standard_port: true, ..Guard::default() };
    assert!(lab.check("https://127.0.0.1:9000/x").is_ok());
    assert!(lab.check("http://127.0.0.1:9000/x").is_err());
}

#[tokio::test]
async fn a_name_that_leads_home_is_refused_when_resolved() {
    let mut strict = GuardedResolver(Arc::new(Guard::default()));
    let error = strict.call("localhost".parse().unwrap()).await.err().unwrap();
    assert!(matches!(error, AddressRefusal::Private { .. }), "{error}");
    let hosts_allowed = BTreeSet::from(["localhost".to_owned()]);
    let mut open = GuardedResolver(Arc::new(Guard { hosts_allowed, ..Guard::default() }));
    assert!(open.call("localhost".parse().unwrap()).await.unwrap().next().is_some());
}
