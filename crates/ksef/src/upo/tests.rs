//! Tests of `upo`.

use rcgen::KeyUsagePurpose;

use super::*;
use crate::testing::{certificate, now};

const FOLDER: &str = "ksef-data/upo-examples/v4-3";

#[test]
#[expect(clippy::disallowed_methods, reason = "tests read the official files")]
fn the_official_examples_are_read() {
    let Some(folder) = quoin_testing::shared(FOLDER) else { return };
    let mut seen = 0;
    for context in std::fs::read_dir(folder).unwrap() {
        for file in std::fs::read_dir(context.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let upo = read_upo(&std::fs::read(&path).unwrap()).unwrap();
            let of_session = path.file_name().unwrap().to_str().unwrap().contains("sesja");
            assert_eq!(upo.page.is_some(), of_session, "{}", path.display());
            assert_eq!(upo.form, "FA (3)");
            assert!(upo.receiver.starts_with("Ministerstwo Finansów"));
            assert_eq!(upo.signer, None);
            for document in &upo.documents {
                assert_eq!(document.offline, Some(false));
                crate::number::KsefNumber::parse(&document.ksef_number).unwrap();
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 6);
}

const NUMBER: &str = "5265877635-20250916-010040741B3E-46";

fn sample(documents: &str) -> String {
    format!(
        "<Potwierdzenie xmlns=\"{UPO_4_3}\"><NazwaPodmiotuPrzyjmujacego>Ministerstwo Finansów\
         </NazwaPodmiotuPrzyjmujacego><NumerReferencyjnySesji>20260916-SB-0123456789-0123456789-AA\
         </NumerReferencyjnySesji><Uwierzytelnienie><IdKontekstu><Nip>5265877635</Nip></IdKontekstu>\
         <SkrotDokumentuUwierzytelniajacego>AAAA</SkrotDokumentuUwierzytelniajacego>\
         </Uwierzytelnienie><NazwaStrukturyLogicznej>Schemat_FA(3)_v1-0E.xsd\
         </NazwaStrukturyLogicznej><KodFormularza>FA (3)</KodFormularza>{documents}</Potwierdzenie>"
    )
}

fn document(digest: &[u8; 32]) -> String {
    format!(
        "<Dokument><NipSprzedawcy>5265877635</NipSprzedawcy><NumerKSeFDokumentu>{NUMBER}\
         </NumerKSeFDokumentu><NumerFaktury>FV/1</NumerFaktury><DataWystawieniaFaktury>2026-09-16\
         </DataWystawieniaFaktury><DataPrzeslaniaDokumentu>2026-09-16T11:29:41.5+02:00\
         </DataPrzeslaniaDokumentu><DataNadaniaNumeruKSeF>2026-09-16T11:29:42+02:00\
         </DataNadaniaNumeruKSeF><SkrotDokumentu>{}</SkrotDokumentu><TrybWysylki>Offline\
         </TrybWysylki></Dokument>",
        BASE64.encode(digest)
    )
}

#[test]
fn a_receipt_is_held_against_what_was_sent() {
    let seal = certificate(Some(KeyUsagePurpose::DigitalSignature), true);
    let signed = seal.sign_document(&sample(&document(&[7; 32])), now()).unwrap();
    let upo = check_upo(signed.as_bytes(), &[7; 32], NUMBER).unwrap();
    assert_eq!(upo.signer.as_deref(), Some(seal.der()));
    assert_eq!(upo.documents[0].offline, Some(true));
    assert_eq!(upo.documents[0].numbered, "2026-09-16T09:29:42Z".parse().unwrap());
    let other = check_upo(signed.as_bytes(), &[8; 32], NUMBER).unwrap_err();
    assert!(matches!(other, UpoError::Digest { .. }), "{other}");
    let other = check_upo(signed.as_bytes(), &[7; 32], "other").unwrap_err();
    assert!(matches!(other, UpoError::Number { .. }), "{other}");
    let changed = signed.replace("FV/1", "FV/2");
    assert!(matches!(read_upo(changed.as_bytes()), Err(UpoError::Signature(_))));
    let unsigned = sample(&document(&[7; 32]));
    let missing = check_upo(unsigned.as_bytes(), &[7; 32], NUMBER).unwrap_err();
    assert_eq!(missing, UpoError::Signature(SignatureError::Missing("ds:Signature")));
}

#[test]
fn other_documents_are_no_receipts() {
    let none = read_upo(sample("").as_bytes()).unwrap_err();
    assert_eq!(none, UpoError::Documents(0));
    let two = sample(&document(&[7; 32]).repeat(2));
    assert_eq!(read_upo(two.as_bytes()).unwrap().documents.len(), 2);
    assert!(matches!(read_upo(b"<a/>"), Err(UpoError::Root(_))));
    assert!(matches!(read_upo(b"nothing"), Err(UpoError::Xml(_))));
    let odd = sample(&document(&[7; 32])).replace("2026-09-16</Data", "yesterday</Data");
    assert_eq!(read_upo(odd.as_bytes()), Err(UpoError::Element("DataWystawieniaFaktury")));
    let doctype = format!("<!DOCTYPE a [<!ENTITY b 'c'>]>{}", sample(&document(&[7; 32])));
    assert!(matches!(read_upo(doctype.as_bytes()), Err(UpoError::Xml(_))));
}
