//! Answers captured from other access points: their signatures verify here.

use std::sync::Arc;

use quoin_xmldsig::keys::KeyError;
use x509_cert::Certificate;
use x509_cert::der::asn1::Utf8StringRef;
use x509_cert::der::{Decode, Encode};

use super::super::incoming::parse_envelope;
use super::super::*;

/// Believes every certificate: the authorities of those days are gone.
struct Anyone;

impl Peers for Anyone {
    fn access_point(&self, der: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        let certificate = Certificate::from_der(der).unwrap();
        let subject = &certificate.tbs_certificate.subject;
        let names = subject.0.iter().flat_map(|name| name.0.iter());
        let common = names.filter(|name| name.oid.to_string() == "2.5.4.3");
        let common = common.filter_map(|name| name.value.decode_as::<Utf8StringRef<'_>>().ok());
        let common = common.map(|name| name.as_str().to_owned()).next().unwrap_or_default();
        let spki = certificate.tbs_certificate.subject_public_key_info.to_der().unwrap();
        let peer = Peer::new(der.to_vec(), common, &spki);
        Ok(Arc::new(peer.unwrap_or_else(|error: KeyError| panic!("{error}"))))
    }
}

/// The HTTP body of a capture: what follows the first empty line.
fn body(name: &str) -> Option<String> {
    let text = quoin_testing::shared_text(&format!("as4-data/{name}.as4in"))?;
    let (_, body) = text.split_once("\r\n\r\n").or(text.split_once("\n\n")).unwrap();
    Some(body.to_owned())
}

#[test]
fn b_08_receipts_of_other_access_points_verify() {
    for (name, seat) in [
        ("helger", "POP000306"),
        ("governikus", "POP000260"),
        ("dataport1-mustunderstand", "PDE000357"),
    ] {
        let Some(text) = body(name) else { return };
        let document = parse_envelope(text.as_bytes()).unwrap();
        let signal = signal::read(&document, &Anyone).unwrap_or_else(|e| panic!("{name}: {e}"));
        let receipt = signal.receipt.unwrap();
        assert_eq!(receipt.signer.common_name, seat, "{name}");
        assert!(receipt.parts.len() >= 2, "{name}");
        assert!(signal.about.is_some_and(|id| id.contains('@')));
    }
}

/// The prefix of one attribute was changed after signing.
#[test]
fn b_08_a_receipt_that_was_rewritten_does_not_verify() {
    let Some(text) = body("dataport1") else { return };
    let document = parse_envelope(text.as_bytes()).unwrap();
    let refusal = signal::read(&document, &Anyone).unwrap_err();
    assert_eq!(refusal.code, EbmsCode::FailedAuthentication);
}
