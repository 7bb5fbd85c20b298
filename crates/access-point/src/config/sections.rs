//! The sections of the configuration. Field names are the names in the file; what each one means
//! for an operator is told in `config.default.toml`.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use jiff::SignedDuration;
use quoin_delivery::{RetryPolicy, Schedule};
use serde::{Deserialize, Deserializer, Serialize};

use super::{ConfigSecret, EndUserVerification, IssuerConfig, KeyPlace, NextKey, TokenKey};

/// Addresses of the doors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Listen {
    /// The customers' door.
    pub api: ListenerSection,
    /// The door of other access points.
    pub as4: ListenerSection,
    /// The door of the service metadata publisher.
    pub smp: ListenerSection,
    /// The private door of monitoring; closed unless it is configured.
    pub metrics: Option<ListenerSection>,
}

impl Default for Listen {
    fn default() -> Listen {
        let on = |port| ListenerSection {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            ..ListenerSection::default()
        };
        Listen { api: on(8080), as4: on(8081), smp: on(8082), metrics: None }
    }
}

impl Listen {
    /// The doors with their names in the file.
    pub fn doors(&self) -> impl Iterator<Item = (&'static str, &ListenerSection)> {
        let public = [("api", &self.api), ("as4", &self.as4), ("smp", &self.smp)];
        public.into_iter().chain(self.metrics.iter().map(|door| ("metrics", door)))
    }

    pub(super) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        [&mut self.api, &mut self.as4, &mut self.smp]
            .into_iter()
            .chain(&mut self.metrics)
            .flat_map(|door| door.certificate_file.iter_mut().chain(door.key_file.iter_mut()))
    }
}

/// Where one door listens, and how it speaks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ListenerSection {
    /// Address and port; port 0 lets the system choose.
    #[serde(deserialize_with = "address")]
    pub address: SocketAddr,
    /// PEM file of the TLS certificate and its chain; without one the door speaks plain HTTP.
    pub certificate_file: Option<PathBuf>,
    /// PEM file of the TLS private key.
    pub key_file: Option<PathBuf>,
    /// Plain HTTP is allowed on any address, because a proxy in front ends TLS.
    pub behind_proxy: bool,
}

/// Reads an address and a port; a name is none, since it may mean several or another one tomorrow.
fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    let found = String::deserialize(deserializer)?;
    address_of(&found, "127.0.0.1:8080, [::1]:8080 or 0.0.0.0:443")
}

fn addresses<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SocketAddr>, D::Error> {
    let found = Vec::<String>::deserialize(deserializer)?;
    found.iter().map(|one| address_of(one, "192.0.2.53:53 or [2001:db8::53]:53")).collect()
}

fn address_of<E: serde::de::Error>(found: &str, as_in: &str) -> Result<SocketAddr, E> {
    let wrong =
        |_| E::custom(format!("expected an address and a port as in {as_in}, found {found:?}"));
    found.parse().map_err(wrong)
}

impl Default for ListenerSection {
    fn default() -> ListenerSection {
        ListenerSection {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            certificate_file: None,
            key_file: None,
            behind_proxy: false,
        }
    }
}

/// The customers' interface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ApiSection {
    /// Base address as customers see it; also the issuer of tokens. Without one, the address
    /// that the door listens on.
    pub public_url: Option<String>,
    /// Prefix of the request headers and of the signature header.
    pub header_prefix: String,
    /// Lifetime of an access token in seconds (conventions digest A1: 3,600).
    pub token_lifetime_seconds: u32,
    /// PKCS#8 PEM file of the P-256 key that signs tokens; without one, made and kept in
    /// `data_dir`.
    pub token_key_file: Option<PathBuf>,
    /// Failed token requests that a client id may make in a minute.
    pub token_failures_per_minute: u32,
    /// Issuers whose tokens are taken besides our own.
    pub issuers: Vec<IssuerConfig>,
    /// How it is known that a party was verified before it is enrolled.
    pub end_user_verification: EndUserVerification,
}

impl Default for ApiSection {
    fn default() -> ApiSection {
        ApiSection {
            public_url: None,
            header_prefix: "X-Service-".to_owned(),
            token_lifetime_seconds: 3600,
            token_key_file: None,
            token_failures_per_minute: 10,
            issuers: Vec::new(),
            end_user_verification: EndUserVerification::Declared,
        }
    }
}

