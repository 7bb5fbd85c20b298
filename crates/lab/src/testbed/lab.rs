//! The testbed against a service in the lab: certificates of every kind, a service that trusts
//! them, and the settings with which it is tested.

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use hyper::header::{AUTHORIZATION, HeaderValue};
use quoin_peppol::identifiers::TransportProfile;
use quoin_peppol::smp::{self, Endpoint, ProcessEndpoints, ServiceInformation, ServiceMetadata};

use super::setup::{
    ApiSetup, Counterpart, NetworkSetup, TestbedLimits, TestbedSetup, TestedAccessPoint,
};
use super::stage::PreparedNetwork;
use super::submission::documents::{PINT_PATTERN, PINT_PROCESS, PINT_TYPE};
use super::test_identities::TestIdentities;
use crate::lab::network::{
    Customer, LabAccessPoint, LabError, RECEIVER, SENDER, Surroundings, ZONE,
};
use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, ConfigSecret};
use quoin_access_point::identity::Credentials;
use quoin_access_point::net::HttpCall;

/// Time for the one call that is made before the run.
const CALL_TIME: Duration = Duration::from_secs(60);
/// What is read of its answer, in bytes.
const LARGEST_ANSWER: usize = 1 << 20;

/// Everything that a run in the lab needs, before the service is started.
pub struct Lab {
    /// Certificates, revocation lists, mail.
    pub around: Surroundings,
    /// The configuration of the service under test.
    pub config: Config,
    /// The settings of the run.
    pub setup: TestbedSetup,
    /// The name server that the service asks.
    pub opening: PreparedNetwork,
}

impl Lab {
    /// Makes certificates, finds ports and opens the name server; files go into `folder`.
    ///
    /// # Errors
    /// [`LabError`].
    pub async fn prepare(folder: &Path) -> Result<Lab, LabError> {
        let clock = Clock::default();
        let around = Surroundings::start(folder, clock.clone()).await?;
        let corner = LabAccessPoint::new(&around, "tested", "POP000001")?;
        let customer = Customer::new("tested", &[SENDER, RECEIVER])?;
        let identities = folder.join("identities");
        TestIdentities::fill(&identities, &around.pki, clock.now())?;
        let counterpart = Counterpart { identities, ..Counterpart::default() };
        let opening = PreparedNetwork::begin(&counterpart).await.map_err(LabError::Other)?;
        for participant in &customer.participants {
            let registered = opening.register(ZONE, participant, &corner.smp_url);
            registered.map_err(LabError::Other)?;
        }
        let config = config(&around, &corner, &customer, &opening);
        let setup = TestbedSetup {
            subject: TestedAccessPoint {
                receiver: RECEIVER.to_owned(),
                sender: SENDER.to_owned(),
                wildcard_type: Some(PINT_TYPE.to_owned()),
                mls: true,
                ..TestedAccessPoint::default()
            },
            network: NetworkSetup {
                zone: Some(ZONE.to_owned()),
                dns_servers: vec![opening.names.address],
                extra_ca_files: config.tls.extra_ca_files.clone(),
                private: true,
            },
            trust: config.trust.clone(),
            api: Some(ApiSetup {
                url: corner.api_url.clone(),
                client: customer.client.clone(),
                secret: ConfigSecret::new(&customer.secret),
                header_prefix: config.api.header_prefix.clone(),
            }),
            counterpart,
            limits: TestbedLimits { repeat_seconds: 120, ..TestbedLimits::default() },
        };
        Ok(Lab { around, config, setup, opening })
    }

    /// Registers, at the service that was started meanwhile, what none of its capabilities stands
    /// for: PINT invoices of every jurisdiction by a wildcard, through the management of its SMP.
    ///
    /// # Errors
    /// [`LabError`] with what the service said.
    pub async fn register(&self) -> Result<(), LabError> {
        let api = self.setup.api.as_ref();
        let api = api.ok_or_else(|| wrong("the lab has no interface"))?;
        let registration = self.wildcard()?;
        let path =
            smp::service_metadata_path(&registration.participant, &registration.document_type);
        let metadata = ServiceMetadata::Information(registration);
        let unsigned = smp::service_metadata(&metadata).map_err(wrong)?;
        let publisher = Credentials::load(&self.config.smp.key_place()).map_err(wrong)?;
        let body = smp::sign(&unsigned, publisher.key.as_ref(), &publisher.certificate);
        let body = body.map_err(wrong)?;
        let pair = format!("{}:{}", api.client, api.secret.expose());
        let basic = format!("Basic {}", data_encoding::BASE64.encode(pair.as_bytes()));
        let url = format!("{}/smp{path}", api.url);
        let call = HttpCall {
            method: Method::PUT,
            headers: vec![(AUTHORIZATION, HeaderValue::from_str(&basic).map_err(wrong)?)],
            body: Some(Bytes::from(body)),
            ..HttpCall::get(&url, CALL_TIME, LARGEST_ANSWER)
        };
        let answer = self.around.client()?.call(call).await.map_err(wrong)?;
        match answer.status {
            200 => Ok(()),
            status => {
                let said = String::from_utf8_lossy(&answer.body);
                Err(wrong(format!("{url} answered {status}: {said}")))
            }
        }
    }

    fn wildcard(&self) -> Result<ServiceInformation, LabError> {
        let own = &self.config.access_point;
        let certificate = Credentials::load(&own.key_place()).map_err(wrong)?.certificate;
        let endpoint = Endpoint {
            transport_profile: TransportProfile::AS4.to_owned(),
            address: own.public_url.clone().unwrap_or_default(),
            activation: None,
            expiration: None,
            certificate: certificate.base64(),
            description: "Quoin testbed".to_owned(),
            technical_contact: "mailto:testbed@quoin.test".to_owned(),
            technical_information: None,
        };
        let process = PINT_PROCESS.parse().map_err(wrong)?;
        Ok(ServiceInformation {
            participant: RECEIVER.parse().map_err(wrong)?,
            document_type: PINT_PATTERN.parse().map_err(wrong)?,
            processes: vec![ProcessEndpoints { id: process, endpoints: vec![endpoint] }],
        })
    }
}

fn wrong(error: impl std::fmt::Display) -> LabError {
    LabError::Other(error.to_string())
}

/// The service under test: it asks the testbed's name server, and is not as patient as a real one,
/// so that a run ends in time.
fn config(
    around: &Surroundings,
    corner: &LabAccessPoint,
    customer: &Customer,
    opening: &PreparedNetwork,
) -> Config {
    let mut config = corner.config(around, customer);
    config.network.dns_servers = vec![opening.names.address];
    config.network.lookup_timeout_seconds = 8;
    config.retry.delivery_seconds = vec![1.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
    config
}
