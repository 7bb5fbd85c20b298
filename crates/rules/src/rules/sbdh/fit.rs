//! How a header fits its payload: what it announces is what is in the envelope.
//!
//! Where the payload is a file (`BinaryContent`, `TextContent`), or the document type names no
//! element, there is nothing to compare but the beginning of the document type.

use quoin_xml::tree::Element;

use super::fields::is_participant;
use super::{header, payloads, scope, value};
use crate::rules::{Case, Facts, Outcome, Rule, RuleVerdict};
use quoin_formats::detection::SBDH;
use quoin_model::Flag;

pub(super) const RULES: &[Rule] = &[
    Rule::new("QUOIN-SBDH-STANDARD", standard).at(Flag::Fatal, identified),
    Rule::new("QUOIN-SBDH-TYPE", kind).at(Flag::Fatal, identified),
    Rule::new("QUOIN-SBDH-TYPE-VERSION", version).at(Flag::Fatal, identified),
    Rule::new("QUOIN-SBDH-ROOT", root).at(Flag::Fatal, documents),
    Rule::new("QUOIN-SBDH-CUSTOMIZATION", customization).at(Flag::Warning, documents),
    Rule::new("QUOIN-SBDH-PROCESS", process).at(Flag::Warning, documents),
    Rule::new("QUOIN-SBDH-SENDER", partner).at(Flag::Warning, senders),
    Rule::new("QUOIN-SBDH-RECEIVER", partner).at(Flag::Warning, receivers),
];

/// The namespace of a file in an envelope.
const CONTENT: &str = "http://peppol.eu/xsd/ticc/envelope/";

/// A document type identifier in its parts; the element is empty where it names none.
struct AnnouncedType {
    namespace: String,
    element: String,
    customization: String,
    version: String,
}

/// The document type that the scope states, if it is one.
fn document_type(facts: &Facts<'_>) -> Option<AnnouncedType> {
    let text = value(scope(facts, "DOCUMENTID")?, "InstanceIdentifier");
    let (root, rest) = text.split_once("##")?;
    let (customization, version) = rest.rsplit_once("::")?;
    let (namespace, element) = root.rsplit_once("::").unwrap_or((root, ""));
    let [namespace, element, customization, version] =
        [namespace, element, customization, version].map(str::to_owned);
    Some(AnnouncedType { namespace, element, customization, version })
}

/// The payload where it is an XML document.
fn document<'d>(facts: &Facts<'d>) -> Option<Element<'d>> {
    let payload = payloads(facts).next()?;
    let is_other = payload.namespace().starts_with(CONTENT) || payload.namespace() == SBDH;
    (!is_other).then_some(payload)
}

fn identified<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let header = header(facts);
    let identified = header.and_then(|own| own.child(SBDH, "DocumentIdentification"));
    identified.into_iter().for_each(visit);
}

fn documents<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    document(facts).into_iter().for_each(visit);
}

fn senders<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let sender = header(facts).and_then(|own| own.child(SBDH, "Sender"));
    sender.and_then(|own| own.child(SBDH, "Identifier")).into_iter().for_each(visit);
}

fn receivers<'d>(facts: &Facts<'d>, visit: &mut dyn FnMut(Element<'d>)) {
    let receiver = header(facts).and_then(|own| own.child(SBDH, "Receiver"));
    receiver.and_then(|own| own.child(SBDH, "Identifier")).into_iter().for_each(visit);
}

/// A field of the identification beside what it should be; one that is not there is told elsewhere.
fn compared<'d>(case: &Case<'_, 'd>, local: &'static str, expected: &str) -> RuleVerdict<'d> {
    let found = value(case.at, local);
    let holds = found.is_empty() || found == expected;
    let at = case.at.child(SBDH, local);
    RuleVerdict::of(holds).found(found).expected(expected.to_owned()).element(at)
}

fn standard<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let announced = document_type(case).map(|own| own.namespace);
    let expected = announced.or_else(|| document(case).map(|own| own.namespace().to_owned()));
    Ok(expected.map_or(RuleVerdict::Holds, |expected| compared(case, "Standard", &expected)))
}

fn kind<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let announced = document_type(case).map(|own| own.element);
    let expected = announced.or_else(|| document(case).map(|own| own.local().to_owned()));
    let expected = expected.filter(|expected| !expected.is_empty());
    Ok(expected.map_or(RuleVerdict::Holds, |expected| compared(case, "Type", &expected)))
}

fn version<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let announced = document_type(case).filter(|own| !own.element.is_empty());
    let expected = announced.map(|own| own.version);
    Ok(expected.map_or(RuleVerdict::Holds, |expected| compared(case, "TypeVersion", &expected)))
}

/// The payload has the document element that the document type names.
fn root<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let Some(announced) = document_type(case) else { return Ok(RuleVerdict::Holds) };
    let holds = case.at.is(&announced.namespace, &announced.element);
    let found = format!("{{{}}}{}", case.at.namespace(), case.at.local());
    let expected = format!("{{{}}}{}", announced.namespace, announced.element);
    Ok(RuleVerdict::of(holds).found(found).expected(expected))
}

/// An identifier of the payload beside the one that is announced.
fn stated<'d>(case: &Case<'_, 'd>, local: &str, announced: &str) -> RuleVerdict<'d> {
    let element = case.at.elements().find(|child| child.local() == local);
    let Some(element) = element else { return RuleVerdict::Holds };
    let own: String = quoin_model::text::trimmed(element).split_whitespace().collect();
    let holds = own.is_empty() || announced.is_empty() || own == announced;
    RuleVerdict::of(holds).found(own).expected(announced.to_owned()).element(Some(element))
}

/// The electronic addresses of a document in small letters, as an envelope writes them:
/// `0106:12345678`.
struct PayloadAddresses(Vec<String>);

impl PayloadAddresses {
    fn of(facts: &Facts<'_>) -> PayloadAddresses {
        let all = document(facts).into_iter().flat_map(Element::descendants);
        let all = all.filter(|element| ["EndpointID", "URIID"].contains(&element.local()));
        let address = |element: Element<'_>| {
            let scheme = element.attribute("schemeID")?.trim_matches(quoin_model::text::SPACE);
            Some(format!("{scheme}:{}", quoin_model::text::trimmed(element)).to_ascii_lowercase())
        };
        PayloadAddresses(all.filter_map(address).filter(|own| is_participant(own)).collect())
    }
}

/// The sender and the receiver of an envelope have addresses in the document, if it has any.
fn partner<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let addresses = case.memo(PayloadAddresses::of);
    let text = quoin_model::text::trimmed(case.at);
    let is_there = addresses.0.contains(&text.to_ascii_lowercase());
    let holds = is_there || addresses.0.is_empty() || !is_participant(&text);
    if holds {
        return Ok(RuleVerdict::Holds);
    }
    Ok(RuleVerdict::broken().found(text).expected(addresses.0.join(", ")))
}

fn customization<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let announced = document_type(case).map(|own| own.customization).unwrap_or_default();
    Ok(stated(case, "CustomizationID", &announced))
}

fn process<'d>(case: &Case<'_, 'd>) -> Outcome<'d> {
    let scope = scope(case, "PROCESSID");
    let announced = scope.map(|scope| value(scope, "InstanceIdentifier")).unwrap_or_default();
    Ok(stated(case, "ProfileID", &announced))
}
