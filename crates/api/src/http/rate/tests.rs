//! Windows, clients and headers.

use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn client<'a>(organisation: &'a str, name: &'a str) -> RatedAccount<'a> {
    RatedAccount { organisation, name, is_client: true }
}

fn limits(usual: u32, own: &[(&str, u32)]) -> Arc<RateLimits> {
    let clients = own.iter().map(|(name, limit)| ((*name).to_owned(), *limit)).collect();
    RateLimits::new(&Rate { requests_per_minute: usual, clients })
}

#[test]
fn a_window_is_full_and_then_a_new_one_begins() {
    let limits = limits(2, &[]);
    let left = |requests, seconds| Left { quota: 2, requests, seconds };
    assert_eq!(limits.count(client("acme", "a"), at(100)), Ok(Some(left(1, 60))));
    assert_eq!(limits.count(client("acme", "a"), at(110)), Ok(Some(left(0, 50))));
    assert_eq!(limits.count(client("acme", "a"), at(159)), Err(left(0, 1)));
    assert!(limits.count(client("other", "a"), at(159)).is_ok(), "and so has each organisation");
    assert_eq!(
        limits.count(client("acme", "b"), at(159)),
        Ok(Some(left(1, 60))),
        "each client has its own"
    );
    assert_eq!(limits.count(client("acme", "a"), at(160)), Ok(Some(left(1, 60))));
}

#[test]
fn a_client_may_have_its_own_limit_and_zero_is_none() {
    let limits = limits(1, &[("large", 3), ("free", 0)]);
    for _ in 0..3 {
        assert!(limits.count(client("acme", "large"), at(0)).is_ok());
    }
    assert!(limits.count(client("acme", "large"), at(0)).is_err());
    assert_eq!(limits.count(client("acme", "free"), at(0)), Ok(None));
}

#[test]
fn a_limit_is_not_for_a_namesake_in_another_organisation() {
    let limits = limits(1, &[("large", 3), ("acme/alice", 2)]);
    let user = |organisation, name| RatedAccount { is_client: false, ..client(organisation, name) };
    let quota = |account| limits.count(account, at(0)).unwrap().unwrap().quota;
    assert_eq!(quota(client("acme", "large")), 3, "the client of this id");
    assert_eq!(quota(user("other", "large")), 1, "a user who is called so");
    assert_eq!(quota(user("acme", "alice")), 2, "a user by its organisation");
    assert_eq!(quota(user("other", "alice")), 1);
}

#[test]
fn look_ups_are_not_counted() {
    let limits = limits(1, &[]);
    for path in ["/api/v1/queryRecipientParty", "/api/v1/peppol/deliveryOption"] {
        let meter = RateMeter::new(limits.clone(), path, at(0));
        meter.count(client("acme", "a")).unwrap();
        assert!(meter.headers().is_empty());
    }
    let meter = RateMeter::new(limits.clone(), "/api/v1/me", at(0));
    meter.count(client("acme", "a")).unwrap();
    assert_eq!(meter.headers()["ratelimit-policy"], "\"client\";q=1;w=60");
    assert_eq!(meter.headers()["ratelimit"], "\"client\";r=0;t=60");
    let again = RateMeter::new(limits, "/api/v1/me", at(20));
    let problem = again.count(client("acme", "a")).unwrap_err();
    assert_eq!((problem.code.id, problem.headers[0].1.as_bytes()), ("API429.Rate", &b"40"[..]));
}
