//! The customers' interface: documents, recipients, hooks (interface specification section 4).
//! A handler authenticates, reads, does one thing with the store, and answers; everything slow is
//! the worker's.

pub mod answers;
pub mod batch;
#[cfg(test)]
mod bodies;
mod bool_param;
pub mod channel_list;
pub mod channels;
pub mod clearance;
pub mod clients;
#[cfg(test)]
mod code_names;
pub mod conversion;
mod dico_inbound;
pub mod documents;
pub mod dossier;
pub mod dry_run;
mod enveloped;
pub mod events;
pub mod exchange;
mod format;
pub mod generic;
mod guess_brake;
pub mod hook_log;
pub mod hook_replay;
pub mod hook_secret;
pub mod hooks;
pub mod import;
pub mod jobs;
mod json;
pub mod me;
mod message_statuses;
pub mod network;
mod network_call;
mod network_status;
pub mod openapi;
pub mod options;
pub mod orders;
mod paging;
mod partner_inbound;
#[cfg(test)]
mod paths;
pub mod peppol;
pub mod permissions;
pub mod ping;
pub mod platform_inbound;
mod purchase;
mod queries;
mod reader;
mod reading;
mod receivers;
pub mod recipient;
pub mod recognize;
pub(crate) mod refused;
mod reports;
pub mod response;
pub mod rights;
mod routes;
mod rule_pages;
pub mod sales;
mod service_levels;
mod shown;
pub mod smp;
pub mod tax;
pub mod upload;
pub mod usage;
pub mod users;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, FromRef};
use axum::response::Redirect;
use axum::routing::{delete, get, post};
use axum::{Extension, Router, middleware};
use futures::future::{BoxFuture, FutureExt};
use quoin_delivery::Packages;
use quoin_delivery::responses::ResponseOrder;
use quoin_store::Store;

use crate::http::auth::Auth;
use crate::http::body::BodyRoom;
use crate::http::connect;
use crate::http::frame::{RequestFrame, framed};
use crate::http::problem::Problem;
use crate::http::rate::RateLimits;
use crate::http::{AccountRights, AccountsFault, ClientRecord, Clients, UserRecord, codes};
use quoin_access_point::budget::{BodyLimits, Places};
use quoin_access_point::channels::Allowed;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{ClientRole, EndUserVerification};
use quoin_access_point::disk::Disk;
use quoin_access_point::health::Health;
use quoin_access_point::provider::Provider;
use quoin_access_point::rules::RuleLibrary;
use quoin_access_point::smp_publisher::SmpPublisher;

pub use network::NetworkService;
pub use recipient::{AccessPointInfo, Recipient, RecipientLookup};

/// What the handlers share.
#[derive(Clone)]
pub struct Api {
    /// The memory of the service.
    pub store: Store,
    /// Tokens.
    pub auth: Auth,
    /// Where documents are judged.
    pub rules: Arc<RuleLibrary>,
    /// Who answers look-ups.
    pub lookup: Arc<dyn RecipientLookup>,
    /// The time.
    pub clock: Clock,
    /// What is known of the network.
    pub network: NetworkService,
    /// Settings that do not change while the process runs.
    pub settings: Arc<ApiSettings>,
}

/// Settings of the interface.
#[derive(Clone)]
pub struct ApiSettings {
    /// Base address as customers see it, without a slash at the end.
    pub public_url: String,
    /// Prefix of request headers, as in `X-Service-`.
    pub header_prefix: String,
    /// Right-hand side of AS4 message ids.
    pub as4_domain: String,
    /// What is read of a body, and for how long.
    pub body: BodyLimits,
    /// Time for a look-up.
    pub lookup_timeout: Duration,
    /// What hooks may name.
    pub hook_guard: Allowed,
    /// How it is known that a party was verified.
    pub verification: EndUserVerification,
    /// Whether the service is well.
    pub health: Health,
    /// Whether there is room for what comes in.
    pub disk: Disk,
    /// The users that are linked where a client registers a party at `/smp` and names none.
    pub smp_users: BTreeMap<String, String>,
    /// Time for one validation.
    pub validation: Duration,
    /// Memory and disk for uploads in flight.
    pub uploads: BodyRoom,
    /// Threads for validation.
    pub judges: generic::ValidatorPool,
    /// Whether the order of Invoice Response states is checked.
    pub response_order: ResponseOrder,
    /// How many requests a client may make.
    pub rates: Arc<RateLimits>,
    /// Who we are to other providers; none without an access point certificate.
    pub provider: Option<Arc<Provider>>,
    /// What conversions may lose; none where documents are not converted.
    pub conversion: Option<quoin_identity::ConversionPolicy>,
    /// The packages that there are.
    pub packages: Packages,
    /// Places of those who follow events.
    pub followers: Places,
}

