//! To DICO and SETU: what the Netherlands ask for, and what they have not.

use super::{
    ConversionRefusal, ConversionTarget, Converted, LossKind, UBL, compact, converted, edit,
};
use crate::convert::{ConversionRequest, convert_at};
use quoin_xml::tree::{Document, Limits};

const PAID: (&str, &str) = ("<cbc:PrepaidAmount currencyID=\"EUR\">100.00</cbc:PrepaidAmount>", "");
const ROUNDING: (&str, &str) =
    ("<cbc:PayableRoundingAmount currencyID=\"EUR\">0.50</cbc:PayableRoundingAmount>", "");
const DUE: (&str, &str) = (">138.00</cbc:PayableAmount>", ">237.50</cbc:PayableAmount>");

/// The UBL sample without a prepaid amount, with numbers that the targets ask for.
pub(super) fn source(changes: &[(&str, &str)]) -> String {
    let all: Vec<_> = [PAID, ROUNDING, DUE].iter().chain(changes).copied().collect();
    let text = edit(UBL, &all);
    let mut parts = text.split("<cbc:EndpointID schemeID=\"");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (_, rest) = part.split_once("</cbc:EndpointID>").unwrap();
        out.push_str("<cbc:EndpointID schemeID=\"0088\">8700000000019</cbc:EndpointID>");
        out.push_str(rest);
    }
    out
}

fn to(target: ConversionTarget, changes: &[(&str, &str)]) -> Result<Converted, ConversionRefusal> {
    converted(&source(changes), target)
}

fn setu(changes: &[(&str, &str)]) -> Converted {
    to(ConversionTarget::SETU, changes).expect("it has a place")
}

/// UBL has one note a line (UBL-SR-34).
#[test]
fn notes_of_a_line_are_one_text_in_ubl() {
    let note = "<FreeText>Breekbaar</FreeText>";
    let dico = edit(
        include_str!("../../../samples/dico.xml"),
        &[(note, &format!("{note}<FreeText>Staand vervoeren</FreeText>"))],
    );
    let ubl = converted(&dico, ConversionTarget::UBL).expect("it has a place");
    assert!(ubl.document.contains("<cbc:Note>Breekbaar\nStaand vervoeren</cbc:Note>"));
    for text in ["Breekbaar", "Staand vervoeren"] {
        assert!(has_row(&ubl, ("BT-127", LossKind::Merged, text)), "{:?}", ubl.rows());
    }
}

/// The country of an account is that of its IBAN.
#[test]
fn an_account_abroad_is_one_of_its_country() {
    let number = "<cbc:ID>NL02 ABNA 0123456789</cbc:ID>";
    let own = setu(&[(number, "<cbc:ID>DE75512108001245126199</cbc:ID>")]);
    let wanted = "bankJurisdiction=\"DE\"";
    assert!(own.has(wanted), "{}", own.document);
    let document = Document::parse(own.document.as_bytes(), &Limits::default()).unwrap();
    let reading = crate::readers::read_invoice(&document).unwrap();
    assert!(reading.residue.is_empty(), "{:?}", reading.residue);
    assert!(setu(&[]).has("bankJurisdiction=\"NL\""));
}

fn has_row(converted: &Converted, row: (&str, LossKind, &str)) -> bool {
    converted.rows().contains(&row)
}

#[test]
fn dico_has_no_credit_note_but_a_correction_whose_amounts_are_negative() {
    let text = source(&[]).replace("380</cbc:InvoiceTypeCode>", "381</cbc:InvoiceTypeCode>");
    let own = converted(&text, ConversionTarget::DICO).expect("it has a place");
    assert!(own.has("<InvoiceType>384</InvoiceType>"));
    assert!(own.has("<TotalInvoiceAmount>-237.50</TotalInvoiceAmount>"));
    assert!(has_row(&own, ("BT-3", LossKind::Changed, "381")));
    assert!(has_row(&own, ("BT-112", LossKind::Changed, "237.50")));
    let document = Document::parse(own.document.as_bytes(), &Limits::default()).unwrap();
    let again = crate::readers::read_invoice(&document).unwrap().invoice;
    assert!(again.type_code.is("381") && again.totals.one().unwrap().with_vat.is("237.50"));
}

#[test]
fn gln_is_mandatory_for_parties_of_dico() {
    let none = source(&[]).replace("schemeID=\"0088\"", "schemeID=\"0106\"");
    let refusal = converted(&none, ConversionTarget::DICO);
    assert!(
        matches!(refusal, Err(ConversionRefusal::Required { target: "GLN", .. })),
        "{refusal:?}"
    );
    // Thirteen digits without a scheme are not guessed to be one.
    let bare = source(&[]).replace(" schemeID=\"0088\"", "");
    assert!(converted(&bare, ConversionTarget::DICO).is_err());
}

#[test]
fn a_rounding_or_a_prepaid_amount_has_no_place_and_the_total_would_not_hold() {
    for target in [ConversionTarget::DICO, ConversionTarget::SETU] {
        for due in [">138.00</cbc:PayableAmount>", ">238.00</cbc:PayableAmount>"] {
            let refusal = to(target, &[(DUE.1, due)]);
            assert!(matches!(refusal, Err(ConversionRefusal::SumsDiffer { .. })), "{refusal:?}");
        }
    }
}

