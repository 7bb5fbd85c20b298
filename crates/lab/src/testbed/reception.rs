//! The access point under test as corner 3: what it takes, and what it must not take.

pub(super) mod certificates;
pub(super) mod envelope;
pub(super) mod exchange;
pub(super) mod header;
pub(super) mod package;
pub(super) mod security;
pub(super) mod smuggled;
pub(super) mod status;

use super::bench::Bench;
use super::case::{Build, Expect, TestCase};
use super::verdict::{CaseFixer, CaseVerdict, wrong};

/// Sends every variant of a case; the first one that is answered otherwise fails it.
pub(super) async fn messages(
    bench: &Bench,
    case: &TestCase,
    expect: Expect,
    build: Build,
) -> CaseVerdict {
    let messages = match tokio::task::block_in_place(|| build(&bench.forge)) {
        Ok(messages) => messages,
        Err(error) => {
            let place = format!("case {}", case.id);
            return CaseVerdict::Fail(
                wrong("a message to send", error.to_string(), place).by(CaseFixer::Testbed),
            );
        }
    };
    let mut seen = String::new();
    for message in &messages {
        match bench.expect(message, expect).await {
            Ok(answer) => seen = answer,
            Err(failure) => return CaseVerdict::Fail(failure),
        }
        bench.note(case.id, &message.number, usize::from(expect == Expect::Receipt));
    }
    match messages.len() {
        1 => CaseVerdict::pass(seen),
        variants => CaseVerdict::pass(format!("{variants} variants; the last: {seen}")),
    }
}
