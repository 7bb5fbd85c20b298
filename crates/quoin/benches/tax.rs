//! What reporting an invoice to a tax authority costs beside its sending, in processor time.
//!
//! Two tables. *Pure*: a report is written from the bytes of its invoice and judged by the rules of
//! its regime, for each regime. *Service*: what the end of an invoice costs more because it is
//! reported, as the worker does it over a real store on disk: ask whether its party is reported
//! for, write and judge the report on a thread of the pool, and record it, its message, the line of
//! the timeline and the task that waits for the answer in the commit that ends the invoice.
//! Invoices end one at a time, so that no commit is shared; those with and without a report take
//! turns, so that whatever else the machine does is in both. Sending the message is not in it. Of
//! an invoice that came the report is written while it is looked at, which costs less: it is not
//! read again. Writes `target/bench/tax.json`. `QUOIN_BENCH_DOCUMENTS` sets how many reports are
//! written (default 2,000). `cargo bench -p quoin --bench tax --profile dev` for a trial.

#[path = "gauge/processor.rs"]
mod processor;

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use quoin_access_point::budget::{Pool, Purpose};
use quoin_access_point::config::Config;
use quoin_access_point::rules::RuleLibrary;
use quoin_access_point::tax::{ReportInput, ReportSource, TaxProfiles, WrittenReport, write};
use quoin_delivery::tax::{TaxAct, TaxRole};
use quoin_delivery::{
    Decision, DeliveryOutcome, Direction, DocumentId, Event, Family, OrganisationId, Proof,
    RetryPolicy, Route, TaskKind, decide, ids,
};
use quoin_formats::samples::{self, PintSample, RECEIVER, SENDER, SampleKind};
use quoin_store::{
    Claim, Completion, NewOutgoing, OpenOptions, Organisation, SideEffects, Store, StoreKey,
    SubmitOptions, TaxOutcome, TaxOwed, TransactionFacts, TransactionRecord, Work,
};
use quoin_taxdata::Regime;
use serde_json::{Value, json};
use uuid::Uuid;

use processor::processor_time;

/// What a report may cost, in milliseconds.
const AT_MOST: f64 = 1.0;
/// Reports of a regime that are written for the first table.
const ROUNDS: usize = 1_000;
/// Invoices that end before some others do, with and without a report in turns: fewer than an
/// organisation may have under way.
const BATCH: usize = 40;
/// Lines of the invoices: about 20 kB, the yardstick of the benches.
const LINES: usize = 16;

fn main() {
    let count = std::env::var("QUOIN_BENCH_DOCUMENTS").ok().and_then(|n| n.parse().ok());
    let count: usize = count.unwrap_or(2_000);
    let mut rows = Vec::new();
    println!("Milliseconds of processor time, one report");
    println!("{:<44}{:>10}{:>14}", "pure, by regime", "invoice", "write, judge");
    for regime in Regime::ALL {
        let invoice = Bytes::from(invoice(regime, "BENCH"));
        let each = pure(regime, &invoice);
        let size = format!("{:.1} kB", invoice.len() as f64 / 1_000.0);
        println!("{:<44}{size:>10}{each:>14.3}", regime.row().title);
        rows.push(row(&format!("tax-{regime}"), each));
    }
    let yardstick = judging(&invoice(Regime::Vida11, "BENCH"));
    println!("{:<44}{:>10}{yardstick:>14.3}", "yardstick: an invoice is judged", "20 kB");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = std::env::temp_dir().join(format!("quoin-tax-{}", std::process::id()));
    println!("service, {count} of each regime, one at a time");
    for regime in Regime::ALL {
        let whole = runtime.block_on(service(&folder, regime, count));
        let _ = std::fs::remove_dir_all(&folder);
        println!("{:<44}{:>10}{whole:>14.3}", regime.row().title, "whole");
        rows.push(row(&format!("tax-{regime}-service"), whole));
    }
    processor::write("tax", &rows);
}

fn row(name: &str, each: f64) -> Value {
    json!({"name": name, "value": each, "unit": "ms", "peer": "promise", "ratio": each / AT_MOST})
}

fn country(regime: Regime) -> &'static str {
    regime.row().country.unwrap_or("NL")
}

