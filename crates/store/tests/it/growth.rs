//! The same however much there is: each question is asked of a small store and of one that holds
//! many times as much, and the steps that the engine takes for it are counted.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::{Direction, Family, Status};
use quoin_store::{
    FeedFilter, FeedParties, Keep, ListFilter, NewIncoming, NewOutgoing, OpenOptions, ReplayPeriod,
    Store, StoreWork,
};

use crate::world::{
    RECEIVER, SENDER, World, acme, at, document, incoming, keep_for, options, outgoing, world,
};

/// Documents of the small store, and of the large one.
const SMALL: u32 = 4_000;
const LARGE: u32 = 100_000;
/// Documents of each that failed, and that nobody has downloaded.
const FEW: u32 = 150;
const DAY: i64 = 86_400;

/// Rows that are there, by SQL: every second document arrived, few failed, one goes to a receiver
/// of its own, the last days hold all of them.
const FILL: &str = "
    INSERT INTO hooks (organisation, id, party, name, action, secrets, topics, output,
        publish_topics, init, is_active, created_on, changed_on)
        VALUES ('acme', 'h', NULL, '', 'https://x', x'00', '[]', '[]', '[]', 'null', 0, 0, 0);
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :all) SELECT i FROM n;
    INSERT INTO transactions (id, organisation, party, document_id, direction, family, status,
        attempts, version, sender, receiver, number, source_document_type, message_id, instance_id,
        access_point, envelope_sender, blob, sha256, size, created_on, changed_on, downloaded_on)
    SELECT printf('%08x-0000-7000-8000-%012x', i, i), 'acme',
        CASE i % 2 WHEN 0 THEN ':receiver' ELSE ':sender' END,
        printf('00000000-0000-4000-9000-%012x', i),
        CASE i % 2 WHEN 0 THEN 'incoming' ELSE 'outgoing' END, 'Invoice',
        CASE WHEN i % (:all / :few) = 1 THEN 'Failed' ELSE 'Delivered' END, 1, 1, ':sender',
        CASE i WHEN 1001 THEN '0106:rare' ELSE ':receiver' END, 'N-' || i, 'a::b', 'm' || i,
        'i' || i,
        'POP000001', ':sender', zeroblob(32), zeroblob(32), 1, :start + i, :start + i,
        CASE WHEN i % 2 = 0 AND i % (:all / :few) <> 0 THEN :start + i END FROM n;
    INSERT INTO events (id, organisation, number, party, topic, transaction_id, document_id, depth,
        message, details, created_on)
    SELECT 'e' || i, 'acme', i, CASE i % 2 WHEN 0 THEN ':receiver' ELSE ':sender' END,
        CASE i % 2 WHEN 0 THEN 'InvoiceReceived' ELSE 'InvoiceSent' END,
        printf('%08x-0000-7000-8000-%012x', i, i), printf('00000000-0000-4000-9000-%012x', i), 0,
        '', '{}', :start + i FROM n;
    INSERT INTO hook_calls (id, organisation, hook, event, state, tries, held, created_on,
        changed_on)
    SELECT 'c' || i, 'acme', 'h', i, 'delivered', 1, 0, :start + i, :start + i FROM n;
    DROP TABLE n;";

async fn filled(all: u32) -> World {
    let world = world().await;
    world.store.close().await;
    let db = rusqlite::Connection::open(world.folder.join("quoin.db")).unwrap();
    let start = at(0).as_microsecond();
    let sql = FILL
        .replace(":all", &all.to_string())
        .replace(":few", &FEW.to_string())
        .replace(":sender", SENDER)
        .replace(":receiver", RECEIVER)
        .replace(":start", &start.to_string());
    db.execute_batch("PRAGMA synchronous = OFF; BEGIN").unwrap();
    db.execute_batch(&sql).unwrap();
    db.execute_batch("COMMIT").unwrap();
    drop(db);
    let store = Store::open(OpenOptions { new_store: false, ..options(&world.folder) });
    let world = World { store: store.await.unwrap(), ..world };
    keep_for(&world.store, Keep::default()).await;
    world
}

