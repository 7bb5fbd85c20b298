//! The `init` of a hook when it is registered or changed: its secrets are taken out and sealed, and
//! stay for the same place without being given again.

use std::collections::BTreeMap;

use quoin_delivery::TopicPattern;
use quoin_delivery::topics::COMMANDS;
use quoin_store::{Hook, Secret};
use serde_json::Value;

use super::action::{ActionError, HookAction};
use crate::channels::{self, Allowed, HookInit};

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
    for name in channel.sealed_fields() {
        let Some(value) = init.get(*name).cloned() else { continue };
        let clear = value.as_str().filter(|clear| !clear.is_empty());
        let clear = clear.ok_or_else(|| {
            ActionError::Channel(format!("init: {name} is not a text of one character or more"))
        })?;
        let secret = match clear == STARS {
            false => Secret::new(clear),
            true => {
                let kept = before.filter(|before| {
                    let (before, after) = ((&*before.action, &before.init), (&*action.url, &init));
                    channel.keeps_sealed(before, after)
                });
                let kept = kept.and_then(|before| before.sealed.get(*name)).cloned();
                kept.ok_or_else(|| {
                    ActionError::Channel(format!(
                        "init: {name} is {STARS}, which keeps the one on record, and there is none \
                         for this place: give it again"
                    ))
                })?
            }
        };
        sealed.insert((*name).to_owned(), secret);
        if let Some(shown) = init.get_mut(*name) {
            *shown = Value::String(STARS.to_owned());
        }
    }
    let sends = |pattern: &TopicPattern| {
        COMMANDS.iter().any(|row| pattern.matches(row.send) || pattern.matches(row.fallback))
    };
    let is_channel = topics.iter().any(sends);
    let read = HookInit { shown: &init, sealed: &sealed, is_channel };
    channel.check_init(&action.url, &read, allowed).map_err(ActionError::Channel)?;
    Ok((init, sealed))
}
