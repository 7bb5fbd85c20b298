//! Mistakes of what is declared and where it lies: each would keep the service from starting, one
//! after the other, or be found by nobody.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use quoin_peppol::countries;
use quoin_peppol::identifiers::ParticipantId;
use quoin_store::WEIGHTS;

use super::ConfigProblems;
use super::log::wrong_filter;
use crate::channels::Allowed;
use crate::config::{Config, HookSeed, OrganisationSeed, PartySeed};
use crate::declared;
use crate::ksef::KsefSettings;
use crate::mail;
use crate::net::Guard;

pub(super) fn look(found: &mut ConfigProblems, config: &Config) {
    let hosts = config.network.hook_hosts_allowed.iter().map(|host| host.to_ascii_lowercase());
    let guard = Guard { hosts_allowed: hosts.collect(), ..Guard::default() };
    // What is wrong with the mail server is told with its section.
    let senders = mail::senders(&config.mail).ok().flatten();
    let allowed = Allowed { guard, senders, ksef: KsefSettings::of(&config.ksef).is_some() };
    for organisation in &config.organisation {
        for problem in declared::problems(organisation, &allowed) {
            found.add(format!("organisation {:?}", organisation.id), problem);
        }
    }
    if let Some(problem) = wrong_filter(&config.log.filter) {
        found.add("log.filter", problem);
    }
    let folder = config.data_dir.to_string_lossy();
    if folder.is_empty() {
        let problem = "is empty: name the folder of the database, the documents and the keys";
        found.add("data_dir", problem);
    }
    if folder.contains("://") || folder.starts_with("file:") {
        let problem =
            format!("{folder:?} is no folder: the database is in a folder of this machine");
        found.add("data_dir", problem);
    }
    doors(found, config);
}

/// An organisation weighs something beside others, and nobody so much that the others have nothing.
pub(super) fn weight(found: &mut ConfigProblems, at: &str, weight: i64) {
    if !u32::try_from(weight).is_ok_and(|weight| WEIGHTS.contains(&weight)) {
        let (least, most) = (WEIGHTS.start(), WEIGHTS.end());
        found.add(at, format!("weight must be from {least} to {most}, and is {weight}"));
    }
}

/// Organisations that other settings name, and who the provider is: an organisation is there when
/// it is declared, or is the provider's own.
pub(super) fn named(found: &mut ConfigProblems, config: &Config) {
    let own = config.provider.organisation.as_str();
    let is_there = |id: &str| id == own || config.organisation.iter().any(|seed| seed.id == id);
    let told = config.trust.warn_organisations.iter();
    let told = told.map(|id| ("trust.warn_organisations".to_owned(), id));
    let issuers = config.api.issuers.iter().filter_map(|issuer| {
        let at = format!("api.issuers {:?}, organisation", issuer.issuer);
        Some((at, issuer.organisation.as_ref()?))
    });
    for (at, id) in told.chain(issuers).filter(|(_, id)| !is_there(id)) {
        let text = format!("expected the id of an organisation that is declared, found {id:?}");
        found.add(at, text);
    }
    let provider = &config.provider;
    for (at, written) in [
        ("provider.status_identifier", provider.status_identifier.as_deref()),
        ("provider.report_sender", provider.report_sender.as_deref()),
        ("provider.report_receiver", Some(provider.report_receiver.as_str())),
    ] {
        let read = written.map(|text| (text, text.parse::<ParticipantId>()));
        if let Some((text, Err(wrong))) = read {
            found.add(
                at,
                format!("expected a participant as in 0242:000001, found {text:?}: {wrong}"),
            );
        }
    }
    if let Some(country) = provider.country.as_deref().filter(|code| !countries::is_country(code)) {
        found.add("provider.country", format!("{}, found {country:?}", country_code(country)));
    }
}

/// What is expected in place of a country that is none.
fn country_code(found: &str) -> String {
    let meant = countries::suggestion(found).map(|meant| format!(" (probably {meant})"));
    format!("expected a code of ISO 3166-1 alpha-2{}", meant.unwrap_or_default())
}

/// A hook is found by its id among those of its organisation, or of its party.
pub(super) fn hooks_twice(found: &mut ConfigProblems, at: &str, hooks: &[HookSeed]) {
    let mut ids = BTreeSet::new();
    for hook in hooks.iter().filter(|hook| !ids.insert(&hook.id)) {
        found.add(at, format!("hook {:?}: the id must be unique, and is declared twice", hook.id));
    }
}

/// A declared party is published: what it is called has to be what the network takes.
pub(super) fn party(found: &mut ConfigProblems, at: &str, party: &PartySeed) {
    if party.identifiers.is_empty() {
        found.add(at, format!("party {:?} has no identifier", party.name));
    }
    for text in &party.identifiers {
        // What cannot be read at all is told above.
        let read = text.parse::<ParticipantId>().ok();
        if let Some(Err(wrong)) = read.map(|id| id.check()) {
            found.add(at, format!("party {:?}, identifier {text:?}: {wrong}", party.name));
        }
    }
    let country = party.country.as_str();
    if !countries::is_country(country) {
        let meant = countries::suggestion(country).map(|meant| format!(", probably {meant}"));
        let text = format!("expected a code of ISO 3166-1 alpha-2{}", meant.unwrap_or_default());
        found.add(at, format!("party {:?}, country {country:?}: {text}", party.name));
    }
}

/// An identifier is of one party: declared of two, both would be published, and one is heard.
pub(super) fn twice(found: &mut ConfigProblems, organisations: &[OrganisationSeed]) {
    let mut taken: BTreeMap<String, (&str, &str)> = BTreeMap::new();
    let parties =
        organisations.iter().flat_map(|owner| owner.parties.iter().map(move |p| (owner, p)));
    for (owner, party) in parties {
        let read = party.identifiers.iter().filter_map(|text| text.parse::<ParticipantId>().ok());
        for identifier in read.map(|id| id.folded()) {
            let Some((other, name)) = taken.get(&identifier) else {
                taken.insert(identifier, (&owner.id, &party.name));
                continue;
            };
            let problem = format!(
                "party {:?}, identifier {identifier}: it is declared of party {name:?} of \
                 organisation {other:?} already",
                party.name
            );
            found.add(format!("organisation {:?}", owner.id), problem);
        }
    }
}

/// Two doors on one port: the second would not open.
fn doors(found: &mut ConfigProblems, config: &Config) {
    let mut taken: BTreeMap<SocketAddr, &str> = BTreeMap::new();
    for (name, door) in config.listen.doors().filter(|(_, door)| door.address.port() != 0) {
        let address = door.address;
        let same = |other: &&SocketAddr| {
            let any = other.ip().is_unspecified() || address.ip().is_unspecified();
            other.port() == address.port() && (any || other.ip() == address.ip())
        };
        match taken.iter().find(|(other, _)| same(other)) {
            Some((_, other)) => {
                let problem = format!("{address} is also the address of listen.{other}");
                found.add(format!("listen.{name}"), problem);
            }
            None => {
                taken.insert(address, name);
            }
        }
    }
}
