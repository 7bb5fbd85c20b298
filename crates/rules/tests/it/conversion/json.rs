//! The JSON form over every official document: there, and back to where it came from.

use super::*;

#[test]
fn every_ubl_document_becomes_json() {
    let outcome = over_the_corpora(ConversionTarget::JSON, Syntax::is_ubl_invoice);
    let refused = [
        ("OtherTax valid=false", 36),
        ("OtherTax valid=true", 35),
        ("SpecificationWithoutPlace valid=false", 1),
        ("SpecificationWithoutPlace valid=true", 89),
        ("ThirdPartyPayment valid=false", 3),
        ("ThirdPartyPayment valid=true", 5),
    ];
    outcome.holds(&refused, &[]);
}

#[test]
fn every_cii_document_becomes_json() {
    let outcome = over_the_corpora(ConversionTarget::JSON, is_cii);
    outcome.holds(&[("LineHierarchy valid=false", 2), ("LineHierarchy valid=true", 9)], &[]);
}

/// What is missing or new after both ways is listed by one of them, and what was valid is valid.
#[test]
fn every_document_comes_back_from_json() {
    let (mut count, mut found) = (0, Vec::new());
    let mut outcome = Outcome::default();
    for (path, bytes) in documents() {
        let parsed = read(&bytes);
        let Some(root) = parsed.root() else { continue };
        let Some(reading) = read_invoice_at(root) else { continue };
        let back = match reading.syntax {
            Syntax::UblInvoice | Syntax::UblCreditNote => ConversionTarget::UBL,
            Syntax::Cii => ConversionTarget::CII,
            _ => continue,
        };
        let Ok(there) = convert_at(root, ConversionTarget::JSON) else { continue };
        let middle = read(there.document.as_bytes());
        let Ok(again) = convert_at(middle.root().unwrap(), back) else { continue };
        let end = read(again.document.as_bytes());
        let losses = [there.losses, again.losses].concat();
        let end_invoice = read_invoice_at(end.root().unwrap()).unwrap();
        let lost = unlisted(&reading.invoice, &end_invoice.invoice, &losses);
        found.extend(lost.iter().map(|lost| format!("{} {lost}", path.display())));
        count += 1;
        let before = report(&parsed);
        if before.is_judged && fatal(&before).is_empty() {
            outcome.valid += 1;
            let name = path.display().to_string();
            outcome.validity(&name, &fatal(&report(&end)), &losses);
        }
    }
    println!("{count} documents through JSON and back: {outcome:#?}");
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(outcome.no_longer_valid, BTreeMap::new());
    assert_eq!(outcome.still_valid, outcome.valid);
}
