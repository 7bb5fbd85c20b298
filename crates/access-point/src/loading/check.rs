//! Mistakes that only show when settings are seen together. Each sentence says what to change.

mod addresses;
mod declared;
mod log;
mod mail;
mod times;

use super::{ConfigError, ConfigProblem};
use crate::config::{Config, IssuerConfig, ListenerSection, ServiceRole};

/// Months that the log of exchanges is kept at least: a report may be corrected until the middle of
/// the next month.
const FEWEST_MONTHS: u32 = 3;
/// Longest token lifetime: a day, since a token cannot be taken back.
const LONGEST_TOKEN_SECONDS: u32 = 86_400;

pub use log::{whole_filter, wrong_filter};

pub(super) fn check(config: &Config) -> Vec<ConfigProblem> {
    let mut found = ConfigProblems(Vec::new());
    for (name, door) in config.listen.doors() {
        listener(&mut found, name, door);
    }
    api(&mut found, config);
    pairs(&mut found, config);
    limits(&mut found, config);
    times::look(&mut found, config);
    mail::look(&mut found, config);
    for profile in config.validation.unknown() {
        let message = "is no profile that is known; docs/reference lists them";
        found.add(format!("validation.profiles.{profile}"), message);
    }
    for (at, message) in config.conversion.problems() {
        found.add(at, message);
    }
    for (at, message) in config.tax.problems() {
        found.add(at, message);
    }
    organisations(&mut found, config);
    declared::named(&mut found, config);
    packages(&mut found, config);
    declared::look(&mut found, config);
    found.0
}

impl Config {
    /// What must be set before a process with these roles can start, beyond what makes a file
    /// valid: certificates, keys, public addresses and trust.
    ///
    /// # Errors
    /// All that is missing, at once.
    pub fn ready(&self) -> Result<(), ConfigError> {
        let mut found = ConfigProblems(Vec::new());
        let ap = &self.access_point;
        if self.has(ServiceRole::Api) {
            let who = "message ids are made when a document is uploaded (role api)";
            found.need("access_point.as4_domain", ap.as4_domain.is_some(), who);
        }
        if self.has(ServiceRole::As4) || self.has(ServiceRole::Worker) {
            let who = "an access point (roles as4 and worker) needs it";
            found.need("access_point.certificate_file", !ap.key_place().is_empty(), who);
            let lists = [
                ("trust.ap_anchors", &self.trust.ap_anchors),
                ("trust.ap_intermediates", &self.trust.ap_intermediates),
                ("trust.smp_anchors", &self.trust.smp_anchors),
                ("trust.smp_intermediates", &self.trust.smp_intermediates),
            ];
            for (name, files) in lists.into_iter().filter(|_| self.trust.authorities.is_empty()) {
                found.need(name, !files.is_empty(), who);
            }
        }
        if self.has(ServiceRole::Smp) {
            let who = "a service metadata publisher (role smp) needs it";
            found.need("smp.certificate_file", !self.smp.key_place().is_empty(), who);
            found.need("smp.public_url", self.smp.public_url.is_some(), who);
            found.need("access_point.public_url", ap.public_url.is_some(), who);
        }
        if found.0.is_empty() { Ok(()) } else { Err(ConfigError::Problems(found.0)) }
    }
}

struct ConfigProblems(Vec<ConfigProblem>);

impl ConfigProblems {
    fn add(&mut self, setting: impl Into<String>, message: impl Into<String>) {
        self.0.push(ConfigProblem { line: None, setting: setting.into(), message: message.into() });
    }

    fn need(&mut self, setting: &str, present: bool, why: &str) {
        if !present {
            self.add(setting, format!("is not set, but {why}"));
        }
    }
}

fn listener(found: &mut ConfigProblems, name: &str, door: &ListenerSection) {
    let at = format!("listen.{name}");
    let encrypted = door.certificate_file.is_some() && door.key_file.is_some();
    if door.certificate_file.is_some() != door.key_file.is_some() {
        found.add(&at, "certificate_file and key_file belong together: set both or neither");
    } else if !encrypted && !door.behind_proxy && !door.address.ip().is_loopback() {
        found.add(
            &at,
            format!(
                "{} is reachable from outside but has no TLS: set certificate_file and key_file, \
                 or behind_proxy = true where a proxy ends TLS",
                door.address
            ),
        );
    }
}

/// How names of headers of HTTP begin (RFC 9110; Fetch).
const OF_HTTP: &[&str] = &[
    "accept-",
    "access-control-",
    "cache-",
    "content-",
    "if-",
    "proxy-",
    "sec-",
    "transfer-",
    "www-",
    "x-content-",
    "x-forwarded-",
];

