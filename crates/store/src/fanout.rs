//! Recording an event, and who is owed it: the hooks that listen to it at that moment, and what
//! each of them gets.

mod collect;
mod later;

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::decision::SUBJECT;
use quoin_delivery::filter::Filter;
use quoin_delivery::hook::{ActionKind, DEPTH, PUBLISHED, SubscriptionMatch};
use quoin_delivery::{
    EventId, HookId, Notice, OrganisationId, TaskKind, Topic, TopicPattern, TransactionId, details,
    ids,
};
use uuid::Uuid;

use crate::engine::{SqlRow, json};
use crate::error::{Error, Fault};
use crate::events::EventSubject;
use crate::hooks;
use crate::open::Store;
use crate::parties;
use crate::tasks;
use crate::writer::Tx;

pub(crate) use collect::{SEAL_BATCH, collect_again, take_up};
pub(crate) use later::is_owed;

/// A hook as far as owing looks at it.
pub(crate) struct ListeningHook {
    pub(crate) hook: String,
    pub(crate) action: String,
    /// The newest event of all that was on record when it was made.
    after: EventId,
    kind: Option<ActionKind>,
    topics: Vec<TopicPattern>,
    filter: Option<Filter>,
}

/// The field of an event that names its party.
const PARTY: &str = "partyId";

const ADD_EVENT: &str =
    "INSERT INTO events (id, organisation, number, party, topic, transaction_id,
    document_id, origin, depth, message, details, created_on)
    SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
    FROM events WHERE organisation = ?2 RETURNING seq";

/// Of what no document is about, as far as it is among the newest.
const LATELY: &str = "SELECT count(*) FROM (SELECT document_id, depth FROM events
    WHERE organisation = ?1 ORDER BY number DESC LIMIT 1000) WHERE document_id = ?2 AND depth > 0";
const PUBLISHED_BEFORE: &str =
    "SELECT count(*) FROM events WHERE transaction_id = ?1 AND depth > 0";
const EARLIER: &str = "SELECT count(*) FROM events WHERE transaction_id = ?1 AND topic = ?2";

/// One that takes over what another one was owed comes to the event by itself.
const LISTENING: &str = "SELECT id, action, topics, filter, after_event FROM hooks
    WHERE organisation = ?1 AND is_active = 1 AND (party IS NULL OR party = ?2)
    AND NOT EXISTS (SELECT 1 FROM removed_hooks r
        WHERE r.organisation = ?1 AND r.taken_by = hooks.id)
    AND NOT EXISTS (SELECT 1 FROM organisations WHERE id = ?1 AND closed_on IS NOT NULL)";
const ONE: &str = "SELECT id, action, topics, filter, after_event FROM hooks
    WHERE organisation = ?1 AND id = ?2 AND is_active = 1";
const ADD: &str = "INSERT INTO hook_calls (id, organisation, hook, event, state, tries, next_on,
    batch, held, created_on, changed_on)
    VALUES (?1, ?2, ?3, ?4, 'pending', 0, ?5, NULL, 0, ?5, ?5)";

fn read(mut row: SqlRow) -> Result<ListeningHook, Fault> {
    let (hook, action) = (row.text("hooks.id")?, row.text("hooks.action")?);
    Ok(ListeningHook {
        hook,
        kind: ActionKind::of(&action),
        action,
        topics: row.json("hooks.topics")?,
        filter: hooks::filter(row.text_or_none("hooks.filter")?)?,
        after: EventId(row.integer("hooks.after_event")?),
    })
}

impl ListeningHook {
    /// Whether it collects what others are called for.
    pub(crate) fn collects(&self) -> bool {
        self.kind == Some(ActionKind::Batch)
    }

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

/// Records an event and the calls owed for it; those that are more than one commit records come
/// later. A command that no hook listens to is not recorded, unless a hook published it with its
/// outcome.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    subject: &EventSubject,
    notice: &Notice,
    now: Timestamp,
) -> Result<Option<EventId>, Error> {
    debug_assert!(
        notice.details.keys().all(|name| details::named(name).is_some()),
        "{:?} has a detail that quoin_delivery::details does not know",
        notice.details
    );
    let listeners = listeners(tx, subject, (notice.topic, &notice.details))?;
    if notice.topic.is_command() && !notice.is_output && listeners.is_empty() {
        return Ok(None);
    }
    let details = json(&notice.details)?;
    let id = id_of(tx, subject, notice.topic)?;
    let own = subject.document_id.as_str();
    let about = notice.details.get(SUBJECT).map_or(own, String::as_str);
    let row = [
        (&id).into(),
        subject.organisation.as_str().into(),
        (&subject.party).into(),
        notice.topic.as_str().into(),
        subject.transaction.as_ref().map(TransactionId::as_str).into(),
        about.into(),
        subject.origin.as_ref().map(HookId::as_str).into(),
        subject.depth.into(),
        (&notice.message).into(),
        (&details).into(),
        now.into(),
    ];
    let mut row = tx.first(ADD_EVENT, &row)?.ok_or_else(|| Fault::record("events", "nothing"))?;
    let event = EventId(row.integer("events.seq")?);
    if later::is_to_wait(tx, &subject.organisation, listeners.len())? {
        later::leave(tx, &subject.organisation, event, now)?;
    } else {
        for (listener, hearing) in &listeners {
            let call = ids::call_id(&id, &listener.hook).to_string();
            owe(tx, (listener, *hearing), (subject, notice.topic, event), &call, now)?;
        }
    }
    tx.told(&subject.organisation);
    Ok(Some(event))
}

