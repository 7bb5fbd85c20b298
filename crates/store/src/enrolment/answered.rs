//! What a register outside answered, and what that means for what we publish.

use jiff::Timestamp;
use quoin_delivery::registration::{
    DesiredState, Register, RegistrationOutcome, RegistrationProgress,
};

use crate::configs;
use crate::engine::Param;
use crate::error::Error;
use crate::holdings;
use crate::open::Store;
use crate::publications;
use crate::registrations::{self, NewWish, Registration};
use crate::secrets::SecretBox;
use crate::tasks::{self, Claim};
use crate::writer::Tx;

const MOVE: &str = "UPDATE registrations SET state = ?3, attempts = attempts + 1, message = ?4,
    next_on = ?5, changed_on = ?6 WHERE participant = ?1 AND register = ?2 AND version = ?7";
const GONE: &str = "UPDATE registrations SET wish = 'absent', migration_key = NULL
    WHERE participant = ?1 AND register = ?2";

/// What the answer of the SML means for what we publish. A participant that the SML does not give
/// to us, or that left, is not published here any more; the Directory hears of one once the SML
/// leads to us, since it asks our SMP back.
fn follow(
    tx: &mut Tx<'_>,
    registration: &Registration,
    outcome: &RegistrationOutcome,
    secrets: &SecretBox,
    now: Timestamp,
) -> Result<(), Error> {
    let Registration { participant, organisation, .. } = registration;
    if registration.register != Register::Sml {
        return Ok(());
    }
    let refused = outcome.progress == RegistrationProgress::Failed
        && registration.wish == DesiredState::Present;
    if !refused && !outcome.left {
        let due = registration.wish == DesiredState::Present
            && outcome.progress == RegistrationProgress::Done;
        return if due { announce(tx, registration, secrets, now) } else { Ok(()) };
    }
    publications::remove_own(tx, organisation, participant)?;
    configs::left(tx, organisation, participant)?;
    holdings::release(tx, organisation, participant)?;
    let directory =
        registrations::find(tx.connection(), Register::Directory, participant, secrets)?;
    let shown = |known: &Registration| {
        known.organisation == *organisation && known.wish != DesiredState::Absent
    };
    if directory.as_ref().is_some_and(shown) {
        let new = NewWish {
            register: Register::Directory,
            participant,
            organisation,
            wish: DesiredState::Absent,
            migration_key: None,
        };
        registrations::wish(tx, &new, secrets, now)?;
    }
    if outcome.left {
        tx.execute(GONE, &[participant.into(), registration.register.as_str().into()])?;
    }
    Ok(())
}

/// The SML leads here now: the Directory is told. One that was told before could not fetch the card
/// then, and is told once more.
fn announce(
    tx: &mut Tx<'_>,
    registration: &Registration,
    secrets: &SecretBox,
    now: Timestamp,
) -> Result<(), Error> {
    let Registration { participant, organisation, .. } = registration;
    let register = Register::Directory;
    tasks::bring_forward(tx, &registrations::subject(register, participant), now)?;
    let known = registrations::find(tx.connection(), register, participant, secrets)?;
    let is_told = |known: &Registration| {
        known.organisation == *organisation
            && known.wish == DesiredState::Present
            && known.progress == RegistrationProgress::Done
    };
    if known.as_ref().is_some_and(is_told) {
        let wish = DesiredState::Present;
        let new = NewWish { register, participant, organisation, wish, migration_key: None };
        registrations::wish(tx, &new, secrets, now)?;
    }
    Ok(())
}

fn finish(
    tx: &mut Tx<'_>,
    claim: &Claim,
    registration: &Registration,
    outcome: &RegistrationOutcome,
    secrets: &SecretBox,
    now: Timestamp,
) -> Result<(), Error> {
    let row = [
        (&registration.participant).into(),
        registration.register.as_str().into(),
        outcome.progress.as_str().into(),
        (&outcome.message).into(),
        outcome.next_on.into(),
        now.into(),
        Param::Integer(i64::try_from(registration.version).unwrap_or(i64::MAX)),
    ];
    let current = tx.execute(MOVE, &row)? > 0;
    if current {
        follow(tx, registration, outcome, secrets, now)?;
    }
    match outcome.next_on.filter(|_| current) {
        Some(at) => tasks::postpone(tx, claim, at),
        // Done, refused, or overtaken by a newer wish, whose own task follows in the lane.
        None => tasks::finish(tx, claim),
    }
}

impl Store {
    /// Records a try of a registration and what was decided. Where a newer wish was recorded
    /// meanwhile, only the task ends.
    ///
    /// Errors: [`Refusal::StaleClaim`](crate::Refusal::StaleClaim).
    pub async fn finish_registration(
        &self,
        claim: Claim,
        registration: Registration,
        outcome: RegistrationOutcome,
        now: Timestamp,
    ) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| finish(tx, &claim, &registration, &outcome, &secrets, now)).await
    }
}
