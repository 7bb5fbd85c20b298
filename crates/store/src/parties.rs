//! Parties: whom an organisation sends and receives for. A party has several identifiers, and an
//! identifier has one party in its organisation (interface specification 2.1).

use jiff::Timestamp;
use quoin_delivery::OrganisationId;
use quoin_delivery::channel::CHANNELS;
use quoin_delivery::ids::NAME_LIMIT;

use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault, Refusal, cut_to};
use crate::open::Store;
use crate::remembered::{KeptQuestion, key};
use crate::writer::Tx;

/// A party of an organisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartyRecord {
    /// Its key: a text that is the same for ever, and no other party of its organisation has. Most
    /// look like the identifier with which the party was recorded, which it may have lost since and
    /// somebody else may have by now: whoever names a party to others names [`PartyRecord::main`],
    /// and whoever has a key asks [`Store::party`].
    pub id: String,
    /// Its tenant.
    pub organisation: OrganisationId,
    /// Identifiers in the canonical form `scheme:identifier` (numeric scheme), the first one first.
    pub identifiers: Vec<String>,
    /// Its name for people.
    pub name: String,
    /// ISO 3166-1 alpha-2 code of its country, or nothing where it is not known.
    pub country: String,
    /// When it was recorded.
    pub created_on: Timestamp,
}

impl PartyRecord {
    /// The identifier by which it is known to others: the one that it was recorded with, as that
    /// was written, for as long as it has it; and then its first one, as registers print it.
    pub fn main(&self) -> String {
        let is_own = |identifier: &String| self.id.eq_ignore_ascii_case(identifier);
        match self.identifiers.first() {
            Some(first) if !self.identifiers.iter().any(is_own) => first.to_ascii_uppercase(),
            _ => self.id.clone(),
        }
    }
}

const PUT: &str = "INSERT INTO parties (id, organisation, name, country, created_on)
    VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (organisation, id) DO UPDATE SET name = excluded.name, country = excluded.country";
const DROP_IDENTIFIERS: &str =
    "DELETE FROM party_identifiers WHERE organisation = ?1 AND party = ?2";
const PUT_IDENTIFIER: &str = "INSERT INTO party_identifiers
    (organisation, identifier, party, position)
    VALUES (?1, ?2, ?3, ?4) ON CONFLICT (organisation, identifier) DO NOTHING";
const BY_IDENTIFIER: &str = "SELECT p.id, p.organisation, p.name, p.country, p.created_on
    FROM party_identifiers i JOIN parties p ON p.organisation = i.organisation AND p.id = i.party
    WHERE i.organisation = ?1 AND i.identifier = ?2";
const OF_IDENTIFIER: KeptQuestion<Option<PartyRecord>> =
    KeptQuestion::of("party of an identifier", &["parties", "party_identifiers"], 10_000);
const OF_KEY: KeptQuestion<Option<PartyRecord>> =
    KeptQuestion::of("party of a key", &["parties", "party_identifiers"], 10_000);
const GET: &str = "SELECT id, organisation, name, country, created_on
    FROM parties WHERE organisation = ?1 AND id = ?2";
const OF: &str = "SELECT id, organisation, name, country, created_on
    FROM parties WHERE organisation = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
const IDENTIFIERS: &str = "SELECT identifier FROM party_identifiers
    WHERE organisation = ?1 AND party = ?2 ORDER BY position";
