//! Registrations: what a register outside is to hold about a participant, and how far that has
//! come. The wish is recorded with what it follows from; the worker carries it out.

use jiff::Timestamp;
use quoin_delivery::registration::{DesiredState, Register, RegistrationProgress};
use quoin_delivery::{OrganisationId, TaskKind};

use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::secrets::{Secret, SecretBox};
use crate::tasks;
use crate::writer::Tx;

/// What a register is to hold about a participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The participant, `scheme:identifier` in lower case.
    pub participant: String,
    /// Which register.
    pub register: Register,
    /// The tenant whose participant it is.
    pub organisation: OrganisationId,
    /// What is wished.
    pub wish: DesiredState,
    /// The key with which it came here, or with which it may leave.
    pub migration_key: Option<Secret>,
    /// Whether that key is one that we gave out: what is wished now is that nobody comes with it.
    pub is_taken_back: bool,
    /// How far it is.
    pub progress: RegistrationProgress,
    /// Tries so far.
    pub attempts: u32,
    /// What happened last, one sentence.
    pub message: String,
    /// When it is tried next.
    pub next_on: Option<Timestamp>,
    /// Counts the wishes.
    pub version: u64,
    /// When it last changed.
    pub changed_on: Timestamp,
}

const GET: &str = "SELECT participant, register, organisation, wish, migration_key, state,
    attempts, message, next_on, version, changed_on FROM registrations
    WHERE participant = ?1 AND register = ?2";
const OF: &str = "SELECT participant, register, organisation, wish, migration_key, state,
    attempts, message, next_on, version, changed_on FROM registrations
    WHERE organisation = ?1 AND participant = ?2 ORDER BY register DESC";
const PUT: &str = "INSERT INTO registrations (participant, register, organisation, wish,
    migration_key, state, attempts, message, next_on, version, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, 'pending', 0, '', ?6, 1, ?6)
    ON CONFLICT (participant, register) DO UPDATE SET organisation = excluded.organisation,
    wish = excluded.wish, migration_key = excluded.migration_key, state = excluded.state,
    attempts = 0, message = '', next_on = excluded.next_on,
    version = registrations.version + 1, changed_on = excluded.changed_on";
const UNSET: &str = "SELECT participant FROM registrations
    WHERE register = ?1 AND state = 'unset' ORDER BY participant LIMIT ?2";
const REVIVE: &str = "UPDATE registrations SET state = 'pending', attempts = 0, message = '',
    next_on = ?3, changed_on = ?3 WHERE participant = ?1 AND register = ?2";
const ASK_AGAIN: &str = "UPDATE registrations SET state = 'retrying', next_on = ?3, changed_on = ?3
    WHERE participant = ?1 AND register = ?2";
const DROP_WAITING: &str =
    "DELETE FROM tasks WHERE kind = 'register' AND subject = ?1 AND claim_token IS NULL";

impl Registration {
    /// How far the SML is with leading here.
    pub fn presence(&self) -> RegistrationProgress {
        self.progress.of_presence(self.wish, self.is_taken_back)
    }

    /// The key with which it may leave, where it may and the SML has not refused that.
    pub fn key_to_leave(&self) -> Option<&Secret> {
        let may_leave = self.wish == DesiredState::Leaving && self.progress.lets_leave();
        self.migration_key.as_ref().filter(|_| may_leave)
    }
}

/// The words under which a task of a registration is recorded.
pub(crate) fn subject(register: Register, participant: &str) -> String {
    format!("{} {participant}", register.as_str())
}

/// What a key is sealed for: that a participant comes or may leave, or that it stays after all.
fn place(register: Register, participant: &str, is_taken_back: bool) -> String {
    let purpose = if is_taken_back { "staying" } else { "migration" };
    format!("{purpose} {} {participant}", register.as_str())
}

/// A key, and whether it was sealed to be taken back.
fn unsealed(
    (register, participant): (Register, &str),
    sealed: &[u8],
    secrets: &SecretBox,
) -> Result<(Secret, bool), Fault> {
    let open = |back| secrets.open(&place(register, participant, back), sealed);
    let (clear, back) = match open(false) {
        Ok(clear) => (clear, false),
        Err(_) => (open(true)?, true),
    };
    Ok((Secret::new(String::from_utf8(clear).map_err(|_| Fault::Secret)?), back))
}

