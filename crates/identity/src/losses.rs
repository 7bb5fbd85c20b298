//! What may be lost when documents are converted: by everybody, and between some parties.

use quoin_formats::convert::LossPolicy;
use quoin_peppol::identifiers::ParticipantId;
use serde::{Deserialize, Serialize};

/// What conversions may lose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConversionPolicy {
    /// Whether something that has no place in the target stops a document.
    pub strict: bool,
    /// What may be lost all the same: business terms (`BT-19`), or paths in the source with all
    /// that is below them, without positions (`/Invoice/cbc:UUID`); `*` is everything.
    pub allowed: Vec<String>,
    /// What may be lost besides between some parties.
    pub relations: Vec<ConversionRelation>,
}

/// What may be lost between a sender and a receiver, beside what may be lost by everybody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConversionRelation {
    /// The sender, `scheme:identifier`; every one where it is not given.
    pub sender: Option<String>,
    /// The receiver, `scheme:identifier`; every one where it is not given.
    pub receiver: Option<String>,
    /// As in the policy.
    pub allowed: Vec<String>,
}

impl ConversionPolicy {
    /// What may be lost on the way from a party with these identifiers to a receiver. `asked` is
    /// what the sender allows for this document, terms and paths between commas.
    pub fn between(
        &self,
        senders: &[ParticipantId],
        receiver: &ParticipantId,
        asked: Option<&str>,
    ) -> LossPolicy {
        let names = |text: &Option<String>, id: &ParticipantId| match text {
            Some(text) => text.eq_ignore_ascii_case(id.as_str()),
            None => true,
        };
        let is_theirs = |own: &&ConversionRelation| {
            names(&own.receiver, receiver)
                && (own.sender.is_none() || senders.iter().any(|id| names(&own.sender, id)))
        };
        let of_relations = self.relations.iter().filter(is_theirs).flat_map(|own| &own.allowed);
        let of_sender = asked.unwrap_or_default().split(',').filter(|text| !text.is_empty());
        let mut allowed = self.allowed.clone();
        allowed.extend(of_relations.cloned());
        allowed.extend(of_sender.map(ToOwned::to_owned));
        LossPolicy { strict: self.strict, allowed }
    }

    /// What is wrong with it, each with its place.
    pub fn problems(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut allowed = |at: String, texts: &[String]| {
            for text in texts.iter().filter(|text| !LossPolicy::is_allowance(text)) {
                found.push((
                    at.clone(),
                    format!(
                        "{text:?} is no business term (\"BT-19\"), no path in a document \
                         (\"/Invoice/cbc:UUID\") and not \"*\""
                    ),
                ));
            }
        };
        allowed("allowed".to_owned(), &self.allowed);
        for (position, own) in self.relations.iter().enumerate() {
            allowed(format!("relations[{position}].allowed"), &own.allowed);
        }
        for (position, own) in self.relations.iter().enumerate() {
            let at = format!("relations[{position}]");
            if own.sender.is_none() && own.receiver.is_none() {
                found.push((at.clone(), "names neither sender nor receiver".to_owned()));
            }
            for (name, id) in [("sender", &own.sender), ("receiver", &own.receiver)] {
                let read = id.as_deref().map(str::parse::<ParticipantId>);
                if let Some(Err(error)) = read {
                    found.push((format!("{at}.{name}"), error.to_string()));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> ParticipantId {
        text.parse().unwrap()
    }

    #[test]
    fn a_relation_adds_what_it_allows_to_its_own_documents() {
        let relation = |sender: Option<&str>, receiver: Option<&str>, allowed: &str| {
            let text = |text: &str| text.to_owned();
            let allowed = vec![allowed.to_owned()];
            ConversionRelation { sender: sender.map(text), receiver: receiver.map(text), allowed }
        };
        let policy = ConversionPolicy {
            allowed: vec!["BT-1".to_owned()],
            relations: vec![
                relation(Some("0106:11111111"), None, "BT-2"),
                relation(None, Some("0208:be1"), "BT-3"),
                relation(Some("0106:11111111"), Some("0208:BE2"), "BT-4"),
            ],
            strict: true,
        };
        assert_eq!(policy.problems(), []);
        let (ours, theirs) = (id("0106:11111111"), id("0106:22222222"));
        for (senders, receiver, asked, expected) in [
            (vec![ours.clone()], "0208:BE1", None, vec!["BT-1", "BT-2", "BT-3"]),
            (vec![theirs.clone(), ours], "0208:be2", None, vec!["BT-1", "BT-2", "BT-4"]),
            (vec![theirs], "0208:BE2", Some("BT-9,/x"), vec!["BT-1", "BT-9", "/x"]),
            (vec![], "0208:BE3", Some(""), vec!["BT-1"]),
        ] {
            let losses = policy.between(&senders, &id(receiver), asked);
            assert_eq!(losses.allowed, expected);
        }
    }

    #[test]
    fn what_is_wrong_with_it_is_told_with_its_place() {
        let policy = ConversionPolicy {
            allowed: vec!["BT19".to_owned()],
            relations: vec![
                ConversionRelation::default(),
                ConversionRelation { sender: Some("106".to_owned()), ..Default::default() },
            ],
            strict: true,
        };
        let places: Vec<String> = policy.problems().into_iter().map(|(at, _)| at).collect();
        let expected = ["allowed", "relations[0]", "relations[1].sender"];
        assert_eq!(places, expected);
    }
}
