//! What is published of a party: its services at our SMP, and the wishes for the registers outside.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::OrganisationId;
use quoin_delivery::capabilities::{Pair, effective, pairs};
use quoin_delivery::registration::{DesiredState, Register, RegistrationProgress};

use crate::configs::{self, CardRecord, PartyConfig};
use crate::error::{Error, Fault};
use crate::holdings;
use crate::parties::PartyRecord;
use crate::publications::{self, PublishedService, services};
use crate::registrations::{self, NewWish, Registration};
use crate::secrets::{Secret, SecretBox};
use crate::writer::Tx;

/// Publishes exactly what the capabilities of a party stand for, for each of its identifiers that
/// its organisation holds.
pub(super) fn services(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    config: &PartyConfig,
    now: Timestamp,
) -> Result<(), Error> {
    let owner = &party.organisation;
    let inherited = configs::of_organisation(tx.connection(), owner)?;
    let capabilities = effective(&[&config.capabilities, &inherited.capabilities]);
    let day = now.to_zoned(TimeZone::UTC).date();
    for participant in &party.identifiers {
        if !holdings::holds(tx.connection(), owner, participant)? {
            continue;
        }
        publications::put_group(tx, owner, participant, now)?;
        let before = services::of_participant(tx.connection(), participant)?;
        // What was registered by itself is no concern of the capabilities.
        let before: BTreeSet<Pair> = before
            .into_iter()
            .filter(|service| !service.explicit)
            .map(|service| (service.document_type, service.process))
            .collect();
        let after = pairs(&capabilities, day, &before);
        for pair in before.difference(&after) {
            services::remove_one(tx, participant, pair, now)?;
        }
        for (document_type, process) in after.difference(&before).cloned() {
            let (participant, organisation) = (participant.clone(), owner.clone());
            let service = PublishedService {
                participant,
                document_type,
                process,
                organisation,
                explicit: false,
                endpoints: None,
                created_on: now,
            };
            services::put(tx, &service)?;
        }
    }
    Ok(())
}

fn known(
    tx: &mut Tx<'_>,
    register: Register,
    participant: &str,
    owner: &OrganisationId,
    secrets: &SecretBox,
) -> Result<Option<Registration>, Fault> {
    let found = registrations::find(tx.connection(), register, participant, secrets)?;
    Ok(found.filter(|found| found.organisation == *owner))
}

/// Wishes that the SML leads to our SMP for what is held, where that is not wished already; a wish
/// that failed is made anew only if `again`.
pub(crate) fn sml(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    (key, again): (Option<&Secret>, bool),
    now: Timestamp,
    secrets: &SecretBox,
) -> Result<(), Error> {
    for participant in &party.identifiers {
        let known = known(tx, Register::Sml, participant, &party.organisation, secrets)?;
        let stands = |known: &Registration| {
            known.wish != DesiredState::Absent
                && (known.progress != RegistrationProgress::Failed || !again)
        };
        let held = holdings::holds(tx.connection(), &party.organisation, participant)?;
        if !held || known.as_ref().is_some_and(stands) {
            continue;
        }
        let new = NewWish {
            register: Register::Sml,
            participant,
            organisation: &party.organisation,
            wish: DesiredState::Present,
            migration_key: key,
        };
        registrations::wish(tx, &new, secrets, now)?;
    }
    Ok(())
}

/// Wishes that the Directory shows the card as it is now, or nothing where there is none.
pub(super) fn directory(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    before: Option<&CardRecord>,
    config: &PartyConfig,
    now: Timestamp,
    secrets: &SecretBox,
) -> Result<(), Error> {
    let card = config.card.as_ref();
    let wish = if card.is_some_and(CardRecord::is_public) {
        DesiredState::Present
    } else {
        DesiredState::Absent
    };
    for participant in &party.identifiers {
        if !holdings::holds(tx.connection(), &party.organisation, participant)? {
            continue;
        }
        let known = known(tx, Register::Directory, participant, &party.organisation, secrets)?;
        let same = match &known {
            None => wish == DesiredState::Absent,
            Some(known) => {
                let again = wish == DesiredState::Present && before != card;
                known.wish == wish && known.progress != RegistrationProgress::Failed && !again
            }
        };
        if !same {
            order(tx, party, Register::Directory, (participant, wish), now, secrets)?;
        }
    }
    Ok(())
}

/// Ends everything that is published of what a party's organisation holds; with `in_sml`, its names
/// in the SML too.
pub(super) fn nothing(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    in_sml: bool,
    now: Timestamp,
    secrets: &SecretBox,
) -> Result<(), Error> {
    let owner = &party.organisation;
    for participant in &party.identifiers {
        if !holdings::holds(tx.connection(), owner, participant)? {
            continue;
        }
        publications::remove_own(tx, owner, participant)?;
        let sml = registrations::find(tx.connection(), Register::Sml, participant, secrets)?;
        if in_sml && sml.as_ref().is_none_or(|sml| sml.wish != DesiredState::Absent) {
            let new = NewWish {
                register: Register::Sml,
                participant,
                organisation: owner,
                wish: DesiredState::Absent,
                // A migration that is prepared has to be taken back first, which needs its key.
                migration_key: sml.as_ref().and_then(|sml| sml.migration_key.as_ref()),
            };
            registrations::wish(tx, &new, secrets, now)?;
        }
        let directory = known(tx, Register::Directory, participant, owner, secrets)?;
        if directory.is_some_and(|directory| directory.wish != DesiredState::Absent) {
            order(
                tx,
                party,
                Register::Directory,
                (participant, DesiredState::Absent),
                now,
                secrets,
            )?;
        }
    }
    Ok(())
}

fn order(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    register: Register,
    (participant, wish): (&str, DesiredState),
    now: Timestamp,
    secrets: &SecretBox,
) -> Result<(), Error> {
    let organisation = &party.organisation;
    let new = NewWish { register, participant, organisation, wish, migration_key: None };
    registrations::wish(tx, &new, secrets, now)
}
