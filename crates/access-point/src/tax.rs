//! Which reports are owed to tax authorities: the profiles of the configuration, as they are asked;
//! and how a report is written from its invoice.

pub mod exchanged;
mod france;
mod writing;
mod zones;

use aws_lc_rs::digest::{SHA256, digest};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::tax::TaxRole;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId};
use quoin_taxdata::deadlines::deadline;
use quoin_taxdata::regime::{DOCUMENT_TYPE_SCHEME, PROCESS, PROCESS_SCHEME};
use quoin_taxdata::{Regime, ReporterRole, TaxAuthority, TaxScope, TaxSubmission};
use uuid::{Builder, Uuid};

use crate::config::{TaxProfileRow, TaxSection};

pub use france::{FRANCE, FrenchProfile, FrenchText, write_file};
pub use writing::{ReportInput, ReportSource, WrittenReport, write};
pub(crate) use writing::{take_back, write_read};

/// A report that is owed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxProfile {
    /// The country that gave the VAT number.
    pub country: String,
    /// In which corners.
    pub roles: Vec<TaxRole>,
    /// By which text.
    pub regime: Regime,
    /// To whom: the authority's provider.
    pub authority: ParticipantId,
    /// What the authority is called in reports.
    pub named: TaxAuthority,
    /// What a report is on the network.
    pub document_type: DocumentTypeId,
    /// From which day on, of the country.
    pub from: Option<Date>,
    /// Of which reach; empty for any.
    pub scopes: Vec<TaxScope>,
    /// Within which time; the term of the regime where there is none.
    pub term: Option<SignedDuration>,
    /// Whether only parties are reported for that are switched on.
    pub chosen_parties: bool,
}

/// The profiles in force.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaxProfiles {
    rows: Vec<TaxProfile>,
    french: Vec<FrenchProfile>,
    /// How long an answer is awaited.
    pub answer: SignedDuration,
}

impl TaxProfile {
    /// What is wrong was told when the configuration was read.
    fn of(row: &TaxProfileRow) -> Option<TaxProfile> {
        let regime = Regime::named(&row.regime)?;
        let own = || format!("{DOCUMENT_TYPE_SCHEME}::{}", regime.row().document_type);
        let scope = |code: &String| TaxScope::ALL.into_iter().find(|scope| scope.code() == code);
        let hours = |hours: u64| SignedDuration::from_hours(i64::try_from(hours).unwrap_or(0));
        Some(TaxProfile {
            country: row.country.clone(),
            roles: row.roles.iter().filter_map(|role| TaxRole::named(role)).collect(),
            regime,
            authority: row.authority.parse().ok()?,
            named: TaxAuthority {
                id: row.authority_id.clone().unwrap_or_else(|| row.country.clone()),
                name: row.authority_name.clone(),
            },
            document_type: row.document_type.clone().unwrap_or_else(own).parse().ok()?,
            from: row.from.as_deref().and_then(|day| day.parse().ok()),
            scopes: row.scopes.iter().filter_map(scope).collect(),
            term: row.term_hours.map(hours),
            chosen_parties: row.chosen_parties,
        })
    }

    fn is_for(&self, role: TaxRole, at: Timestamp) -> bool {
        let has_begun = |from| from <= zones::day_in(&self.country, at);
        self.roles.contains(&role) && self.from.is_none_or(has_begun)
    }

    /// Whether invoices of a reach are reported.
    pub fn reaches(&self, scope: TaxScope) -> bool {
        self.scopes.is_empty() || self.scopes.contains(&scope)
    }

    /// Until when a report is due that became owed then.
    pub fn due_on(&self, role: TaxRole, owed_on: Timestamp) -> Timestamp {
        match self.term {
            Some(term) => owed_on.saturating_add(term).unwrap_or(Timestamp::MAX),
            None => deadline(self.regime, reporter_role(role), owed_on).due,
        }
    }
}

impl TaxProfiles {
    /// The profiles of a configuration.
    pub fn of(section: &TaxSection) -> TaxProfiles {
        let active = || section.profiles.iter().filter(|row| row.active);
        let mut rows: Vec<TaxProfile> = active().filter_map(TaxProfile::of).collect();
        let mut french: Vec<FrenchProfile> = active().filter_map(FrenchProfile::of).collect();
        french.sort_by_key(|row| std::cmp::Reverse(row.from));
        // Of several for one country the newest is in force.
        rows.sort_by_key(|row| std::cmp::Reverse(row.from));
        let seconds = i64::try_from(section.answer_seconds).unwrap_or(i64::MAX);
        TaxProfiles { rows, french, answer: SignedDuration::from_secs(seconds) }
    }

    /// Whether anything is reported in this corner at that time.
    pub fn asks(&self, role: TaxRole, at: Timestamp) -> bool {
        self.rows(role, at).next().is_some() || self.french(role, utc_day(at)).next().is_some()
    }

    /// What is told in France in a corner on a day of UTC, the newest row first.
    pub fn french(&self, role: TaxRole, on: Date) -> impl Iterator<Item = &FrenchProfile> {
        self.french.iter().filter(move |row| row.is_for(role, on))
    }

    /// Whether an authority wants to hear at that time of invoices that could not be transmitted.
    pub fn asks_of_undelivered(&self, at: Timestamp) -> bool {
        let kind = TaxSubmission::FailedTransmission;
        self.rows(TaxRole::Sender, at).any(|row| kind.code(row.regime).is_some())
    }

    /// The rows that are for a corner at a time, the newest first.
    pub fn rows(&self, role: TaxRole, at: Timestamp) -> impl Iterator<Item = &TaxProfile> {
        self.rows.iter().filter(move |row| row.is_for(role, at))
    }

    /// The rows for a country, the newest first: the first one whose reach has an invoice is in
    /// force for that.
    pub fn of_country(
        &self,
        country: &str,
        role: TaxRole,
        at: Timestamp,
    ) -> impl Iterator<Item = &TaxProfile> {
        self.rows(role, at).filter(move |row| row.country == country)
    }
}

/// The day by UTC.
pub(crate) fn utc_day(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// The role in the words of reports.
pub fn reporter_role(role: TaxRole) -> ReporterRole {
    match role {
        TaxRole::Sender => ReporterRole::Corner2,
        TaxRole::Receiver => ReporterRole::Corner3,
    }
}

/// The UUID of a report (TDT-003), one of version 4: cut from SHA-256 of its id, so that a report
/// that is written again, as after a restore, is recognised.
pub(crate) fn data_uuid(report: &str) -> Uuid {
    let digest = digest(&SHA256, format!("tax data {report}").as_bytes());
    let mut bytes = [0; 16];
    for (to, from) in bytes.iter_mut().zip(digest.as_ref()) {
        *to = *from;
    }
    Builder::from_random_bytes(bytes).into_uuid()
}

/// The process in which reports travel.
pub(crate) fn process() -> Option<ProcessId> {
    format!("{PROCESS_SCHEME}::{PROCESS}").parse().ok()
}

#[cfg(test)]
mod tests;