fn api(found: &mut ConfigProblems, config: &Config) {
    if config.roles.is_empty() {
        found.add("roles", "is empty: name at least one of api, worker, as4, smp");
    }
    let prefix = &config.api.header_prefix;
    let letters = prefix.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if prefix.is_empty() || prefix.len() > 64 || !letters || !prefix.ends_with('-') {
        found.add(
            "api.header_prefix",
            format!("{prefix:?} must be letters, digits and hyphens, and end with a hyphen"),
        );
    }
    if prefix.eq_ignore_ascii_case("webhook-") {
        let text = "\"webhook-\" is that of the headers of Standard Webhooks, which each call has \
                    beside ours: choose another one, as in \"x-service-\"";
        found.add("api.header_prefix", text);
    }
    if OF_HTTP.iter().any(|taken| prefix.eq_ignore_ascii_case(taken)) {
        let text = format!(
            "{prefix:?} is that of headers of HTTP: choose another one, as in \"x-service-\""
        );
        found.add("api.header_prefix", text);
    }
    let lifetime = config.api.token_lifetime_seconds;
    if lifetime == 0 || lifetime > LONGEST_TOKEN_SECONDS {
        found.add(
            "api.token_lifetime_seconds",
            format!("{lifetime} must be between 1 and {LONGEST_TOKEN_SECONDS}"),
        );
    }
    issuers(found, &config.api.issuers);
    addresses::look(found, config);
}

fn issuers(found: &mut ConfigProblems, rows: &[IssuerConfig]) {
    for (place, issuer) in rows.iter().enumerate() {
        let at = format!("api.issuers {:?}", issuer.issuer);
        if issuer.organisation.is_some() == issuer.organisation_claim.is_some() {
            found.add(&at, "give either organisation or organisation_claim");
        }
        let is_same =
            |row: &IssuerConfig| row.issuer == issuer.issuer && row.audience == issuer.audience;
        if rows.iter().take(place).any(is_same) {
            found.add(
                &at,
                format!(
                    "is there twice with audience {:?}, and only the first would count: remove one \
                     or give it another audience",
                    issuer.audience
                ),
            );
        }
    }
}

fn pairs(found: &mut ConfigProblems, config: &Config) {
    let ap = &config.access_point;
    let smp = &config.smp;
    for (name, next) in [("access_point.next", &ap.next), ("smp.next", &smp.next)] {
        if let Some(problem) = next.as_ref().and_then(|next| next.problem()) {
            found.add(name, problem);
        }
    }
    let old = ap.old_keys.iter().map(|old| ("access_point.old_keys", old.clone()));
    let present = [("access_point", ap.key_place()), ("smp", smp.key_place())];
    for (name, place) in present.into_iter().chain(old) {
        if let Some(problem) = place.problem() {
            found.add(name, problem);
        }
    }
    let domain = ap.as4_domain.as_deref().unwrap_or("example.org");
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    if domain.is_empty() || !domain.chars().all(good) {
        found.add("access_point.as4_domain", format!("{domain:?} must be a domain name"));
    }
}

/// Mebibytes under way at least, so that there is room for the largest request and others beside
/// it.
const LEAST_MEMORY: u64 = 64;

/// Connections at a time at most: a system has no more.
const MOST_CONNECTIONS: u64 = 1_000_000;
/// Bytes of a budget at most: a pebibyte.
const MOST_BYTES: u64 = 1 << 50;

