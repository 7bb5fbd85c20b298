//! What routing has to know about any document of the network: who sends, who receives, what it is
//! called and what it answers, by the table [`ADDRESSES`].
//!
//! Every value is as the document has it, without the white space around it; nothing is required
//! here. A document element that is not in the table has no addresses: whoever sends it names both
//! ends beside it.

mod addresses;
mod inject;
mod modelled;
mod names;
mod spans;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use jiff::civil::Date;
use quoin_xml::tree::Element;

use crate::detection::MAX_IDENTIFIER;
use crate::{Detection, ParsedDocument};
use quoin_model::text::cut;
use quoin_model::{ElectronicAddress, codes};

pub use addresses::{ADDRESSES, Address, SyntaxPaths};
pub use inject::{InjectError, RoutingEnd, with_endpoint, with_receiver};
pub(crate) use names::child_name;
pub(crate) use spans::span;

/// References to other documents that are kept.
const REFERENCES: usize = 100;
/// Clarifications of an answer that are kept.
pub const CLARIFICATIONS: usize = 100;

/// Characters of a remark on an answer, and of each of its clarifications, that are kept.
pub const MAX_WORDS: usize = 10_000;

/// One end of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoutingParty {
    /// The electronic address, if there is exactly one with a scheme and a value.
    pub endpoint: Option<ElectronicAddress>,
    /// The registered name, or else the trading name.
    pub name: Option<String>,
    /// The country of the postal address, in capitals.
    pub country: Option<String>,
}

/// What a document answers, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnswerContent {
    /// The numbers of the documents it answers.
    pub numbers: Vec<String>,
    /// The number of the change that it answers, where it answers one to an order.
    pub change: Option<String>,
    /// The status it gives them: `AP`, `RE`.
    pub status: Option<String>,
    /// Why, and what to do: code list, code, text.
    pub clarifications: Vec<Clarification>,
    /// How many there are besides, which are not kept.
    pub unkept: usize,
    /// A remark on the whole answer.
    pub note: Option<String>,
}

/// The order that a message of its buyer changes or takes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowedOrder {
    /// The number of the order.
    pub number: String,
    /// Whether it takes the order back.
    pub is_cancelled: bool,
}

/// A reason or an action in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clarification {
    /// `OPStatusReason` or `OPStatusAction`, where it is said.
    pub list: Option<String>,
    /// The code.
    pub code: Option<String>,
    /// The text.
    pub text: Option<String>,
}

/// What routing reads in a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Routing {
    /// The namespace name of the document element.
    pub root_namespace: String,
    /// The local name of the document element.
    pub root_local: String,
    /// Specification identifier, without any white space.
    pub customization_id: Option<String>,
    /// Business process type, without any white space.
    pub profile_id: Option<String>,
    /// The document's own number.
    pub number: Option<String>,
    /// Its date; `None` also where it is not a date.
    pub issue_date: Option<Date>,
    /// Its type code: 380, 381, 389 …
    pub type_code: Option<String>,
    /// Its currency.
    pub currency: Option<String>,
    /// Corner 1.
    pub sender: RoutingParty,
    /// Corner 4.
    pub receiver: RoutingParty,
    /// What it answers, where it is an answer.
    pub answers: Option<AnswerContent>,
    /// The order that it changes or takes back, where it names one.
    pub follows: Option<FollowedOrder>,
}

impl ParsedDocument {
    /// What routing has to know; `None` where there is no XML.
    pub fn routing(&self) -> Option<Routing> {
        let root = self.root()?;
        Some(Routing::of(root, self.detection()))
    }

    /// What is known of an invoice that is refused because it could not be read as a whole: it says
    /// who it is all the same. `None` of what was read, and of what says nothing.
    pub fn glimpse(&self) -> Option<Routing> {
        self.seen().map(|skimmed| modelled::glimpsed(skimmed, self.detection()))
    }
}

