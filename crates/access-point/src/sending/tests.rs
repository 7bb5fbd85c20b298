//! Tests of `sending`: how long an answer is waited for (PE-8).

use super::patience::LONGEST_PATIENCE;
use super::*;

#[test]
fn pe_8_a_large_message_is_waited_for_longer() {
    let config = crate::config::Config::default().network;
    let patience = Patience {
        least: Duration::from_secs(config.answer_timeout_seconds),
        per_megabyte: Duration::from_secs(config.answer_timeout_seconds_per_megabyte),
    };
    assert_eq!(patience.of(0), Duration::from_secs(120), "as long as phase4 itself waits");
    assert_eq!(patience.of(20 << 20), Duration::from_secs(320));
    assert_eq!(patience.of(usize::MAX), LONGEST_PATIENCE);
    let short = Patience { least: Duration::from_secs(5), per_megabyte: Duration::ZERO };
    assert_eq!(short.of(20 << 20), Duration::from_secs(5));
}
