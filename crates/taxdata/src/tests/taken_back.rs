//! What takes a report back is the same, written from the invoice or from the report.

use quoin_formats::{read, samples};
use quoin_model::ElectronicAddress;
use uuid::Uuid;

use crate::{
    Regime, ReportableInvoice, ReporterRole, TaxAuthority, TaxEnvelope, TaxSubmission, build,
    taken_back,
};

#[test]
fn it_is_what_would_be_written_from_the_invoice() {
    let parsed = read(samples::invoice("0106:12345678", "0106:87654321", "T-1").as_bytes());
    let invoice = ReportableInvoice::of(&parsed).unwrap();
    let authority = TaxAuthority { id: "NL".to_owned(), name: None };
    let reporter = ElectronicAddress { scheme: "0106".to_owned(), value: "12345678".to_owned() };
    let envelope = |uuid, at: &str, submission| TaxEnvelope {
        uuid: Uuid::from_u128(uuid),
        issued: at.parse().unwrap(),
        submission,
        authority: &authority,
        reporter: &reporter,
        receiver: "000306-TAX.NL",
        representative: "000306",
        transmission: Some(Uuid::from_u128(3)),
        transport_header: None,
        received: None,
    };
    let first = envelope(1, "2026-11-22T09:30:00Z", TaxSubmission::Submit);
    let second = envelope(2, "2026-12-24T10:11:12Z", TaxSubmission::Disregard);
    for regime in [Regime::Vida10, Regime::Vida11] {
        let write =
            |envelope| build(regime, ReporterRole::Corner2, &invoice, envelope).unwrap().xml;
        let (reported, expected) = (write(&first), write(&second));
        let reported = String::from_utf8(reported).unwrap();
        let found = taken_back(&reported, regime, second.uuid, second.issued).unwrap();
        assert_eq!(found.as_bytes(), expected, "{regime:?}");
    }
}

#[test]
fn what_is_no_report_is_not_taken_back() {
    let at = "2026-12-24T10:11:12Z".parse().unwrap();
    for other in ["", "<a/>", "<pxs:DocumentScope>", "<cbc:UUID>1</cbc:UUID><pxs:DocumentScope>"] {
        assert_eq!(taken_back(other, Regime::Vida11, Uuid::from_u128(1), at), None, "{other}");
    }
}
