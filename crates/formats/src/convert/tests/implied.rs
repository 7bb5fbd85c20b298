//! Words that the place in the target implies: told by it where they say just that, else listed.

use super::netherlands::source;
use super::{CII, ConversionTarget, Converted, LossKind, converted, edit};

/// Targets that tell of a party, a reference or a quantity by the place what UBL tells by a word.
const TARGETS: [ConversionTarget; 6] = [
    ConversionTarget::EBINTERFACE,
    ConversionTarget::FATTURAPA,
    ConversionTarget::SVEFAKTURA,
    ConversionTarget::DICO,
    ConversionTarget::SETU,
    ConversionTarget::CXML,
];

fn written(target: ConversionTarget, text: &str) -> Converted {
    converted(text, target).unwrap_or_else(|refusal| panic!("{target:?}: {refusal}"))
}

/// Kind and value of the rows of leaves whose path ends so.
fn rows<'l>(converted: &'l Converted, path: &str) -> Vec<(LossKind, &'l str)> {
    let of_path = converted.losses.iter().filter(|loss| loss.source_path.ends_with(path));
    of_path.map(|loss| (loss.kind, loss.value.as_str())).collect()
}

#[test]
fn a_scheme_of_an_identifier_for_vat_that_does_not_say_vat_is_listed() {
    let own = "<cbc:CompanyID>NL123456789</cbc:CompanyID>";
    let with = |scheme: &str| {
        let other = format!("<cbc:CompanyID schemeID=\"{scheme}\">NL123456789</cbc:CompanyID>");
        source(&[(own, &other)])
    };
    for target in TARGETS.into_iter().chain([ConversionTarget::JSON]) {
        let path = "cac:PartyTaxScheme[1]/cbc:CompanyID[1]/@schemeID";
        let other = written(target, &with("ZZZ"));
        assert_eq!(rows(&other, path), [(LossKind::Lost, "ZZZ")], "{target:?}");
        assert_eq!(rows(&written(target, &with("VAT")), path), [], "{target:?}");
        let tax = "SupplierParty[1]/cac:Party[1]/cac:PartyTaxScheme[1]/cac:TaxScheme[1]/cbc:ID[1]";
        assert_eq!(rows(&other, tax), [], "{target:?}");
    }
}

#[test]
fn a_registration_for_a_certain_tax_is_one_for_any_other_in_ebinterface() {
    let place = "<cac:PartyTaxScheme><cbc:CompanyID>NL123456789</cbc:CompanyID>";
    let more = "<cac:PartyTaxScheme><cbc:CompanyID>G-9</cbc:CompanyID><cac:TaxScheme>\
        <cbc:ID>ENV</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>";
    let eb = written(ConversionTarget::EBINTERFACE, &source(&[(place, &format!("{more}{place}"))]));
    assert!(eb.has("<eb:FurtherIdentification IdentificationType=\"TaxID\">G-9<"));
    let path = "cac:PartyTaxScheme[1]/cac:TaxScheme[1]/cbc:ID[1]";
    assert!(rows(&eb, path).contains(&(LossKind::Changed, "ENV")), "{:?}", eb.rows());
}

#[test]
fn a_type_of_document_that_the_place_does_not_say_is_listed() {
    for (id, implied) in [
        ("<cbc:ID>DA-3</cbc:ID>", "351"),
        ("<cbc:ID>RA-4</cbc:ID>", "632"),
        ("<cbc:ID>LOT-5</cbc:ID>", "50"),
        ("<cbc:ID>C-6</cbc:ID>", "315"),
    ] {
        let with = |code: &str| {
            let code = format!("{id}<cbc:DocumentTypeCode>{code}</cbc:DocumentTypeCode>");
            source(&[(id, &code)])
        };
        let path = "DocumentReference[1]/cbc:DocumentTypeCode[1]";
        for target in TARGETS {
            let other = written(target, &with("ZZZ"));
            let own = rows(&other, path);
            assert!(own.contains(&(LossKind::Lost, "ZZZ")), "{target:?} {id} {:?}", other.rows());
        }
        let own = written(ConversionTarget::EBINTERFACE, &with(implied));
        let is_contract = implied == "315";
        assert_eq!(own.rows().iter().any(|row| row.2 == implied), is_contract, "{id}");
    }
}

#[test]
fn a_type_of_a_preceding_invoice_and_of_a_file_is_listed_where_it_is_another() {
    let invoice = "<cbc:ID>E-163</cbc:ID><cbc:IssueDate>2026-03-31</cbc:IssueDate>";
    let file = "<cbc:ID>ATT-9</cbc:ID>";
    let code =
        |id: &str, code: &str| format!("{id}<cbc:DocumentTypeCode>{code}</cbc:DocumentTypeCode>");
    let text = source(&[(invoice, &code(invoice, "381")), (file, &code(file, "ZZZ"))]);
    for target in TARGETS {
        let other = written(target, &text);
        for (path, value) in [
            ("cac:InvoiceDocumentReference[1]/cbc:DocumentTypeCode[1]", "381"),
            ("cac:AdditionalDocumentReference[2]/cbc:DocumentTypeCode[1]", "ZZZ"),
        ] {
            assert_eq!(rows(&other, path), [(LossKind::Lost, value)], "{target:?}");
        }
    }
}

#[test]
fn a_list_of_units_that_is_not_of_unece_is_listed() {
    let own = "<cbc:InvoicedQuantity unitCode=\"C62\">";
    let with = |list: &str| {
        let list = format!("<cbc:InvoicedQuantity unitCode=\"C62\" unitCodeListID=\"{list}\">");
        source(&[(own, &list)])
    };
    let path = "cbc:InvoicedQuantity[1]/@unitCodeListID";
    for target in TARGETS {
        let other = written(target, &with("ZLIST"));
        assert_eq!(rows(&other, path), [(LossKind::Lost, "ZLIST")], "{target:?}");
    }
    let eb = written(ConversionTarget::EBINTERFACE, &with("UNECERec20"));
    assert_eq!(rows(&eb, path), []);
}

#[test]
fn what_a_plain_line_is_for_is_listed_unless_it_is_counted() {
    let place = "<ram:LineID>1</ram:LineID>";
    let with = |reason: &str| {
        let more = format!("{place}<ram:LineStatusReasonCode>{reason}</ram:LineStatusReasonCode>");
        written(ConversionTarget::UBL, &edit(CII, &[(place, &more)]))
    };
    let path = "ram:LineStatusReasonCode[1]";
    assert_eq!(rows(&with("ZSTAT"), path), [(LossKind::Lost, "ZSTAT")]);
    assert_eq!(rows(&with("DETAIL"), path), []);
}
