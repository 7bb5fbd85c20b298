//! What parties can receive and how they are found: configuration, business cards, enrolment and
//! migration (interface specification 2.2, 2.3, 2.7, 4.9, 4.11).

pub mod card;
pub mod config;
#[cfg(test)]
mod described;
pub mod enrol;
pub mod migration;
pub mod removal;
pub mod version;
pub mod view;

use axum::Router;
use axum::routing::{delete, get, put};

use super::Api;

pub(super) fn routes() -> Router<Api> {
    Router::new()
        .route("/api/v1/peppol/config", get(config::organisation).put(config::put_organisation))
        .route("/api/v1/peppol/config/party", get(config::parties))
        .route(
            "/api/v1/peppol/config/party/{partyId}",
            get(config::party).put(config::put_party).delete(removal::remove_party),
        )
        .route(
            "/api/v1/peppol/config/party/{partyId}/identifier/{identifier}",
            delete(removal::take_off),
        )
        .route(
            "/api/v1/peppol/{partyId}/prepareToMigrate",
            get(migration::prepare).delete(migration::take_back),
        )
        .route("/api/v1-beta/{partyId}/enroll", put(enrol::enrol).delete(enrol::withdraw))
}
