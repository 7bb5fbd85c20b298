//! Alarms: what whoever runs the service was told, and what still goes on.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::alarms::{AlarmKind, RaisedAlarm, is_told};
use quoin_delivery::{Notice, Topic};

use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault, cut_to};
use crate::events::EventSubject;
use crate::fanout;
use crate::open::Store;
use crate::writer::Tx;

/// How long alarms that are over are remembered.
const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Characters of a subject at most.
const SUBJECT_LIMIT: usize = 256;

/// Something to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alarm {
    /// Its kind.
    pub kind: AlarmKind,
    /// What it is about: a task, an access point, a report; one line is kept for each.
    pub subject: String,
    /// What happened and what to do, one or two sentences.
    pub message: String,
    /// Facts by name.
    pub details: BTreeMap<String, String>,
}

/// An alarm on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlarmRecord {
    /// The code of its kind.
    pub code: String,
    /// What it is about.
    pub subject: String,
    /// What was said last.
    pub message: String,
    /// When it began.
    pub raised_on: Timestamp,
    /// When it was raised last.
    pub last_on: Timestamp,
    /// How often it was raised since it began.
    pub times: u64,
    /// When it was over, if it is.
    pub ended_on: Option<Timestamp>,
}

const FIND: &str = "SELECT told_on, ended_on FROM alarms WHERE code = ?1 AND subject = ?2";
const TOLD_LATELY: &str =
    "SELECT count(*) FROM alarms WHERE code = ?1 AND told_on > ?2 AND told_on <= ?3";
const PUT: &str = "INSERT INTO alarms
        (code, subject, message, raised_on, last_on, told_on, times, ended_on)
    VALUES (?1, ?2, ?3, ?4, ?4, ?5, 1, ?6)
    ON CONFLICT (code, subject) DO UPDATE SET message = ?3, last_on = ?4, told_on = ?5,
        raised_on = CASE WHEN ended_on IS NULL THEN raised_on ELSE ?4 END,
        times = CASE WHEN ended_on IS NULL OR ?6 IS NOT NULL THEN times + 1 ELSE 1 END,
        ended_on = ?6";
const END: &str =
    "UPDATE alarms SET ended_on = ?3 WHERE code = ?1 AND subject = ?2 AND ended_on IS NULL";
const FORGET: &str = "DELETE FROM alarms WHERE ended_on < ?1";
const OPEN: &str = "SELECT code, subject, message, raised_on, last_on, times, ended_on FROM alarms
    WHERE ended_on IS NULL ORDER BY raised_on, code, subject LIMIT ?1";
const OPEN_OF: &str = "SELECT code, subject, message, raised_on, last_on, times, ended_on
    FROM alarms WHERE code = ?1 AND ended_on IS NULL ORDER BY raised_on, subject";
const ALL: &str = "SELECT code, subject, message, raised_on, last_on, times, ended_on FROM alarms
    ORDER BY last_on DESC, code, subject LIMIT ?1";

/// Records an alarm, and its event where it is to be told. Answers whether it was told.
pub(crate) fn raise(
    tx: &mut Tx<'_>,
    alarm: &Alarm,
    hears: Option<&EventSubject>,
    now: Timestamp,
) -> Result<bool, Error> {
    let subject = cut_to(&alarm.subject, SUBJECT_LIMIT);
    let (kind, code) = (alarm.kind, alarm.kind.code);
    let found = tx.first(FIND, &[code.into(), (&subject).into()])?;
    let before = match found {
        Some(mut row) => Some(RaisedAlarm {
            told_on: row.time("alarms.told_on")?,
            ended: row.time_or_none("alarms.ended_on")?.is_some(),
        }),
        None => None,
    };
    let hour_ago = now.saturating_sub(SignedDuration::from_hours(1)).unwrap_or(Timestamp::MIN);
    let lately = tx.first(TOLD_LATELY, &[code.into(), hour_ago.into(), now.into()])?;
    let lately = lately.map_or(Ok(0), |mut row| row.count("count"))?;
    let told = is_told(kind, before, lately, now);
    let told_on = match before {
        Some(before) if !told => before.told_on,
        // One that was never told, since there were too many, may be told from now on.
        None if !told => Timestamp::UNIX_EPOCH,
        _ => now,
    };
    let ended_on = (!kind.lasts).then_some(now);
    tx.execute(
        PUT,
        &[
            code.into(),
            (&subject).into(),
            (&alarm.message).into(),
            now.into(),
            told_on.into(),
            ended_on.into(),
        ],
    )?;
    if let Some(hears) = hears.filter(|_| told) {
        fanout::add(tx, hears, &notice(alarm, subject), now)?;
    }
    Ok(told)
}

