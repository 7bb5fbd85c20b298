//! The private door of the operator's monitoring.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use quoin_delivery::TaskKind;
use quoin_store::{Queued, Store, TaskState};

use super::Metrics;
use super::text::{Family, MEDIA_TYPE};
use crate::clock::Clock;

/// Open alarms that are counted at most.
const ALARMS: usize = 1_000;

/// What a page is made from.
pub struct Scrape {
    /// The counters.
    pub metrics: Arc<Metrics>,
    /// The queue of tasks is read from it.
    pub store: Store,
    /// What time it is.
    pub clock: Clock,
}

impl Scrape {
    /// The routes of the door.
    pub fn router(self) -> Router {
        Router::new().route("/metrics", get(page)).with_state(Arc::new(self))
    }

    async fn families(&self) -> Vec<Family> {
        let mut families = self.metrics.families();
        let now = self.clock.now();
        let queue = self.store.queue(now).await;
        if let Err(error) = &queue {
            tracing::error!(%error, "the queue could not be counted");
        }
        let version = vec![("version", env!("CARGO_PKG_VERSION").to_owned())];
        families.push(Family::gauge(
            "quoin_build_info",
            "1, with the version of the program.",
            vec![(version, 1.0)],
        ));
        families.push(Family::gauge(
            "quoin_store_up",
            "1 where the store could be read for this page, else 0.",
            vec![(Vec::new(), if queue.is_ok() { 1.0 } else { 0.0 })],
        ));
        let alarms = self.store.open_alarms(ALARMS).await.unwrap_or_default();
        families.push(Family::gauge(
            "quoin_alarms_open",
            "Alarms that go on; what they are about stands in the events of the provider.",
            vec![(Vec::new(), alarms.len() as f64)],
        ));
        families.extend(queue.into_iter().flat_map(|queue| tasks(&queue, now)));
        families
    }
}

/// How many tasks there are of each kind and state, and for how long the oldest due one waits.
fn tasks(queue: &[Queued], now: jiff::Timestamp) -> [Family; 2] {
    let find = |kind, state| queue.iter().find(|one| one.kind == kind && one.state == state);
    let name = |kind: TaskKind| ("kind", kind.as_str().to_owned());
    let (mut depth, mut ages) = (Vec::new(), Vec::new());
    for &kind in TaskKind::ALL {
        for &state in TaskState::ALL {
            let labels = vec![name(kind), ("state", state.as_str().to_owned())];
            depth.push((labels, find(kind, state).map_or(0.0, |one| one.count as f64)));
        }
        let oldest = find(kind, TaskState::Due).and_then(|one| one.oldest);
        let age = oldest.map_or(0.0, |since| now.duration_since(since).as_secs_f64());
        ages.push((vec![name(kind)], age.max(0.0)));
    }
    [
        Family::gauge("quoin_tasks", "Tasks of the worker, by kind and state.", depth),
        Family::gauge(
            "quoin_task_oldest_due_seconds",
            "For how long the oldest task that is due has been due, by kind.",
            ages,
        ),
    ]
}

async fn page(State(scrape): State<Arc<Scrape>>) -> Response {
    let families = scrape.families().await;
    let text: String = families.iter().map(ToString::to_string).collect();
    ([(header::CONTENT_TYPE, MEDIA_TYPE)], text).into_response()
}