#[test]
fn pieces_are_one_code_in_dico_and_units_of_no_list_are_lost() {
    let units: Vec<_> = ["KGM", "SET"]
        .iter()
        .map(|code| {
            let text = source(&[]);
            let at = text.find("<cbc:InvoicedQuantity unitCode=\"").unwrap();
            let (head, tail) = text.split_at(at);
            let (_, rest) = tail.split_once("\">").unwrap();
            let text = format!("{head}<cbc:InvoicedQuantity unitCode=\"{code}\">{rest}");
            converted(&text, ConversionTarget::DICO).expect("it has a place")
        })
        .collect();
    assert!(units[0].has("<DeliveredQuantityUoM>KGM</DeliveredQuantityUoM>"));
    assert!(has_row(&units[1], ("BT-130", LossKind::Lost, "SET")));
}

#[test]
fn long_notes_of_dico_are_in_several_texts() {
    let long = "woord ".repeat(30);
    let note = format!("<cbc:Note>{}</cbc:Note>", long.trim());
    let text = source(&[]);
    let place = "<cbc:DocumentCurrencyCode>";
    let own =
        converted(&text.replacen(place, &format!("{note}{place}"), 1), ConversionTarget::DICO)
            .expect("it has a place");
    assert!(own.count("<FreeText>") >= 3, "{}", own.document);
    assert!(
        own.document
            .lines()
            .filter(|line| line.contains("<FreeText>woord"))
            .all(|line| { line.trim().len() <= "<FreeText></FreeText>".len() + 70 })
    );
}

#[test]
fn setu_has_the_euro_only() {
    let text = source(&[]).replace("EUR", "SEK");
    let refusal = converted(&text, ConversionTarget::SETU);
    assert!(matches!(refusal, Err(ConversionRefusal::ValueWithoutPlace { .. })), "{refusal:?}");
}

#[test]
fn hour_types_are_the_unit_of_setu() {
    let hours = |attribute: &str| {
        let text = source(&[]);
        let at = text.find("<cbc:InvoicedQuantity unitCode=\"").unwrap();
        let (head, tail) = text.split_at(at);
        let (_, rest) = tail.split_once("\">").unwrap();
        let text = format!("{head}<cbc:InvoicedQuantity unitCode=\"HUR\">{rest}");
        let place = "<cac:AdditionalItemProperty>";
        let text = text.replacen(place, &format!("{attribute}{place}"), 1);
        converted(&text, ConversionTarget::SETU).expect("it has a place")
    };
    assert!(hours("").has("<ItemQuantity uom=\"Regular\">"));
    let overtime = hours(
        "<cac:AdditionalItemProperty><cbc:Name>HourType</cbc:Name><cbc:Value>Overtime</cbc:Value>\
         </cac:AdditionalItemProperty>",
    );
    assert!(overtime.has("<ItemQuantity uom=\"Overtime\">"));
    assert!(!overtime.rows().iter().any(|row| row.2 == "HourType"), "{:?}", overtime.rows());
    let text = source(&[])
        .replace("<cbc:InvoicedQuantity unitCode=\"", "<cbc:InvoicedQuantity unitCode=\"DAY");
    assert!(converted(&text, ConversionTarget::SETU).is_err(), "days are neither hours nor pieces");
}

#[test]
fn one_pdf_without_its_name_is_in_setu() {
    let own = setu(&[]);
    assert!(own.count("<Attachment>") <= 1 && own.count("<FileName>") == 0);
}

#[test]
fn buyer_and_seller_are_named_twice_in_setu() {
    let own = setu(&[]);
    for name in ["CustomerParty", "BillToParty", "SupplierParty", "RemitToParty"] {
        assert_eq!(own.count(&format!("<{name}>")), 1, "{name}");
    }
}

#[test]
fn the_invoice_of_setu_2_is_ubl_and_keeps_its_extension_there_only() {
    let extension = "<ext:UBLExtensions xmlns:ext=\"urn:oasis:names:specification:ubl:schema:xsd:\
        CommonExtensionComponents-2\"><ext:UBLExtension><ext:ExtensionContent>\
        <setu:InvoiceExtension xmlns:setu=\"http://ns.setu.nl/2016-11\"><setu:DepartmentName>Noord\
        </setu:DepartmentName></setu:InvoiceExtension></ext:ExtensionContent></ext:UBLExtension>\
        </ext:UBLExtensions>";
    let text = compact(UBL).replacen(
        "<cbc:CustomizationID>",
        &format!("{extension}<cbc:CustomizationID>"),
        1,
    );
    let same = converted(&text, ConversionTarget::UBL).unwrap();
    assert!(same.losses.is_empty() && same.document.contains("DepartmentName"));
    for target in [ConversionTarget::CII, ConversionTarget::JSON] {
        let other = converted(&text, target).unwrap();
        assert!(has_row(&other, ("-", LossKind::Lost, "Noord")), "{:?}", other.rows());
    }
    // And it can be asked for as a specification.
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let specification = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0#compliant#\
                         urn:fdc:setu.nl:invoice:v2.2";
    let request =
        ConversionRequest { specification: Some(specification), ..ConversionTarget::UBL.into() };
    let asked = convert_at(document.root(), request).unwrap();
    assert!(asked.document.contains(specification));
}
