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
    // 0 of the others means none, at once or for ever, as the default file says.
    const NOT_NONE: [&str; 24] = [
        "api.token_lifetime_seconds",
        "api.token_failures_per_minute",
        "sml.timeout_seconds",
        "directory.timeout_seconds",
        "ksef.timeout_seconds",
        "ksef.purchases_seconds",
        "mail.timeout_seconds",
        "network.lookup_timeout_seconds",
        "network.answer_timeout_seconds",
        "network.folder_seconds",
        "retry.hook_disable_days",
        "documents.received_days",
        "documents.downloaded_days",
        "documents.failed_days",
        "limits.request_bytes",
        "limits.connections",
        "limits.connections_per_address",
        "limits.memory_megabytes",
        "limits.header_timeout_seconds",
        "limits.body_timeout_seconds",
        "limits.idle_timeout_seconds",
        "limits.write_timeout_seconds",
        "limits.validation_seconds",
        "limits.hook_timeout_seconds",
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
            // Of times and of what is held there is only so much.
            let units = ["_seconds", "_ms", "_minutes", "_hours", "_days", "_megabytes"];
            let has_end = section == "limits" || units.iter().any(|unit| name.contains(unit));
            for wrong in [-1, i64::MAX] {
                let told = with(&form(wrong));
                let is_told = told.contains(name.as_str());
                assert!(is_told || (wrong > 0 && !has_end), "{path} = {wrong}: {told}");
            }
            let none = with(&form(0));
            assert!(!NOT_NONE.contains(&path.as_str()) || !none.is_empty(), "{path} = 0");
        }
    }
    assert!(looked > 30, "{looked}");
}
