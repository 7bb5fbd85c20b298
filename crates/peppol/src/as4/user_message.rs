//! `eb:UserMessage`: who sends what to whom, as Peppol fills it.
//!
//! Sources: ebMS 3.0 core section 5.2.2; Peppol AS4 profile 2.0.3, chapters 3 to 10.

use std::borrow::Cow;

use jiff::Timestamp;
use quoin_xml::tree::Element;

use super::builder::{Canonical, timestamp};
use super::error::{As4Refusal, EbmsCode};
use super::names::{
    AGREEMENT, DEFAULT_MPC, EB, INITIATOR, PARTICIPANT_TYPE, PARTY_ID_TYPE, PING_ACTION,
    PING_SERVICE, RESPONDER, SOAP, WSU,
};
use crate::instant::instant;

/// The header of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserMessage {
    /// `eb:MessageId`: `left@right` without angle brackets, unique in the world.
    pub message_id: String,
    /// `eb:ConversationId`.
    pub conversation_id: String,
    /// `eb:Timestamp`: when the sender built it (milestone M1 of the MLS service level).
    pub timestamp: Timestamp,
    /// Seat id of the sending access point.
    pub from: String,
    /// Seat id of the receiving access point.
    pub to: String,
    /// Value of the process identifier (`eb:Service`).
    pub service: String,
    /// Scheme of the process identifier (`eb:Service/@type`).
    pub service_type: String,
    /// `scheme::value` of the document type identifier (`eb:Action`).
    pub action: String,
    /// `originalSender`: `icd:value` of corner 1; empty in a ping.
    pub original_sender: String,
    /// `finalRecipient`: `icd:value` of corner 4; empty in a ping.
    pub final_recipient: String,
}

/// What `eb:PartInfo` says of the one payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PartInfo {
    /// The Content-ID that `href` names, with percent-encoding undone.
    pub content_id: String,
    pub compressed: bool,
}

impl UserMessage {
    /// Whether this is a connection test, which is answered and not delivered.
    pub fn is_ping(&self) -> bool {
        self.service == PING_SERVICE && self.action == PING_ACTION
    }

    /// The canonical `eb:Messaging` with this message and one payload.
    pub(super) fn write(&self, id: &str, content_id: &str) -> String {
        let mut xml = Canonical::with_capacity(3072);
        xml.open(
            "eb:Messaging",
            &[
                ("xmlns:S12", SOAP),
                ("xmlns:eb", EB),
                ("xmlns:wsu", WSU),
                // Ordered by namespace name: wsu (http://docs…) before S12 (http://www…).
                ("wsu:Id", id),
                ("S12:mustUnderstand", "true"),
            ],
        );
        xml.open("eb:UserMessage", &[]).open("eb:MessageInfo", &[]);
        xml.leaf("eb:Timestamp", &[], &timestamp(self.timestamp));
        xml.leaf("eb:MessageId", &[], &self.message_id).close("eb:MessageInfo");
        xml.open("eb:PartyInfo", &[]);
        for (side, party, role) in
            [("eb:From", &self.from, INITIATOR), ("eb:To", &self.to, RESPONDER)]
        {
            xml.open(side, &[]).leaf("eb:PartyId", &[("type", PARTY_ID_TYPE)], party);
            xml.leaf("eb:Role", &[], role).close(side);
        }
        xml.close("eb:PartyInfo").open("eb:CollaborationInfo", &[]);
        xml.leaf("eb:AgreementRef", &[], AGREEMENT);
        let service_type = [("type", self.service_type.as_str())];
        let typed = if self.service_type.is_empty() { &[][..] } else { &service_type[..] };
        xml.leaf("eb:Service", typed, &self.service);
        xml.leaf("eb:Action", &[], &self.action);
        xml.leaf("eb:ConversationId", &[], &self.conversation_id);
        xml.close("eb:CollaborationInfo").open("eb:MessageProperties", &[]);
        for (name, value) in
            [("originalSender", &self.original_sender), ("finalRecipient", &self.final_recipient)]
        {
            xml.leaf("eb:Property", &[("name", name), ("type", PARTICIPANT_TYPE)], value);
        }
        xml.close("eb:MessageProperties").open("eb:PayloadInfo", &[]);
        xml.open("eb:PartInfo", &[("href", &format!("cid:{content_id}"))]);
        xml.open("eb:PartProperties", &[]);
        xml.leaf("eb:Property", &[("name", "MimeType")], "application/xml");
        xml.leaf("eb:Property", &[("name", "CompressionType")], "application/gzip");
        for name in ["eb:PartProperties", "eb:PartInfo", "eb:PayloadInfo", "eb:UserMessage"] {
            xml.close(name);
        }
        xml.close("eb:Messaging");
        xml.finish()
    }

