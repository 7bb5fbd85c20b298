//! What the configuration declares, against what it declared before: what is declared no more is
//! switched off at the start, in one commit. Documents, parties and settings stay.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use quoin_delivery::{HookId, OrganisationId};

use crate::engine::{Connection, SqlRow};
use crate::enrolment::{self, PartyChange, PartyProfile};
use crate::error::{Error, Fault};
use crate::hook_calls;
use crate::hooks::{self, HookScope};
use crate::open::Store;
use crate::parties::{self, PartyRecord};
use crate::secrets::{Secret, SecretBox};
use crate::writer::Tx;

/// What the configuration declares.
#[derive(Debug, Clone, Default)]
pub struct Declared {
    /// Organisations.
    pub organisations: BTreeSet<OrganisationId>,
    /// Clients by their names, which are unique.
    pub clients: BTreeSet<String>,
    /// Hooks, with what is said of them.
    pub hooks: BTreeMap<(OrganisationId, HookScope, HookId), Said>,
    /// Parties by their keys, with what is said of them.
    pub parties: BTreeMap<(OrganisationId, String), Said>,
}

/// What the configuration says of something, in words of its own, secrets included; nothing where
/// it could not be taken over, so that the next start tries again.
pub type Said = Option<Secret>;

/// What it declares no more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Undeclared {
    /// Organisations that are closed from now on.
    pub organisations: Vec<OrganisationId>,
    /// Clients that are off from now on.
    pub clients: Vec<(OrganisationId, String)>,
    /// Hooks that are off from now on, by their ids.
    pub hooks: Vec<(OrganisationId, String)>,
    /// Parties that are still published, of closed organisations and such as were declared.
    pub parties: Vec<PartyRecord>,
}

const OPEN: &str = "SELECT id FROM organisations WHERE closed_on IS NULL ORDER BY id";
const CLOSE: &str = "UPDATE organisations SET closed_on = ?2 WHERE id = ?1";
const HOOKS: &str = "SELECT id FROM hooks WHERE organisation = ?1 AND is_active = 1";
const CLIENTS: &str =
    "SELECT organisation, client_id FROM clients WHERE declared = 1 ORDER BY client_id";
/// Tokens of what is switched off are of no use once it is on again.
const SWITCH_OFF: &str = "UPDATE clients SET active = 0, declared = 0,
    tokens_since = max(?2, coalesce(tokens_since, created_on) + 1) WHERE client_id = ?1";
const END_TOKENS: [&str; 2] = [
    "UPDATE clients SET tokens_since = max(?2, coalesce(tokens_since, created_on) + 1)
        WHERE organisation = ?1",
    "UPDATE users SET tokens_since = max(?2, coalesce(tokens_since, created_on) + 1)
        WHERE organisation = ?1",
];
const BEFORE: &str =
    "SELECT organisation, id FROM declarations WHERE kind = ?1 ORDER BY organisation, id";
const DECLARE: &str = "INSERT INTO declarations (organisation, kind, id, said)
    VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET said = excluded.said";
const SAID: &str =
    "SELECT said FROM declarations WHERE organisation = ?1 AND kind = ?2 AND id = ?3";
/// What is declared no more is taken over anew when it is declared again.
const FORGET_SAID: &str = "UPDATE declarations SET said = NULL
    WHERE organisation = ?1 AND kind = 'party' AND id = ?2";
const FORGET: &str = "DELETE FROM declarations WHERE organisation = ?1 AND kind = ?2 AND id = ?3";
const HOOK_OFF: &str = "UPDATE hooks SET is_active = 0, changed_on = ?3
    WHERE organisation = ?1 AND id = ?2 AND is_active = 1";
const SHOWN: &str = "SELECT coalesce(shown, id) FROM hooks WHERE organisation = ?1 AND id = ?2";
const PUBLISHED: &str = "SELECT c.organisation, c.party FROM party_configs c
    JOIN organisations o ON o.id = c.organisation
    WHERE c.enrolled = 1 AND (o.closed_on IS NOT NULL OR EXISTS (SELECT 1 FROM declarations d
        WHERE d.organisation = c.organisation AND d.kind = 'party' AND d.id = c.party))
    ORDER BY c.organisation, c.party";

