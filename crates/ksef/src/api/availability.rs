//! The service that says whether the system runs ("Latarnia"): `GET /status`, `GET /messages`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Whether the system runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Availability {
    /// It runs.
    Available,
    /// Work that was announced (article 106nh of the VAT act).
    Maintenance,
    /// A failure that was announced (article 106nf).
    Failure,
    /// A failure that was announced in the media: nothing has to be sent afterwards.
    TotalFailure,
    /// A word that we do not know.
    #[serde(other)]
    Unknown,
}

/// The answer of `GET /status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvailabilityStatus {
    /// Whether the system runs.
    pub status: Availability,
    /// What is announced for now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<AvailabilityMessage>>,
}

/// One announcement, of `GET /messages`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AvailabilityMessage {
    /// Of the announcement.
    pub id: String,
    /// Of what it is about: start and end have the same.
    pub event_id: i64,
    /// `FAILURE`, `TOTAL_FAILURE` or `MAINTENANCE`.
    pub category: String,
    /// `FAILURE_START`, `FAILURE_END` or `MAINTENANCE_ANNOUNCEMENT`.
    #[serde(rename = "type")]
    pub kind: String,
    /// A line.
    #[serde(default)]
    pub title: String,
    /// What people read.
    #[serde(default)]
    pub text: String,
    /// When it begins or began.
    pub start: Timestamp,
    /// When it ends, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Timestamp>,
    /// Counts changes of the announcement.
    #[serde(default)]
    pub version: i64,
    /// When it was published.
    pub published: Timestamp,
}
