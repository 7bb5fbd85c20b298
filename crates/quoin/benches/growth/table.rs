//! What was found, as a table with the goals, and as rows of a file.

use std::time::Duration;

use serde_json::{Value, json};

use super::load::Times;

/// A figure.
struct Figure {
    name: String,
    unit: &'static str,
    /// Of the small store, or of a quiet one.
    before: Option<f64>,
    value: f64,
    /// What has to be so small: the ratio where there is one before, else the value.
    goal: Option<f64>,
}

impl Figure {
    fn judged(&self) -> f64 {
        self.before.map_or(self.value, |before| self.value / before)
    }

    fn holds(&self) -> bool {
        self.goal.is_none_or(|goal| self.judged() <= goal)
    }
}

/// The figures, printed as they are found.
pub(super) struct Table(Vec<Figure>);

impl Table {
    pub(super) fn new(small: usize, large: usize) -> Table {
        println!("{small} documents beside {large}, or quiet beside disturbed");
        println!("{:<52}{:>12}{:>12}{:>8}{:>8}", "", "before", "then", "ratio", "goal");
        Table(Vec::new())
    }

    fn add(&mut self, figure: Figure) {
        let or =
            |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.2}"));
        let ratio = figure.before.map(|_| figure.judged());
        let no = if figure.holds() { "" } else { "  NOT HELD" };
        println!(
            "{:<52}{:>12}{:>12.2}{:>8}{:>8} {}{no}",
            figure.name,
            or(figure.before),
            figure.value,
            or(ratio),
            or(figure.goal),
            figure.unit,
        );
        self.0.push(figure);
    }

    /// A figure of both stores, whose ratio has a goal.
    pub(super) fn ratio(
        &mut self,
        name: &str,
        unit: &'static str,
        (before, value): (f64, f64),
        goal: f64,
    ) {
        let (name, before, goal) = (name.to_owned(), Some(before), Some(goal));
        self.add(Figure { name, unit, before, value, goal });
    }

    /// A time, whose goal is in milliseconds.
    pub(super) fn time(&mut self, name: &str, time: Duration, goal: Option<f64>) {
        let value = time.as_secs_f64() * 1000.0;
        self.add(Figure { name: name.to_owned(), unit: "ms", before: None, value, goal });
    }

    /// The same time quiet and disturbed.
    pub(super) fn beside(&mut self, name: &str, quiet: &Times, disturbed: &Times, goal: f64) {
        println!(
            "{:<52}{:>24} uploads, the longest {:.1} ms",
            name,
            disturbed.count(),
            disturbed.most()
        );
        let both = [quiet, disturbed].map(|times| times.p99().as_secs_f64() * 1000.0);
        self.ratio(name, "ms", (both[0], both[1]), goal);
    }

    /// Whether all goals are held.
    pub(super) fn holds(&self) -> bool {
        self.0.iter().all(Figure::holds)
    }

    pub(super) fn rows(&self) -> Vec<Value> {
        let row = |figure: &Figure| {
            let ratio = figure.before.map(|_| figure.judged());
            json!({"name": figure.name, "value": figure.value, "unit": figure.unit,
                "peer": figure.before, "ratio": ratio})
        };
        self.0.iter().map(row).collect()
    }
}
