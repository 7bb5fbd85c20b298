//! Hooks: who wants to be told what, and where (interface specification 2.4; conventions A9).

use jiff::Timestamp;
use quoin_delivery::filter::Filter;
use quoin_delivery::{HookId, OrganisationId, Topic, TopicPattern};
use serde::{Deserialize, Serialize};

use crate::engine::{Connection, Param, Row};
use crate::error::{Error, Fault};
use crate::events::json;
use crate::hook_calls;
use crate::open::Store;
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

/// Which topic the end of a hook's own processing publishes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The status code, as text.
    pub when: String,
    /// The topic.
    pub topic: Topic,
}

/// A hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    /// The tenant.
    pub organisation: OrganisationId,
    /// Its id within the tenant.
    pub id: HookId,
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
    pub publish_topics: Vec<Topic>,
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
}

const PUT: &str = "INSERT INTO hooks (organisation, id, party, name, action, secrets, topics,
    output, publish_topics, filter, init, is_active, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
    ON CONFLICT (organisation, id) DO UPDATE SET party = excluded.party, name = excluded.name,
    action = excluded.action, secrets = excluded.secrets, topics = excluded.topics,
    output = excluded.output, publish_topics = excluded.publish_topics,
    filter = excluded.filter, init = excluded.init, is_active = excluded.is_active,
    changed_on = excluded.changed_on";
const REMOVE: &str = "DELETE FROM hooks WHERE organisation = ?1 AND id = ?2";
const OF_PARTY: &str = "SELECT id FROM hooks WHERE organisation = ?1 AND party = ?2";
pub(crate) const DISABLE: &str = "UPDATE hooks SET is_active = 0, changed_on = ?3
    WHERE organisation = ?1 AND id = ?2";
const GET: &str = "SELECT organisation, id, party, name, action, secrets, topics, output,
    publish_topics, filter, init, is_active, created_on, changed_on
    FROM hooks WHERE organisation = ?1 AND id = ?2";
const LIST: &str = "SELECT organisation, id, party, name, action, secrets, topics, output,
    publish_topics, filter, init, is_active, created_on, changed_on
    FROM hooks WHERE organisation = ?1 ORDER BY id";

fn place(organisation: &OrganisationId, id: &HookId) -> String {
    format!("hook {organisation} {id}")
}

fn read(mut row: Row, secrets: &SecretBox) -> Result<Hook, Fault> {
    let organisation: OrganisationId = row.parsed("hooks.organisation")?;
    let id: HookId = row.parsed("hooks.id")?;
    let party = row.text_or_none("hooks.party")?;
    let (name, action) = (row.text("hooks.name")?, row.text("hooks.action")?);
    let clear = secrets.open(&place(&organisation, &id), &row.blob("hooks.secrets")?)?;
    let clear: Vec<String> = serde_json::from_slice(&clear).map_err(|_| Fault::Secret)?;
    Ok(Hook {
        organisation,
        id,
        scope: party.map_or(HookScope::Environment, HookScope::Party),
        name,
        action,
        secrets: clear.into_iter().map(Secret::new).collect(),
        topics: row.json("hooks.topics")?,
        output: row.json("hooks.output")?,
        publish_topics: row.json("hooks.publish_topics")?,
        filter: match row.text_or_none("hooks.filter")? {
            Some(text) => Some(text.parse().map_err(|_| Fault::record("hooks.filter", text))?),
            None => None,
        },
        init: row.json("hooks.init")?,
        is_active: row.yes("hooks.is_active")?,
        created_on: row.time("hooks.created_on")?,
        changed_on: row.time("hooks.changed_on")?,
    })
}

pub(crate) fn find(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    id: &HookId,
    secrets: &SecretBox,
) -> Result<Option<Hook>, Fault> {
    let row = db.first(GET, &[organisation.as_str().into(), id.as_str().into()])?;
    row.map(|row| read(row, secrets)).transpose()
}

/// Records a hook, or changes it.
pub(crate) fn put(tx: &mut Tx<'_>, hook: &Hook, secrets: &SecretBox) -> Result<(), Error> {
    let clear: Vec<&str> = hook.secrets.iter().map(Secret::reveal).collect();
    let place = place(&hook.organisation, &hook.id);
    let sealed = secrets.seal(&place, json(&clear)?.as_bytes())?;
    let (topics, output) = (json(&hook.topics)?, json(&hook.output)?);
    let (publish, init) = (json(&hook.publish_topics)?, json(&hook.init)?);
    let party = match &hook.scope {
        HookScope::Environment => Param::Null,
        HookScope::Party(party) => party.into(),
    };
    let row = [
        hook.organisation.as_str().into(),
        hook.id.as_str().into(),
        party,
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
    ];
    tx.execute(PUT, &row)?;
    if !hook.is_active {
        hook_calls::stop_all(tx, &hook.organisation, &hook.id, hook.changed_on)?;
    }
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
        hook_calls::stop_all(tx, organisation, &id, now)?;
        tx.execute(REMOVE, &[organisation.as_str().into(), id.as_str().into()])?;
    }
    Ok(())
}

impl Store {
    /// Records a hook, or changes it; its creation time then stays. Calls owed already are made
    /// with the new settings; those of a hook that is switched off are stopped, and can be made
    /// again from its log.
    pub async fn put_hook(&self, hook: Hook) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| put(tx, &hook, &secrets)).await
    }

    /// The hook of this id.
    pub async fn hook(
        &self,
        organisation: &OrganisationId,
        id: &HookId,
    ) -> Result<Option<Hook>, Error> {
        let (owner, id, secrets) = (organisation.clone(), id.clone(), self.secrets.clone());
        self.read(move |db| Ok(find(db, &owner, &id, &secrets)?)).await
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

    /// Removes a hook and stops the calls it is still owed; its delivery log stays. Answers whether
    /// there was one.
    pub async fn remove_hook(
        &self,
        organisation: &OrganisationId,
        id: &HookId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let (owner, id) = (organisation.clone(), id.clone());
        self.write(move |tx| {
            hook_calls::stop_all(tx, &owner, &id, now)?;
            Ok(tx.execute(REMOVE, &[owner.as_str().into(), id.as_str().into()])? > 0)
        })
        .await
    }
}
