//! The world of the tests: four access points, a sample message, and a forger who may edit any part
//! of an envelope and sign it again, so that a refusal has exactly one reason.

use std::sync::{Arc, OnceLock};

use quoin_xml::base64;
use quoin_xml::c14n;
use quoin_xml::namespaces::{DS, EXC_C14N};
use quoin_xml::tree::{Document, Element, Limits};
use quoin_xmldsig::keys::{PrivateKey, Signer, seal_aes128_gcm, sha256};
use rcgen::PublicKeyData;

use super::super::names::SOAP;
use super::super::*;

/// One access point: its keys, and what others know of it.
pub(crate) struct Seat {
    pub(crate) own: OwnIdentity,
    pub(crate) peer: Arc<Peer>,
    key: Arc<PrivateKey>,
}

/// The sender.
pub(crate) const SENDER: usize = 0;
/// The receiver; it also holds the key of [`EARLIER`].
pub(crate) const RECEIVER: usize = 1;
/// The receiver's seat with the certificate that it used before.
pub(crate) const EARLIER: usize = 2;
/// A trusted access point that has no part in the exchange.
pub(crate) const THIRD: usize = 3;

const SEAT_IDS: [&str; 4] = ["POP000001", "POP000002", "POP000002", "POP000003"];

pub(crate) fn seat(index: usize) -> &'static Seat {
    static SEATS: OnceLock<Vec<Seat>> = OnceLock::new();
    let seats = SEATS.get_or_init(|| {
        let mut seats: Vec<Seat> = SEAT_IDS.iter().map(|id| generate(id)).collect();
        let earlier = DecryptionKey {
            certificate: seats[EARLIER].own.certificate.clone(),
            key: seats[EARLIER].key.clone(),
        };
        seats[RECEIVER].own.decryption.push(earlier);
        seats
    });
    &seats[index]
}

fn generate(seat_id: &str) -> Seat {
    let pair = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let mut parameters = rcgen::CertificateParams::default();
    parameters.distinguished_name = rcgen::DistinguishedName::new();
    parameters.distinguished_name.push(rcgen::DnType::CommonName, seat_id);
    let certificate = parameters.self_signed(&pair).unwrap().der().to_vec();
    let spki = pair.subject_public_key_info();
    let peer = Arc::new(Peer::new(certificate.clone(), seat_id.to_owned(), &spki).unwrap());
    let key = Arc::new(PrivateKey::from_pkcs8(&pair.serialize_der()).unwrap());
    let decryption = DecryptionKey { certificate: certificate.clone(), key: key.clone() };
    let own = OwnIdentity {
        seat_id: seat_id.to_owned(),
        certificate,
        signer: key.clone(),
        decryption: vec![decryption],
    };
    Seat { own, peer, key }
}

/// Trusts the four seats and nobody else.
pub(crate) struct Known;

impl Peers for Known {
    fn access_point(&self, certificate: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        let mut seats = (0..SEAT_IDS.len()).map(seat);
        let found = seats.find(|seat| seat.peer.certificate == certificate);
        let refusal = CertificateRefusal { reason: "it is not of this network".to_owned() };
        found.map(|seat| seat.peer.clone()).ok_or(refusal)
    }
}

pub(crate) const MESSAGE_ID: &str = "5d2f1c1e-1@ap.example";
pub(crate) const SIGNAL_ID: &str = "signal-1@ap.example";
pub(crate) const ACTION: &str = "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\
                          ::Invoice##urn:cen.eu:en16931:2017::2.1";

pub(crate) fn now() -> jiff::Timestamp {
    "2026-11-21T10:00:00Z".parse().unwrap()
}

pub(crate) fn user_message() -> UserMessage {
    UserMessage {
        message_id: MESSAGE_ID.to_owned(),
        conversation_id: "conversation-1".to_owned(),
        timestamp: now(),
        from: SEAT_IDS[SENDER].to_owned(),
        to: SEAT_IDS[RECEIVER].to_owned(),
        service: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0".to_owned(),
        service_type: "cenbii-procid-ubl".to_owned(),
        action: ACTION.to_owned(),
        original_sender: "0192:991825827".to_owned(),
        final_recipient: "0192:810418052".to_owned(),
    }
}

pub(crate) const PAYLOAD: &[u8] = b"<StandardBusinessDocument>\xC3\xA9</StandardBusinessDocument>";

