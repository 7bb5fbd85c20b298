//! What a job does for one party, inside a commit: done for real, or tried and taken back.

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_delivery::capabilities::States;
use quoin_delivery::jobs::{Foreseen, ItemState, JobKind};
use quoin_delivery::registration::{DesiredState, Register, RegistrationProgress};

use super::Job;
use crate::configs;
use crate::enrolment::{self, Expected, PartyChange, Publish, Withdrawal};
use crate::error::{Error, Fault, Refusal};
use crate::parties::{self, PartyRecord};
use crate::publications::{self, services};
use crate::registrations::{self, Leave};
use crate::secrets::{Secret, SecretBox};
use crate::writer::Tx;

/// A change of one party.
#[derive(Debug, Clone)]
pub enum JobChange {
    /// It is enrolled.
    Enrol(Box<PartyChange>),
    /// These capabilities are set.
    Capabilities(States),
    /// What is published of it names this endpoint; `None` for the first one.
    Endpoint(Option<String>),
    /// It may go to another SMP with this key.
    Leave(Secret),
    /// Its enrolment ends, with its links and hooks.
    Withdraw,
}

/// One party of a step.
#[derive(Debug, Clone)]
pub struct JobTry {
    /// Its place in the job.
    pub position: u32,
    /// The participant it is named by.
    pub participant: String,
    /// Its line of the list.
    pub line: Option<Secret>,
    /// What is to be done, or why nothing can be: a code and a sentence.
    pub change: Result<JobChange, (String, String)>,
    /// What the network says of it, where it was asked for a preview.
    pub foreseen: Option<Foreseen>,
}

/// What became of a party.
pub(super) struct Became {
    pub state: ItemState,
    /// A stable word, where something is to be said of it.
    pub code: &'static str,
    pub message: String,
}

impl Became {
    fn of(state: ItemState) -> Became {
        Became { state, code: "", message: String::new() }
    }
}

const SAVE: &str = "SAVEPOINT item";
const UNDO: &str = "ROLLBACK TO item";
const KEEP: &str = "RELEASE item";
const PUT_ENDPOINT: &str = "INSERT INTO published_endpoints
    (participant, organisation, endpoint, changed_on) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (participant) DO UPDATE SET organisation = excluded.organisation,
    endpoint = excluded.endpoint, changed_on = excluded.changed_on";
const ENDPOINT: &str =
    "SELECT endpoint FROM published_endpoints WHERE participant = ?1 AND organisation = ?2";
const REMOVE_ENDPOINT: &str = "DELETE FROM published_endpoints WHERE participant = ?1";

/// Whose job it is, and when.
pub(super) struct Context<'c> {
    pub organisation: &'c OrganisationId,
    /// Who made it.
    pub account: &'c str,
    pub secrets: &'c SecretBox,
    pub now: Timestamp,
}

impl<'c> Context<'c> {
    /// That of a job.
    pub(super) fn of(job: &'c Job, secrets: &'c SecretBox, now: Timestamp) -> Context<'c> {
        Context { organisation: &job.organisation, account: &job.created_by, secrets, now }
    }
}

/// Does it, all or nothing: a refusal leaves no trace.
pub(super) fn carry_out(
    tx: &mut Tx<'_>,
    context: &Context<'_>,
    participant: &str,
    change: &JobChange,
) -> Result<Became, Error> {
    tx.execute(SAVE, &[])?;
    let became = apply(tx, context, participant, change);
    if became.is_err() {
        tx.execute(UNDO, &[])?;
    }
    tx.execute(KEEP, &[])?;
    became
}

/// Does it and takes it back: what would become of it.
pub(super) fn rehearse(
    tx: &mut Tx<'_>,
    context: &Context<'_>,
    participant: &str,
    change: &JobChange,
) -> Result<Became, Error> {
    let before = tx.follows();
    tx.execute(SAVE, &[])?;
    let became = apply(tx, context, participant, change);
    tx.execute(UNDO, &[])?;
    tx.execute(KEEP, &[])?;
    tx.take_back(before);
    became
}

fn apply(
    tx: &mut Tx<'_>,
    context: &Context<'_>,
    participant: &str,
    change: &JobChange,
) -> Result<Became, Error> {
    if let JobChange::Enrol(change) = change {
        let before = version(tx, context, participant)?;
        let after = enrolment::change_party(tx, change, context.secrets)?;
        let changed = before != after.config.version;
        return follows(tx, context, &after.party, Awaited::Entry, changed);
    }
    let party = party(tx, context, participant)?;
    match change {
        JobChange::Enrol(_) => Ok(Became::of(ItemState::Unchanged)),
        JobChange::Capabilities(states) => capabilities(tx, context, &party, states),
        JobChange::Endpoint(name) => endpoint(tx, context, &party, name.as_deref()),
        JobChange::Leave(key) => leave(tx, context, &party, key),
        JobChange::Withdraw => {
            let (all, now) = (Withdrawal::Everything, context.now);
            let known = enrolment::withdraw(tx, &party, all, now, context.secrets)?;
            if known {
                enrolment::noted::withdrawn(tx, &party, (context.account, now))?;
            }
            follows(tx, context, &party, Awaited::Nothing, known)
        }
    }
}

/// The party of the organisation with this identifier.
pub(super) fn party(
    tx: &mut Tx<'_>,
    context: &Context<'_>,
    participant: &str,
) -> Result<PartyRecord, Error> {
    let owner = context.organisation;
    let folded = participant.to_ascii_lowercase();
    let found = parties::of_identifier(tx.connection(), owner, &folded)?;
    let key = participant.to_owned();
    found.ok_or_else(|| Refusal::NotFound { what: "party", key }.into())
}

