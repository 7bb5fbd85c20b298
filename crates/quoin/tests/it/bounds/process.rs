//! A whole process: how it ends, and what it keeps.

use std::time::Duration;

use quoin_access_point::clock::Clock;
use quoin_lab::lab::network::{Customer, LabAccessPoint, SENDER, Surroundings};
use tokio::io::AsyncWriteExt;

use crate::kill::process::Service;
use crate::stage::Folder;
use crate::stage::caller::Caller;

struct Scene {
    around: Surroundings,
    customer: Customer,
    service: Service,
    as4: String,
    _folder: Folder,
}

async fn scene() -> Scene {
    let folder = Folder::new();
    let around = Surroundings::start(folder.path(), Clock::default()).await.unwrap();
    let corner = LabAccessPoint::new(&around, "one", "POP000001").unwrap();
    let customer = Customer::new("sender", &[SENDER]).unwrap();
    let mut config = corner.config(&around, &customer);
    config.limits.shutdown_seconds = 2;
    let (api, as4) = (corner.api_url.clone(), corner.as4_url);
    let service = Service::new("one", config, api, folder.path());
    service.start();
    Scene { around, customer, service, as4, _folder: folder }
}

impl Scene {
    async fn caller(&self) -> Caller {
        for _ in 0..200 {
            let http = self.around.client().unwrap();
            if let Ok(caller) = Caller::at(&self.service.api_url, http, &self.customer).await {
                return caller;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("no token\n{}", self.service.log());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a1_a_process_under_attack_hears_that_it_is_to_end() {
    let scene = scene().await;
    let caller = scene.caller().await;
    // Uploads that never end, and documents that take long to validate.
    let authority = scene.service.api_url.split("//").nth(1).unwrap().to_owned();
    let mut silent = Vec::new();
    for _ in 0..20 {
        let mut stream = tokio::net::TcpStream::connect(&authority).await.unwrap();
        stream.write_all(b"\x16\x03\x01").await.unwrap();
        silent.push(stream);
    }
    let invoice = quoin_formats::samples::INVOICE;
    let slow = invoice.replacen("<cac:Inv", &format!("{}<cac:Inv", "<z/>".repeat(400_000)), 1);
    let headers = [("content-type", "application/xml")];
    let path = "/api/v1/generic/validate";
    let validating = caller.call(reqwest::Method::POST, path, &headers, Some(slow));
    let ended = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        tokio::task::block_in_place(|| scene.service.terminate(Duration::from_secs(20)))
    };
    let (_, took) = tokio::join!(validating, ended);
    let took = took.unwrap_or_else(|| panic!("it did not end\n{}", scene.service.log()));
    // Two seconds for what is in flight and one to close; the machine may be busy.
    assert!(took < Duration::from_secs(6), "{took:?}\n{}", scene.service.log());
    assert!(scene.as4.starts_with("https"));
}

/// The process that was started is the one that serves, with the setting of its allocator.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_goes_back_soon() {
    let scene = scene().await;
    scene.caller().await;
    let of = |what: &str| std::fs::read(format!("/proc/{}/{what}", scene.service.pid())).unwrap();
    let environment = of("environ");
    let mut settings = environment.split(|byte| *byte == 0);
    assert!(settings.any(|setting| setting == b"MIMALLOC_PURGE_DELAY=10"));
    assert!(of("cmdline").windows(7).any(|part| part == b"\0serve\0"), "as it was called");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b9_a_thousand_password_grants_leave_little_memory_behind() {
    let scene = scene().await;
    scene.caller().await;
    let before = scene.service.resident();
    let url = format!("{}/connect/token", scene.service.api_url);
    let client = scene.around.client().unwrap();
    let mut under_way = tokio::task::JoinSet::new();
    for number in 0..1_000 {
        // Users that are not there cost the same, and no address is throttled for one of them
        // twice.
        let form =
            format!("grant_type=password&username=nobody{number}%40example.org&password=wrong-one");
        let (client, url) = (client.clone(), url.clone());
        under_way.spawn(async move {
            let kind = "application/x-www-form-urlencoded".parse().unwrap();
            let call = quoin_access_point::net::HttpCall {
                method: reqwest::Method::POST,
                headers: vec![(reqwest::header::CONTENT_TYPE, kind)],
                body: Some(form.into()),
                ..quoin_access_point::net::HttpCall::get(&url, Duration::from_secs(60), 1 << 16)
            };
            client.call(call).await.map(|answer| answer.status)
        });
        if under_way.len() >= 8 {
            under_way.join_next().await;
        }
    }
    while under_way.join_next().await.is_some() {}
    // The build for tests is larger than the one that is shipped; what counts is what is left
    // behind.
    let mut after = u64::MAX;
    for _ in 0..60 {
        after = scene.service.resident();
        if after < before + 30 {
            return;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    panic!("{before} MiB before, {after} MiB a minute after a thousand grants");
}
