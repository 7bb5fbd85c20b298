//! Rows B-05, B-06, B-14 and C-11: encryption, and what happens when it cannot be undone.

use quoin_xml::base64;
use quoin_xml::namespaces::{DS, SHA256, XENC, XENC11};
use quoin_xmldsig::keys::{AES_128_KEY_LENGTH, Decrypter, KeyError};

use super::super::names::*;
use super::super::*;
use super::fixture::*;

const SHA1: &str = "http://www.w3.org/2000/09/xmldsig#sha1";

#[track_caller]
fn refused_with(code: EbmsCode, forged: &Forged) -> As4Refusal {
    let refusal = forged.refused();
    assert_eq!(refusal.code, code, "{refusal}");
    refusal
}

#[test]
fn b_05_the_attachment_is_encrypted_as_the_profile_says() {
    let forged = Forged::new();
    let document = parse(&forged.envelope);
    let key = find(&document, "EncryptedKey");
    let algorithm = |e: quoin_xml::tree::Element<'_>| e.attribute("Algorithm").unwrap().to_owned();
    let method = key.child(XENC, "EncryptionMethod").unwrap();
    assert_eq!(algorithm(method), RSA_OAEP);
    assert_eq!(algorithm(method.child(DS, "DigestMethod").unwrap()), SHA256);
    assert_eq!(algorithm(method.child(XENC11, "MGF").unwrap()), MGF1_SHA256);
    let data = find(&document, "EncryptedData");
    assert_eq!(data.attribute("Type"), Some(SWA_CONTENT_ONLY));
    assert_eq!(algorithm(data.child(XENC, "EncryptionMethod").unwrap()), AES128_GCM);
    assert_eq!(forged.envelope.matches("<xenc:EncryptedKey ").count(), 1);
    assert!(!canonical(find(&document, "Messaging"), &[]).contains("Encrypted"));
}

#[test]
fn b_05_the_vector_comes_first_and_the_tag_last() {
    let forged = Forged::new();
    assert_eq!(forged.ciphertext[..12], [7; 12]);
    let tag = forged.ciphertext.len() - 16;
    for index in [0, 11, 12, tag - 1, tag, forged.ciphertext.len() - 1] {
        let mut changed = forged.clone();
        changed.ciphertext[index] ^= 1;
        refused_with(EbmsCode::FailedDecryption, &changed);
    }
}

#[test]
fn b_06_only_the_algorithms_of_the_profile_decrypt() {
    let oaep_sha1 = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p";
    let digest = format!("<ds:DigestMethod xmlns:ds=\"{DS}\" Algorithm=\"{SHA256}\">");
    let no_digest = format!("{digest}</ds:DigestMethod>");
    let mask = format!("<xenc11:MGF xmlns:xenc11=\"{XENC11}\" Algorithm=\"{MGF1_SHA256}\">");
    let no_mask = format!("{mask}</xenc11:MGF>");
    for (from, to) in [
        (RSA_OAEP, oaep_sha1),
        (RSA_OAEP, "http://www.w3.org/2001/04/xmlenc#rsa-1_5"),
        (AES128_GCM, "http://www.w3.org/2001/04/xmlenc#aes128-cbc"),
        (AES128_GCM, "http://www.w3.org/2009/xmlenc11#aes256-gcm"),
        (MGF1_SHA256, "http://www.w3.org/2009/xmlenc11#mgf1sha1"),
        (MGF1_SHA256, "http://www.w3.org/2009/xmlenc11#mgf1sha512"),
        (digest.as_str(), &digest.replace(SHA256, SHA1)),
        (no_digest.as_str(), ""),
        (no_mask.as_str(), ""),
        (SWA_CONTENT_ONLY, "http://www.w3.org/2001/04/xmlenc#Element"),
    ] {
        refused_with(EbmsCode::PolicyNoncompliance, &Forged::new().edit(from, to));
    }
}

#[test]
fn b_06_an_unencrypted_attachment_is_refused() {
    let mut forged = Forged::new();
    let start = forged.envelope.find("<xenc:EncryptedData ").unwrap();
    let end =
        forged.envelope.find("</xenc:EncryptedData>").unwrap() + "</xenc:EncryptedData>".len();
    let data = forged.envelope[start..end].to_owned();
    forged.ciphertext = forged.octets.clone();
    let refusal = refused_with(EbmsCode::FailedDecryption, &forged.edit(&data, ""));
    assert!(refusal.detail.contains("not encrypted"), "{refusal}");
}

#[test]
fn b_06_one_key_belongs_to_the_data() {
    let forged = Forged::new();
    let start = forged.envelope.find("<xenc:EncryptedKey ").unwrap();
    let end = forged.envelope.find("</xenc:EncryptedKey>").unwrap() + "</xenc:EncryptedKey>".len();
    let key = forged.envelope[start..end].to_owned();
    let none = refused_with(EbmsCode::PolicyNoncompliance, &forged.clone().edit(&key, ""));
    assert!(none.detail.contains("EncryptedKey"), "{none}");
    let two = refused_with(EbmsCode::PolicyNoncompliance, &forged.edit(&key, &key.repeat(2)));
    assert!(two.detail.contains("more than one EncryptedKey"), "{two}");
}