pub(crate) fn entropy() -> Entropy {
    Entropy::from_bytes(&[7; Entropy::BYTES])
}

/// The sample message, sealed by the sender to the receiver.
pub(crate) fn sent() -> SealedMessage {
    sealed(&user_message(), PAYLOAD)
}

pub(crate) fn sealed(message: &UserMessage, payload: &[u8]) -> SealedMessage {
    seal(message, payload, &seat(SENDER).own, &seat(RECEIVER).peer, &entropy()).unwrap()
}

pub(crate) fn parse(xml: &str) -> Document {
    Document::parse(xml.as_bytes(), &Limits::default()).unwrap_or_else(|e| panic!("{e}\n{xml}"))
}

pub(crate) fn canonical(element: Element<'_>, prefixes: &[&str]) -> String {
    let mut out = Vec::new();
    c14n::exclusive(element, prefixes, usize::MAX, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

pub(crate) fn find<'d>(document: &'d Document, local: &str) -> Element<'d> {
    let mut found = document.root().descendants().filter(|element| element.local() == local);
    found.next().unwrap_or_else(|| panic!("no {local}"))
}

/// A message in the hands of a forger.
#[derive(Clone)]
pub(crate) struct Forged {
    pub(crate) envelope: String,
    pub(crate) content_id: String,
    /// The attachment before encryption: compressed.
    pub(crate) octets: Vec<u8>,
    /// The attachment as it travels.
    pub(crate) ciphertext: Vec<u8>,
    /// Headers of the attachment.
    pub(crate) headers: String,
}

impl Forged {
    pub(crate) fn new() -> Forged {
        Forged::of(&sent().http, PAYLOAD)
    }

    /// Takes a message of ours apart.
    pub(crate) fn of(http: &HttpMessage, payload: &[u8]) -> Forged {
        let parts = parse_mime(&http.content_type, &http.body).unwrap();
        let content_id = parts[1].content_id().unwrap().to_owned();
        let headers = format!(
            "Content-Type: application/octet-stream\r\nContent-ID: <{content_id}>\r\n\
             Content-Transfer-Encoding: binary\r\n"
        );
        Forged {
            envelope: String::from_utf8(parts[0].body.to_vec()).unwrap(),
            octets: gzip(payload).unwrap(),
            ciphertext: parts[1].body.to_vec(),
            content_id,
            headers,
        }
    }

    /// Replaces text of the envelope; a case that changes nothing is a mistake of the test.
    pub(crate) fn edit(mut self, from: &str, to: &str) -> Forged {
        assert!(self.envelope.contains(from), "nothing to replace: {from}");
        self.envelope = self.envelope.replace(from, to);
        self
    }

    /// The same with the first occurrence only.
    pub(crate) fn edit_first(mut self, from: &str, to: &str) -> Forged {
        assert!(self.envelope.contains(from), "nothing to replace: {from}");
        self.envelope = self.envelope.replacen(from, to, 1);
        self
    }

    /// Replaces the attachment, encrypted with the same content key.
    pub(crate) fn octets(mut self, octets: Vec<u8>) -> Forged {
        self.ciphertext = seal_aes128_gcm(&[7; 16], [7; 12], &octets).unwrap();
        self.octets = octets;
        self
    }

    /// Signs again what the references now stand for.
    pub(crate) fn signed(self) -> Forged {
        self.signed_by(SENDER)
    }

    pub(crate) fn signed_by(mut self, signer: usize) -> Forged {
        self.envelope = sign_again(&self.envelope, &self.octets, seat(signer).own.signer.as_ref());
        self
    }

    pub(crate) fn http(&self) -> HttpMessage {
        let mut body = format!(
            "--frontier\r\nContent-Type: application/soap+xml\r\n\r\n{}\r\n\
             --frontier\r\n{}\r\n",
            self.envelope, self.headers
        )
        .into_bytes();
        body.extend_from_slice(&self.ciphertext);
        body.extend_from_slice(b"\r\n--frontier--\r\n");
        let content_type = "multipart/related; boundary=frontier; type=\"application/soap+xml\"";
        HttpMessage { content_type: content_type.to_owned(), body }
    }

    pub(crate) fn open(&self) -> Result<ReceivedMessage, As4Refusal> {
        open(&self.http())
    }

