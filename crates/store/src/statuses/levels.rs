//! Service levels of a month, counted from the lines of its documents.

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::OrganisationId;
use quoin_delivery::reporting::Month;
use quoin_delivery::service_level::{Figures, Level, PAYLOAD_LIMIT};

use crate::engine::SqlRow;
use crate::error::{Error, Fault};
use crate::open::Store;

/// The figures of one level with one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelCount {
    /// Which level.
    pub level: Level,
    /// The provider at the other end.
    pub provider: String,
    /// The count.
    pub figures: Figures,
}

/// A status is due where one was asked for, or where one was given. What is not there is late once
/// its time is over.
macro_rules! count {
    ($of:literal) => {
        concat!(
            "SELECT provider, count(*), coalesce(sum(settled_on - sent_on <= ?5), 0),
             coalesce(sum(coalesce(settled_on, ?6) - sent_on > ?5), 0)
             FROM statuses WHERE month = ?1 AND ",
            $of,
            "direction = ?3 AND payload_bytes < ?4
             AND (code IS NOT NULL OR (wants_positive = 1 AND closed_on IS NULL))
             GROUP BY provider ORDER BY provider"
        )
    };
}

const COUNT: &str = count!("organisation = ?2 AND ");
const COUNT_ALL: &str = count!("");

fn read(level: Level, mut row: SqlRow) -> Result<LevelCount, Fault> {
    Ok(LevelCount {
        level,
        provider: row.text("statuses.provider")?,
        figures: Figures {
            due: row.count("statuses.due")?,
            in_time: row.count("statuses.in_time")?,
            late: row.count("statuses.late")?,
        },
    })
}

impl Store {
    /// The service levels of a month as of `now`: of an organisation, or of all of them.
    pub async fn service_levels(
        &self,
        month: Month,
        organisation: Option<&OrganisationId>,
        now: Timestamp,
    ) -> Result<Vec<LevelCount>, Error> {
        let owner = organisation.cloned();
        self.browse(move |db| {
            let sql = if owner.is_some() { COUNT } else { COUNT_ALL };
            let month = month.to_string();
            let mut all = Vec::new();
            for level in Level::ALL {
                let direction = match level {
                    Level::Sent => "incoming",
                    Level::Received => "outgoing",
                };
                let limit: SignedDuration = level.limit();
                let key = [
                    (&month).into(),
                    owner.as_ref().map(OrganisationId::as_str).into(),
                    direction.into(),
                    i64::try_from(PAYLOAD_LIMIT).unwrap_or(i64::MAX).into(),
                    i64::try_from(limit.as_micros()).unwrap_or(i64::MAX).into(),
                    now.into(),
                ];
                for row in db.query(sql, &key)? {
                    all.push(read(level, row)?);
                }
            }
            Ok(all)
        })
        .await
    }
}
