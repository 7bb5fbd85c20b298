//! The testbed against a service in the lab: certificates of every kind, a service that trusts
//! them, and the settings with which it is tested.

use std::path::Path;

use super::setup::{Api, Counterpart, Limits, Network, Setup, Subject};
use super::stage::Opening;
use super::wardrobe::Wardrobe;
use crate::clock::Clock;
use crate::config::{Config, Secret};
use crate::lab::network::{Corner, Customer, LabError, RECEIVER, SENDER, Surroundings, ZONE};

/// Everything that a run in the lab needs, before the service is started.
pub struct Lab {
    /// Certificates, revocation lists, mail.
    pub around: Surroundings,
    /// The configuration of the service under test.
    pub config: Config,
    /// The settings of the run.
    pub setup: Setup,
    /// The name server that the service asks.
    pub opening: Opening,
}

impl Lab {
    /// Makes certificates, finds ports and opens the name server; files go into `folder`.
    ///
    /// # Errors
    /// [`LabError`].
    pub async fn prepare(folder: &Path) -> Result<Lab, LabError> {
        let clock = Clock::default();
        let around = Surroundings::start(folder, clock.clone()).await?;
        let corner = Corner::new(&around, "tested", "POP000001")?;
        let customer = Customer::new("tested", &[SENDER, RECEIVER])?;
        let identities = folder.join("identities");
        Wardrobe::fill(&identities, &around.pki, clock.now())?;
        let counterpart = Counterpart { identities, ..Counterpart::default() };
        let opening = Opening::begin(&counterpart).await.map_err(LabError::Other)?;
        for participant in &customer.participants {
            let registered = opening.register(ZONE, participant, &corner.smp_url);
            registered.map_err(LabError::Other)?;
        }
        let config = config(&around, &corner, &customer, &opening);
        let setup = Setup {
            subject: Subject {
                receiver: RECEIVER.to_owned(),
                sender: SENDER.to_owned(),
                mls: true,
                ..Subject::default()
            },
            network: Network {
                zone: Some(ZONE.to_owned()),
                dns_servers: vec![opening.names.address],
                extra_ca_files: config.tls.extra_ca_files.clone(),
                private: true,
            },
            trust: config.trust.clone(),
            api: Some(Api {
                url: corner.api_url.clone(),
                client: customer.client.clone(),
                secret: Secret::new(&customer.secret),
                header_prefix: config.api.header_prefix.clone(),
            }),
            counterpart,
            limits: Limits { repeat_seconds: 120, ..Limits::default() },
        };
        Ok(Lab { around, config, setup, opening })
    }
}

/// The service under test: it asks the testbed's name server, and is not as patient as a real one,
/// so that a run ends in time.
fn config(
    around: &Surroundings,
    corner: &Corner,
    customer: &Customer,
    opening: &Opening,
) -> Config {
    let mut config = corner.config(around, customer);
    config.network.dns_servers = vec![opening.names.address];
    config.network.lookup_timeout_seconds = 8;
    config.retry.delivery_seconds = vec![1.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
    config
}
