//! What a hook may be called and what it may listen to, whoever declares it: the interface or the
//! configuration.

use quoin_delivery::channel::{self, CHANNELS, PEPPOL_FALLBACK};
use quoin_delivery::hook::ActionKind;
use quoin_delivery::{HookId, Output, TopicPattern};
use quoin_model::text::quoted;

/// Topics that one hook may listen to.
const TOPICS: usize = 64;
/// Rows of the output of one hook.
const OUTPUT: usize = 32;
/// Ids that would hide an address or a channel, or that a client takes for a step in a path.
const RESERVED: &[&str] = &["ping", PEPPOL_FALLBACK, ".", ".."];

/// Whether a hook with an action of a kind may have an id.
///
/// # Errors
/// What is wrong with it, for whoever chose it.
pub fn check_id(id: &HookId, kind: ActionKind) -> Result<(), String> {
    let holder = CHANNELS.iter().find(|row| row.id == Some(id.as_str())).map(|row| row.hook.kind);
    let own = channel::row(kind).and_then(|row| row.id);
    let is_free = holder.is_none_or(|holder| holder == kind);
    if RESERVED.contains(&id.as_str()) || !is_free || own.is_some_and(|own| id.as_str() != own) {
        return Err(match own {
            Some(own) => format!("a hook with the action {own} has the id {own}: give that id"),
            None => format!("the id {id} is reserved: give another one"),
        });
    }
    Ok(())
}

/// Whether a hook with an action of a kind can listen to topics, and publish what stands in its
/// output.
///
/// # Errors
/// What is wrong with them, for whoever wrote them.
pub fn check_topics(
    kind: ActionKind,
    topics: &[TopicPattern],
    output: &[Output],
) -> Result<(), String> {
    if topics.is_empty() || topics.len() > TOPICS || output.len() > OUTPUT {
        return Err(format!(
            "expected 1 to {TOPICS} topics and at most {OUTPUT} rows of output, found {} and {}",
            topics.len(),
            output.len()
        ));
    }
    let code = |when: &str| {
        let status = |byte: &u8| (b'1'..=b'5').contains(byte);
        match when.as_bytes() {
            b"*" => true,
            [first, b'x', b'x'] => status(first),
            [first, rest @ ..] => {
                status(first) && rest.len() == 2 && rest.iter().all(u8::is_ascii_digit)
            }
            [] => false,
        }
    };
    if let Some(row) = output.iter().find(|row| !code(&row.when)) {
        return Err(format!(
            "output: when is {}, expected as in 200, 5xx or *",
            quoted(&row.when, 20)
        ));
    }
    let useful = |pattern: &TopicPattern| {
        quoin_delivery::TOPICS
            .iter()
            .any(|row| pattern.matches(row.topic) && kind.can_use(row.topic))
    };
    match topics.iter().find(|pattern| !useful(pattern)) {
        Some(pattern) => {
            Err(format!("nothing of {} is for a hook with this action", pattern.as_str()))
        }
        None => Ok(()),
    }
}
