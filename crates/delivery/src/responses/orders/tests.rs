//! Every pair of answers to everything that is answered, and whole lives.

use super::*;

const CODES: [&str; 4] = ["AB", "AP", "CA", "RE"];

fn life(codes: &str, subject: OrderSubject) -> Result<(), OutOfOrder> {
    let mut before = Vec::new();
    for code in codes.split(' ') {
        may_follow(&before, code, subject)?;
        before.push(GivenState { code: code.to_owned(), partial: false });
    }
    Ok(())
}

#[test]
fn what_agrees_with_what_was_said_is_taken() {
    use OrderSubject::{AdvancedOrder, Cancellation, Change, Order};
    for (subject, lives) in [
        (Order, &["AB AP", "AB CA CA AP RE", "RE", "AP RE", "CA RE"][..]),
        (AdvancedOrder, &["AB AP CA AP CA RE", "CA AP", "AP RE"]),
        (Change, &["AB CA AP CA", "RE"]),
        (Cancellation, &["AB AP", "AB RE", "AP", "RE"]),
    ] {
        for codes in lives {
            assert_eq!(life(codes, subject), Ok(()), "{subject:?} {codes}");
        }
    }
}

#[test]
fn what_contradicts_it_says_what_is_expected() {
    use OrderSubject::{AdvancedOrder, Cancellation, Change, Order};
    for (subject, lives) in [
        (Order, &["CA AB", "AP AP", "AP CA", "AP AB", "AB AB"][..]),
        (AdvancedOrder, &["AP AP", "CA AB", "AP AB"]),
        (Change, &["AP AP", "AB AB"]),
        (Cancellation, &["CA", "AB CA", "AP RE", "AP AP", "AB AB"]),
    ] {
        for codes in lives {
            let error = life(codes, subject).unwrap_err();
            assert!(matches!(error, OutOfOrder::Answered { .. }), "{subject:?} {codes}: {error}");
            let text = error.to_string();
            assert!(text.contains("expected one of") || text.contains("last word"), "{text}");
            assert!(text.starts_with(subject.title()), "{text}");
        }
    }
}

#[test]
fn nothing_follows_a_refusal() {
    for subject in OrderSubject::ALL {
        for next in CODES {
            let error = life(&format!("RE {next}"), *subject).unwrap_err().to_string();
            assert!(error.contains("RE is the last word"), "{error}");
        }
        assert!(OrderSubject::after(*subject, None).contains(&"AB"));
    }
}

#[test]
fn the_timeline_of_an_order_names_what_came_about_it() {
    let id: DocumentId = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6".parse().unwrap();
    let line = |news: OrderNews, number, is_rejected| {
        let line = news.line((&id, number), is_rejected, Timestamp::UNIX_EPOCH);
        (line.name, line.description)
    };
    let (name, text) = line(OrderNews::Answered(Some("AP".to_owned())), Some("R-1"), false);
    assert_eq!(name, "Answered");
    assert_eq!(text, format!("The seller answered AP by the document {id} (number R-1)."));
    let (name, text) = line(OrderNews::Cancelled, None, true);
    assert_eq!(name, "Cancelled");
    assert!(text.contains(id.as_str()) && text.contains("counts for nothing"), "{text}");
    assert_eq!(line(OrderNews::Changed, None, false).0, "Changed");
    let answered = OrderNews::AnsweredCancellation(Some("RE".to_owned()));
    let (name, text) = line(answered, None, false);
    assert_eq!(name, "Answered");
    assert_eq!(text, format!("The seller answered the cancellation with RE by the document {id}."));
    let (name, text) = line(OrderNews::Cancels, None, false);
    assert_eq!(name, "Cancelled");
    assert_eq!(
        text,
        format!("The order is cancelled by the document {id}, once that is delivered.")
    );
}
