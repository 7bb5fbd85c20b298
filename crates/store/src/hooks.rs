//! Hooks: who wants to be told what, and where (interface specification 2.4; conventions A9).

use aws_lc_rs::digest::{SHA256, digest};
use jiff::Timestamp;
use quoin_delivery::filter::Filter;
use quoin_delivery::hook::Kind;
use quoin_delivery::{ChannelHook, HookId, OrganisationId, Output, TopicPattern, channel};
use uuid::Builder;

use crate::engine::{Connection, Param, Row};
use crate::error::{Error, Fault};
use crate::events::json;
use crate::hook_calls;
use crate::open::Store;
use crate::removed;
use crate::secrets::{Secret, SecretBox};
use crate::writer::Tx;

/// Whose events a hook hears.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HookScope {
    /// Those of all parties of the organisation.
    Environment,
    /// Those of one party, `scheme:identifier` as its transactions carry it.
    Party(String),
}

impl HookScope {
    /// The party, if it is one.
    pub fn party(&self) -> Option<&str> {
        match self {
            HookScope::Environment => None,
            HookScope::Party(party) => Some(party),
        }
    }
}

/// A hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    /// The tenant.
    pub organisation: OrganisationId,
    /// Its id within its scope.
    pub id: HookId,
    /// The key by which the store knows it, unique in the tenant. The store gives it; what is
    /// handed in is not looked at.
    pub key: HookId,
    /// Whose events it hears.
    pub scope: HookScope,
    /// Its name for people.
    pub name: String,
    /// The destination, without its secret.
    pub action: String,
    /// The secrets calls are signed with: the newest first, a second one during rotation. Sealed at
    /// rest.
    pub secrets: Vec<Secret>,
    /// What it listens to.
    pub topics: Vec<TopicPattern>,
    /// What the end of its processing publishes, by status code.
    pub output: Vec<Output>,
    /// Topics it may publish besides.
    pub publish_topics: Vec<TopicPattern>,
    /// Under which condition it wants an event.
    pub filter: Option<Filter>,
    /// Its own configuration.
    pub init: serde_json::Value,
    /// Whether it is called.
    pub is_active: bool,
    /// When it was registered.
    pub created_on: Timestamp,
    /// When it last changed.
    pub changed_on: Timestamp,
    /// When the newest secret took the place of the one behind it, if it ever did.
    pub rotated_on: Option<Timestamp>,
    /// Since when it fails, if its last call failed. Kept by the calls themselves.
    pub failing_since: Option<Timestamp>,
}

const PUT: &str = "INSERT INTO hooks (organisation, id, party, name, action, secrets, topics,
    output, publish_topics, filter, init, is_active, created_on, changed_on, rotated_on, shown)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
    ON CONFLICT (organisation, id) DO UPDATE SET name = excluded.name,
    action = excluded.action, secrets = excluded.secrets, topics = excluded.topics,
    output = excluded.output, publish_topics = excluded.publish_topics,
    filter = excluded.filter, init = excluded.init, is_active = excluded.is_active,
    changed_on = excluded.changed_on, rotated_on = excluded.rotated_on, failing_since = NULL";
const KEY: &str = "SELECT id FROM hooks
    WHERE organisation = ?1 AND party IS ?2 AND coalesce(shown, id) = ?3";
const IS_THERE: &str = "SELECT 1 FROM hooks WHERE organisation = ?1 AND id = ?2";
const REMOVE: &str = "DELETE FROM hooks WHERE organisation = ?1 AND id = ?2";
const OF_PARTY: &str = "SELECT id FROM hooks WHERE organisation = ?1 AND party = ?2";
pub(crate) const DISABLE: &str = "UPDATE hooks SET is_active = 0, changed_on = ?3
    WHERE organisation = ?1 AND id = ?2";
const GET: &str =
    "SELECT organisation, id, coalesce(shown, id), party, name, action, secrets, topics, output,
    publish_topics, filter, init, is_active, created_on, changed_on, rotated_on,
    failing_since FROM hooks WHERE organisation = ?1 AND id = ?2";
const CHANNELS: &str =
    "SELECT id, coalesce(shown, id), party, action, topics, output, filter FROM hooks
    WHERE organisation = ?1 AND is_active = 1 AND (party IS NULL OR party = ?2)";
const LIST: &str =
    "SELECT organisation, id, coalesce(shown, id), party, name, action, secrets, topics, output,
    publish_topics, filter, init, is_active, created_on, changed_on, rotated_on,
    failing_since FROM hooks WHERE organisation = ?1 ORDER BY 3, party";

/// What the secrets of a hook are sealed for.
fn place(organisation: &OrganisationId, key: &HookId) -> String {
    format!("hook {organisation} {key}")
}

