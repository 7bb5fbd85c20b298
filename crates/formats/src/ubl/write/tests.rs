//! What is written is read back as it was meant.

use jiff::civil::{date, datetime};

use super::*;
use crate::read;

pub(crate) fn participant(id: &str, name: &str) -> Participant {
    let (scheme, value) = id.split_once(':').unwrap();
    Participant {
        endpoint: ElectronicAddress { scheme: scheme.to_owned(), value: value.to_owned() },
        name: name.to_owned(),
        country: Some("NL".to_owned()),
    }
}

fn response(status: &str) -> InvoiceResponse {
    InvoiceResponse {
        id: "r-1".to_owned(),
        issued: datetime(2026, 6, 1, 12, 0, 5, 0),
        sender: participant("0106:87654321", "Buyer <& Sons>"),
        receiver: participant("0106:12345678", "Seller"),
        invoice: InvoiceReference {
            number: "F&1".to_owned(),
            issue_date: Some(date(2026, 5, 20)),
            type_code: "380".to_owned(),
        },
        status: InvoiceResponseCode::named(STATUSES, status).unwrap(),
        reasons: vec![Explained {
            code: InvoiceResponseCode::named(REASONS, "ReferencesIncorrect").unwrap(),
            text: Some("the order number is missing\u{0}".to_owned()),
        }],
        actions: vec![Explained {
            code: InvoiceResponseCode::named(ACTIONS, "nin").unwrap(),
            text: None,
        }],
        note: Some("please send again".to_owned()),
    }
}

#[test]
fn an_invoice_response_says_what_it_was_given() {
    let text = invoice_response(&response("Reject"));
    let parsed = read(text.as_bytes());
    assert_eq!(parsed.detection().profile.as_deref(), Some("peppol-invoice-response-3"));
    let routing = parsed.routing().unwrap();
    assert_eq!(routing.sender.name.as_deref(), Some("Buyer <& Sons>"));
    assert_eq!(routing.number.as_deref(), Some("r-1"));
    let answers = routing.answers.unwrap();
    assert_eq!((answers.numbers, answers.status.as_deref()), (vec!["F&1".to_owned()], Some("RE")));
    assert_eq!(answers.note.as_deref(), Some("please send again"));
    let [reason, action] = &answers.clarifications[..] else { panic!("{text}") };
    assert_eq!(reason.list.as_deref(), Some("OPStatusReason"));
    assert_eq!(reason.text.as_deref(), Some("the order number is missing"));
    assert_eq!((action.code.as_deref(), &action.text), (Some("NIN"), &None));
}

#[test]
fn codes_are_found_by_code_and_by_name_in_any_case() {
    for list in [STATUSES, REASONS, ACTIONS, ORDER_STATUSES] {
        for row in list {
            for text in [row.code, row.name, &row.name.to_lowercase(), &format!(" {} ", row.code)] {
                let found = InvoiceResponseCode::named(list, text).map(|found| found.code);
                assert_eq!(found, Some(row.code), "{text}");
            }
        }
        assert_eq!(InvoiceResponseCode::named(list, "XX"), None);
    }
}
