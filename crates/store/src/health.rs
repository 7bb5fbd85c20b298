//! How an address of an access point did lately, as far as an organisation's own documents tell.

use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::error::Error;
use crate::open::Store;

/// What attempts to an address came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EndpointHealth {
    /// Attempts that were taken.
    pub delivered: u64,
    /// Attempts that failed, for now or for good.
    pub failed: u64,
    /// When one was last taken.
    pub last_delivered: Option<Timestamp>,
    /// When one last failed.
    pub last_failed: Option<Timestamp>,
}

const OF: &str = "SELECT
    coalesce(sum(a.outcome = 'delivered'), 0), coalesce(sum(a.outcome <> 'delivered'), 0),
    max(CASE WHEN a.outcome = 'delivered' THEN a.ended_on END),
    max(CASE WHEN a.outcome <> 'delivered' THEN a.ended_on END)
    FROM attempts a JOIN transactions t ON t.id = a.transaction_id
    WHERE a.endpoint = ?2 AND a.ended_on >= ?3 AND t.organisation = ?1";

impl Store {
    /// What the attempts of an organisation to an address came to since a time.
    pub async fn endpoint_health(
        &self,
        organisation: &OrganisationId,
        endpoint: &str,
        since: Timestamp,
    ) -> Result<EndpointHealth, Error> {
        let (owner, endpoint) = (organisation.clone(), endpoint.to_owned());
        self.read(move |db| {
            let key = [owner.as_str().into(), (&endpoint).into(), since.into()];
            let Some(mut row) = db.first(OF, &key)? else { return Ok(EndpointHealth::default()) };
            Ok(EndpointHealth {
                delivered: row.count("attempts.outcome")?,
                failed: row.count("attempts.outcome")?,
                last_delivered: row.time_or_none("attempts.ended_on")?,
                last_failed: row.time_or_none("attempts.ended_on")?,
            })
        })
        .await
    }
}
