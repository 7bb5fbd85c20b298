//! The private door of the operator's monitoring.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jiff::Timestamp;
use quoin_delivery::TaskKind;
use quoin_store::{Queued, Store, StoreWork, TaskState, UnreportedCount};

use super::text::{MEDIA_TYPE, MetricFamily};
use super::{LOST_LOG_LINES, Metrics};
use crate::budget::{Budgets, MeterReading};
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
    /// What others may cost us.
    pub budgets: Budgets,
    /// How many alarms go on of which there is no record, since none can be written.
    pub unrecorded: Arc<dyn Fn() -> usize + Send + Sync>,
}

impl Scrape {
    /// The routes of the door.
    pub fn router(self) -> Router {
        Router::new().route("/metrics", get(page)).with_state(Arc::new(self))
    }

    async fn families(&self) -> Vec<MetricFamily> {
        let mut families = self.metrics.families();
        let now = self.clock.now();
        let queue = self.store.queue(now).await;
        if let Err(error) = &queue {
            tracing::error!(%error, "the queue could not be counted");
        }
        let version = vec![("version", env!("CARGO_PKG_VERSION").to_owned())];
        families.push(MetricFamily::gauge(
            "quoin_build_info",
            "1, with the version of the program.",
            vec![(version, 1.0)],
        ));
        families.push(MetricFamily::gauge(
            "quoin_store_up",
            "1 where the store could be read for this page, else 0.",
            vec![(Vec::new(), if queue.is_ok() { 1.0 } else { 0.0 })],
        ));
        let open = self.store.open_alarms(ALARMS).await.unwrap_or_default().len();
        // What goes on while nothing can be written has no record.
        let open = open + (self.unrecorded)();
        families.push(MetricFamily::gauge(
            "quoin_alarms_open",
            "Alarms that go on; what they are about stands in the events of the provider.",
            vec![(Vec::new(), open as f64)],
        ));
        match self.store.unreported().await {
            Ok(counts) => families.extend(unreported(&counts, now)),
            Err(error) => tracing::error!(%error, "tax reports could not be counted"),
        }
        let lost = LOST_LOG_LINES.load(Ordering::Relaxed);
        families.push(MetricFamily::counters(
            "quoin_log_lines_lost_total",
            "Lines of the log that could not be written.",
            vec![(Vec::new(), lost as f64)],
        ));
        families.push(store_work(&self.store.work_done()));
        families.extend(budgets(&self.budgets));
        families.extend(queue.into_iter().flat_map(|queue| tasks(&queue, now)));
        families
    }
}

/// Reports that no tax authority has taken, and how long there is until the earliest of their
/// terms.
fn unreported(counts: &[UnreportedCount], now: Timestamp) -> [MetricFamily; 2] {
    let value = |one: &UnreportedCount| {
        (vec![("state", one.state.as_str().to_owned())], one.reports as f64)
    };
    let earliest = counts.iter().filter_map(|one| one.due_on).min();
    let left = earliest.map(|due| due.duration_since(now).as_secs_f64());
    [
        MetricFamily::gauge(
            "quoin_tax_unreported",
            "Reports to tax authorities that none has taken, by state.",
            counts.iter().map(value).collect(),
        ),
        MetricFamily::gauge(
            "quoin_tax_next_term_seconds",
            "Seconds until the earliest term of what is unreported; negative where it is over.",
            left.into_iter().map(|left| (Vec::new(), left)).collect(),
        ),
    ]
}

/// What the store did: the same work costs the same on a slow machine.
fn store_work(work: &StoreWork) -> MetricFamily {
    let StoreWork { statements, prepared, prepared_again, steps, commits, pages } = *work;
    let values = [
        ("statements", statements),
        ("prepared", prepared),
        ("prepared_again", prepared_again),
        ("steps", steps),
        ("commits", commits),
        ("pages", pages),
    ];
    let value = |(what, count): (&str, u64)| (vec![("what", what.to_owned())], count as f64);
    MetricFamily::counters(
        "quoin_store_work_total",
        "What the store did: statements, those prepared for it and again, steps, commits, pages of \
         the log.",
        values.into_iter().map(value).collect(),
    )
}

/// What each budget says: how much there is and is held, what was asked, granted and refused. Who
/// was refused is told by kind, never by name.
fn budgets(budgets: &Budgets) -> [MetricFamily; 4] {
    let readings: Vec<MeterReading> = budgets.all().iter().map(|meter| meter.read()).collect();
    let name = |reading: &MeterReading| ("budget", reading.name.to_owned());
    let (mut size, mut asked, mut refused, mut exhausted) =
        <(Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
    for reading in &readings {
        for (state, value) in [("total", reading.total), ("held", reading.held)] {
            size.push((vec![name(reading), ("state", state.to_owned())], value as f64));
        }
        for (outcome, value) in [("asked", reading.asked), ("granted", reading.granted)] {
            asked.push((vec![name(reading), ("outcome", outcome.to_owned())], value as f64));
        }
        for (by, value) in
            [(reading.whom.as_str(), reading.refused_share), ("all", reading.refused_total)]
        {
            refused.push((vec![name(reading), ("by", by.to_owned())], value as f64));
        }
        exhausted.push((vec![name(reading)], f64::from(u8::from(reading.exhausted))));
    }
    [
        MetricFamily::gauge("quoin_budget", "What each budget has, and what of it is held.", size),
        MetricFamily::counters(
            "quoin_budget_asked_total",
            "How often each budget was asked.",
            asked,
        ),
        MetricFamily::counters(
            "quoin_budget_refused_total",
            "How often it refused: one that had its share, or all because nothing was left.",
            refused,
        ),
        MetricFamily::gauge(
            "quoin_budget_exhausted",
            "1 where a budget had nothing left for somebody within the last seconds.",
            exhausted,
        ),
    ]
}

/// How many tasks there are of each kind and state, and for how long the oldest due one waits.
fn tasks(queue: &[Queued], now: jiff::Timestamp) -> [MetricFamily; 2] {
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
        MetricFamily::gauge("quoin_tasks", "Tasks of the worker, by kind and state.", depth),
        MetricFamily::gauge(
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
