//! The invoices of a party that were delivered or came in a period, as the service counts them: by
//! the day of that, and not by the day on which they were recorded.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use quoin_access_point::tax::exchanged::{delivered_on, owed_of_delivered};
use quoin_delivery::tax::TaxRole;
use quoin_delivery::{Direction, Family, OrganisationId, Status};
use quoin_store::{ListFilter, Store, TaxFilter, TaxReportRecord, TransactionRecord};

/// Items in a page.
const PAGE: usize = 500;

/// An invoice, and what its service reported of it.
pub(super) struct Exchanged {
    /// The invoice.
    pub(super) record: TransactionRecord,
    /// In which corner it may have to be reported.
    pub(super) role: TaxRole,
    /// The reports about it, in their order.
    pub(super) reports: Vec<TaxReportRecord>,
}

/// Those of a party from one day of UTC to another, with those that the party deleted since.
///
/// # Errors
/// The store cannot be read.
pub(super) async fn in_period(
    store: &Store,
    (owner, party): (&OrganisationId, &str),
    (first, last): (Date, Date),
) -> Result<Vec<Exchanged>, String> {
    let mut found = Vec::new();
    for direction in [Direction::Outgoing, Direction::Incoming] {
        let mut filter = ListFilter::new(owner.clone(), direction);
        filter.party = Some(party.to_owned());
        filter.family = Some(Family::Invoice);
        filter.statuses = vec![Status::Delivered];
        // One may be recorded long before it is delivered, and never later.
        filter.until = Some(end_of(last)?);
        filter.limit = PAGE;
        loop {
            let page = store.list(filter.clone()).await.map_err(|error| error.to_string())?;
            for record in page.items {
                found.extend(exchanged(store, record, (first, last)).await?);
            }
            match page.continuation {
                Some(token) => filter.continuation = Some(token),
                None => break,
            }
        }
    }
    for record in deleted(store, (owner, party), (first, last)).await? {
        found.extend(exchanged(store, record, (first, last)).await?);
    }
    Ok(found)
}

fn end_of(last: Date) -> Result<jiff::Timestamp, String> {
    let next = last.tomorrow().and_then(|next| next.to_zoned(TimeZone::UTC));
    next.map(|next| next.timestamp()).map_err(|error| format!("--to {last}: {error}"))
}

/// An invoice with its reports, where it is one of the period.
async fn exchanged(
    store: &Store,
    record: TransactionRecord,
    (first, last): (Date, Date),
) -> Result<Option<Exchanged>, String> {
    let own = &record.transaction;
    let Some(role) = owed_of_delivered(own, own.status) else { return Ok(None) };
    let reports = store.tax_reports_of(&own.id).await.map_err(|error| error.to_string())?;
    let timeline = match reports.is_empty() {
        true => store.timeline_of(&own.id).await.map_err(|error| error.to_string())?,
        false => Vec::new(),
    };
    let day = delivered_on(&reports, &timeline);
    let is_of_period = day.is_some_and(|day| (first..=last).contains(&day));
    Ok(is_of_period.then_some(Exchanged { record, role, reports }))
}

/// What a party deleted is on no list of documents; its reports lead to it.
async fn deleted(
    store: &Store,
    (owner, party): (&OrganisationId, &str),
    (first, last): (Date, Date),
) -> Result<Vec<TransactionRecord>, String> {
    let mut filter = TaxFilter {
        organisation: owner.clone(),
        party: party.to_owned(),
        states: Vec::new(),
        directions: Vec::new(),
        due_before: None,
        limit: PAGE,
        continuation: None,
    };
    let mut found = Vec::new();
    loop {
        let page = store.tax_reports(filter.clone()).await.map_err(|error| error.to_string())?;
        let is_near = |report: &&TaxReportRecord| {
            let day = report.created_on.to_zoned(TimeZone::UTC).date();
            // One of the last moment of a period may be on record a moment later.
            report.place == 1 && first <= day && day.yesterday().is_ok_and(|day| day <= last)
        };
        for report in page.items.iter().filter(is_near) {
            let of = store.transaction(&report.transaction).await;
            let record = of.map_err(|error| error.to_string())?;
            found.extend(record.filter(|record| record.deleted_on.is_some()));
        }
        match page.continuation {
            Some(token) => filter.continuation = Some(token),
            None => return Ok(found),
        }
    }
}
