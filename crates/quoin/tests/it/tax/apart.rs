//! Two access points as processes of their own, which can be stopped and killed, and the office of
//! the authorities beside them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_lab::lab::network::{Customer, LabAccessPoint, RECEIVER, SENDER, Surroundings};
use quoin_lab::lab::tax_office::TaxOffice;

use crate::kill::process::Service;
use crate::stage::caller::Caller;
use crate::stage::{Folder, PROVIDER_ONE, PROVIDER_TWO};

/// How long nothing may happen.
pub const PATIENCE: Duration = Duration::from_secs(420);
pub const PAUSE: Duration = Duration::from_millis(250);

pub struct Apart {
    pub around: Surroundings,
    pub office: TaxOffice,
    /// Corner 2.
    pub one: Arc<Service>,
    /// Corner 3.
    pub two: Arc<Service>,
    sender: Customer,
    // The last that goes.
    folder: Folder,
}

impl Apart {
    /// Starts both. `settings` gives the configuration of a role (`C2`, `C3`).
    pub async fn start(settings: impl Fn(Config, &str) -> Config) -> Apart {
        let (folder, clock) = (Folder::new(), Clock::default());
        let around = Surroundings::start(folder.path(), clock.clone()).await.unwrap();
        let one = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
        let two = LabAccessPoint::new(&around, "two", "POP000002").unwrap();
        let sender = Customer::new("sender", &[SENDER]).unwrap();
        let receiver = Customer::new("receiver", &[RECEIVER]).unwrap();
        for (id, corner) in
            [(SENDER, &one), (PROVIDER_ONE, &one), (RECEIVER, &two), (PROVIDER_TWO, &two)]
        {
            around.register(id, &corner.smp_url).unwrap();
        }
        let office = TaxOffice::open(&around, clock).await.unwrap();
        let service = |name: &str, corner: &LabAccessPoint, customer: &Customer, role: &str| {
            let config = settings(corner.config(&around, customer), role);
            Arc::new(Service::new(name, config, corner.api_url.clone(), folder.path()))
        };
        let one = service("one", &one, &sender, "C2");
        let two = service("two", &two, &receiver, "C3");
        one.start();
        two.start();
        Apart { around, office, one, two, sender, folder }
    }

    /// The configuration file of corner 2.
    pub fn config(&self) -> PathBuf {
        self.folder.path().join("one.toml")
    }

    /// A caller at corner 2, once it answers.
    pub async fn caller(&self) -> Caller {
        let begun = Instant::now();
        loop {
            let client = self.around.client().unwrap();
            match Caller::at(&self.one.api_url, client, &self.sender).await {
                Ok(caller) => return caller,
                Err(why) => assert!(begun.elapsed() < PATIENCE, "no token: {why}"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Sends an invoice until it was taken, whatever happens to the service meanwhile.
pub async fn send(caller: &Caller, id: &str, invoice: &str) {
    let begun = Instant::now();
    loop {
        match caller.try_send(SENDER, id, invoice.to_owned()).await {
            Ok(answer) if answer.status == 200 || answer.status == 409 => return,
            Ok(answer) => panic!("{}: {}", answer.status, answer.json),
            Err(why) => assert!(begun.elapsed() < PATIENCE, "no upload: {why}"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}
