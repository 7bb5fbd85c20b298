//! At which times certificates of others are judged: when what they signed was checked by the
//! access point that made the dossier, by what it recorded and signed with the manifest. What a
//! message or a receipt says of its own time is the word of its signer, whose clock may be wrong:
//! it decides nothing where there is a record, and is told beside it.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::judges::CertificateJudge;
use super::{DossierManifest, names};
use crate::pki::{Certificate, CertificateRole};

/// By how much the clocks of two access points may differ.
const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(5);

/// An attempt of `attempts.json`, as far as it is read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TimedAttempt {
    started_on: Timestamp,
    ended_on: Timestamp,
    outcome: String,
}

/// A message that came was checked right before it was recorded; where it says that it was made
/// about then, its certificate may have ended in between. One that was sent is the maker's own, by
/// its own clock.
pub(super) fn of_message(manifest: Option<&DossierManifest>, said: Timestamp) -> Vec<Timestamp> {
    let came = manifest.filter(|manifest| manifest.about.direction == "incoming");
    let recorded = came.map(|manifest| manifest.about.recorded_on);
    let counts = recorded.is_none_or(|at| is_about(said, at));
    recorded.into_iter().chain(counts.then_some(said)).collect()
}

/// A receipt that came was checked within the attempt that it ended: at the end of it or, where its
/// signer's certificate ended in between, at its beginning. One that was given is the maker's own,
/// by its own clock. Where no attempt is recorded, what a receipt says of itself is all there is.
pub(super) fn of_receipt(
    manifest: Option<&DossierManifest>,
    parts: &BTreeMap<String, Vec<u8>>,
    said: Option<Timestamp>,
) -> Vec<Timestamp> {
    let came = manifest.filter(|manifest| manifest.about.direction == "outgoing");
    let attempts = came.and_then(|_| parts.get(names::ATTEMPTS));
    let attempts: Option<Vec<TimedAttempt>> =
        attempts.and_then(|json| serde_json::from_slice(json).ok());
    let mut attempts = attempts.unwrap_or_default().into_iter();
    match attempts.find(|attempt| attempt.outcome == "delivered") {
        Some(attempt) => vec![attempt.ended_on, attempt.started_on],
        None => said.into_iter().collect(),
    }
}

/// Judges a certificate at the first of these times at which it holds. The time that is said is
/// told, as it is written, where it is another one.
///
/// # Errors
/// What is wrong with it at the first of them.
pub(super) fn judged(
    (judge, certificate): (&CertificateJudge, &Certificate),
    times: &[Timestamp],
    (said, written): (Option<Timestamp>, &str),
) -> Result<String, String> {
    let mut why: Option<String> = None;
    for at in times {
        match judge.judge(certificate, CertificateRole::AccessPoint, *at) {
            Ok(found) if said.is_some_and(|said| is_about(said, *at)) => return Ok(found),
            Ok(found) => {
                let own = format!("it says itself that it is of {written:?}");
                return Ok(format!("{found}, when it was checked; {own}"));
            }
            Err(refusal) => {
                why.get_or_insert(refusal);
            }
        }
    }
    Err(why.unwrap_or_else(|| "it has no time, and none is recorded".to_owned()))
}

/// Whether two times are the same but for clocks that differ.
fn is_about(said: Timestamp, at: Timestamp) -> bool {
    said.duration_since(at).abs() <= CLOCKS_DIFFER
}
