//! What is known of a document whether it can be sent or not, so that filters of hooks and people
//! who look for it find one that was refused.

use std::collections::BTreeMap;

use quoin_delivery::Family;
use quoin_formats::routing::Routing;
use quoin_identity::Identity;
use quoin_model::ElectronicAddress;
use quoin_peppol::identifiers::ParticipantId;
use quoin_peppol::sbdh::Sbdh;
use quoin_store::TransactionFacts;

use super::{Plan, PlanInput};

/// What a document says about itself, as far as it can be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocumentSummary {
    /// The kind of business, where its type says so.
    pub family: Option<Family>,
    /// The document's own number.
    pub number: Option<String>,
    /// Its day of issue, `2026-05-17`.
    pub issued_on: Option<String>,
    /// Its type code: 380, 381.
    pub type_code: Option<String>,
    /// Corner 1.
    pub sender: Option<String>,
    /// Corner 4.
    pub receiver: Option<String>,
    /// What it is.
    pub document_type: Option<String>,
    /// In which process it is exchanged.
    pub process: Option<String>,
    /// The country of corner 1.
    pub country: Option<String>,
}

impl DocumentSummary {
    /// Of a document that can be sent.
    pub(super) fn of(plan: &Plan) -> DocumentSummary {
        DocumentSummary {
            family: Some(plan.family),
            number: plan.number.clone(),
            issued_on: plan.issued_on.clone(),
            type_code: plan.type_code.clone(),
            sender: Some(plan.sender.to_string()),
            receiver: Some(plan.receiver.to_string()),
            document_type: Some(plan.document_type.to_string()),
            process: Some(plan.process.to_string()),
            country: Some(plan.country.as_str().to_owned()),
        }
    }

    /// Of any document: what its caller's envelope or it itself names, or what was asked beside it.
    pub(super) fn seen(
        ask: &PlanInput<'_>,
        header: Option<&Sbdh>,
        routing: Option<&Routing>,
        identity: &Identity<'_>,
    ) -> DocumentSummary {
        let exchange = identity.exchange.as_ref().ok();
        let document_type = exchange.map(|exchange| &exchange.document_type);
        let document_type = document_type.or(identity.spelled.as_ref());
        let end = |asked: &Option<String>, of: fn(&Routing) -> Option<&ElectronicAddress>| {
            let named = || {
                let named = of(routing?)?;
                Some(ParticipantId::new(&named.scheme, &named.value).ok()?.to_string())
            };
            asked.clone().or_else(named)
        };
        let is_open = ask.family == Family::Document;
        DocumentSummary {
            family: document_type.map(Family::of).filter(|_| is_open),
            number: routing.and_then(|routing| routing.number.clone()),
            issued_on: routing.and_then(|routing| routing.issue_date).map(|date| date.to_string()),
            type_code: routing.and_then(|routing| routing.type_code.clone()),
            sender: header
                .map(|header| header.sender.to_string())
                .or_else(|| end(&ask.wishes.sender, |routing| routing.sender.endpoint.as_ref())),
            receiver: header.map(|header| header.receiver.to_string()).or_else(|| {
                end(&ask.wishes.receiver, |routing| routing.receiver.endpoint.as_ref())
            }),
            document_type: document_type.map(ToString::to_string),
            process: exchange.map(|exchange| exchange.process.to_string()),
            country: None,
        }
    }

    /// What the filters of hooks look at.
    pub fn facts(&self, family: Family) -> BTreeMap<String, String> {
        let facts = [
            ("id", self.number.clone()),
            ("sender", self.sender.clone()),
            ("recipient", self.receiver.clone()),
            ("documentTypeId", self.document_type.clone()),
            ("topic", family.commands().map(|commands| commands.send.to_string())),
        ];
        facts.into_iter().filter_map(|(name, fact)| Some((name.to_owned(), fact?))).collect()
    }

    /// What is recorded beside the decision.
    pub(crate) fn recorded(&self) -> TransactionFacts {
        TransactionFacts {
            family: self.family,
            sender: self.sender.clone(),
            receiver: self.receiver.clone(),
            number: self.number.clone(),
            issued_on: self.issued_on.clone(),
            type_code: self.type_code.clone(),
            source_document_type: self.document_type.clone(),
            process: self.process.clone(),
            country_c1: self.country.clone(),
            ..TransactionFacts::default()
        }
    }
}