/// What a party is, by which the change of another one may be refused.
const JOIN: [&str; 4] = [
    "UPDATE hooks SET party = ?3 WHERE organisation = ?1 AND party = ?2",
    "UPDATE verifications SET party = ?3 WHERE organisation = ?1 AND party = ?2",
    // Links go with their party: they are no rights on what the other has. What holds somebody back
    // who acts for all parties holds it from the other, too.
    "INSERT INTO permissions (organisation, account, party, can_send, can_receive, can_remove,
        can_manage_hook, can_change_status)
        SELECT m.organisation, m.account, ?3, m.can_send, m.can_receive, m.can_remove,
        m.can_manage_hook, m.can_change_status FROM permissions m
        JOIN clients c ON c.client_id = m.account AND c.organisation = m.organisation
        WHERE m.organisation = ?1 AND m.party = ?2 AND c.all_parties = 1 AND min(m.can_send,
            m.can_receive, m.can_remove, m.can_manage_hook, m.can_change_status) = 0
        ON CONFLICT (organisation, account, party) DO UPDATE SET
        can_send = min(can_send, excluded.can_send),
        can_receive = min(can_receive, excluded.can_receive),
        can_remove = min(can_remove, excluded.can_remove),
        can_manage_hook = min(can_manage_hook, excluded.can_manage_hook),
        can_change_status = min(can_change_status, excluded.can_change_status)",
    "UPDATE removed_hooks SET party = ?3 WHERE organisation = ?1 AND party = ?2",
];
/// What a party did: as much as it did.
const ABSORB: [&str; 13] = [
    "UPDATE transactions SET party = ?3
        WHERE organisation = ?1 AND party = ?2 AND deleted_on IS NULL",
    "UPDATE transactions SET party = ?3
        WHERE organisation = ?1 AND party = ?2 AND deleted_on IS NOT NULL",
    "UPDATE events SET party = ?3 WHERE organisation = ?1 AND party = ?2",
    // Of a hook of the environment both may have an open batch: the one takes no more.
    "UPDATE batches INDEXED BY batches_of_party SET state = 'sealed'
        WHERE organisation = ?1 AND party = ?2 AND state = 'open' AND EXISTS (
            SELECT 1 FROM batches o WHERE o.organisation = ?1 AND o.hook = batches.hook
            AND o.party = ?3 AND o.topic = batches.topic AND o.state = 'open')",
    "UPDATE batches SET party = ?3 WHERE organisation = ?1 AND party = ?2",
    "UPDATE clearance_batches INDEXED BY clearance_batches_of_party SET state = 'closed'
        WHERE organisation = ?1 AND party = ?2 AND state = 'open' AND EXISTS (
            SELECT 1 FROM clearance_batches o WHERE o.organisation = ?1
            AND o.hook = clearance_batches.hook AND o.party = ?3
            AND o.offline = clearance_batches.offline AND o.state = 'open')",
    "UPDATE clearances SET party = ?3 WHERE batch IN
        (SELECT id FROM clearance_batches WHERE organisation = ?1 AND party = ?2)",
    "UPDATE clearance_batches SET party = ?3 WHERE organisation = ?1 AND party = ?2",
    "UPDATE tax_reports SET party = ?3 WHERE organisation = ?1 AND party = ?2",
    "UPDATE OR IGNORE tax_switches SET party = ?3 WHERE organisation = ?1 AND party = ?2",
    "DELETE FROM tax_switches WHERE organisation = ?1 AND party = ?2 AND party <> ?3",
    "UPDATE OR IGNORE purchases SET party = ?3 WHERE organisation = ?1 AND party = ?2",
    // The key of a package is sealed for its party: what it holds is asked for once more.
    "UPDATE OR IGNORE purchase_questions SET party = ?3, package = NULL, memory = NULL
        WHERE organisation = ?1 AND party = ?2",
];
/// Hooks of a party whose ids another one has, too.
const OF_ONE_ID: &str = "SELECT g.id, coalesce(g.shown, g.id) FROM hooks g
    JOIN hooks o ON o.organisation = g.organisation AND o.party = ?3
    AND coalesce(o.shown, o.id) = coalesce(g.shown, g.id)
    WHERE g.organisation = ?1 AND g.party = ?2";
const IS_SHOWN: &str = "SELECT 1 FROM hooks
    WHERE organisation = ?1 AND party IN (?2, ?3) AND coalesce(shown, id) = ?4";
const SHOW: &str = "UPDATE hooks SET shown = ?3 WHERE organisation = ?1 AND id = ?2";
const DROP_HOOK: &str = "DELETE FROM hooks WHERE organisation = ?1 AND id = ?2";
const TO_CHANNEL: &str = "UPDATE transactions SET channel = ?4
    WHERE organisation = ?1 AND party = ?2 AND channel = ?3 AND deleted_on IS NULL";
const REMOVE: &str = "DELETE FROM parties WHERE id = ?1 AND organisation = ?2";

fn read(db: &mut dyn Connection, mut row: SqlRow) -> Result<PartyRecord, Fault> {
    let id = row.text("parties.id")?;
    let organisation: OrganisationId = row.parsed("parties.organisation")?;
    let identifiers = db
        .query(IDENTIFIERS, &[organisation.as_str().into(), (&id).into()])?
        .into_iter()
        .map(|mut row| row.text("party_identifiers.identifier"))
        .collect::<Result<_, _>>()?;
    Ok(PartyRecord {
        id,
        organisation,
        identifiers,
        name: row.text("parties.name")?,
        country: row.text("parties.country")?,
        created_on: row.time("parties.created_on")?,
    })
}

