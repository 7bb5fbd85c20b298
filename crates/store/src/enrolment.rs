//! Enrolment: a party with its identifiers, capabilities, business card, verification, links and
//! hooks, and what is published of it, changed in one commit (interface specification 2.7, 4.9,
//! 4.11).

mod answered;
mod claims;
mod expected;
mod inherited;
pub(crate) mod noted;
mod publish;
mod reconcile;
mod records;
mod taken_off;
mod withdrawn;

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_delivery::capabilities::{CapabilitySetting, States, effective};

use crate::configs::{self, CardRecord, OrganisationConfig, PartyConfig, Verification};
use crate::engine::Connection;
use crate::error::{Error, Fault};
use crate::holdings;
use crate::hook_changes;
use crate::hooks::{Hook, HookScope};
use crate::open::Store;
use crate::parties::{self, PartyRecord};
use crate::permissions::{self, Permission};
use crate::publications;
use crate::secrets::{Secret, SecretBox};
use crate::writer::Tx;
pub use expected::Expected;
pub use inherited::OrganisationChange;
pub use noted::CONFIGURATION;
pub use records::MetadataRecord;

/// Whether a change publishes the party.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publish {
    /// It stays as it is.
    Unchanged,
    /// It is published if it is verified and has a user; else the rest is recorded.
    IfReady,
    /// It is published, or nothing is recorded.
    Demanded,
    /// As [`Publish::Demanded`], but its name in the SML is somebody else's work.
    Here,
    /// The operator answers for it: it is published at our SMP and in the SML as it is.
    Declared,
    /// It is the provider itself: published at our SMP and in the SML without further ado.
    Provider,
}

impl Publish {
    /// Whether the SML is to lead to our SMP.
    fn in_sml(self) -> bool {
        !matches!(self, Publish::Unchanged | Publish::Here)
    }
}

/// A change of a party; what is not given stays.
#[derive(Debug, Clone)]
pub struct PartyChange {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The key of the party where none has one of the identifiers yet, or, where another party has
    /// that key, how it begins.
    pub id: String,
    /// Identifiers it has from now on besides those it had, in lower case, at least one.
    pub identifiers: Vec<String>,
    /// Its name, where it is to have another one than the business card says.
    pub name: Option<String>,
    /// Its country, where no business card says it.
    pub country: String,
    /// States that are set; [`State::Inherited`] takes one away.
    pub capabilities: States,
    /// A business card; `Some(None)` takes it away.
    pub card: Option<Option<CardRecord>>,
    /// A verification to be recorded.
    pub verification: Option<Verification>,
    /// Rights of accounts on this party, whatever party they name.
    pub links: Vec<Permission>,
    /// Hooks of this party, whatever scope they name.
    pub hooks: Vec<Hook>,
    /// The key with which it comes from another SMP.
    pub migration_key: Option<Secret>,
    /// Whether it is published.
    pub publish: Publish,
    /// The version of its configuration that the caller saw.
    pub expected: Expected,
    /// Who asks, for the log of the participants; nobody where the log says it in other words.
    pub account: Option<String>,
    /// When.
    pub now: Timestamp,
}

/// A party with all that is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartyProfile {
    /// The party.
    pub party: PartyRecord,
    /// Its configuration.
    pub config: PartyConfig,
    /// What it inherits from.
    pub inherited: OrganisationConfig,
    /// The newest verification.
    pub verification: Option<Verification>,
}

impl PartyProfile {
    /// Whether a capability, by its name of the table, is on for the party.
    pub fn has(&self, capability: &str) -> bool {
        effective(&[&self.config.capabilities, &self.inherited.capabilities])
            .iter()
            .any(|found| found.on && found.capability.name == capability)
    }
}

fn profile(db: &mut dyn Connection, party: PartyRecord) -> Result<PartyProfile, Fault> {
    let owner = &party.organisation;
    Ok(PartyProfile {
        config: configs::of_party(db, owner, &party.id)?,
        inherited: configs::of_organisation(db, owner)?,
        verification: configs::verification(db, owner, &party.id)?,
        party,
    })
}

/// States with others set over them.
fn set(mut states: States, over: &States) -> States {
    for (name, state) in over {
        match state {
            CapabilitySetting::Inherited => states.remove(name),
            state => states.insert(name.clone(), *state),
        };
    }
    states
}

