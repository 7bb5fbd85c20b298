//! The testbed's access point as corner 3: it opens what comes, notes whether it is as the profile
//! wants it, and answers as its case wants it.

use std::borrow::Cow;
use std::time::Duration;

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::stream;
use jiff::Timestamp;
use quoin_peppol::as4::{
    As4Refusal, EbmsCode, HttpMessage, Incoming, OwnIdentity, ReceivedMessage, error_signal,
    receipt,
};
use quoin_peppol::pki::CertificateRole;
use uuid::Uuid;

use super::Doors;
use super::conformance;
use super::fault::{AnswerFault, SimulatedFault};
use super::slot::{SimulatedParticipant, Taken};
use crate::testbed::forge::sign::{Style, resign};
use crate::testbed::forge::{ForgeError, replaced};
use crate::testbed::test_identities::TestIdentity;

/// How often the busy access point does not take a message.
const BUSY_TIMES: usize = 2;
/// How long a slow answer takes: less than what the network leaves to a receiver.
const SLOW: Duration = Duration::from_secs(90);
/// What phase4 says of a message that it took before.
const HANDLED: &str = "Message with ID 'x' was already handled (this is a duplicate)";
/// Envelopes that are kept, in bytes at most.
const LARGEST_KEPT: usize = 256 << 10;

/// Takes a message and answers.
pub(super) async fn take(
    doors: &Doors,
    slot: &SimulatedParticipant,
    kind: &str,
    body: &[u8],
) -> Response {
    let own = match own(doors, slot) {
        Ok(own) => own,
        Err(error) => return signal(Err(error)),
    };
    match open(doors, &own, kind, body).await {
        Ok(received) => {
            let taken = note(slot, kind, body, &received);
            let at = slot.took(taken);
            if slot.fault == SimulatedFault::Answer(AnswerFault::Slow) {
                tokio::time::sleep(SLOW).await;
            }
            respond(doors, slot, &received, at)
        }
        Err(refusal) => {
            slot.refused(refusal.to_string());
            signal(error(&own, &refusal))
        }
    }
}

/// The identity that a participant's access point has by now.
fn own<'d>(
    doors: &'d Doors,
    slot: &SimulatedParticipant,
) -> Result<Cow<'d, OwnIdentity>, ForgeError> {
    if slot.has_renewed() {
        return Ok(Cow::Owned(
            doors.wardrobe.access_point(TestIdentity::ApOther).map_err(ForgeError::of)?,
        ));
    }
    Ok(Cow::Borrowed(&doors.own))
}

async fn open(
    doors: &Doors,
    own: &OwnIdentity,
    kind: &str,
    body: &[u8],
) -> Result<ReceivedMessage, As4Refusal> {
    let incoming = Incoming::read(kind, body)?;
    if let Some(signer) = incoming.claimed_signer() {
        doors.trust.prepare(&signer, CertificateRole::AccessPoint).await;
    }
    tokio::task::block_in_place(|| incoming.open(own, doors.trust.as_ref()))
}

fn note(slot: &SimulatedParticipant, kind: &str, body: &[u8], received: &ReceivedMessage) -> Taken {
    let (instance, problems) = conformance::problems(slot, kind, body, received);
    Taken {
        message_id: received.message.message_id.clone(),
        instance,
        bytes: received.payload.len(),
        envelope: if received.payload.len() > LARGEST_KEPT {
            String::new()
        } else {
            String::from_utf8_lossy(&received.payload).into_owned()
        },
        problems,
        answered_well: false,
    }
}

/// Delimiters in an answer of nothing else: less than a quarter of a megabyte.
const DELIMITERS: usize = 80_000;

/// Answers the message after so many others.
fn respond(
    doors: &Doors,
    slot: &SimulatedParticipant,
    received: &ReceivedMessage,
    before: usize,
) -> Response {
    let SimulatedFault::Answer(fault) = slot.fault else {
        return well(doors, slot, received, before);
    };
    match fault {
        _ if before == 0 => at_first(doors, slot, received, fault),
        AnswerFault::Busy if before < BUSY_TIMES => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        _ => always(doors, slot, received, (fault, before)),
    }
}

/// Answers the first message.
fn at_first(
    doors: &Doors,
    slot: &SimulatedParticipant,
    received: &ReceivedMessage,
    fault: AnswerFault,
) -> Response {
    let id = &received.message.message_id;
    match fault {
        AnswerFault::Busy | AnswerFault::Renewed => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        AnswerFault::Lost | AnswerFault::LostThenDuplicate | AnswerFault::LostThenHandled => {
            let broken = std::io::Error::other("the testbed loses this answer");
            let body = Body::from_stream(stream::iter([Err::<Bytes, _>(broken)]));
            ([(header::CONTENT_TYPE, "application/soap+xml")], body).into_response()
        }
        AnswerFault::Page => {
            ([(header::CONTENT_TYPE, "text/html")], "<html><p>Thank you.</html>").into_response()
        }
        AnswerFault::Delimiters => {
            let kind = [(header::CONTENT_TYPE, "multipart/related; boundary=a")];
            (kind, format!("x{}", "--a".repeat(DELIMITERS))).into_response()
        }
        AnswerFault::UnsignedReceipt
        | AnswerFault::OtherDigest
        | AnswerFault::OtherMessage
        | AnswerFault::OtherSigner
        | AnswerFault::Foreign => signal(bad_receipt(doors, received, fault)),
        AnswerFault::Full => {
            let refusal =
                As4Refusal::new(EbmsCode::DeliveryFailure, "the testbed is full; try again");
            signal(error(&doors.own, &refusal.of(id)))
        }
        AnswerFault::Trouble => {
            let refusal = As4Refusal::new(EbmsCode::Other, "the testbed has no database for now");
            let mut answer = signal(error(&doors.own, &refusal.of(id)));
            *answer.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            answer
        }
        _ => always(doors, slot, received, (fault, 0)),
    }
}

