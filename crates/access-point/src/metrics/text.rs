//! The text format of Prometheus, version 0.0.4: what a family of numbers is, and its lines.

use std::fmt;

use super::cells::{BOUNDS, Histogram};

/// The media type of the page.
pub(super) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Numbers of one name.
#[derive(Debug)]
pub(super) struct MetricFamily {
    name: &'static str,
    help: &'static str,
    kind: &'static str,
    samples: Vec<Sample>,
}

/// A line: what follows the name, the labels, the number.
#[derive(Debug)]
struct Sample {
    suffix: &'static str,
    labels: Vec<(&'static str, String)>,
    value: f64,
}

impl MetricFamily {
    /// What only grows, by one label.
    pub(super) fn counter(
        name: &'static str,
        help: &'static str,
        label: &'static str,
        values: Vec<(String, u64)>,
    ) -> MetricFamily {
        let sample = |(word, value)| (vec![(label, word)], value as f64);
        MetricFamily::new(name, help, "counter", values.into_iter().map(sample))
    }

    /// What only grows, by several labels.
    pub(super) fn counters(
        name: &'static str,
        help: &'static str,
        values: Vec<(Vec<(&'static str, String)>, f64)>,
    ) -> MetricFamily {
        MetricFamily::new(name, help, "counter", values)
    }

    /// What goes up and down.
    pub(super) fn gauge(
        name: &'static str,
        help: &'static str,
        values: Vec<(Vec<(&'static str, String)>, f64)>,
    ) -> MetricFamily {
        MetricFamily::new(name, help, "gauge", values)
    }

    /// How often something took how long.
    pub(super) fn histogram(
        name: &'static str,
        help: &'static str,
        values: &Histogram,
    ) -> MetricFamily {
        let bounds = BOUNDS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
        let counts = values.cumulated();
        let total = counts.last().copied().unwrap_or(0) as f64;
        let bucket = |(bound, count)| Sample {
            suffix: "_bucket",
            labels: vec![("le", bound)],
            value: count as f64,
        };
        let mut samples: Vec<Sample> = bounds.zip(counts).map(bucket).collect();
        for (suffix, value) in [("_sum", values.seconds()), ("_count", total)] {
            samples.push(Sample { suffix, labels: Vec::new(), value });
        }
        MetricFamily { name, help, kind: "histogram", samples }
    }

    fn new(
        name: &'static str,
        help: &'static str,
        kind: &'static str,
        values: impl IntoIterator<Item = (Vec<(&'static str, String)>, f64)>,
    ) -> MetricFamily {
        let sample = |(labels, value)| Sample { suffix: "", labels, value };
        MetricFamily { name, help, kind, samples: values.into_iter().map(sample).collect() }
    }

    /// Its name, as documented.
    #[cfg(test)]
    pub(super) fn name(&self) -> &'static str {
        self.name
    }
}

impl fmt::Display for MetricFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MetricFamily { name, help, kind, samples } = self;
        writeln!(f, "# HELP {name} {help}\n# TYPE {name} {kind}")?;
        for Sample { suffix, labels, value } in samples {
            write!(f, "{name}{suffix}")?;
            for (at, (label, text)) in labels.iter().enumerate() {
                let before = if at == 0 { '{' } else { ',' };
                write!(f, "{before}{label}=\"{}\"", escaped(text))?;
            }
            writeln!(f, "{} {value}", if labels.is_empty() { "" } else { "}" })?;
        }
        Ok(())
    }
}

/// A label value: backslash, quote and line feed are written with a backslash.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
