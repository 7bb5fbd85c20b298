//! cXML over every official document: what is not in it as it was is listed.

use super::*;

#[test]
fn every_ubl_document_becomes_cxml() {
    let outcome = over_the_corpora(ConversionTarget::CXML, Syntax::is_ubl_invoice);
    let refused = [
        ("NoLines valid=false", 1),
        ("OtherTax valid=false", 36),
        ("OtherTax valid=true", 35),
        ("SpecificationWithoutPlace valid=false", 1),
        ("SpecificationWithoutPlace valid=true", 89),
        // Mostly the order or the contract, which the definition asks for.
        ("TermMissing valid=false", 130),
        ("TermMissing valid=true", 68),
        ("ThirdPartyPayment valid=false", 3),
        ("ThirdPartyPayment valid=true", 5),
        // A credit note below nought; a price of so many of another unit than the line's.
        ("ValueWithoutPlace valid=false", 22),
    ];
    outcome.holds(&refused, &[]);
}

#[test]
fn every_cii_document_becomes_cxml() {
    let outcome = over_the_corpora(ConversionTarget::CXML, is_cii);
    let refused = [
        ("LineHierarchy valid=false", 2),
        ("LineHierarchy valid=true", 9),
        ("NoLines valid=false", 3),
        ("NoLines valid=true", 4),
        ("TermMissing valid=false", 44),
        ("TermMissing valid=true", 140),
    ];
    outcome.holds(&refused, &[]);
}
