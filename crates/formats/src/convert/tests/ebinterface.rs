//! To ebInterface: what Austria asks for, and what it has not.

use super::{ConversionTarget, Converted, LossKind, UBL, converted, edit};

/// What the UBL sample becomes with things changed.
fn written(changes: &[(&str, &str)]) -> Converted {
    converted(&edit(UBL, changes), ConversionTarget::EBINTERFACE).expect("it has a place")
}

fn has_row(converted: &Converted, row: (&str, LossKind, &str)) -> bool {
    converted.rows().contains(&row)
}

#[test]
fn names_prices_and_article_numbers_are_all_there() {
    let eb = written(&[]);
    assert!(eb.has("<eb:Name>Seller legal</eb:Name><eb:TradingName>Seller trading<"));
    assert!(eb.has("ArticleNumberType=\"BillersArticleNumber\">S-1<"));
    assert!(eb.has("ArticleNumberType=\"InvoiceRecipientsArticleNumber\">B-1<"));
    assert!(eb.has("ArticleNumberType=\"GTIN\">7300010000001<"));
    assert!(eb.has("<eb:UnitPrice BaseQuantity=\"1\">19.00</eb:UnitPrice>"));
    assert!(eb.has("<eb:PrepaidAmount>100.00</eb:PrepaidAmount>"));
    assert!(eb.has("<eb:RoundingAmount>0.50</eb:RoundingAmount>"));
    assert!(eb.has("<eb:PayableAmount>138.00</eb:PayableAmount>"));
    assert!(eb.has("GeneratingSystem=\"Quoin\" DocumentType=\"Invoice\""));
}

/// BG-32 has a value, which is a text: a quantity is one with its unit (BR-54).
#[test]
fn a_quantity_is_the_value_of_an_attribute() {
    let old = include_str!("../../../samples/ebinterface.xml").replace("/6p1/", "/4p3/");
    let place = "<eb:AdditionalInformation Key=\"Farbe\">grau</eb:AdditionalInformation>";
    let weight = "<eb:AdditionalInformation><eb:Weight eb:Unit=\"DKG\">330</eb:Weight>\
        <eb:Color>grau</eb:Color></eb:AdditionalInformation>";
    let eb = edit(&old, &[(place, weight)]);
    let ubl = converted(&eb, ConversionTarget::UBL).expect("it has a place");
    assert!(
        ubl.has(
            "<cbc:Name>Weight</cbc:Name><cbc:Value>330 DKG</cbc:Value>\
            <cbc:ValueQuantity unitCode=\"DKG\">330</cbc:ValueQuantity>"
        ),
        "{}",
        ubl.document
    );
    assert!(has_row(&ubl, ("BT-161", LossKind::Derived, "330 DKG")), "{:?}", ubl.rows());
    let request = crate::convert::ConversionRequest::named("factur-x-en16931").unwrap();
    let document = quoin_xml::tree::Document::parse(eb.as_bytes(), &Default::default()).unwrap();
    let cii = crate::convert::convert_at(document.root(), request).expect("it has a place");
    assert!(cii.has("<ram:Description>Weight</ram:Description><ram:Value>330 DKG</ram:Value>"));
    assert!(!cii.has("ValueMeasure"));
    for part in ["330", "DKG"] {
        assert!(has_row(&cii, ("BT-161", LossKind::Merged, part)), "{:?}", cii.rows());
    }
    // What the element means without words is none of its value.
    let cxml = converted(&eb, ConversionTarget::CXML).expect("it has a place");
    let grey = cxml.losses.iter().find(|loss| loss.value == "grau");
    assert!(grey.is_none_or(|loss| loss.term == Some("BT-161")), "{grey:?}");
}

#[test]
fn both_currencies_and_the_rate_between_them() {
    let eb = written(&[]);
    assert!(eb.has("<eb:Currency>SEK</eb:Currency><eb:ExchangeRate>11.16</eb:ExchangeRate>"));
    assert!(eb.has("<eb:AccountingCurrencyAmount Currency=\"SEK\">530.10<"));
    assert!(has_row(&eb, ("-", LossKind::Derived, "11.16")));
}

#[test]
fn a_price_of_many_decimals_is_that_of_more_pieces() {
    let eb = written(&[(">19.00</cbc:PriceAmount>", ">0.123456</cbc:PriceAmount>")]);
    assert!(eb.has("<eb:UnitPrice BaseQuantity=\"100\">12.3456</eb:UnitPrice>"), "{}", eb.document);
    assert!(has_row(&eb, ("BT-146", LossKind::Changed, "0.123456")));
    assert!(has_row(&eb, ("BT-149", LossKind::Changed, "1")));
}

