//! Hooks: who wants to be told what, and where (interface specification 2.4; conventions A9). How
//! they are made, changed and removed is in `hook_changes`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::filter::Filter;
use quoin_delivery::hook::{ActionKind, KindRow, kinds};
use quoin_delivery::{ChannelHook, HookId, OrganisationId, Output, TopicPattern, channel};
use serde::{Deserialize, Serialize};

use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::remembered::{KeptAnswers, KeptQuestion, key};
use crate::secrets::{Secret, SecretBox, hook_place};

/// Whose events a hook hears.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HookScope {
    /// Those of all parties of the organisation.
    Environment,
    /// Those of the party of this key.
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
    /// Its own configuration; in place of a value that is sealed there are stars.
    pub init: serde_json::Value,
    /// The values of `init` that are secrets, by their names. Sealed at rest.
    pub sealed: BTreeMap<String, Secret>,
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

/// Hooks with everything that [`read`] reads.
macro_rules! hooks {
    ($rest:literal) => {
        concat!(
            "SELECT organisation, id, coalesce(shown, id), party, name, action, secrets, topics, ",
            "output, publish_topics, filter, init, is_active, created_on, changed_on, rotated_on, ",
            "failing_since FROM hooks ",
            $rest
        )
    };
}

const KEY: &str = "SELECT id FROM hooks
    WHERE organisation = ?1 AND party IS ?2 AND coalesce(shown, id) = ?3";
pub(crate) const DISABLE: &str = "UPDATE hooks SET is_active = 0, changed_on = ?3
    WHERE organisation = ?1 AND id = ?2";
const GET: &str = hooks!("WHERE organisation = ?1 AND id = ?2");
const OF_PARTY: KeptQuestion<Vec<ChannelHook>> =
    KeptQuestion::of("channels of a party", &["hooks"], 10_000);
/// Hooks by organisation and key.
pub(crate) const HOOK: KeptQuestion<Option<Hook>> = KeptQuestion::of("hook", &["hooks"], 10_000);
const CHANNELS: &str =
    "SELECT id, coalesce(shown, id), party, action, topics, output, filter FROM hooks
    WHERE organisation = ?1 AND is_active = 1 AND (party IS NULL OR party = ?2)";
const LIST: &str = hooks!("WHERE organisation = ?1 ORDER BY 3, party");

const NAMED: &str = hooks!("WHERE organisation = ?1 AND coalesce(shown, id) = ?2 ORDER BY party");

const IN_SCOPE: &str = hooks!("WHERE organisation = ?1 AND coalesce(party, '') = ?2 ORDER BY 3");
const BYTES: &str = "SELECT coalesce(sum(500 + octet_length(name) + octet_length(action)
        + octet_length(secrets) + octet_length(topics) + octet_length(output)
        + octet_length(publish_topics) + coalesce(octet_length(filter), 0)
        + octet_length(init)), 0)
    FROM hooks WHERE organisation = ?1 AND coalesce(party, '') = ?2";

const POLLED: &str = hooks!(
    "WHERE is_active = 1 AND party IS NOT NULL AND substr(action, 1, ?1) = ?2
    AND NOT EXISTS (SELECT 1 FROM organisations o
        WHERE o.id = hooks.organisation AND o.closed_on IS NOT NULL)"
);

const COUNT: &str = "SELECT count(*) FROM hooks WHERE organisation = ?1 AND party IS ?2";

/// How many hooks there are of a scope.
pub(crate) fn count(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    scope: &HookScope,
) -> Result<u64, Fault> {
    let party = match scope {
        HookScope::Environment => None,
        HookScope::Party(party) => Some(party),
    };
    let found = db.first(COUNT, &[organisation.as_str().into(), party.into()])?;
    Ok(found.map(|mut row| row.count("hooks.count")).transpose()?.unwrap_or(0))
}

/// What is sealed of a hook.
#[derive(Serialize, Deserialize)]
pub(crate) struct HookSecrets<S: Ord> {
    /// What stands behind `#`, the newest first.
    pub behind: Vec<S>,
    /// Values of `init` by name.
    pub init: BTreeMap<S, S>,
}

