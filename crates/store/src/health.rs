//! How addresses that documents go to did lately, those of access points and of other channels, as
//! far as the documents of an organisation, or of one of its parties, tell.

use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::engine::{Connection, Param, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;

/// Addresses in one answer, at most.
pub const ENDPOINTS_LIMIT: i64 = 500;

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
    /// In how many milliseconds half of those that were taken had their receipt.
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

macro_rules! attempts {
    ($($rest:literal),*) => {
        concat!(
            "SELECT a.endpoint, coalesce(sum(a.outcome = 'delivered'), 0),
             coalesce(sum(a.outcome <> 'delivered'), 0),
             max(CASE WHEN a.outcome = 'delivered' THEN a.ended_on END),
             max(CASE WHEN a.outcome <> 'delivered' THEN a.ended_on END), max(a.protocol)
             FROM attempts a JOIN transactions t ON t.id = a.transaction_id
             WHERE t.organisation = ?1 AND (?2 IS NULL OR t.party = ?2) AND a.ended_on >= ?3 ",
            $($rest),*
        )
    };
}

const OF: &str = attempts!("AND a.endpoint = ?4");
const ALL: &str = attempts!(
    "AND t.direction = 'outgoing' AND a.endpoint LIKE 'https://%'
     AND coalesce(a.protocol, 'As4') = 'As4' GROUP BY a.endpoint
     ORDER BY max(a.ended_on) DESC LIMIT ?4"
);
const EVERYWHERE: &str = attempts!(
    "AND t.direction = 'outgoing' AND a.endpoint IS NOT NULL GROUP BY a.endpoint, a.protocol
     ORDER BY max(a.ended_on) DESC LIMIT ?4"
);
const LAST_CODE: &str = "SELECT a.code FROM attempts a JOIN transactions t
    ON t.id = a.transaction_id
    WHERE t.organisation = ?1 AND (?2 IS NULL OR t.party = ?2) AND a.endpoint = ?3
    AND a.outcome <> 'delivered' ORDER BY a.ended_on DESC LIMIT 1";
const MEDIAN: &str = "WITH taken AS (SELECT a.elapsed FROM attempts a JOIN transactions t
    ON t.id = a.transaction_id
    WHERE t.organisation = ?1 AND (?2 IS NULL OR t.party = ?2) AND a.endpoint = ?3
    AND a.outcome = 'delivered' AND a.elapsed IS NOT NULL AND a.ended_on >= ?4)
    SELECT elapsed FROM taken ORDER BY elapsed LIMIT 1
    OFFSET (SELECT (count(*) - 1) / 2 FROM taken)";

/// Whose documents tell.
#[derive(Clone)]
struct Whose {
    organisation: OrganisationId,
    party: Option<String>,
    since: Timestamp,
}

impl Whose {
    fn key(&self) -> [Param<'_>; 2] {
        [self.organisation.as_str().into(), self.party.as_ref().into()]
    }

    fn read(&self, db: &mut dyn Connection, mut row: SqlRow) -> Result<EndpointSeen, Fault> {
        let url = row.text_or_none("attempts.endpoint")?.unwrap_or_default();
        let mut health = EndpointHealth {
            delivered: row.count("attempts.outcome")?,
            failed: row.count("attempts.outcome")?,
            last_delivered: row.time_or_none("attempts.ended_on")?,
            last_failed: row.time_or_none("attempts.ended_on")?,
            ..EndpointHealth::default()
        };
        let protocol = row.text_or_none("attempts.protocol")?;
        let protocol = protocol.unwrap_or_else(|| before_channels(&url).to_owned());
        let [owner, party] = self.key();
        if health.failed > 0
            && let Some(mut row) = db.first(LAST_CODE, &[owner, party, (&url).into()])?
        {
            health.last_code = row.text_or_none("attempts.code")?;
        }
        let key = [owner, party, (&url).into(), self.since.into()];
        if let Some(mut row) = db.first(MEDIAN, &key)? {
            health.median_ms = row.count("attempts.elapsed").map(Some)?;
        }
        Ok(EndpointSeen { url, protocol, health })
    }
}

/// The protocol of an attempt that was recorded before its channel was.
fn before_channels(url: &str) -> &'static str {
    match url.split(':').next().unwrap_or_default() {
        "mailto" => "Smtp",
        "sftp" => "Sftp",
        _ => "As4",
    }
}

impl Store {
    /// What the attempts of an organisation to an address came to since a time.
    pub async fn endpoint_health(
        &self,
        organisation: &OrganisationId,
        endpoint: &str,
        since: Timestamp,
    ) -> Result<EndpointHealth, Error> {
        let whose = Whose { organisation: organisation.clone(), party: None, since };
        let endpoint = endpoint.to_owned();
        self.read(move |db| {
            let [owner, party] = whose.key();
            let found = db.first(OF, &[owner, party, since.into(), (&endpoint).into()])?;
            let Some(row) = found else { return Ok(EndpointHealth::default()) };
            Ok(whose.read(db, row)?.health)
        })
        .await
    }

    /// The access points that documents of a party went to since a time, the latest first.
    pub async fn endpoints_of(
        &self,
        organisation: &OrganisationId,
        party: &str,
        since: Timestamp,
    ) -> Result<Vec<EndpointSeen>, Error> {
        self.seen(ALL, organisation, party, since).await
    }

    /// Everything that documents of a party went to since a time, over any channel, the latest
    /// first.
    pub async fn destinations_of(
        &self,
        organisation: &OrganisationId,
        party: &str,
        since: Timestamp,
    ) -> Result<Vec<EndpointSeen>, Error> {
        self.seen(EVERYWHERE, organisation, party, since).await
    }

    async fn seen(
        &self,
        question: &'static str,
        organisation: &OrganisationId,
        party: &str,
        since: Timestamp,
    ) -> Result<Vec<EndpointSeen>, Error> {
        let party = Some(party.to_owned());
        let whose = Whose { organisation: organisation.clone(), party, since };
        self.read(move |db| {
            let [owner, party] = whose.key();
            let rows = db.query(question, &[owner, party, since.into(), ENDPOINTS_LIMIT.into()])?;
            Ok(rows.into_iter().map(|row| whose.read(db, row)).collect::<Result<_, _>>()?)
        })
        .await
    }
}