/// What the key belongs to is told by an id, which is that of one element.
#[test]
fn b_07_two_data_do_not_have_one_id() {
    let forged = Forged::new();
    let start = forged.envelope.find("<xenc:EncryptedData ").unwrap();
    let end =
        forged.envelope.find("</xenc:EncryptedData>").unwrap() + "</xenc:EncryptedData>".len();
    let data = forged.envelope[start..end].to_owned();
    for second in [data.clone(), data.replace("cid:payload", "cid:other")] {
        let refusal = refused_with(
            EbmsCode::FailedAuthentication,
            &forged.clone().edit(&data, &format!("{data}{second}")),
        );
        assert!(refusal.detail.contains("duplicate id"), "{refusal}");
    }
}

/// Both ways in which senders tie key and data together are read.
#[test]
fn b_05_the_key_is_found_by_list_or_by_name() {
    let list = "<xenc:ReferenceList><xenc:DataReference URI=\"#_encrypted-data\">\
                </xenc:DataReference></xenc:ReferenceList>";
    Forged::new().edit(list, "").open().unwrap();
    let forged = Forged::new();
    let data = forged.envelope.find("<xenc:EncryptedData ").unwrap();
    let start = data + forged.envelope[data..].find("<ds:KeyInfo").unwrap();
    let end =
        start + forged.envelope[start..].find("</ds:KeyInfo>").unwrap() + "</ds:KeyInfo>".len();
    let info = forged.envelope[start..end].to_owned();
    forged.edit(&info, "").open().unwrap();
}

#[test]
fn b_14_an_earlier_key_still_decrypts() {
    let (sender, earlier) = (seat(SENDER), seat(EARLIER));
    let sent = seal(&user_message(), PAYLOAD, &sender.own, &earlier.peer, &entropy()).unwrap();
    assert_eq!(open(&sent.http).unwrap().payload, PAYLOAD);
    let own = OwnIdentity { decryption: Vec::new(), ..seat(RECEIVER).own.clone() };
    let incoming = Incoming::read(&sent.http.content_type, &sent.http.body).unwrap();
    let refusal = incoming.open(&own, &Known).unwrap_err();
    assert_eq!(refusal.code, EbmsCode::FailedDecryption);
}

#[test]
fn b_14_a_message_for_another_key_is_refused() {
    let third = &seat(THIRD).peer;
    let sent = seal(&user_message(), PAYLOAD, &seat(SENDER).own, third, &entropy()).unwrap();
    assert_eq!(open(&sent.http).unwrap_err().code, EbmsCode::FailedDecryption);
}

/// A module that fails says nothing about the message: that is no refusal, which would be final.
#[test]
fn b_14_a_key_that_cannot_be_used_refuses_nothing() {
    struct Module(KeyError);
    impl Decrypter for Module {
        fn decrypt_oaep(&self, _: &[u8]) -> Result<Vec<u8>, KeyError> {
            Err(self.0)
        }
    }
    let (sender, receiver) = (seat(SENDER), seat(RECEIVER));
    let sent = seal(&user_message(), PAYLOAD, &sender.own, &receiver.peer, &entropy()).unwrap();
    let incoming = Incoming::read(&sent.http.content_type, &sent.http.body).unwrap();
    let opened = |error| {
        let mut own = OwnIdentity::clone(&receiver.own);
        for key in &mut own.decryption {
            key.key = std::sync::Arc::new(Module(error));
        }
        incoming.open_within(&own, &Known, &mut |_, _| true).err()
    };
    let fails = OpenFailure::KeyFails { message_id: MESSAGE_ID.to_owned() };
    assert_eq!(opened(KeyError::Operation), Some(fails));
    let Some(OpenFailure::Refused(refusal)) = opened(KeyError::Decryption) else { panic!("taken") };
    assert_eq!(refusal.code, EbmsCode::FailedDecryption);
}

/// Whatever fails while decrypting, the sender reads the same words.
#[test]
fn c_11_every_failure_to_decrypt_reads_the_same() {
    let forged = Forged::new();
    let value = find(&parse(&forged.envelope), "CipherValue").text().into_owned();
    let short_key = |length: usize| {
        base64::encode(&seat(RECEIVER).peer.key.encrypt_oaep(&vec![7; length]).unwrap())
    };
    let wrong_key = seat(THIRD).peer.key.encrypt_oaep(&[7; AES_128_KEY_LENGTH]).unwrap();
    let mut tampered = forged.clone();
    tampered.ciphertext[20] ^= 1;
    let mut cut = forged.clone();
    cut.ciphertext.truncate(5);
    let other_owner = base64::encode(&seat(RECEIVER).own.certificate);
    let cases = [
        tampered,
        cut,
        forged.clone().edit(&value, &base64::encode(&wrong_key)),
        forged.clone().edit(&value, &short_key(15)),
        forged.clone().edit(&value, &short_key(32)),
        forged.clone().edit(&value, "?"),
        forged.clone().edit(&value, ""),
        forged.edit(&other_owner, &base64::encode(&seat(THIRD).own.certificate)),
    ];
    let refusals: Vec<As4Refusal> = cases.iter().map(|case| case.refused()).collect();
    for refusal in &refusals {
        assert_eq!(refusal, &refusals[0]);
        assert_eq!(refusal.code, EbmsCode::FailedDecryption);
    }
}

/// No private key is used before the signature over the header verified.
#[test]
fn b_07_the_signature_is_verified_before_anything_is_decrypted() {
    let mut forged = Forged::new().edit("991825827", "991825828");
    forged.ciphertext[20] ^= 1;
    refused_with(EbmsCode::FailedAuthentication, &forged);
}