pub(crate) fn find(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    id: &str,
) -> Result<Option<PartyRecord>, Fault> {
    let row = db.first(GET, &[organisation.as_str().into(), id.into()])?;
    row.map(|row| read(db, row)).transpose()
}

pub(crate) fn of_identifier(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    identifier: &str,
) -> Result<Option<PartyRecord>, Fault> {
    let row = db.first(BY_IDENTIFIER, &[organisation.as_str().into(), identifier.into()])?;
    row.map(|row| read(db, row)).transpose()
}

/// The identifier by which the party of a key is known to others; where there is none, the key.
pub(crate) fn main_of(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    id: &str,
) -> Result<String, Fault> {
    Ok(find(db, organisation, id)?.map_or_else(|| id.to_owned(), |party| party.main()))
}

/// The keys that a new party may have, in the order in which they are tried: what is wished, and
/// then the same with a number, which is no identifier.
fn keys(wished: &str) -> impl Iterator<Item = String> {
    let numbered = (2_u64..).map(move |number| format!("{wished}({number})"));
    std::iter::once(wished.to_owned()).chain(numbered)
}

/// The key of a new party, which no other one has. What was the key of a party that became part of
/// another one may be in the hands of somebody who records something of that party: while this
/// process runs, it is none of a new one.
pub(crate) fn new_key(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    wished: &str,
) -> Result<String, Fault> {
    for key in keys(wished) {
        let is_gone = tx.absorbed().kept(organisation, &key).is_some();
        if !is_gone && find(tx.connection(), organisation, &key)?.is_none() {
            return Ok(key);
        }
    }
    Err(Fault::record("parties.id", wished))
}

pub(crate) fn put(tx: &mut Tx<'_>, party: &PartyRecord) -> Result<(), Error> {
    let PartyRecord { id, organisation, identifiers, name, country, created_on } = party;
    let row = [
        id.into(),
        organisation.as_str().into(),
        name.into(),
        country.into(),
        (*created_on).into(),
    ];
    tx.execute(PUT, &row)?;
    tx.execute(DROP_IDENTIFIERS, &[organisation.as_str().into(), id.into()])?;
    for (position, identifier) in (0i64..).zip(identifiers) {
        let row = [organisation.as_str().into(), identifier.into(), id.into(), position.into()];
        if tx.execute(PUT_IDENTIFIER, &row)? == 0 {
            let key = identifier.clone();
            return Err(Refusal::Taken { what: "identifier", key }.into());
        }
        tx.touch(identifier);
    }
    Ok(())
}

/// Begins to make a party that has no identifier left part of another one of its organisation: its
/// hooks and the record of who verified it are the other's from now on. Its links end: who had
/// rights on it has none on the other by them. [`absorb`] does the rest.
pub(crate) fn join(tx: &mut Tx<'_>, party: &PartyRecord, gone: &str) -> Result<(), Error> {
    let owner = party.organisation.as_str();
    // The other may be new: what refers to it needs its row.
    let PartyRecord { id, name, country, created_on, .. } = party;
    tx.execute(PUT, &[id.into(), owner.into(), name.into(), country.into(), (*created_on).into()])?;
    tx.execute(DROP_IDENTIFIERS, &[owner.into(), gone.into()])?;
    show_apart(tx, owner, (gone, id))?;
    for sql in JOIN {
        tx.execute(sql, &[owner.into(), gone.into(), id.into()])?;
    }
    Ok(())
}

/// Ends what [`join`] began: the documents and events of the party, and what is under way with
/// authorities, are the other's. It takes as long as there are documents, so that it comes last,
/// when nothing is refused any more.
pub(crate) fn absorb(tx: &mut Tx<'_>, party: &PartyRecord, gone: &str) -> Result<(), Error> {
    let owner = party.organisation.as_str();
    for sql in ABSORB {
        tx.execute(sql, &[owner.into(), gone.into(), (&party.id).into()])?;
    }
    tx.execute(REMOVE, &[gone.into(), owner.into()])?;
    tx.absorbed().note(&party.organisation, gone, &party.id);
    Ok(())
}

