//! Times of the configuration: each of them has an end, so that none of them overflows where it is
//! added to another one.

use super::ConfigProblems;
use crate::config::Config;

/// Days that a time has at most.
const MOST_DAYS: f64 = 366.0;
/// Days that a document is kept at most: a hundred years.
const MOST_KEPT_DAYS: u32 = 36_525;

/// The units in which times are written, as the names of settings end, and how many make a day.
const UNITS: [(&str, f64); 5] = [
    ("_seconds", 86_400.0),
    ("_ms", 86_400_000.0),
    ("_minutes", 1_440.0),
    ("_hours", 24.0),
    ("_days", 1.0),
];

/// The times of a configuration, by the names of their settings.
fn times(config: &Config) -> Vec<(&'static str, f64)> {
    let (retry, breaker, trust) = (&config.retry, &config.breaker, &config.trust);
    let (limits, network, ksef) = (&config.limits, &config.network, &config.ksef);
    #[allow(clippy::cast_precision_loss, reason = "what is too large for it is refused")]
    let whole = |time: u64| time as f64;
    let waits = [
        ("retry.delivery_seconds", &retry.delivery_seconds),
        ("retry.reconnect_seconds", &retry.reconnect_seconds),
        ("retry.fault_seconds", &retry.fault_seconds),
        ("retry.hook_seconds", &retry.hook_seconds),
    ];
    let per_megabyte = network.answer_timeout_seconds_per_megabyte;
    let mut all = vec![
        ("retry.hook_hold_seconds", retry.hook_hold_seconds),
        ("retry.hook_disable_days", retry.hook_disable_days),
        ("breaker.rest_seconds", breaker.rest_seconds),
        ("breaker.longest_rest_seconds", breaker.longest_rest_seconds),
        ("breaker.patience_hours", breaker.patience_hours),
        ("trust.revocation_grace_hours", trust.revocation_grace_hours),
        ("trust.first_contact_ms", whole(trust.first_contact_ms)),
        ("limits.header_timeout_seconds", whole(limits.header_timeout_seconds)),
        ("limits.idle_timeout_seconds", whole(limits.idle_timeout_seconds)),
        ("limits.write_timeout_seconds", whole(limits.write_timeout_seconds)),
        ("limits.body_timeout_seconds", whole(limits.body_timeout_seconds)),
        ("limits.shutdown_seconds", whole(limits.shutdown_seconds)),
        ("limits.hook_timeout_seconds", whole(limits.hook_timeout_seconds)),
        ("limits.validation_seconds", whole(limits.validation_seconds)),
        ("network.lookup_timeout_seconds", whole(network.lookup_timeout_seconds)),
        ("network.answer_timeout_seconds", whole(network.answer_timeout_seconds)),
        ("network.answer_timeout_seconds_per_megabyte", whole(per_megabyte)),
        ("network.folder_seconds", whole(network.folder_seconds)),
        ("mail.timeout_seconds", whole(config.mail.timeout_seconds)),
        ("ksef.collect_seconds", whole(ksef.collect_seconds)),
        ("ksef.cut_off_minutes", whole(ksef.cut_off_minutes)),
        ("ksef.timeout_seconds", whole(ksef.timeout_seconds)),
        ("ksef.purchases_seconds", whole(ksef.purchases_seconds)),
        ("tax.answer_seconds", whole(config.tax.answer_seconds)),
        ("provider.confirmation_seconds", f64::from(config.provider.confirmation_seconds)),
    ];
    all.extend(waits.into_iter().flat_map(|(name, waits)| waits.iter().map(move |s| (name, *s))));
    let terms = config.tax.profiles.iter().filter_map(|row| row.term_hours);
    all.extend(terms.map(|hours| ("tax.profiles.term_hours", whole(hours))));
    all
}

/// How many of the unit of a setting make a day.
fn of_a_day(name: &str) -> f64 {
    let unit = UNITS.iter().find(|(unit, _)| name.ends_with(unit));
    unit.map_or(86_400.0, |(_, of_a_day)| *of_a_day)
}

pub(super) fn look(found: &mut ConfigProblems, config: &Config) {
    for (name, time) in times(config) {
        let most = MOST_DAYS * of_a_day(name);
        if !(0.0..=most).contains(&time) {
            let message = format!("expected a time from 0 to {most} (366 days), found {time}");
            found.add(name, message);
        }
    }
    let documents = &config.documents;
    for (name, days) in [
        ("documents.received_days", documents.received_days),
        ("documents.downloaded_days", documents.downloaded_days),
        ("documents.failed_days", documents.failed_days),
        ("documents.sent_days", documents.sent_days),
    ] {
        if days > MOST_KEPT_DAYS {
            let most = MOST_KEPT_DAYS;
            found.add(name, format!("expected {most} days at most (100 years), found {days}"));
        }
    }
    let (months, most) = (documents.exchange_months, MOST_KEPT_DAYS / 365 * 12);
    if months > most {
        let message = format!("expected {most} months at most (100 years), found {months}");
        found.add("documents.exchange_months", message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> String {
        Config::parse(text).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn every_time_has_an_end() {
        for wrong in ["nan", "-1.0", "inf", "-inf", "1e12", "1e300"] {
            for (section, setting) in [
                ("retry", "hook_hold_seconds = X"),
                ("retry", "hook_disable_days = X"),
                ("retry", "delivery_seconds = [1.0, X]"),
                ("retry", "reconnect_seconds = [X]"),
                ("retry", "fault_seconds = [X]"),
                ("retry", "hook_seconds = [X]"),
                ("breaker", "rest_seconds = X"),
                ("breaker", "longest_rest_seconds = X"),
                ("breaker", "patience_hours = X"),
                ("trust", "revocation_grace_hours = X"),
            ] {
                let text = format!("[{section}]\n{}\n", setting.replace('X', wrong));
                let (name, _) = setting.split_once(' ').unwrap();
                let found = problems(&text);
                let told = format!("{section}.{name}: expected a time from 0 to");
                assert!(found.contains(&told), "{text}: {found}");
            }
        }
        let found = problems("[limits]\nshutdown_seconds = 9000000000000000000\n");
        assert!(found.contains("limits.shutdown_seconds: expected a time from 0"), "{found}");
        let found = problems("[documents]\nsent_days = 4000000000\n");
        assert!(found.contains("documents.sent_days: expected 36525 days"), "{found}");
        assert_eq!(problems("[retry]\nhook_disable_days = 366.0\nhook_seconds = [0.0]\n"), "");
        assert_eq!(problems("[documents]\nsent_days = 3650\n"), "");
    }

    /// A setting that is a time and in none of the lists here is forgotten.
    #[test]
    fn no_time_is_forgotten() {
        // These have bounds of their own.
        const ELSEWHERE: [&str; 3] =
            ["api.token_lifetime_seconds", "sml.timeout_seconds", "directory.timeout_seconds"];
        let listed: Vec<&str> = times(&Config::default()).iter().map(|(name, _)| *name).collect();
        let value = serde_json::to_value(Config::default()).unwrap();
        for (section, settings) in value.as_object().unwrap() {
            for name in settings.as_object().into_iter().flat_map(|settings| settings.keys()) {
                let is_time = UNITS.iter().any(|(unit, _)| name.contains(unit));
                let path = format!("{section}.{name}");
                let kept = section == "documents" && name.ends_with("_days");
                let known = listed.contains(&path.as_str()) || ELSEWHERE.contains(&path.as_str());
                assert!(!is_time || known || kept, "{path} has no bounds");
            }
        }
    }
}
