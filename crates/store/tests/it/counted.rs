//! What a document costs the store, counted: statements, statements prepared again, steps of the
//! engine, commits and pages of the log. No clock has a say in it, so that a statement too many is
//! seen on a busy machine as well.

use bytes::Bytes;
use quoin_delivery::calls::HookDecision;
use quoin_delivery::mls::MlsCode;
use quoin_delivery::tax::{TaxAct, TaxRole};
use quoin_delivery::{Family, TaskKind, ids};
use quoin_store::{
    Arrival, Attempt, CallEnd, Claim, EvidenceKind, Handover, HookScope, HookTry, NewIncoming,
    NewOutgoing, RecordOutcome, SideEffects, StatusGiven, StatusStep, StoreWork, TaxFacts,
    TaxOutcome, TaxOwed, Work,
};
use tokio::sync::Mutex;

use crate::hooks::hook;
use crate::statuses::{exchange, status};
use crate::world::{
    LEASE, World, acme, at, attempt, completion, incoming, outgoing, straight, valid, world,
};

/// Bytes of an invoice.
const SIZE: usize = 20_000;
/// Documents that are counted.
const DOCUMENTS: u32 = 40;

/// When it all happens: within one lease.
const NOW: i64 = 10;

/// What was done for one document, in hundredths.
#[derive(Debug)]
struct Cost(StoreWork);

impl Cost {
    fn each(count: u64, documents: u32) -> f64 {
        (count * 100 / u64::from(documents)) as f64 / 100.0
    }

    fn told(&self, what: &str, documents: u32) -> String {
        let each = |count| Cost::each(count, documents);
        let StoreWork { statements, prepared, prepared_again, steps, commits, pages } = self.0;
        format!(
            "{what}: {} statements, {} prepared, {} prepared again, {} steps, {} commits, {} pages",
            each(statements),
            each(prepared),
            each(prepared_again),
            each(steps),
            each(commits),
            each(pages),
        )
    }
}

/// Text of which so many bytes of a hundred are like no others, as numbers, amounts and signatures
/// are: what decides how much of it is kept.
fn text(seed: u32, size: usize, own: usize) -> Vec<u8> {
    let mut state = u64::from(seed) + 1;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[(state >> 58) as usize]
    };
    let mut text = Vec::with_capacity(size + 100);
    while text.len() < size {
        text.extend(std::iter::repeat_with(&mut noise).take(own));
        text.extend(std::iter::repeat_n(b'x', 100 - own));
    }
    text.truncate(size);
    text
}

/// An invoice, of which a tenth is kept.
fn content(number: u32) -> Bytes {
    text(number, SIZE, 8).into()
}

/// The signed envelope, of which a quarter is kept, and what was deflated before.
fn evidence(number: u32) -> Vec<(EvidenceKind, Bytes)> {
    let payload = [b"\x1f\x8b", text(number, 2_600, 100).as_slice()].concat();
    vec![
        (EvidenceKind::Message, text(number, 10_400, 31).into()),
        (EvidenceKind::Payload, payload.into()),
        (EvidenceKind::SmpAnswer, Bytes::from_static(b"<answer/>")),
    ]
}

/// A store with a worker that has room for everything, as the service has in quiet times.
struct Worked {
    world: World,
    /// When the limit of a status that is due is looked at, where it is watched.
    limit: Option<i64>,
    documents: Mutex<Handover>,
    arrivals: Mutex<Handover>,
    calls: Mutex<Handover>,
    statuses: Mutex<Handover>,
}

