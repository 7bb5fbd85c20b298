//! Names and addresses.

use super::*;

#[test]
fn names_of_the_specification() {
    let name = |id: &str| dns_name(&id.parse().unwrap(), TEST_ZONE);
    assert_eq!(
        name("0106:12345678"),
        "KE4W67IQG2GNWNFGNSHCA7GMURFSABUOJIEFUEWX3VNOCMDPNIFQ.iso6523-actorid-upis.\
         participant.sml.test.tech.peppol.org."
    );
    assert_eq!(name("0088:123abc"), name("0088:123ABC"));
    assert!(
        name("0088:123abc").starts_with("Y7DZFXAF3D4CJZ4KCGRXTEC6TWVCGA4KY7ZWA5BOIF6MSWD4TDRQ.")
    );
    assert!(name("9915:test").starts_with("EH5BOAVAKTMBGZYH2A63DZ4QOV33FVP5NSDVQKLUCFRAAYOODW6A."));
    assert_eq!(
        dns_name(&"0106:1".parse().unwrap(), "z."),
        dns_name(&"0106:1".parse().unwrap(), "z")
    );
}

#[test]
fn names_of_the_research_vectors() {
    let Some(text) = quoin_testing::shared_text("network-data/derived/dns-vectors.tsv") else {
        return;
    };
    let mut seen = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(dns_name(&fields[0].parse().unwrap(), TEST_ZONE), fields[2], "{line}");
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn the_policy_opens_http_and_ports() {
    let http = UriPolicy { tolerate_http: true, any_port: false };
    assert_eq!(SmpBase::new("http://a.example/", http).unwrap().as_str(), "http://a.example");
    assert!(SmpBase::new("http://a.example:8080", http).is_err());
    let port = UriPolicy { tolerate_http: false, any_port: true };
    let base = SmpBase::new("https://127.0.0.1:8443/smp/", port).unwrap();
    assert_eq!(base.as_str(), "https://127.0.0.1:8443/smp");
}
