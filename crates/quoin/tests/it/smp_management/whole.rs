//! A record is published whole or refused, with dates that can be read, and a redirect leads to
//! another SMP.

use super::*;

/// Metadata with its process once more.
fn twice(metadata: &str) -> String {
    let end = "</Process>";
    let process = &metadata[metadata.find("<Process>").unwrap()..metadata.find(end).unwrap()];
    metadata.replacen(end, &format!("{end}{process}{end}"), 1)
}

/// Metadata with an endpoint between two days.
fn dated(metadata: &str, [from, until]: [&str; 2]) -> String {
    let dates = format!(
        "<ServiceActivationDate>{from}T00:00:00Z</ServiceActivationDate>\
         <ServiceExpirationDate>{until}T00:00:00Z</ServiceExpirationDate><Certificate>"
    );
    metadata.replacen("<Certificate>", &dates, 1)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_published_whole_or_refused() {
    let (network, tool, _folder) = open().await;
    assert_eq!(tool.put(&format!("/{NEW}?user=alice"), group(NEW)).await.0, 200);
    let certificate = own_certificate(&network);
    let good = metadata(BILLING, PROCESS, "https://ap.test/as4", &certificate);
    let upper = format!("{}{}", tool.smp.replace("https", "HTTPS"), services(BILLING));
    for (body, told) in [
        (redirect(&upper, "CN=A"), "this SMP"),
        (twice(&good), "is there twice"),
        (good.replace("Signature>false", "Signature>true"), "RequireBusinessLevelSignature"),
        (dated(&good, ["2027-01-01", "2026-01-01"]), "never usable"),
    ] {
        let (status, problem) = tool.put(&services(BILLING), body).await;
        assert_eq!((status, &problem["code"]), (400, &"API400.Smp".into()), "{told}: {problem}");
        assert!(problem["detail"].as_str().unwrap().contains(told), "{told}: {problem}");
    }
    let below = format!("{}/other{}", tool.smp, services(BILLING));
    assert_eq!(tool.put(&services(BILLING), redirect(&below, "CN=A")).await.0, 200, "another SMP");
    let always = dated(&good, ["0001-01-01", "2099-01-01"]).replace("00:00Z", "00:00+01:00");
    assert_eq!(tool.put(&services(BILLING), always).await.0, 200);
    let (_, signed) = tool.published(&services(BILLING)).await;
    assert!(signed.contains("ExpirationDate>2098-12-31T23:00:00Z<"), "{signed}");
    assert!(!signed.contains("ActivationDate"), "{signed}");
    network.stop().await;
}
