//! Accounts: who acts in an organisation, be it a client (a machine) or a user (a person).

use jiff::{SignedDuration, Timestamp};
use quoin_delivery::OrganisationId;

use crate::engine::Connection;
use crate::error::{Error, Fault};
use crate::open::Store;
use crate::remembered::{KeptQuestion, key};

/// What an account may do (interface specification 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountRole {
    /// Sends and receives, and manages hooks, for its own parties.
    ApUser,
    /// All of that, and registrations, SMP management and enrolment.
    ApManager,
}

impl AccountRole {
    /// The word of the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            AccountRole::ApUser => "ApUser",
            AccountRole::ApManager => "ApManager",
        }
    }

    /// The role of this word, if there is one.
    pub fn named(word: &str) -> Option<AccountRole> {
        [AccountRole::ApUser, AccountRole::ApManager].into_iter().find(|role| role.as_str() == word)
    }
}

/// A client or a user, as far as what it may do is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The client id, or the user's name.
    pub name: String,
    /// Whether it is a machine.
    pub is_client: bool,
    /// Its tenant.
    pub organisation: OrganisationId,
    /// What it may do.
    pub role: AccountRole,
    /// Whether it may do anything at all: it is on, and its organisation is not closed.
    pub active: bool,
    /// Whether it acts for parties that it is not linked to.
    pub all_parties: bool,
    /// Since when its tokens are good: since it is on record (another one may have had its name
    /// before), or since they were last ended.
    pub tokens_since: Timestamp,
}

/// Since when tokens are good that are issued after all before them ended: never what it was.
pub(crate) fn ended(before: Timestamp, now: Timestamp) -> Timestamp {
    let later = before.checked_add(SignedDuration::from_micros(1)).unwrap_or(Timestamp::MAX);
    now.max(later)
}

const ACCOUNT: KeptQuestion<Option<Account>> =
    KeptQuestion::of("account", &["organisations", "clients", "users"], 10_000);
/// A client comes before a user; neither is recorded where the other is.
const FIND: &str = "WITH open AS (SELECT closed_on IS NULL AS yes FROM organisations WHERE id = ?1)
    SELECT client_id, 1, role, active AND coalesce((SELECT yes FROM open), 0), all_parties,
        coalesce(tokens_since, created_on)
    FROM clients WHERE organisation = ?1 AND client_id = ?2
    UNION ALL SELECT name, 0, role, active AND coalesce((SELECT yes FROM open), 0), 0,
        coalesce(tokens_since, created_on)
    FROM users WHERE organisation = ?1 AND name = ?2";

pub(crate) fn find(
    db: &mut dyn Connection,
    organisation: &OrganisationId,
    name: &str,
) -> Result<Option<Account>, Fault> {
    let row = db.first(FIND, &[organisation.as_str().into(), name.into()])?;
    row.map(|mut row| {
        Ok(Account {
            name: row.text("accounts.name")?,
            is_client: row.yes("accounts.is_client")?,
            organisation: organisation.clone(),
            role: row.word("accounts.role", AccountRole::named)?,
            active: row.yes("accounts.active")?,
            all_parties: row.yes("accounts.all_parties")?,
            tokens_since: row.time("accounts.tokens_since")?,
        })
    })
    .transpose()
}

impl Store {
    /// The account of this name in an organisation, active or not.
    pub async fn account(
        &self,
        organisation: &OrganisationId,
        name: &str,
    ) -> Result<Option<Account>, Error> {
        let (owner, name) = (organisation.clone(), name.to_owned());
        let key = key([organisation.as_str(), &name]);
        let query = move |db: &mut dyn Connection| Ok(find(db, &owner, &name)?);
        self.recalled(&ACCOUNT, key, query).await
    }
}
