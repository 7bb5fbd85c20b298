//! What somebody outside may cost us. Each test is named after the finding that it holds down: what
//! strangers (A), counterparts and tenants (B) were able to do before anybody asked who they are.

mod as4;
mod connections;
mod large;
mod process;
mod tenants;

use std::time::{Duration, Instant};

use crate::stage::caller::Caller;

/// How long an answer may take while somebody attacks. The machine may be busy with other tests;
/// what was measured before stood still for half a minute and more.
const SOON: Duration = Duration::from_secs(5);

/// Asks for the health again and again until told to end; answers the longest time it took.
async fn watch(caller: Caller, end: tokio::sync::watch::Receiver<bool>) -> Duration {
    let mut longest = Duration::ZERO;
    while !*end.borrow() {
        let begun = Instant::now();
        assert_eq!(caller.get("/health/live").await.status, 200);
        longest = longest.max(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    longest
}

/// Does something while the health of a service is watched; answers the longest time that took.
async fn watched<T>(caller: Caller, work: impl Future<Output = T>) -> (T, Duration) {
    let (end, ended) = tokio::sync::watch::channel(false);
    let watching = tokio::spawn(watch(caller, ended));
    let done = work.await;
    end.send_replace(true);
    (done, watching.await.unwrap())
}
