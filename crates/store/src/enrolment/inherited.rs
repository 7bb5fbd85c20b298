//! What parties have from their organisation: when its configuration changes, what is published of
//! them follows a piece a commit, so that an organisation with many of them keeps nobody waiting.

use jiff::Timestamp;
use quoin_delivery::capabilities::States;
use quoin_delivery::{OrganisationId, TaskKind};

use super::expected::Expected;
use super::{publish, set};
use crate::configs::{self, OrganisationConfig};
use crate::error::Error;
use crate::open::Store;
use crate::parties;
use crate::tasks::{self, Claim};
use crate::writer::Tx;

/// Parties that are published anew in one commit.
const PIECE: usize = 100;

/// A change of the configuration of an organisation; what is not given stays.
#[derive(Debug, Clone)]
pub struct OrganisationChange {
    /// The tenant.
    pub organisation: OrganisationId,
    /// States that are set; [`State::Inherited`] takes one away.
    pub capabilities: States,
    /// The technical contact of business cards that have none; `Some(None)` takes it away.
    pub contact: Option<Option<String>>,
    /// The version that the caller saw.
    pub expected: Expected,
    /// When.
    pub now: Timestamp,
}

/// The parties that come next, of the configuration of an organisation.
struct Next {
    organisation: OrganisationId,
    /// The version that they follow; a newer one has a task of its own.
    version: u64,
    /// The last party that has it already.
    after: String,
}

impl Next {
    fn subject(&self) -> String {
        format!("{} {} {}", self.organisation, self.version, self.after)
    }

    fn of_subject(subject: &str) -> Option<Next> {
        let mut parts = subject.splitn(3, ' ');
        let organisation = parts.next()?.parse().ok()?;
        let version = parts.next()?.parse().ok()?;
        Some(Next { organisation, version, after: parts.next()?.to_owned() })
    }
}

fn change(tx: &mut Tx<'_>, change: &OrganisationChange) -> Result<OrganisationConfig, Error> {
    let owner = &change.organisation;
    let before = configs::of_organisation(tx.connection(), owner)?;
    change.expected.demand("the configuration of the organisation", Some(before.version))?;
    let after = OrganisationConfig {
        capabilities: set(before.capabilities.clone(), &change.capabilities),
        contact: change.contact.clone().unwrap_or_else(|| before.contact.clone()),
        ..before.clone()
    };
    let after = configs::put_organisation(tx, owner, &before, after, change.now)?;
    if after.version > before.version {
        let (organisation, version) = (owner.clone(), after.version);
        piece(tx, Next { organisation, version, after: String::new() }, change.now)?;
    }
    Ok(after)
}

/// Publishes the next parties anew; a task goes on where there may be more.
fn piece(tx: &mut Tx<'_>, next: Next, now: Timestamp) -> Result<(), Error> {
    let owner = &next.organisation;
    let ids = configs::enrolled(tx, owner, &next.after, PIECE)?;
    for id in &ids {
        let Some(party) = parties::find(tx.connection(), owner, id)? else { continue };
        let config = configs::of_party(tx.connection(), owner, id)?;
        publish::services(tx, &party, &config, now)?;
    }
    if let Some(after) = ids.into_iter().nth(PIECE - 1) {
        tasks::ensure_now(tx, TaskKind::Publish, &Next { after, ..next }.subject(), now)?;
    }
    Ok(())
}

impl Store {
    /// Changes the configuration of an organisation, and what is published of its parties: of the
    /// first hundred at once, of the others by [`Store::publish_parties`].
    ///
    /// Errors: [`Refusal::Changed`](crate::Refusal::Changed).
    pub async fn change_organisation(
        &self,
        change: OrganisationChange,
    ) -> Result<OrganisationConfig, Error> {
        self.write(move |tx| self::change(tx, &change)).await
    }

    /// Publishes the next parties of an organisation as its configuration says; those of a
    /// configuration that changed again are left to its own task.
    ///
    /// Errors: [`Refusal::StaleClaim`](crate::Refusal::StaleClaim).
    pub async fn publish_parties(&self, claim: Claim, now: Timestamp) -> Result<(), Error> {
        self.write(move |tx| {
            if let Some(next) = Next::of_subject(&claim.subject) {
                let config = configs::of_organisation(tx.connection(), &next.organisation)?;
                if config.version == next.version {
                    piece(tx, next, now)?;
                }
            }
            tasks::finish(tx, &claim)
        })
        .await
    }
}
