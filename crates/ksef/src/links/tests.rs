//! Tests of `links`.

use jiff::civil::date;
use quoin_xmldsig::keys::{sha256, verify_link};
use rcgen::KeyUsagePurpose;

use super::*;
use crate::certificate::public_key_of;
use crate::testing::{NIP, certificate};

/// The first example of the Ministry, and the link that another program makes of it.
#[test]
#[expect(clippy::disallowed_methods, reason = "tests read the official files")]
fn the_link_of_an_official_example() {
    let path = "ksef-data/fa3-official-examples/FA_3_Przykład_1.xml";
    let Some(file) = quoin_testing::shared(path) else { return };
    let digest = sha256(&std::fs::read(file).unwrap());
    let link = invoice_link("https://qr.example/", "9999999999", date(2026, 2, 15), &digest);
    assert_eq!(
        link,
        "https://qr.example/invoice/9999999999/15-02-2026/X-wQflQVyRs1fImlI-xDPnWk1V37hys4O1lkx9iJbSA"
    );
}

#[test]
fn the_second_link_is_signed_without_its_scheme() {
    let context = AuthContext::Nip(NIP.to_owned());
    for rsa in [false, true] {
        let one = certificate(Some(KeyUsagePurpose::ContentCommitment), rsa);
        let link = certificate_link("https://qr.example", &context, NIP, &one, &[7; 32]).unwrap();
        let (unsigned, signature) = link.rsplit_once('/').unwrap();
        let digest = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc";
        assert_eq!(
            unsigned,
            format!("https://qr.example/certificate/Nip/{NIP}/{NIP}/01F20A5D01020304/{digest}")
        );
        let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap();
        assert_eq!(signature.len(), if rsa { 256 } else { 64 });
        let spki = public_key_of(one.der()).unwrap();
        let text = unsigned.strip_prefix("https://").unwrap();
        verify_link(&spki, text.as_bytes(), &signature).unwrap();
        assert!(verify_link(&spki, unsigned.as_bytes(), &signature).is_err());
    }
}
