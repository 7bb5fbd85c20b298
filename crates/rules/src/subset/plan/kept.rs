//! The plans that are kept, of all tables together: those that were asked for last, within a
//! number of bytes.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::TablePlan;
use super::shape::ShapeUnder;

/// Bytes that one half takes at most.
const HALF: usize = 4 * 1024 * 1024;

/// Bytes of one plan that is kept, with its shape.
const MOST: usize = HALF / 16;

static KEPT: LazyLock<Mutex<KeptPlans>> = LazyLock::new(Mutex::default);

/// Two halves: what is asked for moves into the young one, and when that is full it takes the
/// place of the old one.
#[derive(Default)]
struct KeptPlans {
    young: HashMap<ShapeUnder, Arc<TablePlan>>,
    old: HashMap<ShapeUnder, Arc<TablePlan>>,
    /// What the young half weighs.
    weight: usize,
}

/// The plan for a shape: the one that is kept, or a new one, which is kept then.
pub(super) fn plan(shape: ShapeUnder, make: impl FnOnce() -> TablePlan) -> Arc<TablePlan> {
    if let Some(plan) = with(|kept| kept.find(&shape)) {
        return plan;
    }
    // Not under the lock: two that make the same one do no harm.
    let plan = Arc::new(make());
    with(|kept| kept.add(shape, plan.clone()));
    plan
}

fn with<T>(work: impl FnOnce(&mut KeptPlans) -> T) -> T {
    work(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner))
}

impl KeptPlans {
    fn find(&mut self, shape: &ShapeUnder) -> Option<Arc<TablePlan>> {
        if let Some(plan) = self.young.get(shape) {
            return Some(plan.clone());
        }
        let (shape, plan) = self.old.remove_entry(shape)?;
        self.add(shape, plan.clone());
        Some(plan)
    }

    fn add(&mut self, shape: ShapeUnder, plan: Arc<TablePlan>) {
        let weight = shape.weight() + plan.weight();
        if weight > MOST {
            return;
        }
        if self.weight + weight > HALF {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
        if self.young.insert(shape, plan).is_none() {
            self.weight += weight;
        }
    }
}

#[cfg(test)]
mod tests;