/// The identifiers of a party with new ones. The Belgian enterprise number comes first, since it is
/// the one that a party must have (interface specification 2.1, rule 2).
pub(crate) fn joined(known: &[String], new: &[String]) -> Vec<String> {
    let mut all = known.to_vec();
    all.extend(new.iter().filter(|identifier| !known.contains(identifier)).cloned());
    all.sort_by_key(|identifier| !identifier.starts_with("0208:"));
    all
}

/// The party that has one of the identifiers, as it will be; a new one where there is none.
fn party_after(tx: &mut Tx<'_>, change: &PartyChange) -> Result<PartyRecord, Error> {
    let owner = &change.organisation;
    let mut known = None;
    for identifier in &change.identifiers {
        known = parties::of_identifier(tx.connection(), owner, identifier)?;
        if known.is_some() {
            break;
        }
    }
    let known = match known {
        Some(known) => Some(known),
        // What the configuration declares is the party of its key, whatever it has lost since.
        None if matches!(change.publish, Publish::Declared | Publish::Provider) => {
            parties::find(tx.connection(), owner, &change.id)?
        }
        None => None,
    };
    let mut party = match known {
        Some(known) => known,
        None => PartyRecord {
            id: parties::new_key(tx, owner, &change.id)?,
            organisation: owner.clone(),
            identifiers: Vec::new(),
            name: String::new(),
            country: change.country.clone(),
            created_on: change.now,
        },
    };
    party.identifiers = joined(&party.identifiers, &change.identifiers);
    // A name that was read and is written back says nothing against a new business card.
    let named = change.name.clone().filter(|name| *name != party.name);
    if let Some(Some(card)) = &change.card {
        party.name = card.names.first().cloned().unwrap_or_default();
        party.country.clone_from(&card.country);
    }
    if let Some(name) = named {
        party.name = name;
    }
    Ok(party)
}

fn put_links(tx: &mut Tx<'_>, party: &PartyRecord, links: &[Permission]) -> Result<(), Error> {
    for link in links {
        let link = Permission { party: party.id.clone(), ..link.clone() };
        permissions::put(tx, &party.organisation, &link)?;
    }
    Ok(())
}

fn put_hooks(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    hooks: &[Hook],
    secrets: &SecretBox,
) -> Result<(), Error> {
    for hook in hooks {
        let scope = HookScope::Party(party.id.clone());
        hook_changes::put(tx, &Hook { scope, ..hook.clone() }, secrets)?;
    }
    Ok(())
}

pub(crate) fn change_party(
    tx: &mut Tx<'_>,
    change: &PartyChange,
    secrets: &SecretBox,
) -> Result<PartyProfile, Error> {
    let owner = &change.organisation;
    let party = party_after(tx, change)?;
    let before = configs::of_party(tx.connection(), owner, &party.id)?;
    let known = parties::find(tx.connection(), owner, &party.id)?;
    let version = known.as_ref().map(|_| before.version);
    change.expected.demand("the configuration of the party", version)?;
    let is_renamed = known.as_ref().is_some_and(|known| known.name != party.name);
    let known = known.map(|known| known.identifiers).unwrap_or_default();
    let joined = free(tx, &party, change.now, secrets)?;
    parties::put(tx, &party)?;
    claims::verify(tx, &party, change)?;
    claims::claim(tx, &party, change, &known, secrets)?;
    put_links(tx, &party, &change.links)?;
    put_hooks(tx, &party, &change.hooks, secrets)?;
    let ready = claims::ready(tx, &party, change, (&before, &known))?;
    let after = PartyConfig {
        capabilities: set(before.capabilities.clone(), &change.capabilities),
        card: change.card.clone().unwrap_or_else(|| before.card.clone()),
        enrolled: before.enrolled || ready,
        in_sml: if ready { change.publish.in_sml() } else { before.in_sml },
        ..before.clone()
    };
    let (id, now) = (&party.id, change.now);
    let after = configs::put_party(tx, (owner, id), &before, (after, is_renamed), now)?;
    if after.enrolled {
        publish::services(tx, &party, &after, change.now)?;
    }
    if after.enrolled && after.in_sml {
        let again = ready || known != party.identifiers;
        let key = change.migration_key.as_ref();
        publish::sml(tx, &party, (key, again), change.now, secrets)?;
    }
    if before.card != after.card {
        for identifier in &party.identifiers {
            publications::changed(tx, identifier, change.now)?;
        }
    }
    if after.enrolled {
        publish::directory(tx, &party, before.card.as_ref(), &after, change.now, secrets)?;
    }
    if let Some(account) = &change.account {
        let (before, after, known) = (&before, &after, known.as_slice());
        let diff = noted::PartyDiff { party: &party, known, before, after, is_renamed };
        noted::changed(tx, &diff, (account, change.now))?;
    }
    for gone in &joined {
        parties::absorb(tx, &party, gone)?;
    }
    Ok(profile(tx.connection(), party)?)
}

