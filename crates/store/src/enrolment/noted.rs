//! The log of what was changed of a party, a line for each participant that it concerns, in the
//! commit of the change.

use jiff::Timestamp;

use crate::configs::PartyConfig;
use crate::error::Fault;
use crate::holdings;
use crate::parties::PartyRecord;
use crate::publications::{self, PublicationNote};
use crate::writer::Tx;

/// Who asks for what the configuration of the service declares.
pub const CONFIGURATION: &str = "configuration";

/// The words of the log.
const ENROL: &str = "enrol";
const CHANGE: &str = "change configuration";
const WITHDRAW: &str = "withdraw";
const TAKE_OFF: &str = "take off identifier";

/// A party before and after a change.
pub(super) struct PartyDiff<'p> {
    /// The party after it.
    pub party: &'p PartyRecord,
    /// The identifiers that it had before.
    pub known: &'p [String],
    pub before: &'p PartyConfig,
    pub after: &'p PartyConfig,
    /// Whether it has another name.
    pub is_renamed: bool,
}

impl PartyDiff<'_> {
    /// The parts of the configuration that changed.
    fn parts(&self) -> String {
        let PartyDiff { before, after, .. } = self;
        let parts = [
            ("name", self.is_renamed),
            ("capabilities", before.capabilities != after.capabilities),
            ("businessCard", before.card != after.card),
            ("sml", before.in_sml != after.in_sml),
        ];
        let changed: Vec<&str> =
            parts.into_iter().filter(|(_, changed)| *changed).map(|(name, _)| name).collect();
        changed.join(", ")
    }
}

fn line(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    participant: &str,
    what: (&'static str, &str),
    (account, now): (&str, Timestamp),
) -> Result<(), Fault> {
    let whose = (&party.organisation, participant);
    publications::note(tx, &PublicationNote::new(whose, account, what, now))
}

/// What is published from now on was enrolled; of what was so before, the configuration changed.
pub(super) fn changed(
    tx: &mut Tx<'_>,
    diff: &PartyDiff<'_>,
    by: (&str, Timestamp),
) -> Result<(), Fault> {
    let PartyDiff { party, known, before, .. } = diff;
    let parts = diff.parts();
    for identifier in &party.identifiers {
        let begins = !before.enrolled || !known.contains(identifier);
        let is_held = holdings::holds(tx.connection(), &party.organisation, identifier)?;
        if diff.after.enrolled && begins && is_held {
            line(tx, party, identifier, (ENROL, ""), by)?;
        } else if !parts.is_empty() {
            line(tx, party, identifier, (CHANGE, &parts), by)?;
        }
    }
    Ok(())
}

/// Its enrolment ended.
pub(crate) fn withdrawn(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    by: (&str, Timestamp),
) -> Result<(), Fault> {
    party.identifiers.iter().try_for_each(|one| line(tx, party, one, (WITHDRAW, ""), by))
}

/// These identifiers are its own no more.
pub(super) fn taken_off(
    tx: &mut Tx<'_>,
    gone: &PartyRecord,
    by: (&str, Timestamp),
) -> Result<(), Fault> {
    gone.identifiers.iter().try_for_each(|one| line(tx, gone, one, (TAKE_OFF, ""), by))
}