/// What a question costs once its statements are prepared.
async fn asked(world: &World, question: &Question) -> StoreWork {
    question(world).await;
    let before = world.store.work_done();
    question(world).await;
    world.store.work_done().since(&before)
}

type Question = dyn for<'w> Fn(&'w World) -> std::pin::Pin<Box<dyn Future<Output = ()> + 'w>>;

fn sent() -> ListFilter {
    ListFilter {
        party: Some(SENDER.to_owned()),
        family: Some(Family::Invoice),
        ..ListFilter::new(acme(), Direction::Outgoing)
    }
}

fn arrived() -> ListFilter {
    let (party, direction) = (Some(RECEIVER.to_owned()), Direction::Incoming);
    ListFilter { party, direction, ..sent() }
}

/// Lists, by what is asked.
fn lists() -> Vec<(&'static str, ListFilter)> {
    let late = Some(at(0) + SignedDuration::from_micros(3_000));
    let rare = Some("0106:RARE".to_owned());
    let unknown = || Some("unknown".to_owned());
    vec![
        ("the first page", sent()),
        ("the largest page", ListFilter { limit: 500, ..sent() }),
        ("since a time", ListFilter { from: late, ..sent() }),
        ("until a time before all", ListFilter { until: Some(at(-1)), ..sent() }),
        ("since a time after all", ListFilter { from: Some(at(DAY)), ..sent() }),
        ("of a number", ListFilter { number: Some("N-1001".to_owned()), ..sent() }),
        ("of no number", ListFilter { number: unknown(), ..sent() }),
        ("what failed", ListFilter { statuses: vec![Status::Failed], ..sent() }),
        ("what was rejected", ListFilter { statuses: vec![Status::Rejected], ..sent() }),
        (
            "what was not sent",
            ListFilter { statuses: vec![Status::Rejected, Status::Failed], ..sent() },
        ),
        ("what is under way", ListFilter { statuses: vec![Status::Pending], ..sent() }),
        ("what was delivered", ListFilter { statuses: vec![Status::Delivered], ..sent() }),
        ("to a rare receiver", ListFilter { counterparty: rare, ..sent() }),
        ("to nobody", ListFilter { counterparty: unknown(), ..sent() }),
        ("of another family", ListFilter { family: Some(Family::Order), ..sent() }),
        ("of any family", ListFilter { family: None, ..sent() }),
        ("of a party without any", ListFilter { party: unknown(), ..sent() }),
        ("what arrived", arrived()),
        ("what was not downloaded", ListFilter { not_downloaded: true, ..arrived() }),
        (
            "what was not downloaded, and failed",
            ListFilter { not_downloaded: true, statuses: vec![Status::Failed], ..arrived() },
        ),
    ]
}

/// Every question, by its name.
fn questions() -> Vec<(String, Box<Question>)> {
    let mut all: Vec<(String, Box<Question>)> = Vec::new();
    for (name, filter) in lists() {
        all.push((
            format!("list {name}"),
            Box::new(move |world| {
                let filter = filter.clone();
                Box::pin(async move {
                    world.store.list(filter).await.unwrap();
                })
            }),
        ));
    }
    let mut add = |name: &str, question: Box<Question>| all.push((name.to_owned(), question));
    add("how far an arrival is", Box::new(|world| Box::pin(handed(world))));
    add(
        "what is over, where nothing is",
        Box::new(|world| {
            Box::pin(async {
                assert_eq!(world.store.expire(at(2)).await.unwrap(), 0);
            })
        }),
    );
    add(
        "the newest events",
        Box::new(|world| {
            Box::pin(async {
                let parties = FeedParties::AllBut([].into());
                let filter = FeedFilter { organisation: acme(), parties, topic: None };
                world.store.feed(filter, 3_900, 10).await.unwrap();
            })
        }),
    );
    add("the health of an address", Box::new(|world| Box::pin(health(world))));
    add("the queue", Box::new(|world| Box::pin(async { drop(world.store.queue(at(0)).await) })));
    add("an upload that is there", Box::new(|world| Box::pin(uploaded(world))));
    add("an arrival that is there", Box::new(|world| Box::pin(came(world))));
    add("a replay of no time", Box::new(|world| Box::pin(replayed(world))));
    all
}