impl FromRef<Api> for BodyLimits {
    fn from_ref(api: &Api) -> BodyLimits {
        api.settings.body
    }
}

impl FromRef<Api> for BodyRoom {
    fn from_ref(api: &Api) -> BodyRoom {
        api.settings.uploads.clone()
    }
}

impl FromRef<Api> for Auth {
    fn from_ref(api: &Api) -> Auth {
        api.auth.clone()
    }
}

/// All routes of the door, in their frame.
pub fn router(api: Api) -> Router {
    router_with(api, None)
}

/// The same, with the SMP of this process to be managed.
pub fn router_with(api: Api, publisher: Option<Arc<SmpPublisher>>) -> Router {
    let frame = RequestFrame {
        base: api.settings.public_url.as_str().into(),
        request_bytes: api.settings.body.bytes,
        clock: api.clock.clone(),
        prefix: api.settings.header_prefix.as_str().into(),
        rates: api.settings.rates.clone(),
        pool: api.settings.judges.0.clone(),
        store: Some(api.store.clone()),
    };
    let ApiSettings { header_prefix, public_url, .. } = &*api.settings;
    let description = openapi::Served::with(header_prefix, public_url);
    let routes = Router::new()
        .route("/api/v1/me", get(me::me))
        .route("/api/v1/me/party", get(me::parties))
        .route("/api/v1/queryRecipientParty", get(recipient::query))
        .route("/api/v1/{partyId}/salesInvoice/send", post(upload::send))
        .route("/api/v1/{partyId}/salesInvoice", get(sales::list))
        .route("/api/v1/{partyId}/salesInvoice/{documentId}", get(sales::document))
        .route("/api/v1/{partyId}/salesInvoice/{documentId}/status", get(sales::status))
        .route("/api/v1/{partyId}/purchaseInvoice", get(purchase::list))
        .route(
            "/api/v1/{partyId}/purchaseInvoice/{documentId}",
            get(purchase::document).delete(purchase::remove),
        )
        .route("/api/v1/{partyId}/purchaseInvoice/{documentId}/status", get(purchase::status))
        .route("/api/v1/{partyId}/purchaseInvoice/{documentId}/download", get(purchase::download))
        .route("/api/v1/generic/validate", post(generic::validate))
        .route("/api/v1/generic/validate/options", get(generic::options))
        .merge(hook_routes())
        .merge(routes::documents())
        .merge(clearance::routes())
        .merge(tax::routes())
        .merge(dossier::routes())
        .merge(network::routes())
        .merge(channel_list::routes())
        .merge(users::routes())
        .merge(clients::routes())
        .merge(peppol::routes())
        .merge(reader::routes())
        .merge(rule_pages::routes())
        .merge(smp::routes(publisher))
        .merge(jobs::routes())
        .route("/networks/{organisation}/{hookId}", post(partner_inbound::take))
        .route("/networks/{organisation}/{hookId}/documents", post(platform_inbound::take))
        .route("/networks/{organisation}/{hookId}/statuses", post(dico_inbound::take))
        .route("/", get(async || Redirect::temporary("docs")))
        .route("/health", get(me::health))
        .route("/health/live", get(me::live))
        .route("/health/ready", get(me::ready))
        .route("/openapi.json", get(openapi::serve).layer(Extension(description)))
        .layer(middleware::from_fn(queries::note))
        .layer(DefaultBodyLimit::disable())
        .with_state(api.clone());
    framed(routes.merge(connect::routes(api.auth)), frame)
}

fn hook_routes() -> Router<Api> {
    Router::new()
        .route(
            "/api/v1/hook",
            get(hooks::list_environment).post(hooks::put_environment).put(hooks::put_environment),
        )
        .route(
            "/api/v1/hook/{hookId}",
            get(hooks::get_environment).delete(hooks::remove_environment),
        )
        .route("/api/v1/hook/{hookId}/deliveries", get(hook_log::environment))
        .route(
            "/api/v1/hook/{hookId}/deliveries/{deliveryId}/replay",
            post(hook_replay::environment_call),
        )
        .route("/api/v1/hook/{hookId}/replay", post(hook_replay::environment))
        .route("/api/v1/hook/{hookId}/rotate", post(hook_secret::environment))
        .route(
            "/api/v1/{partyId}/hook",
            get(hooks::list_party).post(hooks::put_party).put(hooks::put_party),
        )
        .route("/api/v1/{partyId}/hook/{hookId}", delete(hooks::remove_party).get(hooks::get_party))
        .route("/api/v1/{partyId}/hook/ping", get(ping::ping))
        .route("/api/v1/{partyId}/hook/{hookId}/deliveries", get(hook_log::party))
        .route(
            "/api/v1/{partyId}/hook/{hookId}/deliveries/{deliveryId}/replay",
            post(hook_replay::party_call),
        )
        .route("/api/v1/{partyId}/hook/{hookId}/replay", post(hook_replay::party))
        .route("/api/v1/{partyId}/hook/{hookId}/rotate", post(hook_secret::party))
        .route("/api/v1/{partyId}/batch/{batchId}/download", get(batch::download))
        .route("/api/v1/events", get(events::list))
        .route("/api/v1/events/stream", get(events::stream))
}

