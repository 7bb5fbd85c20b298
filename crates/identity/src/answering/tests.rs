//! Every answer that can be written is judged by the rules of its transaction, and is on the
//! network what it is meant to be.

use jiff::civil::{date, datetime};
use quoin_formats::profiles::PROCESSES;
use quoin_formats::read;
use quoin_formats::ubl::write::{
    ORDER_STATUSES, OrderAnswer, OrderLine, Participant, REPEATS_LINES, order_response,
};
use quoin_model::ElectronicAddress;
use quoin_rules::Verdict;

use super::*;
use crate::{Announced, decide};

const KINDS: [OrderKind; 4] =
    [OrderKind::Order, OrderKind::Change, OrderKind::Cancellation, OrderKind::Response];

fn participant(value: &str) -> Participant {
    Participant {
        endpoint: ElectronicAddress { scheme: "0106".to_owned(), value: value.to_owned() },
        name: format!("Company {value}"),
        country: Some("NL".to_owned()),
    }
}

fn line(id: &str) -> OrderLine {
    OrderLine { id: id.to_owned(), item: format!("Item {id}") }
}

/// Every answer to a message of a kind, in a form.
fn answers(kind: OrderKind, form: OrderAnswerForm) -> Vec<OrderAnswer> {
    let mut all = Vec::new();
    for status in ORDER_STATUSES {
        // A cancellation has no lines that could be repeated.
        if kind == OrderKind::Cancellation && status.code == REPEATS_LINES {
            continue;
        }
        for (note, lines) in [
            (None, vec![line("10"), line("20")]),
            // Numbers that were given twice.
            (Some("A remark <&>".to_owned()), vec![line("2"), line("2"), line("1")]),
        ] {
            all.push(OrderAnswer {
                form,
                id: "0198c1d2-0000-7000-8000-000000000001".to_owned(),
                issued: datetime(2026, 6, 1, 12, 0, 5, 0),
                status,
                note,
                currency: "EUR".to_owned(),
                order: "O-1".to_owned(),
                change: (kind == OrderKind::Change).then(|| "C-1".to_owned()),
                seller: participant("87654321"),
                buyer: participant("12345678"),
                lines,
            });
        }
    }
    all
}

#[test]
fn every_answer_of_every_process_is_valid_and_is_what_it_is_sent_as() {
    let day = date(2026, 11, 29);
    let mut seen = 0;
    for process in PROCESSES {
        for kind in KINDS {
            let Ok(form) = order_answer(kind, Some(process.profile_id)) else { continue };
            for answer in answers(kind, form) {
                let text = order_response(&answer);
                let parsed = read(text.as_bytes());
                let report = quoin_rules::validate(&parsed, day);
                assert_eq!(report.verdict(), Verdict::Valid, "{:?}\n{text}", report.findings);
                assert!(report.findings.is_empty(), "{:?}\n{text}", report.findings);
                let identity = decide(parsed.detection(), &Announced::default(), day);
                let terms = identity.exchange.unwrap();
                // The answer stays in the process of what it answers.
                assert_eq!(terms.process.value(), process.profile_id);
                let wanted = match form {
                    OrderAnswerForm::Ordering => {
                        "::OrderResponse##urn:fdc:peppol.eu:poacc:trns:\
                                                  order_response:3::2.1"
                    }
                    OrderAnswerForm::Advanced => {
                        "::OrderResponse##urn:fdc:peppol.eu:poacc:trns:\
                                                  order_response_advanced:3::2.3"
                    }
                };
                assert!(terms.document_type.value().ends_with(wanted), "{:?}", terms.document_type);
                let routing = parsed.routing().unwrap();
                let said = routing.answers.unwrap();
                assert_eq!((said.numbers, said.change), (vec!["O-1".to_owned()], answer.change));
                assert_eq!(said.status.as_deref(), Some(answer.status.code));
                let ends = [routing.sender, routing.receiver];
                let ends = ends.map(|end| (end.endpoint.unwrap().value, end.name.unwrap()));
                let expected = ["87654321", "12345678"];
                assert_eq!(ends, expected.map(|own| (own.to_owned(), format!("Company {own}"))));
                let lines = text.matches("<cac:OrderLine>").count();
                let repeats = answer.status.code == REPEATS_LINES;
                assert_eq!(lines, if repeats { answer.lines.len() } else { 0 }, "{text}");
                for line in answer.lines.iter().filter(|_| repeats) {
                    assert!(text.contains(&format!("<cbc:LineID>{}</cbc:LineID>", line.id)));
                }
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 8 + (8 + 8 + 6), "ordering, and three kinds of advanced ordering");
}

#[test]
fn what_has_no_answer_in_its_process_says_why() {
    let refused = |kind, process| order_answer(kind, process).unwrap_err().to_string();
    let order_only = "urn:fdc:peppol.eu:poacc:bis:order_only:3";
    let text = refused(OrderKind::Order, Some(order_only));
    assert!(text.contains(order_only) && text.contains("nothing is answered"), "{text}");
    let ordering = "urn:fdc:peppol.eu:poacc:bis:ordering:3";
    for (kind, process) in [
        (OrderKind::Order, "urn:fdc:anskaffelser.no:2019:ehf:postaward:g3:09:1.0"),
        (OrderKind::Order, "urn:www.cenbii.eu:profile:bii28:ver2.0"),
        (OrderKind::Order, "urn:fdc:peppol.eu:poacc:bis:order_agreement:3"),
        (OrderKind::Order, "nobody's process"),
        (OrderKind::Change, ordering),
        (OrderKind::Cancellation, ordering),
    ] {
        let text = refused(kind, Some(process));
        assert!(text.contains(process) && text.contains("generic/send"), "{text}");
    }
    for process in [None, Some(ordering), Some("urn:fdc:peppol.eu:poacc:bis:advanced_ordering:3")] {
        let text = refused(OrderKind::Response, process);
        assert!(text.contains("is not answered"), "{text}");
    }
    // One that names no process is answered as one of its kind.
    let forms = [OrderKind::Order, OrderKind::Change, OrderKind::Cancellation]
        .map(|kind| order_answer(kind, None).unwrap());
    let advanced = OrderAnswerForm::Advanced;
    assert_eq!(forms, [OrderAnswerForm::Ordering, advanced, advanced]);
}
