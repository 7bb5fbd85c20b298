//! Tests of pages over samples of our own and the official collections.

mod corpora;
mod hostile;
mod pdf;

use quoin_formats::ParsedDocument;
use quoin_model::Language;

use crate::page::{PageField, PagePart, PageText, PageTree};
use crate::{RenderForm, RenderRequest, page, render};

/// What is asked of most tests: HTML without findings.
pub(super) fn request(language: Language) -> RenderRequest<'static> {
    RenderRequest { language, form: RenderForm::Html, level: None, findings: &[] }
}

/// The HTML of a document.
pub(super) fn html(document: &ParsedDocument, language: Language) -> String {
    String::from_utf8(render(document, &request(language)).unwrap().bytes).unwrap()
}

/// Every text of a page, one after the other, in order.
pub(super) fn texts(page: &PageTree) -> Vec<String> {
    let mut all = vec![page.title.clone(), page.number.clone()];
    let add = |all: &mut Vec<String>, texts: &[PageText]| {
        all.extend(texts.iter().map(|text| text.text.clone()));
    };
    let fields = |all: &mut Vec<String>, fields: &[PageField]| {
        for field in fields {
            all.push(field.label.clone());
            add(all, &field.values);
        }
    };
    for section in &page.sections {
        all.push(section.heading.clone());
        for part in &section.parts {
            match part {
                PagePart::Fields(own) | PagePart::Sums(own) => fields(&mut all, own),
                PagePart::Cards(cards) => cards.iter().for_each(|card| {
                    all.push(card.heading.clone());
                    add(&mut all, &card.lines);
                    fields(&mut all, &card.fields);
                }),
                PagePart::Table(table) => {
                    all.extend(table.columns.iter().map(|column| column.title.clone()));
                    for cell in table.rows.iter().flat_map(|row| &row.cells) {
                        add(&mut all, &cell.texts);
                        fields(&mut all, &cell.fields);
                    }
                    all.extend(table.remark.clone());
                }
                PagePart::Paragraphs(own) => add(&mut all, own),
                PagePart::Tree(lines) => lines.iter().for_each(|line| {
                    all.push(line.name.clone());
                    all.extend(line.text.clone());
                }),
                PagePart::Qr(picture) => all.push(picture.caption.clone()),
            }
        }
    }
    all
}

/// A sample of our own.
const INVOICE: &str = r#"<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
 <cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>
 <cbc:ID>R-7</cbc:ID><cbc:IssueDate>2026-03-04</cbc:IssueDate><cbc:DueDate>2026-04-03</cbc:DueDate>
 <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode><cbc:Note>&lt;b onclick="x"&gt;Thanks&lt;/b&gt;</cbc:Note>
 <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
 <cac:AccountingSupplierParty><cac:Party><cac:PostalAddress>
  <cbc:StreetName>Dorpsstraat 1</cbc:StreetName>
  <cbc:CityName>Ede</cbc:CityName><cbc:PostalZone>6711 AA</cbc:PostalZone>
  <cac:Country><cbc:IdentificationCode>NL</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
  <cac:PartyLegalEntity><cbc:RegistrationName>Molen BV</cbc:RegistrationName></cac:PartyLegalEntity>
 </cac:Party></cac:AccountingSupplierParty>
 <cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentID>R-7</cbc:PaymentID>
  <cac:PayeeFinancialAccount><cbc:ID>NL91ABNA0417164300</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
 <cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="EUR">1234.5</cbc:PayableAmount></cac:LegalMonetaryTotal>
 <cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="KGM">2.50</cbc:InvoicedQuantity>
  <cbc:LineExtensionAmount currencyID="EUR">1234.5</cbc:LineExtensionAmount>
  <cac:Item><cbc:Name>Flour</cbc:Name></cac:Item></cac:InvoiceLine>
</Invoice>"#;

#[test]
fn an_invoice_is_shown_in_the_language_of_the_page() {
    let document = quoin_formats::read(INVOICE.as_bytes());
    let german = html(&document, Language::De);
    for said in [
        "<html lang=\"de\">",
        "Rechnung <span dir=\"auto\">R-7</span>",
        "4. März 2026",
        "Überweisung (30)",
        "NL91 ABNA 0417 1643 00",
        "1.234,50\u{a0}EUR",
        "2,5\u{a0}kg",
        "6711 AA Ede",
        "Niederlande",
        "EPC-QR-Code",
        "urn:cen.eu:en16931:2017",
    ] {
        assert!(german.contains(said), "{said}");
    }
    let english = html(&document, Language::En);
    for said in ["4 March 2026", "EUR\u{a0}1,234.50", "Netherlands", "Credit transfer (30)"] {
        assert!(english.contains(said), "{said}");
    }
    assert!(!english.contains("Total without VAT"), "nothing is said that the document does not");
}