#[test]
fn without_an_order_the_reference_of_the_buyer_stands_for_it() {
    let order = "<cac:OrderReference><cbc:ID>PO-1</cbc:ID><cbc:SalesOrderID>SO-2</cbc:SalesOrderID>\
        </cac:OrderReference>";
    let eb = written(&[(order, "")]);
    assert!(eb.has("<eb:OrderReference><eb:OrderID>Desk 7</eb:OrderID></eb:OrderReference>"));
    assert!(has_row(&eb, ("BT-10", LossKind::Changed, "Desk 7")));
    assert!(has_row(&written(&[]), ("BT-10", LossKind::CarriedAsText, "Desk 7")));
}

/// What is longer than the schema allows has a row, and so has the group that it is the key of.
#[test]
fn identifiers_that_are_too_long_take_their_groups_with_them() {
    let long = "X".repeat(256);
    for (term, from, groups) in [
        ("BT-13", ">PO-1</cbc:ID>", ("<eb:OrderReference>", 1)),
        ("BT-14", ">SO-2</cbc:SalesOrderID>", ("<eb:OrderReference>", 1)),
        ("BT-25", ">E-163</cbc:ID>", ("<eb:RelatedDocument>", 0)),
    ] {
        let (_, end) = from.split_once('<').expect("an end tag");
        let eb = written(&[(from, &format!(">{long}<{end}"))]);
        assert_eq!((eb.count(&long), eb.count(groups.0)), (0, groups.1), "{}", eb.document);
        assert!(has_row(&eb, (term, LossKind::Lost, &long)), "{:?}", eb.rows());
    }
    let order = "<cac:OrderReference><cbc:ID>PO-1</cbc:ID><cbc:SalesOrderID>SO-2</cbc:SalesOrderID>\
        </cac:OrderReference>";
    let reference = (">Desk 7<", format!(">{long}<"));
    let eb = written(&[(order, ""), (reference.0, &reference.1)]);
    assert!(!eb.has("<eb:OrderID>X"), "{}", eb.document);
    assert!(has_row(&eb, ("BT-10", LossKind::CarriedAsText, &long)));
    let eb = written(&[(">ABNANL2A<", &format!(">{long}<"))]);
    assert!(!eb.has("<eb:BankName>"), "{}", eb.document);
    assert!(has_row(&eb, ("BT-86", LossKind::Lost, &long)));
}

#[test]
fn a_party_without_vat_has_noughts_and_a_row() {
    let eb = written(&[("<cbc:CompanyID>SE123456789</cbc:CompanyID>", "")]);
    assert!(eb.has("<eb:VATIdentificationNumber>00000000</eb:VATIdentificationNumber>"));
    assert!(has_row(&eb, ("BT-48", LossKind::Derived, "00000000")));
    // Whoever has them as an identifier loses it: the target reads them as none.
    for filler in ["00000000", "ATU00000000"] {
        let named = format!("<cbc:CompanyID>{filler}</cbc:CompanyID>");
        let lost = written(&[("<cbc:CompanyID>SE123456789</cbc:CompanyID>", &named)]);
        assert!(has_row(&lost, ("BT-48", LossKind::Lost, filler)), "{filler}");
        assert_eq!(lost.count("ATU00000000"), 0);
    }
    // Read again they are no identifier, and there is no word of them.
    let there = eb.document;
    for filler in ["00000000", "ATU00000000", " 00000000 "] {
        let text = there.replace(">00000000<", &format!(">{filler}<"));
        let back = converted(&text, ConversionTarget::UBL).expect("it has a place");
        assert_eq!(back.count("00000000"), 0, "{filler}");
        assert!(!back.rows().iter().any(|row| row.2.contains("00000000")), "{:?}", back.rows());
    }
    let again = there.replace("/6p1/", "/6p0/");
    let again = converted(&again, ConversionTarget::EBINTERFACE).expect("it has a place");
    assert!(again.has("<eb:VATIdentificationNumber>00000000</eb:VATIdentificationNumber>"));
    assert!(!again.rows().iter().any(|row| row.2 == "00000000"), "{:?}", again.rows());
}