fn notice(alarm: &Alarm, subject: String) -> Notice {
    let mut details = alarm.details.clone();
    details.insert("code".to_owned(), alarm.kind.code.to_owned());
    details.insert("subject".to_owned(), subject);
    Notice::new(Topic::SERVICE_ALARM, alarm.message.clone(), details)
}

/// Says that what an alarm was about is over. Answers whether one was open.
pub(crate) fn end(
    tx: &mut Tx<'_>,
    kind: AlarmKind,
    subject: &str,
    now: Timestamp,
) -> Result<bool, Fault> {
    let subject = cut_to(subject, SUBJECT_LIMIT);
    Ok(tx.execute(END, &[kind.code.into(), (&subject).into(), now.into()])? > 0)
}

fn read(mut row: SqlRow) -> Result<AlarmRecord, Fault> {
    Ok(AlarmRecord {
        code: row.text("alarms.code")?,
        subject: row.text("alarms.subject")?,
        message: row.text("alarms.message")?,
        raised_on: row.time("alarms.raised_on")?,
        last_on: row.time("alarms.last_on")?,
        times: row.count("alarms.times")?,
        ended_on: row.time_or_none("alarms.ended_on")?,
    })
}

fn list(
    db: &mut dyn Connection,
    sql: &'static str,
    limit: usize,
) -> Result<Vec<AlarmRecord>, Fault> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    db.query(sql, &[limit.into()])?.into_iter().map(read).collect()
}

impl Store {
    /// Records an alarm. `hears` is whose event it becomes, where somebody is to hear of it; it is
    /// told when it begins, and once a day as long as it goes on. Answers whether it was told.
    pub async fn raise_alarm(
        &self,
        alarm: Alarm,
        hears: Option<EventSubject>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        self.write(move |tx| raise(tx, &alarm, hears.as_ref(), now)).await
    }

    /// Says that what an alarm was about is over. Answers whether one was open.
    pub async fn end_alarm(
        &self,
        kind: AlarmKind,
        subject: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let subject = subject.to_owned();
        self.write(move |tx| Ok(end(tx, kind, &subject, now)?)).await
    }

    /// Says that all alarms of a kind are over but those about these subjects. Answers how many
    /// were open.
    pub async fn end_other_alarms(
        &self,
        kind: AlarmKind,
        subjects: BTreeSet<String>,
        now: Timestamp,
    ) -> Result<usize, Error> {
        let subjects: BTreeSet<String> =
            subjects.iter().map(|subject| cut_to(subject, SUBJECT_LIMIT)).collect();
        self.write(move |tx| {
            let mut ended = 0;
            for row in tx.query(OPEN_OF, &[kind.code.into()])? {
                let alarm = read(row)?;
                if !subjects.contains(&alarm.subject) && end(tx, kind, &alarm.subject, now)? {
                    ended += 1;
                }
            }
            Ok(ended)
        })
        .await
    }

    /// The alarms of a kind that go on, the longest first.
    pub async fn open_alarms_of(&self, kind: AlarmKind) -> Result<Vec<AlarmRecord>, Error> {
        self.read(move |db| {
            let rows = db.query(OPEN_OF, &[kind.code.into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Forgets alarms that were over long ago.
    pub async fn forget_alarms(&self, now: Timestamp) -> Result<(), Error> {
        let long_ago = now.saturating_sub(KEPT).unwrap_or(Timestamp::MIN);
        self.write(move |tx| Ok(tx.execute(FORGET, &[long_ago.into()]).map(|_| ())?)).await
    }

    /// The alarms that go on, the longest first, up to `limit`.
    pub async fn open_alarms(&self, limit: usize) -> Result<Vec<AlarmRecord>, Error> {
        self.read(move |db| Ok(list(db, OPEN, limit)?)).await
    }

    /// All alarms that are remembered, the last first, up to `limit`.
    pub async fn alarms(&self, limit: usize) -> Result<Vec<AlarmRecord>, Error> {
        self.read(move |db| Ok(list(db, ALL, limit)?)).await
    }
}