/// Answers as the case wants it of every message, or of those after the first.
fn always(
    doors: &Doors,
    slot: &SimulatedParticipant,
    received: &ReceivedMessage,
    (fault, before): (AnswerFault, usize),
) -> Response {
    let id = &received.message.message_id;
    match fault {
        AnswerFault::NotServiced => signal(error(&doors.own, &As4Refusal::not_serviced().of(id))),
        AnswerFault::UnsignedError => {
            let written = error(&doors.own, &As4Refusal::not_serviced().of(id));
            signal(written.and_then(|http| edited(http, bare)))
        }
        AnswerFault::Duplicate | AnswerFault::LostThenDuplicate => signal(duplicate(doors, id)),
        AnswerFault::LostThenHandled => {
            signal(error(&doors.own, &As4Refusal::new(EbmsCode::Other, HANDLED).of(id)))
        }
        _ => well(doors, slot, received, before),
    }
}

fn well(
    doors: &Doors,
    slot: &SimulatedParticipant,
    received: &ReceivedMessage,
    before: usize,
) -> Response {
    let receipt = own(doors, slot).and_then(|own| good_receipt(&own, received));
    slot.answered_well(before);
    signal(receipt)
}

fn signal_id() -> String {
    format!("{}@testbed.quoin.test", Uuid::new_v4())
}

fn good_receipt(own: &OwnIdentity, received: &ReceivedMessage) -> Result<HttpMessage, ForgeError> {
    receipt(received, own, &signal_id(), Timestamp::now()).map_err(ForgeError::of)
}

fn error(own: &OwnIdentity, refusal: &As4Refusal) -> Result<HttpMessage, ForgeError> {
    error_signal(refusal, own, &signal_id(), Timestamp::now()).map_err(ForgeError::of)
}

fn edited(
    http: HttpMessage,
    edit: impl FnOnce(&str) -> Result<String, ForgeError>,
) -> Result<HttpMessage, ForgeError> {
    let text = String::from_utf8(http.body).map_err(ForgeError::of)?;
    Ok(HttpMessage { content_type: http.content_type, body: edit(&text)?.into_bytes() })
}

/// Without its security header.
fn bare(text: &str) -> Result<String, ForgeError> {
    let (open, close) = ("<wsse:Security ", "</wsse:Security>");
    let missing = || ForgeError("there is no security header".to_owned());
    let from = text.find(open).ok_or_else(missing)?;
    let to = text.find(close).ok_or_else(missing)? + close.len();
    let before = text.get(..from).unwrap_or_default();
    Ok(format!("{before}{}", text.get(to..).unwrap_or_default()))
}

fn signed_by(text: &str, own: &OwnIdentity) -> Result<String, ForgeError> {
    Ok(resign(text, &[], own, &Style::default())?.0)
}

/// A receipt that must not be believed; its signature is right, where it has one.
fn bad_receipt(
    doors: &Doors,
    received: &ReceivedMessage,
    fault: AnswerFault,
) -> Result<HttpMessage, ForgeError> {
    let good = good_receipt(&doors.own, received)?;
    let by = |dress| doors.wardrobe.access_point(dress).map_err(ForgeError::of);
    edited(good, |text| match fault {
        AnswerFault::UnsignedReceipt => bare(text),
        AnswerFault::OtherDigest => {
            let mark = "<ds:DigestValue>";
            let at = text.find(mark).map_or(0, |at| at + mark.len());
            let other = if text.get(at..).unwrap_or_default().starts_with('A') { "B" } else { "A" };
            let rest = text.get(at + 1..).unwrap_or_default();
            let changed = format!("{}{other}{rest}", text.get(..at).unwrap_or_default());
            signed_by(&changed, &doors.own)
        }
        AnswerFault::OtherMessage => {
            let id = &received.message.message_id;
            let about = format!("<eb:RefToMessageId>{id}<");
            let other = "<eb:RefToMessageId>another@testbed.quoin.test<";
            signed_by(&replaced(text, &about, other)?, &doors.own)
        }
        AnswerFault::OtherSigner => signed_by(text, &by(TestIdentity::ApOther)?),
        _ => signed_by(text, &by(TestIdentity::ApForeign)?),
    })
}

/// The error that some access points answer to what they took before.
fn duplicate(doors: &Doors, id: &str) -> Result<HttpMessage, ForgeError> {
    let refusal = As4Refusal::new(EbmsCode::Other, "a message with this id was taken before");
    edited(error(&doors.own, &refusal.of(id))?, |text| {
        signed_by(&replaced(text, "EBMS:0004", "EBMS:4001")?, &doors.own)
    })
}

fn signal(signal: Result<HttpMessage, ForgeError>) -> Response {
    match signal {
        Ok(signal) => ([(header::CONTENT_TYPE, signal.content_type)], signal.body).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
