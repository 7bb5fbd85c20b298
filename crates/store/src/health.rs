//! How addresses that documents go to did lately, those of access points and of other channels, as
//! far as the documents of an organisation, or of one of its parties, tell. Attempts are counted by
//! the hour as they are recorded, so that no answer adds up what was sent in a week.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::channel::NETWORK;
use quoin_delivery::{OrganisationId, Transaction};

use crate::attempts::{Attempt, AttemptOutcome};
use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::writer::Tx;

/// Addresses in one answer, at most.
pub const ENDPOINTS_LIMIT: usize = 500;
/// Hours that are kept, and that one answer looks at: eight days.
const HOURS: i64 = 192;
/// Microseconds of an hour.
const HOUR: i64 = 3_600_000_000;
/// Counts that are forgotten in one commit.
const FORGET_SIZE: i64 = 2_000;
/// Whose counts are those of all parties of an organisation together.
const WHOLE: &str = "*";
/// What failed has this class, what took nobody knows how long the next one.
const FAILED: i64 = -1;
/// Where classes of speed end, in milliseconds; the last class has no end. They are also written in
/// migration 50.
const SPEEDS: &[u32] = &[50, 100, 200, 300, 500, 800, 1_200, 2_000, 3_000, 5_000, 10_000, 30_000];

/// What attempts to an address came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndpointHealth {
    /// Attempts that were taken.
    pub delivered: u64,
    /// Attempts that failed, for now or for good.
    pub failed: u64,
    /// When one was last taken.
    pub last_delivered: Option<Timestamp>,
    /// When one last failed.
    pub last_failed: Option<Timestamp>,
    /// Why the last one failed, one stable word.
    pub last_code: Option<String>,
    /// In how many milliseconds half of those that were taken had their receipt: the mean of the
    /// class of speed in which the middle one lies.
    pub median_ms: Option<u32>,
}

/// An address that documents of a party went to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointSeen {
    /// The address.
    pub url: String,
    /// The channel, as its protocol names it.
    pub protocol: String,
    /// How it did.
    pub health: EndpointHealth,
}

const COUNT: &str = "INSERT INTO endpoint_hours
    (hour, organisation, party, endpoint, protocol, speed, attempts, elapsed, last_on, last_code)
    VALUES (?1, ?2, ?3, ?5, ?6, ?7, 1, ?8, ?9, ?10), (?1, ?2, ?4, ?5, ?6, ?7, 1, ?8, ?9, ?10)
    ON CONFLICT (hour, organisation, party, endpoint, protocol, speed) DO UPDATE SET
    attempts = attempts + 1, elapsed = elapsed + excluded.elapsed,
    last_code = CASE WHEN excluded.last_on >= last_on THEN excluded.last_code ELSE last_code END,
    last_on = max(last_on, excluded.last_on)";
const NEWEST: &str = "SELECT max(hour) FROM endpoint_hours";
const OF: &str = "SELECT endpoint, protocol, speed, attempts, elapsed, last_on, last_code
    FROM endpoint_hours WHERE hour = ?1 AND organisation = ?2 AND party = ?3 AND endpoint = ?4";
const ALL: &str = "SELECT endpoint, protocol, speed, attempts, elapsed, last_on, last_code
    FROM endpoint_hours WHERE hour = ?1 AND organisation = ?2 AND party = ?3";
const FORGET: &str = "DELETE FROM endpoint_hours
    WHERE (hour, organisation, party, endpoint, protocol, speed) IN (
    SELECT hour, organisation, party, endpoint, protocol, speed FROM endpoint_hours WHERE hour < ?1 LIMIT ?2)";

/// Counts an attempt to send to an address.
pub(crate) fn count(tx: &mut Tx<'_>, of: &Transaction, attempt: &Attempt) -> Result<(), Fault> {
    let Some(endpoint) = &attempt.endpoint else { return Ok(()) };
    let taken = attempt.outcome == AttemptOutcome::Delivered;
    let elapsed = attempt.elapsed_ms.filter(|_| taken);
    let row = [
        (attempt.ended_on.as_microsecond().div_euclid(HOUR)).into(),
        of.organisation.as_str().into(),
        (&of.party).into(),
        WHOLE.into(),
        endpoint.into(),
        attempt.protocol.as_deref().unwrap_or(NETWORK.protocol).into(),
        (if taken { speed(elapsed) } else { FAILED }).into(),
        elapsed.unwrap_or(0).into(),
        attempt.ended_on.into(),
        attempt.code.as_ref().into(),
    ];
    tx.execute(COUNT, &row)?;
    Ok(())
}

/// The class of speed, from 1; 0 where it is not known.
fn speed(elapsed: Option<u32>) -> i64 {
    let class = |elapsed| SPEEDS.partition_point(|end| *end <= elapsed) + 1;
    elapsed.map_or(0, |elapsed| i64::try_from(class(elapsed)).unwrap_or(i64::MAX))
}

/// What is counted of an address while it is added up.
#[derive(Default)]
struct EndpointSum {
    health: EndpointHealth,
    /// By class of speed: how many, and how many milliseconds they took together.
    speeds: BTreeMap<i64, (u64, u64)>,
}

