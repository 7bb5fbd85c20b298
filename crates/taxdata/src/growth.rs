//! What reads strangers' documents here, and that its work grows as its input.

use quoin_formats::read;
use quoin_model::ElectronicAddress;
use quoin_testing::growth::{Case, Parser, check, complete};

use crate::{
    Regime, ReportableInvoice, ReporterRole, TaxAuthority, TaxEnvelope, TaxSubmission, build,
    of_place, read_report,
};

const UBL: &str = "urn:oasis:names:specification:ubl:schema:xsd:";

fn invoice(content: &str) -> Vec<u8> {
    format!(
        "<Invoice xmlns='{UBL}Invoice-2' xmlns:cac='{UBL}CommonAggregateComponents-2' \
         xmlns:cbc='{UBL}CommonBasicComponents-2'><cbc:CustomizationID>a</cbc:CustomizationID>\
         <cbc:ProfileID>b</cbc:ProfileID><cbc:ID>1</cbc:ID><cbc:IssueDate>2026-11-26\
         </cbc:IssueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>\
         <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>{content}</Invoice>"
    )
    .into_bytes()
}

const INVOICES: &[Case] = &[
    ("lines", |n| {
        let line = "<cac:InvoiceLine><cbc:ID>1</cbc:ID></cac:InvoiceLine>";
        invoice(&line.repeat(n / line.len()))
    }),
    ("totals", |n| {
        let total = "<cac:TaxTotal><cbc:TaxAmount currencyID='X'>1</cbc:TaxAmount></cac:TaxTotal>";
        invoice(&total.repeat(n / total.len()))
    }),
    ("breakdowns", |n| {
        let part = "<cac:TaxSubtotal><cbc:TaxableAmount>1</cbc:TaxableAmount></cac:TaxSubtotal>";
        invoice(&format!("<cac:TaxTotal>{}</cac:TaxTotal>", part.repeat(n / part.len())))
    }),
    ("notes", |n| invoice(&"<cbc:Note>a</cbc:Note>".repeat(n / 22))),
    ("parties", |n| {
        let scheme = "<cac:PartyTaxScheme><cbc:CompanyID/></cac:PartyTaxScheme>";
        invoice(&format!(
            "<cac:AccountingSupplierParty><cac:Party>{}</cac:Party></cac:AccountingSupplierParty>",
            scheme.repeat(n / scheme.len())
        ))
    }),
    ("references", |n| {
        let one = "<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID>\
                   </cac:AdditionalDocumentReference>";
        invoice(&one.repeat(n / one.len()))
    }),
];

/// Every regime, incomplete or not: a transmission that failed needs nothing to be there.
fn report(bytes: &[u8]) {
    let document = read(bytes);
    let Ok(invoice) = ReportableInvoice::of(&document) else { return };
    let authority = TaxAuthority { id: "BE".to_owned(), name: None };
    let reporter = ElectronicAddress { scheme: "0208".to_owned(), value: "1".to_owned() };
    for regime in Regime::ALL {
        for submission in [TaxSubmission::Submit, TaxSubmission::FailedTransmission] {
            let envelope = TaxEnvelope {
                uuid: uuid::Uuid::nil(),
                issued: jiff::Timestamp::UNIX_EPOCH,
                submission,
                authority: &authority,
                reporter: &reporter,
                receiver: "000001",
                representative: "000002",
                transmission: Some(uuid::Uuid::nil()),
                transport_header: None,
                received: None,
            };
            let role = ReporterRole::Corner3;
            std::hint::black_box(build(regime, role, &invoice, &envelope).ok());
        }
    }
}

const REPORTS: &[Case] = &[
    ("elements", |n| {
        let content = "<a/>".repeat(n / 4);
        format!("<TaxData xmlns='urn:peppol:schema:vida-taxdata:1.0'>{content}</TaxData>")
            .into_bytes()
    }),
    ("transactions", |n| {
        let content = "<ReportedTransaction/>".repeat(n / 22);
        format!("<TaxData xmlns='urn:peppol:schema:vida-taxdata:1.0'>{content}</TaxData>")
            .into_bytes()
    }),
];

const PLACES: &[Case] = &[
    ("steps", |n| "/a".repeat(n / 2).into_bytes()),
    ("predicates", |n| format!("/TaxData{}", "[a".repeat(n / 2)).into_bytes()),
    ("names", |n| format!("/*[local-name()='{}']", "a".repeat(n)).into_bytes()),
];

const PARSERS: &[Parser] = &[
    Parser { name: "invoices", covers: &[], cases: INVOICES, size: 16 << 10, run: report },
    Parser {
        name: "places",
        covers: &[],
        cases: PLACES,
        size: 2_000,
        run: |bytes| {
            let place = String::from_utf8_lossy(bytes);
            std::hint::black_box(Regime::ALL.map(|regime| of_place(regime, &place)));
        },
    },
    Parser {
        name: "reports",
        covers: &[],
        cases: REPORTS,
        size: 16 << 10,
        run: |bytes| {
            std::hint::black_box(read_report(&read(bytes)).ok());
        },
    },
];

#[test]
fn every_parser_grows_as_its_input() {
    check(PARSERS);
}

#[test]
fn every_parser_is_in_the_table() {
    complete(env!("CARGO_MANIFEST_DIR"), PARSERS, &[]);
}