const REMOVED: &str = "SELECT id FROM removed_hooks
    WHERE organisation = ?1 AND party IS ?2 AND coalesce(shown, id) = ?3
    ORDER BY removed_on DESC LIMIT 1";

/// The words of the kinds in the table.
const HOOK: &str = "hook";
const PARTY: &str = "party";

fn pair(mut row: SqlRow) -> Result<(OrganisationId, String), Fault> {
    Ok((row.parsed("declared.organisation")?, row.text("declared.id")?))
}

fn close(
    tx: &mut Tx<'_>,
    declared: &Declared,
    (now, secrets): (Timestamp, &SecretBox),
) -> Result<Undeclared, Error> {
    let mut gone = Undeclared::default();
    for mut row in tx.query(OPEN, &[])? {
        let id: OrganisationId = row.parsed("organisations.id")?;
        if !declared.organisations.contains(&id) {
            for sql in [CLOSE, END_TOKENS[0], END_TOKENS[1]] {
                tx.execute(sql, &[id.as_str().into(), now.into()])?;
            }
            for mut row in tx.query(HOOKS, &[id.as_str().into()])? {
                hook_calls::stop(tx, &id, &row.parsed("hooks.id")?, now)?;
            }
            gone.organisations.push(id);
        }
    }
    for row in tx.query(CLIENTS, &[])? {
        let (organisation, client) = pair(row)?;
        if !declared.clients.contains(&client) {
            tx.execute(SWITCH_OFF, &[(&client).into(), now.into()])?;
            gone.clients.push((organisation, client));
        }
    }
    let hooks = keys(tx, declared)?;
    for row in tx.query(BEFORE, &[HOOK.into()])? {
        let hook = pair(row)?;
        if !hooks.contains_key(&hook) {
            let id = hook_off(tx, &hook, now)?;
            gone.hooks.push((hook.0, id));
        }
    }
    for row in tx.query(PUBLISHED, &[])? {
        let party = pair(row)?;
        if !declared.parties.contains_key(&party) {
            gone.parties.extend(parties::find(tx.connection(), &party.0, &party.1)?);
        }
    }
    for row in tx.query(BEFORE, &[PARTY.into()])? {
        let party = pair(row)?;
        if !declared.parties.contains_key(&party) {
            tx.execute(FORGET_SAID, &[party.0.as_str().into(), (&party.1).into()])?;
        }
    }
    for (kind, all) in [(HOOK, &hooks), (PARTY, &declared.parties)] {
        for ((organisation, id), said) in all {
            let place = place(organisation, kind, id);
            let said = said.as_ref().map(|said| secrets.seal(&place, said.reveal().as_bytes()));
            let said = said.transpose()?;
            let key = [organisation.as_str().into(), kind.into(), id.into()];
            tx.execute(DECLARE, &[key.as_slice(), &[said.as_deref().into()]].concat())?;
        }
    }
    Ok(gone)
}

/// What a sealed declaration is bound to.
fn place(organisation: &OrganisationId, kind: &str, id: &str) -> String {
    format!("declared {organisation} {kind} {id}")
}

/// What was said of something when it was last taken over. What was sealed with another key is not
/// known any more.
fn said(
    db: &mut dyn Connection,
    secrets: &SecretBox,
    (organisation, kind, id): (&OrganisationId, &str, &str),
) -> Result<Said, Fault> {
    let key = [organisation.as_str().into(), kind.into(), id.into()];
    let Some(mut row) = db.first(SAID, &key)? else { return Ok(None) };
    let Some(sealed) = row.blob_or_none("declarations.said")? else { return Ok(None) };
    let clear = secrets.open(&place(organisation, kind, id), &sealed).ok();
    Ok(clear.and_then(|clear| String::from_utf8(clear).ok()).map(Secret::new))
}

