//! Reports to tax authorities: made of what a stranger calls an invoice, and read again.
#![no_main]

mod limits;

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use quoin_formats::read;
use quoin_model::ElectronicAddress;
use quoin_taxdata::flux1::{ExtractLevel, extract};
use quoin_taxdata::{
    TaxAuthority, Regime, ReportableInvoice, ReporterRole, TaxEnvelope, TaxSubmission, build,
    read_report,
};

fuzz_target!(|input: &[u8]| limits::within(input, |input| {
    let document = read(input);
    let _ = read_report(&document);
    let Ok(invoice) = ReportableInvoice::of(&document) else { return };
    let _ = extract(&invoice, ExtractLevel::Full);
    let authority = TaxAuthority { id: "BE".to_owned(), name: None };
    let reporter = ElectronicAddress { scheme: "0208".to_owned(), value: "1".to_owned() };
    for regime in Regime::ALL {
        let envelope = TaxEnvelope {
            uuid: quoin_taxdata::invoice_uuid::NAMESPACE,
            issued: Timestamp::UNIX_EPOCH,
            submission: TaxSubmission::Submit,
            authority: &authority,
            reporter: &reporter,
            receiver: "000001",
            representative: "000002",
            transmission: Some(quoin_taxdata::invoice_uuid::NAMESPACE),
            transport_header: Some("a"),
            received: None,
        };
        // What is made is read, and says what it was made of.
        if let Ok(report) = build(regime, ReporterRole::Corner3, &invoice, &envelope) {
            let told = read_report(&read(&report.xml)).expect("a report is read");
            assert_eq!(told.invoice_uuid, Some(report.invoice_uuid.to_string()));
            assert_eq!(told.scope, report.scope);
        }
    }
}));
