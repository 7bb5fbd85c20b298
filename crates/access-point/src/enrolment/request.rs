//! The bodies that change a configuration. A configuration that was read can be written back, with
//! changes: what is only shown is skipped, and states may stand where either form of the interface
//! has them (interface specification 2.2, 4.9).

use jiff::Timestamp;
use quoin_delivery::capabilities::{CapabilitySetting, NoState, States, named, unknown};
use quoin_model::text::{is_allowed, is_seen, quoted};
use quoin_store::{Secret, Verification};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};
#[cfg(feature = "describe")]
use utoipa::ToSchema;

use super::line::CARD;
#[cfg(feature = "describe")]
use super::{CapabilityStates, PartyId};
use super::{CardRequest, EnrolmentError, null_is_default, participant};
use crate::reading::{json_value, time, told};

/// Members that are shown and cannot be changed.
const SHOWN: &[&str] =
    &["id", "isRegistered", "message", "participants", "registrations", "createdOn", "changedOn"];
/// Members beside which a capability may stand.
const MEMBERS: &[&str] = &["capabilities", CARD, "identifiers", NAME, "verification", "migration"];
/// The member that names the party.
const NAME: &str = "name";
/// Characters of a name at most.
const LONGEST: usize = 1_000;
/// Characters of the notes of a verification at most.
const NOTES: usize = 2_000;
/// Identifiers that a verification names at most.
const IDENTIFIERS: usize = 32;
/// Bytes of a migration key (SML 1.2: 8 to 24).
const KEY: std::ops::RangeInclusive<usize> = 8..=24;

/// A configuration as it is written; what is left out stays as it is.
#[derive(Debug, Default)]
#[cfg_attr(feature = "describe", derive(ToSchema))]
#[cfg_attr(feature = "describe", schema(as = PeppolConfigRequest, rename_all = "camelCase"))]
pub struct ConfigRequest {
    /// States by capability: `on`, `off` or `inherited`, each alone or as `{ "state": … }`.
    /// Capabilities may also stand beside this member, as in `{ "selfBilling": { "state": "on" } }`.
    #[cfg_attr(feature = "describe", schema(value_type = Option<CapabilityStates>))]
    pub capabilities: States,
    /// The business card; null takes it away.
    #[cfg_attr(feature = "describe", schema(value_type = Option<CardRequest>))]
    pub business_card: Option<Option<CardRequest>>,
    /// Further identifiers of the party.
    #[cfg_attr(feature = "describe", schema(value_type = Option<Vec<PartyId>>, example = json!(["9944:NL123456782B01"])))]
    pub identifiers: Vec<String>,
    /// What the party is called, where that is not the first name of its business card.
    #[cfg_attr(feature = "describe", schema(value_type = Option<String>, example = "Acme BV"))]
    pub name: Option<String>,
    /// Who verified the end user, and when.
    pub verification: Option<VerificationRequest>,
    /// With which key the party comes from another SMP.
    #[cfg_attr(feature = "describe", schema(value_type = Option<MigrationRequest>))]
    pub migration: Option<MigrationRequest>,
    #[cfg_attr(feature = "describe", schema(ignore))]
    /// Whether it sets the state of a capability.
    pub names_capabilities: bool,
    /// Capabilities that are named twice, among `capabilities` and beside it, with other states.
    #[cfg_attr(feature = "describe", schema(ignore))]
    twice: Vec<(String, CapabilitySetting, CapabilitySetting)>,
    /// Whose configuration it is, where it was read before.
    #[cfg_attr(feature = "describe", schema(ignore))]
    pub id: Option<String>,
    /// When what was read had changed last.
    #[cfg_attr(feature = "describe", schema(ignore))]
    changed_on: Option<Timestamp>,
}

/// Who verified that a party is whom it says, what was looked at, and when.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "describe", derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerificationRequest {
    /// What was looked at.
    #[cfg_attr(
        feature = "describe",
        schema(example = "Extract of the chamber of commerce, contract C21345")
    )]
    pub notes: String,
    /// Who verified it; the caller where it is left out.
    #[cfg_attr(feature = "describe", schema(example = "J. Jansen"))]
    pub verified_by: Option<String>,
    /// When; now where it is left out.
    #[serde(default, deserialize_with = "time::optional")]
    #[cfg_attr(feature = "describe", schema(value_type = Option<String>, format = DateTime))]
    pub verified_on: Option<Timestamp>,
    /// The identifiers that were verified; all that the request names where it is left out.
    #[serde(default, deserialize_with = "null_is_default")]
    #[cfg_attr(feature = "describe", schema(value_type = Option<Vec<PartyId>>, example = json!(["0106:12345678"])))]
    pub identifiers: Vec<String>,
    /// Ignored: a verification that was read can be written back.
    #[cfg_attr(feature = "describe", schema(ignore))]
    pub recorded_by: Option<IgnoredAny>,
    /// Ignored.
    #[cfg_attr(feature = "describe", schema(ignore))]
    pub recorded_on: Option<IgnoredAny>,
}