/// The keys of the hooks that are declared, with what is said of each.
fn keys(
    tx: &mut Tx<'_>,
    declared: &Declared,
) -> Result<BTreeMap<(OrganisationId, String), Said>, Fault> {
    let mut keys = BTreeMap::new();
    for ((organisation, scope, id), said) in &declared.hooks {
        let key = known_key(tx.connection(), organisation, scope, id)?;
        keys.extend(key.map(|key| ((organisation.clone(), key.as_str().to_owned()), said.clone())));
    }
    Ok(keys)
}

/// The key of a hook that is there, or that was removed over the interface.
fn known_key(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    scope: &HookScope,
    id: &HookId,
) -> Result<Option<HookId>, Fault> {
    if let Some(key) = hooks::key_of(db, organisation, scope, id)? {
        return Ok(Some(key));
    }
    let key = [organisation.as_str().into(), scope.party().into(), id.as_str().into()];
    db.first(REMOVED, &key)?.map(|mut row| row.parsed("removed_hooks.id")).transpose()
}

/// Switches the hook of a key off; answers its id.
fn hook_off(
    tx: &mut Tx<'_>,
    (organisation, key): &(OrganisationId, String),
    now: Timestamp,
) -> Result<String, Error> {
    let owner = organisation.as_str();
    tx.execute(FORGET, &[owner.into(), HOOK.into(), key.into()])?;
    let shown = tx.first(SHOWN, &[owner.into(), key.into()])?;
    let shown = shown.map(|mut row| row.text("hooks.shown")).transpose()?;
    if tx.execute(HOOK_OFF, &[owner.into(), key.into(), now.into()])? > 0
        && let Ok(key) = key.parse::<HookId>()
    {
        hook_calls::stop(tx, organisation, &key, now)?;
    }
    Ok(shown.unwrap_or_else(|| key.clone()))
}

impl Store {
    /// Switches off what the configuration declares no more, and remembers what it declares:
    /// clients and hooks are off, organisations closed. What is published stays so and is named,
    /// since somebody has to decide about it.
    pub async fn close_undeclared(
        &self,
        declared: Declared,
        now: Timestamp,
    ) -> Result<Undeclared, Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| close(tx, &declared, (now, &secrets))).await
    }

    /// What the configuration said of a hook when it was last taken over.
    pub async fn hook_said(
        &self,
        organisation: &OrganisationId,
        scope: &HookScope,
        id: &HookId,
    ) -> Result<Said, Error> {
        let (owner, scope, id) = (organisation.clone(), scope.clone(), id.clone());
        let secrets = self.secrets.clone();
        self.read(move |db| {
            let Some(key) = known_key(db, &owner, &scope, &id)? else { return Ok(None) };
            Ok(said(db, &secrets, (&owner, HOOK, key.as_str()))?)
        })
        .await
    }

    /// The same of a party, by its key.
    pub async fn party_said(
        &self,
        organisation: &OrganisationId,
        party: &str,
    ) -> Result<Said, Error> {
        let (owner, party) = (organisation.clone(), party.to_owned());
        let secrets = self.secrets.clone();
        self.read(move |db| Ok(said(db, &secrets, (&owner, PARTY, &party))?)).await
    }

    /// Takes over what the configuration says of a party: its name, its country and its
    /// identifiers beside those that it has, and what `change` publishes of it, in one commit.
    ///
    /// Errors: those of [`Store::change_party`].
    pub async fn declare_party(
        &self,
        party: PartyRecord,
        change: PartyChange,
    ) -> Result<PartyProfile, Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            let mut profile = enrolment::change_party(tx, &change, &secrets)?;
            let known = profile.party;
            let identifiers = enrolment::joined(&party.identifiers, &known.identifiers);
            profile.party = PartyRecord { identifiers, ..party };
            profile.party.id = known.id;
            parties::put(tx, &profile.party)?;
            Ok(profile)
        })
        .await
    }
}