fn read(mut row: SqlRow, secrets: &SecretBox) -> Result<Registration, Fault> {
    let participant = row.text("registrations.participant")?;
    let register = row.word("registrations.register", Register::named)?;
    let organisation = row.parsed("registrations.organisation")?;
    let wish = row.word("registrations.wish", DesiredState::named)?;
    let key = row.blob_or_none("registrations.migration_key")?;
    let key = key.map(|sealed| unsealed((register, &participant), &sealed, secrets)).transpose()?;
    let is_taken_back = key.as_ref().is_some_and(|(_, back)| *back);
    Ok(Registration {
        participant,
        register,
        organisation,
        wish,
        migration_key: key.map(|(key, _)| key),
        is_taken_back,
        progress: row.word("registrations.state", RegistrationProgress::named)?,
        attempts: row.count("registrations.attempts")?,
        message: row.text("registrations.message")?,
        next_on: row.time_or_none("registrations.next_on")?,
        version: row.count("registrations.version")?,
        changed_on: row.time("registrations.changed_on")?,
    })
}

pub(crate) fn find(
    db: &mut dyn Connection,
    register: Register,
    participant: &str,
    secrets: &SecretBox,
) -> Result<Option<Registration>, Fault> {
    let row = db.first(GET, &[participant.into(), register.as_str().into()])?;
    row.map(|row| read(row, secrets)).transpose()
}

/// What a task is about, by its subject.
pub(crate) fn of_subject(
    db: &mut dyn Connection,
    subject: &str,
    secrets: &SecretBox,
) -> Result<Option<Registration>, Fault> {
    let Some((register, participant)) = subject.split_once(' ') else { return Ok(None) };
    let Some(register) = Register::named(register) else { return Ok(None) };
    find(db, register, participant, secrets)
}

/// A wish that is to be recorded.
pub(crate) struct NewWish<'a> {
    pub register: Register,
    pub participant: &'a str,
    pub organisation: &'a OrganisationId,
    pub wish: DesiredState,
    pub migration_key: Option<&'a Secret>,
}

/// Whether a wish is to keep a participant that was to leave with this very key.
fn takes_back(tx: &mut Tx<'_>, new: &NewWish<'_>, secrets: &SecretBox) -> Result<bool, Fault> {
    if new.wish != DesiredState::Present || new.migration_key.is_none() {
        return Ok(false);
    }
    let known = find(tx.connection(), new.register, new.participant, secrets)?;
    Ok(known.is_some_and(|known| {
        let left = known.wish == DesiredState::Leaving || known.is_taken_back;
        left && known.migration_key.as_ref() == new.migration_key
    }))
}

/// Records a wish with its task, in place of an earlier one. A task that is in hand is left alone;
/// the new one waits for it in its lane.
pub(crate) fn wish(
    tx: &mut Tx<'_>,
    new: &NewWish<'_>,
    secrets: &SecretBox,
    now: Timestamp,
) -> Result<(), Error> {
    let NewWish { register, participant, .. } = *new;
    let is_taken_back = takes_back(tx, new, secrets)?;
    let place = place(register, participant, is_taken_back);
    let key = new.migration_key.map(|key| secrets.seal(&place, key.reveal().as_bytes()));
    let key = key.transpose()?;
    let row = [
        participant.into(),
        register.as_str().into(),
        new.organisation.as_str().into(),
        new.wish.as_str().into(),
        key.as_deref().map_or(Param::Null, Param::Blob),
        now.into(),
    ];
    tx.execute(PUT, &row)?;
    let subject = subject(register, participant);
    tx.execute(DROP_WAITING, &[(&subject).into()])?;
    tasks::add(tx, TaskKind::Register, &subject, now, Some(&subject))?;
    Ok(())
}

/// Has some wishes carried out that were left alone, since there was no such register. Answers how
/// many there were.
pub(crate) fn revive(
    tx: &mut Tx<'_>,
    register: Register,
    limit: i64,
    now: Timestamp,
) -> Result<usize, Fault> {
    let rows = tx.query(UNSET, &[register.as_str().into(), limit.into()])?;
    let found = rows.len();
    for mut row in rows {
        let participant = row.text("registrations.participant")?;
        tx.execute(REVIVE, &[(&participant).into(), register.as_str().into(), now.into()])?;
        let subject = subject(register, &participant);
        tasks::add(tx, TaskKind::Register, &subject, now, Some(&subject))?;
    }
    Ok(found)
}

/// How a participant may leave.
pub(crate) enum Leave {
    /// With this key, and whether it is a new one.
    With { key: Secret, is_new: bool },
    /// Not yet: the SML refused to prepare it, or did not answer, and is asked once more.
    AskedAgain(Refusal),
}