/// Gives hooks of a party that becomes part of another one ids of their own, where that one has
/// hooks of the same ids: both go on hearing what they hear, `erp` as `erp` and `erp-2`. What was
/// given to a channel by name goes there under its new one. Of a channel that has one id alone
/// there is one: that of the party that stays.
fn show_apart(tx: &mut Tx<'_>, owner: &str, (gone, kept): (&str, &str)) -> Result<(), Error> {
    let [organisation, gone, kept] = [owner.into(), gone.into(), kept.into()];
    for mut row in tx.query(OF_ONE_ID, &[organisation, gone, kept])? {
        let (key, shown) = (row.text("hooks.id")?, row.text("hooks.shown")?);
        if CHANNELS.iter().any(|channel| channel.id == Some(&shown)) {
            tx.execute(DROP_HOOK, &[organisation, (&key).into()])?;
            continue;
        }
        let mut number = 2_u32;
        let new = loop {
            let ending = format!("-{number}");
            let start = cut_to(&shown, NAME_LIMIT.saturating_sub(ending.len()));
            let new = start + &ending;
            if tx.first(IS_SHOWN, &[organisation, gone, kept, (&new).into()])?.is_none() {
                break new;
            }
            number = number.saturating_add(1);
        };
        tx.execute(SHOW, &[organisation, (&key).into(), (&new).into()])?;
        tx.execute(TO_CHANNEL, &[organisation, gone, (&shown).into(), (&new).into()])?;
        tracing::info!(organisation = owner, hook = shown, new, "two parties had it and are one");
    }
    Ok(())
}

impl Store {
    /// Records a party with all its identifiers, in place of what was known of it.
    ///
    /// Errors: [`Refusal::Taken`] where an identifier belongs to another party of the organisation.
    pub async fn put_party(&self, party: PartyRecord) -> Result<(), Error> {
        self.write(move |tx| put(tx, &party)).await
    }

    /// The party of an organisation with this identifier (canonical `scheme:identifier`).
    pub async fn party_of_identifier(
        &self,
        organisation: &OrganisationId,
        identifier: &str,
    ) -> Result<Option<PartyRecord>, Error> {
        let (owner, id) = (organisation.clone(), identifier.to_owned());
        let key = key([organisation.as_str(), identifier]);
        let query = move |db: &mut dyn Connection| Ok(of_identifier(db, &owner, &id)?);
        self.recalled(&OF_IDENTIFIER, key, query).await
    }

    /// The parties of an organisation, by key.
    pub async fn parties_of(
        &self,
        organisation: &OrganisationId,
    ) -> Result<Vec<PartyRecord>, Error> {
        self.parties_after(organisation, "", usize::MAX).await
    }

    /// The parties of an organisation whose key comes after this one, by key, up to `limit`.
    pub async fn parties_after(
        &self,
        organisation: &OrganisationId,
        after: &str,
        limit: usize,
    ) -> Result<Vec<PartyRecord>, Error> {
        let (owner, after) = (organisation.clone(), after.to_owned());
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read(move |db| {
            let key = [owner.as_str().into(), (&after).into(), limit.into()];
            let rows = db.query(OF, &key)?;
            Ok(rows.into_iter().map(|row| read(db, row)).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The party with this key.
    pub async fn party(
        &self,
        organisation: &OrganisationId,
        id: &str,
    ) -> Result<Option<PartyRecord>, Error> {
        let key = key([organisation.as_str(), id]);
        let (owner, id) = (organisation.clone(), id.to_owned());
        self.recalled(&OF_KEY, key, move |db| Ok(find(db, &owner, &id)?)).await
    }

    /// The key that a new party would have now.
    pub async fn new_party_key(
        &self,
        organisation: &OrganisationId,
        wished: &str,
    ) -> Result<String, Error> {
        for key in keys(wished) {
            let is_gone = self.absorbed().kept(organisation, &key).is_some();
            if !is_gone && self.party(organisation, &key).await?.is_none() {
                return Ok(key);
            }
        }
        Err(Fault::record("parties.id", wished).into())
    }

    /// The identifier by which the party of a key is known to others. Where there is no such party
    /// it is the key, and nothing where what is asked about is of no party.
    pub async fn party_name(
        &self,
        organisation: &OrganisationId,
        id: &str,
    ) -> Result<String, Error> {
        if id.is_empty() {
            return Ok(String::new());
        }
        let found = self.party(organisation, id).await?;
        Ok(found.map_or_else(|| id.to_owned(), |party| party.main()))
    }

    /// Removes a party with its identifiers and permissions; its documents stay. Answers whether
    /// there was one.
    pub async fn remove_party(
        &self,
        organisation: &OrganisationId,
        id: &str,
    ) -> Result<bool, Error> {
        let (organisation, id) = (organisation.clone(), id.to_owned());
        self.write(move |tx| {
            if let Some(party) = find(tx.connection(), &organisation, &id)? {
                party.identifiers.iter().for_each(|identifier| tx.touch(identifier));
            }
            Ok(tx.execute(REMOVE, &[(&id).into(), organisation.as_str().into()])? > 0)
        })
        .await
    }
}
