//! What is read of jobs: lists, counts, parties page by page, and what they publish.

use quoin_delivery::OrganisationId;
use quoin_delivery::jobs::ItemState;

use super::{Job, JobCount, JobItem, own, read};
use crate::engine::{Connection, SqlRow};
use crate::error::{Error, Fault};
use crate::open::Store;

const NEWEST: &str = select!("WHERE organisation = ?1 ORDER BY created_on DESC, id DESC LIMIT ?2");
const OLDER: &str = select!(
    "WHERE organisation = ?1 AND (created_on, id) < (?3, ?4)
     ORDER BY created_on DESC, id DESC LIMIT ?2"
);
const COUNTS: &str = "SELECT state, code, count(*), min(message) FROM job_items WHERE job = ?1
    GROUP BY state, code ORDER BY state, count(*) DESC, code";
const ITEMS: &str = "SELECT position, participant, state, code, message, changed_on
    FROM job_items WHERE job = ?1 AND position > ?2 ORDER BY position LIMIT ?3";
const ITEMS_IN: &str = "SELECT position, participant, state, code, message, changed_on
    FROM job_items WHERE job = ?1 AND state = ?4 AND position > ?2 ORDER BY position LIMIT ?3";

fn item(mut row: SqlRow) -> Result<JobItem, Fault> {
    Ok(JobItem {
        position: row.count("job_items.position")?,
        participant: row.text("job_items.participant")?,
        state: row.word("job_items.state", ItemState::named)?,
        code: row.text("job_items.code")?,
        message: row.text("job_items.message")?,
        changed_on: row.time("job_items.changed_on")?,
    })
}

fn counted(mut row: SqlRow) -> Result<JobCount, Fault> {
    Ok(JobCount {
        state: row.word("job_items.state", ItemState::named)?,
        code: row.text("job_items.code")?,
        items: row.count("job_items")?,
        example: row.text("job_items.message")?,
    })
}

/// How many parties of a job are in which state for which reason.
pub(super) fn counts(db: &mut dyn Connection, job: &str) -> Result<Vec<JobCount>, Fault> {
    db.query(COUNTS, &[job.into()])?.into_iter().map(counted).collect()
}

impl Store {
    /// The newest jobs of an organisation, those before a job only if it is given, up to `limit`.
    ///
    /// Errors: [`crate::Refusal::NotFound`] where that job is not there.
    pub async fn jobs_of(
        &self,
        organisation: &OrganisationId,
        (before, limit): (Option<String>, u32),
    ) -> Result<Vec<Job>, Error> {
        let owner = organisation.clone();
        self.read(move |db| {
            let rows = match before {
                None => db.query(NEWEST, &[owner.as_str().into(), limit.into()])?,
                Some(id) => {
                    let job = own(db, &owner, &id)?;
                    let place = [job.created_on.into(), job.key.as_str().into()];
                    let [time, key] = place;
                    db.query(OLDER, &[owner.as_str().into(), limit.into(), time, key])?
                }
            };
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// A job of an organisation, and how many of its parties are in which state for which reason.
    ///
    /// Errors: [`crate::Refusal::NotFound`].
    pub async fn job(
        &self,
        organisation: &OrganisationId,
        id: &str,
    ) -> Result<(Job, Vec<JobCount>), Error> {
        let (owner, id) = (organisation.clone(), id.to_owned());
        // All of its lines are counted: whoever asks again and again waits for his own turn.
        self.browse_for(organisation, move |db| {
            let job = own(db, &owner, &id)?;
            let counted = counts(db, &job.key)?;
            Ok((job, counted))
        })
        .await
    }

    /// A job, and its parties in their order, those of one state only if it is given, after a
    /// position and up to `limit`.
    ///
    /// Errors: [`crate::Refusal::NotFound`].
    pub async fn job_items(
        &self,
        organisation: &OrganisationId,
        id: &str,
        state: Option<ItemState>,
        (after, limit): (Option<u32>, u32),
    ) -> Result<(Job, Vec<JobItem>), Error> {
        let (owner, id) = (organisation.clone(), id.to_owned());
        let after = after.map_or(-1, i64::from);
        self.read(move |db| {
            let job = own(db, &owner, &id)?;
            let page = [(&job.key).into(), after.into(), limit.into()];
            let rows = match state {
                Some(state) => {
                    let [id, after, limit] = page;
                    db.query(ITEMS_IN, &[id, after, limit, state.as_str().into()])?
                }
                None => db.query(ITEMS, &page)?,
            };
            Ok((job, rows.into_iter().map(item).collect::<Result<_, _>>()?))
        })
        .await
    }
}