async fn worked() -> Worked {
    let world = world().await;
    world.store.put_hook(hook("1", HookScope::Environment, &["*"])).await.unwrap();
    let kinds = [
        &[TaskKind::Prepare, TaskKind::Route, TaskKind::Deliver][..],
        &[TaskKind::Arrive],
        &[TaskKind::Notify],
        &[TaskKind::Status, TaskKind::Report],
    ];
    let mut lanes = Vec::new();
    for kinds in kinds {
        // What is there is claimed first: nothing, and from then on that is known.
        assert!(world.store.claim(kinds, at(0), LEASE, 32).await.unwrap().is_empty());
        let lane = world.store.take_over(kinds, LEASE);
        lane.offer(32, at(0));
        lanes.push(Mutex::new(lane));
    }
    let lanes: [Mutex<Handover>; 4] = lanes.try_into().map_err(|_| "four lanes").unwrap();
    let [documents, arrivals, calls, statuses] = lanes;
    Worked { world, limit: None, documents, arrivals, calls, statuses }
}

impl Worked {
    /// Beside a step whose document has a status that is due.
    fn watched(&self) -> SideEffects {
        SideEffects { look: self.limit.map(at), ..SideEffects::default() }
    }
}

impl std::ops::Deref for Worked {
    type Target = World;
    fn deref(&self) -> &World {
        &self.world
    }
}

/// The task that is handed over.
async fn handed(lane: &Mutex<Handover>, now: i64) -> Claim {
    let mut lane = lane.lock().await;
    let patience = std::time::Duration::from_secs(30);
    let claim = tokio::time::timeout(patience, lane.next()).await.expect("a task is handed over");
    lane.offer(1, at(now));
    claim.unwrap()
}

/// Calls the hook that waits, as one that takes everything.
async fn notified(world: &Worked, now: i64) {
    let claim = handed(&world.calls, now).await;
    let Work::Call(_) = world.store.load(&claim).await.unwrap() else { panic!("{claim:?}") };
    let tried = HookTry {
        started_on: at(now),
        duration: jiff::SignedDuration::from_millis(20),
        status: Some(200),
        response: String::new(),
        error: None,
    };
    let end = CallEnd::plain(tried, HookDecision::Delivered);
    world.store.finish_call(claim, end, at(now)).await.unwrap();
}

/// A document out, as the worker takes it.
async fn out(world: &Worked, number: u32, now: i64) {
    let new = NewOutgoing { content: content(number), now: at(now), ..outgoing(number, "") };
    world.store.submit(new).await.unwrap();
    leaves(world, number, now).await;
    notified(world, now).await;
}

async fn leaves(world: &Worked, number: u32, now: i64) {
    let claim = handed(&world.documents, now).await;
    let record = world.load(&claim).await;
    world.store.document(&record).await.unwrap().unwrap();
    if record.transaction.family == Family::MessageLevelStatus {
        world.store.status_carried_by(&record.transaction.id).await.unwrap();
    }
    world.store.channels_of(&acme(), &record.transaction.party).await.unwrap();
    let mut done = completion(&claim, &record, &straight(), now);
    done.facts.number = Some(format!("F-{number}"));
    done.facts.receiver = Some("0106:87654321".to_owned());
    let mut receipt = format!("receipt {number}").into_bytes();
    receipt.resize(6_000, b'z');
    let receipt = Some(Bytes::from(receipt));
    done.attempt = Some(Attempt { receipt, evidence: evidence(number), ..attempt("") });
    let beside = SideEffects {
        exchange: Some(exchange("a", at(now))),
        awaited: Some(status(true, 20_000)),
        ..world.watched()
    };
    world.store.commit_with(done, beside).await.unwrap();
}

/// A document out through the hook of a channel, whose attempt is proved by its report alone.
async fn out_by_hook(world: &Worked, number: u32, now: i64) {
    let new = NewOutgoing { content: content(number), now: at(now), ..outgoing(number, "") };
    world.store.submit(new).await.unwrap();
    let claim = handed(&world.documents, now).await;
    let record = world.load(&claim).await;
    world.store.document(&record).await.unwrap().unwrap();
    world.store.channels_of(&acme(), &record.transaction.party).await.unwrap();
    let key = "1".parse().unwrap();
    world.store.hook_of_key(&acme(), &key).await.unwrap().expect("the hook");
    let mut done = completion(&claim, &record, &straight(), now);
    done.facts.number = Some(format!("F-{number}"));
    done.attempt = Some(Attempt { receipt: None, ..attempt("") });
    // A step that is within its lease writes nothing before its commit.
    world.store.commit(done).await.unwrap();
    notified(world, now).await;
}

