//! Tests of `breaker`: its three states by example, and what must hold in every life.

use proptest::prelude::*;

use super::*;

const POLICY: BreakerPolicy = BreakerPolicy {
    failures: 3,
    rest: SignedDuration::from_secs(60),
    longest: SignedDuration::from_secs(300),
    patience: SignedDuration::from_hours(24),
};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_000_000 + second).unwrap()
}

fn opened() -> Breaker {
    let mut breaker = Breaker::default();
    for document in ["a", "b", "c"] {
        assert_eq!(breaker.admit(at(0), &POLICY, at(0)), Admission::Go);
        breaker.note(document, Sign::Down, &POLICY, at(0));
    }
    breaker
}

#[test]
fn it_opens_after_failures_of_several_documents_in_a_row() {
    let mut breaker = opened();
    assert_eq!(breaker.state(&POLICY, at(59)), BreakerState::Open);
    assert_eq!(breaker.state(&POLICY, at(60)), BreakerState::HalfOpen);
    assert_eq!(breaker.admit(at(0), &POLICY, at(1)), Admission::Wait(at(60)));
}

#[test]
fn one_document_that_fails_again_and_again_opens_nothing() {
    let mut breaker = Breaker::default();
    for turn in 0..50 {
        assert_eq!(breaker.admit(at(0), &POLICY, at(turn)), Admission::Go);
        breaker.note("a", Sign::Down, &POLICY, at(turn));
    }
    assert_eq!(breaker.state(&POLICY, at(50)), BreakerState::Closed);
}

#[test]
fn an_answer_between_failures_starts_the_count_anew() {
    let mut breaker = Breaker::default();
    for (document, sign) in
        [("a", Sign::Down), ("b", Sign::Down), ("c", Sign::Alive), ("d", Sign::Down)]
    {
        breaker.note(document, sign, &POLICY, at(0));
    }
    assert_eq!(breaker.state(&POLICY, at(0)), BreakerState::Closed);
    assert_eq!(breaker.failing, ["d"]);
}

#[test]
fn a_probe_that_said_nothing_is_followed_by_the_next_document() {
    let mut breaker = opened();
    assert_eq!(breaker.admit(at(0), &POLICY, at(60)), Admission::Probe);
    assert!(matches!(breaker.admit(at(0), &POLICY, at(61)), Admission::Wait(_)));
    breaker.release();
    assert_eq!(breaker.admit(at(0), &POLICY, at(61)), Admission::Probe);
}

#[test]
fn after_its_rest_one_probe_goes_and_decides() {
    let mut breaker = opened();
    assert_eq!(breaker.admit(at(0), &POLICY, at(60)), Admission::Probe);
    assert_eq!(breaker.admit(at(0), &POLICY, at(61)), Admission::Wait(at(71)));
    assert!(breaker.note("d", Sign::Alive, &POLICY, at(62)));
    assert_eq!(breaker, Breaker::default());
    let mut breaker = opened();
    assert_eq!(breaker.admit(at(0), &POLICY, at(60)), Admission::Probe);
    breaker.note("d", Sign::Down, &POLICY, at(62));
    assert_eq!(breaker.admit(at(0), &POLICY, at(63)), Admission::Wait(at(62 + 120)));
}

#[test]
fn a_probe_that_is_lost_does_not_block_for_ever() {
    let mut breaker = opened();
    assert_eq!(breaker.admit(at(0), &POLICY, at(60)), Admission::Probe);
    assert_eq!(breaker.admit(at(0), &POLICY, at(60 + 299)), Admission::Wait(at(60 + 309)));
    assert_eq!(breaker.admit(at(0), &POLICY, at(60 + 300)), Admission::Probe);
}

#[test]
fn an_old_document_goes_whatever_the_breaker_says() {
    let mut breaker = opened();
    let day = 24 * 3600;
    let until = at(day + 200);
    breaker.rests_until = Some(until);
    assert_eq!(breaker.admit(at(0), &POLICY, at(day + 1)), Admission::Go);
    assert_eq!(breaker.admit(at(2), &POLICY, at(day + 1)), Admission::Wait(until));
}

#[test]
fn a_policy_of_zero_failures_never_opens() {
    let never = BreakerPolicy { failures: 0, ..POLICY };
    let mut breaker = Breaker::default();
    for document in ["a", "b", "c", "d", "e", "f"] {
        breaker.note(document, Sign::Down, &never, at(0));
    }
    assert_eq!(breaker.state(&POLICY, at(0)), BreakerState::Closed);
    assert_eq!(opened().admit(at(0), &never, at(1)), Admission::Go, "it was open before");
}

#[derive(Debug, Clone)]
enum Move {
    Wait(u16),
    Try { document: u8, down: bool },
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        (1..400_u16).prop_map(Move::Wait),
        (0..8_u8, any::<bool>()).prop_map(|(document, down)| Move::Try { document, down }),
        (0..8_u8).prop_map(|document| Move::Try { document, down: true }),
    ];
    prop::collection::vec(one, 0..200)
}

proptest! {
    /// An open breaker lets nobody through; a closed one everybody; between two probes lies a rest
    /// within its bounds; what is remembered is bounded.
    #[test]
    fn in_every_life(moves in moves()) {
        let mut breaker = Breaker::default();
        let mut now = at(0);
        for step in moves {
            match step {
                Move::Wait(seconds) => now += SignedDuration::from_secs(seconds.into()),
                Move::Try { document, down } => {
                    let state = breaker.state(&POLICY, now);
                    let admitted = breaker.admit(now, &POLICY, now);
                    match (state, admitted) {
                        (BreakerState::Closed, Admission::Go)
                        | (BreakerState::HalfOpen, Admission::Probe) => {}
                        (BreakerState::Open | BreakerState::HalfOpen, Admission::Wait(until)) => {
                            prop_assert!(until > now);
                            prop_assert!(until <= now + POLICY.longest);
                            continue;
                        }
                        other => prop_assert!(false, "{other:?}"),
                    }
                    let sign = if down { Sign::Down } else { Sign::Alive };
                    breaker.note(&document.to_string(), sign, &POLICY, now);
                    match sign {
                        Sign::Alive => {
                            prop_assert_eq!(breaker.state(&POLICY, now), BreakerState::Closed);
                        }
                        Sign::Down => {
                            prop_assert!(breaker.state(&POLICY, now) != BreakerState::HalfOpen);
                        }
                    }
                }
            }
            prop_assert!(breaker.failing.len() <= POLICY.failures);
            let rest = breaker.rests_until.map(|until| until.duration_since(now));
            prop_assert!(rest.is_none_or(|rest| rest <= POLICY.longest));
        }
    }

    /// However long an address is down: sooner or later a probe goes, and one answer closes it.
    #[test]
    fn it_always_heals(failures in 0..30_u32) {
        let mut breaker = opened();
        let mut now = at(0);
        for turn in 0..failures {
            now += POLICY.longest;
            prop_assert_eq!(breaker.admit(now, &POLICY, now), Admission::Probe);
            breaker.note(&format!("p{turn}"), Sign::Down, &POLICY, now);
        }
        now += POLICY.longest;
        prop_assert_eq!(breaker.admit(now, &POLICY, now), Admission::Probe);
        breaker.note("last", Sign::Alive, &POLICY, now);
        prop_assert_eq!(breaker, Breaker::default());
    }
}
