//! What counts: numbers that any thread may add to without waiting for another.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Names that are counted one by one; further ones are counted together as [`OTHER`].
const MOST_NAMES: usize = 256;
/// The name of what is beyond [`MOST_NAMES`], and of what has none.
const OTHER: &str = "other";

/// Upper bounds of the buckets of a histogram, in seconds.
pub(super) const BOUNDS: &[f64] =
    &[0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// The values of a label: few, and known beforehand.
pub trait Label: Copy + 'static {
    /// Every value with its word, in order of [`Label::at`].
    const ALL: &'static [(Self, &'static str)];

    /// Its place in [`Label::ALL`].
    fn at(self) -> usize;
}

/// Counts by a label.
#[derive(Debug)]
pub struct Counter<L> {
    cells: Vec<AtomicU64>,
    label: PhantomData<fn(L)>,
}

impl<L: Label> Default for Counter<L> {
    fn default() -> Counter<L> {
        let cells = L::ALL.iter().map(|_| AtomicU64::new(0)).collect();
        Counter { cells, label: PhantomData }
    }
}

impl<L: Label> Counter<L> {
    /// One more.
    pub fn add(&self, label: L) {
        if let Some(cell) = self.cells.get(label.at()) {
            cell.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many there were.
    pub fn of(&self, label: L) -> u64 {
        self.cells.get(label.at()).map_or(0, |cell| cell.load(Ordering::Relaxed))
    }

    /// Each value of the label and how many there were.
    pub(super) fn values(&self) -> Vec<(String, u64)> {
        L::ALL.iter().map(|(label, word)| ((*word).to_owned(), self.of(*label))).collect()
    }
}

/// Counts by a name that tables and the operator give: up to [`MOST_NAMES`] of them.
#[derive(Debug, Default)]
pub struct NamedCounts(Mutex<BTreeMap<String, u64>>);

impl NamedCounts {
    /// One more of a name.
    pub fn add(&self, name: &str) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = counts.len() >= MOST_NAMES && !counts.contains_key(name);
        let name = if is_full || name.is_empty() { OTHER } else { name };
        *counts.entry(name.to_owned()).or_default() += 1;
    }

    /// Each name and how many there were.
    pub(super) fn values(&self) -> Vec<(String, u64)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter().map(|(name, count)| (name.clone(), *count)).collect()
    }
}

/// Counts by a name and a label.
#[derive(Debug)]
pub struct CountsByName<L>(Mutex<BTreeMap<&'static str, Counter<L>>>);

impl<L: Label> Default for CountsByName<L> {
    fn default() -> CountsByName<L> {
        CountsByName(Mutex::default())
    }
}

impl<L: Label> CountsByName<L> {
    /// One more of a name, which is that of a row of a table.
    pub fn add(&self, name: &'static str, label: L) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.entry(name).or_default().add(label);
    }

    /// Each name with each value of the label, and how many there were; the names are those of the
    /// table, whether anything was counted or not.
    pub(super) fn values(&self, names: &[&'static str]) -> Vec<(&'static str, String, u64)> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |name: &&'static str| {
            let values =
                counts.get(name).map_or_else(|| Counter::<L>::default().values(), Counter::values);
            let name = *name;
            values.into_iter().map(move |(word, count)| (name, word, count))
        };
        names.iter().flat_map(of).collect()
    }
}

/// How often something took how long.
#[derive(Debug)]
pub struct Histogram {
    /// One for each bound, and one for what is beyond.
    buckets: Vec<AtomicU64>,
    micros: AtomicU64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        let buckets = (0..=BOUNDS.len()).map(|_| AtomicU64::new(0)).collect();
        Histogram { buckets, micros: AtomicU64::new(0) }
    }
}

impl Histogram {
    /// Something took this long.
    pub fn observe(&self, took: Duration) {
        let at = BOUNDS.partition_point(|bound| *bound < took.as_secs_f64());
        if let Some(bucket) = self.buckets.get(at) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// How many took up to each bound, and how many there were in all.
    pub(super) fn cumulated(&self) -> Vec<u64> {
        let counts = self.buckets.iter().map(|bucket| bucket.load(Ordering::Relaxed));
        counts
            .scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            })
            .collect()
    }

    /// All of the time together, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        Duration::from_micros(self.micros.load(Ordering::Relaxed)).as_secs_f64()
    }
}
