//! Places in turn, shares, bytes that are given back.

use std::time::Duration;

use super::*;

const NOW: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_secs(20);

fn places(total: usize, share: usize, waiting: usize) -> Places {
    let sizes = Sizes { total, share, waiting, waiting_of_one: waiting };
    Places::new("test", Whom::Tenant, sizes)
}

#[tokio::test]
async fn one_has_its_share_and_leaves_the_rest_to_others() {
    let places = places(3, 2, 10);
    let first = places.try_enter("a").unwrap();
    let _second = places.try_enter("a").unwrap();
    assert_eq!(places.try_enter("a").unwrap_err(), Full { budget: "test", share: true });
    let _third = places.try_enter("b").unwrap();
    assert!(!places.try_enter("c").unwrap_err().share, "nothing is left for anybody");
    assert!(places.enter("c", NOW).await.is_err(), "and nothing comes back in time");
    drop(first);
    assert!(places.try_enter("c").is_ok());
    let reading = places.meter().read();
    assert_eq!((reading.refused_share, reading.refused_total), (1, 2));
    assert!(reading.exhausted);
}

#[tokio::test]
async fn those_who_wait_take_turns_by_who_they_are() {
    let places = places(1, 1, 100);
    let held = places.enter("first", LONG).await.unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut waiting = Vec::new();
    for who in ["many", "many", "many", "one"] {
        let (places, order) = (places.clone(), order.clone());
        waiting.push(tokio::spawn(async move {
            let place = places.enter(who, LONG).await.unwrap();
            order.lock().unwrap().push(who);
            tokio::time::sleep(Duration::from_millis(2)).await;
            drop(place);
        }));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(held);
    for one in waiting {
        one.await.unwrap();
    }
    assert_eq!(*order.lock().unwrap(), ["many", "one", "many", "many"]);
    assert_eq!(places.used(), 0);
}

#[tokio::test]
async fn who_gave_up_keeps_no_place() {
    let places = places(1, 1, 2);
    let held = places.enter("a", LONG).await.unwrap();
    for _ in 0..10 {
        assert!(places.enter("b", Duration::from_millis(1)).await.is_err());
    }
    drop(held);
    assert!(places.enter("b", LONG).await.is_ok());
    tokio::task::yield_now().await;
    assert_eq!(places.used(), 0, "a place that nobody took was given back");
}

#[test]
fn bytes_are_counted_as_they_come_and_given_back() {
    let budget = ByteBudget::new("test", 64 << 20);
    let mut mine = budget.enter("a");
    mine.grow(20 << 20).unwrap();
    let mut more = budget.enter("a");
    assert!(more.grow(20 << 20).unwrap_err().share, "half of all is its share");
    let kept = mine.keep(::bytes::Bytes::from_static(b"document"));
    let copy = kept.clone();
    drop(kept);
    assert_eq!(budget.used(), 20 << 20, "somebody has them still");
    drop(copy);
    assert_eq!(budget.used(), 0);
}

#[test]
fn strangers_have_a_part_and_small_ones_a_reserve() {
    let budget = ByteBudget::new("test", 64 << 20);
    let mut one = budget.enter_stranger("192.0.2.9");
    assert!(one.grow(5 << 20).unwrap_err().share, "a sixteenth of all");
    let mut strangers: Vec<_> =
        (0..4).map(|at| budget.enter_stranger(&format!("192.0.2.{at}"))).collect();
    for stranger in &mut strangers {
        stranger.grow(4 << 20).unwrap();
    }
    assert!(!one.grow(1024).unwrap_err().share, "all of them together have a quarter");
    strangers[0].hand_over("POP000001");
    one.grow(1024).unwrap();
    let mut tenants: Vec<_> = ["a", "b"].into_iter().map(|who| budget.enter(who)).collect();
    tenants[0].grow(30 << 20).unwrap();
    assert!(tenants[1].grow(20 << 20).is_err(), "the last eighth is for small ones");
    tenants[1].grow(bytes::SMALL).unwrap();
}

const MIB: usize = 1 << 20;
const NOW_ONLY: LinePlace = LinePlace { line: 8, patience: NOW, first: false };
const IN_LINE: LinePlace = LinePlace { patience: LONG, ..NOW_ONLY };

/// Somebody who asks for so much, as a task; answers what it holds then.
fn asks(budget: &ByteBudget, who: &str, more: usize) -> tokio::task::JoinHandle<Option<Holding>> {
    let mut holding = budget.enter(who);
    tokio::spawn(async move { holding.ask(more, IN_LINE).await.ok().map(|()| holding) })
}

async fn waits(budget: &ByteBudget, count: usize) {
    while budget.waiting() != count {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn large_ones_wait_in_order_and_small_ones_pass() {
    let budget = ByteBudget::new("test", 64 * MIB);
    let mut first = budget.enter("a");
    first.ask(40 * MIB, NOW_ONLY).await.unwrap();
    let second = asks(&budget, "b", 30 * MIB);
    waits(&budget, 1).await;
    let third = asks(&budget, "c", 20 * MIB);
    waits(&budget, 2).await;
    // Little passes whoever waits for much; what is small has a part of its own.
    let little = asks(&budget, "d", 3 * MIB).await.unwrap().unwrap();
    let mut small: Vec<_> = (0..16).map(|_| budget.enter("e")).collect();
    let granted = small.iter_mut().filter_map(|one| one.grow(MIB).ok()).count();
    assert_eq!(granted, 8, "an eighth of all, while somebody waits");
    first.shrink_to(10 * MIB);
    let second = second.await.unwrap().unwrap();
    assert_eq!(budget.waiting(), 1, "whoever came later waits, though the first one is served");
    drop(second);
    let third = third.await.unwrap().unwrap();
    assert_eq!(third.bytes(), 20 * MIB);
    // Whom a counterpart waits for comes before those that came a moment ago.
    let fourth = asks(&budget, "f", 40 * MIB);
    waits(&budget, 1).await;
    let mut door = budget.enter("g");
    let door = tokio::spawn(async move {
        door.ask(40 * MIB, LinePlace { first: true, ..IN_LINE }).await.map(|()| door)
    });
    waits(&budget, 2).await;
    drop((first, third, little, small));
    let door = door.await.unwrap().unwrap();
    assert_eq!(budget.waiting(), 1);
    drop(door);
    drop(fourth.await.unwrap().unwrap());
    assert_eq!((budget.used(), budget.waiting()), (0, 0));
}

/// Somebody who has begun waits for nobody who waits for it.
#[tokio::test]
async fn who_has_begun_stands_behind_nobody_that_has_not() {
    let budget = ByteBudget::new("test", 64 * MIB);
    let mut begun = budget.enter("a");
    begun.ask(24 * MIB, NOW_ONLY).await.unwrap();
    let mut door = budget.enter("b");
    let door = tokio::spawn(async move {
        door.ask(40 * MIB, LinePlace { first: true, ..IN_LINE }).await.map(|()| door)
    });
    waits(&budget, 1).await;
    // Longer than those pass that want little.
    tokio::time::sleep(Duration::from_millis(5_200)).await;
    begun.ask(0, NOW_ONLY).await.expect("it wants nothing");
    begun.ask(8 * MIB, NOW_ONLY).await.expect("there is room, and the door waits for it");
    let mut other = budget.enter("c");
    other.ask(8 * MIB, NOW_ONLY).await.unwrap_err();
    let more = tokio::spawn(async move { begun.ask(30 * MIB, IN_LINE).await.map(|()| begun) });
    tokio::time::sleep(Duration::from_millis(20)).await;
    let more = more.await.unwrap().unwrap();
    assert_eq!(more.bytes(), 40 * MIB, "all that one may have");
    drop(more);
    assert_eq!(door.await.unwrap().unwrap().bytes(), 40 * MIB);
}

/// Of those for whom no counterpart waits, one that has waited for long goes before a door, and no
/// more than one.
#[tokio::test]
async fn a_door_waits_for_one_step_of_the_worker_at_most() {
    let budget = ByteBudget::new("test", 64 * MIB);
    let mut held = budget.enter("a");
    held.ask(40 * MIB, NOW_ONLY).await.unwrap();
    let steps: Vec<_> = ["b", "c", "d"].map(|who| asks(&budget, who, 40 * MIB)).into();
    waits(&budget, 3).await;
    tokio::time::sleep(Duration::from_millis(10_200)).await;
    let mut door = budget.enter("e");
    let door = tokio::spawn(async move {
        door.ask(40 * MIB, LinePlace { first: true, ..IN_LINE }).await.map(|()| door)
    });
    waits(&budget, 4).await;
    drop(held);
    let mut steps = steps.into_iter();
    drop(steps.next().unwrap().await.unwrap().unwrap());
    drop(door.await.unwrap().unwrap());
    for step in steps {
        drop(step.await.unwrap().unwrap());
    }
    assert_eq!((budget.used(), budget.waiting()), (0, 0));
}

/// Strangers that hold all they may, and a large one that waits, keep no small one out.
#[tokio::test]
async fn small_ones_pass_strangers_and_whoever_waits() {
    let budget = ByteBudget::new("test", 64 * MIB);
    let strange = |at: usize| budget.enter_stranger(&format!("192.0.2.{at}"));
    let mut strangers: Vec<_> = (0..16).map(strange).collect();
    strangers.iter_mut().for_each(|one| one.grow(MIB).unwrap());
    let mut held = budget.enter("a");
    held.grow(30 * MIB).unwrap();
    let large = asks(&budget, "b", 30 * MIB);
    waits(&budget, 1).await;
    let mut small: Vec<_> = (0..8).map(|_| budget.enter("c")).collect();
    for one in &mut small {
        one.ask(MIB, NOW_ONLY).await.unwrap();
    }
    assert!(budget.enter("c").ask(1, NOW_ONLY).await.is_err(), "they have an eighth");
    drop(held);
    let large = large.await.unwrap().unwrap();
    assert_eq!(large.bytes(), 30 * MIB, "and keep no large one out");
}

#[tokio::test]
async fn what_is_larger_than_the_budget_is_done_alone() {
    let budget = ByteBudget::new("test", 64 * MIB);
    let mut other = budget.enter("a");
    other.grow(20 * MIB).unwrap();
    let huge = asks(&budget, "b", 500 * MIB);
    waits(&budget, 1).await;
    drop(other);
    let huge = huge.await.unwrap().unwrap();
    assert_eq!(huge.bytes(), 40 * MIB, "what small ones and strangers leave");
    let mut more = budget.enter("c");
    assert!(more.ask(20 * MIB, NOW_ONLY).await.is_err());
    more.grow(MIB / 2).unwrap();
    drop(huge);
    more.ask(20 * MIB, NOW_ONLY).await.unwrap();
}

#[tokio::test]
async fn who_gives_up_or_is_gone_keeps_no_bytes_from_others() {
    let budget = ByteBudget::new("test", 64 * MIB);
    let mut held = budget.enter("a");
    held.grow(50 * MIB).unwrap();
    for _ in 0..3 {
        let mut late = budget.enter("b");
        assert!(late.ask(40 * MIB, NOW_ONLY).await.is_err());
    }
    let gone = asks(&budget, "c", 40 * MIB);
    waits(&budget, 1).await;
    let stays = asks(&budget, "d", 30 * MIB);
    waits(&budget, 2).await;
    assert!(
        budget.enter("e").ask(20 * MIB, LinePlace { line: 2, ..IN_LINE }).await.is_err(),
        "the line is full"
    );
    gone.abort();
    drop(gone.await);
    drop(held);
    assert_eq!(stays.await.unwrap().unwrap().bytes(), 30 * MIB);
    assert_eq!((budget.used(), budget.waiting()), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_purpose_keeps_no_quick_one_waiting() {
    let pool = Pool::of(1);
    let slow = |at: u64| {
        let pool = pool.clone();
        tokio::spawn(async move {
            let work = move || std::thread::sleep(Duration::from_millis(200 + at));
            pool.run(Purpose::Validate, "tenant", work).await
        })
    };
    let slow: Vec<_> = (0..4).map(slow).collect();
    tokio::time::sleep(Duration::from_millis(20)).await;
    let begun = std::time::Instant::now();
    assert_eq!(pool.run(Purpose::As4Open, "192.0.2.1", || 7).await.unwrap(), 7);
    assert!(begun.elapsed() < Duration::from_millis(150), "{:?}", begun.elapsed());
    for one in slow {
        one.await.unwrap().unwrap();
    }
    let broken = pool.run(Purpose::As4Open, "192.0.2.1", || panic!("on purpose")).await;
    assert!(matches!(broken, Err(Busy::Broken(_))));
    assert!(pool.run(Purpose::As4Open, "192.0.2.1", || ()).await.is_ok(), "its place is free");
}

#[tokio::test]
async fn many_that_gave_up_keep_nobody_out_and_are_passed_over() {
    const MANY: usize = 4_096;
    let places = places(1, 1, MANY);
    let held = places.enter("a", LONG).await.unwrap();
    // Some hear that their time is over, others are gone before.
    let waits = (0..MANY).map(|_| {
        let places = places.clone();
        tokio::spawn(async move { places.enter("b", LONG).await.map(drop) })
    });
    let waits: Vec<_> = waits.collect();
    while places.waiting() < MANY {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(places.enter("c", LONG).await.is_err(), "nobody else may wait");
    for wait in waits {
        wait.abort();
        let _ = wait.await;
    }
    assert_eq!(places.waiting(), 0);
    let next = tokio::spawn({
        let places = places.clone();
        async move { places.enter("c", LONG).await.map(drop) }
    });
    while places.waiting() == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    // The stack of a small thread is enough.
    let given_back = std::thread::Builder::new().stack_size(64 << 10).spawn(move || drop(held));
    given_back.unwrap().join().unwrap();
    next.await.unwrap().unwrap();
    assert_eq!(places.used(), 0);
}

#[tokio::test]
async fn whom_its_own_share_keeps_waiting_is_in_nobodys_way() {
    let budget = ByteBudget::new("test", 64 * MIB);
    let mut held = budget.enter("a");
    held.ask(30 * MIB, NOW_ONLY).await.unwrap();
    let second = asks(&budget, "a", 10 * MIB);
    waits(&budget, 1).await;
    let other = asks(&budget, "b", 20 * MIB);
    let other = tokio::time::timeout(LONG / 4, other).await.expect("at once").unwrap().unwrap();
    assert_eq!((other.bytes(), budget.waiting()), (20 * MIB, 1));
    drop((held, other));
    assert_eq!(second.await.unwrap().unwrap().bytes(), 10 * MIB);
}

#[tokio::test]
async fn a_stranger_is_told_at_once_and_waits_before_nobody() {
    let budget = ByteBudget::new("test", 64 * MIB);
    let mut stranger = budget.enter_stranger("192.0.2.9");
    stranger.ask(3 * MIB, IN_LINE).await.unwrap();
    assert!(stranger.ask(2 * MIB, IN_LINE).await.unwrap_err().share, "a sixteenth of all");
    assert_eq!(budget.waiting(), 0);
}

#[test]
fn parts_of_what_lies_on_the_disk_are_read_side_by_side() {
    let folder = std::env::temp_dir().join(format!("quoin-spool-{}", uuid::Uuid::new_v4()));
    let room = ByteBudget::new("test", 64 * MIB).enter("a");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let written = (0..=255_u8).flat_map(|byte| [byte; 4_096]).collect::<Vec<_>>();
    let spool = runtime.block_on(async {
        let spool = Spool::open(&folder, room).await.unwrap();
        spool.write(written.clone().into()).await.unwrap()
    });
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (spool, written) = (&spool, &written);
            scope.spawn(move || {
                for round in 0..2_000 {
                    let from = (thread * 7_919 + round * 104_729) % written.len();
                    let part = spool.part(from, 4_096).unwrap();
                    assert_eq!(part, written[from..written.len().min(from + 4_096)]);
                }
            });
        }
    });
    std::fs::remove_dir_all(&folder).unwrap();
}
