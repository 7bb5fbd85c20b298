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

/// A number in hexadecimal is one, and what no setting takes is told as its own mistake: never does
/// the default stand in for what is written.
#[test]
fn what_toml_has_and_no_setting_takes_is_told_by_itself() {
    let config = Config::parse("data_dir = 'elsewhere'\n[limits]\nconnections = 0x10\n").unwrap();
    assert_eq!((config.data_dir, config.limits.connections), ("elsewhere".into(), 16));
    for (text, expected) in [
        ("[limits]\nrequest_bytes = 9223372036854775808\n", "line 2: limits.request_bytes: "),
        ("[retry]\ndelivery_seconds = [18446744073709551616]\n", "retry.delivery_seconds: "),
        ("[smp]\nendpoint_exceptions = 2026-01-01\n", "write it in quotes, \"2026-01-01\""),
        ("smp = 2026-01-01\n", "line 1: smp: no setting is a date"),
        ("packages = [{ name = 'a', documents = 9223372036854775808 }]\n", "packages"),
    ] {
        let said = problems(text);
        assert!(said.len() == 1 && said[0].contains(expected), "{text}: {said:?}");
    }
}

#[test]
fn a_setting_that_names_no_file_is_told_by_its_name() {
    for (text, name) in [
        ("[api]\ntoken_key_file = ''\n", "api.token_key_file"),
        ("[trust]\nap_anchors = ['a.pem', '']\n", "trust.ap_anchors"),
        ("[listen.api]\ncertificate_file = ''\nkey_file = 'k'\n", "listen.api.certificate_file"),
    ] {
        let said = problems(text).concat();
        assert!(said.contains(&format!("{name}: is empty")), "{text}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_configuration_or_secret_that_never_ends_is_not_read() {
    let said = problems("[secrets]\nmaster_key = 'file:/dev/zero'\n").concat();
    assert!(said.contains("secrets.master_key: /dev/zero: is a device or a pipe"), "{said}");
    let said = Config::load("/dev/zero".as_ref()).unwrap_err().to_string();
    assert!(said.contains("/dev/zero: is a device or a pipe"), "{said}");
}
