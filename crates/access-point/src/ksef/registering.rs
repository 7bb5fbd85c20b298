//! Which hook registers what a party sends, and the document as it is registered.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use quoin_delivery::choice::by_id;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{Topic, TopicPattern};
use quoin_ksef::explain::{CodePlace, recorded};
use quoin_store::{Hook, HookScope};

use super::form::{FormRefusal, KsefForm, ksef_form};
use super::{KsefAccount, KsefInit};
use crate::rules::RuleLibrary;

/// The pattern by which a hook registers what its party sends; none where it does something else,
/// such as fetching what others sold to it.
fn clearing_topic(hook: &Hook) -> Option<&TopicPattern> {
    let clears = ActionKind::of(&hook.action).is_some_and(ActionKind::clears);
    let mut matching = hook.topics.iter().filter(|own| own.matches(Topic::CLEAR_INVOICE_BATCHED));
    let specific = matching.clone().find(|pattern| pattern.is_specific());
    specific.or_else(|| matching.next()).filter(|_| clears && hook.is_active)
}

/// Whether a hook registers what its party sends.
pub(crate) fn registers(hook: &Hook) -> bool {
    clearing_topic(hook).is_some()
}

/// The hook by which an authority registers a document of a party, by what filters are told of it:
/// one that names the topic goes before one that takes any, and then the id decides (interface
/// specification 6, rule 2).
pub fn clearing_hook(
    hooks: Vec<Hook>,
    party: &str,
    facts: Option<&BTreeMap<String, String>>,
) -> Option<Hook> {
    let is_of = |hook: &Hook| matches!(&hook.scope, HookScope::Party(own) if own == party);
    let wants = |hook: &Hook| match (&hook.filter, facts) {
        (Some(filter), Some(facts)) => filter.wants(facts),
        _ => true,
    };
    let own = hooks.into_iter().filter(|hook| is_of(hook) && registers(hook) && wants(hook));
    own.min_by(|a, b| {
        let is_wild = |hook| !clearing_topic(hook).is_some_and(TopicPattern::is_specific);
        is_wild(a).cmp(&is_wild(b)).then_with(|| by_id(a.id.as_str(), b.id.as_str()))
    })
}

/// A document as a hook registers it, for the party with these identifiers, by the rules of a day.
pub(crate) fn form_by(
    hook: &Hook,
    identifiers: &[String],
    document: &[u8],
    (rules, on): (&RuleLibrary, Timestamp),
) -> Result<KsefForm, FormRefusal> {
    let wrong = |text: String| FormRefusal { word: "certificate-use", text };
    let secret = hook.secrets.first();
    let secret = secret.ok_or_else(|| wrong("the hook has no certificates".to_owned()))?;
    let init = KsefInit::open(secret).map_err(|error| wrong(error.to_string()))?;
    let names = identifiers.iter().map(String::as_str);
    let account = KsefAccount::of(hook.key.to_string(), init, names)
        .ok_or_else(|| wrong("neither the party nor its certificate has a NIP".to_owned()))?;
    ksef_form(document, &account.nip, rules, on.to_zoned(TimeZone::UTC).date())
}

/// Why a hook would not register a document, in a sentence; none where it would hand it over.
pub fn not_registered(
    hook: &Hook,
    identifiers: &[String],
    document: &[u8],
    by: (&RuleLibrary, Timestamp),
) -> Option<String> {
    form_by(hook, identifiers, document, by).err().map(|refusal| refusal.explained())
}

impl FormRefusal {
    /// What is wrong, with what it means before it.
    pub(crate) fn explained(&self) -> String {
        explained_own(self.word, &self.text)
    }
}

/// What a word of our own means, as it is recorded, and what was found.
pub(crate) fn explained_own(word: &str, found: &str) -> String {
    let text = recorded(CodePlace::Own, word).unwrap_or_default();
    format!("{text} {found}").trim_end().to_owned()
}