impl EndpointSum {
    fn add(&mut self, mut row: SqlRow) -> Result<(), Fault> {
        let speed = row.integer("endpoint_hours.speed")?;
        let attempts: u64 = row.count("endpoint_hours.attempts")?;
        let elapsed: u64 = row.count("endpoint_hours.elapsed")?;
        let last = row.time("endpoint_hours.last_on")?;
        let code = row.text_or_none("endpoint_hours.last_code")?;
        let health = &mut self.health;
        if speed == FAILED {
            health.failed += attempts;
            if health.last_failed.is_none_or(|before| before <= last) {
                (health.last_failed, health.last_code) = (Some(last), code);
            }
            return Ok(());
        }
        health.delivered += attempts;
        health.last_delivered = health.last_delivered.max(Some(last));
        if speed > 0 {
            let of = self.speeds.entry(speed).or_default();
            *of = (of.0 + attempts, of.1 + elapsed);
        }
        Ok(())
    }

    fn health(mut self) -> EndpointHealth {
        let all: u64 = self.speeds.values().map(|(count, _)| count).sum();
        let mut before = all.saturating_sub(1) / 2;
        for (count, elapsed) in self.speeds.into_values() {
            if before < count {
                self.health.median_ms = u32::try_from(elapsed / count.max(1)).ok();
                break;
            }
            before -= count;
        }
        self.health
    }

    fn last(&self) -> Option<Timestamp> {
        self.health.last_delivered.max(self.health.last_failed)
    }
}

/// The hours since a time in which something was counted, the newest last.
fn hours(
    db: &mut dyn Connection,
    since: Timestamp,
) -> Result<std::ops::RangeInclusive<i64>, Fault> {
    let newest = db.first(NEWEST, &[])?;
    let newest = newest.map_or(Ok(None), |mut row| row.integer_or_none("endpoint_hours.hour"))?;
    let newest = newest.unwrap_or(i64::MIN);
    let first = since.as_microsecond().div_euclid(HOUR);
    Ok(first.max(newest.saturating_sub(HOURS))..=newest)
}

impl Store {
    /// What the attempts of an organisation to an address came to since a time, to the hour.
    pub async fn endpoint_health(
        &self,
        organisation: &OrganisationId,
        endpoint: &str,
        since: Timestamp,
    ) -> Result<EndpointHealth, Error> {
        let (owner, endpoint) = (organisation.clone(), endpoint.to_owned());
        self.read(move |db| {
            let mut sum = EndpointSum::default();
            for hour in hours(db, since)? {
                let [owner, party] = [owner.as_str().into(), WHOLE.into()];
                for mut row in db.query(OF, &[hour.into(), owner, party, (&endpoint).into()])? {
                    row.text("endpoint_hours.endpoint")?;
                    row.text("endpoint_hours.protocol")?;
                    sum.add(row)?;
                }
            }
            Ok(sum.health())
        })
        .await
    }

    /// The access points that documents of a party went to since a time, to the hour, the latest
    /// first.
    pub async fn endpoints_of(
        &self,
        organisation: &OrganisationId,
        party: &str,
        since: Timestamp,
    ) -> Result<Vec<EndpointSeen>, Error> {
        let mut seen = self.destinations_of(organisation, party, since).await?;
        seen.retain(|one| one.protocol == NETWORK.protocol);
        Ok(seen)
    }

    /// Everything that documents of a party went to since a time, over any channel, to the hour,
    /// the latest first.
    pub async fn destinations_of(
        &self,
        organisation: &OrganisationId,
        party: &str,
        since: Timestamp,
    ) -> Result<Vec<EndpointSeen>, Error> {
        let (owner, party) = (organisation.clone(), party.to_owned());
        self.browse_for(organisation, move |db| {
            let mut sums: BTreeMap<(String, String), EndpointSum> = BTreeMap::new();
            for hour in hours(db, since)? {
                let key = [hour.into(), owner.as_str().into(), (&party).into()];
                for mut row in db.query(ALL, &key)? {
                    let url = row.text("endpoint_hours.endpoint")?;
                    let protocol = row.text("endpoint_hours.protocol")?;
                    sums.entry((url, protocol)).or_default().add(row)?;
                }
            }
            let mut all: Vec<_> = sums.into_iter().collect();
            all.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.last()));
            all.truncate(ENDPOINTS_LIMIT);
            let seen = all.into_iter().map(|((url, protocol), sum)| EndpointSeen {
                url,
                protocol,
                health: sum.health(),
            });
            Ok(seen.collect())
        })
        .await
    }

    /// Forgets counts of hours that nobody asks for any more, some of them. Call it again until it
    /// answers 0.
    pub async fn forget_endpoint_hours(&self, now: Timestamp) -> Result<usize, Error> {
        let oldest = now.as_microsecond().div_euclid(HOUR) - HOURS;
        self.write(move |tx| Ok(tx.execute(FORGET, &[oldest.into(), FORGET_SIZE.into()])?)).await
    }
}
