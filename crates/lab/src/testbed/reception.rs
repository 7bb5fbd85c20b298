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
use super::case::{Build, Case, Expect};
use super::verdict::{Fixer, Verdict, wrong};

/// Sends every variant of a case; the first one that is answered otherwise fails it.
pub(super) async fn messages(bench: &Bench, case: &Case, expect: Expect, build: Build) -> Verdict {
    let messages = match tokio::task::block_in_place(|| build(&bench.forge)) {
        Ok(messages) => messages,
        Err(error) => {
            let place = format!("case {}", case.id);
            return Verdict::Fail(
                wrong("a message to send", error.to_string(), place).by(Fixer::Testbed),
            );
        }
    };
    let mut seen = String::new();
    for message in &messages {
        match bench.expect(message, expect).await {
            Ok(answer) => seen = answer,
            Err(failure) => return Verdict::Fail(failure),
        }
        bench.note(case.id, &message.number, usize::from(expect == Expect::Receipt));
    }
    match messages.len() {
        1 => Verdict::pass(seen),
        variants => Verdict::pass(format!("{variants} variants; the last: {seen}")),
    }
}
