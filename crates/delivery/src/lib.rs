//! The life of a transaction, as values: which status follows which event, when the next attempt
//! is due, which events the customer's hooks get, and which identifiers a document carries on the
//! wire. Nothing here reads a clock, a file or a socket; the worker carries out what is decided.

#![warn(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod alarms;
pub mod breaker;
pub mod calls;
pub mod capabilities;
pub mod causes;
pub mod channel;
pub mod choice;
pub mod clock;
pub mod corners;
pub mod decide;
pub mod decision;
pub mod details;
pub mod event;
pub mod families;
pub mod fate;
pub mod faults;
pub mod filter;
pub mod hook;
pub mod ids;
pub mod jobs;
pub mod mls;
pub mod ownership;
pub mod packages;
pub mod payload;
pub mod registration;
pub mod repeats;
pub mod reporting;
pub mod responses;
pub mod retry;
pub mod service_level;
pub mod tax;
pub mod topics;
pub mod transaction;

pub use alarms::{ALARMS, AlarmKind};
pub use breaker::{Admission, Breaker, BreakerPolicy, BreakerState, Sign};
pub use causes::{CAUSES, CauseRow, Corner, Fixer};
pub use choice::{ChannelHook, ChannelOption, Channels};
pub use decide::{FINDINGS_IN_EVENT, IssuedInvoice, decide};
pub use decision::{Decision, Ignored, NewTask, Notice, TaskKind, TimelineEntry};
pub use event::{
    DeliveryOutcome, Event, FindingLine, Later, MailFate, MailWord, Never, Pause, Proof, Route,
};
pub use families::{DOCUMENT_FAMILIES, DocumentFamily};
pub use hook::Output;
pub use ids::{DocumentId, EventId, HookId, IdError, OrganisationId, TransactionId};
pub use packages::{BillingPackage, Packages, is_billable};
pub use payload::HookPayload;
pub use retry::{RetryPolicy, Schedule};
pub use topics::{COMMANDS, Family, TOPICS, Topic, TopicPattern};
pub use transaction::{DeliveryRoute, Direction, NextChannel, Status, Transaction};
