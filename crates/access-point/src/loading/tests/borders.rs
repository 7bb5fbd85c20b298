//! Where numbers and addresses of the configuration end.

use super::problems;
use crate::config::Config;

#[test]
fn our_own_addresses_end_without_a_slash() {
    let text = "[api]\npublic_url = 'https://api.example.org/quoin/'\n\
                [access_point]\npublic_url = 'https://ap.example.org/as4/'\n\
                [smp]\npublic_url = 'https://smp.example.org//'\n";
    let config = Config::parse(text).unwrap();
    assert_eq!(config.api.public_url.as_deref(), Some("https://api.example.org/quoin"));
    assert_eq!(config.access_point.public_url.as_deref(), Some("https://ap.example.org/as4"));
    assert_eq!(config.smp.public_url.as_deref(), Some("https://smp.example.org"));
}

/// What is past the end of a number, or would stop everything, is told before a start.
#[test]
fn every_number_has_its_borders() {
    // What 0 means of each of these stands in the default file.
    const MAY_BE_NONE: [&str; 18] = [
        "smp.cache_megabytes",
        "provider.confirmation_seconds",
        "ksef.collect_seconds",
        "ksef.cut_off_minutes",
        "ksef.purchases_seconds",
        "ksef.online_up_to",
        "tax.answer_seconds",
        "trust.revocation_grace_hours",
        "trust.first_contact_ms",
        "network.answer_timeout_seconds_per_megabyte",
        "retry.hook_hold_seconds",
        "breaker.failures",
        "breaker.rest_seconds",
        "breaker.longest_rest_seconds",
        "breaker.patience_hours",
        "documents.sent_days",
        "limits.disk_reserve_megabytes",
        "limits.shutdown_seconds",
    ];
    let default = serde_json::to_value(Config::default()).unwrap();
    let mut looked = 0;
    for (section, settings) in default.as_object().unwrap() {
        for (name, value) in settings.as_object().into_iter().flatten() {
            let Some(number) = value.as_number() else { continue };
            let with =
                |number: &str| problems(&format!("[{section}]\n{name} = {number}\n")).concat();
            let path = format!("{section}.{name}");
            let form = |number: i64| match value.is_f64() {
                true => format!("{number}.0"),
                false => number.to_string(),
            };
            looked += 1;
            assert_eq!(with(&number.to_string()), "", "{path}");
            for wrong in [-1, i64::MAX] {
                let told = with(&form(wrong));
                assert!(told.contains(name.as_str()), "{path} = {wrong}: {told}");
            }
            let none = with(&form(0));
            let free = MAY_BE_NONE.contains(&path.as_str()) || name == "exchange_months";
            assert_eq!(none.is_empty(), free, "{path} = 0: {none}");
        }
    }
    assert!(looked > 30, "{looked}");
}
