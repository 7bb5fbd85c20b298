//! Detection, unwrapping and validation: whatever the bytes are, there is an answer.
#![no_main]

mod limits;

use libfuzzer_sys::fuzz_target;
use quoin_rules::Verdict;

fuzz_target!(|bytes: &[u8]| limits::within(bytes, |bytes| {
    let parsed = quoin_formats::read(bytes);
    let report = quoin_rules::validate(&parsed, jiff::civil::date(2026, 6, 1));
    assert_eq!(report.detection, *parsed.detection());
    let told = report.fatal().next().is_some() || report.omitted > 0;
    assert!(told || matches!(report.verdict(), Verdict::Valid | Verdict::NotJudged));
    assert!(!told || report.verdict() != Verdict::Valid);
    assert!(report.is_judged || report.verdict() != Verdict::Valid);
}));
