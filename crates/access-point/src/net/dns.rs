//! The look-up of U-NAPTR records that lead to a participant's SMP, with the four outcomes that
//! the network tells apart (SML 1.3.0, 3.1.1).

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hickory_proto::rr::{RData, RecordType};
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolverConfig, ResolverOpts, ServerOrderingStrategy,
};
use hickory_resolver::net::{DnsError as NetDnsError, NetError, runtime::TokioRuntimeProvider};
use quoin_peppol::lookup::Naptr;

/// Longest time a record is kept, whatever its TTL says.
const LONGEST_POSITIVE: Duration = Duration::from_secs(15 * 60);

/// Longest time that "there is none" is kept, so that a fresh registration is soon found.
const LONGEST_NEGATIVE: Duration = Duration::from_secs(60);

/// Time for one question to one server.
const QUESTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Questions to one server before it counts as silent.
const ATTEMPTS: usize = 2;

/// Names of which it is remembered when they were asked for.
const NAMES: usize = 65_536;

/// Answers kept.
const CACHE_ENTRIES: u64 = 65_536;

/// The resolver could not be set up. A fault of the installation.
#[derive(Debug, thiserror::Error)]
#[error("the resolver could not be set up: {0}")]
pub struct DnsError(String);

/// What the zone says about a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NaptrAnswer {
    /// The name does not exist: the participant is not registered.
    NotFound,
    /// The name exists without NAPTR records: no SMP.
    NoData,
    /// The name is an alias that leads to no NAPTR record: a broken registration.
    DeadAlias,
    /// Nobody could tell: worth another try.
    Temporary(String),
    /// The records, by order and preference.
    Records(Vec<Naptr>),
}

/// A resolver with its cache; cheap to clone, and clones share the cache.
#[derive(Clone)]
pub struct Dns {
    resolver: TokioResolver,
    heard: Arc<Mutex<AskedNames>>,
}

/// Which names were asked for since when: an answer to one of them may be one that was kept.
#[derive(Default)]
struct AskedNames {
    since: HashMap<String, Instant>,
}

impl AskedNames {
    /// Whether what is said of a name may have been kept.
    fn may_keep(&self, name: &str, now: Instant) -> bool {
        self.since.get(name).is_some_and(|since| now.duration_since(*since) < LONGEST_POSITIVE)
    }

    /// Notes that a name is asked for. False where there is no room for it: whoever keeps answers
    /// lets go of all of them then.
    fn note(&mut self, name: &str, now: Instant) -> bool {
        if self.may_keep(name, now) {
            return true;
        }
        if self.since.len() >= NAMES {
            self.since.retain(|_, since| now.duration_since(*since) < LONGEST_POSITIVE);
        }
        let has_room = self.since.len() < NAMES;
        if !has_room {
            self.since.clear();
        }
        self.since.insert(name.to_owned(), now);
        has_room
    }
}

impl std::fmt::Debug for Dns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Dns")
    }
}

impl Dns {
    /// Asks `servers`, or those of the system where there are none.
    ///
    /// # Errors
    /// The system's resolver configuration could not be read.
    pub fn new(servers: &[SocketAddr]) -> Result<Dns, DnsError> {
        let error = |error: NetError| DnsError(error.to_string());
        let mut builder = if servers.is_empty() {
            TokioResolver::builder_tokio().map_err(error)?
        } else {
            let servers = servers.iter().map(name_server).collect();
            let config = ResolverConfig::from_name_servers(servers);
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
        };
        options(builder.options_mut());
        Ok(Dns { resolver: builder.build().map_err(error)?, heard: Arc::default() })
    }

