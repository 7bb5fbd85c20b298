//! The lab's SML answers real DNS questions, and our resolver tells its outcomes apart.

use std::net::SocketAddr;
use std::time::Duration;

use quoin_access_point::net::{Dns, NaptrAnswer};
use quoin_lab::lab::sml::{LabSml, LabZone};

const ORIGIN: &str = "participant.sml.lab.example";
const LIMIT: Duration = Duration::from_secs(8);

fn name(label: &str) -> String {
    format!("{label}.iso6523-actorid-upis.{ORIGIN}")
}

async fn sml() -> (LabSml, Dns) {
    let zone = LabZone::new(ORIGIN).unwrap();
    let sml = LabSml::open("127.0.0.1:0".parse().unwrap(), zone).await.unwrap();
    let dns = Dns::new(&[sml.address]).unwrap();
    (sml, dns)
}

#[tokio::test]
async fn registered_empty_and_unknown_names_are_told_apart() {
    let (sml, dns) = sml().await;
    sml.zone.register(&name("ABC"), "https://smp.example/base").unwrap();
    sml.zone.empty(&name("EMPTY")).unwrap();
    sml.zone.fail(&name("BROKEN")).unwrap();
    let NaptrAnswer::Records(found) = dns.naptr(&name("abc"), LIMIT).await else {
        panic!("registered");
    };
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].flags.as_str(), found[0].services.as_str()), ("U", "Meta:SMP"));
    assert_eq!(found[0].regexp, "!.*!https://smp.example/base!");
    assert_eq!(dns.naptr(&name("NOBODY"), LIMIT).await, NaptrAnswer::NotFound);
    assert_eq!(dns.naptr(&name("EMPTY"), LIMIT).await, NaptrAnswer::NoData);
    let parent = format!("iso6523-actorid-upis.{ORIGIN}");
    assert_eq!(dns.naptr(&parent, LIMIT).await, NaptrAnswer::NoData, "a name above exists");
    assert!(matches!(dns.naptr(&name("BROKEN"), LIMIT).await, NaptrAnswer::Temporary(_)));
    let other = dns.naptr("elsewhere.example", LIMIT).await;
    assert!(matches!(other, NaptrAnswer::Temporary(_)), "refused is temporary: {other:?}");
}

#[tokio::test]
async fn many_records_come_over_tcp_in_their_order() {
    let (sml, dns) = sml().await;
    let urls: Vec<String> =
        (0..30).map(|n| format!("https://smp-{n}.example/{}", "x".repeat(120))).collect();
    let mut records: Vec<(&str, &str)> = urls.iter().map(|url| ("Meta:CPPA", &**url)).collect();
    records.push(("meta:smp", "https://last.example"));
    sml.zone.records(&name("BIG"), &records).unwrap();
    let NaptrAnswer::Records(found) = dns.naptr(&name("BIG"), LIMIT).await else {
        panic!("registered");
    };
    assert_eq!(found.len(), 31);
    assert_eq!(found.last().unwrap().services, "meta:smp");
    assert!(found.is_sorted_by_key(|record| record.order));
}

#[tokio::test]
async fn answers_are_kept_until_forgotten() {
    let (sml, dns) = sml().await;
    sml.zone.register(&name("ABC"), "https://one.example").unwrap();
    let first = dns.naptr(&name("ABC"), LIMIT).await;
    sml.zone.register(&name("ABC"), "https://two.example").unwrap();
    assert_eq!(dns.naptr(&name("ABC"), LIMIT).await, first);
    dns.forget(&name("ABC"));
    assert_ne!(dns.naptr(&name("ABC"), LIMIT).await, first);
}

#[tokio::test]
async fn silence_is_temporary_and_within_the_limit() {
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let address: SocketAddr = silent.local_addr().unwrap();
    let dns = Dns::new(&[address]).unwrap();
    let started = std::time::Instant::now();
    let answer = dns.naptr(&name("ABC"), Duration::from_millis(300)).await;
    assert!(matches!(answer, NaptrAnswer::Temporary(_)), "{answer:?}");
    assert!(started.elapsed() < Duration::from_secs(5));
}