/// Lets a participant go with a key, unless it may already: then with the key that it has. It has
/// to be in the SML; an installation without one lets it go to another organisation.
pub(crate) fn leave(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    participant: &str,
    key: Secret,
    secrets: &SecretBox,
    now: Timestamp,
) -> Result<Leave, Error> {
    let found = find(tx.connection(), Register::Sml, participant, secrets)?;
    let own = found.filter(|f| f.organisation == *organisation && f.wish != DesiredState::Absent);
    let Some(known) = own else {
        let key = participant.to_owned();
        return Err(Refusal::NotFound { what: "registration", key }.into());
    };
    if known.wish == DesiredState::Leaving {
        return match known.key_to_leave() {
            Some(key) => Ok(Leave::With { key: key.clone(), is_new: false }),
            None => ask_again(tx, &known, now).map(Leave::AskedAgain).map_err(Error::from),
        };
    }
    if !matches!(known.progress, RegistrationProgress::Done | RegistrationProgress::Unset) {
        let (participant, what) = (participant.to_owned(), "its registration");
        let (state, advice) = (known.progress.shown(), String::new());
        return Err(Refusal::Unregistered { participant, what, state, advice }.into());
    }
    let new = NewWish {
        register: Register::Sml,
        participant,
        organisation,
        wish: DesiredState::Leaving,
        migration_key: Some(&key),
    };
    wish(tx, &new, secrets, now)?;
    Ok(Leave::With { key, is_new: true })
}

/// Has the SML asked once more, at once, to prepare what it did not; answers why there is no key.
fn ask_again(tx: &mut Tx<'_>, known: &Registration, now: Timestamp) -> Result<Refusal, Fault> {
    let Registration { participant, register, .. } = known;
    let subject = subject(*register, participant);
    match known.progress {
        // Nothing of it is planned.
        RegistrationProgress::Failed => {
            tasks::add(tx, TaskKind::Register, &subject, now, Some(&subject))?
        }
        _ => tasks::bring_forward(tx, &subject, now)?,
    }
    tx.execute(ASK_AGAIN, &[participant.into(), register.as_str().into(), now.into()])?;
    let advice = format!(
        ". It stays registered here; the SML is asked once more now: ask again in a moment, or take \
         the preparation back (DELETE prepareToMigrate). The last time: {}",
        known.message
    );
    let (participant, what) = (participant.clone(), "the preparation");
    Ok(Refusal::Unregistered { participant, what, state: known.progress.shown(), advice })
}

/// Takes back that a participant may leave; answers whether it might.
fn stay(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    participant: &str,
    secrets: &SecretBox,
    now: Timestamp,
) -> Result<bool, Error> {
    let found = find(tx.connection(), Register::Sml, participant, secrets)?;
    let leaves =
        found.filter(|f| f.organisation == *organisation && f.wish == DesiredState::Leaving);
    let Some(known) = leaves else { return Ok(false) };
    let new = NewWish {
        register: Register::Sml,
        participant,
        organisation,
        wish: DesiredState::Present,
        // The key with which it may go is the one with which we take it back.
        migration_key: known.migration_key.as_ref(),
    };
    wish(tx, &new, secrets, now)?;
    Ok(true)
}

impl Store {
    /// Takes back that a participant may leave. Answers whether it might.
    pub async fn let_stay(
        &self,
        organisation: &OrganisationId,
        participant: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let (organisation, participant) = (organisation.clone(), participant.to_owned());
        let secrets = self.secrets.clone();
        self.write(move |tx| stay(tx, &organisation, &participant, &secrets, now)).await
    }

    /// What registers outside are to hold about a participant of an organisation, the SML first.
    pub async fn registrations_of(
        &self,
        organisation: &OrganisationId,
        participant: &str,
    ) -> Result<Vec<Registration>, Error> {
        let (owner, participant) = (organisation.clone(), participant.to_owned());
        let secrets = self.secrets.clone();
        self.read(move |db| {
            let rows = db.query(OF, &[owner.as_str().into(), (&participant).into()])?;
            Ok(rows.into_iter().map(|row| read(row, &secrets)).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Asks that a participant may leave with this key; where it may already, its earlier key
    /// stays. Answers the key.
    ///
    /// Errors: [`Refusal::NotFound`] where the organisation has not registered it, and
    /// [`Refusal::Unregistered`] where the SML does not hold it, or did not prepare it when it was
    /// last asked: it is asked once more then.
    pub async fn let_leave(
        &self,
        organisation: &OrganisationId,
        participant: &str,
        key: Secret,
        now: Timestamp,
    ) -> Result<Secret, Error> {
        let (organisation, participant) = (organisation.clone(), participant.to_owned());
        let secrets = self.secrets.clone();
        let left = self
            .write(move |tx| leave(tx, &organisation, &participant, key, &secrets, now))
            .await?;
        match left {
            Leave::With { key, .. } => Ok(key),
            Leave::AskedAgain(refusal) => Err(refusal.into()),
        }
    }
}
