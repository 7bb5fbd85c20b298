//! The certificates have the shape of the real ones, and status answers follow revocations. Where
//! the `openssl` program is installed it is asked for a second opinion.

use std::process::Command;

use x509_cert::Certificate;
use x509_cert::der::{Decode, Encode};

use super::*;

fn now() -> Timestamp {
    Timestamp::now()
}

fn pki() -> LabPki {
    LabPki::generate("http://127.0.0.1:18080/", now()).unwrap()
}

fn extension(certificate: &Certificate, oid: &str) -> Option<(bool, Vec<u8>)> {
    let extensions = certificate.tbs_certificate.extensions.as_ref()?;
    let found = extensions.iter().find(|e| e.extn_id.to_string() == oid)?;
    Some((found.critical, found.extn_value.as_bytes().to_vec()))
}

#[test]
fn leaves_have_the_shape_of_the_network() {
    let pki = pki();
    for (role, unit) in
        [(LeafRole::AccessPoint, "PEPPOL TEST AP"), (LeafRole::Smp, "PEPPOL TEST SMP")]
    {
        let leaf = pki.leaf(role, "POP000001", LeafValidity::Current).unwrap();
        let certificate = Certificate::from_der(&leaf.certificate_der).unwrap();
        let tbs = &certificate.tbs_certificate;
        let order: Vec<String> =
            tbs.subject.0.iter().map(|part| part.0.get(0).unwrap().oid.to_string()).collect();
        assert_eq!(order, ["2.5.4.6", "2.5.4.10", "2.5.4.11", "2.5.4.3"], "C, O, OU, CN");
        assert!(tbs.subject.to_string().contains(unit), "{}", tbs.subject);
        assert_eq!(certificate.signature_algorithm.oid.to_string(), "1.2.840.113549.1.1.11");
        // digitalSignature, keyEncipherment, dataEncipherment: bits 0, 2 and 3.
        assert_eq!(extension(&certificate, "2.5.29.15"), Some((true, vec![3, 2, 4, 0xb0])));
        let client_auth = vec![0x30, 10, 6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 2];
        assert_eq!(extension(&certificate, "2.5.29.37"), Some((true, client_auth)));
        assert_eq!(extension(&certificate, "2.5.29.19"), Some((true, vec![0x30, 0])));
        let pointers = extension(&certificate, "1.3.6.1.5.5.7.1.1").unwrap().1;
        let text = String::from_utf8_lossy(&pointers).into_owned();
        let name = pki.authority(role).name;
        assert!(text.contains(&format!("http://127.0.0.1:18080/ocsp/{name}")), "{text}");
        assert_eq!(tbs.serial_number.as_bytes(), leaf.serial);
        let key = tbs.subject_public_key_info.to_der().unwrap();
        assert!((290..300).contains(&key.len()), "RSA 2048 has 294 bytes, not {}", key.len());
    }
}

#[test]
fn revocation_shows_in_the_list_and_in_ocsp() {
    let pki = pki();
    let good = pki.leaf(LeafRole::AccessPoint, "POP000001", LeafValidity::Current).unwrap();
    let bad = pki.leaf(LeafRole::AccessPoint, "POP000002", LeafValidity::Current).unwrap();
    pki.ap.revoke(&bad, now());
    let list = pki.ap.crl(now()).unwrap();
    let list = x509_cert::crl::CertificateList::from_der(&list).unwrap();
    let revoked = list.tbs_cert_list.revoked_certificates.unwrap();
    assert_eq!(revoked.len(), 1);
    assert_eq!(revoked[0].serial_number.as_bytes(), bad.serial);
    assert!(pki.ap.ocsp(b"nonsense", now()).unwrap().ends_with(&[10, 1, 1]), "malformedRequest");
    let empty = pki.smp.crl(now()).unwrap();
    let empty = x509_cert::crl::CertificateList::from_der(&empty).unwrap();
    assert!(empty.tbs_cert_list.revoked_certificates.unwrap_or_default().is_empty());
    let _ = good;
}

#[test]
fn a_second_opinion() {
    if Command::new("openssl").arg("version").output().is_err() {
        quoin_testing::skipped("openssl");
        return;
    }
    let folder = std::env::temp_dir().join(format!("quoin-pki-{}", std::process::id()));
    let pki = pki();
    pki.write(&folder).unwrap();
    let make = |seat, validity| pki.leaf(LeafRole::AccessPoint, seat, validity).unwrap();
    let (good, bad) =
        (make("POP000001", LeafValidity::Current), make("POP000002", LeafValidity::Current));
    let old = make("POP000003", LeafValidity::Expired);
    pki.ap.revoke(&bad, now());
    for (authority, name) in [(&pki.root, "root"), (&pki.ap, "ap")] {
        let der = folder.join(format!("{name}.crl"));
        std::fs::write(&der, authority.crl(now()).unwrap()).unwrap();
        openssl(&folder, &format!("crl -inform DER -in {name}.crl -out {name}.crl.pem"));
    }
    openssl(&folder, "version");
    for (leaf, name) in [(&good, "good"), (&bad, "bad"), (&old, "old")] {
        leaf.write(&folder, name).unwrap();
    }
    let verify = |name: &str| {
        let lists = "-crl_check_all -CRLfile root.crl.pem -CRLfile ap.crl.pem";
        let chain = "-x509_strict -CAfile root-ca.pem -untrusted ap-ca.pem";
        openssl(&folder, &format!("verify {chain} {lists} {name}.pem"))
    };
    assert!(verify("good").contains("good.pem: OK"), "{}", verify("good"));
    assert!(verify("bad").contains("certificate revoked"), "{}", verify("bad"));
    assert!(verify("old").contains("certificate has expired"), "{}", verify("old"));

    for (name, status) in [("good", "good.pem: good"), ("bad", "bad.pem: revoked")] {
        let ask = format!("-issuer ap-ca.pem -cert {name}.pem -no_nonce");
        openssl(&folder, &format!("ocsp {ask} -reqout {name}.req"));
        let request = std::fs::read(folder.join(format!("{name}.req"))).unwrap();
        std::fs::write(folder.join("answer"), pki.ap.ocsp(&request, now()).unwrap()).unwrap();
        let trust = "-CAfile root-ca.pem -verify_other ap-ca.pem -VAfile ap-ca.pem";
        let said = openssl(&folder, &format!("ocsp {ask} -respin answer {trust}"));
        assert!(said.contains("Response verify OK") && said.contains(status), "{said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

fn openssl(folder: &std::path::Path, arguments: &str) -> String {
    let output = Command::new("openssl")
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&text).into_owned()
}
