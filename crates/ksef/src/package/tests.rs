//! Tests of `package`.

use quoin_xmldsig::keys::{Decrypter, PrivateKey};

use super::*;
use crate::testing::{issue, now};

fn key() -> SessionKey {
    let mut bytes = [0; 48];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = at as u8;
    }
    SessionKey::from_random(bytes)
}

fn invoices(count: usize) -> Vec<(String, Vec<u8>)> {
    let one = |at: usize| (format!("{at}.xml"), format!("<Faktura>{at}</Faktura>").into_bytes());
    (0..count).map(one).collect()
}

fn borrowed(all: &[(String, Vec<u8>)]) -> Vec<PackageInvoice<'_>> {
    all.iter().map(|(name, xml)| PackageInvoice { name, xml }).collect()
}

#[test]
fn a_package_goes_there_and_back() {
    let all = invoices(300);
    let package = pack(&borrowed(&all), &key(), 1_000).unwrap();
    assert!(package.parts.len() > 10);
    let mut archive = Vec::new();
    for (part, told) in package.parts.iter().zip(&package.file.file_parts) {
        assert_eq!(told.file_size, part.len() as u64);
        assert_eq!(told.file_hash, digest(part));
        archive.extend(key().open(part).unwrap());
    }
    assert_eq!(package.file.file_size, archive.len() as u64);
    assert_eq!(package.file.file_hash, digest(&archive));
    assert_eq!(read_archive(&archive, 300, 1 << 20).unwrap(), all);
    assert_eq!(read_archive(&archive, 299, 1 << 20), Err(ArchiveError::Files(300)));
    assert_eq!(read_archive(&archive, 300, 100), Err(ArchiveError::TooLarge));
    // The same input, the same bytes: a repeat after a crash uploads the same parts.
    assert_eq!(pack(&borrowed(&all), &key(), 1_000).unwrap().parts, package.parts);
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |all: &[(String, Vec<u8>)]| pack(&borrowed(all), &key(), PART_BYTES).unwrap_err();
    assert_eq!(refused(&[]), PackageError::Empty);
    assert_eq!(refused(&invoices(10_001)), PackageError::Invoices(10_001));
    let large = |bytes: usize| vec![("a.xml".to_owned(), vec![b'x'; bytes])];
    assert!(pack(&borrowed(&large(1_000_000)), &key(), PART_BYTES).is_ok());
    assert!(matches!(refused(&large(1_000_001)), PackageError::Invoice { found: 1_000_001, .. }));
    let mut with_attachment = large(3_000_000);
    with_attachment[0].1[..9].copy_from_slice(b"Zalacznik");
    assert!(pack(&borrowed(&with_attachment), &key(), PART_BYTES).is_ok());
    for name in ["", "a/b.xml", "a\\b.xml"] {
        let all = vec![(name.to_owned(), vec![b'x'])];
        assert_eq!(refused(&all), PackageError::Name(name.to_owned()));
    }
    let name = "ż".repeat(129);
    assert!(matches!(refused(&[(name, vec![b'x'])]), PackageError::Name(_)));
    assert!(pack(&borrowed(&[("ż".repeat(128), vec![b'x'])]), &key(), PART_BYTES).is_ok());
    let twice = vec![("a.xml".to_owned(), vec![b'x']); 2];
    assert_eq!(refused(&twice), PackageError::Name("a.xml".to_owned()));
    // More than fifty parts.
    let bytes: Vec<u8> =
        (0..60_000u32).flat_map(|n| (n.wrapping_mul(2_654_435_761)).to_le_bytes()).collect();
    let all = vec![("a.xml".to_owned(), bytes)];
    assert_eq!(pack(&borrowed(&all), &key(), 1_000).unwrap_err(), PackageError::Archive);
}

#[test]
fn the_key_is_for_the_system_alone() {
    let issued = issue(None, true);
    let told = PublicKeyCertificate {
        certificate: BASE64.encode(&issued.certificate),
        certificate_id: String::new(),
        public_key_id: "i".repeat(44),
        valid_from: now(),
        valid_to: now(),
        usage: vec!["SymmetricKeyEncryption".to_owned()],
    };
    let wrapped = key().wrapped(&told).unwrap();
    let bytes = BASE64.decode(wrapped.encrypted_symmetric_key.as_bytes()).unwrap();
    let private = PrivateKey::from_pkcs8(&issued.key).unwrap();
    assert_eq!(private.decrypt_oaep(&bytes).unwrap(), key().key);
    assert_eq!(wrapped.initialization_vector, BASE64.encode(&key().iv));
    assert_eq!(wrapped.public_key_id.as_deref(), Some("i".repeat(44).as_str()));
    let broken = PublicKeyCertificate { certificate: "AAAA".to_owned(), ..told };
    assert_eq!(key().wrapped(&broken).unwrap_err(), PackageError::PublicKey);
    assert_eq!(format!("{:?}", key()), "SessionKey(***)");
}

/// The sizes of an example in the documentation: no vector stands before the text.
#[test]
fn padding_alone_is_added() {
    assert_eq!(key().seal(&[0; 16_037]).unwrap().len(), 16_048);
    assert_eq!(key().seal(&[0; 6_480]).unwrap().len(), 6_496);
    let sealed = key().seal(b"text").unwrap();
    assert_eq!(key().open(&sealed).unwrap(), b"text");
    assert!(key().open(&sealed[..15]).is_err());
    let other = SessionKey { key: [9; 32], ..key() };
    assert!(other.open(&sealed).is_err());
}

#[test]
fn one_invoice_for_an_online_session() {
    let request = send_request(b"<Faktura/>", &key(), true, Some(&[1; 32])).unwrap();
    assert_eq!(request.invoice_size, 10);
    assert_eq!(request.invoice_hash, digest(b"<Faktura/>"));
    let sealed = BASE64.decode(request.encrypted_invoice_content.as_bytes()).unwrap();
    assert_eq!(request.encrypted_invoice_hash, digest(&sealed));
    assert_eq!(request.encrypted_invoice_size, 16);
    assert!(request.offline_mode && request.hash_of_corrected_invoice.is_some());
}

#[test]
fn archives_of_others() {
    assert_eq!(read_archive(b"", 10, 10), Err(ArchiveError::Damaged));
    assert_eq!(read_archive(b"PK\x05\x06", 10, 10), Err(ArchiveError::Damaged));
    let all = invoices(3);
    let package = pack(&borrowed(&all), &key(), PART_BYTES).unwrap();
    let archive = key().open(&package.parts[0]).unwrap();
    // The two last bytes say that no comment follows.
    for end in 0..archive.len() - 2 {
        assert!(read_archive(&archive[..end], 10, 1_000).is_err(), "{end}");
    }
    for at in 0..archive.len() {
        let mut changed = archive.clone();
        changed[at] ^= 0xFF;
        let _ = read_archive(&changed, 10, 1_000);
    }
}