async fn handed(world: &World) {
    let id = "000003e8-0000-7000-8000-0000000003e8".parse().unwrap();
    let record = world.store.transaction(&id).await.unwrap().unwrap();
    assert_eq!(world.store.handed(&record).await.unwrap().taken, 1);
}

async fn health(world: &World) {
    let url = "https://ap.example.test/as4";
    world.store.endpoint_health(&acme(), url, Timestamp::MIN).await.unwrap();
    world.store.endpoints_of(&acme(), SENDER, Timestamp::MIN).await.unwrap();
}

async fn uploaded(world: &World) {
    let new = NewOutgoing { document_id: document(7), ..outgoing(7, "<Invoice/>") };
    world.store.submit(new).await.unwrap();
}

async fn came(world: &World) {
    let new = NewIncoming { message_id: "m1000".to_owned(), ..incoming(1, "<Invoice/>") };
    world.store.receive(new).await.unwrap();
}

async fn replayed(world: &World) {
    let period = ReplayPeriod {
        organisation: acme(),
        hook: "h".parse().unwrap(),
        scope: quoin_store::HookScope::Environment,
        from: at(DAY),
        until: at(2 * DAY),
        undelivered: true,
    };
    // The hook is switched off, which is said at once.
    world.store.replay_period(period, at(DAY)).await.unwrap_err();
}

#[tokio::test]
async fn no_question_costs_more_where_there_is_more() {
    let (small, large) = (filled(SMALL).await, filled(LARGE).await);
    for (name, question) in questions() {
        let few = asked(&small, &*question).await;
        let many = asked(&large, &*question).await;
        println!("{name}: {} and {} steps", few.steps, many.steps);
        assert!(few.statements > 0, "{name}: nothing was asked");
        assert_eq!((few.prepared_again, many.prepared_again), (0, 0), "{name}");
        assert_eq!(few.statements, many.statements, "{name}");
        let most = few.steps + few.steps / 10 + 20;
        assert!(many.steps <= most, "{name}: {} steps, and {} before", many.steps, few.steps);
    }
}

/// Lists are complete and in order, whatever leads to them.
#[tokio::test]
async fn lists_of_many_are_whole() {
    let world = filled(SMALL).await;
    let whole = async |filter: ListFilter| {
        let mut filter = filter;
        let mut found: Vec<(Timestamp, String)> = Vec::new();
        loop {
            let page = world.store.list(filter.clone()).await.unwrap();
            let place = |item: &quoin_store::TransactionRecord| {
                (item.created_on, item.transaction.id.to_string())
            };
            found.extend(page.items.iter().map(place));
            filter.continuation = page.continuation;
            if filter.continuation.is_none() {
                assert!(found.is_sorted(), "in the order of recording");
                found.dedup();
                return found.len();
            }
        }
    };
    let half = usize::try_from(SMALL / 2).unwrap();
    assert_eq!(whole(sent()).await, half);
    assert_eq!(whole(arrived()).await, half);
    assert_eq!(whole(ListFilter::new(acme(), Direction::Incoming)).await, half, "of all parties");
    let all = |statuses: &[Status]| ListFilter { statuses: statuses.to_vec(), ..sent() };
    let failed = whole(all(&[Status::Failed])).await;
    let delivered = whole(all(&[Status::Delivered])).await;
    assert_eq!(failed + delivered, half);
    assert_eq!(whole(all(Status::ALL.as_slice())).await, half);
    let fresh = ListFilter { not_downloaded: true, ..arrived() };
    let from_there = ListFilter { counterparty: Some(SENDER.to_owned()), ..arrived() };
    assert_eq!(whole(from_there.clone()).await, half);
    let both = ListFilter { not_downloaded: true, ..from_there };
    let fresh = whole(fresh).await;
    assert!(fresh > 0 && fresh < half);
    assert_eq!(whole(both).await, fresh);
}