#[test]
fn the_total_of_vat_in_the_other_currency_follows_from_the_rate() {
    let sample = include_str!("../../../samples/ebinterface.xml");
    let amount =
        "<eb:AccountingCurrencyAmount Currency=\"CHF\">179.55</eb:AccountingCurrencyAmount>";
    let without = |rate: &str| {
        let rate = (">0.95</eb:ExchangeRate>", format!(">{rate}</eb:ExchangeRate>"));
        let text = edit(sample, &[(amount, ""), (rate.0, &rate.1)]);
        converted(&text, ConversionTarget::UBL).expect("it has a place")
    };
    let ubl = without("0.95333");
    assert!(
        ubl.has("<cbc:TaxAmount currencyID=\"CHF\">180.18</cbc:TaxAmount>"),
        "{}",
        ubl.document
    );
    assert!(has_row(&ubl, ("BT-111", LossKind::Derived, "180.18")), "{:?}", ubl.rows());
    // Written for several rates of VAT it has no place of its own, and comes back.
    let more = "<cac:TaxSubtotal><cbc:TaxableAmount currencyID=\"EUR\">0.00</cbc:TaxableAmount>\
        <cbc:TaxAmount currencyID=\"EUR\">0.00</cbc:TaxAmount><cac:TaxCategory><cbc:ID>Z</cbc:ID>\
        <cbc:Percent>0</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>\
        </cac:TaxCategory></cac:TaxSubtotal>";
    let place = "<cac:TaxSubtotal>";
    let eb = written(&[(place, &format!("{more}{place}"))]);
    assert!(!eb.has("AccountingCurrencyAmount"), "{}", eb.document);
    assert!(!eb.rows().iter().any(|row| row.0 == "BT-111"), "{:?}", eb.rows());
    let back = converted(&eb.document, ConversionTarget::UBL).expect("it has a place");
    assert!(back.has("<cbc:TaxAmount currencyID=\"SEK\">530.10</cbc:TaxAmount>"));
    let amount = ">530.10</cbc:TaxAmount>";
    let eb = written(&[(place, &format!("{more}{place}")), (amount, ">530.13</cbc:TaxAmount>")]);
    assert!(!eb.rows().iter().any(|row| row.0 == "BT-111"), "{:?}", eb.rows());
    // Without a rate that is one there is nothing to compute it of.
    let ubl = without("0");
    assert!(ubl.has("<cbc:TaxCurrencyCode>CHF</cbc:TaxCurrencyCode>"));
    assert!(has_row(&ubl, ("BT-111", LossKind::Missing, "")), "{:?}", ubl.rows());
}

#[test]
fn an_older_version_becomes_the_one_that_is_written() {
    let sample = include_str!("../../../samples/ebinterface.xml").replace("/6p1/", "/6p0/");
    let eb = converted(&sample, ConversionTarget::EBINTERFACE).expect("it has a place");
    assert!(eb.has("xmlns:eb=\"http://www.ebinterface.at/schema/6p1/\""));
    assert_eq!(eb.losses, []);
}

#[test]
fn a_language_of_three_letters_has_two_in_version_6() {
    let old = include_str!("../../../samples/ebinterface.xml").replace("/6p1/", "/4p1/");
    let written = |language: &str| {
        let text = old.replace("Language=\"de\"", &format!("Language=\"{language}\""));
        converted(&text, ConversionTarget::EBINTERFACE).expect("it has a place")
    };
    let eb = written("ger");
    assert!(eb.has(" Language=\"de\""), "{}", eb.document);
    assert!(has_row(&eb, ("-", LossKind::Changed, "ger")), "{:?}", eb.rows());
    let eb = written("xxx");
    assert!(!eb.has(" Language="), "{}", eb.document);
    assert!(has_row(&eb, ("-", LossKind::Lost, "xxx")), "{:?}", eb.rows());
}

#[test]
fn notes_stay_in_their_order() {
    let place = "<cbc:Note>#AAI#Every term once</cbc:Note>";
    for count in 1..=5 {
        let notes: String = (1..=count).map(|at| format!("<cbc:Note>n{at}</cbc:Note>")).collect();
        let eb = written(&[(place, &notes)]);
        let back = converted(&eb.document, ConversionTarget::UBL).expect("it has a place");
        let places: Vec<_> =
            (1..=count).map(|at| back.document.find(&format!("n{at}")).expect("a note")).collect();
        assert!(places.is_sorted(), "{count}: {}", back.document);
        let again = converted(&back.document, ConversionTarget::EBINTERFACE).expect("a place");
        let notes = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.contains(">n") || line.starts_with('n'));
            lines.map(|line| line.trim().to_owned()).collect()
        };
        assert_eq!(notes(&again.document), notes(&eb.document), "{count}");
    }
}