/// Corner 2 and corner 3.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AccessPoint {
    /// PEM file of the Peppol AP certificate; the seat id is the common name of its subject.
    pub certificate_file: Option<PathBuf>,
    /// PEM file of its PKCS#8 private key.
    pub key_file: Option<PathBuf>,
    /// PKCS#12 file of certificate and key, instead.
    pub pkcs12_file: Option<PathBuf>,
    /// The password of that file.
    pub pkcs12_password: Option<ConfigSecret>,
    /// The PKCS#11 token that holds the key, instead.
    pub token: Option<TokenKey>,
    /// The certificate that takes over at a time.
    pub next: Option<NextKey>,
    /// Earlier certificates with their keys, with which messages can still be decrypted.
    pub old_keys: Vec<KeyPlace>,
    /// Right-hand side of AS4 message ids, a domain of the operator.
    pub as4_domain: Option<String>,
    /// Address of the AS4 door as other access points see it.
    pub public_url: Option<String>,
}

impl AccessPoint {
    /// Where certificate and key are.
    pub fn key_place(&self) -> KeyPlace {
        KeyPlace {
            certificate_file: self.certificate_file.clone(),
            key_file: self.key_file.clone(),
            pkcs12_file: self.pkcs12_file.clone(),
            pkcs12_password: self.pkcs12_password.clone(),
            token: self.token.clone(),
        }
    }

    pub(super) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let module = self.token.as_mut().map(|token| &mut token.module);
        let next = self.next.iter_mut().map(|next| &mut next.key);
        let others = self.old_keys.iter_mut().chain(next).flat_map(KeyPlace::paths_mut);
        let own = [&mut self.certificate_file, &mut self.key_file, &mut self.pkcs12_file];
        own.into_iter().flatten().chain(module).chain(others)
    }
}

/// Which web servers are believed on outgoing connections.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Tls {
    /// PEM files of certificate authorities trusted besides the Mozilla list.
    pub extra_ca_files: Vec<PathBuf>,
}

/// Names and time limits of look-ups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkSection {
    /// Zone of participants, where it is not the stage's own.
    pub sml_zone: Option<String>,
    /// Resolvers as `address:port`; none means those of the system.
    #[serde(deserialize_with = "addresses")]
    pub dns_servers: Vec<SocketAddr>,
    /// Time for one look-up, DNS and SMP together, in seconds (specification section 8: 30).
    pub lookup_timeout_seconds: u64,
    /// Time for an access point to answer a message, in seconds.
    pub answer_timeout_seconds: u64,
    /// How much longer it may take for each megabyte of the message, in seconds.
    pub answer_timeout_seconds_per_megabyte: u64,
    /// Whether SMPs and access points may listen on a port other than 443 and on addresses of
    /// the own network; for a laboratory only.
    pub allow_any_port: bool,
    /// Hosts that hooks may name although they are private or speak plain HTTP.
    pub hook_hosts_allowed: Vec<String>,
    /// How long there is between two looks into a folder with documents to send, in seconds.
    pub folder_seconds: u64,
}

impl Default for NetworkSection {
    fn default() -> NetworkSection {
        NetworkSection {
            sml_zone: None,
            dns_servers: Vec::new(),
            lookup_timeout_seconds: 30,
            answer_timeout_seconds: 120,
            answer_timeout_seconds_per_megabyte: 10,
            allow_any_port: false,
            hook_hosts_allowed: Vec::new(),
            folder_seconds: 60,
        }
    }
}

/// When a failed attempt is repeated: the waits between attempts in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Retry {
    /// Waits between attempts of a delivery: seven of them make eight attempts, over about
    /// 35 hours (specification section 8).
    pub delivery_seconds: Vec<f64>,
    /// Waits after which a connection that was refused is tried again before that counts as an
    /// attempt.
    pub reconnect_seconds: Vec<f64>,
    /// Waits after a step that failed on our own side; after the last it is held.
    pub fault_seconds: Vec<f64>,
    /// Waits between calls of a webhook.
    pub hook_seconds: Vec<f64>,
    /// For how long a failing call of a hook keeps later ones of the same party behind it.
    pub hook_hold_seconds: f64,
    /// After how many days without one success a hook is switched off.
    pub hook_disable_days: f64,
}

