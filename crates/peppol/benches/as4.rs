//! What a message costs above its RSA operations, which nobody can avoid.
//!
//! The floor of receiving is to verify, decrypt and sign once; that of sending is to sign, encrypt
//! and verify once. All of it runs in one thread and in the same turns.

use std::sync::Arc;
use std::time::Duration;

use quoin_peppol::as4::{
    CertificateRefusal, DecryptionKey, Entropy, Incoming, OwnIdentity, Peer, Peers, UserMessage,
    read_answer, receipt, seal,
};
use quoin_testing::bench::{Bench, invoice};
use quoin_xmldsig::keys::{Decrypter, PrivateKey, Signer};
use rcgen::PublicKeyData;

/// The SBD: header and invoice together, in bytes.
const PAYLOAD: usize = 20_000;
const HEADER: &str = "<StandardBusinessDocument xmlns=\"http://www.unece.org/cefact/namespaces/\
                      StandardBusinessDocumentHeader\">";

struct Seat {
    own: OwnIdentity,
    peer: Arc<Peer>,
    key: Arc<PrivateKey>,
}

fn seat(seat_id: &str) -> Seat {
    let pair = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let mut parameters = rcgen::CertificateParams::default();
    parameters.distinguished_name.push(rcgen::DnType::CommonName, seat_id);
    let certificate = parameters.self_signed(&pair).unwrap().der().to_vec();
    let spki = pair.subject_public_key_info();
    let peer = Arc::new(Peer::new(certificate.clone(), seat_id.to_owned(), &spki).unwrap());
    let key = Arc::new(PrivateKey::from_pkcs8(&pair.serialize_der()).unwrap());
    let own = OwnIdentity {
        seat_id: seat_id.to_owned(),
        certificate: certificate.clone(),
        signer: key.clone(),
        decryption: vec![DecryptionKey { certificate, key: key.clone() }],
    };
    Seat { own, peer, key }
}

/// Certificates that were judged before, as in a running access point.
struct Judged<'a>([&'a Seat; 2]);

impl Peers for Judged<'_> {
    fn access_point(&self, certificate: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        let found = self.0.iter().find(|seat| seat.peer.certificate == certificate);
        let refusal = CertificateRefusal { reason: "unknown".to_owned() };
        found.map(|seat| seat.peer.clone()).ok_or(refusal)
    }
}

fn user_message() -> UserMessage {
    UserMessage {
        message_id: "0192f3a0-5c1e-7d00-8000-000000000001@ap.example".to_owned(),
        conversation_id: "0192f3a0-5c1e-7d00-8000-000000000002".to_owned(),
        timestamp: jiff::Timestamp::UNIX_EPOCH,
        from: "POP000001".to_owned(),
        to: "POP000002".to_owned(),
        service: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0".to_owned(),
        service_type: "cenbii-procid-ubl".to_owned(),
        action: "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice\
                 ##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1"
            .to_owned(),
        original_sender: "0192:991825827".to_owned(),
        final_recipient: "0192:810418052".to_owned(),
    }
}

fn main() {
    let (sender, receiver) = (seat("POP000001"), seat("POP000002"));
    let peers = Judged([&sender, &receiver]);
    let message = user_message();
    let payload = format!("{HEADER}{}</StandardBusinessDocument>", invoice(PAYLOAD)).into_bytes();
    let entropy = Entropy::from_bytes(&[7; Entropy::BYTES]);
    let now = jiff::Timestamp::UNIX_EPOCH;

    let sent = seal(&message, &payload, &sender.own, &receiver.peer, &entropy).unwrap();
    let read = || Incoming::read(&sent.http.content_type, &sent.http.body).unwrap();
    let incoming = read();
    let received = incoming.open(&receiver.own, &peers).unwrap();
    assert_eq!(received.payload, payload);
    let answer = receipt(&received, &receiver.own, "signal@ap.example", now).unwrap();
    let (digest, wrapped) = ([0; 256], receiver.peer.key.encrypt_oaep(&[7; 16]).unwrap());
    let signature = sender.key.sign_rsa_sha256(&digest).unwrap();
    println!("payload {} bytes, on the wire {}", payload.len(), sent.http.body.len());

    let mut bench = Bench::new("as4");
    bench.case("RSA-2048 sign", || sender.key.sign_rsa_sha256(&digest).unwrap());
    bench.case("RSA-2048 verify", || sender.peer.key.verify_rsa_sha256(&digest, &signature));
    bench.case("RSA-2048 OAEP encrypt", || receiver.peer.key.encrypt_oaep(&[7; 16]).unwrap());
    bench.case("RSA-2048 OAEP decrypt", || receiver.key.decrypt_oaep(&wrapped).unwrap());
    bench.case("seal", || seal(&message, &payload, &sender.own, &receiver.peer, &entropy).unwrap());
    bench.case("read answer", || {
        read_answer(&answer.content_type, &answer.body, &sent, &peers).unwrap()
    });
    bench.case("read", read);
    bench.case("open", || incoming.open(&receiver.own, &peers).unwrap());
    bench.case("receipt", || receipt(&received, &receiver.own, "signal@ap.example", now).unwrap());

    let mut report = bench.measure(Duration::from_secs(8));
    report.rows_of_cases();
    let sum = |cases: &[&str]| cases.iter().map(|case| report.micros(case)).sum::<f64>();
    let verify_and_sign = sum(&["RSA-2048 sign", "RSA-2048 verify"]);
    let send_floor = verify_and_sign + sum(&["RSA-2048 OAEP encrypt"]);
    let receive_floor = verify_and_sign + sum(&["RSA-2048 OAEP decrypt"]);
    let send = sum(&["seal", "read answer"]);
    let receive = sum(&["read", "open", "receipt"]);
    let floor = Some("RSA floor");
    let rate = |micros: f64| 1e6 / micros;
    report.row("send floor", rate(send_floor), "messages/s and core", None, None);
    report.row("send", rate(send), "messages/s and core", floor, Some(send_floor / send));
    report.row("receive floor", rate(receive_floor), "messages/s and core", None, None);
    report.row(
        "receive",
        rate(receive),
        "messages/s and core",
        floor,
        Some(receive_floor / receive),
    );
    report.finish();
}