impl From<quoin_store::Error> for Problem {
    /// What the store refuses is the caller's, where the handler has not said it better; what it
    /// fails at is ours.
    fn from(error: quoin_store::Error) -> Problem {
        if let Some(problem) = refused::problem(&error) {
            return problem;
        }
        match error {
            quoin_store::Error::Refusal(quoin_store::Refusal::NotFound { .. }) => {
                Problem::new(&codes::NO_DOCUMENT, error.to_string())
            }
            quoin_store::Error::Refusal(quoin_store::Refusal::OutOfOrder(refusal)) => {
                Problem::new(&codes::OUT_OF_ORDER, refusal.to_string())
            }
            quoin_store::Error::Refusal(quoin_store::Refusal::Continuation { .. }) => {
                Problem::new(&codes::BAD_TOKEN, error.to_string())
            }
            error => Problem::fault(error),
        }
    }
}

impl From<quoin_store::Error> for AccountsFault {
    fn from(error: quoin_store::Error) -> AccountsFault {
        AccountsFault(error.to_string())
    }
}

/// The store as the place where clients are looked up.
pub struct StoredClients(pub Store);

impl Clients for StoredClients {
    fn find<'a>(
        &'a self,
        client_id: &'a str,
    ) -> BoxFuture<'a, Result<Option<ClientRecord>, AccountsFault>> {
        async move {
            let found = self.0.client(client_id).await?;
            let Some(client) = found.filter(|client| client.active) else { return Ok(None) };
            if !self.0.is_open(&client.organisation).await? {
                return Ok(None);
            }
            Ok(Some(ClientRecord {
                client_id: client.client_id,
                organisation: client.organisation.as_str().to_owned(),
                role: role(client.role),
                secret_sha256: client.secret_sha256,
                previous: client.previous.map(|previous| (previous.sha256, previous.until)),
                since: client.tokens_since,
            }))
        }
        .boxed()
    }

    fn users<'a>(
        &'a self,
        organisation: Option<&'a str>,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Vec<UserRecord>, AccountsFault>> {
        async move {
            let found = match organisation.map(str::parse) {
                None => self.0.users_named(name).await?,
                Some(Err(_)) => Vec::new(),
                Some(Ok(owner)) => {
                    let found = self.0.user(&owner, name).await?.filter(|user| user.active);
                    let is_open = self.0.is_open(&owner).await?;
                    found.filter(|_| is_open).into_iter().collect()
                }
            };
            let record = |user: quoin_store::User| {
                Some(UserRecord {
                    password_hash: user.password_hash?,
                    name: user.name,
                    organisation: user.organisation.as_str().to_owned(),
                    role: role(user.role),
                    since: user.tokens_since,
                })
            };
            Ok(found.into_iter().filter_map(record).collect())
        }
        .boxed()
    }

    fn has_organisation<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<bool, AccountsFault>> {
        async move {
            let Ok(id) = id.parse() else { return Ok(false) };
            Ok(self.0.is_open(&id).await?)
        }
        .boxed()
    }

    fn standing<'a>(
        &'a self,
        organisation: &'a str,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<AccountRights>, AccountsFault>> {
        async move {
            let Ok(organisation) = organisation.parse() else { return Ok(None) };
            let found = self.0.account(&organisation, name).await?;
            Ok(found.map(|account| AccountRights {
                active: account.active,
                role: role(account.role),
                all_parties: account.all_parties,
                since: account.tokens_since,
            }))
        }
        .boxed()
    }
}

/// The role of the store as that of the interface.
fn role(role: quoin_store::AccountRole) -> ClientRole {
    match role {
        quoin_store::AccountRole::ApUser => ClientRole::ApUser,
        quoin_store::AccountRole::ApManager => ClientRole::ApManager,
    }
}
