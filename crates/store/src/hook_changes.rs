//! Hooks made, changed and removed, and what becomes of the calls that they are owed.

mod removed;

use aws_lc_rs::digest::{SHA256, digest};
use jiff::Timestamp;
use quoin_delivery::filter::Filter;
use quoin_delivery::{HookId, OrganisationId};
use uuid::Builder;

use crate::engine::{Param, json};
use crate::error::{Error, Fault};
use crate::fanout;
use crate::hook_calls;
use crate::hooks::{self, Hook, HookScope, HookSecrets, find, key_of};
use crate::open::Store;
use crate::secrets::{Secret, SecretBox, hook_place};
use crate::writer::Tx;

const IS_WELL: &str = "SELECT 1 FROM hooks
    WHERE organisation = ?1 AND id = ?2 AND is_active = 1 AND failing_since IS NULL";
const PUT: &str = "INSERT INTO hooks (organisation, id, party, name, action, secrets, topics,
    output, publish_topics, filter, init, is_active, created_on, changed_on, rotated_on, shown,
    after_event)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
        (SELECT coalesce(max(seq), 0) FROM events))
    ON CONFLICT (organisation, id) DO UPDATE SET name = excluded.name,
    action = excluded.action, secrets = excluded.secrets, topics = excluded.topics,
    output = excluded.output, publish_topics = excluded.publish_topics,
    filter = excluded.filter, init = excluded.init, is_active = excluded.is_active,
    changed_on = excluded.changed_on, rotated_on = excluded.rotated_on, failing_since = NULL";
const IS_THERE: &str = "SELECT 1 FROM hooks WHERE organisation = ?1 AND id = ?2";
const REMOVE: &str = "DELETE FROM hooks WHERE organisation = ?1 AND id = ?2";
const OF_PARTY: &str = "SELECT id FROM hooks WHERE organisation = ?1 AND party = ?2";

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

/// Records a hook, or changes the one that has its id in its scope.
pub(crate) fn put(tx: &mut Tx<'_>, hook: &Hook, secrets: &SecretBox) -> Result<(), Error> {
    let known = key_of(tx.connection(), &hook.organisation, &hook.scope, &hook.id)?;
    let is_new = known.is_none();
    let key = match known {
        Some(key) => key,
        None => new_key(tx, hook)?,
    };
    let hook = &Hook { key, ..hook.clone() };
    let (owner, key, now) = (&hook.organisation, &hook.key, hook.changed_on);
    let was_well = tx.first(IS_WELL, &[owner.as_str().into(), key.as_str().into()])?.is_some();
    write(tx, hook, secrets)?;
    match (hook.is_active, is_new) {
        (false, _) => hook_calls::stop(tx, owner, key, now)?,
        // One that was made anew switched off is owed the same when it is switched on.
        (true, _) => removed::take_over(tx, (hook, is_new), now)?,
    }
    if hook.is_active && !is_new {
        fanout::take_up(tx, owner, key, now)?;
    }
    // Of one that is well nothing waits to be tried again.
    if hook.is_active && !was_well {
        hook_calls::recover(tx, owner, key, now)?;
    }
    Ok(())
}

fn write(tx: &mut Tx<'_>, hook: &Hook, secrets: &SecretBox) -> Result<(), Error> {
    let behind: Vec<&str> = hook.secrets.iter().map(Secret::reveal).collect();
    let init = hook.sealed.iter().map(|(name, secret)| (name.as_str(), secret.reveal()));
    let clear = match hook.sealed.is_empty() {
        true => json(&behind)?,
        false => json(&HookSecrets { behind, init: init.collect() })?,
    };
    let place = hook_place(&hook.organisation, &hook.key);
    let sealed = secrets.seal(&place, clear.as_bytes())?;
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
        tx.execute(REMOVE, &key)?;
        hook_calls::stop(tx, organisation, &id, now)?;
    }
    Ok(())
}

/// What came of a change of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookChange {
    /// It is recorded.
    Done,
    /// Another change came before it: nothing was changed, and the caller looks again.
    Moved,
    /// As many hooks are there as may: nothing was changed.
    Full,
}

impl Store {
    /// Records a hook, or changes it; its creation time then stays. Calls owed already are made
    /// with the new settings, at once; those of a hook that is switched off are stopped, and can be
    /// made again from its log. A new hook takes over what a removed one was owed.
    pub async fn put_hook(&self, hook: Hook) -> Result<(), Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| put(tx, &hook, &secrets)).await
    }

    /// As [`Store::put_hook`], where the hook on record is still the one that was read, or none
    /// still is; what calls note of it does not count. A new one finds a place among `most` of its
    /// scope.
    pub async fn change_hook(
        &self,
        before: Option<Hook>,
        hook: Hook,
        most: u64,
    ) -> Result<HookChange, Error> {
        let secrets = self.secrets.clone();
        self.write(move |tx| {
            let Hook { organisation, scope, id, .. } = &hook;
            let known = key_of(tx.connection(), organisation, scope, id)?;
            let known = match known {
                Some(key) => find(tx.connection(), organisation, &key, &secrets)?,
                None => None,
            };
            let noted = |hook: Hook| Hook { failing_since: None, ..hook };
            let is_new = known.is_none();
            if known.map(noted) != before.map(noted) {
                return Ok(HookChange::Moved);
            }
            if is_new && hooks::count(tx.connection(), organisation, scope)? >= most {
                return Ok(HookChange::Full);
            }
            put(tx, &hook, &secrets)?;
            Ok(HookChange::Done)
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
            let removed = tx.execute(REMOVE, &key)? > 0;
            hook_calls::stop(tx, &owner, &found, now)?;
            Ok(removed)
        })
        .await
    }
}
