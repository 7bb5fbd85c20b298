//! The customers' interface, put together from the parts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use futures::future::{BoxFuture, FutureExt};
use quoin_peppol::codelists;
use quoin_peppol::identifiers::{DocumentTypeId, ParticipantId, ProcessId, best_match};
use quoin_peppol::lookup::LookupError;

use super::{Parts, StartError};
use crate::api::{self, AccessPointInfo, Api, NetworkDesk, Recipient, Settings, StoredClients};
use crate::config::{Config, package_table};
use crate::health::Health;
use crate::http::auth::Auth;
use crate::http::body::BodyLimits;
use crate::http::issuers::Issuers;
use crate::http::password::Passwords;
use crate::http::rate::RateLimits;
use crate::http::throttle::Throttle;
use crate::http::token::Tokens;
use crate::keyfile;
use crate::lookup::{Lookup, Offer, Wanted};
use crate::sending::PROTOCOL;
use crate::smp_door::Publisher;

/// The routes of the customers' door.
pub(super) fn router(
    parts: &Parts,
    publisher: Option<Arc<Publisher>>,
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
    let settings = Settings {
        public_url,
        header_prefix: config.api.header_prefix.clone(),
        as4_domain: parts.as4_domain().to_owned(),
        body: BodyLimits::from(&config.limits),
        lookup_timeout: Duration::from_secs(config.network.lookup_timeout_seconds),
        hook_guard: parts.hook_guard(),
        verification: config.api.end_user_verification,
        health: Health::of(&parts.store, &parts.budgets)
            .and(Arc::new(parts.disk.clone()))
            .timed(parts.clock.clone()),
        disk: parts.disk.clone(),
        smp_users: smp_users(config),
        validation: Duration::from_secs(config.limits.validation_seconds),
        uploads: parts.budgets.bytes.clone(),
        judges: api::generic::Judges(parts.budgets.pool.clone()),
        response_order: config.documents.invoice_response_order,
        rates: RateLimits::new(&config.rate),
        provider: parts.provider.clone(),
        packages: package_table(&config.packages),
    };
    let api = Api {
        store: parts.store.clone(),
        auth,
        rules: parts.rules.clone(),
        lookup: parts.lookup.clone(),
        clock: parts.clock.clone(),
        network: NetworkDesk {
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

fn tokens(parts: &Parts, issuer: &str) -> Result<Tokens, StartError> {
    let config = &parts.config;
    let key = match &config.api.token_key_file {
        Some(path) => keyfile::read_pem(path)?,
        None => keyfile::read_or_make(&config.data_dir.join("token.key"), || {
            Tokens::generate_key().map_err(|error| error.to_string())
        })?,
    };
    Ok(Tokens::new(&key, issuer, config.api.token_lifetime_seconds)?)
}

impl api::Lookup for Lookup {
    fn lookup<'a>(
        &'a self,
        participant: &'a ParticipantId,
        document_type: Option<&'a DocumentTypeId>,
    ) -> BoxFuture<'a, Result<Recipient, LookupError>> {
        async move {
            let found = self.registrations(participant).await?;
            let (document_types, unreadable) = (found.document_types, found.unreadable);
            // What is preferred is not demanded: another type shows as well that it is reached.
            let preferred = document_type.filter(|id| best_match(id, &document_types).is_some());
            let any = || document_types.iter().find(|id| !id.is_pattern());
            let access_point = match preferred.or_else(any) {
                Some(document_type) => self.endpoint(participant, document_type).await?,
                None => None,
            };
            Ok(Recipient { document_types, unreadable, access_point })
        }
        .boxed()
    }

    fn offers<'a>(
        &'a self,
        participant: &'a ParticipantId,
        wanted: &'a Wanted,
    ) -> BoxFuture<'a, Result<Vec<Offer>, LookupError>> {
        Lookup::offers(self, participant, wanted).boxed()
    }

    fn reach<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<u16, String>> {
        self.reach(url).boxed()
    }
}

impl Lookup {
    /// The endpoint of the first process of the code list under which there is one.
    async fn endpoint(
        &self,
        participant: &ParticipantId,
        document_type: &DocumentTypeId,
    ) -> Result<Option<AccessPointInfo>, LookupError> {
        let row = codelists::document_type(document_type);
        let mut last = None;
        for process in row.map_or(&[][..], |row| row.processes) {
            let Ok(process) = process.parse::<ProcessId>() else { continue };
            match self.find(participant, document_type, &process).await {
                Ok(found) => {
                    return Ok(Some(AccessPointInfo {
                        url: found.endpoint.address,
                        seat_id: found.endpoint.certificate.seat().to_string(),
                        protocol: PROTOCOL.to_owned(),
                    }));
                }
                Err(failure) => last = Some(failure.error),
            }
        }
        last.map_or(Ok(None), Err)
    }
}