fn limits(found: &mut ConfigProblems, config: &Config) {
    let limits = &config.limits;
    for (name, value) in [
        ("limits.request_bytes", limits.request_bytes),
        ("limits.connections", limits.connections as u64),
        ("limits.connections_per_address", limits.connections_per_address as u64),
        ("limits.header_timeout_seconds", limits.header_timeout_seconds),
        ("limits.idle_timeout_seconds", limits.idle_timeout_seconds),
        ("limits.write_timeout_seconds", limits.write_timeout_seconds),
        ("limits.validation_seconds", limits.validation_seconds),
        ("limits.body_timeout_seconds", limits.body_timeout_seconds),
        ("limits.hook_timeout_seconds", limits.hook_timeout_seconds),
        ("network.lookup_timeout_seconds", config.network.lookup_timeout_seconds),
        ("network.answer_timeout_seconds", config.network.answer_timeout_seconds),
        ("ksef.timeout_seconds", config.ksef.timeout_seconds),
        ("api.token_failures_per_minute", u64::from(config.api.token_failures_per_minute)),
    ] {
        if value == 0 {
            found.add(name, "0 would refuse everything: give at least 1");
        }
    }
    for (name, value) in [
        ("documents.received_days", u64::from(config.documents.received_days)),
        ("documents.downloaded_days", u64::from(config.documents.downloaded_days)),
        ("documents.failed_days", u64::from(config.documents.failed_days)),
        ("network.folder_seconds", config.network.folder_seconds),
        ("mail.timeout_seconds", config.mail.timeout_seconds),
    ] {
        if value == 0 {
            found.add(name, "expected at least 1, found 0");
        }
    }
    for (name, value, most) in [
        ("limits.request_bytes", limits.request_bytes, MOST_BYTES),
        ("limits.connections", limits.connections as u64, MOST_CONNECTIONS),
        ("limits.connections_per_address", limits.connections_per_address as u64, MOST_CONNECTIONS),
        ("limits.disk_reserve_megabytes", limits.disk_reserve_megabytes, MOST_BYTES >> 20),
        ("limits.memory_megabytes", limits.memory_megabytes, MOST_BYTES >> 20),
        ("smp.cache_megabytes", config.smp.cache_megabytes as u64, MOST_BYTES >> 20),
    ] {
        if value > most {
            found.add(name, format!("expected {most} at most, found {value}"));
        }
    }
    if config.retry.hook_disable_days == 0.0 {
        let why = "0 would switch each hook off with its first call that fails: give more than 0, \
                   as in 0.5 for half a day";
        found.add("retry.hook_disable_days", why);
    }
    if limits.memory_megabytes < LEAST_MEMORY {
        let why =
            format!("give at least {LEAST_MEMORY}: one document of the largest size needs it");
        found.add("limits.memory_megabytes", &why);
    }
    if (1..FEWEST_MONTHS).contains(&config.documents.exchange_months) {
        let why = "must be 0, for ever, or at least 3: reports of the last months are made from it";
        found.add("documents.exchange_months", why);
    }
    if let Some(key) = config.secrets.master_key.as_ref().filter(|key| key.is_read()) {
        let hexadecimal = key.expose().bytes().all(|b| b.is_ascii_hexdigit());
        if key.expose().len() != 64 || !hexadecimal {
            found.add("secrets.master_key", "must be 64 hexadecimal digits (32 bytes)");
        }
    }
}

fn organisations(found: &mut ConfigProblems, config: &Config) {
    let mut ids = std::collections::BTreeSet::new();
    let mut clients = std::collections::BTreeSet::new();
    for organisation in &config.organisation {
        let at = format!("organisation {:?}", organisation.id);
        if organisation.id.is_empty() || !ids.insert(&organisation.id) {
            found.add(&at, "the id must be present and unique");
        }
        declared::weight(found, &at, organisation.weight);
        for client in &organisation.clients {
            let at = format!("{at}, client {:?}", client.id);
            if client.id.is_empty() || !clients.insert(&client.id) {
                found.add(&at, "the id must be present and unique across organisations");
            }
            if client.secret.is_some() == client.secret_sha256.is_some() {
                found.add(&at, "give either secret or secret_sha256");
            }
            let digest = client.secret_sha256.as_deref().unwrap_or(EMPTY_DIGEST);
            if digest.len() != 64 || !digest.bytes().all(|b| b.is_ascii_hexdigit()) {
                found.add(&at, "secret_sha256 must be 64 hexadecimal digits");
            }
        }
        let package = organisation.package.as_deref();
        if package.is_some_and(|name| !config.packages.iter().any(|row| row.is(name))) {
            let known: Vec<&str> = config.packages.iter().map(|row| row.name.as_str()).collect();
            found.add(&at, format!("package must be one of {}", known.join(", ")));
        }
        declared::hooks_twice(found, &at, &organisation.hooks);
        for party in &organisation.parties {
            declared::party(found, &at, party);
            declared::hooks_twice(found, &format!("{at}, party {:?}", party.name), &party.hooks);
        }
    }
    declared::twice(found, &config.organisation);
}

fn packages(found: &mut ConfigProblems, config: &Config) {
    for (place, row) in config.packages.iter().enumerate() {
        let before = config.packages.iter().take(place);
        if row.name.trim().is_empty() || before.clone().any(|other| other.is(&row.name)) {
            found.add("packages", format!("the name {:?} must be present and unique", row.name));
        }
    }
}

/// A well-formed digest, standing in where none is given.
const EMPTY_DIGEST: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
