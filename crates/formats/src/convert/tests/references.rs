//! Notes, references, dates and lines.

use super::{ConversionTarget, LossKind, converted, to_cii, to_ubl};

#[test]
fn the_subject_code_of_a_note_is_no_text() {
    let cii = to_cii(&[]);
    assert!(cii.has(
        "<ram:Content>Every term once</ram:Content>\
        <ram:SubjectCode>AAI</ram:SubjectCode>"
    ));
    assert!(to_ubl(&[]).has("<cbc:Note>#AAI#Every term once</cbc:Note>"));
    // What is no code of UNTDID 4451 is text.
    let cii = to_cii(&[("#AAI#", "#QQQ#")]);
    assert!(cii.has("<ram:Content>#QQQ#Every term once</ram:Content></ram:IncludedNote>"));
    // A text of CII that begins so is read as a code in UBL, which is said.
    let subject = "<ram:SubjectCode>AAI</ram:SubjectCode>";
    let ubl = to_ubl(&[(subject, ""), (">Every term once<", ">#AAI#Every term once<")]);
    assert!(ubl.rows().contains(&("BT-22", LossKind::Changed, "#AAI#Every term once")));
}

#[test]
fn identifiers_and_classifications_of_an_item_are_all_there() {
    let cii = to_cii(&[]);
    for kept in [
        "<ram:GlobalID schemeID=\"0160\">7300010000001</ram:GlobalID>",
        "<ram:SellerAssignedID>S-1</ram:SellerAssignedID>",
        "<ram:BuyerAssignedID>B-1</ram:BuyerAssignedID>",
        "<ram:ClassCode listID=\"STI\" listVersionID=\"21\">65434568</ram:ClassCode>",
        "<ram:BasisQuantity unitCode=\"C62\">1</ram:BasisQuantity>",
    ] {
        assert!(cii.has(kept), "{kept}");
    }
}

#[test]
fn line_numbers_and_names_of_attributes_stay_as_they_are() {
    let ubl = to_ubl(&[
        ("<ram:LineID>1</ram:LineID>", "<ram:LineID>A/01.b</ram:LineID>"),
        (
            "<ram:Description>Colour</ram:Description>",
            "<ram:Description>Größe (in cm)</ram:Description>",
        ),
    ]);
    assert!(ubl.has("<cbc:ID>A/01.b</cbc:ID>") && ubl.has("<cbc:Name>Größe (in cm)</cbc:Name>"));
}

#[test]
fn the_tax_point_is_read_from_any_group_and_its_code_is_of_the_list() {
    for (ubl, cii) in [("3", "5"), ("35", "29"), ("432", "72")] {
        let from = "<cbc:DescriptionCode>35</cbc:DescriptionCode>";
        let there = to_cii(&[(from, &from.replace("35", ubl))]);
        assert!(there.has(&format!("<ram:DueDateTypeCode>{cii}</ram:DueDateTypeCode>")));
        let back = converted(&there.document, ConversionTarget::UBL).unwrap();
        assert!(back.has(&from.replace("35", ubl)));
    }
    let first = "<ram:ApplicableTradeTax><ram:CalculatedAmount>0</ram:CalculatedAmount>\
        </ram:ApplicableTradeTax>";
    let place = "<ram:ApplicableTradeTax><ram:CalculatedAmount>47.50";
    let text = super::compact(super::CII);
    assert!(text.contains(place));
    let text = text.replacen(place, &format!("{first}{place}"), 1);
    let ubl = converted(&text, ConversionTarget::UBL).unwrap();
    assert!(ubl.has("<cbc:TaxPointDate>2026-05-05</cbc:TaxPointDate>"));
    assert!(ubl.has("<cbc:DescriptionCode>35</cbc:DescriptionCode>"));
}

#[test]
fn a_corrected_invoice_stays_one() {
    for code in ["384", "389", "326", "751"] {
        let ubl = to_ubl(&[("<ram:TypeCode>380<", &format!("<ram:TypeCode>{code}<"))]);
        assert!(ubl.has(&format!("<cbc:InvoiceTypeCode>{code}</cbc:InvoiceTypeCode>")));
    }
}