/// A document out that is reported to a tax authority: the report, its message and the task that
/// waits for the answer are recorded in the commit that ends the document.
async fn out_reported(world: &Worked, number: u32, now: i64) {
    let new = NewOutgoing { content: content(number), now: at(now), ..outgoing(number, "") };
    world.store.submit(new).await.unwrap();
    let claim = handed(&world.documents, now).await;
    let record = world.load(&claim).await;
    world.store.document(&record).await.unwrap().unwrap();
    let own = &record.transaction;
    world.store.channels_of(&acme(), &own.party).await.unwrap();
    world.store.tax_switch(&acme(), &own.party).await.unwrap();
    let report = ids::tax_report_id(&own.id, 1).to_string();
    let message = NewOutgoing {
        document_id: ids::tax_message_id(&report, 1),
        family: Family::TaxReport,
        content: content(2_000_000 + number),
        now: at(now),
        ..outgoing(2_000_000 + number, "")
    };
    let mut done = completion(&claim, &record, &straight(), now);
    done.facts.number = Some(format!("F-{number}"));
    done.attempt = Some(Attempt { receipt: None, ..attempt("") });
    let owed = TaxOwed {
        outcome: TaxOutcome::Written(TaxFacts::default(), Box::new(message)),
        next: Some(at(9_000)),
        ..TaxOwed::later(TaxRole::Sender, TaxAct::Submit)
    };
    let beside = SideEffects { tax: Some(owed), ..SideEffects::default() };
    world.store.commit_with(done, beside).await.unwrap();
    notified(world, now).await;
    // Its message is sent as any document, which is not counted here.
    let claim = handed(&world.documents, now).await;
    world.store.drop_task(claim).await.unwrap();
}

/// A document in, with the status that is given back about it.
async fn arrives(world: &Worked, number: u32, now: i64) {
    let new = NewIncoming { content: content(number), now: at(now), ..incoming(number, "") };
    let arrival =
        Arrival { exchange: Some(exchange("a", at(now))), status: Some(status(true, 20_000)) };
    let stored = world.store.receive_with(new, arrival, evidence(number)).await.unwrap();
    let RecordOutcome::Accepted(id) = stored else { panic!("{stored:?}") };
    world.store.keep_receipt(&id, Bytes::from(format!("receipt {number}"))).await.unwrap();
    let claim = handed(&world.arrivals, now).await;
    let record = world.load(&claim).await;
    world.store.document(&record).await.unwrap().unwrap();
    world.store.status_of(&id).await.unwrap().unwrap();
    let mut done = completion(&claim, &record, &[valid()], now);
    done.report = Some(Bytes::from_static(b"{}"));
    done.facts.number = Some(format!("F-{number}"));
    world.store.commit_with(done, world.watched()).await.unwrap();
    notified(world, now).await;
    let claim = handed(&world.statuses, now).await;
    let Work::Status(document, _) = world.store.load(&claim).await.unwrap() else { panic!() };
    world.store.handed(&document).await.unwrap();
    let message = NewOutgoing {
        family: Family::MessageLevelStatus,
        now: at(now),
        ..outgoing(1_000_000 + number, "<ApplicationResponse/>")
    };
    let given = StatusGiven {
        code: MlsCode::Accepted,
        description: "It was taken.".to_owned(),
        issues: Vec::new(),
        message,
    };
    let step = StatusStep {
        claim,
        document: *document,
        given: Some(given),
        closes: false,
        raised: None,
        notices: Vec::new(),
        next: world.limit.map(at),
        now: at(now),
    };
    world.store.finish_status(step).await.unwrap();
}

