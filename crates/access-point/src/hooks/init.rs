//! The `init` of a hook when it is registered or changed: its secrets are taken out and sealed, and
//! stay for the same place without being given again.

use std::collections::BTreeMap;

use quoin_delivery::TopicPattern;
use quoin_delivery::hook::ActionKind;
use quoin_delivery::topics::COMMANDS;
use quoin_store::{Hook, Secret};
use serde_json::Value;

use super::action::{ActionError, HookAction};
use crate::channels::{self, Allowed, Channel, HookInit};

/// What is shown in place of a secret, and says that the one on record stays.
pub const STARS: &str = "***";
/// Bytes of an `init`, at most.
const LONGEST_INIT: usize = 64 << 10;

/// What a hook has as its `init` with an action: as it is shown, and what of it is sealed. Stars in
/// place of a secret keep the one of the hook before.
///
/// # Errors
/// [`ActionError::Channel`] where the hook could not work with it.
pub fn init_after(
    action: &HookAction,
    mut init: Value,
    topics: &[TopicPattern],
    before: Option<&Hook>,
    allowed: &Allowed,
) -> Result<(Value, BTreeMap<String, Secret>), ActionError> {
    if init.to_string().len() > LONGEST_INIT {
        let why = format!("init is larger than {LONGEST_INIT} bytes");
        return Err(ActionError::Channel(why));
    }
    let mut sealed = BTreeMap::new();
    let Some(channel) = channels::reader_of(action.kind) else { return Ok((init, sealed)) };
    let sends = |pattern: &TopicPattern| {
        COMMANDS.iter().any(|row| pattern.matches(row.send) || pattern.matches(row.fallback))
    };
    let is_channel = topics.iter().any(sends);
    for name in fields_to_seal(channel, &init, is_channel) {
        let Some(value) = init.get(&name).cloned() else { continue };
        let is_own = channel.sealed_fields().contains(&name.as_str());
        let clear = match &value {
            Value::String(text) if !text.is_empty() => text.clone(),
            // What the owner of a hook keeps there is of any form.
            other if !is_own => other.to_string(),
            _ => {
                let why = format!("init: {name} is not a text of one character or more");
                return Err(ActionError::Channel(why));
            }
        };
        let secret = match clear == STARS {
            false => Secret::new(&clear),
            true => {
                let kept = before.filter(|before| {
                    let (before, after) = ((&*before.action, &before.init), (&*action.url, &init));
                    channel.keeps_sealed(before, after)
                });
                kept.and_then(|before| on_record(before, &name)).ok_or_else(|| {
                    ActionError::Channel(format!(
                        "init: {name} is {STARS}, which keeps the one on record, and there is none \
                         for this place: give it again"
                    ))
                })?
            }
        };
        if let Some(shown) = init.get_mut(&name) {
            *shown = Value::String(STARS.to_owned());
        }
        sealed.insert(name, secret);
    }
    let read = HookInit { shown: &init, sealed: &sealed, is_channel };
    channel.check_init(&action.url, &read, allowed).map_err(ActionError::Channel)?;
    Ok((init, sealed))
}

/// The fields of an `init` that are sealed. A channel has none of its owner's: it is refused.
fn fields_to_seal(channel: &dyn Channel, init: &Value, is_channel: bool) -> Vec<String> {
    let mut names: Vec<String> =
        channel.sealed_fields().iter().map(|name| (*name).to_owned()).collect();
    if !is_channel {
        names.extend(of_the_owner(channel, init));
    }
    names
}

/// The fields of an `init` that its owner has made up.
fn of_the_owner(channel: &dyn Channel, init: &Value) -> Vec<String> {
    let Some(shown) = channel.shown_fields() else { return Vec::new() };
    let known = |name: &str| shown.contains(&name) || channel.sealed_fields().contains(&name);
    let says = |value: &Value| !(value.is_null() || value == "");
    let fields = init.as_object().into_iter().flatten();
    let own = fields.filter(|(name, value)| !known(name) && says(value));
    own.map(|(name, _)| name.clone()).collect()
}

/// What a hook has in place of stars. A field of its owner's may be there in clear: they were not
/// always sealed.
fn on_record(before: &Hook, name: &str) -> Option<Secret> {
    let clear = || match before.init.get(name)? {
        Value::String(text) => Some(text.clone()).filter(|text| text != STARS),
        other => Some(other.to_string()),
    };
    before.sealed.get(name).cloned().or_else(|| Some(Secret::new(&clear()?)))
}

/// The `init` of a hook as it is shown: of what its owner has made up, the names.
pub fn shown_init(hook: &Hook) -> Value {
    let mut shown = hook.init.clone();
    let channel = ActionKind::of(&hook.action).and_then(channels::reader_of);
    for name in channel.map(|channel| of_the_owner(channel, &hook.init)).unwrap_or_default() {
        if let Some(value) = shown.get_mut(&name) {
            *value = Value::String(STARS.to_owned());
        }
    }
    shown
}

/// Whether a hook has a secret: one that signs its calls, or with which it logs in.
pub fn has_secret(hook: &Hook) -> bool {
    let channel = ActionKind::of(&hook.action).and_then(channels::reader_of);
    let known = channel.map(|channel| channel.sealed_fields()).unwrap_or_default();
    !hook.secrets.is_empty() || hook.sealed.keys().any(|name| known.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::hooks::bare_hook;

    fn after(
        init: Value,
        topic: &str,
        before: Option<&Hook>,
    ) -> Result<(Value, BTreeMap<String, Secret>), String> {
        let allowed = Allowed::default();
        let action = HookAction::parse("https://erp.example/in", &allowed).unwrap();
        let topics = [topic.parse().unwrap()];
        init_after(&action, init, &topics, before, &allowed).map_err(|error| error.to_string())
    }

    #[test]
    fn what_the_owner_of_a_web_hook_has_made_up_is_sealed() {
        let init = json!({ "apiKey": "geheim", "none": null, "more": { "a": 1 } });
        let (shown, sealed) = after(init, "InvoiceSent", None).unwrap();
        assert_eq!(shown, json!({ "apiKey": "***", "none": null, "more": "***" }));
        assert_eq!(sealed["apiKey"].reveal(), "geheim");
        let told = after(json!({ "bearerTokn": "geheim" }), "InvoiceSent", None).unwrap_err();
        assert!(told.contains("did you mean bearerToken?") && !told.contains("geheim"), "{told}");
        let told = after(json!({ "apiKey": "geheim" }), "SendInvoice", None).unwrap_err();
        assert!(told.contains("init has no field \"apiKey\""), "{told}");
    }

    /// What an older version kept in clear is shown no more, and stays for stars.
    #[test]
    fn what_is_on_record_in_clear_is_not_shown_and_is_kept() {
        let hook = Hook {
            action: "https://erp.example/in".to_owned(),
            init: json!({ "apiKey": "geheim", "method": "PUT" }),
            ..bare_hook("acme", "web")
        };
        let shown = shown_init(&hook);
        assert_eq!(shown, json!({ "apiKey": "***", "method": "PUT" }));
        assert!(!has_secret(&hook));
        let (again, sealed) =
            after(json!({ "apiKey": "***" }), "InvoiceSent", Some(&hook)).unwrap();
        assert_eq!((again, sealed["apiKey"].reveal()), (json!({ "apiKey": "***" }), "geheim"));
        let bare = Hook { sealed, ..hook };
        assert!(!has_secret(&bare), "it signs nothing and logs in nowhere");
        assert!(after(json!({ "other": "***" }), "InvoiceSent", Some(&bare)).is_err());
    }
}
