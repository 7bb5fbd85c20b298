//! A disk that is full: the one of the log, which ends nothing, and the one of the store, after
//! which everything goes on.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use quoin_access_point::clock::Clock;
use quoin_access_point::config::{Config, ConfigSecret, HookSeed, LogFormat};
use quoin_lab::lab::network::{Customer, LabAccessPoint, SENDER, Surroundings};

use crate::kill::process::Service;
use crate::stage::caller::Caller;
use crate::stage::{Folder, until};

struct Scene {
    around: Surroundings,
    customer: Customer,
    corner: LabAccessPoint,
    folder: Folder,
}

impl Scene {
    async fn set() -> Scene {
        let folder = Folder::new();
        let around = Surroundings::start(folder.path(), Clock::default()).await.unwrap();
        let corner = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
        let customer = Customer::new("sender", &[SENDER]).unwrap();
        Scene { around, customer, corner, folder }
    }

    fn config(&self) -> Config {
        self.corner.config(&self.around, &self.customer)
    }

    fn service(&self, config: Config) -> Service {
        Service::new("one", config, self.corner.api_url.clone(), self.folder.path())
    }

    async fn caller(&self, service: &Service) -> Caller {
        until("it answers", async || {
            service.stays_up();
            let http = self.around.client().unwrap();
            Caller::at(&service.api_url, http, &self.customer).await.ok()
        })
        .await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_cannot_be_written_ends_nothing() {
    let scene = Scene::set().await;
    for format in [LogFormat::Text, LogFormat::Json] {
        let mut config = scene.config();
        config.log.format = format;
        let service = scene.service(config).logging_to(Path::new("/dev/full"));
        service.start();
        let caller = scene.caller(&service).await;
        for (path, status) in [("/health", 200), ("/nope", 404), ("/health", 200)] {
            assert_eq!(caller.get(path).await.status, status, "{path}");
        }
        service.stays_up();
        let ended = service.end(Duration::from_secs(30)).expect("it ends");
        assert_eq!(ended.code(), Some(0), "{ended}");
    }
}

/// A hook whose calls take so long; answers its address and counts them.
pub async fn slow_hook(takes: Duration) -> (String, Arc<AtomicUsize>) {
    let calls = Arc::<AtomicUsize>::default();
    let counted = calls.clone();
    let router = axum::Router::new().fallback(move || {
        let counted = counted.clone();
        async move {
            counted.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(takes).await;
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/slow", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, calls)
}

/// Lets a process write no file any further, or as far as it likes.
#[cfg(target_os = "linux")]
fn limit_files(service: &Service, limit: u64) {
    let pid = i32::try_from(service.pid()).unwrap();
    let all = (limit, rlimit::INFINITY);
    rlimit::prlimit(pid, rlimit::Resource::FSIZE, Some(all), None).unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn after_a_full_disk_what_was_done_is_recorded_and_health_tells_of_it() {
    let scene = Scene::set().await;
    let (url, calls) = slow_hook(Duration::from_secs(2)).await;
    let mut config = scene.config();
    config.organisation[0].hooks.push(HookSeed {
        id: "slow".to_owned(),
        name: "slow".to_owned(),
        action: ConfigSecret::new(format!("{url}#{}", scene.around.hook_secret)),
        topics: vec!["InvoiceSentError".to_owned()],
        init: Default::default(),
    });
    let service = scene.service(config);
    service.start();
    let caller = scene.caller(&service).await;
    let lost = quoin_formats::samples::invoice(SENDER, "0106:40440404", "FULL-1");
    let id = uuid::Uuid::new_v4().to_string();
    assert_eq!(caller.send(SENDER, &id, lost).await.status, 200);
    let called = |times: usize| (calls.load(Ordering::SeqCst) >= times).then_some(());
    until("the hook is called", async || called(1)).await;

    // While it is called nothing can be written any more, and what came of it is not recorded.
    limit_files(&service, 1);
    let health = until("health tells of it", async || {
        Some(caller.get("/health").await).filter(|health| health.status != 200)
    })
    .await;
    health.is_problem(503, "API503", "the store cannot be written to");
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(caller.get("/health/ready").await.status, 503);
    assert_eq!(calls.load(Ordering::SeqCst), 1);

    limit_files(&service, rlimit::INFINITY);
    until("all is well", async || {
        let health = caller.get("/health").await.json;
        (health["status"] == "ok" && health["alarms"] == serde_json::json!([])).then_some(())
    })
    .await;
    // What came of it was kept: it is not done again.
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(calls.load(Ordering::SeqCst), 1, "{}", service.log());
    service.stays_up();
}
