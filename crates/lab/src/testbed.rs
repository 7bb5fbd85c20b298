//! A testbed: the counterpart of an access point, which sends it good messages and forged ones,
//! plays receivers whose DNS, SMP, metadata or answers are not as they should be, and says case by
//! case whether the access point does what the network asks of it.
//!
//! Each case is a row of a table with what it proves and where that is asked for; `quoin testbed
//! --list` prints them. A case has one fault, built from something good. What fails says what was
//! expected, what was found, where, and who can fix it.
//!
//! Sources: the cases H-01 to H-12 that are known of the official testbed, the profiles that the
//! rows name, and what peers and registers of the network are known to do wrong.

mod bench;
pub mod case;
pub mod forge;
mod interface;
pub mod lab;
mod publication;
mod reception;
pub mod report;
pub mod setup;
pub mod stage;
pub mod submission;
pub mod test_identities;
#[cfg(test)]
mod tests;
mod transport;
pub mod trigger;
pub mod verdict;

use std::time::{Duration, Instant};

use futures::future::join_all;

use self::bench::Bench;
use self::case::{CaseMethod, TestCase};
use self::report::{CaseResult, TestReport};
use self::setup::TestbedSetup;
use self::stage::{PreparedNetwork, SimulatedNetwork};
use self::submission::Trigger;
use self::trigger::{ByHand, ByInterface};
use self::verdict::{CaseFixer, CaseVerdict, wrong};

/// How long a delivery may take to be seen.
const DELIVERY: Duration = Duration::from_secs(20);
/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// How the access point under test is asked to send.
pub enum SubmissionMethod<'t> {
    /// Over its interface; not at all where it has none.
    Interface,
    /// By hand: documents are written into this folder.
    Hand(std::path::PathBuf),
    /// In a way of the caller's own.
    Own(&'t dyn Trigger),
}

/// Runs the cases that `only` names, or all of them.
///
/// `opening` is the name server that the access point under test asks; where there is none, one is
/// opened as the settings say.
///
/// # Errors
/// What keeps the run from starting, in a sentence.
pub async fn run(
    setup: TestbedSetup,
    opening: Option<PreparedNetwork>,
    ask: SubmissionMethod<'_>,
    only: &[String],
) -> Result<TestReport, String> {
    let wanted: Vec<&'static TestCase> = case::chosen(only)?;
    let bench = Bench::open(setup).await?;
    let mut stage = Err("it is not needed".to_owned());
    if wanted.iter().any(|case| case.needs_stage()) {
        stage = staged(&bench, opening).await;
    }
    let mut notes = Vec::new();
    let mut outcomes = Vec::new();
    for case in wanted.iter().filter(|case| !matches!(case.run, CaseMethod::Send(_))) {
        let begun = Instant::now();
        let verdict = tried(&bench, case).await;
        outcomes.push(CaseResult::new(case, verdict, begun.elapsed()));
    }
    match &bench.interface {
        Some(_) => deliveries(&bench, &mut outcomes).await,
        None => notes.push(
            "what the access point delivers to its customer was not looked at: give the section \
             [api] of an interface of this family"
                .to_owned(),
        ),
    }
    let sends = wanted.iter().filter(|case| matches!(case.run, CaseMethod::Send(_)));
    let tries = sends.map(|case| sent(&bench, &stage, &ask, case));
    outcomes.extend(join_all(tries).await);
    if let Ok(stage) = &stage {
        stage.close();
    }
    Ok(TestReport::new(bench.url.clone(), outcomes, notes))
}

/// Opens the other side of the network.
async fn staged(
    bench: &Bench,
    opening: Option<PreparedNetwork>,
) -> Result<&SimulatedNetwork, String> {
    let opening = match opening {
        Some(opening) => opening,
        None => PreparedNetwork::begin(&bench.setup.counterpart).await?,
    };
    let stage = SimulatedNetwork::open(bench, opening).await?;
    Ok(bench.stage.get_or_init(|| stage))
}

/// Tries a case that the testbed begins.
async fn tried(bench: &Bench, case: &'static TestCase) -> CaseVerdict {
    let trial = async {
        match &case.run {
            CaseMethod::Messages(expect, build) => {
                reception::messages(bench, case, *expect, *build).await
            }
            CaseMethod::Act(act) => act(bench).await,
            CaseMethod::Send(_) => CaseVerdict::skip("the access point under test begins it"),
        }
    };
    // Each call within a case is bounded by the same time; a case makes some of them.
    let limit = bench.patience() * 4;
    tokio::time::timeout(limit, trial).await.unwrap_or_else(|_| {
        let found = format!("no end after {} s", limit.as_secs());
        CaseVerdict::Fail(wrong("answers in time", found, &bench.url))
    })
}

/// Tries a case that the access point under test begins.
async fn sent(
    bench: &Bench,
    stage: &Result<&SimulatedNetwork, String>,
    ask: &SubmissionMethod<'_>,
    case: &'static TestCase,
) -> CaseResult {
    let begun = Instant::now();
    let CaseMethod::Send(scenario) = &case.run else {
        return CaseResult::new(case, CaseVerdict::skip("the testbed begins it"), begun.elapsed());
    };
    let stage = match stage {
        Ok(stage) => stage,
        Err(problem) => {
            let reason = format!("the testbed cannot play a receiver: {problem}");
            return CaseResult::new(case, CaseVerdict::skip(reason), begun.elapsed());
        }
    };
    let verdict = match (ask, &bench.interface) {
        (SubmissionMethod::Own(trigger), _) => {
            submission::play(bench, stage, *trigger, case, scenario).await
        }
        (SubmissionMethod::Hand(folder), _) => {
            let by_hand = ByHand { folder: folder.clone() };
            submission::play(bench, stage, &by_hand, case, scenario).await
        }
        (SubmissionMethod::Interface, Some(interface)) => {
            submission::play(bench, stage, &ByInterface(interface), case, scenario).await
        }
        (SubmissionMethod::Interface, None) => CaseVerdict::skip(
            "the access point under test cannot be asked to send: give the section [api], or --by-hand",
        ),
    };
    CaseResult::new(case, verdict, begun.elapsed())
}

/// Holds what was delivered against what should have been: a message that was refused must not have
/// been delivered, and one that came several times must have been delivered once.
async fn deliveries(bench: &Bench, outcomes: &mut [CaseResult]) {
    let Some(interface) = &bench.interface else { return };
    let party = bench.forge.to.to_string();
    for entry in bench.noted() {
        let begun = Instant::now();
        let found = loop {
            let found = interface.received(&party, &entry.number).await;
            let waits = found.as_ref().is_ok_and(|found| *found < entry.times);
            if !waits || begun.elapsed() > DELIVERY {
                break found;
            }
            tokio::time::sleep(PAUSE).await;
        };
        let Some(outcome) = outcomes.iter_mut().find(|outcome| outcome.id == entry.case) else {
            continue;
        };
        let place = format!("document {}", entry.number);
        let failure = match found {
            Ok(found) if found == entry.times => continue,
            Ok(found) => {
                let expected = format!("{} deliveries to {party}", entry.times);
                wrong(expected, format!("{found} deliveries"), place)
            }
            Err(problem) => {
                wrong("a list of what was received", problem, place).by(CaseFixer::Testbed)
            }
        };
        if matches!(outcome.verdict, CaseVerdict::Pass { .. }) {
            outcome.verdict = CaseVerdict::Fail(failure);
        }
    }
}
