//! What a start would find, looked at without one: each part by itself, so that a file that is
//! missing hides nothing that is wrong with another one.

use quoin_access_point::authorities;
use quoin_access_point::clock::Clock;
use quoin_access_point::config::Config;
use quoin_access_point::endpoints::Endpoints;
use quoin_access_point::keyfile;
use quoin_access_point::loading::ConfigProblem;
use quoin_access_point::mail::Mailer;
use quoin_access_point::metrics::Metrics;
use quoin_access_point::net::{Dns, extra_roots};
use quoin_access_point::oauth::TokenDesk;
use quoin_access_point::registers::Registers;
use quoin_access_point::tls;
use quoin_access_point::trust::{self, OwnCertificate};

use super::api::{own_token_key, usable_tokens};
use super::doubts::doubts;
use super::mailboxes::mailboxes;
use super::{StartError, ownership, parts, stored};

/// What was found.
#[derive(Debug, Default)]
pub struct CheckedConfig {
    /// Files that are named and not there: file and setting.
    pub missing: Vec<String>,
    /// What is wrong with what is there, a sentence each.
    pub problems: Vec<String>,
    /// What a start takes and the network would not, a sentence each.
    pub doubts: Vec<String>,
    /// The certificates that could be opened.
    pub certificates: Vec<OwnCertificate>,
}

/// A part of a service that a start makes: what the settings of its files begin with, and how it is
/// made.
type CheckedPart = (&'static [&'static str], fn(&Config) -> Result<(), StartError>);

/// The parts that make no certificates of ours. Doors are looked at by their names.
const PARTS: &[CheckedPart] = &[
    (&["api.token_key_file"], token_key),
    (&["tls.", "mail."], mail),
    (&["tls.", "smp."], registers),
    (&["endpoints."], |config| Ok(Endpoints::load(config).map(|_| ())?)),
    (&["ksef."], |config| Ok(authorities::certificates(&config.ksef.upo_anchors).map(|_| ())?)),
    (&["access_point.", "provider."], |config| ownership::provider(config).map(|_| ())),
    (&["secrets."], stored::look),
    (&[], |config| {
        let (metrics, clock) = (std::sync::Arc::<Metrics>::default(), Clock::default());
        parts::rule_desk(config, &metrics, &clock).map(|_| ())
    }),
];

/// Settings of our sections that no key or certificate is made of.
const BESIDE_KEYS: &[&str] = &[
    "access_point.as4_domain",
    "access_point.public_url",
    "smp.public_url",
    "smp.endpoint_exceptions",
    "smp.cache_megabytes",
];

/// Looks at everything that a start with this configuration opens, except the doors themselves and
/// a store that is in use. To be called within a runtime.
pub fn look(config: &Config) -> CheckedConfig {
    look_beside(config, &[])
}

/// The same of a configuration with mistakes: what is made of settings that are wrong is not looked
/// at, since more would be found than there is.
pub fn look_beside(config: &Config, wrong: &[ConfigProblem]) -> CheckedConfig {
    let files = config.files();
    let missing: Vec<_> = files.iter().filter(|file| !file.path.exists()).collect();
    let is_whole = |begins: &[&str]| {
        let broken = missing.iter().map(|file| &*file.setting);
        let mut broken = broken.chain(wrong.iter().map(|problem| &*problem.setting));
        !broken.any(|setting| begins.iter().any(|begin| concerns(setting, begin)))
    };
    let mut found = CheckedConfig::default();
    for file in &missing {
        found.missing.push(format!("{} ({})", file.path.display(), file.setting));
    }
    let mut problem = |said: Result<(), StartError>| {
        let said = said.err().map(|error| error.to_string());
        // Two parts may be made of one file.
        let is_new = said.as_ref().is_some_and(|said| !found.problems.contains(said));
        found.problems.extend(said.filter(|_| is_new));
    };
    for (name, door) in config.listen.doors() {
        if let (Some(certificate), Some(key)) = (&door.certificate_file, &door.key_file)
            && is_whole(&[&format!("listen.{name}.")])
        {
            let material = tls::server_tls_from_files(certificate, key);
            problem(material.map(|_| ()).map_err(|source| StartError::Tls { door: name, source }));
        }
    }
    for (_, make) in PARTS.iter().filter(|(begins, _)| is_whole(begins)) {
        problem(make(config));
    }
    let mut certificates = Vec::new();
    let mut opened = |part: Result<Vec<OwnCertificate>, StartError>| match part {
        Ok(more) => certificates.extend(more),
        Err(error) => problem(Err(error)),
    };
    let mut trusted = None;
    if is_whole(&["trust."]) {
        let loaded = authorities::load(&config.trust).map_err(StartError::from);
        opened(loaded.map(|loaded| trust::expiry::authorities(trusted.insert(loaded))));
    }
    if is_whole(&["access_point."]) {
        let own = ownership::own_access_point(config);
        opened(own.and_then(|own| ownership::of_access_point(own.as_ref())));
    }
    if is_whole(&["smp."]) {
        opened(ownership::of_smp(config));
    }
    problem(ownership::are_in_place(&certificates, config));
    if let Some(trusted) = &trusted {
        let said = authorities::of_their_authority(&certificates, trusted);
        problem(said.map_err(StartError::from));
        found.doubts = doubts((config, trusted), &certificates, Clock::default().now());
    }
    certificates.extend(ownership::of_doors(config));
    found.certificates = certificates;
    found
}

/// Whether a setting is among those that a part is made of: of a section, or the section itself.
fn concerns(setting: &str, begin: &str) -> bool {
    if BESIDE_KEYS.iter().any(|beside| setting.starts_with(beside)) {
        return false;
    }
    setting.starts_with(begin) || begin.strip_suffix('.') == Some(setting)
}

/// Whether the key that signs tokens can be used, where there is one already.
pub(super) fn token_key(config: &Config) -> Result<(), StartError> {
    let key = match &config.api.token_key_file {
        Some(path) => keyfile::read_pem(path)?,
        None => match keyfile::read(&own_token_key(config))? {
            Some(key) => key,
            None => return Ok(()),
        },
    };
    usable_tokens(config, &key, "check-config").map(|_| ())
}

fn mail(config: &Config) -> Result<(), StartError> {
    let roots = extra_roots(&config.tls.extra_ca_files)?;
    let settings = parts::settings_of(&roots, parts::peer_guard(config));
    let https = parts::hook_client(config, settings)?;
    let patience = config.limits.hook_timeout();
    let tokens = TokenDesk::new(https.plain().clone(), patience, Clock::default());
    let mailer = Mailer::open(&config.mail, &roots, tokens.clone())?;
    mailboxes(config, &roots, (mailer.as_ref(), tokens)).map(|_| ())
}

fn registers(config: &Config) -> Result<(), StartError> {
    let roots = extra_roots(&config.tls.extra_ca_files)?;
    let settings = parts::settings_of(&roots, parts::peer_guard(config));
    let (dns, clock) = (Dns::new(&config.network.dns_servers)?, Clock::default());
    parts::registers_of(config, settings, (dns, &clock), Registers::unset()).map(|_| ())
}
