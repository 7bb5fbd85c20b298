//! The memory of the service. Everything that must survive a crash goes through [`Store`]: one
//! commit holds a document, its row, its timeline, the tasks that follow and the events that are
//! owed, so that there is no instant at which half of them exist (ARCHITECTURE, What must stay
//! true, 3).
//!
//! Callers see typed functions only; the SQL stands in the file of its aggregate, and one file
//! knows the engine.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod absorbed;
pub mod accounts;
mod ahead;
pub mod alarms;
pub mod answers;
pub mod attempts;
pub mod batches;
pub mod blobs;
pub mod breakers;
mod claim;
pub mod clearances;
pub mod clients;
pub mod commit;
pub mod configs;
mod consequences;
pub mod continuity;
pub mod counted;
pub mod declared;
mod due;
mod engine;
pub mod enrolment;
pub mod error;
pub mod events;
pub mod evidence;
pub mod exchanges;
pub mod expiry;
mod fanout;
pub mod feed;
mod folders;
mod generations;
mod handover;
pub mod health;
mod held;
pub mod holdings;
pub mod hook_calls;
mod hook_changes;
pub mod hooks;
mod in_hand;
mod inbox;
pub mod jobs;
mod keeping;
mod key_proof;
pub mod listing;
mod lists;
mod migrations;
pub mod open;
pub mod organisations;
pub mod orphans;
mod ours;
pub mod outlook;
mod pace;
pub mod parties;
pub mod permissions;
pub mod publications;
pub mod purchases;
mod readers;
mod recent;
pub mod registrations;
mod remembered;
pub mod replay;
pub mod reports;
pub mod retention;
pub mod returned;
pub mod revocation;
pub mod secrets;
pub mod shares;
#[cfg(test)]
mod statements;
pub mod status_messages;
pub mod statuses;
pub mod submit;
pub mod tasks;
pub mod tax;
pub mod timeline;
pub mod transactions;
mod under_way;
pub mod usage;
pub mod users;
pub mod work;
pub mod work_count;
mod writer;
mod written;

pub use accounts::{Account, AccountRole};
pub use alarms::{Alarm, AlarmRecord};
pub use answers::early::EarlyMessage;
pub use answers::{AnswerRecord, NewAnswer, SubjectSearch};
pub use attempts::{Attempt, AttemptOutcome};
pub use batches::{Archive, BatchRecord};
pub use blobs::{BlobStream, StoredBlob};
pub use breakers::NotedBreaker;
pub use clearances::{
    ClearanceAgain, ClearanceBatch, ClearanceRecord, ClearanceResult, ClearanceState,
    ClearanceStep, DueClearances, NewClearance, WaitingClearances,
};
pub use clients::{Client, ClientChange, NewSecret, PreviousSecret, secret_digest};
pub use commit::{Committed, Completion, SideEffects};
pub use configs::{CardRecord, OrganisationConfig, PartyConfig, Verification};
pub use continuity::{Continuity, Restored};
pub use declared::{Declared, Said, Undeclared};
pub use enrolment::{
    CONFIGURATION, Expected, MetadataRecord, OrganisationChange, PartyChange, PartyProfile,
    Publish, Withdrawal,
};
pub use error::{Error, Fault, Refusal, Strange};
pub use events::{EventRecord, EventSubject};
pub use evidence::{Evidence, EvidenceKind, EvidenceRecord};
pub use exchanges::{Exchange, ExchangeCount, ExchangeUser};
pub use feed::{EventPage, FeedFilter, FeedParties};
pub use handover::Handover;
pub use health::{EndpointHealth, EndpointSeen};
pub use hook_calls::{CallEnd, CallState, HookCall, HookCallRecord, HookTry, HookTryRecord};
pub use hook_changes::HookChange;
pub use hooks::{Hook, HookScope};
pub use in_hand::TaskInHand;
pub use jobs::{Job, JobChange, JobCount, JobItem, JobLine, JobStep, JobTry, JobWork, NewJob};
pub use keeping::Keep;
pub use listing::{ListFilter, TransactionPage};
pub use open::{OpenOptions, Store, has_database, stands_in_the_way};
pub use organisations::Organisation;
pub use orphans::Orphans;
pub use outlook::Outlook;
pub use parties::PartyRecord;
pub use permissions::Permission;
pub use publications::{
    GroupRecord, Publication, PublicationChange, PublicationNote, PublishedService, RedirectRecord,
    ServiceEndpoint,
};
pub use purchases::{Purchase, PurchasePackage, PurchasePlace};
pub use quoin_delivery::Output;
pub use registrations::Registration;
pub use replay::ReplayPeriod;
pub use reports::{ReportDocument, ReportKey, ReportRecord, ReportStep};
pub use retention::Planning;
pub use returned::MailReturned;
pub use revocation::RevocationSource;
pub use secrets::{Secret, StoreKey};
pub use shares::{SIDE_BY_SIDE, WEIGHTS};
pub use status_messages::{LevelNotice, StatusGiven, StatusStep, StatusTold};
pub use statuses::{Handed, IssueRecord, LevelCount, NewStatus, StatusMessage, StatusRecord};
pub use submit::{Arrival, ArrivalIdentifiers, NewIncoming, NewOutgoing, RecordOutcome, Submitted};
pub use tasks::{Claim, Queued, TaskState};
pub use tax::{
    TaxChange, TaxFacts, TaxFilter, TaxGathered, TaxOutcome, TaxOwed, TaxPage, TaxReportRecord,
    TaxStep, UnreportedCount,
};
pub use timeline::TimelineLine;
pub use transactions::{SubmitOptions, TransactionFacts, TransactionRecord};
pub use usage::{ChannelUsageLine, UsageLine};
pub use users::{User, UserChange};
pub use work::Work;
pub use work_count::StoreWork;