/// A key of a migration.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "describe", derive(ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MigrationRequest {
    /// The key that the present provider gave.
    #[cfg_attr(feature = "describe", schema(example = "Xb7#Lm2$Tk9%Wr4*Zc1-Ye8+"))]
    pub key: Option<String>,
}

fn bad(detail: String) -> EnrolmentError {
    EnrolmentError::Config(detail)
}

fn member<T: DeserializeOwned>(name: &str, value: Value) -> Result<T, EnrolmentError> {
    json_value(value).map_err(|error| bad(told(name, &error)))
}

/// The name of a party; nothing where it is not said, as in a configuration that was read of a
/// party without one.
fn named_so(text: String) -> Result<Option<String>, EnrolmentError> {
    let name = text.trim();
    let is_written = |c: char| is_seen(c) && is_allowed(c);
    if name.chars().count() > LONGEST || !name.chars().all(is_written) {
        return Err(bad(format!(
            "{NAME} is {text}, expected at most {LONGEST} characters in one line, none of them \
             control or invisible",
            text = quoted(&text, 40)
        )));
    }
    Ok(Some(name.to_owned()).filter(|name| !name.is_empty()))
}

/// Whether a configuration has a member of this name, be it `null`.
///
/// # Errors
/// API400.Config.
pub(super) fn is_known(name: &str) -> Result<(), EnrolmentError> {
    let is_member = MEMBERS.contains(&name) || SHOWN.contains(&name);
    if is_member || named(name).is_some() { Ok(()) } else { Err(bad(unknown(name, MEMBERS))) }
}

/// A state of a capability as it is written: a word, or an object with `state`, in which the
/// `description` that is shown may stand. Nothing where `null` stands in its place.
///
/// # Errors
/// What is written instead.
pub fn capability_state(written: &Value) -> Result<Option<CapabilitySetting>, String> {
    let word = match written {
        Value::Object(members) => {
            let foreign = |name: &&String| !["state", "description"].contains(&name.as_str());
            if let Some(name) = members.keys().find(foreign) {
                return Err(format!(
                    "a state has no member {name}, only state",
                    name = quoted(name, 64)
                ));
            }
            members.get("state").unwrap_or(&Value::Bool(false))
        }
        word => word,
    };
    match word {
        Value::Null => Ok(None),
        Value::String(word) => word.parse().map(Some).map_err(|error: NoState| error.to_string()),
        _ => {
            let found: String = written.to_string().chars().take(80).collect();
            Err(format!("expected on, off or inherited, found {found}"))
        }
    }
}

impl ConfigRequest {
    /// Reads the members of an object.
    ///
    /// # Errors
    /// API400.Config.
    pub fn of(members: Map<String, Value>) -> Result<ConfigRequest, EnrolmentError> {
        ConfigRequest::parsed(members)?.settled(None)
    }