/// The key of a hook that is in no record yet: the id in the environment, where it is not taken by
/// an older hook of a party; else a UUID that follows from scope and id.
fn new_key(tx: &mut Tx<'_>, hook: &Hook) -> Result<HookId, Fault> {
    let owner = hook.organisation.as_str();
    let party = hook.scope.party();
    let taken = tx.first(IS_THERE, &[owner.into(), hook.id.as_str().into()])?.is_some();
    if party.is_none() && !taken {
        return Ok(hook.id.clone());
    }
    let text = [owner, party.unwrap_or_default(), hook.id.as_str()].join("\0");
    let mut bytes = [0; 16];
    for (to, from) in bytes.iter_mut().zip(digest(&SHA256, text.as_bytes()).as_ref()) {
        *to = *from;
    }
    let key = Builder::from_custom_bytes(bytes).into_uuid().to_string();
    key.parse().map_err(|error| Fault::record("hooks.id", error))
}

/// The key of a hook in its scope, if it is there.
pub(crate) fn key_of(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    scope: &HookScope,
    id: &HookId,
) -> Result<Option<HookId>, Fault> {
    let key = [organisation.as_str().into(), scope.party().into(), id.as_str().into()];
    db.first(KEY, &key)?.map(|mut row| row.parsed("hooks.id")).transpose()
}

fn read(mut row: Row, secrets: &SecretBox) -> Result<Hook, Fault> {
    let organisation: OrganisationId = row.parsed("hooks.organisation")?;
    let key: HookId = row.parsed("hooks.id")?;
    let id = row.parsed("hooks.shown")?;
    let party = row.text_or_none("hooks.party")?;
    let (name, action) = (row.text("hooks.name")?, row.text("hooks.action")?);
    let clear = secrets.open(&place(&organisation, &key), &row.blob("hooks.secrets")?)?;
    let clear: Vec<String> = serde_json::from_slice(&clear).map_err(|_| Fault::Secret)?;
    Ok(Hook {
        organisation,
        id,
        key,
        scope: party.map_or(HookScope::Environment, HookScope::Party),
        name,
        action,
        secrets: clear.into_iter().map(Secret::new).collect(),
        topics: row.json("hooks.topics")?,
        output: row.json("hooks.output")?,
        publish_topics: row.json("hooks.publish_topics")?,
        filter: filter(row.text_or_none("hooks.filter")?)?,
        init: row.json("hooks.init")?,
        is_active: row.yes("hooks.is_active")?,
        created_on: row.time("hooks.created_on")?,
        changed_on: row.time("hooks.changed_on")?,
        rotated_on: row.time_or_none("hooks.rotated_on")?,
        failing_since: row.time_or_none("hooks.failing_since")?,
    })
}

/// The filter of a hook.
pub(crate) fn filter(text: Option<String>) -> Result<Option<Filter>, Fault> {
    let Some(text) = text else { return Ok(None) };
    text.parse().map(Some).map_err(|_| Fault::record("hooks.filter", text))
}

fn channel(mut row: Row) -> Result<Option<ChannelHook>, Fault> {
    let (key, id) = (row.parsed("hooks.id")?, row.parsed("hooks.shown")?);
    let of_party = row.text_or_none("hooks.party")?.is_some();
    let kind = Kind::of(&row.text("hooks.action")?);
    let Some(kind) = kind.filter(|kind| channel::row(*kind).is_some()) else { return Ok(None) };
    let (topics, output) = (row.json("hooks.topics")?, row.json("hooks.output")?);
    let filter = filter(row.text_or_none("hooks.filter")?)?;
    Ok(Some(ChannelHook { id, key, of_party, kind, topics, output, filter }))
}

/// The hook of this key.
pub(crate) fn find(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    key: &HookId,
    secrets: &SecretBox,
) -> Result<Option<Hook>, Fault> {
    let row = db.first(GET, &[organisation.as_str().into(), key.as_str().into()])?;
    row.map(|row| read(row, secrets)).transpose()
}

/// Records a hook, or changes the one that has its id in its scope.
pub(crate) fn put(tx: &mut Tx<'_>, hook: &Hook, secrets: &SecretBox) -> Result<(), Error> {
    let known = key_of(tx.connection(), &hook.organisation, &hook.scope, &hook.id)?;
    let is_new = known.is_none();
    let key = match known {
        Some(key) => key,
        None => new_key(tx, hook)?,
    };
    let hook = &Hook { key, ..hook.clone() };
    write(tx, hook, secrets)?;
    let (owner, key, now) = (&hook.organisation, &hook.key, hook.changed_on);
    match (hook.is_active, is_new) {
        (false, _) => hook_calls::stop_all(tx, owner, key, now)?,
        (true, true) => removed::take_over(tx, hook, now)?,
        (true, false) => hook_calls::recover(tx, owner, key, now)?,
    }
    Ok(())
}

