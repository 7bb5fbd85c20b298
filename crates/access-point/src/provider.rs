//! The provider itself: who we are to other providers. It has an organisation and a party of its
//! own, `0242:` with the digits of its seat id, published like any other; what is about no customer
//! is kept there.

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use quoin_delivery::capabilities::{CapabilitySetting, States};
use quoin_delivery::{DocumentId, Family, IdError, OrganisationId, ids};
use quoin_peppol::codelists::CAPABILITIES;
use quoin_peppol::identifiers::{IdentifierError, ParticipantId, SeatId};
use quoin_peppol::pki::Certificate;
use quoin_peppol::sbdh::{CountryC1, MlsType};
use quoin_store::{
    EventSubject, Expected, NewOutgoing, Organisation, PartyChange, PartyRecord, Publish, Store,
    TransactionFacts,
};

use crate::config::{Config, ConfiguredStage};

/// The capability that stands for Message Level Statuses.
const CAPABILITY: &str = "reviews";

/// Why the provider cannot be set up. A mistake in the configuration.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The certificate names no seat, or an identifier is wrong.
    #[error("[provider]: {0}")]
    Identifier(#[from] IdentifierError),
    /// A setting is no identifier.
    #[error(
        "[provider] {setting}: expected a participant as in 0242:000001, found {found:?}: {why}"
    )]
    Setting {
        /// The setting.
        setting: &'static str,
        /// What was found.
        found: String,
        /// Why it is none.
        why: IdentifierError,
    },
    /// A country that is none.
    #[error(
        "[provider] country: expected a code of ISO 3166-1 alpha-2 as in NL, found {found:?}{}",
        if *is_set { "" } else { " in the access point certificate: set it" }
    )]
    NoCountry {
        /// What was found.
        found: String,
        /// Whether it is set, or of the certificate.
        is_set: bool,
    },
    /// An id cannot be used.
    #[error("[provider] organisation: {0}")]
    Id(#[from] IdError),
    /// No country is known.
    #[error(
        "[provider] country is not set, and the access point certificate names none: give the \
         country where the provider is domiciled"
    )]
    Country,
    /// An identifier of another provider.
    #[error("[provider] status_identifier: {found} must begin with {own}, our own identifier")]
    Foreign {
        /// What was found.
        found: String,
        /// Our own.
        own: String,
    },
}

/// Who we are to other providers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// Where what it sends and receives is kept.
    pub organisation: OrganisationId,
    /// Its name.
    pub name: String,
    /// Its seat id.
    pub seat: SeatId,
    /// Its main identifier, which is also the key of its party.
    pub id: ParticipantId,
    /// All of its identifiers, the main one first.
    pub identifiers: Vec<ParticipantId>,
    /// Where it is domiciled.
    pub country: CountryC1,
    /// Right-hand side of its message ids.
    pub domain: String,
    /// Whether statuses are given.
    pub gives_statuses: bool,
    /// Which statuses are asked for.
    pub asks: Option<MlsType>,
    /// Where statuses are wanted, where that is not the main identifier.
    pub status_to: Option<ParticipantId>,
    /// How long after M1 a confirmation is waited for.
    pub patience: SignedDuration,
    /// Both ends of statistics reports, where they are sent: sender and receiver.
    pub reports: Option<(ParticipantId, ParticipantId)>,
}