fn version(tx: &mut Tx<'_>, context: &Context<'_>, participant: &str) -> Result<u64, Error> {
    let owner = context.organisation;
    let known = parties::of_identifier(tx.connection(), owner, participant)?;
    let Some(known) = known else { return Ok(0) };
    Ok(configs::of_party(tx.connection(), owner, &known.id)?.version)
}

fn capabilities(
    tx: &mut Tx<'_>,
    context: &Context<'_>,
    party: &PartyRecord,
    states: &States,
) -> Result<Became, Error> {
    let before = configs::of_party(tx.connection(), context.organisation, &party.id)?.version;
    let change = PartyChange {
        organisation: party.organisation.clone(),
        id: party.id.clone(),
        identifiers: party.identifiers.clone(),
        name: None,
        country: party.country.clone(),
        capabilities: states.clone(),
        card: None,
        verification: None,
        links: Vec::new(),
        hooks: Vec::new(),
        migration_key: None,
        publish: Publish::Unchanged,
        expected: Expected::Any,
        account: Some(context.account.to_owned()),
        now: context.now,
    };
    let after = enrolment::change_party(tx, &change, context.secrets)?;
    let changed = after.config.version != before;
    Ok(Became::of(if changed { ItemState::Done } else { ItemState::Unchanged }))
}

fn endpoint(
    tx: &mut Tx<'_>,
    context: &Context<'_>,
    party: &PartyRecord,
    name: Option<&str>,
) -> Result<Became, Error> {
    let owner = context.organisation;
    let mut changed = false;
    for participant in &party.identifiers {
        let published = services::of_participant(tx.connection(), participant)?;
        if !published.iter().any(|service| service.organisation == *owner) {
            continue;
        }
        let known = tx.first(ENDPOINT, &[participant.into(), owner.as_str().into()])?;
        let known = known.map(|mut row| row.text("published_endpoints.endpoint")).transpose()?;
        if known.as_deref() == name {
            continue;
        }
        match name {
            Some(name) => {
                let now = context.now.into();
                let row = [participant.into(), owner.as_str().into(), name.into(), now];
                tx.execute(PUT_ENDPOINT, &row)?
            }
            None => tx.execute(REMOVE_ENDPOINT, &[participant.into()])?,
        };
        publications::changed(tx, participant, context.now)?;
        changed = true;
    }
    Ok(Became::of(if changed { ItemState::Done } else { ItemState::Unchanged }))
}

fn leave(
    tx: &mut Tx<'_>,
    context: &Context<'_>,
    party: &PartyRecord,
    key: &Secret,
) -> Result<Became, Error> {
    let owner = context.organisation;
    let (mut found, mut changed) = (false, false);
    let mut refused = Refusal::NotFound { what: "registration", key: party.main() };
    for participant in &party.identifiers {
        let kept =
            registrations::leave(tx, owner, participant, key.clone(), context.secrets, context.now);
        match kept {
            Ok(Leave::With { is_new, .. }) => (found, changed) = (true, changed || is_new),
            // It is waited for like a new one.
            Ok(Leave::AskedAgain(_)) => (found, changed) = (true, true),
            // One of several identifiers may be somebody else's.
            Err(Error::Refusal(Refusal::NotFound { .. })) => {}
            Err(Error::Refusal(refusal @ Refusal::Unregistered { .. })) => refused = refusal,
            Err(error) => return Err(error),
        }
    }
    if !found {
        return Err(refused.into());
    }
    follows(tx, context, party, Awaited::Entry, changed)
}

/// What the SML is waited for to hold about a party.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Awaited {
    /// An entry.
    Entry,
    /// No entry any more.
    Nothing,
}

impl Awaited {
    /// What a job of this kind waits for.
    pub(super) fn by(kind: JobKind) -> Awaited {
        match kind {
            JobKind::Withdraw => Awaited::Nothing,
            _ => Awaited::Entry,
        }
    }
}

/// How far the SML is with what was recorded of a party.
pub(super) fn follows(
    tx: &mut Tx<'_>,
    context: &Context<'_>,
    party: &PartyRecord,
    awaited: Awaited,
    changed: bool,
) -> Result<Became, Error> {
    let (mut waiting, mut blocked) = (None, None);
    for participant in &party.identifiers {
        let known = sml(tx, context, participant, awaited)?;
        match known {
            Some((RegistrationProgress::Failed, message)) => {
                return Ok(Became { state: ItemState::Failed, code: "sml", message });
            }
            Some((RegistrationProgress::Done, _)) | None => {}
            // What this installation lacks is no reason to wait: it may take for ever, and the wish
            // is carried out once it has it.
            Some((RegistrationProgress::Blocked | RegistrationProgress::Unset, message)) => {
                blocked = Some(message)
            }
            Some((_, message)) => waiting = Some(waiting.unwrap_or(message)),
        }
    }
    Ok(match waiting {
        Some(message) => Became { state: ItemState::Waiting, code: "", message },
        None if blocked.is_some() => {
            let message = blocked.unwrap_or_default();
            Became { state: ItemState::Done, code: "sml-blocked", message }
        }
        None if changed => Became::of(ItemState::Done),
        None => Became::of(ItemState::Unchanged),
    })
}

fn sml(
    tx: &mut Tx<'_>,
    context: &Context<'_>,
    participant: &str,
    awaited: Awaited,
) -> Result<Option<(RegistrationProgress, String)>, Fault> {
    let known = registrations::find(tx.connection(), Register::Sml, participant, context.secrets)?;
    let own = known.filter(|known| known.organisation == *context.organisation);
    let matters = |wish| wish != DesiredState::Absent || awaited == Awaited::Nothing;
    let open = own.filter(|own| matters(own.wish) || own.progress == RegistrationProgress::Failed);
    Ok(open.map(|open| (open.progress, open.message)))
}
