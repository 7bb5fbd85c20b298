//! What a party can receive: a state for each capability, from the party, its organisation and the
//! product, and the registrations that follow (interface specification 2.2, 3.1, 4.9).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use quoin_identity::distance;
use quoin_model::text::quoted;
use quoin_peppol::codelists::{CAPABILITIES, Capability, CodeState};
use quoin_peppol::identifiers::ProcessId;
use serde::{Deserialize, Serialize};

/// The state of a capability, as it is set.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum CapabilitySetting {
    /// Explicitly enabled.
    On,
    /// Explicitly disabled.
    Off,
    /// As the layer above has it: a party's from its organisation, an organisation's from us.
    #[default]
    Inherited,
}

/// States by the capability's name of the table; what is not named is inherited.
pub type States = BTreeMap<String, CapabilitySetting>;

/// A document type and a process, each in the form `scheme::value`.
pub type Pair = (String, String);

/// Capabilities that are on where nobody set them.
const ON_BY_DEFAULT: &[&str] = &["invoices"];

impl CapabilitySetting {
    /// The word of the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            CapabilitySetting::On => "on",
            CapabilitySetting::Off => "off",
            CapabilitySetting::Inherited => "inherited",
        }
    }
}

/// A word that is no state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected on, off or inherited, found {0:?}")]
pub struct NoState(String);

impl FromStr for CapabilitySetting {
    type Err = NoState;

    /// Reads `on`, `off` and `inherited`, and what is shown for an inherited state
    /// (`inherited => on`), so that what was read can be written back.
    fn from_str(text: &str) -> Result<CapabilitySetting, NoState> {
        let word = text.split("=>").next().unwrap_or_default().trim();
        [CapabilitySetting::On, CapabilitySetting::Off, CapabilitySetting::Inherited]
            .into_iter()
            .find(|state| state.as_str().eq_ignore_ascii_case(word))
            .ok_or_else(|| NoState(text.chars().take(64).collect()))
    }
}

impl fmt::Display for CapabilitySetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A capability with what is set and what follows.
#[derive(Debug, Clone, Copy)]
pub struct Effective {
    /// The row of the table.
    pub capability: &'static Capability,
    /// What the lowest layer sets.
    pub own: CapabilitySetting,
    /// What holds.
    pub on: bool,
}

impl Effective {
    /// The state as it is shown: `on`, `off`, `inherited => on` or `inherited => off`.
    pub fn shown(&self) -> &'static str {
        match (self.own, self.on) {
            (CapabilitySetting::On, _) => "on",
            (CapabilitySetting::Off, _) => "off",
            (CapabilitySetting::Inherited, true) => "inherited => on",
            (CapabilitySetting::Inherited, false) => "inherited => off",
        }
    }
}

/// The capability of this name, whatever its case: `selfBilling` is `selfbilling`.
pub fn named(name: &str) -> Option<&'static Capability> {
    CAPABILITIES.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// Characters in which a name may differ from the one that was meant.
const FAR: usize = 3;

/// What is said of a name that no capability has, where it may also be one of `others`: what was
/// probably meant, or what there is.
pub fn unknown(name: &str, others: &[&str]) -> String {
    let known = || CAPABILITIES.iter().map(|row| row.name).chain(others.iter().copied());
    let near = known().filter_map(|known| Some((distance(known, name)?, known))).min();
    let hint = match near.filter(|(far, _)| *far <= FAR.min(name.len() / 3)) {
        Some((_, meant)) => format!("did you mean {meant}?"),
        None => format!("expected one of {}", known().collect::<Vec<_>>().join(", ")),
    };
    format!("there is no capability {name}; {hint}", name = quoted(name, 64))
}

/// Every capability, from layers of states: the lowest (the party's) first.
pub fn effective(layers: &[&States]) -> Vec<Effective> {
    let state = |layer: &States, name: &str| layer.get(name).copied().unwrap_or_default();
    let of = |capability: &'static Capability| {
        let name = capability.name;
        let set = layers
            .iter()
            .map(|layer| state(layer, name))
            .find(|s| *s != CapabilitySetting::Inherited);
        let on = set
            .map_or_else(|| ON_BY_DEFAULT.contains(&name), |state| state == CapabilitySetting::On);
        let own = layers.first().map(|layer| state(layer, name)).unwrap_or_default();
        Effective { capability, own, on }
    };
    CAPABILITIES.iter().map(of).collect()
}

/// What is registered for capabilities on a day: each pair once, whatever the number of
/// capabilities that share it. A document type that is deprecated stays where it is registered
/// already, and is not registered anew (PFUOI policy 23a).
pub fn pairs(capabilities: &[Effective], day: Date, registered: &BTreeSet<Pair>) -> BTreeSet<Pair> {
    let mut found = BTreeSet::new();
    for capability in capabilities.iter().filter(|effective| effective.on) {
        for (row, process) in capability.capability.rows() {
            let Ok(document_type) = row.registered_as() else { continue };
            let process = format!("{}::{process}", ProcessId::SCHEME);
            let pair = (document_type.to_string(), process);
            let stays = row.state_on(day) == CodeState::Deprecated && registered.contains(&pair);
            if row.may_register(day) || stays {
                found.insert(pair);
            }
        }
    }
    found
}

/// The names of the document types that a capability stands for, for people; those that can be
/// registered no more are marked.
pub fn description(capability: &Capability, day: Date) -> String {
    let name = |(row, _): (&quoin_peppol::codelists::DocumentType, &str)| {
        let mark = if row.may_register(day) {
            ""
        } else {
            " (not published: the network takes no new registrations of it)"
        };
        format!("{}{mark}", row.name)
    };
    let mut names: Vec<String> = capability.rows().map(name).collect();
    // One that is exchanged in several processes is still one.
    names.dedup();
    names.join(", ")
}

#[cfg(test)]
mod tests;