fn invoice(regime: Regime, number: &str) -> String {
    let pint = |country| samples::pint_invoice(country, SENDER, RECEIVER, number);
    let bis = || samples::document(SampleKind::Invoice, SENDER, RECEIVER, number, LINES);
    match regime {
        Regime::Vida10 | Regime::Vida11 => bis(),
        Regime::Slovakia => bis().replace("NL123456782B90", "SK2020317068"),
        Regime::Emirates => pint(PintSample::Emirates),
        Regime::Oman => pint(PintSample::Oman),
    }
}

fn profiles(regime: Regime) -> TaxProfiles {
    let text = format!(
        "[[tax.profiles]]\ncountry = \"{}\"\nregime = \"{regime}\"\nauthority = \"0242:000005-TAX\"\n",
        country(regime)
    );
    TaxProfiles::of(&Config::parse(&text).expect("a configuration").tax)
}

fn now() -> Timestamp {
    "2026-11-26T12:00:00Z".parse().expect("a time")
}

fn written(
    invoice: &Bytes,
    (envelope, reports): (String, &TaxProfiles),
    rules: &RuleLibrary,
) -> (quoin_store::TaxFacts, Vec<u8>) {
    let input = ReportInput {
        wishes: SubmitOptions::default(),
        direction: Direction::Outgoing,
        role: TaxRole::Sender,
        act: TaxAct::Submit,
        reporter: SENDER.parse().expect("a participant"),
        seat: "000001".to_owned(),
        envelope: Some(envelope),
        process: None,
        uuid: Uuid::new_v4(),
        switch: None,
        owed_on: now(),
        day: now().to_zoned(TimeZone::UTC).date(),
        now: now(),
    };
    let source = ReportSource { document: invoice.clone(), travelled: None };
    match write(&source, &input, reports, rules) {
        WrittenReport::Written(facts, xml) => (facts, xml),
        other => panic!("{other:?}"),
    }
}

/// From the bytes of an invoice to a report that is judged.
fn pure(regime: Regime, invoice: &Bytes) -> f64 {
    let (rules, reports) = (RuleLibrary::builtin(), profiles(regime));
    let envelope = Uuid::new_v4().to_string();
    let one = || std::hint::black_box(written(invoice, (envelope.clone(), &reports), &rules));
    one();
    let before = processor_time();
    for _ in 0..ROUNDS {
        one();
    }
    (processor_time() - before) / ROUNDS as f64 * 1000.0
}

/// What it costs to judge an invoice, of which other pages have a figure: how fast this build is.
fn judging(invoice: &str) -> f64 {
    let day = now().to_zoned(TimeZone::UTC).date();
    let one = || quoin_rules::validate(&quoin_formats::read(invoice.as_bytes()), day).verdict();
    assert_eq!(one(), quoin_rules::Verdict::Valid);
    let before = processor_time();
    for _ in 0..ROUNDS {
        std::hint::black_box(one());
    }
    (processor_time() - before) / ROUNDS as f64 * 1000.0
}

/// Who writes reports.
struct Desk {
    pool: Pool,
    rules: Arc<RuleLibrary>,
    reports: Arc<TaxProfiles>,
}

/// What the end of an invoice costs more because it is reported.
async fn service(folder: &Path, regime: Regime, count: usize) -> f64 {
    let store = Store::open(OpenOptions::new(folder, StoreKey([42; 32]))).await.expect("a store");
    let owner: OrganisationId = "acme".parse().expect("an organisation");
    let acme = Organisation { id: owner.clone(), name: "Acme".to_owned(), created_on: now() };
    store.put_organisation(acme).await.expect("put");
    let (rules, reports) = (Arc::new(RuleLibrary::builtin()), Arc::new(profiles(regime)));
    let desk = Desk { pool: Pool::of(2), rules, reports };
    let (mut ended, batches) = ([0.0; 2], count.div_ceil(BATCH).max(1));
    for batch in 0..2 * batches {
        let is_reported = batch % 2 == 1;
        for number in 0..BATCH {
            let number = format!("BENCH-{batch}-{number}");
            upload(&store, &owner, Bytes::from(invoice(regime, &number))).await;
        }
        let before = processor_time();
        for _ in 0..BATCH {
            let claim = claimed(&store, TaskKind::Prepare).await.expect("an invoice");
            deliver(&store, claim, is_reported.then_some(&desk)).await;
        }
        if let Some(cost) = ended.get_mut(usize::from(is_reported)) {
            *cost += processor_time() - before;
        }
        // The messages of reports would be sent now, which is not counted.
        while let Some(claim) = claimed(&store, TaskKind::Prepare).await {
            store.drop_task(claim).await.expect("dropped");
        }
    }
    assert!(claimed(&store, TaskKind::Tax).await.is_none(), "no report needs a step of its own");
    let unreported = store.unreported().await.expect("counted");
    let reported: u64 = unreported.iter().map(|count| count.reports).sum();
    assert_eq!(reported as usize, batches * BATCH, "each invoice is reported once");
    store.close().await;
    let [plain, reporting] = ended;
    (reporting - plain) / (batches * BATCH) as f64 * 1000.0
}

