//! API clients: who may ask for a token. Secrets are 256 random bits, so a plain digest keeps them
//! as safe as a slow one would, at no cost per token.

use aws_lc_rs::digest::{SHA256, digest};
use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::accounts::{self, AccountRole};
use crate::engine::SqlRow;
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;
use crate::permissions;
use crate::writer::Tx;

/// A client of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its name at the token endpoint.
    pub client_id: String,
    /// Its tenant.
    pub organisation: OrganisationId,
    /// Its name for people.
    pub name: String,
    /// SHA-256 of its secret: compare in constant time.
    pub secret_sha256: [u8; 32],
    /// The secret before, while it is taken as well.
    pub previous: Option<PreviousSecret>,
    /// What it may do.
    pub role: AccountRole,
    /// Whether it gets tokens at all.
    pub active: bool,
    /// Whether it acts for parties that it is not linked to.
    pub all_parties: bool,
    /// Whether the configuration declares it: what is changed here is undone by the next start.
    pub declared: bool,
    /// When it was recorded.
    pub created_on: Timestamp,
    /// Since when its tokens are good: since it is on record, or was last switched off or lost its
    /// secret at once. What is given here counts for a new client alone.
    pub tokens_since: Timestamp,
}

/// A secret that was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviousSecret {
    /// Its SHA-256.
    pub sha256: [u8; 32],
    /// Until when it is taken.
    pub until: Timestamp,
}

/// What changes about a client; what is not given stays.
#[derive(Debug, Clone, Default)]
pub struct ClientChange {
    /// Its name for people.
    pub name: Option<String>,
    /// What it may do from now on.
    pub role: Option<AccountRole>,
    /// Whether it gets tokens at all.
    pub active: Option<bool>,
    /// Whether it acts for parties that it is not linked to.
    pub all_parties: Option<bool>,
    /// A new secret.
    pub secret: Option<NewSecret>,
}

/// A new secret of a client. Which one was before it is that on record when it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewSecret {
    /// Its digest.
    pub sha256: [u8; 32],
    /// Until when the one before is taken beside it; without it, none before it is taken any more.
    pub overlap: Option<Timestamp>,
}

/// The digest under which a client's secret is kept.
pub fn secret_digest(secret: &str) -> [u8; 32] {
    let mut out = [0; 32];
    out.copy_from_slice(digest(&SHA256, secret.as_bytes()).as_ref());
    out
}

macro_rules! columns {
    ($rest:literal) => {
        concat!(
            "SELECT client_id, organisation, name, secret_sha256, previous_sha256, ",
            "previous_until, role, active, all_parties, declared, created_on, ",
            "coalesce(tokens_since, created_on) FROM clients ",
            $rest
        )
    };
}

const GET: &str = columns!("WHERE client_id = ?1");
const LIST: &str = columns!("WHERE organisation = ?1 ORDER BY client_id");
const PUT: &str = "INSERT INTO clients (client_id, organisation, name, secret_sha256,
    previous_sha256, previous_until, role, active, all_parties, declared, created_on,
    tokens_since) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    ON CONFLICT (client_id) DO UPDATE SET name = excluded.name,
    secret_sha256 = excluded.secret_sha256, previous_sha256 = excluded.previous_sha256,
    previous_until = excluded.previous_until, role = excluded.role, active = excluded.active,
    all_parties = excluded.all_parties, declared = excluded.declared
    WHERE clients.organisation = excluded.organisation";
const END_TOKENS: &str = "UPDATE clients SET tokens_since = ?2 WHERE client_id = ?1";
const REMOVE: &str = "DELETE FROM clients WHERE client_id = ?1 AND organisation = ?2";

const USER: &str = "SELECT 1 FROM users WHERE organisation = ?1 AND name = ?2";

fn read(mut row: SqlRow) -> Result<Client, Fault> {
    Ok(Client {
        client_id: row.text("clients.client_id")?,
        organisation: row.parsed("clients.organisation")?,
        name: row.text("clients.name")?,
        secret_sha256: row.digest("clients.secret_sha256")?,
        previous: previous(&mut row)?,
        role: row.word("clients.role", AccountRole::named)?,
        active: row.yes("clients.active")?,
        all_parties: row.yes("clients.all_parties")?,
        declared: row.yes("clients.declared")?,
        created_on: row.time("clients.created_on")?,
        tokens_since: row.time("clients.tokens_since")?,
    })
}

fn previous(row: &mut SqlRow) -> Result<Option<PreviousSecret>, Fault> {
    let sha256 = row.digest_or_none("clients.previous_sha256")?;
    let until = row.time_or_none("clients.previous_until")?;
    Ok(sha256.zip(until).map(|(sha256, until)| PreviousSecret { sha256, until }))
}

