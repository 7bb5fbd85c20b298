//! Every pair of states, and whole lives.

use super::*;

fn given(code: &str) -> GivenState {
    GivenState { code: code.trim_end_matches('*').to_owned(), partial: code.ends_with('*') }
}

fn life(codes: &str, order: ResponseOrder) -> Result<(), OutOfOrder> {
    let mut before = Vec::new();
    for code in codes.split(' ') {
        let next = given(code);
        may_follow(&before, &next, order)?;
        before.push(next);
    }
    Ok(())
}

#[test]
fn the_logical_order_is_kept() {
    for good in [
        "AB IP UQ AP PD",
        "AB AP",
        "AB RE",
        "RE",
        "AP PD",
        "PD",
        "AB UQ UQ CA AP PD",
        "AB IP IP AP",
        "AP RE",
        "AP PD* PD* PD",
        "UQ RE",
    ] {
        assert_eq!(life(good, ResponseOrder::Strict), Ok(()), "{good}");
    }
}

#[test]
fn what_is_out_of_order_says_what_is_expected() {
    for bad in ["AP AB", "UQ IP", "AB AB", "AP AP", "AP UQ", "CA UQ", "PD* AP", "AB IP UQ IP"] {
        let error = life(bad, ResponseOrder::Strict).unwrap_err();
        assert!(matches!(error, OutOfOrder::Passed { .. }), "{bad}: {error}");
        assert!(error.to_string().contains("AB, IP, UQ"), "{error}");
        assert_eq!(life(bad, ResponseOrder::Any), Ok(()), "{bad}");
    }
}

/// Every state after every one, `PD*` a payment in part: `+` is taken, `-` is not. What comes after
/// a payment in part is the next payment and nothing else, since a state PD is final.
#[test]
fn every_state_is_taken_or_refused_after_every_one() {
    let next = ["AB", "IP", "UQ", "CA", "AP", "RE", "PD*", "PD"];
    for (last, strict, any) in [
        ("", "++++++++", "++++++++"),
        ("AB", "-+++++++", "++++++++"),
        ("IP", "-+++++++", "++++++++"),
        ("UQ", "--++++++", "++++++++"),
        ("CA", "----++++", "++++++++"),
        ("AP", "-----+++", "++++++++"),
        ("PD*", "------++", "++++++++"),
        ("PD", "--------", "--------"),
        ("RE", "--------", "--------"),
    ] {
        for (order, row) in [(ResponseOrder::Strict, strict), (ResponseOrder::Any, any)] {
            let said = next.map(|next| {
                let lives = format!("{last} {next}");
                if life(lives.trim(), order).is_ok() { '+' } else { '-' }
            });
            assert_eq!(String::from_iter(said), row, "after {last:?}, {order:?}");
        }
    }
}

#[test]
fn nothing_follows_a_final_state_in_any_order() {
    for order in [ResponseOrder::Strict, ResponseOrder::Any] {
        for last in ["RE", "PD", "PD* PD"] {
            for next in ["AB", "IP", "UQ", "CA", "AP", "PD", "RE"] {
                let error = life(&format!("{last} {next}"), order).unwrap_err();
                assert!(matches!(error, OutOfOrder::Final { .. }), "{last} {next}: {error}");
            }
        }
    }
}
