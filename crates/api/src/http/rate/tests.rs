//! Windows, clients and headers.

use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn limits(usual: u32, own: &[(&str, u32)]) -> Arc<RateLimits> {
    let clients = own.iter().map(|(name, limit)| ((*name).to_owned(), *limit)).collect();
    RateLimits::new(&Rate { requests_per_minute: usual, clients })
}

#[test]
fn a_window_is_full_and_then_a_new_one_begins() {
    let limits = limits(2, &[]);
    let left = |requests, seconds| Left { quota: 2, requests, seconds };
    assert_eq!(limits.count(("acme", "a"), at(100)), Ok(Some(left(1, 60))));
    assert_eq!(limits.count(("acme", "a"), at(110)), Ok(Some(left(0, 50))));
    assert_eq!(limits.count(("acme", "a"), at(159)), Err(left(0, 1)));
    assert!(limits.count(("other", "a"), at(159)).is_ok(), "and so has each organisation");
    assert_eq!(
        limits.count(("acme", "b"), at(159)),
        Ok(Some(left(1, 60))),
        "each client has its own"
    );
    assert_eq!(limits.count(("acme", "a"), at(160)), Ok(Some(left(1, 60))));
}

#[test]
fn a_client_may_have_its_own_limit_and_zero_is_none() {
    let limits = limits(1, &[("large", 3), ("free", 0)]);
    for _ in 0..3 {
        assert!(limits.count(("acme", "large"), at(0)).is_ok());
    }
    assert!(limits.count(("acme", "large"), at(0)).is_err());
    assert_eq!(limits.count(("acme", "free"), at(0)), Ok(None));
}

#[test]
fn look_ups_are_not_counted() {
    let limits = limits(1, &[]);
    for path in ["/api/v1/queryRecipientParty", "/api/v1/peppol/deliveryOption"] {
        let meter = RateMeter::new(limits.clone(), path, at(0));
        meter.count("acme", "a").unwrap();
        assert!(meter.headers().is_empty());
    }
    let meter = RateMeter::new(limits.clone(), "/api/v1/me", at(0));
    meter.count("acme", "a").unwrap();
    assert_eq!(meter.headers()["ratelimit-policy"], "\"client\";q=1;w=60");
    assert_eq!(meter.headers()["ratelimit"], "\"client\";r=0;t=60");
    let again = RateMeter::new(limits, "/api/v1/me", at(20));
    let problem = again.count("acme", "a").unwrap_err();
    assert_eq!((problem.code.id, problem.headers[0].1.as_bytes()), ("API429.Rate", &b"40"[..]));
}
