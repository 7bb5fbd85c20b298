//! What the system says of an invoice, its number and its receipt.

use quoin_ksef::api::{KsefProblem, ProblemError};
use quoin_ksef::steps::{NO_SESSION, NO_UPO};

use super::*;

/// What is no number of the system is never taken for one.
#[test]
fn only_a_number_of_the_system_is_one() {
    let number = "5265877635-20250916-010040741B3E-46";
    let invoice = |number: &str, code: u16| {
        serde_json::from_value::<SessionInvoice>(serde_json::json!({
            "ordinalNumber": 1, "ksefNumber": number, "referenceNumber": "R",
            "invoiceHash": "", "invoicingDate": "2026-11-26T10:00:00Z",
            "upoDownloadUrl": "x".repeat(LINK + 1),
            "status": { "code": code, "description": "", "extensions":
                { "originalSessionReferenceNumber": "S", "originalKsefNumber": number } },
        }))
        .unwrap()
    };
    let row = |number: &str, code: u16| {
        let invoice = invoice(number, code);
        let verdict = invoice_verdict(&invoice.status);
        session_row(String::new(), "S", invoice, verdict)
    };
    let long = "5".repeat(3_000_000);
    for code in [200, 440] {
        assert!(is_numbered_well(&row(number, code)));
        for wrong in ["", "../5", &long] {
            assert!(!is_numbered_well(&row(wrong, code)), "{code}");
        }
        assert_eq!(row(number, code).link, None, "longer than any");
    }
    assert_eq!(row(&long, 430).ksef_number, None, "it is not registered");
}

/// What is waited for half a day in vain is waited for no longer, whatever stands in the way of it;
/// but the system's own word to wait, and a signing in that is not taken, are no word about it.
#[test]
fn no_receipt_is_waited_for_without_end() {
    let problem = |code| KsefProblem {
        errors: vec![ProblemError { code, description: String::new(), details: Vec::new() }],
        ..KsefProblem::default()
    };
    for trouble in [
        Trouble::NoAnswer,
        Trouble::Server(500),
        Trouble::Gateway(404),
        Trouble::Unreadable,
        Trouble::Refused(400, problem(NO_UPO)),
    ] {
        assert!(is_waited_for(&trouble, RECEIPT_ATTEMPTS - 1), "{trouble:?}");
        assert!(!is_waited_for(&trouble, RECEIPT_ATTEMPTS), "{trouble:?}");
    }
    assert!(!is_waited_for(&Trouble::Refused(400, problem(NO_SESSION)), 0));
    for trouble in [Trouble::Limited(None), Trouble::Unauthorized] {
        assert!(is_waited_for(&trouble, RECEIPT_ATTEMPTS), "{trouble:?}");
    }
}