impl Provider {
    /// The provider that owns a certificate.
    ///
    /// # Errors
    /// [`ProviderError`].
    pub fn new(config: &Config, certificate: &Certificate) -> Result<Provider, ProviderError> {
        let section = &config.provider;
        let seat = certificate.seat()?;
        let main = seat.participant()?;
        let read = |setting, text: &str| {
            let named = |why| ProviderError::Setting { setting, found: text.to_owned(), why };
            text.parse::<ParticipantId>().map_err(named)
        };
        let status_to = section.status_identifier.as_deref();
        let status_to = status_to.map(|text| read("status_identifier", text)).transpose()?;
        if let Some(found) = status_to.as_ref().filter(|id| !is_department(id, &main)) {
            let (found, own) = (found.to_string(), main.to_string());
            return Err(ProviderError::Foreign { found, own });
        }
        let subject = certificate.subject();
        let is_set = section.country.is_some();
        let country = section.country.as_deref().or_else(|| subject.values("C").next());
        let country = country.ok_or(ProviderError::Country)?;
        let wrong = || ProviderError::NoCountry { found: country.to_owned(), is_set };
        let country = CountryC1::new(country).ok_or_else(wrong)?;
        let on = section.reports.unwrap_or(config.trust.stage == ConfiguredStage::Production);
        let sender = section.report_sender.as_deref();
        let sender = sender.map_or(Ok(main.clone()), |text| read("report_sender", text))?;
        let receiver = read("report_receiver", &section.report_receiver)?;
        let mut identifiers = vec![main.clone()];
        for more in [&status_to, &Some(sender.clone())].into_iter().flatten() {
            if !identifiers.contains(more) {
                identifiers.push(more.clone());
            }
        }
        Ok(Provider {
            organisation: section.organisation.parse()?,
            name: section.name.clone(),
            seat,
            id: main,
            identifiers,
            country,
            domain: config.access_point.as4_domain.clone().unwrap_or("localhost".to_owned()),
            gives_statuses: section.give_statuses,
            asks: section.ask_for_statuses.scope(),
            status_to,
            patience: section.patience(),
            reports: on.then_some((sender, receiver)),
        })
    }

    /// Brings the provider into the store: its organisation, its party, and the party's service,
    /// published at our SMP and wished in the SML. Only identifiers of the scheme of providers are
    /// published; another one, from which reports are sent, has its own owner.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn record(&self, store: &Store, now: Timestamp) -> Result<(), quoin_store::Error> {
        let id = self.organisation.clone();
        let known = store.organisations().await?.into_iter().any(|known| known.id == id);
        if !known {
            let name = self.name.clone();
            store.put_organisation(Organisation { id: id.clone(), name, created_on: now }).await?;
        }
        let published: Vec<String> = self
            .identifiers
            .iter()
            .filter(|id| id.icd() == SeatId::SPIS)
            .map(ParticipantId::folded)
            .collect();
        let party = PartyRecord {
            id: self.id.to_string(),
            organisation: id.clone(),
            identifiers: published.clone(),
            name: self.name.clone(),
            country: self.country.as_str().to_owned(),
            created_on: now,
        };
        store.put_party(party.clone()).await?;
        let state = |name: &str| {
            if name == CAPABILITY { CapabilitySetting::On } else { CapabilitySetting::Off }
        };
        let capabilities: States =
            CAPABILITIES.iter().map(|row| (row.name.to_owned(), state(row.name))).collect();
        let change = PartyChange {
            organisation: id,
            id: party.id,
            identifiers: published,
            name: None,
            country: party.country,
            capabilities,
            card: None,
            verification: None,
            links: Vec::new(),
            hooks: Vec::new(),
            migration_key: None,
            publish: Publish::Provider,
            expected: Expected::Any,
            account: Some(quoin_store::CONFIGURATION.to_owned()),
            now,
        };
        store.change_party(change).await?;
        Ok(())
    }

    /// What events of the provider itself are about.
    pub fn subject(&self, document: DocumentId) -> EventSubject {
        EventSubject {
            organisation: self.organisation.clone(),
            party: self.id.to_string(),
            transaction: None,
            document_id: document,
            origin: None,
            depth: 0,
        }
    }

    /// A document of the service's own, to be sent for an organisation.
    ///
    /// # Errors
    /// [`IdError`] where the domain of message ids is none.
    pub fn outgoing(
        &self,
        (organisation, party): (&OrganisationId, &str),
        document_id: DocumentId,
        family: Family,
        content: impl Into<Bytes>,
        now: Timestamp,
    ) -> Result<NewOutgoing, IdError> {
        Ok(NewOutgoing {
            message_id: ids::as4_message_id(organisation, &document_id, &self.domain)?,
            is_own_envelope: false,
            instance_id: ids::sbdh_instance_id(organisation, &document_id),
            organisation: organisation.clone(),
            party: party.to_owned(),
            document_id,
            family,
            facts: TransactionFacts::default(),
            channel: None,
            content: content.into(),
            now,
        })
    }
}

/// Whether an identifier is the main one or one that begins with it (SPIS 1.0.0).
fn is_department(id: &ParticipantId, main: &ParticipantId) -> bool {
    id.icd() == main.icd() && id.value().split('-').next() == Some(main.value())
}