    /// Asks for the NAPTR records of a name. The name is taken as complete: search domains are
    /// never tried. Answers within `limit`.
    pub async fn naptr(&self, name: &str, limit: Duration) -> NaptrAnswer {
        let name = complete(name);
        if !self.heard().note(&name, Instant::now()) {
            self.resolver.clear_cache();
        }
        let question = self.resolver.lookup(name.as_str(), RecordType::NAPTR);
        let answer = match tokio::time::timeout(limit, question).await {
            Ok(answer) => answer,
            Err(_) => return NaptrAnswer::Temporary(format!("no answer within {limit:?}")),
        };
        match answer {
            Ok(found) => {
                let mut records: Vec<Naptr> =
                    found.answers().iter().filter_map(|record| naptr(&record.data)).collect();
                records.sort_by_key(|record| (record.order, record.preference));
                match records.is_empty() {
                    true => self.nothing_at(&name, limit).await,
                    false => NaptrAnswer::Records(records),
                }
            }
            Err(error) if error.is_nx_domain() => NaptrAnswer::NotFound,
            Err(NetError::Dns(NetDnsError::ResponseCode(code))) => {
                NaptrAnswer::Temporary(format!("the name server answered {code}"))
            }
            Err(error) if error.is_no_records_found() => self.nothing_at(&name, limit).await,
            Err(error) => NaptrAnswer::Temporary(error.to_string()),
        }
    }

    /// Why there is no NAPTR record: an alias that leads to none, among them one that leads back to
    /// itself, is somebody's mistake; a name without any is a participant without an SMP.
    async fn nothing_at(&self, name: &str, limit: Duration) -> NaptrAnswer {
        let question = self.resolver.lookup(name, RecordType::CNAME);
        match tokio::time::timeout(limit, question).await {
            Ok(Ok(found)) if !found.answers().is_empty() => NaptrAnswer::DeadAlias,
            _ => NaptrAnswer::NoData,
        }
    }

    /// Whether the next answer about a name may be one that was kept.
    pub fn may_keep(&self, name: &str) -> bool {
        self.heard().may_keep(&complete(name), Instant::now())
    }

    fn heard(&self) -> MutexGuard<'_, AskedNames> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what is kept about a name: a delivery failed in a way that hints at stale data.
    pub fn forget(&self, name: &str) {
        let name = complete(name);
        self.heard().since.remove(&name);
        for kind in [RecordType::NAPTR, RecordType::CNAME] {
            self.resolver.clear_lookup_cache(name.as_str(), kind);
        }
    }
}

/// A name as it is asked for: complete, in lower case, as names are compared.
fn complete(name: &str) -> String {
    format!("{}.", name.trim_end_matches('.').to_ascii_lowercase())
}

fn name_server(address: &SocketAddr) -> NameServerConfig {
    let mut server = NameServerConfig::new(
        address.ip(),
        true,
        vec![ConnectionConfig::udp(), ConnectionConfig::tcp()],
    );
    for connection in &mut server.connections {
        connection.port = address.port();
    }
    server
}

fn options(options: &mut ResolverOpts) {
    options.timeout = QUESTION_TIMEOUT;
    options.attempts = ATTEMPTS;
    options.edns0 = true;
    options.cache_size = CACHE_ENTRIES;
    options.positive_max_ttl = Some(LONGEST_POSITIVE);
    options.negative_max_ttl = Some(LONGEST_NEGATIVE);
    options.server_ordering_strategy = ServerOrderingStrategy::QueryStatistics;
}

fn naptr(data: &RData) -> Option<Naptr> {
    let RData::NAPTR(record) = data else { return None };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(Naptr {
        order: record.order,
        preference: record.preference,
        flags: text(&record.flags),
        services: text(&record.services),
        regexp: text(&record.regexp),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_kept_is_known_for_as_long_as_it_may() {
        let (mut heard, now) = (AskedNames::default(), Instant::now());
        assert!(!heard.may_keep("a.", now));
        assert!(heard.note("a.", now) && heard.may_keep("a.", now));
        let later = now + LONGEST_POSITIVE;
        assert!(
            heard.may_keep("a.", later - Duration::from_secs(1)) && !heard.may_keep("a.", later)
        );
        for number in 1..NAMES {
            assert!(heard.note(&number.to_string(), now));
        }
        assert!(!heard.note("b.", now), "all is let go of");
        assert!(heard.may_keep("b.", now) && !heard.may_keep("a.", now));
    }

    #[test]
    fn a_name_is_forgotten_however_it_is_written() {
        let dns = Dns::new(&["127.0.0.1:1".parse().unwrap()]).unwrap();
        dns.heard().note("a.example.", Instant::now());
        assert!(dns.may_keep("A.example"));
        dns.forget("a.EXAMPLE.");
        assert!(!dns.may_keep("a.example"));
    }
}