impl HookSecrets<String> {
    /// What was sealed: an object, or as long as only secrets behind `#` are there, a list.
    fn read(clear: &[u8]) -> Result<HookSecrets<String>, Fault> {
        let secret = |_| Fault::Secret;
        match clear.first() {
            Some(b'[') => {
                let behind = serde_json::from_slice(clear).map_err(secret)?;
                Ok(HookSecrets { behind, init: BTreeMap::new() })
            }
            _ => serde_json::from_slice(clear).map_err(secret),
        }
    }
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

fn read(mut row: SqlRow, secrets: &SecretBox) -> Result<Hook, Fault> {
    let organisation: OrganisationId = row.parsed("hooks.organisation")?;
    let key: HookId = row.parsed("hooks.id")?;
    let id = row.parsed("hooks.shown")?;
    let party = row.text_or_none("hooks.party")?;
    let (name, action) = (row.text("hooks.name")?, row.text("hooks.action")?);
    let clear = secrets.open(&hook_place(&organisation, &key), &row.blob("hooks.secrets")?)?;
    let clear = HookSecrets::read(&clear)?;
    Ok(Hook {
        organisation,
        id,
        key,
        scope: party.map_or(HookScope::Environment, HookScope::Party),
        name,
        action,
        secrets: clear.behind.into_iter().map(Secret::new).collect(),
        topics: row.json("hooks.topics")?,
        output: row.json("hooks.output")?,
        publish_topics: row.json("hooks.publish_topics")?,
        filter: filter(row.text_or_none("hooks.filter")?)?,
        init: row.json("hooks.init")?,
        sealed: clear.init.into_iter().map(|(name, clear)| (name, Secret::new(clear))).collect(),
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

fn channel(mut row: SqlRow) -> Result<Option<ChannelHook>, Fault> {
    let (key, id) = (row.parsed("hooks.id")?, row.parsed("hooks.shown")?);
    let of_party = row.text_or_none("hooks.party")?.is_some();
    let kind = ActionKind::of(&row.text("hooks.action")?);
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

/// As [`find`], where it is not kept; `count` is that of [`HOOK`] from before the reading began.
pub(crate) fn recall(
    db: &mut dyn Connection,
    (organisation, hook): (&OrganisationId, &HookId),
    secrets: &SecretBox,
    (kept, count): (&KeptAnswers, u64),
) -> Result<Option<Hook>, Fault> {
    let key = key([organisation.as_str(), hook.as_str()]);
    kept.or_read(&HOOK, key, count, || find(db, organisation, hook, secrets))
}

impl Store {
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
        let key = key([organisation.as_str(), party]);
        let (owner, party) = (organisation.clone(), party.to_owned());
        self.recalled(&OF_PARTY, key, move |db| {
            let rows = db.query(CHANNELS, &[owner.as_str().into(), (&party).into()])?;
            Ok(rows
                .into_iter()
                .filter_map(|row| channel(row).transpose())
                .collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The active hooks of all organisations that are places where documents to send are looked
    /// for.
    pub async fn polled_hooks(&self) -> Result<Vec<Hook>, Error> {
        self.hooks_of_kinds(|kind| kind.is_polled).await
    }

    /// The active hooks of all organisations that are authorities, which register the invoices of
    /// their parties.
    pub async fn clearing_hooks(&self) -> Result<Vec<Hook>, Error> {
        self.hooks_of_kinds(|kind| kind.clears).await
    }

    async fn hooks_of_kinds(&self, is_one: fn(&KindRow) -> bool) -> Result<Vec<Hook>, Error> {
        let secrets = self.secrets.clone();
        self.read(move |db| {
            let mut found = Vec::new();
            for kind in kinds().filter(|kind| is_one(kind)) {
                let length = i64::try_from(kind.prefix.len()).unwrap_or(i64::MAX);
                let rows = db.query(POLLED, &[length.into(), kind.prefix.into()])?;
                for row in rows {
                    found.push(read(row, &secrets)?);
                }
            }
            Ok(found)
        })
        .await
    }

    /// How many hooks there are in one scope of an organisation.
    pub async fn count_hooks(
        &self,
        organisation: &OrganisationId,
        scope: &HookScope,
    ) -> Result<u64, Error> {
        let (owner, scope) = (organisation.clone(), scope.clone());
        self.read(move |db| Ok(count(db, &owner, &scope)?)).await
    }

    /// The hooks of an organisation that have an id, each in a scope of its own. Of others nothing
    /// is read.
    pub async fn hooks_named(
        &self,
        organisation: &OrganisationId,
        id: &HookId,
    ) -> Result<Vec<Hook>, Error> {
        let (owner, id, secrets) = (organisation.clone(), id.clone(), self.secrets.clone());
        self.read(move |db| {
            let rows = db.query(NAMED, &[owner.as_str().into(), id.as_str().into()])?;
            Ok(rows.into_iter().map(|row| read(row, &secrets)).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The hooks of one scope of an organisation, by id.
    pub async fn hooks_in(
        &self,
        organisation: &OrganisationId,
        scope: &HookScope,
    ) -> Result<Vec<Hook>, Error> {
        let (owner, scope) = (organisation.clone(), scope.clone());
        let secrets = self.secrets.clone();
        self.read(move |db| {
            let key = [owner.as_str().into(), scope.party().unwrap_or_default().into()];
            let rows = db.query(IN_SCOPE, &key)?;
            Ok(rows.into_iter().map(|row| read(row, &secrets)).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// How many bytes the hooks of one scope have on record, about.
    pub async fn hook_bytes(
        &self,
        organisation: &OrganisationId,
        scope: &HookScope,
    ) -> Result<u64, Error> {
        let (owner, scope) = (organisation.clone(), scope.clone());
        self.read(move |db| {
            let key = [owner.as_str().into(), scope.party().unwrap_or_default().into()];
            let found = db.first(BYTES, &key)?;
            Ok(found.map(|mut row| row.count("hooks.bytes")).transpose()?.unwrap_or(0))
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
}