fn write(tx: &mut Tx<'_>, hook: &Hook, secrets: &SecretBox) -> Result<(), Error> {
    let clear: Vec<&str> = hook.secrets.iter().map(Secret::reveal).collect();
    let place = place(&hook.organisation, &hook.key);
    let sealed = secrets.seal(&place, json(&clear)?.as_bytes())?;
    let (topics, output) = (json(&hook.topics)?, json(&hook.output)?);
    let (publish, init) = (json(&hook.publish_topics)?, json(&hook.init)?);
    let shown = Some(hook.id.as_str()).filter(|id| *id != hook.key.as_str());
    let row = [
        hook.organisation.as_str().into(),
        hook.key.as_str().into(),
        hook.scope.party().into(),
        (&hook.name).into(),
        (&hook.action).into(),
        Param::Blob(&sealed),
        (&topics).into(),
        (&output).into(),
        (&publish).into(),
        hook.filter.as_ref().map(Filter::as_str).into(),
        (&init).into(),
        hook.is_active.into(),
        hook.created_on.into(),
        hook.changed_on.into(),
        hook.rotated_on.into(),
        shown.into(),
    ];
    tx.execute(PUT, &row)?;
    Ok(())
}

/// Removes the hooks of a party and stops the calls they are still owed.
pub(crate) fn remove_of_party(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    party: &str,
    now: Timestamp,
) -> Result<(), Error> {
    for mut row in tx.query(OF_PARTY, &[organisation.as_str().into(), party.into()])? {
        let id: HookId = row.parsed("hooks.id")?;
        let key = [organisation.as_str().into(), id.as_str().into()];
        removed::remember(tx, key, now)?;
        hook_calls::stop_all(tx, organisation, &id, now)?;
        tx.execute(REMOVE, &key)?;
    }
    Ok(())
}

impl Store {
    /// Records a hook, or changes it; its creation time then stays. Calls owed already are made
    /// with the new settings, at once; those of a hook that is switched off are stopped, and can be
    /// made again from its log. A new hook takes over what a removed one was owed.
    pub async fn put_hook(&self, hook: Hook) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| put(tx, &hook, &secrets)).await
    }

    /// The hook that has this id in a scope.
    pub async fn hook(
        &self,
        organisation: &OrganisationId,
        scope: &HookScope,
        id: &HookId,
    ) -> Result<Option<Hook>, Error> {
        let (owner, scope, id) = (organisation.clone(), scope.clone(), id.clone());
        let secrets = self.secrets.clone();
        self.read(move |db| {
            let Some(key) = key_of(db, &owner, &scope, &id)? else { return Ok(None) };
            Ok(find(db, &owner, &key, &secrets)?)
        })
        .await
    }

    /// The hook of this key.
    pub async fn hook_of_key(
        &self,
        organisation: &OrganisationId,
        key: &HookId,
    ) -> Result<Option<Hook>, Error> {
        let (owner, key, secrets) = (organisation.clone(), key.clone(), self.secrets.clone());
        self.read(move |db| Ok(find(db, &owner, &key, &secrets)?)).await
    }

    /// The hooks that can be channels of a party's documents.
    pub async fn channels_of(
        &self,
        organisation: &OrganisationId,
        party: &str,
    ) -> Result<Vec<ChannelHook>, Error> {
        let (owner, party) = (organisation.clone(), party.to_owned());
        self.read(move |db| {
            let rows = db.query(CHANNELS, &[owner.as_str().into(), (&party).into()])?;
            Ok(rows
                .into_iter()
                .filter_map(|row| channel(row).transpose())
                .collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The hooks of an organisation, of all scopes, by id.
    pub async fn hooks_of(&self, organisation: &OrganisationId) -> Result<Vec<Hook>, Error> {
        let (owner, secrets) = (organisation.clone(), self.secrets.clone());
        self.read(move |db| {
            let rows = db.query(LIST, &[owner.as_str().into()])?;
            Ok(rows.into_iter().map(|row| read(row, &secrets)).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Removes a hook and stops the calls it is still owed; its delivery log stays, and a hook that
    /// takes its place within a day is owed them. Answers whether there was one.
    pub async fn remove_hook(
        &self,
        organisation: &OrganisationId,
        scope: &HookScope,
        id: &HookId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let (owner, scope, id) = (organisation.clone(), scope.clone(), id.clone());
        self.write(move |tx| {
            let found = key_of(tx.connection(), &owner, &scope, &id)?;
            let Some(found) = found else { return Ok(false) };
            let key = [owner.as_str().into(), found.as_str().into()];
            removed::remember(tx, key, now)?;
            hook_calls::stop_all(tx, &owner, &found, now)?;
            Ok(tx.execute(REMOVE, &key)? > 0)
        })
        .await
    }
}
