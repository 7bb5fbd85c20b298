//! Addresses: ours, and those of what is outside.

use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::sml::{UriPolicy, check_https};
use url::{Host, Url};

use super::ConfigProblems;
use crate::config::{Config, ConfiguredStage, OWN_ENDPOINT, SmlSection};
use crate::ksef::problems as ksef_problems;

/// Characters of a zone at most: what is asked for has the name of a participant before it.
const LONGEST_ZONE: usize = 180;

pub(super) fn look(found: &mut ConfigProblems, config: &Config) {
    for issuer in &config.api.issuers {
        let at = format!("api.issuers {:?}, jwks_url", issuer.issuer);
        web_address(found, &at, Some(&issuer.jwks_url), false);
    }
    web_address(found, "api.public_url", config.api.public_url.as_deref(), true);
    published(found, config);
    let (any, ksef) = (config.network.allow_any_port, &config.ksef);
    web_address(found, "ksef.url", ksef.url.as_deref(), any);
    web_address(found, "ksef.codes_url", ksef.codes_url.as_deref(), any);
    web_address(found, "ksef.lighthouse_url", ksef.lighthouse_url.as_deref(), any);
    for (setting, problem) in ksef_problems(ksef) {
        found.add(setting, problem);
    }
    stage(found, config);
    network(found, config);
    exceptions(found, config);
    sml(found, config);
    directory(found, config);
    endpoints(found, config);
}

/// The addresses that others find in the network, by its rules.
fn published(found: &mut ConfigProblems, config: &Config) {
    let policy = UriPolicy { tolerate_http: false, any_port: config.network.allow_any_port };
    let own = [
        ("access_point.public_url", &config.access_point.public_url),
        ("smp.public_url", &config.smp.public_url),
    ];
    for (setting, address) in own {
        if let Some(Err(problem)) = address.as_deref().map(|it| check_https(it, policy)) {
            found.add(setting, problem.to_string());
        }
    }
}

/// Addresses of single participants are published and signed like our own.
fn exceptions(found: &mut ConfigProblems, config: &Config) {
    let policy = UriPolicy { tolerate_http: false, any_port: config.network.allow_any_port };
    for (participant, address) in &config.smp.endpoint_exceptions {
        let at = format!("smp.endpoint_exceptions {participant:?}");
        let read = participant.parse::<ParticipantId>();
        let wrong = match read {
            Ok(id) => id.check().err().map(|wrong| wrong.to_string()),
            Err(wrong) => Some(wrong.to_string()),
        };
        if let Some(wrong) = wrong {
            let form = "expected a participant as in 0106:12345678";
            found.add(&at, format!("{form}: {wrong}"));
        }
        if let Err(problem) = check_https(address, policy) {
            found.add(&at, problem.to_string());
        }
    }
}

/// Names that could be met nowhere.
fn network(found: &mut ConfigProblems, config: &Config) {
    if let Some(zone) = config.network.sml_zone.as_deref().filter(|zone| !is_zone(zone)) {
        let form = "expected the name of a zone of the DNS as in participant.sml.example.org";
        found.add("network.sml_zone", format!("{form}, found {zone:?}"));
    }
    for host in &config.network.hook_hosts_allowed {
        let written = host.to_ascii_lowercase();
        // What an address names is compared in this form.
        let read = Host::parse(&written).map(|host| host.to_string());
        if read.as_ref() != Ok(&written) || written.contains('*') {
            let form = "expected a host alone, as in erp.internal, 10.0.0.7 or [fd00::7]";
            found.add("network.hook_hosts_allowed", format!("{form}, found {host:?}"));
        }
    }
}

fn is_zone(zone: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let label = |label: &str| (1..=63).contains(&label.len()) && label.chars().all(good);
    zone.len() <= LONGEST_ZONE && zone.strip_suffix('.').unwrap_or(zone).split('.').all(label)
}

/// What is outside belongs to one network, and that must be the one of the certificates.
fn stage(found: &mut ConfigProblems, config: &Config) {
    let own = config.trust.stage;
    let host =
        |url: &Option<String>| Some(Url::parse(url.as_deref()?).ok()?.host_str()?.to_owned());
    for (setting, host) in [
        ("network.sml_zone", config.network.sml_zone.clone()),
        ("sml.url", host(&config.sml.url)),
        ("directory.url", host(&config.directory.url)),
    ] {
        let other =
            host.as_deref().and_then(ConfiguredStage::of_host).filter(|stage| *stage != own);
        if let (Some(host), Some(other)) = (host, other) {
            let (other, own) = (other.as_str(), own.as_str());
            let message = format!("{host} is of the {other} network, but trust.stage is {own:?}");
            found.add(setting, message);
        }
    }
}

fn directory(found: &mut ConfigProblems, config: &Config) {
    let url = config.directory.url.as_deref();
    web_address(found, "directory.url", url, false);
    if url.is_some() {
        let who = "the Directory (directory.url) needs it";
        found.need("smp.certificate_file", !config.smp.key_place().is_empty(), who);
    }
    if !(1..=100).contains(&config.directory.timeout_seconds) {
        found.add("directory.timeout_seconds", "must be between 1 and 100");
    }
}

fn endpoints(found: &mut ConfigProblems, config: &Config) {
    for (name, endpoint) in &config.endpoints {
        let at = format!("endpoints.{name}");
        web_address(found, &format!("{at}.address"), endpoint.address.as_deref(), false);
        if name == OWN_ENDPOINT {
            found.add(&at, "is the name of the access point's own endpoint; choose another");
        }
        if endpoint.address.is_none() && endpoint.certificate_file.is_none() {
            found.add(&at, "has neither address nor certificate_file, so it changes nothing");
        }
    }
}

fn sml(found: &mut ConfigProblems, config: &Config) {
    let sml = &config.sml;
    web_address(found, "sml.url", sml.url.as_deref(), false);
    if sml.url.is_some() {
        let who = "the SML (sml.url) needs it";
        found.need("sml.smp_id", sml.smp_id.is_some(), who);
        found.need("smp.certificate_file", !config.smp.key_place().is_empty(), who);
        found.need("smp.public_url", config.smp.public_url.is_some(), who);
    }
    if sml.smp_id.as_deref().is_some_and(|id| !SmlSection::is_id(id)) {
        found.add("sml.smp_id", "must be 1 to 50 letters, digits and hyphens");
    }
    if !(1..=100).contains(&sml.timeout_seconds) {
        found.add("sml.timeout_seconds", "must be between 1 and 100");
    }
}

fn web_address(found: &mut ConfigProblems, setting: &str, address: Option<&str>, http: bool) {
    let Some(address) = address else { return };
    let good = Url::parse(address).is_ok_and(|url| {
        let scheme = url.scheme() == "https" || (http && url.scheme() == "http");
        scheme && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
    });
    if !good {
        let kind = if http { "http or https" } else { "https" };
        let message = format!("{address:?} must be an {kind} address without query or fragment");
        found.add(setting, message);
    }
}
