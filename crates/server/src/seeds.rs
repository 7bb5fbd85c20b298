//! Organisations that the configuration declares: recorded at every start, so that the file stays
//! the truth about them.

use jiff::Timestamp;
use quoin_delivery::{HookId, IdError, OrganisationId, TopicPattern};
use quoin_peppol::codelists;
use quoin_peppol::identifiers::{IdentifierError, ParticipantId, ProcessId};
use quoin_store::{Client, Hook, HookScope, Organisation, Party, Role, Service, Store};
use quoin_store::{Error, secret_digest};

use crate::config::{ClientRole, ClientSeed, HookSeed, OrganisationSeed, PartySeed};
use crate::hooks::Action;
use crate::net::Guard;

/// What a party can receive that names no capability.
const DEFAULT_CAPABILITY: &str = "invoices";

/// Why a declared organisation cannot be recorded. A mistake in the configuration, or a fault.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// An id of ours is not one.
    #[error("organisation {organisation}: {source}")]
    Id {
        /// The organisation.
        organisation: String,
        /// What is wrong.
        source: IdError,
    },
    /// A participant identifier is not one.
    #[error("organisation {organisation}: {source}")]
    Participant {
        /// The organisation.
        organisation: String,
        /// What is wrong.
        source: IdentifierError,
    },
    /// Anything else that is wrong with a setting.
    #[error("organisation {organisation}: {problem}")]
    Setting {
        /// The organisation.
        organisation: String,
        /// What is wrong.
        problem: String,
    },
    /// The store refused or failed.
    #[error("organisation {organisation}: {source}")]
    Store {
        /// The organisation.
        organisation: String,
        /// Why.
        source: Error,
    },
}

/// Records one organisation with all that belongs to it.
///
/// # Errors
/// [`SeedError`]; what was recorded before stays.
pub async fn record(
    store: &Store,
    seed: &OrganisationSeed,
    guard: &Guard,
    now: Timestamp,
) -> Result<(), SeedError> {
    let desk = Desk { store, organisation: seed.id.clone(), guard, now };
    let id: OrganisationId = desk.id(seed.id.parse())?;
    let name = seed.name.clone();
    let organisation = Organisation { id: id.clone(), name, created_on: now };
    desk.stored(store.put_organisation(organisation).await)?;
    for client in &seed.clients {
        desk.client(&id, client).await?;
    }
    for party in &seed.parties {
        desk.party(&id, party).await?;
    }
    for hook in &seed.hooks {
        desk.hook(&id, hook, HookScope::Environment).await?;
    }
    Ok(())
}

struct Desk<'a> {
    store: &'a Store,
    organisation: String,
    guard: &'a Guard,
    now: Timestamp,
}

