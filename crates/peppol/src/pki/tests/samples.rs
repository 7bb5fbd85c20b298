//! The published authorities, real certificates, and the private PKI of the research material.

use jiff::Timestamp;

use super::world::{SOFT, STRICT};
use crate::pki::{
    Certificate, CertificateRole, Crl, Generation, PkiRefusal, Revocations, Stage, Trust, Trusted,
};

/// The private PKI was made on 2026-11-21; its lists are current for a week from then.
pub(crate) fn private_now() -> Timestamp {
    "2026-11-22T00:00:00Z".parse().unwrap()
}

fn certificate(path: &str) -> Option<Certificate> {
    let text = quoin_testing::shared_text(&format!("network-data/pki/{path}"))?;
    Some(Certificate::from_text(&text).unwrap_or_else(|e| panic!("{path}: {e}")))
}

fn published(stage: Stage) -> Option<Trust> {
    let test = if stage == Stage::Test { "TEST_" } else { "" };
    let ca = |name: &str| certificate(&format!("ca/PEPPOL_{name}_{test}CA_G3.pem"));
    let generation = Generation {
        name: "G3".to_owned(),
        root: ca("Root")?,
        access_point: ca("ACCESS_POINT")?,
        smp: ca("SERVICE_METADATA_PUBLISHER")?,
        from: None,
        until: None,
    };
    Some(Trust::new(stage, vec![generation]).unwrap())
}

#[test]
fn real_certificates_of_g3_chain_to_their_authorities() {
    let (Some(production), Some(test)) = (published(Stage::Production), published(Stage::Test))
    else {
        return;
    };
    let now: Timestamp = "2026-11-20T00:00:00Z".parse().unwrap();
    let none = Revocations::new();
    for (file, seat, role, own, other) in [
        ("ap-prod", "PFI000010", CertificateRole::AccessPoint, &production, &test),
        ("ap-test", "PFI000010", CertificateRole::AccessPoint, &test, &production),
        ("smp-random-prod", "PSE000018", CertificateRole::Smp, &production, &test),
        ("smp-random-test", "PSE000018", CertificateRole::Smp, &test, &production),
    ] {
        let leaf = certificate(&format!("real-leaf-g3/{file}.cer")).unwrap();
        let trusted = own.check(&leaf, role, now, &none, SOFT).unwrap();
        assert_eq!(trusted.seat().as_str(), seat, "{file}");
        assert!(
            leaf.crl_urls().iter().all(|url| url.starts_with("http://crl.one.nl.digicert.com/"))
        );
        assert_eq!(leaf.ocsp_urls(), ["http://ocsp.one.nl.digicert.com"], "{file}");
        let stage = other.check(&leaf, role, now, &none, SOFT);
        assert!(matches!(stage, Err(PkiRefusal::UnknownIssuer { .. })), "{file}");
        let wrong = if role == CertificateRole::Smp {
            CertificateRole::AccessPoint
        } else {
            CertificateRole::Smp
        };
        let role = own.check(&leaf, wrong, now, &none, SOFT);
        assert!(matches!(role, Err(PkiRefusal::WrongRole { .. })), "{file}");
        let strict = own.check(&leaf, trusted.chain().role, now, &none, STRICT);
        assert!(matches!(strict, Err(PkiRefusal::RevocationUnknown { .. })), "{file}");
    }
}

/// Trust and lists of the private PKI; `None` without the research material.
pub(crate) fn private() -> Option<(Trust, Revocations)> {
    let ca = |name: &str| certificate(&format!("private-test-g3-shape/{name}.crt"));
    let generation = Generation {
        name: "private".to_owned(),
        root: ca("root")?,
        access_point: ca("ap")?,
        smp: ca("smp")?,
        from: None,
        until: None,
    };
    let mut revocations = Revocations::new();
    for (name, issuer) in
        [("root", &generation.root), ("ap", &generation.access_point), ("smp", &generation.smp)]
    {
        let path =
            quoin_testing::shared(&format!("network-data/pki/private-test-g3-shape/{name}.crl"))?;
        #[allow(clippy::disallowed_methods, reason = "a test reads its material")]
        let der = std::fs::read(path).unwrap();
        revocations.add_crl(Crl::verify(&der, issuer).unwrap());
    }
    Some((Trust::new(Stage::Test, vec![generation]).unwrap(), revocations))
}

#[test]
fn the_private_pki_of_the_research() {
    let Some((trust, revocations)) = private() else { return };
    let check = |name: &str, role| -> Result<Trusted, PkiRefusal> {
        let leaf = certificate(&format!("private-test-g3-shape/{name}.crt")).unwrap();
        trust.check(&leaf, role, private_now(), &revocations, STRICT)
    };
    assert_eq!(check("ap-own", CertificateRole::AccessPoint).unwrap().seat().as_str(), "POP000999");
    assert_eq!(
        check("ap-peer", CertificateRole::AccessPoint).unwrap().seat().as_str(),
        "POP000998"
    );
    assert!(check("smp-own", CertificateRole::Smp).is_ok());
    assert!(matches!(
        check("ap-revoked", CertificateRole::AccessPoint),
        Err(PkiRefusal::Revoked { .. })
    ));
    assert!(matches!(check("smp-revoked", CertificateRole::Smp), Err(PkiRefusal::Revoked { .. })));
    assert!(matches!(
        check("ap-expired", CertificateRole::AccessPoint),
        Err(PkiRefusal::Expired { .. })
    ));
    assert!(matches!(
        check("smp-own", CertificateRole::AccessPoint),
        Err(PkiRefusal::WrongRole { .. })
    ));
}
