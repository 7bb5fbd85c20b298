//! A service of corner 3 as a process of its own, and what is around it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quoin_access_point::clock::Clock;
use quoin_lab::lab::network::{Customer, LabAccessPoint, RECEIVER, Surroundings};

use super::caller::{self, Caller};
use super::process::Service;

/// What messages to the service are made of.
pub(super) struct Stage {
    pub(super) around: Surroundings,
    pub(super) one: LabAccessPoint,
    pub(super) two: LabAccessPoint,
    pub(super) folder: Folder,
}

/// The folder of this run, which goes with it.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Starts the service; answers it, what is around it, and a client of its customer.
pub(super) async fn started(bench: &str) -> (Service, Stage, Caller) {
    let name = format!("quoin-{bench}-{}", std::process::id());
    let folder = Folder(std::env::temp_dir().join(name));
    let around = Surroundings::start(folder.path(), Clock::default()).await.expect("surroundings");
    let one = LabAccessPoint::new(&around, "one", "POP000001").expect("corner 2");
    let two = LabAccessPoint::new(&around, "two", "POP000002").expect("corner 3");
    let receiver = Customer::new("receiver", &[RECEIVER]).expect("customer");
    let mut config = two.config(&around, &receiver);
    config.log.filter = "error".to_owned();
    around.register(RECEIVER, &two.smp_url).expect("registered");
    let service = Service::new("two", config, two.api_url.clone(), folder.path());
    service.start();
    let stage = Stage { around, one, two, folder };
    let http = stage.around.client().expect("a client");
    let caller = caller::caller(&http, &stage.two.api_url, &receiver).await;
    (service, stage, caller)
}

/// Ends the service as a service manager does.
pub(super) fn end(service: &Service) {
    let ended = tokio::task::block_in_place(|| service.terminate(Duration::from_secs(60)));
    assert!(ended.is_some(), "the service ends when it is told to");
}
