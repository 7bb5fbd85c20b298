//! Tests of `pkcs12`.

use rcgen::{CertificateParams, KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_RSA_SHA256};

use super::*;

/// A key in PKCS#8 and a certificate, both DER.
struct Issued {
    key: Vec<u8>,
    certificate: Vec<u8>,
}

fn issue(rsa: bool) -> Issued {
    let algorithm = if rsa { &PKCS_RSA_SHA256 } else { &PKCS_ECDSA_P256_SHA256 };
    let pair = KeyPair::generate_for(algorithm).unwrap();
    let certificate = CertificateParams::default().self_signed(&pair).unwrap();
    Issued { key: pair.serialize_der(), certificate: certificate.der().to_vec() }
}

const PASSWORD: &str = "żółw-7";

#[test]
fn what_is_written_is_read() {
    for rsa in [false, true] {
        let issued = issue(rsa);
        let file = seal(&issued.key, &issued.certificate, PASSWORD, [7; 48]).unwrap();
        let opened = open(&file, PASSWORD).unwrap();
        assert_eq!(opened.key, issued.key);
        assert_eq!(opened.certificates, [issued.certificate]);
        assert_eq!(open(&file, "other").unwrap_err(), Pkcs12Error::Password);
        assert_eq!(open(&file, "").unwrap_err(), Pkcs12Error::Password);
    }
}

/// Files that OpenSSL 3 made with this key: as it does today, with triple DES, and with RC2.
#[test]
fn files_of_openssl_are_read() {
    let today = open(include_bytes!("../../samples/aes.p12"), "quoin").unwrap();
    let older = open(include_bytes!("../../samples/triple-des.p12"), "quoin").unwrap();
    assert_eq!(today.key, older.key);
    assert_eq!(today.certificates, older.certificates);
    assert_eq!(today.certificates.len(), 2);
    let plain = open(include_bytes!("../../samples/no-password.p12"), "").unwrap();
    assert_eq!(plain.key, today.key);
    let oldest = open(include_bytes!("../../samples/rc2.p12"), "quoin").unwrap_err();
    assert_eq!(oldest, Pkcs12Error::Cipher);
    assert!(today.is_of_today);
    assert!(!older.is_of_today);
    let wrong = open(include_bytes!("../../samples/triple-des.p12"), "other").unwrap_err();
    assert_eq!(wrong, Pkcs12Error::Password);
}

#[test]
fn a_file_that_asks_for_much_work_is_refused() {
    let issued = issue(false);
    let file = seal(&issued.key, &issued.certificate, PASSWORD, [7; 48]).unwrap();
    // 2,048 rounds of the MAC, in the last bytes, become 8,388,607 in a longer number.
    let [.., tag, length, high, low] = file.as_slice() else { panic!("short") };
    assert_eq!([*tag, *length, *high, *low], [0x02, 0x02, 0x08, 0x00]);
    let mut large = file.clone();
    let at = large.len() - 2;
    large[at] = 0x7F;
    large[at + 1] = 0xFF;
    assert_eq!(open(&large, PASSWORD).unwrap_err(), Pkcs12Error::Password);
    assert_eq!(open(&vec![0x30; FILE_BYTES + 1], PASSWORD).unwrap_err(), Pkcs12Error::TooLarge);
    let mut opening = Pkcs12Opening::new(PASSWORD);
    assert!(opening.spend(ROUNDS).is_ok());
    assert_eq!(opening.spend(1), Err(Pkcs12Error::Rounds));
    assert_eq!(opening.spend(u64::MAX), Err(Pkcs12Error::Rounds));
}

#[test]
fn cut_off_files_are_damaged_or_changed() {
    let issued = issue(false);
    let file = seal(&issued.key, &issued.certificate, PASSWORD, [7; 48]).unwrap();
    for end in 0..file.len() {
        assert!(open(&file[..end], PASSWORD).is_err(), "{end}");
    }
    for at in (0..file.len()).step_by(7) {
        let mut changed = file.clone();
        changed[at] ^= 0x20;
        // Whatever comes of it, it is an answer.
        let _ = open(&changed, PASSWORD);
    }
}

#[test]
fn a_changed_file_of_openssl_is_refused_and_never_breaks_the_reader() {
    let sample = include_bytes!("../../samples/aes.p12");
    for index in (0..sample.len()).step_by(7) {
        let mut changed = sample.to_vec();
        changed[index] ^= 0x11;
        assert!(open(&changed[..index.max(1)], "quoin").is_err(), "cut at {index}");
    }
    let mut changed = sample.to_vec();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    assert_eq!(open(&changed, "quoin").unwrap_err(), Pkcs12Error::Password);
}

/// Nothing vouches for such a file as a whole, which whoever opens it is told.
#[test]
fn a_file_without_a_mac_is_not_one_of_today() {
    let opened = open(include_bytes!("../../samples/no-mac.p12"), "quoin").unwrap();
    assert_eq!(opened.certificates.len(), 2);
    assert!(!opened.is_of_today);
}
