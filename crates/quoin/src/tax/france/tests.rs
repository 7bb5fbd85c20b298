//! What is in the files of a store, and what is said of the rest.

use bytes::Bytes;
use jiff::SignedDuration;
use quoin_access_point::tax::exchanged::gathered_of;
use quoin_delivery::tax::{TaxAct, TaxRole};
use quoin_delivery::{
    DeliveryOutcome, DocumentId, Event, Family, Proof, RetryPolicy, Route, TaskKind, decide,
};
use quoin_formats::samples::{FrenchBuyer, RECEIVER, SENDER, french_invoice, invoice};
use quoin_store::{
    Completion, NewIncoming, NewOutgoing, OpenOptions, Organisation, SideEffects, StoreKey,
    Submitted, TaxFacts, TaxGathered, TaxOutcome, TaxOwed, TransactionFacts, Work,
};
use uuid::Uuid;

use super::*;

const SIREN: &str = "732829320";
const CUSTOMER: &str = "552081317";

/// A store with an organisation, and a folder for files.
struct Shelf {
    store: Store,
    folder: PathBuf,
}

fn owner() -> OrganisationId {
    "acme".parse().unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn of(buyer: FrenchBuyer, number: &str) -> String {
    french_invoice(buyer, SENDER, RECEIVER, number)
}

/// The events of a document that goes straight through.
fn straight() -> Vec<Event> {
    let text = str::to_owned;
    vec![
        Event::Validated { summary: text("It keeps the rules.") },
        Event::Routed(Route {
            endpoint: text("https://ap.example.test/as4"),
            protocol: text("As4"),
            document_type: text("busdox-docid-qns::x"),
            process: text("cenbii-procid-ubl::y"),
        }),
        Event::Attempted {
            attempt: 1,
            outcome: DeliveryOutcome::Delivered(Proof {
                endpoint: text("https://ap.example.test/as4"),
                protocol: text("As4"),
                message_id: text("m@a"),
                returned_message_id: text("r@b"),
                remark: None,
            }),
        },
    ]
}

impl Shelf {
    async fn new(name: &str) -> Shelf {
        let folder = format!("quoin-flux10-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let _ = std::fs::remove_dir_all(&folder);
        let options = OpenOptions::new(folder.join("data"), StoreKey([42; 32]));
        let store = Store::open(options).await.unwrap();
        let created_on = at("2026-11-01T00:00:00Z");
        let acme = Organisation { id: owner(), name: "Acme".to_owned(), created_on };
        store.put_organisation(acme).await.unwrap();
        Shelf { store, folder }
    }

    /// An invoice that was recorded then and delivered later, with its report.
    async fn sent(
        &self,
        (content, number): (String, &str),
        (recorded, delivered): (&str, &str),
        outcome: Option<TaxOutcome>,
    ) {
        let document_id = DocumentId::from_uuid(Uuid::new_v4());
        let new = NewOutgoing {
            organisation: owner(),
            party: SENDER.to_owned(),
            document_id: document_id.clone(),
            family: Family::Invoice,
            facts: TransactionFacts {
                number: Some(number.to_owned()),
                ..TransactionFacts::default()
            },
            channel: None,
            message_id: format!("{document_id}@ap.example.test"),
            is_own_envelope: false,
            instance_id: format!("instance-{document_id}"),
            content: Bytes::from(content),
            now: at(recorded),
        };
        let submitted = self.store.submit(new).await.unwrap();
        assert!(matches!(submitted, Submitted::Accepted { .. }), "{submitted:?}");
        self.ends(TaskKind::Prepare, &straight(), delivered, (TaxRole::Sender, outcome)).await;
    }

    async fn came(&self, (content, from): (String, &str), day: &str) {
        let document_id = DocumentId::from_uuid(Uuid::new_v4());
        let new = NewIncoming {
            organisation: owner(),
            party: SENDER.to_owned(),
            document_id: document_id.clone(),
            family: Family::Invoice,
            facts: TransactionFacts::default(),
            envelope_sender: RECEIVER.to_owned(),
            message_id: format!("{document_id}@ap.example.test"),
            instance_id: format!("instance-{document_id}"),
            access_point: from.to_owned(),
            content: Bytes::from(content),
            now: at(day),
        };
        self.store.receive(new).await.unwrap();
        let valid = &straight()[..1];
        self.ends(TaskKind::Arrive, valid, day, (TaxRole::Receiver, None)).await;
    }

    async fn ends(
        &self,
        kind: TaskKind,
        events: &[Event],
        on: &str,
        (role, outcome): (TaxRole, Option<TaxOutcome>),
    ) {
        let (now, lease) = (at(on), SignedDuration::from_secs(60));
        let claim = self.store.claim(&[kind], now, lease, 1).await.unwrap().pop().unwrap();
        let Work::Transaction(record) = self.store.load(&claim).await.unwrap() else {
            panic!("a document")
        };
        let (mut own, mut whole) = (record.transaction.clone(), None);
        for event in events {
            let decision = decide(&own, event, &RetryPolicy::default(), now);
            own = own.after(&decision);
            whole = Some(match whole {
                None => decision,
                Some(before) => quoin_delivery::Decision::followed_by(before, decision),
            });
        }
        let done = Completion {
            claim,
            transaction: record.transaction,
            decision: whole.unwrap(),
            facts: TransactionFacts::default(),
            attempt: None,
            report: None,
            now,
        };
        let owed = |outcome| TaxOwed { outcome, ..TaxOwed::later(role, TaxAct::Submit) };
        let beside = SideEffects { tax: outcome.map(owed), ..SideEffects::default() };
        self.store.commit_with(done, beside).await.unwrap();
    }

    async fn many(&self, all: &[(String, &str)]) {
        for (content, number) in all {
            let day = "2026-11-05T12:00:00Z";
            self.sent((content.clone(), number), (day, day), None).await;
        }
    }

    fn asked(&self, siren: &str, (from, to): (&str, &str)) -> FranceFiles {
        FranceFiles {
            party: SENDER.to_owned(),
            role: FrenchSide::Seller,
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            siren: siren.to_owned(),
            name: "Tuiles de Rouen SARL ".to_owned(),
            platform: "AB12".to_owned(),
            platform_name: "Plat".to_owned(),
            rectifying: true,
            lines: false,
            out: self.folder.clone(),
        }
    }

    async fn write(&self, asked: &FranceFiles) -> Result<WrittenFiles, String> {
        files(&self.store, (&owner(), SENDER), asked, at("2026-12-01T12:00:00Z")).await
    }

    /// The file of a period, empty where none was written.
    async fn told(&self, period: (&str, &str)) -> String {
        let name = format!("flux10-{SIREN}-{}-{}.xml", period.0, period.1);
        self.write(&self.asked(SIREN, period)).await.unwrap();
        std::fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What the service keeps of an invoice until the file of its first ten days is written.
fn gathered(number: &str) -> TaxOutcome {
    let text = of(FrenchBuyer::Consumer, number);
    let parsed = quoin_formats::read(text.as_bytes());
    let invoice = quoin_taxdata::ReportableInvoice::of(&parsed).unwrap();
    let role = quoin_taxdata::ReporterRole::Corner2;
    let invoice = GatheredInvoice::of(&invoice, role).unwrap();
    let told = serde_json::json!({"first": "2026-11-01", "last": "2026-11-10", "invoice": invoice});
    let declarant = format!("SE {SIREN}");
    let until = at("2026-11-11T00:10:00Z");
    TaxOutcome::Gathered(
        TaxFacts::default(),
        TaxGathered { declarant, until, told: told.to_string() },
    )
}

const TEN_DAYS: (&str, &str) = ("2026-11-01", "2026-11-10");
const NEXT_DAYS: (&str, &str) = ("2026-11-11", "2026-11-20");

#[tokio::test]
async fn sales_to_consumers_are_totals_and_what_cannot_be_told_is_left_out() {
    let shelf = Shelf::new("totals").await;
    let domestic = of(FrenchBuyer::Company, "F-D");
    shelf
        .many(&[
            (of(FrenchBuyer::Abroad, "F-A"), "F-A"),
            (of(FrenchBuyer::Consumer, "F-1"), "F-1"),
            (of(FrenchBuyer::Consumer, "F-2").replace(">20<", ">20.00<"), "F-2"),
            (of(FrenchBuyer::Consumer, "F-3").replace(">380<", ">381<"), "F-3"),
            (of(FrenchBuyer::Consumer, "F-4"), "F-4"),
            (of(FrenchBuyer::Consumer, "F-M").replace(">B1<", ">M1<"), "F-M"),
            (of(FrenchBuyer::Abroad, "F-R").replace(">20<", ">21<"), "F-R"),
            (invoice(SENDER, RECEIVER, "NL-1"), "NL-1"),
            (domestic.clone(), "F-D"),
            (domestic.replace(CUSTOMER, ""), "F-X"),
        ])
        .await;
    let written = shelf.write(&shelf.asked(SIREN, TEN_DAYS)).await.unwrap();
    assert_eq!((written.files, written.missing), (2, 3), "{written:?}");
    let line = |part: &str| written.lines.iter().find(|line| line.contains(part)).unwrap();
    assert!(line("(F-M)").contains("BT-23"), "{written:?}");
    assert!(line("(F-R)").contains("TT-57 of invoice F-R is \"21\""), "{written:?}");
    assert!(line("(NL-1)").contains("no French VAT number"), "{written:?}");
    assert!(line("(F-X)").contains("BT-47"), "{written:?}");
    assert!(line("flux1-").ends_with(".xml"), "{written:?}");
    assert_eq!(written.lines.len(), 6, "{written:?}");
    let text = shelf.told(TEN_DAYS).await;
    assert_eq!(text.matches("<Invoice>").count(), 1, "{text}");
    assert_eq!(text.matches("<Transactions>").count(), 1, "{text}");
    assert!(text.contains("<TaxExclusiveAmount>200</TaxExclusiveAmount>"), "{text}");
    assert!(text.contains("<TransactionsCount>4</TransactionsCount>"), "{text}");
    assert!(!text.contains("0227") && !text.contains("Camille"), "{text}");
    assert!(text.contains("<Name>Tuiles de Rouen SARL</Name>"), "{text}");
    assert!(text.contains("<TypeCode>RE</TypeCode>"), "{text}");
}

#[tokio::test]
async fn the_day_of_delivery_decides_on_the_period() {
    let shelf = Shelf::new("border").await;
    let late = (of(FrenchBuyer::Abroad, "F-LATE"), "F-LATE");
    shelf.sent(late, ("2026-11-10T23:50:00Z", "2026-11-11T00:00:00Z"), None).await;
    let last = (of(FrenchBuyer::Abroad, "F-LAST"), "F-LAST");
    shelf.sent(last, ("2026-10-20T12:00:00Z", "2026-11-10T23:59:59Z"), None).await;
    // The service counted it to the period that ended while it was put on record.
    let sold = (of(FrenchBuyer::Consumer, "F-C"), "F-C");
    let times = ("2026-11-10T23:59:59Z", "2026-11-11T00:00:01Z");
    shelf.sent(sold, times, Some(gathered("F-C"))).await;
    let first = shelf.told(TEN_DAYS).await;
    assert!(first.contains("F-LAST") && !first.contains("F-LATE"), "{first}");
    assert_eq!(first.matches("<Transactions>").count(), 1, "{first}");
    let next = shelf.told(NEXT_DAYS).await;
    assert!(next.contains("F-LATE") && !next.contains("F-LAST"), "{next}");
    assert_eq!(next.matches("<Transactions>").count(), 0, "{next}");
}

#[tokio::test]
async fn invoices_of_another_declarant_are_in_no_file() {
    let shelf = Shelf::new("siren").await;
    shelf.many(&[(of(FrenchBuyer::Abroad, "F-A"), "F-A")]).await;
    let refused = shelf.write(&shelf.asked(CUSTOMER, TEN_DAYS)).await.unwrap_err();
    assert!(refused.contains(CUSTOMER) && refused.contains(SIREN), "{refused}");
    let files = std::fs::read_dir(&shelf.folder).unwrap();
    assert_eq!(files.count(), 1, "only the data");
    shelf.many(&[(of(FrenchBuyer::Abroad, "F-B").replace(SIREN, "404833048"), "F-B")]).await;
    let written = shelf.write(&shelf.asked(SIREN, TEN_DAYS)).await.unwrap();
    assert_eq!((written.files, written.missing), (1, 0), "{written:?}");
    assert!(written.lines[0].contains("(F-B): its declarant is the SIREN 404833048"));
    let text = shelf.told(TEN_DAYS).await;
    assert!(text.contains("F-A") && !text.contains("F-B"), "{text}");
}

#[tokio::test]
async fn what_no_portal_takes_is_refused_before_anything_is_written() {
    let shelf = Shelf::new("asked").await;
    shelf.many(&[(of(FrenchBuyer::Company, "F-D"), "F-D")]).await;
    let refused = async |change: fn(&mut FranceFiles)| {
        let mut asked = shelf.asked(SIREN, TEN_DAYS);
        change(&mut asked);
        shelf.write(&asked).await.unwrap_err()
    };
    let why = refused(|asked| asked.to = "2026-10-31".parse().unwrap()).await;
    assert_eq!(why, "--from 2026-11-01 --to 2026-10-31: the last day is after the first");
    let why = refused(|asked| asked.to = asked.from).await;
    assert_eq!(why, "--from 2026-11-01 --to 2026-11-01: the last day is after the first");
    for wrong in ["abc", "73282932", "7328293201"] {
        let mut asked = shelf.asked(wrong, TEN_DAYS);
        asked.platform = "x".to_owned();
        let why = shelf.write(&asked).await.unwrap_err();
        assert!(why.contains(&format!("--siren {wrong}: a SIREN is nine digits")), "{why}");
        assert!(why.contains("--platform x: "), "{why}");
    }
    assert!(refused(|asked| asked.name = " ".to_owned()).await.starts_with("--name is empty"));
    let files = std::fs::read_dir(&shelf.folder).unwrap();
    assert_eq!(files.count(), 1, "only the data");
    assert_eq!(shelf.write(&shelf.asked(SIREN, TEN_DAYS)).await.unwrap().files, 1);
}

#[tokio::test]
async fn a_buyer_declares_what_came_over_the_network_and_is_not_domestic() {
    let shelf = Shelf::new("buyer").await;
    shelf.many(&[(of(FrenchBuyer::Abroad, "F-SOLD"), "F-SOLD")]).await;
    let day = "2026-11-05T12:00:00Z";
    // The same with its ends changed: a seller in Belgium.
    let bought = |number: &str| {
        let text = of(FrenchBuyer::Abroad, number);
        let text = text.replace("AccountingSupplierParty", "Other");
        let text = text.replace("AccountingCustomerParty", "AccountingSupplierParty");
        text.replace("Other", "AccountingCustomerParty")
    };
    shelf.came((bought("F-IN"), "POP000001"), day).await;
    shelf.came((bought("F-MAIL"), "mail"), day).await;
    let company = of(FrenchBuyer::Company, "F-DOM");
    shelf.came((company, "POP000001"), day).await;
    let mut asked = shelf.asked(SIREN, TEN_DAYS);
    asked.role = FrenchSide::Buyer;
    let written = shelf.write(&asked).await.unwrap();
    assert_eq!((written.files, written.missing), (1, 0), "{written:?}");
    let all = written.lines.join("\n");
    assert!(all.contains("no access point") && all.contains("domestic"), "{all}");
    let file = format!("flux10-{SIREN}-{}-{}.xml", TEN_DAYS.0, TEN_DAYS.1);
    let text = std::fs::read_to_string(shelf.folder.join(file)).unwrap();
    assert!(text.contains("F-IN") && text.contains("<RoleCode>BY</RoleCode>"), "{text}");
    assert_eq!(text.matches("<Invoice>").count(), 1, "{text}");
}

#[tokio::test]
async fn what_was_refused_is_left_out_and_what_is_gone_is_told_as_it_was_kept() {
    let shelf = Shelf::new("gone").await;
    let day = "2026-11-05T12:00:00Z";
    let why = "The provider of the receiver refused the invoice before.";
    let refused = TaxOutcome::NothingOwed(why.to_owned());
    let text = |number: &str| of(FrenchBuyer::Consumer, number);
    shelf.sent((text("F-NO"), "F-NO"), (day, day), Some(refused)).await;
    let written = shelf.write(&shelf.asked(SIREN, TEN_DAYS)).await.unwrap();
    assert_eq!((written.files, written.missing), (0, 0), "{written:?}");
    assert!(written.lines[0].ends_with(why), "{written:?}");
    shelf.sent((text("F-GONE"), "F-GONE"), (day, day), Some(gathered("F-GONE"))).await;
    let asked = shelf.asked(SIREN, TEN_DAYS);
    let (whose, period) = (owner(), (asked.from, asked.to));
    let all = exchanged::in_period(&shelf.store, (&whose, SENDER), period).await.unwrap();
    let level = ExtractLevel::Base;
    let declarant = AskedDeclarant { siren: SIREN, role: DeclarantRole::Seller, level };
    let InvoiceFate::Untold(_) = fate(&all[0], None, &declarant) else { panic!("refused") };
    let InvoiceFate::Gathered(kept) = fate(&all[1], None, &declarant) else { panic!("kept") };
    assert_eq!(Some(kept), gathered_of(&all[1].reports));
    let other = AskedDeclarant { siren: CUSTOMER, ..declarant };
    let InvoiceFate::OtherDeclarant(_) = fate(&all[1], None, &other) else { panic!("another") };
}