    /// Reads `eb:UserMessage`.
    ///
    /// # Errors
    /// A [`Refusal`] that says which element is wrong and what was expected there.
    pub(super) fn read(message: Element<'_>) -> Result<(UserMessage, Vec<PartInfo>), As4Refusal> {
        let info = one(message, "MessageInfo")?;
        let message_id = text(info, "MessageId")?;
        check_message_id(&message_id)?;
        let within = |refusal: As4Refusal| refusal.of(&message_id);
        let user_message = read_identified(message, info, &message_id).map_err(within)?;
        let parts = read_parts(message, &user_message).map_err(within)?;
        Ok((user_message, parts))
    }
}

fn read_identified(
    message: Element<'_>,
    info: Element<'_>,
    message_id: &str,
) -> Result<UserMessage, As4Refusal> {
    if info.child(EB, "RefToMessageId").is_some() {
        return Err(invalid("eb:RefToMessageId is not allowed in a one-way message"));
    }
    check_mpc(message)?;
    let written = text(info, "Timestamp")?;
    // It is in UTC, and need not say so (ebMS 3.0 Core, section 5.2.2.1); some write their offset.
    let timestamp = instant(&written).ok_or_else(|| {
        invalid(format!("eb:Timestamp must be a date and time (xs:dateTime), found {written:?}"))
    })?;
    let parties = one(message, "PartyInfo")?;
    let collaboration = one(message, "CollaborationInfo")?;
    check_agreement(collaboration)?;
    let service = one(collaboration, "Service")?;
    let mut user_message = UserMessage {
        message_id: message_id.to_owned(),
        conversation_id: text(collaboration, "ConversationId")?,
        timestamp,
        from: party(parties, "From")?,
        to: party(parties, "To")?,
        service: value(service)?,
        service_type: service.attribute("type").unwrap_or_default().to_owned(),
        action: text(collaboration, "Action")?,
        original_sender: String::new(),
        final_recipient: String::new(),
    };
    if !user_message.is_ping() {
        user_message.original_sender = property(message, "originalSender")?;
        user_message.final_recipient = property(message, "finalRecipient")?;
    }
    Ok(user_message)
}

/// Only the default message partition channel exists here (Peppol AS4 profile, chapter 8).
fn check_mpc(message: Element<'_>) -> Result<(), As4Refusal> {
    match message.attribute("mpc") {
        None | Some("" | DEFAULT_MPC) => Ok(()),
        Some(other) => Err(As4Refusal::new(
            EbmsCode::ValueNotRecognized,
            format!("the message partition channel must be {DEFAULT_MPC}, found {other:?}"),
        )),
    }
}

/// The one agreement, named by itself (Peppol AS4 profile, chapter 3).
fn check_agreement(collaboration: Element<'_>) -> Result<(), As4Refusal> {
    let element = one(collaboration, "AgreementRef")?;
    let agreement = value(element)?;
    let mismatch = |detail| Err(As4Refusal::new(EbmsCode::ProcessingModeMismatch, detail));
    if agreement != AGREEMENT {
        return mismatch(format!("eb:AgreementRef must be {AGREEMENT}, found {agreement:?}"));
    }
    match ["type", "pmode"].into_iter().find(|name| element.attribute(name).is_some()) {
        Some(name) => mismatch(format!("eb:AgreementRef must not have the attribute {name}")),
        None => Ok(()),
    }
}

/// The one `PartyId` of a side (Peppol AS4 profile, chapter 5).
fn party(parties: Element<'_>, side: &str) -> Result<String, As4Refusal> {
    let other = |detail: String| As4Refusal::new(EbmsCode::Other, detail);
    let side_element = one(parties, side)?;
    let ids: Vec<_> = side_element.children_named(EB, "PartyId").collect();
    let [id] = ids.as_slice() else {
        let found = ids.len();
        return Err(other(format!("eb:{side} must have exactly one eb:PartyId, found {found}")));
    };
    if id.attribute("type") != Some(PARTY_ID_TYPE) {
        let found = id.attribute("type").unwrap_or("none");
        return Err(other(format!(
            "the type of eb:{side}/eb:PartyId must be {PARTY_ID_TYPE}, found {found}"
        )));
    }
    value(*id)
}

/// `originalSender` or `finalRecipient`, typed as a participant.
fn property(message: Element<'_>, name: &str) -> Result<String, As4Refusal> {
    let other = |detail: String| As4Refusal::new(EbmsCode::Other, detail);
    let mut found = message
        .child(EB, "MessageProperties")
        .into_iter()
        .flat_map(|properties| properties.children_named(EB, "Property"))
        .filter(|property| property.attribute("name") == Some(name));
    let Some(property) = found.next() else {
        return Err(other(format!("the message property {name} is missing")));
    };
    if found.next().is_some() {
        return Err(other(format!("the message property {name} occurs twice")));
    }
    if property.attribute("type") != Some(PARTICIPANT_TYPE) {
        return Err(other(format!(
            "the message property {name} must be of type {PARTICIPANT_TYPE}"
        )));
    }
    value(property)
}

