//! Revocation lists and OCSP answers as they were fetched, so that a process that starts while the
//! authorities do not answer still knows what it knew. They are verified anew when they are read.

use jiff::Timestamp;

use crate::engine::{Param, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;

/// A place where revocation is told, and how asking it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevocationSource {
    /// Its address.
    pub url: String,
    /// SHA-256 of the certificate that an OCSP responder is asked about; none for a list.
    pub subject: Option<[u8; 32]>,
    /// A certificate (DER) that names this address: the one asked about, or any for a list.
    pub certificate: Vec<u8>,
    /// The last answer that was good, as it came.
    pub body: Option<Vec<u8>>,
    /// When that was.
    pub fetched_on: Option<Timestamp>,
    /// Until when it counts.
    pub next_update: Option<Timestamp>,
    /// Tries in a row that failed since.
    pub failures: u32,
    /// What the last try failed at, where it failed.
    pub problem: Option<String>,
    /// When it is asked next.
    pub next_on: Timestamp,
    /// When a certificate was last judged by it.
    pub used_on: Timestamp,
}

const PUT: &str = "INSERT INTO revocation_sources
    (url, subject, certificate, body, fetched_on, next_update, failures, problem, next_on, used_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (url, subject) DO UPDATE SET certificate = excluded.certificate,
    body = excluded.body, fetched_on = excluded.fetched_on, next_update = excluded.next_update,
    failures = excluded.failures, problem = excluded.problem, next_on = excluded.next_on,
    used_on = excluded.used_on";
const ALL: &str = "SELECT url, subject, certificate, body, fetched_on, next_update, failures,
    problem, next_on, used_on FROM revocation_sources ORDER BY url, subject";
const REMOVE: &str = "DELETE FROM revocation_sources WHERE url = ?1 AND subject = ?2";

fn read(mut row: SqlRow) -> Result<RevocationSource, Fault> {
    let what = "revocation_sources.subject";
    Ok(RevocationSource {
        url: row.text("revocation_sources.url")?,
        subject: match row.blob(what)? {
            subject if subject.is_empty() => None,
            subject => {
                let found = subject.len();
                let wrong = |_| Fault::record(what, format_args!("{found} bytes, not 32"));
                Some(subject.try_into().map_err(wrong)?)
            }
        },
        certificate: row.blob("revocation_sources.certificate")?,
        body: row.blob_or_none("revocation_sources.body")?,
        fetched_on: row.time_or_none("revocation_sources.fetched_on")?,
        next_update: row.time_or_none("revocation_sources.next_update")?,
        failures: row.count("revocation_sources.failures")?,
        problem: row.text_or_none("revocation_sources.problem")?,
        next_on: row.time("revocation_sources.next_on")?,
        used_on: row.time("revocation_sources.used_on")?,
    })
}

fn subject(source: &RevocationSource) -> &[u8] {
    source.subject.as_ref().map_or(&[], |subject| subject.as_slice())
}

impl Store {
    /// Every source that is on record, by address.
    pub async fn revocation_sources(&self) -> Result<Vec<RevocationSource>, Error> {
        self.read(|db| Ok(db.query(ALL, &[])?.into_iter().map(read).collect::<Result<_, _>>()?))
            .await
    }

    /// Records what is known about a source, in place of what was known.
    pub async fn put_revocation_source(&self, source: RevocationSource) -> Result<(), Error> {
        self.write(move |tx| {
            let row = [
                (&source.url).into(),
                subject(&source).into(),
                source.certificate.as_slice().into(),
                source.body.as_deref().map_or(Param::Null, Param::Blob),
                source.fetched_on.into(),
                source.next_update.into(),
                source.failures.into(),
                source.problem.as_ref().into(),
                source.next_on.into(),
                source.used_on.into(),
            ];
            tx.execute(PUT, &row)?;
            Ok(())
        })
        .await
    }

    /// Forgets a source.
    pub async fn remove_revocation_source(&self, source: RevocationSource) -> Result<(), Error> {
        self.write(move |tx| {
            tx.execute(REMOVE, &[(&source.url).into(), subject(&source).into()])?;
            Ok(())
        })
        .await
    }
}
