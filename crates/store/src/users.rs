//! Users: people with a name and a password. The password is kept as a slow salted hash that the
//! caller makes; a user without one signs in elsewhere.

use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::accounts::{self, AccountRole};
use crate::engine::SqlRow;
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::permissions;
use crate::writer::Tx;

/// Users of one name that may sign in and are looked at, over all organisations.
const NAMESAKES: i64 = 16;

/// A user of an organisation.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// Its tenant.
    pub organisation: OrganisationId,
    /// Its name, unique in the organisation among users and clients.
    pub name: String,
    /// The hash of its password, as a PHC string.
    pub password_hash: Option<String>,
    /// What it may do.
    pub role: AccountRole,
    /// Whether it may do anything at all.
    pub active: bool,
    /// When it was recorded.
    pub created_on: Timestamp,
    /// When it last changed.
    pub changed_on: Timestamp,
    /// Since when its tokens are good: since it is on record, or was last switched off or got
    /// another password.
    pub tokens_since: Timestamp,
}

impl std::fmt::Debug for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let User { organisation, name, role, active, .. } = self;
        write!(f, "User({organisation} {name:?} {role:?} active={active})")
    }
}

/// What changes about a user; what is not given stays, or has its default for a new one.
#[derive(Clone, Default)]
pub struct UserChange {
    /// The hash of a new password.
    pub password_hash: Option<String>,
    /// What it may do from now on.
    pub role: Option<AccountRole>,
    /// Whether it may do anything at all.
    pub active: Option<bool>,
}

macro_rules! columns {
    ($rest:literal) => {
        concat!(
            "SELECT organisation, name, password_hash, role, active, created_on, changed_on, ",
            "coalesce(tokens_since, created_on) FROM users ",
            $rest
        )
    };
}

const GET: &str = columns!("WHERE organisation = ?1 AND name = ?2");
const OF: &str = columns!("WHERE organisation = ?1 ORDER BY name");
/// Who cannot sign in takes no place from one that can.
const NAMED: &str = columns!(
    "WHERE name = ?1 AND active = 1 AND password_hash IS NOT NULL AND EXISTS (
        SELECT 1 FROM organisations o WHERE o.id = users.organisation AND o.closed_on IS NULL)
     ORDER BY organisation LIMIT ?2"
);
const PUT: &str = "INSERT INTO users
    (organisation, name, password_hash, role, active, created_on, changed_on, tokens_since)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (organisation, name) DO UPDATE SET password_hash = excluded.password_hash,
    role = excluded.role, active = excluded.active, changed_on = excluded.changed_on,
    tokens_since = excluded.tokens_since";
const CLIENT: &str = "SELECT 1 FROM clients WHERE organisation = ?1 AND client_id = ?2";
const REMOVE: &str = "DELETE FROM users WHERE organisation = ?1 AND name = ?2";

fn read(mut row: SqlRow) -> Result<User, Fault> {
    Ok(User {
        organisation: row.parsed("users.organisation")?,
        name: row.text("users.name")?,
        password_hash: row.text_or_none("users.password_hash")?,
        role: row.word("users.role", AccountRole::named)?,
        active: row.yes("users.active")?,
        created_on: row.time("users.created_on")?,
        changed_on: row.time("users.changed_on")?,
        tokens_since: row.time("users.tokens_since")?,
    })
}

fn put(
    tx: &mut Tx<'_>,
    organisation: &OrganisationId,
    name: &str,
    change: UserChange,
    now: Timestamp,
) -> Result<User, Error> {
    let key = [organisation.as_str().into(), name.into()];
    if tx.first(CLIENT, &key)?.is_some() {
        return Err(Refusal::Taken { what: "user", key: name.to_owned() }.into());
    }
    let before = tx.first(GET, &key)?.map(read).transpose()?;
    let fresh = User {
        organisation: organisation.clone(),
        name: name.to_owned(),
        password_hash: None,
        role: AccountRole::ApUser,
        active: true,
        created_on: now,
        changed_on: now,
        tokens_since: now,
    };
    let old = before.clone().unwrap_or(fresh);
    let ends = change.password_hash.is_some() || old.active && change.active == Some(false);
    let user = User {
        password_hash: change.password_hash.or(old.password_hash.clone()),
        role: change.role.unwrap_or(old.role),
        active: change.active.unwrap_or(old.active),
        tokens_since: match before.is_some() && ends {
            true => accounts::ended(old.tokens_since, now),
            false => old.tokens_since,
        },
        ..old
    };
    if before.as_ref() == Some(&user) {
        return Ok(user);
    }
    let user = User { changed_on: now, ..user };
    let row = [
        organisation.as_str().into(),
        name.into(),
        user.password_hash.as_ref().into(),
        user.role.as_str().into(),
        user.active.into(),
        user.created_on.into(),
        user.changed_on.into(),
        user.tokens_since.into(),
    ];
    tx.execute(PUT, &row)?;
    let acts = |user: &User| user.active && user.role == AccountRole::ApUser;
    if before.as_ref().is_some_and(acts) && !acts(&user) {
        permissions::demand_links_of(tx, organisation, name)?;
    }
    Ok(user)
}

impl Store {
    /// Records a user, or changes what is given about it.
    ///
    /// Errors: [`Refusal::Taken`] where a client has the name, [`Refusal::Unlinked`] where an
    /// enrolled party would lose its last ApUser.
    pub async fn put_user(
        &self,
        organisation: &OrganisationId,
        name: &str,
        change: UserChange,
        now: Timestamp,
    ) -> Result<User, Error> {
        let (owner, name) = (organisation.clone(), name.to_owned());
        self.write(move |tx| put(tx, &owner, &name, change, now)).await
    }

    /// The users of an organisation, by name.
    pub async fn users_of(&self, organisation: &OrganisationId) -> Result<Vec<User>, Error> {
        let owner = organisation.clone();
        self.read(move |db| {
            let rows = db.query(OF, &[owner.as_str().into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The user of this name in an organisation, whether or not it may sign in.
    pub async fn user(
        &self,
        organisation: &OrganisationId,
        name: &str,
    ) -> Result<Option<User>, Error> {
        let (owner, name) = (organisation.clone(), name.to_owned());
        self.read(move |db| {
            let key = [owner.as_str().into(), (&name).into()];
            Ok(db.first(GET, &key)?.map(read).transpose()?)
        })
        .await
    }

    /// The users of this name that may sign in, in any organisation that is open: where nobody says
    /// which, the password decides.
    pub async fn users_named(&self, name: &str) -> Result<Vec<User>, Error> {
        let name = name.to_owned();
        self.read(move |db| {
            let rows = db.query(NAMED, &[(&name).into(), NAMESAKES.into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Removes a user with its links; answers whether there was one.
    ///
    /// Errors: [`Refusal::Unlinked`] where an enrolled party would lose its last ApUser.
    pub async fn remove_user(
        &self,
        organisation: &OrganisationId,
        name: &str,
    ) -> Result<bool, Error> {
        let (owner, name) = (organisation.clone(), name.to_owned());
        self.write(move |tx| {
            let key = [owner.as_str().into(), (&name).into()];
            if tx.execute(REMOVE, &key)? == 0 {
                return Ok(false);
            }
            permissions::demand_links_of(tx, &owner, &name)?;
            tx.execute(permissions::REMOVE_ACCOUNT, &key)?;
            Ok(true)
        })
        .await
    }
}