impl Desk<'_> {
    async fn client(&self, owner: &OrganisationId, seed: &ClientSeed) -> Result<(), SeedError> {
        let digest = match (&seed.secret, &seed.secret_sha256) {
            (Some(secret), _) => Some(secret_digest(secret.expose())),
            (None, Some(hex)) => data_encoding::HEXLOWER_PERMISSIVE
                .decode(hex.as_bytes())
                .ok()
                .and_then(|bytes| bytes.try_into().ok()),
            (None, None) => None,
        };
        let secret_sha256 = digest
            .ok_or_else(|| self.setting(format!("client {} has no usable secret", seed.id)))?;
        let client = Client {
            client_id: seed.id.clone(),
            organisation: owner.clone(),
            secret_sha256,
            role: match seed.role {
                ClientRole::ApUser => Role::ApUser,
                ClientRole::ApManager => Role::ApManager,
            },
            active: true,
            created_on: self.now,
        };
        self.stored(self.store.put_client(client).await)
    }

    async fn party(&self, owner: &OrganisationId, seed: &PartySeed) -> Result<(), SeedError> {
        let identifiers: Vec<ParticipantId> = seed
            .identifiers
            .iter()
            .map(|text| self.participant(text.parse()))
            .collect::<Result<_, _>>()?;
        let first = identifiers
            .first()
            .ok_or_else(|| self.setting(format!("party {} has no identifier", seed.name)))?;
        let party = Party {
            id: first.to_string(),
            organisation: owner.clone(),
            identifiers: identifiers.iter().map(ToString::to_string).collect(),
            name: seed.name.clone(),
            country: seed.country.clone(),
            created_on: self.now,
        };
        let name = party.id.clone();
        self.stored(self.store.put_party(party).await)?;
        self.register(owner, seed, &identifiers).await?;
        for hook in &seed.hooks {
            self.hook(owner, hook, HookScope::Party(name.clone())).await?;
        }
        Ok(())
    }

    /// Capabilities become pairs of document type and process, for each identifier.
    async fn register(
        &self,
        owner: &OrganisationId,
        seed: &PartySeed,
        identifiers: &[ParticipantId],
    ) -> Result<(), SeedError> {
        let mut wanted: Vec<&str> = seed
            .capabilities
            .iter()
            .filter(|(_, state)| state.as_str() == "on")
            .map(|(name, _)| name.as_str())
            .collect();
        let said = seed.capabilities.get(DEFAULT_CAPABILITY).map(String::as_str);
        if matches!(said, None | Some("inherited")) {
            wanted.push(DEFAULT_CAPABILITY);
        }
        let mut services = Vec::new();
        for name in wanted {
            let capability = codelists::capability(name)
                .ok_or_else(|| self.setting(format!("there is no capability {name:?}")))?;
            for (row, process) in capability.rows() {
                let process: ProcessId = self.participant(process.parse())?;
                let document_type = self.participant(row.id())?;
                services.extend(identifiers.iter().map(|identifier| Service {
                    participant: identifier.folded(),
                    document_type: document_type.to_string(),
                    process: process.to_string(),
                    organisation: owner.clone(),
                    created_on: self.now,
                }));
            }
        }
        for identifier in identifiers {
            self.stored(self.store.remove_services(owner, &identifier.folded()).await)?;
        }
        self.stored(self.store.put_services(services).await)
    }

    async fn hook(
        &self,
        owner: &OrganisationId,
        seed: &HookSeed,
        scope: HookScope,
    ) -> Result<(), SeedError> {
        let id: HookId = self.id(seed.id.parse())?;
        let destination = Action::parse(seed.action.expose(), self.guard)
            .map_err(|problem| self.setting(format!("hook {}: {problem}", seed.id)))?;
        let topics: Vec<TopicPattern> = seed
            .topics
            .iter()
            .map(|topic| topic.parse().map_err(|e| self.setting(format!("hook {}: {e}", seed.id))))
            .collect::<Result<_, _>>()?;
        let hook = Hook {
            organisation: owner.clone(),
            id,
            scope,
            name: seed.name.clone(),
            action: destination.url,
            secrets: destination.secret.into_iter().collect(),
            topics,
            output: Vec::new(),
            publish_topics: Vec::new(),
            filter: None,
            init: serde_json::Value::Null,
            is_active: true,
            created_on: self.now,
            changed_on: self.now,
        };
        self.stored(self.store.put_hook(hook).await)
    }

    fn id<T>(&self, parsed: Result<T, IdError>) -> Result<T, SeedError> {
        parsed.map_err(|source| SeedError::Id { organisation: self.organisation.clone(), source })
    }

    fn participant<T>(&self, parsed: Result<T, IdentifierError>) -> Result<T, SeedError> {
        let organisation = self.organisation.clone();
        parsed.map_err(|source| SeedError::Participant { organisation, source })
    }

    fn setting(&self, problem: String) -> SeedError {
        SeedError::Setting { organisation: self.organisation.clone(), problem }
    }

    fn stored<T>(&self, answer: Result<T, Error>) -> Result<T, SeedError> {
        let organisation = self.organisation.clone();
        answer.map_err(|source| SeedError::Store { organisation, source })
    }
}
