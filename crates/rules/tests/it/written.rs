//! The messages that the service writes itself, judged by the official files.

#![expect(clippy::disallowed_methods, reason = "a test reads official files")]

use std::path::PathBuf;

use jiff::civil::datetime;
use quoin_formats::ubl::write::{
    ACTIONS, CancelledOrder, Explained, InvoiceReference, InvoiceResponse, InvoiceResponseCode,
    ORDER_STATUSES, OrderAnswer, OrderAnswerForm, OrderLine, Participant, REASONS, STATUSES,
    invoice_response, order_cancellation, order_response,
};
use quoin_formats::{read, samples, structure_tables};
use quoin_model::ElectronicAddress;
use quoin_testing::shared;
use quoin_xml::schematron::{
    FileResolver, PhaseChoice, ResolveError, RunOptions, SchematronSchema,
};
use quoin_xml::tree::{Document, Limits};

struct Folder(PathBuf);

impl FileResolver for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError> {
        std::fs::read(self.0.join(path)).map_err(|_| ResolveError::Missing)
    }
}

/// The official rules of a transaction, or none where they are not at hand.
fn rules(transaction: &str) -> Option<SchematronSchema> {
    let folder = "corpora/peppol-poacc/phive-rules/rule-source/openpeppol/2026.5";
    let folder = Folder(shared(folder)?);
    let name = format!("PEPPOLBIS-{transaction}.sch");
    Some(SchematronSchema::load(&folder, &name, &PhaseChoice::default()).unwrap())
}

/// No rule fires and the structure is right, in the version of UBL that its profile names.
#[track_caller]
fn conforms(rules: &SchematronSchema, text: &str) {
    let tree = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let outcome = rules.validate(&tree, &RunOptions::default());
    let fired: Vec<_> =
        outcome.fired.iter().map(|one| (&one.check.id, &one.location.path)).collect();
    assert!(outcome.is_complete && fired.is_empty(), "{fired:?}\n{text}");
    let root = tree.root();
    let detection = quoin_formats::detect(text.as_bytes());
    let version = detection.profile().and_then(|profile| profile.structure);
    let schema = structure_tables::for_document(root.namespace(), root.local(), version).unwrap();
    let violations = schema.validate(root).violations;
    assert!(violations.is_empty(), "{violations:?}\n{text}");
}

fn participant(value: &str) -> Participant {
    Participant {
        endpoint: ElectronicAddress { scheme: "0192".to_owned(), value: value.to_owned() },
        name: format!("Company {value}"),
        country: Some("NO".to_owned()),
    }
}

#[test]
fn every_invoice_response_keeps_the_official_rules() {
    let Some(rules) = rules("T111") else { return };
    let explained =
        |code: &'static InvoiceResponseCode| Explained { code, text: Some("words".to_owned()) };
    for status in STATUSES {
        for reason in REASONS.iter().filter(|reason| reason.code != "PPD" || status.code == "PD") {
            let response = InvoiceResponse {
                id: "0198c1d2-0000-7000-8000-000000000001".to_owned(),
                issued: datetime(2026, 6, 1, 12, 0, 5, 0),
                sender: participant("987654325"),
                receiver: participant("123456785"),
                invoice: InvoiceReference {
                    number: "F-1".to_owned(),
                    issue_date: None,
                    type_code: "381".to_owned(),
                },
                status,
                reasons: vec![explained(reason)],
                actions: ACTIONS.iter().map(explained).collect(),
                note: None,
            };
            conforms(&rules, &invoice_response(&response));
        }
    }
}

#[test]
fn every_answer_to_an_order_keeps_the_official_rules() {
    use OrderAnswerForm::{Advanced, Ordering};

    for (transaction, form, change) in
        [("T76", Ordering, None), ("T116", Advanced, None), ("T116", Advanced, Some("c-1"))]
    {
        let Some(rules) = rules(transaction) else { return };
        for status in ORDER_STATUSES {
            let line = |id: &str| OrderLine { id: id.to_owned(), item: "Screws".to_owned() };
            for lines in [vec![line("1"), line("2")], vec![line("7"), line("7")]] {
                let answer = OrderAnswer {
                    form,
                    id: "a-1".to_owned(),
                    issued: datetime(2026, 6, 1, 12, 0, 5, 0),
                    status,
                    note: Some("a remark".to_owned()),
                    currency: "EUR".to_owned(),
                    order: "o-1".to_owned(),
                    change: change.map(str::to_owned),
                    seller: participant("123456785"),
                    buyer: participant("987654325"),
                    lines,
                };
                conforms(&rules, &order_response(&answer));
            }
        }
    }
}

#[test]
fn the_sample_of_an_order_keeps_the_official_rules() {
    let Some(rules) = rules("T01") else { return };
    conforms(&rules, &samples::order("0192:987654325", "0192:123456785", "o-1"));
}

#[test]
fn a_cancelled_order_keeps_the_official_rules() {
    let Some(rules) = rules("T115") else { return };
    let cancelled = CancelledOrder {
        id: "c-1".to_owned(),
        issued: datetime(2026, 6, 1, 12, 0, 5, 0),
        note: None,
        reason: "ordered twice".to_owned(),
        order: "o-1".to_owned(),
        buyer: participant("987654325"),
        seller: participant("123456785"),
    };
    conforms(&rules, &order_cancellation(&cancelled));
}

/// The corpora hold documents of every kind that the network carries between two parties.
#[test]
fn official_examples_name_both_ends() {
    let mut seen = 0;
    for folder in [
        "corpora/peppol-poacc/github-2025-Q2/rules/examples",
        "corpora/logistics/logistics-bis/rules/examples",
        "corpora/peppol-poacc/phive-rules/test-files/openpeppol/2026.5",
    ] {
        let Some(folder) = shared(folder) else { continue };
        for file in files(&folder) {
            let bytes = std::fs::read(&file).unwrap();
            let parsed = read(&bytes);
            let Some(routing) = parsed.routing() else { continue };
            // Examples without any address are about something else.
            if !String::from_utf8_lossy(&bytes).contains("EndpointID") {
                continue;
            }
            let ends = [&routing.sender.endpoint, &routing.receiver.endpoint];
            assert!(ends.iter().all(|end| end.is_some()), "{}: {routing:?}", file.display());
            seen += 1;
        }
    }
    println!("{seen} documents name both ends");
}

fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false if path.extension().is_some_and(|end| end == "xml") => all.push(path),
            false => {}
        }
    }
    all
}

#[test]
fn an_invoice_with_a_receiver_put_where_none_was_is_valid() {
    let text = samples::INVOICE;
    let start = text.find("87654321").unwrap();
    let from = text[..start].rfind('<').unwrap();
    let end = start + text[start..].find('>').unwrap() + 1;
    let bare = format!("{}{}", &text[..from], &text[end..]);
    let other = ElectronicAddress { scheme: "0208".to_owned(), value: "0123456749".to_owned() };
    let parsed = read(bare.as_bytes());
    let written = quoin_formats::routing::with_receiver(&parsed, &other).unwrap().unwrap();
    let report = quoin_rules::validate(&read(&written), jiff::civil::date(2026, 6, 1));
    assert!(report.is_valid(), "{:?}", report.findings);
}
