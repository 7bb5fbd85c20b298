//! Counting from many threads, the text format, and that the page of the manual is complete.

use std::time::Duration;

use quoin_formats::{read, samples};
use quoin_rules::report::Difference;
use quoin_rules::validate;

use super::*;

fn page(metrics: &Metrics) -> String {
    metrics.families().iter().map(ToString::to_string).collect()
}

#[test]
fn everything_is_there_from_the_start_with_0() {
    let text = page(&Metrics::default());
    for line in [
        "# TYPE quoin_as4_sent_total counter",
        "quoin_as4_sent_total{outcome=\"delivered\"} 0",
        "quoin_as4_received_total{outcome=\"repeated\"} 0",
        "quoin_documents_judged_total{verdict=\"refused\"} 0",
        "quoin_hook_calls_total{outcome=\"stopped\"} 0",
        "quoin_validation_seconds_bucket{le=\"+Inf\"} 0",
        "quoin_validation_seconds_sum 0",
    ] {
        assert!(text.lines().any(|own| own == line), "{line} is not in\n{text}");
    }
}

#[test]
fn each_word_of_a_label_is_at_its_place() {
    fn check<L: Label>() {
        for (place, (label, word)) in L::ALL.iter().enumerate() {
            assert_eq!(label.at(), place, "{word}");
        }
    }
    check::<DocumentVerdict>();
    check::<Sent>();
    check::<Received>();
    check::<Called>();
}

#[test]
fn nothing_is_lost_between_threads() {
    let metrics = Metrics::default();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..1_000 {
                    metrics.as4_sent.add(Sent::Later);
                    metrics.differences.add("a:b:1");
                    metrics.validation.observe(Duration::from_millis(3));
                }
            });
        }
    });
    assert_eq!(metrics.as4_sent.of(Sent::Later), 8_000);
    assert_eq!(metrics.as4_sent.of(Sent::Delivered), 0);
    let text = page(&metrics);
    for line in [
        "quoin_engine_differences_total{rule_set=\"a:b:1\"} 8000",
        "quoin_validation_seconds_bucket{le=\"0.0025\"} 0",
        "quoin_validation_seconds_bucket{le=\"0.005\"} 8000",
        "quoin_validation_seconds_bucket{le=\"+Inf\"} 8000",
        "quoin_validation_seconds_sum 24",
        "quoin_validation_seconds_count 8000",
    ] {
        assert!(text.lines().any(|own| own == line), "{line} is not in\n{text}");
    }
}

#[test]
fn a_report_counts_by_its_verdict_and_its_differences_by_their_rule_set() {
    let metrics = Metrics::default();
    let day = jiff::civil::date(2026, 6, 1);
    let mut report = validate(&read(samples::INVOICE.as_bytes()), day);
    metrics.judged(&report, None);
    let difference = |rule_set: &'static str| Difference {
        rule: "BR-CO-10".to_owned(),
        rule_set: rule_set.into(),
        builtin: Some(0),
        official: 2,
    };
    report.differences = vec![difference("one:set:1"), difference("one:set:1"), difference("")];
    metrics.judged(&report, Some(Duration::from_micros(400)));
    metrics.judged(&validate(&read(b"<a>"), day), None);
    metrics.judged(&validate(&read(b"<a/>"), day), None);
    assert_eq!(metrics.documents.of(DocumentVerdict::Accepted), 2);
    assert_eq!(metrics.documents.of(DocumentVerdict::NotJudged), 1);
    assert_eq!(metrics.documents.of(DocumentVerdict::Refused), 1);
    let text = page(&metrics);
    assert!(text.contains("quoin_engine_differences_total{rule_set=\"one:set:1\"} 2\n"), "{text}");
    assert!(text.contains("quoin_engine_differences_total{rule_set=\"other\"} 1\n"), "{text}");
    assert!(text.contains("quoin_validation_seconds_bucket{le=\"0.0005\"} 1\n"), "{text}");
}

#[test]
fn names_beyond_the_limit_are_counted_together_and_written_safely() {
    let named = NamedCounts::default();
    named.add("a\"b\\c\nd");
    (0..1_000).for_each(|number| named.add(&format!("set-{number}")));
    let values = named.values();
    assert!(values.len() <= 257, "{}", values.len());
    assert_eq!(values.iter().map(|(_, count)| count).sum::<u64>(), 1_001);
    let text = MetricFamily::counter("x_total", "x", "rule_set", values).to_string();
    assert!(text.contains("x_total{rule_set=\"a\\\"b\\\\c\\nd\"} 1\n"), "{text}");
}

#[test]
fn the_manual_names_every_family() {
    let manual = include_str!("../../../../docs/operating/metrics.md");
    for family in Metrics::default().families() {
        assert!(manual.contains(family.name()), "{} is not in the manual", family.name());
    }
    for name in [
        "quoin_tasks",
        "quoin_task_oldest_due_seconds",
        "quoin_store_work_total",
        "quoin_store_up",
        "quoin_build_info",
    ] {
        assert!(manual.contains(name), "{name} is not in the manual");
    }
}