#[test]
fn a_second_preceding_invoice_has_a_row() {
    let place = "<cac:DespatchDocumentReference>";
    let second = "<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>E-162</cbc:ID>\
        <cbc:IssueDate>2026-02-28</cbc:IssueDate></cac:InvoiceDocumentReference>\
        </cac:BillingReference>";
    let cii = to_cii(&[(place, &format!("{second}{place}"))]);
    assert!(cii.has("<ram:IssuerAssignedID>E-163</ram:IssuerAssignedID>"));
    assert!(cii.rows().contains(&("BT-25", LossKind::Lost, "E-162")));
    assert!(cii.rows().contains(&("BT-26", LossKind::Lost, "2026-02-28")));
}

#[test]
fn a_date_with_a_zone_is_a_day() {
    for text in ["2026-05-04Z", "2026-05-04+02:00"] {
        let from = "<cbc:IssueDate>2026-05-04</cbc:IssueDate>";
        let cii = to_cii(&[(from, &from.replace("2026-05-04", text))]);
        assert!(cii.has("<udt:DateTimeString format=\"102\">20260504</udt:DateTimeString>"));
        assert!(cii.rows().contains(&("BT-2", LossKind::Changed, text)));
    }
    let from = "<udt:DateTimeString format=\"102\">20260504</udt:DateTimeString>";
    let with_time = from.replace("102", "203").replace("20260504", "202605041530");
    let ubl = to_ubl(&[(from, &with_time)]);
    assert!(ubl.has("<cbc:IssueDate>2026-05-04</cbc:IssueDate>"));
    assert!(ubl.rows().contains(&("BT-2", LossKind::Changed, "202605041530")));
    let ubl = to_ubl(&[(from, &from.replace("102", "610").replace("20260504", "202605"))]);
    assert!(ubl.rows().contains(&("BT-2", LossKind::Lost, "202605")));
}

#[test]
fn the_filler_of_an_order_is_no_order() {
    let cii = to_cii(&[("<cbc:ID>PO-1</cbc:ID>", "<cbc:ID>NA</cbc:ID>")]);
    assert_eq!(cii.count("<ram:BuyerOrderReferencedDocument>"), 1);
    assert!(cii.has("<ram:SellerOrderReferencedDocument><ram:IssuerAssignedID>SO-2<"));
    assert_eq!((cii.count(">NA<"), cii.tally.listed), (0, 0));
    // A number that is NA, without a sales order, is a number.
    let alone =
        [("<cbc:ID>PO-1</cbc:ID><cbc:SalesOrderID>SO-2</cbc:SalesOrderID>", "<cbc:ID>NA</cbc:ID>")];
    let text = super::compact(super::UBL);
    let cii = converted(&super::edit(&text, &alone), ConversionTarget::CII).unwrap();
    assert!(cii.has("<ram:IssuerAssignedID>NA</ram:IssuerAssignedID>"));
    let order = "<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>PO-1</ram:IssuerAssignedID>\
        </ram:BuyerOrderReferencedDocument>";
    let text = super::compact(super::CII);
    let ubl = converted(&super::edit(&text, &[(order, "")]), ConversionTarget::UBL).unwrap();
    assert!(ubl.has("<cbc:ID>NA</cbc:ID><cbc:SalesOrderID>SO-2</cbc:SalesOrderID>"));
    assert!(ubl.rows().contains(&("BT-13", LossKind::Derived, "NA")));
}

#[test]
fn the_name_of_a_project_has_a_row_where_it_says_something() {
    let name = "<ram:Name>Project reference</ram:Name>";
    let ubl = to_ubl(&[(name, "<ram:Name>The new bridge</ram:Name>")]);
    assert!(ubl.rows().contains(&("-", LossKind::Lost, "The new bridge")));
    assert_eq!(to_ubl(&[(name, "<ram:Name>PRJ-8</ram:Name>")]).tally.listed, 0);
}