impl Default for Retry {
    fn default() -> Retry {
        Retry {
            delivery_seconds: vec![300.0, 900.0, 3600.0, 10_800.0, 21_600.0, 36_000.0, 52_800.0],
            reconnect_seconds: vec![2.0, 8.0],
            fault_seconds: vec![10.0, 30.0, 120.0, 300.0],
            hook_seconds: vec![
                5.0, 30.0, 120.0, 600.0, 1800.0, 7200.0, 18_000.0, 36_000.0, 36_000.0,
            ],
            hook_hold_seconds: 600.0,
            hook_disable_days: 5.0,
        }
    }
}

impl Retry {
    /// The waits as the room `delivery` takes them.
    pub fn policy(&self) -> RetryPolicy {
        let wait = |s: f64| SignedDuration::try_from_secs_f64(s).unwrap_or_default();
        let schedule = |seconds: &[f64]| Schedule {
            waits: seconds.iter().map(|seconds| wait(*seconds)).collect(),
        };
        RetryPolicy {
            delivery: schedule(&self.delivery_seconds),
            reconnect: schedule(&self.reconnect_seconds).waits,
            faults: schedule(&self.fault_seconds).waits,
            hooks: schedule(&self.hook_seconds),
            hook_hold: wait(self.hook_hold_seconds),
            hook_patience: wait(self.hook_disable_days * 86_400.0),
        }
    }
}

/// Sizes and times beyond which a caller is refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsSection {
    /// Largest request with its overhead, in bytes (specification section 8: 24 MB).
    pub request_bytes: u64,
    /// Connections that one door holds open at a time.
    pub connections: usize,
    /// The same of one address.
    pub connections_per_address: usize,
    /// Room on the disk that is kept for what is under way, in MiB; with less nothing is taken.
    pub disk_reserve_megabytes: u64,
    /// Memory for messages, uploads and documents under way, in MiB.
    pub memory_megabytes: u64,
    /// Time to send the head of a request, in seconds.
    pub header_timeout_seconds: u64,
    /// Time without a request after which a connection is ended, in seconds.
    pub idle_timeout_seconds: u64,
    /// Time in which a caller has to take some of an answer, in seconds.
    pub write_timeout_seconds: u64,
    /// Time to send a whole request, in seconds.
    pub body_timeout_seconds: u64,
    /// Time that requests in flight get when the process is asked to end, in seconds.
    pub shutdown_seconds: u64,
    /// Time for one call of a webhook, and for one answer of an SFTP server, in seconds.
    pub hook_timeout_seconds: u64,
    /// Time for one validation, in seconds.
    pub validation_seconds: u64,
}

impl Default for LimitsSection {
    fn default() -> LimitsSection {
        LimitsSection {
            request_bytes: 24 * 1024 * 1024,
            connections: 4096,
            connections_per_address: 512,
            disk_reserve_megabytes: 128,
            memory_megabytes: 192,
            header_timeout_seconds: 15,
            idle_timeout_seconds: 60,
            write_timeout_seconds: 30,
            body_timeout_seconds: 120,
            shutdown_seconds: 20,
            hook_timeout_seconds: 15,
            validation_seconds: 60,
        }
    }
}

impl LimitsSection {
    /// The time for one call of a webhook.
    pub fn hook_timeout(&self) -> Duration {
        Duration::from_secs(self.hook_timeout_seconds)
    }
}

/// Keys that protect what is stored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Secrets {
    /// 32 bytes in hexadecimal that encrypt stored secrets; without one, made and
    /// kept in `data_dir`.
    pub master_key: Option<ConfigSecret>,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// One readable line an event.
    Text,
    /// One JSON object an event.
    Json,
}

/// What is written to standard error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Log {
    /// Level, or levels by target, as in `info,quoin_access_point::worker=debug`.
    pub filter: String,
    /// Text or JSON.
    pub format: LogFormat,
}

impl Default for Log {
    fn default() -> Log {
        Log { filter: "info".to_owned(), format: LogFormat::Text }
    }
}
