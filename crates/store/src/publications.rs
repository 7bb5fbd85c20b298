//! Publications: everything that the SMP says of a participant. A group has one owner, whatever
//! other organisations know of the business, since a receiver has one SMP entry; it tells when it
//! last changed, and every change of it is counted for those who keep answers (see
//! [`Store::generation`]).

pub(crate) mod services;

use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::writer::Tx;

pub use services::{PublishedService, ServiceEndpoint};

/// A participant that is published here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRecord {
    /// The participant, `scheme:identifier` in lower case.
    pub participant: String,
    /// The tenant whose participant it is.
    pub organisation: OrganisationId,
    /// When what is published of it last changed.
    pub changed_on: Timestamp,
}

/// A document type whose record is at another SMP (Peppol SMP 1.4.0, section 5.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectRecord {
    /// The document type in the form `scheme::value`.
    pub document_type: String,
    /// Full address of the record there.
    pub href: String,
    /// Subject of the certificate that the other SMP signs with (RFC 2253).
    pub certificate_uid: String,
    /// When it was registered.
    pub created_on: Timestamp,
}

/// Everything that is published of a participant, but its business card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// Whose it is, and since when it is as it is.
    pub group: GroupRecord,
    /// Its services, by document type and process.
    pub services: Vec<PublishedService>,
    /// Its redirects, by document type; one goes before services of the same type.
    pub redirects: Vec<RedirectRecord>,
    /// Which of the configured endpoints its services are at; `None` for the first one.
    pub endpoint: Option<String>,
}

/// A line of the log of what was published, record by record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicationChange {
    /// Its place in the log.
    pub id: u64,
    /// The participant.
    pub participant: String,
    /// Who did it.
    pub account: String,
    /// What was done, as in `put metadata`.
    pub action: String,
    /// To what: a document type, or nothing where the action says it all.
    pub subject: String,
    /// When.
    pub created_on: Timestamp,
}

/// A line that is to be written to the log.
#[derive(Debug, Clone)]
pub struct PublicationNote {
    /// The tenant.
    pub organisation: OrganisationId,
    /// The participant, `scheme:identifier` in lower case.
    pub participant: String,
    /// Who does it.
    pub account: String,
    /// What is done.
    pub action: &'static str,
    /// To what.
    pub subject: String,
    /// When.
    pub now: Timestamp,
}