fn read_parts(message: Element<'_>, header: &UserMessage) -> Result<Vec<PartInfo>, As4Refusal> {
    let infos: Vec<_> = message
        .child(EB, "PayloadInfo")
        .into_iter()
        .flat_map(|payload| payload.children_named(EB, "PartInfo"))
        .collect();
    if infos.len() != 1 && !(header.is_ping() && infos.is_empty()) {
        let found = infos.len();
        return Err(As4Refusal::new(
            EbmsCode::ValueInconsistent,
            format!("expected exactly one eb:PartInfo, the business document; found {found}"),
        ));
    }
    infos.into_iter().map(|info| part_info(info, header)).collect()
}

fn part_info(info: Element<'_>, header: &UserMessage) -> Result<PartInfo, As4Refusal> {
    let property = |name: &str| {
        info.child(EB, "PartProperties")
            .into_iter()
            .flat_map(|properties| properties.children_named(EB, "Property"))
            .find(|property| property.attribute("name") == Some(name))
            .map(plain)
            .transpose()
    };
    let href = info.attribute("href").unwrap_or_default();
    let Some(content_id) = href.strip_prefix("cid:") else {
        return Err(invalid(format!("eb:PartInfo/@href must be a cid: URI, found {href:?}")));
    };
    match property("MimeType")?.as_deref() {
        Some(kind) if is_xml(kind) => {}
        _ if header.is_ping() => {}
        None => return Err(invalid("the part property MimeType is missing")),
        Some(other) => {
            return Err(invalid(format!(
                "the part property MimeType must be application/xml or text/xml, found {other:?}"
            )));
        }
    }
    if let Some(set) = property("CharacterSet")?
        && !["utf-8", "utf-16", "us-ascii"].iter().any(|known| set.eq_ignore_ascii_case(known))
    {
        return Err(invalid(format!("the part property CharacterSet {set:?} is not known")));
    }
    let compressed = match property("CompressionType")?.as_deref() {
        Some(kind) if kind.eq_ignore_ascii_case("application/gzip") => true,
        _ if header.is_ping() => false,
        None => return Err(uncompressed()),
        Some(other) => {
            return Err(As4Refusal::new(
                EbmsCode::DecompressionFailure,
                format!("CompressionType must be application/gzip, found {other:?}"),
            ));
        }
    };
    Ok(PartInfo { content_id: decode_percent(content_id).into_owned(), compressed })
}

/// Whether a media type is that of XML: in any case, with parameters or without (RFC 2045, section
/// 5.1).
fn is_xml(kind: &str) -> bool {
    let essence = kind.split(';').next().unwrap_or_default().trim();
    ["application/xml", "text/xml"].iter().any(|known| essence.eq_ignore_ascii_case(known))
}

/// An uncompressed XML part would be signed over its canonical form (WSS SwA 1.1, section 5.4.1);
/// Peppol messages are compressed, so it is refused rather than guessed at.
fn uncompressed() -> As4Refusal {
    As4Refusal::new(
        EbmsCode::ProcessingModeMismatch,
        "the payload must be compressed: the part property CompressionType is missing",
    )
}

/// Undoes percent-encoding, as some senders apply it in `cid:` URIs (RFC 2392).
pub(super) fn decode_percent(text: &str) -> Cow<'_, str> {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy()
}

/// `dot-atom@dot-atom` of RFC 5322, section 3.2.3.
fn check_message_id(id: &str) -> Result<(), As4Refusal> {
    let atom = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(c);
    let dot_atom =
        |text: &str| text.split('.').all(|part| !part.is_empty() && part.chars().all(atom));
    let valid = match id.split_once('@') {
        Some((left, right)) => id.len() <= 512 && dot_atom(left) && dot_atom(right),
        None => false,
    };
    if valid {
        return Ok(());
    }
    let shown: String = id.chars().take(120).collect();
    Err(invalid(format!("eb:MessageId must have the form left@right, found {shown:?}")))
}

/// The one child of this name.
fn one<'d>(parent: Element<'d>, name: &str) -> Result<Element<'d>, As4Refusal> {
    let mut found = parent.children_named(EB, name);
    let first = found.next().ok_or_else(|| invalid(format!("eb:{name} is missing")))?;
    match found.next() {
        None => Ok(first),
        Some(_) => Err(invalid(format!("eb:{name} occurs more than once"))),
    }
}

fn text(parent: Element<'_>, name: &str) -> Result<String, As4Refusal> {
    value(one(parent, name)?)
}

/// The trimmed text of an element that must have some.
fn value(element: Element<'_>) -> Result<String, As4Refusal> {
    let text = plain(element)?;
    if text.is_empty() {
        return Err(invalid(format!("eb:{} is empty", element.local())));
    }
    Ok(text)
}

/// The trimmed text of an element that may hold nothing else: what stands inside a child would be
/// read as if it stood beside it.
fn plain(element: Element<'_>) -> Result<String, As4Refusal> {
    match element.elements().next() {
        None => Ok(element.text().trim().to_owned()),
        Some(child) => {
            let (name, found) = (element.local(), child.qualified_name());
            Err(invalid(format!("eb:{name} must hold text only, found the element {found}")))
        }
    }
}

fn invalid(detail: impl Into<String>) -> As4Refusal {
    As4Refusal::new(EbmsCode::InvalidHeader, detail)
}