/// The same until its status has left.
async fn arrives_and_leaves(world: &Worked, number: u32, now: i64) {
    arrives(world, number, now).await;
    leaves(world, 1_000_000 + number, now).await;
    notified(world, now).await;
}

/// Counts what a number of documents cost, after some that warm the statements up.
async fn counted(world: &World, what: &str, one: impl AsyncFn(u32, i64)) -> Cost {
    for number in 1..=5 {
        one(number, NOW).await;
    }
    let before = world.store.work_done();
    for number in 101..101 + DOCUMENTS {
        one(number, NOW).await;
    }
    let cost = Cost(world.store.work_done().since(&before));
    println!("{}", cost.told(what, DOCUMENTS));
    cost
}

/// What a document may cost at most: statements, steps, commits, pages.
struct Limit {
    statements: f64,
    steps: f64,
    commits: f64,
    pages: f64,
}

impl Cost {
    /// Sees that it is within its limit, and not so far below that the limit says nothing any more.
    fn is_within(&self, what: &str, limit: &Limit) {
        let told = self.told(what, DOCUMENTS);
        let each = |count| Cost::each(count, DOCUMENTS);
        let StoreWork { statements, prepared_again, steps, commits, pages, .. } = self.0;
        assert_eq!(prepared_again, 0, "{told}: a plan depends on what is bound");
        for (name, found, most) in [
            ("statements", each(statements), limit.statements),
            ("steps", each(steps), limit.steps),
            ("commits", each(commits), limit.commits),
            ("pages", each(pages), limit.pages),
        ] {
            assert!(found <= most * 1.02, "{told}: more {name} than {most}");
            assert!(found >= most * 0.8, "{told}: fewer {name} than {most}: write it down here");
        }
    }
}

#[tokio::test]
async fn a_document_costs_so_many_statements() {
    let sender = worked().await;
    let cost = counted(&sender, "out", async |number, now| out(&sender, number, now).await).await;
    cost.is_within("out", &Limit { statements: 50.1, steps: 2_620.0, commits: 3.0, pages: 66.5 });
    let sender = worked().await;
    let by_hook = async |number: u32, now: i64| out_by_hook(&sender, number, now).await;
    let cost = counted(&sender, "out by a hook", by_hook).await;
    cost.is_within(
        "by hook",
        &Limit { statements: 39.1, steps: 2_220.0, commits: 3.0, pages: 48.7 },
    );
    // Twelve statements more than one that is not reported: the switch of the party, the report,
    // its message with what a document of its own has, a line of the timeline, the task that waits
    // for the answer. There is no claim and no commit of its own: the fourth commit here is the end
    // of the message's task.
    let sender = worked().await;
    let reported = async |number: u32, now: i64| out_reported(&sender, number, now).await;
    let cost = counted(&sender, "out and reported", reported).await;
    cost.is_within(
        "reported",
        &Limit { statements: 50.1, steps: 3_000.0, commits: 4.0, pages: 72.0 },
    );
    let receiver = worked().await;
    let both = async |number: u32, now: i64| arrives_and_leaves(&receiver, number, now).await;
    let cost = counted(&receiver, "in", both).await;
    cost.is_within("in", &Limit { statements: 113.1, steps: 5_755.0, commits: 7.0, pages: 140.5 });
}

/// What it costs besides that the limit of its status is watched, until that has left.
#[tokio::test]
async fn a_status_that_is_watched_costs_so_many_statements() {
    let sender = Worked { limit: Some(9_000), ..worked().await };
    let cost = counted(&sender, "out", async |number, now| out(&sender, number, now).await).await;
    cost.is_within("out", &Limit { statements: 52.1, steps: 2_705.0, commits: 3.0, pages: 66.9 });
    let receiver = Worked { limit: Some(9_000), ..worked().await };
    let both = async |number: u32, now: i64| arrives_and_leaves(&receiver, number, now).await;
    let cost = counted(&receiver, "in", both).await;
    cost.is_within("in", &Limit { statements: 117.1, steps: 6_020.0, commits: 7.0, pages: 141.0 });
}
