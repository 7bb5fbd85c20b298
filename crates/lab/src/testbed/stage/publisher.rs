//! The testbed's SMP: it publishes the participants that the testbed plays, each as its case wants
//! it.

use std::time::Duration;

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::stream;
use jiff::{SignedDuration, Timestamp};
use quoin_peppol::identifiers::{DocumentTypeId, ProcessId, TransportProfile};
use quoin_peppol::sml::SmpBase;
use quoin_peppol::smp::{
    self, Endpoint, ProcessEndpoints, Redirect, Resource, ServiceInformation, ServiceMetadata,
    SmpForm,
};

use super::enveloped;
use super::fault::{ContentFault, SignatureFault, SimulatedFault, SmpFault};
use super::slot::SimulatedParticipant;
use super::{Doors, SimulatedAddresses};
use crate::testbed::forge::{ForgeError, replaced};
use crate::testbed::test_identities::{DressError, TestIdentities, TestIdentity};
use quoin_access_point::identity::Credentials;

/// A silent answer stays silent for so long.
const SILENCE: Duration = Duration::from_secs(90);
/// One piece of an answer without end, and how many there are before it ends all the same.
const PIECE: &[u8] = &[b' '; 64 << 10];
const PIECES: usize = 1024;
/// Time between two bytes of an answer that comes byte by byte.
const DRIP: Duration = Duration::from_millis(500);
/// Below this is what another address is told for.
const MOVED: &str = "/moved";
/// The content type of a page.
const HTML: &str = "text/html; charset=utf-8";
/// The transport before AS4.
const AS2: &str = "busdox-transport-as2-ver1p0";

type ForgeResult<T> = Result<T, ForgeError>;

impl From<DressError> for ForgeError {
    fn from(error: DressError) -> ForgeError {
        ForgeError(error.to_string())
    }
}