fn put(tx: &mut Tx<'_>, client: &Client) -> Result<(), Error> {
    let c = client;
    let taken = || Refusal::Taken { what: "client", key: c.client_id.clone() };
    let name = [c.organisation.as_str().into(), (&c.client_id).into()];
    if tx.first(USER, &name)?.is_some() {
        return Err(taken().into());
    }
    let row = [
        (&c.client_id).into(),
        c.organisation.as_str().into(),
        (&c.name).into(),
        c.secret_sha256.as_slice().into(),
        c.previous.as_ref().map(|previous| previous.sha256.as_slice()).into(),
        c.previous.map(|previous| previous.until).into(),
        c.role.as_str().into(),
        c.active.into(),
        c.all_parties.into(),
        c.declared.into(),
        c.created_on.into(),
        c.tokens_since.into(),
    ];
    if tx.execute(PUT, &row)? == 0 {
        return Err(taken().into());
    }
    Ok(())
}

/// A client that this organisation has.
fn own(tx: &mut Tx<'_>, organisation: &OrganisationId, id: &str) -> Result<Client, Error> {
    let found = tx.first(GET, &[id.into()])?.map(read).transpose()?;
    let own = found.filter(|client| client.organisation == *organisation);
    own.ok_or_else(|| Refusal::NotFound { what: "client", key: id.to_owned() }.into())
}

/// The secret of a client with the one before it, after a change.
///
/// Errors: [`Refusal::Rotating`] where two are taken already and both are to go on.
fn secrets(
    old: &Client,
    new: Option<NewSecret>,
    now: Timestamp,
) -> Result<([u8; 32], Option<PreviousSecret>), Refusal> {
    let Some(new) = new else { return Ok((old.secret_sha256, old.previous)) };
    let Some(until) = new.overlap else { return Ok((new.sha256, None)) };
    match old.previous.filter(|previous| now < previous.until) {
        Some(PreviousSecret { until, .. }) => Err(Refusal::Rotating { until }),
        None => Ok((new.sha256, Some(PreviousSecret { sha256: old.secret_sha256, until }))),
    }
}

impl Store {
    /// Records a client, in place of what was known of it.
    ///
    /// Errors: [`Refusal::Taken`] where the name belongs to another organisation or to a user.
    pub async fn put_client(&self, client: Client) -> Result<(), Error> {
        self.write(move |tx| put(tx, &client)).await
    }

    /// Changes what is given about a client of an organisation. Switched off, or with a new secret
    /// beside which the one before is not taken, it has no tokens any more.
    ///
    /// Errors: [`Refusal::NotFound`], and [`Refusal::Unlinked`] where an enrolled party would lose
    /// its last ApUser.
    pub async fn change_client(
        &self,
        organisation: &OrganisationId,
        client_id: &str,
        change: ClientChange,
        now: Timestamp,
    ) -> Result<Client, Error> {
        let (owner, id) = (organisation.clone(), client_id.to_owned());
        self.write(move |tx| {
            let old = own(tx, &owner, &id)?;
            let acts = |active: bool, role: AccountRole| active && role == AccountRole::ApUser;
            let (acted, acted_for_all) = (acts(old.active, old.role), old.all_parties);
            let replaced = change.secret.is_some_and(|new| new.overlap.is_none());
            let ends = replaced || old.active && change.active == Some(false);
            let (secret_sha256, previous) = secrets(&old, change.secret, now)?;
            let client = Client {
                name: change.name.unwrap_or(old.name.clone()),
                role: change.role.unwrap_or(old.role),
                active: change.active.unwrap_or(old.active),
                all_parties: change.all_parties.unwrap_or(old.all_parties),
                secret_sha256,
                previous,
                tokens_since: match ends {
                    true => accounts::ended(old.tokens_since, now),
                    false => old.tokens_since,
                },
                ..old
            };
            put(tx, &client)?;
            tx.execute(END_TOKENS, &[(&id).into(), client.tokens_since.into()])?;
            // One that acts for all parties may be held from some.
            let is_wider = client.all_parties && !acted_for_all;
            if acted && (is_wider || !acts(client.active, client.role)) {
                permissions::demand_links_of(tx, &owner, &id)?;
            }
            Ok(client)
        })
        .await
    }

    /// Removes a client with its links.
    ///
    /// Errors: [`Refusal::NotFound`], and [`Refusal::Unlinked`] where an enrolled party would lose
    /// its last ApUser.
    pub async fn remove_client(
        &self,
        organisation: &OrganisationId,
        client_id: &str,
    ) -> Result<(), Error> {
        let (owner, id) = (organisation.clone(), client_id.to_owned());
        self.write(move |tx| {
            own(tx, &owner, &id)?;
            tx.execute(REMOVE, &[(&id).into(), owner.as_str().into()])?;
            permissions::demand_links_of(tx, &owner, &id)?;
            tx.execute(permissions::REMOVE_ACCOUNT, &[owner.as_str().into(), (&id).into()])?;
            Ok(())
        })
        .await
    }

    /// The client of this name, active or not.
    pub async fn client(&self, client_id: &str) -> Result<Option<Client>, Error> {
        let key = client_id.to_owned();
        self.read(move |db| Ok(db.first(GET, &[(&key).into()])?.map(read).transpose()?)).await
    }

    /// The clients of an organisation, by name.
    pub async fn clients_of(&self, organisation: &OrganisationId) -> Result<Vec<Client>, Error> {
        let key = organisation.clone();
        self.read(move |db| {
            let rows = db.query(LIST, &[key.as_str().into()])?;
            Ok(rows.into_iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }
}
