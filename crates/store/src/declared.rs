//! What the configuration declares, against what it declared before: what is declared no more is
//! switched off at the start, in one commit. Documents, parties and settings stay.

use std::collections::BTreeSet;

use jiff::Timestamp;
use quoin_delivery::{HookId, OrganisationId};

use crate::engine::SqlRow;
use crate::error::{Error, Fault};
use crate::hook_calls;
use crate::hooks::{self, HookScope};
use crate::open::Store;
use crate::parties::{self, PartyRecord};
use crate::writer::Tx;

/// What the configuration declares.
#[derive(Debug, Clone, Default)]
pub struct Declared {
    /// Organisations.
    pub organisations: BTreeSet<OrganisationId>,
    /// Clients by their names, which are unique.
    pub clients: BTreeSet<String>,
    /// Hooks.
    pub hooks: BTreeSet<(OrganisationId, HookScope, HookId)>,
    /// Parties by their keys.
    pub parties: BTreeSet<(OrganisationId, String)>,
}

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
const CLIENTS: &str =
    "SELECT organisation, client_id FROM clients WHERE declared = 1 ORDER BY client_id";
const SWITCH_OFF: &str = "UPDATE clients SET active = 0, declared = 0 WHERE client_id = ?1";
const BEFORE: &str =
    "SELECT organisation, id FROM declarations WHERE kind = ?1 ORDER BY organisation, id";
const DECLARE: &str = "INSERT INTO declarations (organisation, kind, id) VALUES (?1, ?2, ?3)
    ON CONFLICT DO NOTHING";
const FORGET: &str = "DELETE FROM declarations WHERE organisation = ?1 AND kind = ?2 AND id = ?3";
const HOOK_OFF: &str = "UPDATE hooks SET is_active = 0, changed_on = ?3
    WHERE organisation = ?1 AND id = ?2 AND is_active = 1";
const SHOWN: &str = "SELECT coalesce(shown, id) FROM hooks WHERE organisation = ?1 AND id = ?2";
const PUBLISHED: &str = "SELECT c.organisation, c.party FROM party_configs c
    JOIN organisations o ON o.id = c.organisation
    WHERE c.enrolled = 1 AND (o.closed_on IS NOT NULL OR EXISTS (SELECT 1 FROM declarations d
        WHERE d.organisation = c.organisation AND d.kind = 'party' AND d.id = c.party))
    ORDER BY c.organisation, c.party";

/// The words of the kinds in the table.
const HOOK: &str = "hook";
const PARTY: &str = "party";

fn pair(mut row: SqlRow) -> Result<(OrganisationId, String), Fault> {
    Ok((row.parsed("declared.organisation")?, row.text("declared.id")?))
}

fn close(tx: &mut Tx<'_>, declared: &Declared, now: Timestamp) -> Result<Undeclared, Error> {
    let mut gone = Undeclared::default();
    for mut row in tx.query(OPEN, &[])? {
        let id: OrganisationId = row.parsed("organisations.id")?;
        if !declared.organisations.contains(&id) {
            tx.execute(CLOSE, &[id.as_str().into(), now.into()])?;
            gone.organisations.push(id);
        }
    }
    for row in tx.query(CLIENTS, &[])? {
        let (organisation, client) = pair(row)?;
        if !declared.clients.contains(&client) {
            tx.execute(SWITCH_OFF, &[(&client).into()])?;
            gone.clients.push((organisation, client));
        }
    }
    let hooks = keys(tx, declared)?;
    for row in tx.query(BEFORE, &[HOOK.into()])? {
        let hook = pair(row)?;
        if !hooks.contains(&hook) {
            let id = hook_off(tx, &hook, now)?;
            gone.hooks.push((hook.0, id));
        }
    }
    for row in tx.query(PUBLISHED, &[])? {
        let party = pair(row)?;
        if !declared.parties.contains(&party) {
            gone.parties.extend(parties::find(tx.connection(), &party.0, &party.1)?);
        }
    }
    for (kind, all) in [(HOOK, &hooks), (PARTY, &declared.parties)] {
        for (organisation, id) in all {
            tx.execute(DECLARE, &[organisation.as_str().into(), kind.into(), id.into()])?;
        }
    }
    Ok(gone)
}

/// The keys of the hooks that are declared.
fn keys(tx: &mut Tx<'_>, declared: &Declared) -> Result<BTreeSet<(OrganisationId, String)>, Fault> {
    let mut keys = BTreeSet::new();
    for (organisation, scope, id) in &declared.hooks {
        let key = hooks::key_of(tx.connection(), organisation, scope, id)?;
        keys.extend(key.map(|key| (organisation.clone(), key.as_str().to_owned())));
    }
    Ok(keys)
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
        self.write(move |tx| close(tx, &declared, now)).await
    }
}
