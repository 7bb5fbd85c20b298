//! Clients as they are shown.

use jiff::Timestamp;
use quoin_store::Client;
use serde::Serialize;
#[cfg(test)]
use serde_json::{Value, json};
#[cfg(test)]
use utoipa::ToSchema;

/// A client as it is shown; its secret is shown only when it is made.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClientView {
    /// Its id at the token endpoint, which is its name as a user too.
    #[cfg_attr(test, schema(example = "client-5d1f0c9be27a4e80b6c93d12"))]
    pub client_id: String,
    /// Its name for people.
    #[cfg_attr(test, schema(example = "ERP"))]
    pub name: String,
    /// `ApUser` or `ApManager`.
    #[cfg_attr(test, schema(example = "ApUser"))]
    pub role: &'static str,
    /// Whether it gets tokens at all.
    pub is_active: bool,
    /// Whether it acts for parties that it is not linked to.
    pub all_parties: bool,
    /// Whether the configuration of the service declares it; then it is changed there.
    pub is_declared: bool,
    /// Until when the secret before the newest one is taken as well.
    #[cfg_attr(test, schema(value_type = Option<String>, format = DateTime))]
    pub previous_secret_until: Option<Timestamp>,
    /// When it was recorded.
    #[cfg_attr(test, schema(value_type = String, format = DateTime))]
    pub created_on: Timestamp,
}

/// A client with its new secret.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClientWithSecret {
    /// The client.
    #[serde(flatten)]
    pub client: ClientView,
    /// Its secret: 64 characters, shown this once.
    #[cfg_attr(
        test,
        schema(example = "9f2c0d6b5a1e4f708c3d2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d7c")
    )]
    pub client_secret: String,
}

impl ClientView {
    pub(super) fn of(client: Client, now: Timestamp) -> ClientView {
        let previous = client.previous.map(|previous| previous.until);
        ClientView {
            client_id: client.client_id,
            name: client.name,
            role: client.role.as_str(),
            is_active: client.active,
            all_parties: client.all_parties,
            is_declared: client.declared,
            previous_secret_until: previous.filter(|until| now < *until),
            created_on: client.created_on,
        }
    }
}

impl ClientWithSecret {
    /// What the description of the interface shows.
    #[cfg(test)]
    pub(super) fn example() -> Value {
        json!({
            "clientId": "client-5d1f0c9be27a4e80b6c93d12", "name": "ERP", "role": "ApUser",
            "isActive": true, "allParties": false, "isDeclared": false,
            "previousSecretUntil": null, "createdOn": "2026-02-28T16:02:52Z",
            "clientSecret": "9f2c0d6b5a1e4f708c3d2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0f9e8d7c",
        })
    }
}