async fn claimed(store: &Store, kind: TaskKind) -> Option<Claim> {
    let lease = SignedDuration::from_secs(600);
    store.claim(&[kind], now(), lease, 1).await.expect("claims").pop()
}

async fn upload(store: &Store, owner: &OrganisationId, content: Bytes) {
    let document_id = DocumentId::from_uuid(Uuid::new_v4());
    let new = outgoing(owner, document_id, Family::Invoice, content);
    store.submit(new).await.expect("submitted");
}

fn outgoing(
    owner: &OrganisationId,
    document_id: DocumentId,
    family: Family,
    content: Bytes,
) -> NewOutgoing {
    NewOutgoing {
        organisation: owner.clone(),
        party: SENDER.to_owned(),
        message_id: ids::as4_message_id(owner, &document_id, "ap.example.test").expect("an id"),
        instance_id: ids::sbdh_instance_id(owner, &document_id),
        document_id,
        family,
        facts: TransactionFacts::default(),
        channel: None,
        is_own_envelope: false,
        content,
        now: now(),
    }
}

/// Ends an invoice as one that was sent, and reports it.
async fn deliver(store: &Store, claim: Claim, desk: Option<&Desk>) {
    let Ok(Work::Transaction(record)) = store.load(&claim).await else { panic!("an invoice") };
    let document = store.document(&record).await.expect("a document").expect("there");
    let tax = match desk {
        Some(desk) => Some(owed(store, &record, document, desk).await),
        None => None,
    };
    let done = Completion {
        claim,
        decision: delivered(&record),
        transaction: record.transaction,
        facts: TransactionFacts::default(),
        attempt: None,
        report: None,
        now: now(),
    };
    let beside = SideEffects { tax, ..SideEffects::default() };
    store.commit_with(done, beside).await.expect("committed");
}

fn delivered(record: &TransactionRecord) -> Decision {
    let text = str::to_owned;
    let proof = Proof {
        endpoint: text("https://ap.example.test/as4"),
        protocol: text("As4"),
        message_id: text("m@a"),
        returned_message_id: text("r@b"),
        remark: None,
    };
    let events = [
        Event::Validated { summary: text("It keeps the rules.") },
        Event::Routed(Route {
            endpoint: proof.endpoint.clone(),
            protocol: proof.protocol.clone(),
            document_type: text("busdox-docid-qns::x"),
            process: text("cenbii-procid-ubl::y"),
        }),
        Event::Attempted { attempt: 1, outcome: DeliveryOutcome::Delivered(proof) },
    ];
    let mut transaction = record.transaction.clone();
    let mut whole: Option<Decision> = None;
    for event in &events {
        let decision = decide(&transaction, event, &RetryPolicy::default(), now());
        transaction = transaction.after(&decision);
        whole = Some(match whole {
            None => decision,
            Some(earlier) => Decision::followed_by(earlier, decision),
        });
    }
    whole.expect("a decision")
}

/// The report of an invoice that ends now, as the worker writes it.
async fn owed(store: &Store, record: &TransactionRecord, document: Bytes, desk: &Desk) -> TaxOwed {
    let own = &record.transaction;
    let switch = store.tax_switch(&own.organisation, &own.party).await.expect("a switch");
    assert_eq!(switch, None);
    let envelope = record.instance_id.clone().expect("an envelope");
    let (rules, reports) = (desk.rules.clone(), desk.reports.clone());
    let writing = move || written(&document, (envelope, &reports), &rules);
    let written = desk.pool.run(Purpose::Validate, "acme", writing).await;
    let (facts, xml) = written.expect("a thread");
    let report = ids::tax_report_id(&own.id, 1).to_string();
    let id = ids::tax_message_id(&report, 1);
    let message = outgoing(&own.organisation, id, Family::TaxReport, Bytes::from(xml));
    TaxOwed {
        role: TaxRole::Sender,
        act: TaxAct::Submit,
        outcome: TaxOutcome::Written(facts, Box::new(message)),
        next: now().checked_add(SignedDuration::from_hours(1)).ok(),
    }
}
