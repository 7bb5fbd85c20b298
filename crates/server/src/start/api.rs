//! The customers' interface, put together from the parts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;

use super::{ServiceParts, StartError};
use quoin_access_point::budget::BodyLimits;
use quoin_access_point::config::{Config, package_table};
use quoin_access_point::health::Health;
use quoin_access_point::keyfile;
use quoin_access_point::smp_publisher::SmpPublisher;
use quoin_api::api::{self, Api, ApiSettings, NetworkService, StoredClients};
use quoin_api::http::auth::Auth;
use quoin_api::http::body::BodyRoom;
use quoin_api::http::issuers::Issuers;
use quoin_api::http::password::Passwords;
use quoin_api::http::rate::RateLimits;
use quoin_api::http::throttle::Throttle;
use quoin_api::http::token::Tokens;

/// The routes of the customers' door.
pub(super) fn router(
    parts: &ServiceParts,
    publisher: Option<Arc<SmpPublisher>>,
) -> Result<Router, StartError> {
    let config = &parts.config;
    let public_url = parts.public_url();
    let auth = Auth {
        tokens: Arc::new(tokens(parts, &public_url)?),
        clients: Arc::new(StoredClients(parts.store.clone())),
        throttle: Arc::new(Throttle::new(config.api.token_failures_per_minute)),
        passwords: Passwords::new(&parts.budgets),
        issuers: Arc::new(Issuers::new(&config.api.issuers, &parts.key_source())),
        clock: parts.clock.clone(),
    };
    let alarms = parts.alarms.clone();
    let settings = ApiSettings {
        public_url,
        header_prefix: config.api.header_prefix.clone(),
        as4_domain: parts.as4_domain().to_owned(),
        body: BodyLimits::from(&config.limits),
        lookup_timeout: Duration::from_secs(config.network.lookup_timeout_seconds),
        hook_guard: parts.hook_guard(),
        verification: config.api.end_user_verification,
        health: Health::of(&parts.store, &parts.budgets)
            .and(Arc::new(parts.disk.clone()))
            .hearing(move || alarms.unrecorded())
            .timed(parts.clock.clone()),
        disk: parts.disk.clone(),
        smp_users: smp_users(config),
        validation: Duration::from_secs(config.limits.validation_seconds),
        uploads: BodyRoom {
            bytes: parts.budgets.bytes.clone(),
            spool: parts.budgets.spool.clone(),
            pool: parts.budgets.pool.clone(),
            folder: config.data_dir.join("spool").into(),
        },
        judges: api::generic::ValidatorPool(parts.budgets.pool.clone()),
        response_order: config.documents.invoice_response_order,
        rates: RateLimits::new(&config.rate),
        provider: parts.provider.clone(),
        conversion: config.conversion.policy(),
        packages: package_table(&config.packages),
        followers: parts.budgets.followers.clone(),
    };
    let api = Api {
        store: parts.store.clone(),
        auth,
        rules: parts.rules.clone(),
        lookup: parts.lookup.clone(),
        clock: parts.clock.clone(),
        network: NetworkService {
            breakers: parts.breakers.clone(),
            trust: Some(parts.trust.clone()),
            certificates: parts.certificates.clone(),
            own: parts.signs_dossiers(),
        },
        settings: Arc::new(settings),
    };
    Ok(api::router_with(api, publisher))
}

fn smp_users(config: &Config) -> BTreeMap<String, String> {
    let clients = config.organisation.iter().flat_map(|organisation| &organisation.clients);
    clients.filter_map(|client| Some((client.id.clone(), client.smp_user.clone()?))).collect()
}

fn tokens(parts: &ServiceParts, issuer: &str) -> Result<Tokens, StartError> {
    let config = &parts.config;
    let path = own_token_key(config);
    let key = match &config.api.token_key_file {
        Some(path) => keyfile::read_pem(path)?,
        None => keyfile::read_or_make(&path, || {
            Tokens::generate_key().map_err(|error| error.to_string())
        })?,
    };
    usable_tokens(config, &key, issuer)
}

/// Where the key that signs tokens lies that the service made for itself.
pub(super) fn own_token_key(config: &Config) -> PathBuf {
    config.data_dir.join("token.key")
}

/// Tokens that are signed with this key.
///
/// # Errors
/// [`StartError`] names the file that it is from.
pub(super) fn usable_tokens(
    config: &Config,
    key: &[u8],
    issuer: &str,
) -> Result<Tokens, StartError> {
    Tokens::new(key, issuer, config.api.token_lifetime_seconds).map_err(|source| {
        match &config.api.token_key_file {
            Some(path) => StartError::NamedTokenKey { path: path.clone(), source },
            None => StartError::TokenKey { path: own_token_key(config), source },
        }
    })
}
