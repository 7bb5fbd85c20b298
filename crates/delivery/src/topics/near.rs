//! What was probably meant by a topic that there is not.

use quoin_identity::distance;

use super::TOPICS;

/// A topic that differs in more characters is another one.
const FAR: usize = 4;

/// What is said of a text that matches no topic: the one that is nearly like it, or what is
/// expected.
pub(super) fn hint(found: &str) -> String {
    match meant(found) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "expected a topic such as InvoiceSent or a pattern such as Send*, *Received or *;"
            .to_owned(),
    }
}

/// The topic that is nearly like a text.
pub(crate) fn meant(found: &str) -> Option<&'static str> {
    // What is missing or too much in a short text would make it another one.
    let far = FAR.min(found.len() / 3);
    let names = TOPICS.iter().map(|row| row.topic.as_str());
    let near = names.filter_map(|name| Some((distance(name, found)?, name)));
    near.min().filter(|(distance, _)| *distance <= far).map(|(_, meant)| meant)
}
