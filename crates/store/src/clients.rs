//! API clients: who may ask for a token. Secrets are 256 random bits, so a plain digest keeps them
//! as safe as a slow one would, at no cost per token.

use aws_lc_rs::digest::{SHA256, digest};
use jiff::Timestamp;
use quoin_delivery::OrganisationId;

use crate::engine::Row;
use crate::error::{Error, Fault, Refusal};
use crate::open::Store;

/// What a client may do (interface specification 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Sends and receives, and manages hooks, for its own parties.
    ApUser,
    /// All of that, and registrations, SMP management and enrolment.
    ApManager,
}

impl Role {
    /// The word of the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::ApUser => "ApUser",
            Role::ApManager => "ApManager",
        }
    }

    /// The role of this word, if there is one.
    pub fn named(word: &str) -> Option<Role> {
        [Role::ApUser, Role::ApManager].into_iter().find(|role| role.as_str() == word)
    }
}

/// A client of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its name at the token endpoint.
    pub client_id: String,
    /// Its tenant.
    pub organisation: OrganisationId,
    /// SHA-256 of its secret: compare in constant time.
    pub secret_sha256: [u8; 32],
    /// What it may do.
    pub role: Role,
    /// Whether it gets tokens at all.
    pub active: bool,
    /// Whether it acts for parties that it is not linked to.
    pub all_parties: bool,
    /// When it was recorded.
    pub created_on: Timestamp,
}

/// The digest under which a client's secret is kept.
pub fn secret_digest(secret: &str) -> [u8; 32] {
    let mut out = [0; 32];
    out.copy_from_slice(digest(&SHA256, secret.as_bytes()).as_ref());
    out
}

const GET: &str =
    "SELECT client_id, organisation, secret_sha256, role, active, all_parties, created_on
    FROM clients WHERE client_id = ?1";
const LIST: &str =
    "SELECT client_id, organisation, secret_sha256, role, active, all_parties, created_on
    FROM clients WHERE organisation = ?1 ORDER BY client_id";
const PUT: &str = "INSERT INTO clients
    (client_id, organisation, secret_sha256, role, active, all_parties, created_on)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (client_id) DO UPDATE SET secret_sha256 = excluded.secret_sha256,
    role = excluded.role, active = excluded.active, all_parties = excluded.all_parties
    WHERE clients.organisation = excluded.organisation";

const USER: &str = "SELECT 1 FROM users WHERE organisation = ?1 AND name = ?2";

fn read(mut row: Row) -> Result<Client, Fault> {
    Ok(Client {
        client_id: row.text("clients.client_id")?,
        organisation: row.parsed("clients.organisation")?,
        secret_sha256: row.digest("clients.secret_sha256")?,
        role: row.word("clients.role", Role::named)?,
        active: row.yes("clients.active")?,
        all_parties: row.yes("clients.all_parties")?,
        created_on: row.time("clients.created_on")?,
    })
}

impl Store {
    /// Records a client, or changes its secret, role or activity.
    ///
    /// Errors: [`Refusal::Taken`] where the name belongs to another organisation or to a user.
    pub async fn put_client(&self, client: Client) -> Result<(), Error> {
        self.write(move |tx| {
            let c = &client;
            let name = [c.organisation.as_str().into(), (&c.client_id).into()];
            if tx.first(USER, &name)?.is_some() {
                return Err(Refusal::Taken { what: "client", key: client.client_id }.into());
            }
            let changed = tx.execute(
                PUT,
                &[
                    (&c.client_id).into(),
                    c.organisation.as_str().into(),
                    c.secret_sha256.as_slice().into(),
                    c.role.as_str().into(),
                    c.active.into(),
                    c.all_parties.into(),
                    c.created_on.into(),
                ],
            )?;
            if changed == 0 {
                return Err(Refusal::Taken { what: "client", key: client.client_id }.into());
            }
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
