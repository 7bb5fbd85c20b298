//! What several targets have no place for, and what a document cannot be without.

use quoin_model::en16931::{Invoice, Line};

use super::ConversionRefusal;

/// Groups of lines of Factur-X EXTENDED: BT-106 counts some of the lines only.
pub(crate) fn refuse_line_hierarchy(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let is_part = |line: &&Line<'_>| {
        let more = line.extensions.as_deref();
        more.is_some_and(|more| {
            more.parent.is_filled()
                || more.status_reason.is("GROUP")
                || more.status_reason.is("INFORMATION")
        })
    };
    match invoice.lines.iter().find(is_part) {
        Some(line) => Err(ConversionRefusal::LineHierarchy { path: line.element.path() }),
        None => Ok(()),
    }
}

/// BG-DEX-09 of XRechnung is added to the amount due (BR-DEX-09), so it cannot be left out.
pub(crate) fn refuse_third_party_payments(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let profile = invoice.process.customization.text().unwrap_or_default();
    let is_extension = profile.contains("kosit:extension:xrechnung");
    match invoice.extensions.prepaid_payments.first().filter(|_| is_extension) {
        Some(payment) => Err(ConversionRefusal::ThirdPartyPayment { path: payment.element.path() }),
        None => Ok(()),
    }
}

/// PINT is written in UBL only. Its European form has the rules of EN 16931; the others have rules,
/// codes and taxes of their own, and are no documents of EN 16931.
pub(crate) fn refuse_pint(invoice: &Invoice<'_>) -> Result<(), ConversionRefusal> {
    let specification = invoice.process.customization.text().unwrap_or_default();
    let is_pint = specification.starts_with("urn:peppol:pint:");
    match is_pint && !specification.contains("@eu-") {
        true => Err(ConversionRefusal::SpecificationWithoutPlace {
            specification: specification.into_owned(),
        }),
        false => Ok(()),
    }
}
