//! Tests of `certificate`.

use rcgen::KeyUsagePurpose;

use super::*;
use crate::testing::{NIP, certificate, issue, now};

#[test]
fn whose_it_is_and_what_for() {
    let online = certificate(Some(KeyUsagePurpose::DigitalSignature), false);
    let offline = certificate(Some(KeyUsagePurpose::ContentCommitment), true);
    assert_eq!(online.subject(), &CertificateSubject::Nip(NIP.to_owned()));
    assert_eq!(online.serial_hex(), "01F20A5D01020304");
    assert_eq!(online.issuer, "C=PL,2.5.4.97=VATPL-5265877635,CN=Przykład\\, Sp. z o.o.");
    online.check(KsefUse::Authentication, now()).unwrap();
    offline.check(KsefUse::Offline, now()).unwrap();
    let swapped = [
        online.check(KsefUse::Offline, now()).unwrap_err(),
        offline.check(KsefUse::Authentication, now()).unwrap_err(),
    ];
    for error in swapped {
        assert!(error.to_string().contains("is it the one for"), "{error}");
    }
    // A certificate that does not say may be used for both.
    let open = certificate(None, false);
    open.check(KsefUse::Authentication, now()).unwrap();
    open.check(KsefUse::Offline, now()).unwrap();
}

#[test]
fn when_it_ends() {
    let one = certificate(Some(KeyUsagePurpose::DigitalSignature), false);
    let at = |second| Timestamp::from_second(second).unwrap();
    let check = |second| one.check(KsefUse::Authentication, at(second));
    assert_eq!(check(1_759_999_999), Err(KsefCertificateError::NotYet(at(1_760_000_000))));
    assert_eq!(check(1_760_000_000), Ok(()));
    assert_eq!(check(1_822_999_999), Ok(()));
    assert_eq!(check(1_823_000_000), Err(KsefCertificateError::Ended(at(1_823_000_000))));
    let month = 30 * 24 * 3_600;
    assert!(!one.ends_soon(at(1_823_000_000 - month - 1)));
    assert!(one.ends_soon(at(1_823_000_000 - month)));
}

#[test]
fn the_certificate_of_a_key_is_found_and_another_is_not() {
    let (one, other) = (issue(None, false), issue(None, false));
    let mixed = KsefCertificate::from_parts(other.certificate, &one.key).unwrap_err();
    assert_eq!(mixed, KsefCertificateError::Pair);
    let no_key = KsefCertificate::from_parts(one.certificate, b"no key").unwrap_err();
    assert_eq!(no_key, KsefCertificateError::Key);
}

#[test]
fn numbers_of_any_length_in_decimal() {
    assert_eq!(name::decimal(&[]), "0");
    assert_eq!(name::decimal(&[0xFF]), "255");
    assert_eq!(name::decimal(&u128::MAX.to_be_bytes()), u128::MAX.to_string());
    assert_eq!(name::decimal(&[1, 0, 0, 0, 0, 0, 0, 0, 0]), "18446744073709551616");
}