impl Routing {
    fn of(root: Element<'_>, detection: &Detection) -> Routing {
        let kept = |text: Cow<'_, str>| cut(&text, MAX_IDENTIFIER).into_owned();
        let mut routing = Routing {
            root_namespace: root.namespace().to_owned(),
            root_local: root.local().to_owned(),
            customization_id: detection.customization_id.clone(),
            profile_id: detection.profile_id.clone(),
            ..Routing::default()
        };
        let Some(row) = Address::of(root) else {
            return modelled::completed(routing, root, detection.self_billing);
        };
        let shape = row.shape();
        let text = |path: &[&str]| first(root, path).map(kept);
        routing.number = text(shape.number);
        routing.issue_date = text(shape.date).and_then(|date| day(&date));
        routing.type_code = shape.type_codes.iter().find_map(|path| text(path));
        routing.currency = text(shape.currency);
        let (sender, receiver) = row.ends(detection.self_billing);
        routing.sender = end(root, sender, shape);
        routing.receiver = end(root, receiver, shape);
        routing.answers = row.answers.map(|answers| AnswerContent {
            numbers: all(root, answers.number)
                .into_iter()
                .map(quoin_model::text::trimmed)
                .filter(|text| !text.is_empty())
                .take(REFERENCES)
                .map(kept)
                .collect(),
            change: text(answers.change),
            status: text(answers.status),
            clarifications: clarifications(root, answers.clarification),
            unkept: match answers.clarification {
                [] => 0,
                path => all(root, path).len().saturating_sub(CLARIFICATIONS),
            },
            note: first(root, &["Note"]).map(words),
        });
        routing.follows = row.follows.and_then(|follows| {
            let number = text(follows.order)?;
            Some(FollowedOrder { number, is_cancelled: follows.cancels })
        });
        routing
    }

    /// Whether it is a credit note by its document element or type code.
    pub fn is_credit_note(&self) -> bool {
        let is_other = |code: &str| codes::is_type_of_both(code) && self.root_local == "Invoice";
        let is_credit = |code: &str| codes::is_credit_note_type(code) && !is_other(code);
        self.root_local.ends_with("CreditNote") || self.type_code.as_deref().is_some_and(is_credit)
    }
}

fn end(root: Element<'_>, path: &[&str], shape: &SyntaxPaths) -> RoutingParty {
    let parties = all(root, path);
    let text = |path: &[&str]| {
        let found = parties.iter().find_map(|party| first(*party, path));
        found.map(|text| cut(&text, MAX_IDENTIFIER).into_owned())
    };
    RoutingParty {
        endpoint: endpoint(&parties, shape.endpoint),
        name: shape.names.iter().find_map(|path| text(path)),
        country: text(shape.country).map(|code| code.to_ascii_uppercase()),
    }
}

fn endpoint(parties: &[Element<'_>], path: &[&str]) -> Option<ElectronicAddress> {
    let found: Vec<Element<'_>> = parties.iter().flat_map(|party| all(*party, path)).collect();
    let [element] = found[..] else { return None };
    let scheme = element.attribute("schemeID")?.trim_matches(quoin_model::text::SPACE).to_owned();
    let value = quoin_model::text::trimmed(element).into_owned();
    (!scheme.is_empty() && !value.is_empty()).then_some(ElectronicAddress { scheme, value })
}

fn clarifications(root: Element<'_>, path: &[&str]) -> Vec<Clarification> {
    let kept = |text: Cow<'_, str>| cut(&text, MAX_IDENTIFIER).into_owned();
    if path.is_empty() {
        return Vec::new();
    }
    let read = |status: Element<'_>| {
        let code = status.elements().find(|child| child.local() == "StatusReasonCode");
        Clarification {
            list: code.and_then(|code| code.attribute("listID")).map(|list| kept(list.into())),
            code: code.map(quoin_model::text::trimmed).filter(|code| !code.is_empty()).map(kept),
            text: first(status, &["StatusReason"]).map(words),
        }
    };
    all(root, path).into_iter().take(CLARIFICATIONS).map(read).collect()
}

/// What somebody says in an answer, with a mark where it goes on.
fn words(text: Cow<'_, str>) -> String {
    cut(&text, MAX_WORDS).into_owned()
}

/// Elements by their local names, one step a name.
fn all<'d>(from: Element<'d>, path: &[&str]) -> Vec<Element<'d>> {
    path.iter().fold(vec![from], |found, step| {
        found
            .into_iter()
            .flat_map(|parent| parent.elements().filter(|child| child.local() == *step))
            .collect()
    })
}

/// The trimmed text of the first element on a path that has one.
fn first<'d>(from: Element<'d>, path: &[&str]) -> Option<Cow<'d, str>> {
    if path.is_empty() {
        return None;
    }
    all(from, path).into_iter().map(quoin_model::text::trimmed).find(|text| !text.is_empty())
}

/// `2026-01-31` of UBL, or `20260131` of CII (format 102).
fn day(text: &str) -> Option<Date> {
    let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    match (digits, text.get(..4), text.get(4..6), text.get(6..)) {
        (true, Some(year), Some(month), Some(day)) => {
            quoin_model::text::date(&format!("{year}-{month}-{day}"))
        }
        _ => quoin_model::text::date(text),
    }
}