/// Whose bank and name belong to which account is seen: each means and each account is a list.
#[test]
fn accounts_of_several_means_are_lists_of_their_own() {
    let second = "<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode>\
        <cac:PayeeFinancialAccount><cbc:ID>DE75512108001245126199</cbc:ID>\
        </cac:PayeeFinancialAccount></cac:PaymentMeans>";
    let place = "<cac:LegalMonetaryTotal>";
    let text = INVOICE.replacen(place, &format!("{second}{place}"), 1);
    let document = quoin_formats::read(text.as_bytes());
    let page = html(&document, Language::En);
    let (_, rest) = page.split_once("NL91 ABNA 0417 1643 00").expect("the first account");
    let (between, _) = rest.split_once("DE75 5121 0800 1245 1261 99").expect("the second");
    assert!(between.contains("</dl>") && between.contains("(58)"), "{between}");
}

#[test]
fn what_a_document_says_is_text_and_never_markup() {
    let document = quoin_formats::read(INVOICE.as_bytes());
    let page = html(&document, Language::En);
    assert!(page.contains("&lt;b onclick=&quot;x&quot;&gt;Thanks&lt;/b&gt;"));
    assert!(!page.contains("<b onclick"));
    assert!(!page.contains("<script") && !page.contains("http://"));
}

#[test]
fn findings_are_listed_and_marked_where_they_are() {
    use quoin_model::{Finding, FixBy, Flag, Location, ValidationStep};
    let document = quoin_formats::read(INVOICE.as_bytes());
    let xpath = "/Invoice[1]/cac:InvoiceLine[1]/cac:Item[1]/cbc:Name[1]".to_owned();
    let finding = Finding {
        rule: "BR-X".into(),
        step: ValidationStep::Rules,
        flag: Flag::Fatal,
        message: "No <flour>.".to_owned(),
        location: Some(Location { xpath, line: 1, column: 1 }),
        value: None,
        expected: None,
        terms: Vec::new(),
        fix_by: FixBy::SourceSystem,
        rule_set: None,
        assertion: None,
        patch: None,
        fatal_from: None,
    };
    let findings = [finding];
    let request = RenderRequest { findings: &findings, ..request(Language::Nl) };
    let shown = String::from_utf8(render(&document, &request).unwrap().bytes).unwrap();
    assert!(shown.contains(
        "<tr class=\"bad\"><td><p dir=\"auto\">1</p>\n<a class=\"mark\" href=\"#f1\">1</a>"
    ));
    assert!(shown.contains("<tr id=\"f1\">") && shown.contains("No &lt;flour&gt;."));
    assert!(shown.contains("Bevindingen van de validatie"));
}

#[test]
fn the_same_document_gives_the_same_page() {
    let document = quoin_formats::read(INVOICE.as_bytes());
    let all = Language::ALL.map(|language| html(&document, language));
    assert_eq!(all, Language::ALL.map(|language| html(&document, language)));
    let words = |language| texts(&page(&document, &request(language)).unwrap()).len();
    assert!(Language::ALL.iter().all(|language| words(*language) == words(Language::En)));
}

#[test]
fn what_is_no_xml_is_refused_with_the_reason() {
    let refusal = render(&quoin_formats::read(b"no xml"), &request(Language::En)).unwrap_err();
    assert!(refusal.to_string().starts_with("it is no XML that can be read"), "{refusal}");
}

/// CII has one document element for both.
#[test]
fn what_is_credited_has_its_title_and_no_code_to_pay_it() {
    let means = "<ram:TypeCode>10</ram:TypeCode>";
    let account = "<ram:TypeCode>30</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount>\
        <ram:IBANID>NL91ABNA0417164300</ram:IBANID></ram:PayeePartyCreditorFinancialAccount>";
    let text = quoin_formats::samples::CII_INVOICE;
    assert!(text.contains(means));
    let shown = |code: &str| {
        let own = text.replacen(">380<", &format!(">{code}<"), 1).replacen(means, account, 1);
        html(&quoin_formats::read(own.as_bytes()), Language::En)
    };
    assert!(shown("380").contains("EPC QR code"), "{}", shown("380"));
    for code in ["83", "262", "296", "381", "420", "458", "502", "503", "532"] {
        let own = shown(code);
        assert!(own.contains("Credit note <span") && !own.contains("EPC QR code"), "{code}");
    }
}