impl PublicationNote {
    /// A note that `account` does `action` to `subject`.
    pub fn new(
        (organisation, participant): (&OrganisationId, &str),
        account: &str,
        (action, subject): (&'static str, &str),
        now: Timestamp,
    ) -> PublicationNote {
        PublicationNote {
            organisation: organisation.clone(),
            participant: participant.to_owned(),
            account: account.to_owned(),
            action,
            subject: subject.to_owned(),
            now,
        }
    }
}

const GROUP: &str =
    "SELECT participant, organisation, changed_on FROM service_groups WHERE participant = ?1";
const GROUPS: &str = "SELECT participant, organisation, changed_on FROM service_groups
    WHERE organisation = ?1 AND participant > ?2 ORDER BY participant LIMIT ?3";
const PUT_GROUP: &str = "INSERT INTO service_groups (participant, organisation, changed_on)
    VALUES (?1, ?2, ?3) ON CONFLICT (participant) DO NOTHING";
const CHANGED: &str =
    "UPDATE service_groups SET changed_on = max(changed_on, ?2) WHERE participant = ?1";
const REMOVE_GROUP: &str = "DELETE FROM service_groups WHERE participant = ?1";
const REMOVE_ENDPOINT: &str = "DELETE FROM published_endpoints WHERE participant = ?1";
const REDIRECTS: &str = "SELECT document_type, href, certificate_uid, created_on FROM redirects
    WHERE participant = ?1 ORDER BY document_type";
const PUT_REDIRECT: &str = "INSERT INTO redirects
    (participant, document_type, href, certificate_uid, created_on) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (participant, document_type) DO UPDATE SET href = excluded.href,
    certificate_uid = excluded.certificate_uid, created_on = excluded.created_on";
const REMOVE_REDIRECT: &str = "DELETE FROM redirects WHERE participant = ?1 AND document_type = ?2";
const NOTE: &str = "INSERT INTO publication_changes
    (organisation, participant, account, action, subject, created_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const CHANGES: &str = "SELECT id, participant, account, action, subject, created_on
    FROM publication_changes WHERE organisation = ?1 AND participant = ?2 ORDER BY id DESC LIMIT ?3";
const SINCE: &str = "SELECT since FROM publisher WHERE id = 1 AND fingerprint = ?1";
const PUT_SINCE: &str = "INSERT INTO publisher (id, fingerprint, since) VALUES (1, ?1, ?2)
    ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, since = excluded.since";

fn read_group(mut row: SqlRow) -> Result<GroupRecord, Fault> {
    Ok(GroupRecord {
        participant: row.text("service_groups.participant")?,
        organisation: row.parsed("service_groups.organisation")?,
        changed_on: row.time("service_groups.changed_on")?,
    })
}

fn read_redirect(mut row: SqlRow) -> Result<RedirectRecord, Fault> {
    Ok(RedirectRecord {
        document_type: row.text("redirects.document_type")?,
        href: row.text("redirects.href")?,
        certificate_uid: row.text("redirects.certificate_uid")?,
        created_on: row.time("redirects.created_on")?,
    })
}

fn read_change(mut row: SqlRow) -> Result<PublicationChange, Fault> {
    Ok(PublicationChange {
        id: row.count("publication_changes.id")?,
        participant: row.text("publication_changes.participant")?,
        account: row.text("publication_changes.account")?,
        action: row.text("publication_changes.action")?,
        subject: row.text("publication_changes.subject")?,
        created_on: row.time("publication_changes.created_on")?,
    })
}

/// The group of a participant, whoever publishes it.
pub(crate) fn group(
    db: &mut dyn Connection,
    participant: &str,
) -> Result<Option<GroupRecord>, Fault> {
    db.first(GROUP, &[participant.into()])?.map(read_group).transpose()
}

/// Makes sure that a participant has a group of this organisation.
pub(crate) fn put_group(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    participant: &str,
    now: Timestamp,
) -> Result<(), Error> {
    match group(tx.connection(), participant)? {
        Some(known) if known.organisation == *organisation => {}
        Some(_) => {
            let key = participant.to_owned();
            return Err(Refusal::Taken { what: "participant", key }.into());
        }
        None => {
            let row = [participant.into(), organisation.as_str().into(), now.into()];
            tx.execute(PUT_GROUP, &row)?;
            tx.touch(participant);
        }
    }
    Ok(())
}

/// Records that what is published of a participant is another one now.
pub(crate) fn changed(tx: &mut Tx<'_>, participant: &str, now: Timestamp) -> Result<(), Fault> {
    tx.execute(CHANGED, &[participant.into(), now.into()])?;
    tx.touch(participant);
    Ok(())
}

/// Ends what is published of a participant, whoever publishes it, and which endpoint that names;
/// answers how many services went.
pub(crate) fn remove_group(tx: &mut Tx<'_>, participant: &str) -> Result<usize, Fault> {
    let services = services::of_participant(tx.connection(), participant)?.len();
    tx.execute(REMOVE_GROUP, &[participant.into()])?;
    tx.execute(REMOVE_ENDPOINT, &[participant.into()])?;
    tx.touch(participant);
    Ok(services)
}

/// Ends it where the organisation publishes it.
pub(crate) fn remove_own(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    participant: &str,
) -> Result<usize, Fault> {
    let known = group(tx.connection(), participant)?;
    if known.is_some_and(|known| known.organisation == *organisation) {
        return remove_group(tx, participant);
    }
    Ok(0)
}

pub(crate) fn put_redirect(
    tx: &mut Tx<'_>,
    participant: &str,
    redirect: &RedirectRecord,
) -> Result<(), Fault> {
    let row = [
        participant.into(),
        (&redirect.document_type).into(),
        (&redirect.href).into(),
        (&redirect.certificate_uid).into(),
        redirect.created_on.into(),
    ];
    tx.execute(PUT_REDIRECT, &row)?;
    changed(tx, participant, redirect.created_on)
}

pub(crate) fn remove_redirect(
    tx: &mut Tx<'_>,
    participant: &str,
    document_type: &str,
    now: Timestamp,
) -> Result<bool, Fault> {
    let removed = tx.execute(REMOVE_REDIRECT, &[participant.into(), document_type.into()])? > 0;
    if removed {
        changed(tx, participant, now)?;
    }
    Ok(removed)
}

/// Writes a line to the log.
pub(crate) fn note(tx: &mut Tx<'_>, note: &PublicationNote) -> Result<(), Fault> {
    let row = [
        note.organisation.as_str().into(),
        (&note.participant).into(),
        (&note.account).into(),
        note.action.into(),
        (&note.subject).into(),
        note.now.into(),
    ];
    tx.execute(NOTE, &row)?;
    Ok(())
}

/// The endpoint that is published for a participant, where it is not the first one. What another
/// organisation chose while the participant was its own says nothing.
fn endpoint_of(db: &mut dyn Connection, group: &GroupRecord) -> Result<Option<String>, Fault> {
    const NAME: &str =
        "SELECT endpoint FROM published_endpoints WHERE participant = ?1 AND organisation = ?2";
    let row = db.first(NAME, &[(&group.participant).into(), group.organisation.as_str().into()])?;
    row.map(|mut row| row.text("published_endpoints.endpoint")).transpose()
}

impl Store {
    /// Everything that is published of a participant, from one reading.
    pub async fn publication(&self, participant: &str) -> Result<Option<Publication>, Error> {
        let key = participant.to_owned();
        self.read(move |db| {
            let Some(group) = group(db, &key)? else { return Ok(None) };
            let services = services::of_participant(db, &key)?;
            let redirects = db.query(REDIRECTS, &[(&key).into()])?;
            let redirects = redirects.into_iter().map(read_redirect).collect::<Result<_, _>>()?;
            let endpoint = endpoint_of(db, &group)?;
            Ok(Some(Publication { group, services, redirects, endpoint }))
        })
        .await
    }

    /// The groups of an organisation whose participant comes after this one, up to `limit`.
    pub async fn service_groups_after(
        &self,
        organisation: &OrganisationId,
        after: &str,
        limit: u32,
    ) -> Result<Vec<GroupRecord>, Error> {
        let (owner, after) = (organisation.clone(), after.to_owned());
        self.read(move |db| {
            let rows = db.query(GROUPS, &[owner.as_str().into(), (&after).into(), limit.into()])?;
            Ok(rows.into_iter().map(read_group).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Ends what is published of a participant of the organisation; answers how many services there
    /// were.
    pub async fn remove_services(
        &self,
        organisation: &OrganisationId,
        participant: &str,
    ) -> Result<usize, Error> {
        let (organisation, participant) = (organisation.clone(), participant.to_owned());
        self.write(move |tx| Ok(remove_own(tx, &organisation, &participant)?)).await
    }

    /// The newest lines of the log of a participant, newest first, up to `limit`.
    pub async fn publication_changes(
        &self,
        organisation: &OrganisationId,
        participant: &str,
        limit: u32,
    ) -> Result<Vec<PublicationChange>, Error> {
        let (owner, key) = (organisation.clone(), participant.to_owned());
        self.read(move |db| {
            let rows = db.query(CHANGES, &[owner.as_str().into(), (&key).into(), limit.into()])?;
            Ok(rows.into_iter().map(read_change).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Since when answers are made of these certificates and addresses, told by their fingerprint:
    /// from now on, where the last ones were others.
    pub async fn publisher_since(
        &self,
        fingerprint: [u8; 32],
        now: Timestamp,
    ) -> Result<Timestamp, Error> {
        self.write(move |tx| {
            let key = Param::Blob(&fingerprint);
            if let Some(mut row) = tx.first(SINCE, &[key])? {
                return Ok(row.time("publisher.since")?);
            }
            tx.execute(PUT_SINCE, &[Param::Blob(&fingerprint), now.into()])?;
            Ok(now)
        })
        .await
    }
}
