//! A plain harness for benches: cases take turns in short rounds, and the machine's quiet moments
//! count. Prints a table and writes `target/bench/NAME.json`.
//!
//! Turns make cases comparable on a machine that is busy or changes its speed: what disturbs one
//! round disturbs all cases alike. The value of a case is the 20th percentile of its rounds.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long one round of one case takes, about.
const ROUND: Duration = Duration::from_millis(4);
/// How many rounds every case gets at most and at least.
const ROUNDS: std::ops::RangeInclusive<usize> = 10..=400;

/// A set of cases that are measured together.
pub struct Bench<'a> {
    name: &'static str,
    cases: Vec<Case<'a>>,
}

struct Case<'a> {
    name: &'static str,
    run: Box<dyn FnMut() + 'a>,
    iterations: u32,
    /// Microseconds of one iteration, a value for every round.
    rounds: Vec<f64>,
}

impl<'a> Bench<'a> {
    /// A bench of this name: `as4` writes `target/bench/as4.json`.
    pub fn new(name: &'static str) -> Self {
        Bench { name, cases: Vec::new() }
    }

    /// Adds a case.
    pub fn case<T>(&mut self, name: &'static str, mut run: impl FnMut() -> T + 'a) {
        let run = Box::new(move || {
            black_box(run());
        });
        self.cases.push(Case { name, run, iterations: 1, rounds: Vec::new() });
    }

    /// Measures all cases in turns, for about this long.
    pub fn measure(mut self, time: Duration) -> Report {
        for case in &mut self.cases {
            case.warm_up();
        }
        let started = Instant::now();
        for round in 0..*ROUNDS.end() {
            if round >= *ROUNDS.start() && started.elapsed() > time {
                break;
            }
            for case in &mut self.cases {
                let micros = case.time();
                case.rounds.push(micros);
            }
        }
        let times = self.cases.into_iter().map(|mut case| (case.name, case.percentile())).collect();
        Report { name: self.name, times, rows: Vec::new() }
    }
}

impl Case<'_> {
    /// Runs until warm and finds how many iterations fill a round.
    fn warm_up(&mut self) {
        let mut micros = self.time();
        for _ in 0..3 {
            self.iterations = (ROUND.as_micros() as f64 / micros).clamp(1.0, 1e6) as u32;
            micros = self.time();
        }
    }

    fn time(&mut self) -> f64 {
        let started = Instant::now();
        for _ in 0..self.iterations {
            (self.run)();
        }
        started.elapsed().as_secs_f64() * 1e6 / f64::from(self.iterations)
    }

    fn percentile(&mut self) -> f64 {
        self.rounds.sort_by(f64::total_cmp);
        self.rounds.get(self.rounds.len() / 5).copied().unwrap_or(f64::NAN)
    }
}

/// What was measured, and the rows made of it.
pub struct Report {
    name: &'static str,
    times: Vec<(&'static str, f64)>,
    rows: Vec<Value>,
}

impl Report {
    /// Microseconds of one iteration of a case.
    ///
    /// # Panics
    /// When there is no case of that name.
    pub fn micros(&self, case: &str) -> f64 {
        let found = self.times.iter().find(|(name, _)| *name == case);
        found.map(|(_, micros)| *micros).unwrap_or_else(|| panic!("no case {case}"))
    }

    /// Adds a row. `ratio` compares with `peer`: above 1 is better than the peer.
    pub fn row(
        &mut self,
        name: &str,
        value: f64,
        unit: &str,
        peer: Option<&str>,
        ratio: Option<f64>,
    ) {
        let rounded = |number: f64| (number * 1000.0).round() / 1000.0;
        self.rows.push(json!({
            "name": name, "value": rounded(value), "unit": unit, "peer": peer,
            "ratio": ratio.map(rounded),
        }));
    }

    /// Adds the time of every case as a row in microseconds, in the order of the cases.
    pub fn rows_of_cases(&mut self) {
        for (name, micros) in self.times.clone() {
            self.row(name, micros, "us", None, None);
        }
    }

    /// Prints the table and writes the file.
    pub fn finish(self) {
        println!("{:44} {:>12} {:24} {:20} {:>6}", self.name, "value", "unit", "peer", "ratio");
        for row in &self.rows {
            let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or("");
            let value = row.get("value").and_then(Value::as_f64).unwrap_or(f64::NAN);
            let ratio = row.get("ratio").and_then(Value::as_f64);
            let ratio = ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
            let (name, unit, peer) = (text("name"), text("unit"), text("peer"));
            println!("{name:44} {value:12.1} {unit:24} {peer:20} {ratio:>6}");
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench");
        let file = folder.join(format!("{}.json", self.name));
        let text = format!("{:#}\n", Value::Array(self.rows));
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
        written.unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    }
}

/// A BIS Billing invoice of about this many bytes: the sample of the formats room with its lines
/// repeated.
pub fn invoice(bytes: usize) -> String {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/samples");
    let path = samples.join("bis3-invoice-16-lines.xml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let first = text.find("<cac:InvoiceLine>").unwrap_or(text.len());
    let end = text.rfind("</cac:InvoiceLine>").map_or(first, |at| at + "</cac:InvoiceLine>".len());
    let (head, lines, tail) = (&text[..first], &text[first..end], &text[end..]);
    let repeats = (bytes.saturating_sub(head.len() + tail.len()) / lines.len().max(1)).max(1);
    format!("{head}{}{tail}", lines.repeat(repeats))
}
