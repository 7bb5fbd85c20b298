//! Who is owed an event: the hooks that listen to it, and what each of them gets.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::filter::Filter;
use quoin_delivery::hook::{Kind, SubscriptionMatch};
use quoin_delivery::{EventId, HookId, Notice, TaskKind, Topic, TopicPattern};

use crate::batches;
use crate::engine::Row;
use crate::error::Fault;
use crate::events::Subject;
use crate::hook_calls::lane;
use crate::hooks;
use crate::tasks;
use crate::writer::Tx;

/// A hook as far as owing looks at it.
pub(crate) struct Listener {
    pub(crate) hook: String,
    pub(crate) action: String,
    kind: Option<Kind>,
    topics: Vec<TopicPattern>,
    filter: Option<Filter>,
}

const LISTENING: &str = "SELECT id, action, topics, filter FROM hooks
    WHERE organisation = ?1 AND is_active = 1 AND (party IS NULL OR party = ?2)
    AND NOT EXISTS (SELECT 1 FROM organisations WHERE id = ?1 AND closed_on IS NOT NULL)";
const ONE: &str = "SELECT id, action, topics, filter FROM hooks
    WHERE organisation = ?1 AND id = ?2 AND is_active = 1";
const ADD: &str = "INSERT INTO hook_calls (id, organisation, hook, event, state, tries, next_on,
    batch, held, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, 'pending', 0, ?5, NULL, 0, ?5, ?5)";

fn read(mut row: Row) -> Result<Listener, Fault> {
    let (hook, action) = (row.text("hooks.id")?, row.text("hooks.action")?);
    Ok(Listener {
        hook,
        kind: Kind::of(&action),
        action,
        topics: row.json("hooks.topics")?,
        filter: hooks::filter(row.text_or_none("hooks.filter")?)?,
    })
}

impl Listener {
    /// What an event is to it.
    pub(crate) fn hears(
        &self,
        topic: Topic,
        details: &BTreeMap<String, String>,
    ) -> SubscriptionMatch {
        let Some(kind) = self.kind else { return SubscriptionMatch::Nothing };
        let wanted = self.filter.as_ref().is_none_or(|filter| filter.wants(details));
        // A question whether hooks are reached passes every filter.
        if !wanted && topic != Topic::PING {
            return SubscriptionMatch::Nothing;
        }
        kind.hears(&self.topics, topic)
    }
}

/// What a filter can ask of an event: its details, and what stands beside them.
pub(crate) fn facts(
    subject: &Subject,
    topic: Topic,
    details: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut facts = details.clone();
    for (name, fact) in [
        ("topic", topic.as_str()),
        ("partyId", subject.party.as_str()),
        ("documentId", subject.document_id.as_str()),
    ] {
        facts.entry(name.to_owned()).or_insert_with(|| fact.to_owned());
    }
    facts
}

/// The active hooks that listen to an event; never the one that published it.
pub(crate) fn listeners(
    tx: &mut Tx<'_>,
    subject: &Subject,
    notice: &Notice,
) -> Result<Vec<(Listener, SubscriptionMatch)>, Fault> {
    let key = [subject.organisation.as_str().into(), (&subject.party).into()];
    let mut found = Vec::new();
    let facts = facts(subject, notice.topic, &notice.details);
    for row in tx.query(LISTENING, &key)? {
        let listener = read(row)?;
        let hearing = listener.hears(notice.topic, &facts);
        let own = subject.origin.as_ref().is_some_and(|hook| hook.as_str() == listener.hook);
        if hearing != SubscriptionMatch::Nothing && !own {
            found.push((listener, hearing));
        }
    }
    Ok(found)
}

/// The active hook of this key.
pub(crate) fn listener(
    tx: &mut Tx<'_>,
    organisation: &str,
    hook: &HookId,
) -> Result<Option<Listener>, Fault> {
    tx.first(ONE, &[organisation.into(), hook.as_str().into()])?.map(read).transpose()
}

/// Records what a hook gets of an event: a call of this id with its task, or a place in its batch.
pub(crate) fn owe(
    tx: &mut Tx<'_>,
    (listener, hearing): (&Listener, SubscriptionMatch),
    (subject, topic, event): (&Subject, Topic, EventId),
    id: &str,
    now: Timestamp,
) -> Result<(), Fault> {
    let owner = &subject.organisation;
    let hook = &listener.hook;
    match hearing {
        SubscriptionMatch::Nothing => return Ok(()),
        SubscriptionMatch::Collect => {
            return batches::collect(tx, listener, (subject, topic, event), id, now);
        }
        SubscriptionMatch::Call => {}
    }
    tx.execute(ADD, &[id.into(), owner.as_str().into(), hook.into(), event.0.into(), now.into()])?;
    tasks::add(tx, TaskKind::Notify, id, now, Some(&lane(owner, hook, &subject.party)))
}
