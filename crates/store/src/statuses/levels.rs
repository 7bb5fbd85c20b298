//! Service levels of a month: what is decided is counted as it is, and what is not when somebody
//! asks.

use std::collections::BTreeMap;

use jiff::Timestamp;
use quoin_delivery::reporting::Month;
use quoin_delivery::service_level::{Figures, Level, PAYLOAD_LIMIT};
use quoin_delivery::{Direction, OrganisationId};

use crate::engine::{Connection, Param};
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::writer::Tx;

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

/// What is decided, counted as it was.
macro_rules! decided {
    ($of:literal) => {
        concat!(
            "SELECT provider, sum(due), sum(in_time) FROM status_levels
             WHERE month = ?1 AND ",
            $of,
            "direction = ?3 GROUP BY provider"
        )
    };
}

/// A status is due where one was asked for, or where one was given that has not left yet. What is
/// not there is late once its time is over.
macro_rules! undecided {
    ($of:literal) => {
        concat!(
            "SELECT provider, count(*), coalesce(sum(?6 - sent_on > ?5), 0)
             FROM statuses WHERE month = ?1 AND ",
            $of,
            "direction = ?3 AND payload_bytes < ?4
             AND settled_on IS NULL AND breached_on IS NULL
             AND (code IS NOT NULL OR (wants_positive = 1 AND closed_on IS NULL))
             GROUP BY provider"
        )
    };
}

const DECIDED: &str = decided!("organisation = ?2 AND ");
const DECIDED_ALL: &str = decided!("");
const UNDECIDED: &str = undecided!("organisation = ?2 AND ");
const UNDECIDED_ALL: &str = undecided!("");
const DECIDE: &str = "INSERT INTO status_levels
    (month, organisation, direction, provider, due, in_time)
    SELECT month, organisation, direction, provider, breached_on IS NULL,
        coalesce(settled_on - sent_on <= ?2, 0)
    FROM statuses WHERE transaction_id = ?1 AND payload_bytes < ?3
    ON CONFLICT (month, organisation, direction, provider)
    DO UPDATE SET due = due + excluded.due, in_time = in_time + excluded.in_time";

const BREACHED: &str = "UPDATE statuses SET breached_on = ?2
    WHERE transaction_id = ?1 AND breached_on IS NULL AND settled_on IS NULL";
const DECIDE_LATE: &str = "INSERT INTO status_levels
    (month, organisation, direction, provider, due, in_time)
    SELECT month, organisation, direction, provider, 1, 0
    FROM statuses WHERE transaction_id = ?1 AND payload_bytes < ?2
    ON CONFLICT (month, organisation, direction, provider) DO UPDATE SET due = due + 1";

/// A document's status was given or arrived: it counts in the month of the document, unless it was
/// told as overdue before. One that was stays late, whatever becomes of it.
pub(crate) fn decided(tx: &mut Tx<'_>, level: Level, document: &str) -> Result<(), Fault> {
    tx.execute(DECIDE, &[document.into(), limit_of(level), payload_limit()])?;
    Ok(())
}

/// A document's status is overdue: it counts as late, once. Answers whether it is: one that settled
/// before, or was told, is not.
pub(crate) fn breached(tx: &mut Tx<'_>, document: &str, now: Timestamp) -> Result<bool, Fault> {
    let is_late = tx.execute(BREACHED, &[document.into(), now.into()])? > 0;
    if is_late {
        tx.execute(DECIDE_LATE, &[document.into(), payload_limit()])?;
    }
    Ok(is_late)
}

/// In microseconds.
fn limit_of(level: Level) -> Param<'static> {
    i64::try_from(level.limit().as_micros()).unwrap_or(i64::MAX).into()
}

fn payload_limit() -> Param<'static> {
    i64::try_from(PAYLOAD_LIMIT).unwrap_or(i64::MAX).into()
}

/// What a level is counted by: a month, whose documents or everybody's, and the time of asking.
struct LevelQuestion<'a> {
    month: &'a str,
    organisation: Option<&'a OrganisationId>,
    now: Timestamp,
}

impl LevelQuestion<'_> {
    /// The figures of the documents of a direction by provider.
    fn counted(
        &self,
        db: &mut dyn Connection,
        of: Direction,
    ) -> Result<BTreeMap<String, Figures>, Fault> {
        let (decided, undecided) = match self.organisation {
            Some(_) => (DECIDED, UNDECIDED),
            None => (DECIDED_ALL, UNDECIDED_ALL),
        };
        let owner = self.organisation.map(OrganisationId::as_str);
        let (limit, now) = (limit_of(Level::of(of)), self.now.into());
        let key =
            [self.month.into(), owner.into(), of.as_str().into(), payload_limit(), limit, now];
        let mut all: BTreeMap<String, Figures> = BTreeMap::new();
        for mut row in db.query(decided, &key[..3])? {
            let provider = row.text("status_levels.provider")?;
            let (due, in_time): (u64, u64) =
                (row.count("status_levels.due")?, row.count("status_levels.in_time")?);
            all.insert(provider, Figures { due, in_time, late: due.saturating_sub(in_time) });
        }
        for mut row in db.query(undecided, &key)? {
            let of = all.entry(row.text("statuses.provider")?).or_default();
            of.due += row.count::<u64>("statuses.due")?;
            of.late += row.count::<u64>("statuses.late")?;
        }
        Ok(all)
    }
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
            let month = month.to_string();
            let question = LevelQuestion { month: &month, organisation: owner.as_ref(), now };
            let mut all = Vec::new();
            for of in [Direction::Incoming, Direction::Outgoing] {
                for (provider, figures) in question.counted(db, of)? {
                    all.push(LevelCount { level: Level::of(of), provider, figures });
                }
            }
            Ok(all)
        })
        .await
    }
}