/// Records what comes of telling a hook of an event. It is dropped where hooks keep telling each
/// other in a circle, and what they publish where they publish ever more about one document.
pub(crate) fn publish(
    tx: &mut Tx<'_>,
    subject: &EventSubject,
    notices: &[Notice],
    now: Timestamp,
) -> Result<(), Error> {
    if subject.depth > DEPTH {
        tracing::warn!(document = %subject.document_id, organisation = %subject.organisation,
            "hooks publish in a circle; what comes of this event is dropped");
        return Ok(());
    }
    let (outputs, own): (Vec<_>, Vec<_>) = notices.iter().partition(|notice| notice.is_output);
    for notice in own {
        add(tx, subject, notice, now)?;
    }
    if outputs.is_empty() {
        return Ok(());
    }
    let before = published_before(tx, subject)?;
    let room = usize::try_from(PUBLISHED.saturating_sub(before)).unwrap_or(usize::MAX);
    if room == 0 {
        return Ok(());
    }
    for notice in outputs.iter().take(room) {
        add(tx, subject, notice, now)?;
    }
    // Once: from now on there is no room.
    if room <= outputs.len() {
        tracing::warn!(document = %subject.document_id, organisation = %subject.organisation,
            "hooks have published {PUBLISHED} events about the document; others are dropped");
    }
    Ok(())
}

/// The id of a new event: what is told of a document again has the id that it had before.
fn id_of(tx: &mut Tx<'_>, subject: &EventSubject, topic: Topic) -> Result<String, Fault> {
    let Some(transaction) = &subject.transaction else { return Ok(Uuid::now_v7().to_string()) };
    let earlier = tx.first(EARLIER, &[transaction.as_str().into(), topic.as_str().into()])?;
    let earlier = earlier.map_or(Ok(0), |mut row| row.count("events.count"))?;
    Ok(ids::event_id(transaction, topic, earlier).to_string())
}

/// How many events hooks have published about a subject; of what no document is about, among the
/// newest.
fn published_before(tx: &mut Tx<'_>, subject: &EventSubject) -> Result<u64, Fault> {
    let row = match &subject.transaction {
        Some(transaction) => tx.first(PUBLISHED_BEFORE, &[transaction.as_str().into()])?,
        None => {
            let (owner, about) = (subject.organisation.as_str(), subject.document_id.as_str());
            tx.first(LATELY, &[owner.into(), about.into()])?
        }
    };
    row.map_or(Ok(0), |mut row| row.count("events.count"))
}

/// What the filters of some hooks can ask of an event: its details, and what stands beside them.
/// How its party is known to others is looked up only where one of them asks.
pub(crate) fn facts(
    tx: &mut Tx<'_>,
    hooks: &[ListeningHook],
    (subject, topic): (&EventSubject, Topic),
    details: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, Fault> {
    let mut facts = details.clone();
    let mut put = |name: &str, fact: String| {
        facts.entry(name.to_owned()).or_insert(fact);
    };
    put("topic", topic.as_str().to_owned());
    put("documentId", subject.document_id.as_str().to_owned());
    let filters = hooks.iter().filter_map(|hook| hook.filter.as_ref());
    if filters.into_iter().any(|filter| filter.compares(PARTY)) {
        put(PARTY, parties::main_of(tx.connection(), &subject.organisation, &subject.party)?);
    }
    Ok(facts)
}

/// The active hooks that listen to an event; never the one that published it.
pub(crate) fn listeners(
    tx: &mut Tx<'_>,
    subject: &EventSubject,
    (topic, details): (Topic, &BTreeMap<String, String>),
) -> Result<Vec<(ListeningHook, SubscriptionMatch)>, Fault> {
    let key = [subject.organisation.as_str().into(), (&subject.party).into()];
    let mut found = Vec::new();
    let rows = tx.query(LISTENING, &key)?;
    let hooks: Vec<ListeningHook> = rows.into_iter().map(read).collect::<Result<_, _>>()?;
    let facts = facts(tx, &hooks, (subject, topic), details)?;
    for listener in hooks {
        let hearing = listener.hears(topic, &facts);
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
) -> Result<Option<ListeningHook>, Fault> {
    tx.first(ONE, &[organisation.into(), hook.as_str().into()])?.map(read).transpose()
}

/// The lane of the calls of a hook about a party.
pub(crate) fn lane(organisation: &OrganisationId, hook: &str, party: &str) -> String {
    format!("hook {organisation} {hook} {party}")
}

/// Records what a hook gets of an event: a call of this id with its task, or a place in its batch.
pub(crate) fn owe(
    tx: &mut Tx<'_>,
    (listener, hearing): (&ListeningHook, SubscriptionMatch),
    (subject, topic, event): (&EventSubject, Topic, EventId),
    id: &str,
    now: Timestamp,
) -> Result<(), Fault> {
    let owner = &subject.organisation;
    let hook = &listener.hook;
    match hearing {
        SubscriptionMatch::Nothing => return Ok(()),
        SubscriptionMatch::Collect => {
            return collect::collect(tx, listener, (subject, topic, event), id, now);
        }
        SubscriptionMatch::Call => {}
    }
    tx.execute(ADD, &[id.into(), owner.as_str().into(), hook.into(), event.0.into(), now.into()])?;
    tasks::add_now(tx, TaskKind::Notify, id, now, Some(&lane(owner, hook, &subject.party)))
}

impl Store {
    /// Records an event that no step of a document leads to, with the calls that are owed for it.
    /// Answers its place, or `None` where it is a command that nobody listens to.
    pub async fn announce(
        &self,
        subject: EventSubject,
        notice: Notice,
        now: Timestamp,
    ) -> Result<Option<EventId>, Error> {
        self.write(move |tx| add(tx, &subject, &notice, now)).await
    }
}