/// How much of an enrolment ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withdrawal {
    /// What is published, and the configuration.
    Config,
    /// That, and its name in the SML is somebody else's work.
    Here,
    /// That, and links and hooks.
    Everything,
}

pub(crate) fn withdraw(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    withdrawal: Withdrawal,
    now: Timestamp,
    secrets: &SecretBox,
) -> Result<bool, Error> {
    let owner = &party.organisation;
    end(tx, party, withdrawal != Withdrawal::Here, now, secrets)?;
    let known = configs::remove_party(tx, owner, &party.id)?;
    if withdrawal == Withdrawal::Everything {
        permissions::remove_of_party(tx, owner, &party.id)?;
        hook_changes::remove_of_party(tx, owner, &party.id, now)?;
    }
    Ok(known)
}

/// Ends what is published of the identifiers of a party that its organisation holds, and gives them
/// up.
pub(crate) fn end(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    in_sml: bool,
    now: Timestamp,
    secrets: &SecretBox,
) -> Result<(), Error> {
    let config = configs::of_party(tx.connection(), &party.organisation, &party.id)?;
    if config.enrolled {
        publish::nothing(tx, party, in_sml && config.in_sml, now, secrets)?;
    }
    for identifier in &party.identifiers {
        holdings::release(tx, &party.organisation, identifier)?;
    }
    Ok(())
}

/// Frees the identifiers of a party that other parties of its organisation have, whose enrolment
/// ended: who left them leads nobody any more. A party that has none left becomes part of this one,
/// with its documents and hooks: answers the keys of those, of which the documents are left to do.
fn free(
    tx: &mut Tx<'_>,
    party: &PartyRecord,
    now: Timestamp,
    secrets: &SecretBox,
) -> Result<Vec<String>, Error> {
    let owner = &party.organisation;
    let mut joined = Vec::new();
    for identifier in &party.identifiers {
        let Some(mut other) = parties::of_identifier(tx.connection(), owner, identifier)? else {
            continue;
        };
        let config = configs::of_party(tx.connection(), owner, &other.id)?;
        if other.id == party.id || config.version > 0 {
            continue;
        }
        let mut gone = other.clone();
        gone.identifiers = vec![identifier.clone()];
        end(tx, &gone, true, now, secrets)?;
        other.identifiers.retain(|known| known != identifier);
        match other.identifiers.is_empty() {
            true => {
                parties::join(tx, party, &other.id)?;
                joined.push(other.id);
            }
            false => parties::put(tx, &other)?,
        }
    }
    Ok(joined)
}

impl Store {
    /// Changes a party in one commit: itself, its configuration, verification, links and hooks, and
    /// what is published of it. Doing it twice changes nothing the second time.
    ///
    /// Errors: [`Refusal::Changed`], [`Refusal::Unverified`] where an identifier that would be
    /// published is covered by no verification, [`Refusal::Unlinked`], [`Refusal::NotFound`] for an
    /// unknown account, and [`Refusal::Taken`] where an identifier belongs to another party, or
    /// another organisation holds it.
    pub async fn change_party(&self, change: PartyChange) -> Result<PartyProfile, Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| change_party(tx, &change, &secrets)).await
    }

    /// All that is known of a party.
    pub async fn party_profile(&self, party: PartyRecord) -> Result<PartyProfile, Error> {
        self.read(move |db| Ok(profile(db, party)?)).await
    }
}
