//! The signed samples of the research material, with the verdicts its table asks for.

use crate::pki::tests::samples::{private, private_now};
use crate::pki::tests::world::STRICT;
use crate::pki::{Certificate, CertificateRole, PkiRefusal, Revocations, Trust};
use crate::sml::UriPolicy;
use crate::smp::*;

const ROOT: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##";
const BILLING: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";

struct Request {
    document_type: String,
    process: &'static str,
}

fn billing() -> Request {
    let document_type = format!("busdox-docid-qns::{ROOT}{BILLING}::2.1");
    Request { document_type, process: "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0" }
}

fn pint(customization: &str) -> Request {
    let document_type = format!("peppol-doctype-wildcard::{ROOT}{customization}::2.1");
    Request { document_type, process: "urn:peppol:bis:billing" }
}

/// Reads a sample and, where it is service information, selects and checks the endpoint.
fn judge(
    name: &str,
    request: &Request,
    world: &(Trust, Revocations),
) -> Result<Result<Option<UsableEndpoint>, EndpointRefusal>, SmpRefusal> {
    let text = quoin_testing::shared_text(&format!("network-data/derived/samples/smp/{name}.xml"))
        .expect("the material is complete");
    let verification = VerificationContext {
        trust: &world.0,
        revocations: &world.1,
        policy: STRICT,
        uris: UriPolicy::default(),
        now: private_now(),
    };
    let participant = "0106:12345678".parse().unwrap();
    let document_type = request.document_type.parse().unwrap();
    let answer =
        read_service_metadata(text.as_bytes(), &participant, &document_type, &verification)?;
    Ok(match answer.metadata {
        ServiceMetadata::Redirect(_) => Ok(None),
        ServiceMetadata::Information(information) => {
            let process = request.process.parse().unwrap();
            let judged =
                usable(&information, &process, (verification.uris, private_now()), |der| {
                    let (certificate, role) =
                        (Certificate::from_der(der)?, CertificateRole::AccessPoint);
                    world.0.check(&certificate, role, private_now(), &world.1, STRICT)
                });
            judged.map(Some)
        }
    })
}

#[test]
fn accepted_samples() {
    let Some(world) = private() else { return };
    let signed = judge("signed-service-metadata", &billing(), &world).unwrap().unwrap().unwrap();
    assert_eq!(signed.address, "https://ap.example.test/as4");
    assert_eq!(judge("v-ok-redirect", &billing(), &world).unwrap(), Ok(None));
    let best = pint("urn:peppol:pint:billing-1*");
    assert!(judge("v-ok-wildcard-best", &best, &world).unwrap().is_ok());
    let exact = pint("urn:peppol:pint:billing-1@eu-1");
    assert!(judge("v-ok-wildcard-exact", &exact, &world).unwrap().is_ok());
}

#[test]
fn refused_samples() {
    let Some(world) = private() else { return };
    let refused = |name| judge(name, &billing(), &world).expect_err(name);
    for name in [
        "v-bad-sha1",
        "v-bad-extra-transform",
        "v-bad-wrapping",
        "signed-service-metadata-TAMPERED",
    ] {
        let refusal = refused(name);
        assert!(matches!(refusal, SmpRefusal::Signature(_)), "{name}: {refusal}");
    }
    let signer = refused("v-bad-signer-ap-cert");
    assert!(matches!(signer, SmpRefusal::Signer(PkiRefusal::WrongRole { .. })), "{signer}");
    let signer = refused("v-bad-signer-revoked");
    assert!(matches!(signer, SmpRefusal::Signer(PkiRefusal::Revoked { .. })), "{signer}");
    for name in ["v-bad-other-participant", "v-bad-doctype-case"] {
        let refusal = refused(name);
        assert!(matches!(refusal, SmpRefusal::OtherSubject { .. }), "{name}: {refusal}");
    }
}

#[test]
fn samples_without_a_usable_endpoint() {
    let Some(world) = private() else { return };
    let refused = |name| judge(name, &billing(), &world).unwrap().expect_err(name);
    assert_eq!(refused("v-bad-endpoint-expired").code(), "endpoint-expired");
    assert_eq!(refused("v-bad-endpoint-future").code(), "endpoint-not-yet-active");
    assert_eq!(refused("v-bad-only-as2").code(), "no-as4-endpoint");
    let revoked = refused("v-bad-endpoint-cert-revoked");
    assert!(matches!(revoked, EndpointRefusal::Certificate(PkiRefusal::Revoked { .. })));
    let expired = refused("v-bad-endpoint-cert-expired");
    assert!(matches!(expired, EndpointRefusal::Certificate(PkiRefusal::Expired { .. })));
}

#[test]
fn old_public_samples_are_refused_for_their_sha_1() {
    let Some(world) = private() else { return };
    let verification = VerificationContext {
        trust: &world.0,
        revocations: &world.1,
        policy: STRICT,
        uris: UriPolicy::default(),
        now: private_now(),
    };
    for name in ["signed-service-metadata1", "signed-service-metadata2"] {
        let path = format!("network-data/smp/samples/{name}.xml");
        let Some(text) = quoin_testing::shared_text(&path) else { return };
        let (participant, document_type) =
            ("0088:1".parse().unwrap(), billing().document_type.parse().unwrap());
        let refused =
            read_service_metadata(text.as_bytes(), &participant, &document_type, &verification);
        assert!(matches!(refused, Err(SmpRefusal::Signature(_))), "{name}: {refused:?}");
    }
}

#[test]
fn public_service_groups_are_read() {
    let path = "network-data/derived/samples/smp/service-group.xml";
    let Some(text) = quoin_testing::shared_text(path) else { return };
    let group = read_service_group(text.as_bytes(), &"0106:12345678".parse().unwrap()).unwrap();
    assert!(group.references.iter().all(|reference| reference.document_type.is_some()));
    assert_eq!(group.references.len(), 2);
}