/// Answers what was asked below the address of a participant's SMP.
pub(super) async fn answer(doors: &Doors, slot: &SimulatedParticipant, path: &str) -> Response {
    let fresh = slot.asked(format!("SMP {path}"));
    let fault = match slot.fault {
        SimulatedFault::Smp(fault) => Some(fault),
        _ => None,
    };
    let (path, moved) = match path.strip_prefix(MOVED) {
        Some(rest) => (rest, true),
        None => (path, false),
    };
    match fault {
        Some(SmpFault::Moved(status)) if !moved => return elsewhere(doors, slot, path, status),
        Some(SmpFault::Dripping) => return dripping(),
        Some(SmpFault::Page) => return page(),
        Some(SmpFault::NotFound) => return StatusCode::NOT_FOUND.into_response(),
        Some(SmpFault::FailsFirst) if fresh => {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
        Some(SmpFault::SilentFirst) if fresh => {
            tokio::time::sleep(SILENCE).await;
            return StatusCode::GATEWAY_TIMEOUT.into_response();
        }
        Some(SmpFault::Huge) => return endless(),
        _ => {}
    }
    let written = match smp::request(path) {
        Ok((SmpForm::Peppol, Resource::ServiceGroup(of))) if of == slot.participant => {
            group(doors, slot).map(Some)
        }
        Ok((SmpForm::Peppol, Resource::ServiceMetadata(of, kind)))
            if of == slot.participant && kind == slot.document_type =>
        {
            if fault == Some(SmpFault::OnlyGroup) {
                Ok(None)
            } else {
                metadata(doors, slot).map(Some)
            }
        }
        _ => match path.strip_prefix("/redirected/") {
            Some(number) => redirected(doors, slot, number).map(Some),
            None => Ok(None),
        },
    };
    match written {
        Ok(Some(xml)) if fault == Some(SmpFault::Utf16) => utf16(&xml),
        Ok(Some(xml)) if fault == Some(SmpFault::WrongType) => {
            ([(header::CONTENT_TYPE, HTML)], xml).into_response()
        }
        Ok(Some(xml)) => xml_answer(touched(xml, fault)),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

fn touched(xml: String, fault: Option<SmpFault>) -> String {
    match fault {
        Some(SmpFault::Declared) => {
            xml.replacen("?>", "?><!DOCTYPE smp [<!ENTITY testbed \"testbed\">]>", 1)
        }
        Some(SmpFault::NoDeclaration) => {
            xml.split_once("?>").map_or(xml.clone(), |(_, rest)| rest.trim_start().to_owned())
        }
        _ => xml,
    }
}

fn xml_answer(xml: String) -> Response {
    ([(header::CONTENT_TYPE, "text/xml; charset=utf-8")], xml).into_response()
}

fn endless() -> Response {
    let pieces =
        stream::iter((0..PIECES).map(|_| Ok::<_, std::io::Error>(Bytes::from_static(PIECE))));
    ([(header::CONTENT_TYPE, "text/xml")], Body::from_stream(pieces)).into_response()
}

fn dripping() -> Response {
    let drops = stream::unfold((), |()| async {
        tokio::time::sleep(DRIP).await;
        Some((Ok::<_, std::io::Error>(Bytes::from_static(b" ")), ()))
    });
    ([(header::CONTENT_TYPE, "text/xml")], Body::from_stream(drops)).into_response()
}

fn page() -> Response {
    let page = "<!doctype html><title>Maintenance</title><p>We are back in an hour.";
    ([(header::CONTENT_TYPE, HTML)], page).into_response()
}

/// An answer that is somewhere else, as web servers say it.
fn elsewhere(doors: &Doors, slot: &SimulatedParticipant, path: &str, status: u16) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::FOUND);
    let address = format!("{}{MOVED}{path}", doors.addresses.smp(slot));
    (status, [(header::LOCATION, address)]).into_response()
}

fn utf16(xml: &str) -> Response {
    let xml = xml.replacen("UTF-8", "UTF-16", 1);
    let units = std::iter::once(0xFEFF).chain(xml.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
    ([(header::CONTENT_TYPE, "text/xml; charset=utf-16")], bytes).into_response()
}

/// The base address of a participant's SMP.
fn base(doors: &Doors, slot: &SimulatedParticipant) -> ForgeResult<SmpBase> {
    SmpBase::new(&doors.addresses.smp(slot), doors.uris).map_err(ForgeError::of)
}

fn group(doors: &Doors, slot: &SimulatedParticipant) -> ForgeResult<String> {
    let types = std::slice::from_ref(&slot.document_type);
    Ok(smp::service_group(&base(doors, slot)?, &slot.participant, types))
}

fn metadata(doors: &Doors, slot: &SimulatedParticipant) -> ForgeResult<String> {
    let wardrobe = &doors.wardrobe;
    let content = match slot.fault {
        SimulatedFault::Content(fault) => Some(fault),
        _ => None,
    };
    let redirect = |number: usize, uid: TestIdentity| -> ForgeResult<ServiceMetadata> {
        let certificate_uid = wardrobe.certificate(uid)?.subject().to_string();
        let href = format!("{}/redirected/{number}", doors.addresses.smp(slot));
        Ok(ServiceMetadata::Redirect(Redirect { href, certificate_uid }))
    };
    let said = match content {
        Some(ContentFault::Redirect | ContentFault::RedirectTwice | ContentFault::RedirectUid) => {
            redirect(1, TestIdentity::SmpOther)?
        }
        Some(ContentFault::RedirectLoop) => redirect(9, TestIdentity::Smp)?,
        _ => ServiceMetadata::Information(information(doors, slot, content)?),
    };
    let mut unsigned = smp::service_metadata(&said).map_err(ForgeError::of)?;
    if content == Some(ContentFault::TwoEndpoints) {
        unsigned = twice(&unsigned, "<smp:Endpoint ", "</smp:Endpoint>")?;
    }
    let fault = match slot.fault {
        SimulatedFault::Signature(fault) => Some(fault),
        _ => None,
    };
    signed(wardrobe, &unsigned, fault)
}

/// What a redirect leads to: the record at another SMP, or one more redirect.
fn redirected(doors: &Doors, slot: &SimulatedParticipant, number: &str) -> ForgeResult<String> {
    let SimulatedFault::Content(fault) = slot.fault else {
        return Err(ForgeError("no redirect".to_owned()));
    };
    let href = |number: usize| format!("{}/redirected/{number}", doors.addresses.smp(slot));
    let uid = |dress| -> ForgeResult<String> {
        Ok(doors.wardrobe.certificate(dress)?.subject().to_string())
    };
    let (said, by) = match (fault, number) {
        (ContentFault::RedirectTwice, "1") => {
            let certificate_uid = uid(TestIdentity::SmpOther)?;
            (
                ServiceMetadata::Redirect(Redirect { href: href(2), certificate_uid }),
                TestIdentity::SmpOther,
            )
        }
        (ContentFault::RedirectLoop, _) => {
            let certificate_uid = uid(TestIdentity::Smp)?;
            (
                ServiceMetadata::Redirect(Redirect { href: href(9), certificate_uid }),
                TestIdentity::Smp,
            )
        }
        (ContentFault::RedirectUid, _) => {
            (ServiceMetadata::Information(information(doors, slot, None)?), TestIdentity::Smp)
        }
        _ => {
            (ServiceMetadata::Information(information(doors, slot, None)?), TestIdentity::SmpOther)
        }
    };
    let unsigned = smp::service_metadata(&said).map_err(ForgeError::of)?;
    let by = doors.wardrobe.credentials(by)?;
    smp::sign(&unsigned, by.key.as_ref(), &by.certificate).map_err(ForgeError::of)
}

fn information(
    doors: &Doors,
    slot: &SimulatedParticipant,
    fault: Option<ContentFault>,
) -> ForgeResult<ServiceInformation> {
    let dress = if slot.has_renewed() { TestIdentity::ApOther } else { TestIdentity::Ap };
    let mut endpoint =
        endpoint(&doors.addresses, slot, doors.wardrobe.certificate(dress)?.base64());
    let (mut participant, mut kind) = (slot.participant.clone(), slot.document_type.clone());
    let mut process = slot.process.clone();
    let now = Timestamp::now();
    match fault {
        Some(ContentFault::OtherParticipant) => {
            participant = "9915:testbed-somebody-else".parse().map_err(ForgeError::of)?;
        }
        Some(ContentFault::OtherType) => kind = retyped(&kind, "::2.1", "::2.2")?,
        Some(ContentFault::TypeCase) => kind = retyped(&kind, "urn:cen.eu", "urn:CEN.eu")?,
        Some(ContentFault::OtherProcess) => {
            let other = "urn:quoin:testbed:another-process";
            process = ProcessId::new(ProcessId::SCHEME, other).map_err(ForgeError::of)?;
        }
        Some(ContentFault::Expired) => {
            endpoint.expiration = Some(now - SignedDuration::from_hours(1));
        }
        Some(ContentFault::NotYet) => {
            endpoint.activation = Some(now + SignedDuration::from_hours(24));
        }
        Some(ContentFault::OnlyAs2) => AS2.clone_into(&mut endpoint.transport_profile),
        Some(ContentFault::PlainAddress) => {
            endpoint.address = endpoint.address.replacen("https://", "http://", 1);
        }
        Some(ContentFault::Garbage) => {
            endpoint.certificate = quoin_xml::base64::encode(b"this is no certificate");
        }
        Some(ContentFault::Certificate(dress)) => {
            endpoint.certificate = doors.wardrobe.certificate(dress)?.base64();
        }
        _ => {}
    }
    let processes = vec![ProcessEndpoints { id: process, endpoints: vec![endpoint] }];
    Ok(ServiceInformation { participant, document_type: kind, processes })
}

fn endpoint(
    addresses: &SimulatedAddresses,
    slot: &SimulatedParticipant,
    certificate: String,
) -> Endpoint {
    Endpoint {
        transport_profile: TransportProfile::AS4.to_owned(),
        address: addresses.as4(slot),
        activation: None,
        expiration: None,
        certificate,
        description: "Quoin testbed".to_owned(),
        technical_contact: addresses.base.clone(),
        technical_information: None,
    }
}

fn retyped(kind: &DocumentTypeId, from: &str, to: &str) -> ForgeResult<DocumentTypeId> {
    replaced(&kind.to_string(), from, to)?.parse().map_err(ForgeError::of)
}

/// What is from `begin` to `end`, one more time.
fn twice(xml: &str, begin: &str, end: &str) -> ForgeResult<String> {
    let from = xml.find(begin).unwrap_or_default();
    let to = xml.rfind(end).unwrap_or_default() + end.len();
    let part = xml.get(from..to).unwrap_or_default();
    replaced(xml, end, &format!("{end}{part}"))
}

fn signed(
    wardrobe: &TestIdentities,
    unsigned: &str,
    fault: Option<SignatureFault>,
) -> ForgeResult<String> {
    let well = |by: &Credentials| {
        smp::sign(unsigned, by.key.as_ref(), &by.certificate).map_err(ForgeError::of)
    };
    let own = wardrobe.credentials(TestIdentity::Smp)?;
    match fault {
        None => well(&own),
        Some(SignatureFault::Unsigned) => Ok(unsigned.to_owned()),
        Some(SignatureFault::Tampered) => replaced(&well(&own)?, "Quoin testbed", "Quoin  testbed"),
        Some(SignatureFault::Second) => twice(&well(&own)?, "<ds:Signature ", "</ds:Signature>"),
        Some(SignatureFault::Wrapped) => {
            let signed = well(&own)?;
            let inner = signed.split_once("?>").map_or(signed.as_str(), |(_, rest)| rest.trim());
            let end = "</smp:SignedServiceMetadata>";
            replaced(unsigned, end, &format!("<smp:Extension>{inner}</smp:Extension>{end}"))
        }
        Some(SignatureFault::Signer(dress)) => well(&wardrobe.credentials(dress)?),
        Some(fault @ (SignatureFault::Sha1 | SignatureFault::ExtraTransform)) => {
            enveloped::sign(unsigned, &own, fault)
        }
    }
}
