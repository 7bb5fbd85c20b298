//! Tests of `auth`.

use quoin_xml::tree::{Document, Limits};
use quoin_xmldsig::xades;
use rcgen::KeyUsagePurpose;

use super::*;
use crate::testing::{NIP, certificate, now};

const CHALLENGE: &str = "20261126-CR-0123456789-ABCDEF0123-4F";

#[test]
fn the_request_is_signed_and_follows_the_schema() {
    let context = AuthContext::Nip(NIP.to_owned());
    for rsa in [false, true] {
        let one = certificate(Some(KeyUsagePurpose::DigitalSignature), rsa);
        let signed = signed_token_request(CHALLENGE, &context, &one, now()).unwrap();
        let document = Document::parse(signed.as_bytes(), &Limits::default()).unwrap();
        let told = xades::verify(&document).unwrap();
        assert_eq!(told.certificate, one.der());
        assert_eq!(told.signing_time.as_deref(), Some("2026-11-26T09:59:00Z"));
        let names: Vec<_> = document.root().elements().map(|e| e.local().to_owned()).collect();
        let expected = ["Challenge", "ContextIdentifier", "SubjectIdentifierType", "Signature"];
        assert_eq!(names, expected);
        assert_eq!(document.root().namespace(), AUTH_NAMESPACE);
    }
}

#[test]
fn who_signs_in_is_named_by_the_certificate_or_its_fingerprint() {
    let context = AuthContext::Nip(NIP.to_owned());
    let of = |subject| token_request(CHALLENGE, &context, &subject);
    assert!(of(CertificateSubject::Pesel("1".into())).contains(">certificateSubject<"));
    assert!(of(CertificateSubject::Fingerprint).contains(">certificateFingerprint<"));
    let odd = AuthContext::InternalId("a<&b".to_owned());
    let text = token_request(CHALLENGE, &odd, &CertificateSubject::Fingerprint);
    assert!(text.contains("<InternalId>a&lt;&amp;b</InternalId>"), "{text}");
}

#[test]
fn tokens_are_renewed_in_time() {
    let token =
        |until: &str| TokenInfo { token: "t".to_owned(), valid_until: until.parse().unwrap() };
    let tokens =
        |access, refresh| AuthTokens { access_token: token(access), refresh_token: token(refresh) };
    let day = "2026-11-27T10:00:00Z";
    let good = tokens("2026-11-26T10:01:01Z", day);
    assert_eq!(token_need(Some(&good), now()), TokenNeed::Good(&good.access_token));
    let short = tokens("2026-11-26T10:01:00Z", day);
    assert_eq!(token_need(Some(&short), now()), TokenNeed::Renew(&short.refresh_token));
    let over = tokens("2026-11-26T10:01:00Z", "2026-11-26T10:00:30Z");
    assert_eq!(token_need(Some(&over), now()), TokenNeed::SignIn);
    assert_eq!(token_need(None, now()), TokenNeed::SignIn);
    assert!(!format!("{good:?}").contains("\"t\""));
}