    /// The refusal, which must name the message.
    #[track_caller]
    pub(crate) fn refused(&self) -> As4Refusal {
        let refusal = self.open().expect_err("it was accepted");
        assert_eq!(refusal.message_id.as_deref(), Some(MESSAGE_ID), "{refusal}");
        refusal
    }
}

pub(crate) fn open(http: &HttpMessage) -> Result<ReceivedMessage, As4Refusal> {
    Incoming::read(&http.content_type, &http.body)?.open(&seat(RECEIVER).own, &Known)
}

/// Recomputes the digests of all references and the signature value.
pub(crate) fn sign_again(envelope: &str, octets: &[u8], signer: &dyn Signer) -> String {
    let count = parse(envelope).root().descendants().filter(|e| e.is(DS, "DigestValue")).count();
    let mut text = envelope.to_owned();
    for index in 0..count {
        let document = parse(&text);
        let references = document.root().descendants().filter(|e| e.is(DS, "Reference"));
        let signed = references.filter(|e| e.parent().is_some_and(|p| p.local() == "SignedInfo"));
        let Some(reference) = signed.into_iter().nth(index) else { break };
        let Some(digest) = digest(&document, reference, octets) else { continue };
        let value = reference.child(DS, "DigestValue").unwrap();
        text = with_text(&text, value, &base64::encode(&digest));
    }
    let document = parse(&text);
    let info = find(&document, "SignedInfo");
    let method = info.child(DS, "CanonicalizationMethod").unwrap();
    let octets = canonical(info, &prefixes(method));
    let value = base64::encode(&signer.sign_rsa_sha256(octets.as_bytes()).unwrap());
    with_text(&text, find(&document, "SignatureValue"), &value)
}

fn digest(document: &Document, reference: Element<'_>, octets: &[u8]) -> Option<[u8; 32]> {
    let uri = reference.attribute("URI")?;
    let Some(id) = uri.strip_prefix('#') else { return Some(sha256(octets)) };
    let with_id = |e: &Element<'_>| e.attributes().any(|a| a.local == "Id" && a.value == id);
    let element = document.root().descendants().find(with_id)?;
    let transform = reference.child(DS, "Transforms")?.child(DS, "Transform")?;
    Some(sha256(canonical(element, &prefixes(transform)).as_bytes()))
}

fn prefixes(method: Element<'_>) -> Vec<&str> {
    let list =
        method.child(EXC_C14N, "InclusiveNamespaces").and_then(|e| e.attribute("PrefixList"));
    list.unwrap_or_default().split_whitespace().collect()
}

fn with_text(xml: &str, element: Element<'_>, text: &str) -> String {
    let tag_end = element.offset() + xml[element.offset()..].find('>').unwrap() + 1;
    let text_end = tag_end + xml[tag_end..].find('<').unwrap();
    format!("{}{text}{}", &xml[..tag_end], &xml[text_end..])
}

/// A signal message by a seat: its `eb:Messaging` is signed as it stands.
pub(crate) fn signed_signal(messaging: &str, signer: usize) -> HttpMessage {
    let template = String::from_utf8(sample_receipt().body).unwrap();
    let document = parse(&template);
    let original = canonical(find(&document, "Messaging"), &[]);
    let envelope = template.replace(&original, messaging);
    let own = &seat(signer).own;
    let sender_certificate = base64::encode(&seat(RECEIVER).own.certificate);
    let envelope = envelope.replace(&sender_certificate, &base64::encode(&own.certificate));
    soap(sign_again(&envelope, &[], own.signer.as_ref()))
}

/// The receipt that the receiver gives for the sample message.
pub(crate) fn sample_receipt() -> HttpMessage {
    let received = open(&sent().http).unwrap();
    receipt(&received, &seat(RECEIVER).own, SIGNAL_ID, now()).unwrap()
}

/// The `eb:Messaging` of a signal message.
pub(crate) fn messaging_of(http: &HttpMessage) -> String {
    let text = String::from_utf8(http.body.clone()).unwrap();
    canonical(find(&parse(&text), "Messaging"), &[])
}

pub(crate) fn soap(envelope: String) -> HttpMessage {
    assert!(envelope.contains(SOAP));
    let content_type = "application/soap+xml; charset=UTF-8".to_owned();
    HttpMessage { content_type, body: envelope.into_bytes() }
}