    /// Reads members that may name a capability twice, which [`ConfigRequest::settled`] settles.
    ///
    /// # Errors
    /// API400.Config.
    pub fn parsed(members: Map<String, Value>) -> Result<ConfigRequest, EnrolmentError> {
        let mut request = ConfigRequest::default();
        for (name, value) in members {
            is_known(&name)?;
            if value.is_null() && name != CARD {
                // What is left out stays as it is.
                continue;
            }
            match name.as_str() {
                "capabilities" => {
                    let states: Map<String, Value> = member(&name, value)?;
                    request.names_capabilities = true;
                    states.iter().try_for_each(|(name, value)| request.set(name, value))?;
                }
                CARD => request.business_card = Some(member(&name, value)?),
                "identifiers" => request.identifiers = member(&name, value)?,
                NAME => request.name = named_so(member(&name, value)?)?,
                "verification" => request.verification = member(&name, value)?,
                "migration" => request.migration = member(&name, value)?,
                "id" => request.id = member(&name, value)?,
                // Of what cannot be read as a time, nothing is known of when it was read.
                "changedOn" => request.changed_on = json_value(value).ok(),
                shown if SHOWN.contains(&shown) => {}
                other => {
                    request.names_capabilities = true;
                    request.set(other, &value)?;
                }
            }
        }
        Ok(request)
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), EnrolmentError> {
        let row = named(name).ok_or_else(|| bad(unknown(name, &[])))?;
        let state = capability_state(value).map_err(|error| bad(format!("{name}: {error}")))?;
        let Some(state) = state else { return Ok(()) };
        match self.capabilities.insert(row.name.to_owned(), state) {
            Some(other) if other != state => {
                self.twice.push((row.name.to_owned(), other, state));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether it names a capability twice, with different states.
    pub fn names_twice(&self) -> bool {
        !self.twice.is_empty()
    }

    /// Whether it was read of a configuration that changed last at this time, and not before.
    pub fn was_read_of(&self, changed_on: Option<Timestamp>) -> bool {
        // Times of some languages have no more than milliseconds.
        let moment = |on: Option<Timestamp>| on.map(Timestamp::as_millisecond);
        moment(self.changed_on) == moment(changed_on)
    }

    /// Settles what is named twice: a configuration that was read names each capability twice, and
    /// the place that differs from what was read is the one that was changed. `read` is what is on
    /// record where that is what was read ([`ConfigRequest::was_read_of`]): a request that is sent
    /// again must not undo itself.
    ///
    /// # Errors
    /// API400.Config where it cannot be told which of them is meant.
    pub fn settled(mut self, read: Option<&States>) -> Result<ConfigRequest, EnrolmentError> {
        for (name, one, other) in std::mem::take(&mut self.twice) {
            let before = read.map(|read| read.get(&name).copied().unwrap_or_default());
            let changed = match before {
                Some(before) if one == before => other,
                Some(before) if other == before => one,
                _ => {
                    return Err(bad(format!(
                        "{name} is named twice, with different states, {one} and {other}, and \
                         which one is meant cannot be told: name it once, or read the \
                         configuration again and write that back, with its changedOn"
                    )));
                }
            };
            self.capabilities.insert(name, changed);
        }
        Ok(self)
    }

    /// Checks that nothing is asked of an organisation that only a party has.
    ///
    /// # Errors
    /// API400.Config.
    pub fn of_organisation(&self) -> Result<(), EnrolmentError> {
        let given = [
            ("identifiers", !self.identifiers.is_empty()),
            (NAME, self.name.is_some()),
            ("verification", self.verification.is_some()),
            ("migration", self.migration.is_some()),
        ];
        let given = given.iter().find(|(_, given)| *given).map(|(name, _)| (*name).to_owned());
        let card = self.business_card.iter().flatten().find_map(CardRequest::of_party);
        match given.or_else(|| card.map(|name| format!("{CARD}.{name}"))) {
            Some(name) => {
                Err(bad(format!("{name} belongs to a party: change it with the party's own")))
            }
            None => Ok(()),
        }
    }

    /// The migration key, if there is one.
    ///
    /// # Errors
    /// API400.Config.
    pub fn migration_key(&self) -> Result<Option<Secret>, EnrolmentError> {
        let key = self.migration.as_ref().and_then(|migration| migration.key.as_deref());
        let Some(key) = key else { return Ok(None) };
        if KEY.contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic()) {
            return Ok(Some(Secret::new(key)));
        }
        let (least, most) = (KEY.start(), KEY.end());
        Err(bad(format!("migration.key has {least} to {most} printable ASCII characters")))
    }
}

impl VerificationRequest {
    /// The identifiers that it names, as they are compared.
    fn named(&self) -> Result<Vec<String>, EnrolmentError> {
        let named = self.identifiers.iter().take(IDENTIFIERS + 1);
        let named: Vec<String> = named
            .map(|text| Ok(participant(text)?.folded()))
            .collect::<Result<_, EnrolmentError>>()?;
        if named.len() > IDENTIFIERS {
            return Err(bad(format!("verification.identifiers has at most {IDENTIFIERS}")));
        }
        Ok(named)
    }

    /// The verification that is to be recorded. What the newest one on record says already is not
    /// dated anew.
    ///
    /// # Errors
    /// API400.Config.
    pub fn read(
        &self,
        caller: &str,
        newest: Option<&Verification>,
        now: Timestamp,
    ) -> Result<Verification, EnrolmentError> {
        let notes = self.notes.trim();
        if notes.is_empty() || notes.chars().count() > NOTES {
            return Err(bad(format!("verification.notes has 1 to {NOTES} characters")));
        }
        if self.verified_on.is_some_and(|on| on > now) {
            return Err(bad("verification.verifiedOn is in the future".to_owned()));
        }
        let verified_by = self.verified_by.as_deref().map_or(caller, str::trim);
        if verified_by.is_empty() || verified_by.chars().count() > NOTES {
            return Err(bad("verification.verifiedBy is empty or too long".to_owned()));
        }
        let same = |known: &&Verification| {
            known.notes == notes && (self.verified_by.is_none() || known.verified_by == verified_by)
        };
        let same = newest.filter(same);
        let by = same.map_or(verified_by, |known| &known.verified_by);
        Ok(Verification {
            verified_by: by.to_owned(),
            verified_on: self.verified_on.or(same.map(|known| known.verified_on)).unwrap_or(now),
            identifiers: self.named()?,
            notes: notes.to_owned(),
            recorded_by: caller.to_owned(),
            recorded_on: now,
        })
    }
}

#[cfg(test)]
mod tests;
