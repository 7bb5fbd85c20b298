//! To FatturaPA: what Italy asks for, and what it has not.

use super::{
    ConversionRefusal, ConversionTarget, Converted, LossKind, UBL, compact, converted, edit,
};

fn result(changes: &[(&str, &str)]) -> Result<Converted, ConversionRefusal> {
    converted(&edit(UBL, changes), ConversionTarget::FATTURAPA)
}

/// What the UBL sample becomes with things changed.
fn written(changes: &[(&str, &str)]) -> Converted {
    result(changes).expect("it has a place")
}

fn has_row(converted: &Converted, row: (&str, LossKind, &str)) -> bool {
    converted.rows().contains(&row)
}

#[test]
fn what_italy_asks_for_is_derived_and_each_has_a_row() {
    let fatturapa = written(&[]);
    for derived in ["RF18", "XXXXXXX", "NL123456789", "TP02"] {
        assert!(has_row(&fatturapa, ("-", LossKind::Derived, derived)), "{derived}");
    }
    assert!(fatturapa.has("<FormatoTrasmissione>FPR12</FormatoTrasmissione>"));
    assert!(fatturapa.has("<IdPaese>NL</IdPaese><IdCodice>123456789</IdCodice>"));
    // The number of the transmission is the same each time.
    assert_eq!(fatturapa.document, written(&[]).document);
}

#[test]
fn the_address_of_the_buyer_chooses_the_form() {
    let address = "<cbc:EndpointID schemeID=\"0088\">7300010000018<";
    let office = written(&[(address, "<cbc:EndpointID schemeID=\"0201\">UFQ17A<")]);
    assert!(office.has("versione=\"FPA12\""));
    assert!(office.has("<CodiceDestinatario>UFQ17A</CodiceDestinatario>"));
    let private = written(&[(address, "<cbc:EndpointID schemeID=\"0205\">QU01N07<")]);
    assert!(private.has("versione=\"FPR12\""));
    assert!(private.has("<CodiceDestinatario>QU01N07</CodiceDestinatario>"));
    let mail = written(&[(address, "<cbc:EndpointID schemeID=\"0202\">a@pec.example<")]);
    assert!(mail.has("<PECDestinatario>a@pec.example</PECDestinatario>"));
}

#[test]
fn allowances_and_charges_of_the_document_are_lines() {
    let fatturapa = written(&[]);
    let line = |kind: &str, text: &str, amount: &str| {
        format!(
            "<TipoCessionePrestazione>{kind}</TipoCessionePrestazione><Descrizione>{text}\
             </Descrizione><PrezzoUnitario>{amount}</PrezzoUnitario><PrezzoTotale>{amount}<"
        )
    };
    assert!(fatturapa.has(&line("SC", "Volume", "-20.00")));
    assert!(fatturapa.has(&line("AC", "Freight", "10.00")));
    assert!(has_row(&fatturapa, ("BT-92", LossKind::Changed, "20.00")));
    assert!(has_row(&fatturapa, ("BT-106", LossKind::Changed, "200.00")));
    // Nothing is calculated again.
    assert!(fatturapa.has("<ImponibileImporto>190.00</ImponibileImporto><Imposta>47.50<"));
}

#[test]
fn sums_that_sdi_would_refuse_are_refused() {
    let refused = |changes: &[(&str, &str)], check: &str| {
        let refusal = result(changes).unwrap_err();
        assert!(matches!(refusal, ConversionRefusal::SumsDiffer { .. }), "{refusal}");
        assert!(refusal.to_string().contains(check), "{refusal}");
    };
    let taxable = "<cbc:TaxableAmount currencyID=\"EUR\">190.00<";
    refused(&[(taxable, "<cbc:TaxableAmount currencyID=\"EUR\">191.00<")], "00421");
    refused(
        &[
            (taxable, "<cbc:TaxableAmount currencyID=\"EUR\">200.00<"),
            (">47.50</cbc:TaxAmount><cac:TaxCategory>", ">50.00</cbc:TaxAmount><cac:TaxCategory>"),
        ],
        "00422",
    );
}

#[test]
fn a_line_is_its_price_times_its_quantity_or_one_of_its_amount() {
    let fatturapa = written(&[]);
    assert!(fatturapa.has("<PrezzoUnitario>19.00</PrezzoUnitario><ScontoMaggiorazione>"));
    assert!(fatturapa.has("<Percentuale>5.00</Percentuale><Importo>0.95</Importo>"));
    // 00423: a price that does not lead to the amount of the line.
    let other = written(&[(">19.00</cbc:PriceAmount>", ">18.00</cbc:PriceAmount>")]);
    assert!(other.has("<PrezzoUnitario>200.00</PrezzoUnitario><PrezzoTotale>200.00<"));
    assert!(has_row(&other, ("BT-129", LossKind::Changed, "10")));
    assert!(has_row(&other, ("BT-146", LossKind::Changed, "18.00")));
}

#[test]
fn a_base_quantity_is_in_the_price() {
    let fatturapa = written(&[
        (">19.00</cbc:PriceAmount>", ">190.00</cbc:PriceAmount>"),
        ("<cbc:BaseQuantity unitCode=\"C62\">1<", "<cbc:BaseQuantity unitCode=\"C62\">10<"),
    ]);
    assert!(fatturapa.has("<PrezzoUnitario>19.00</PrezzoUnitario>"));
    assert!(has_row(&fatturapa, ("BT-146", LossKind::Changed, "190.00")));
    assert!(has_row(&fatturapa, ("BT-149", LossKind::Merged, "10")));
}

#[test]
fn a_negative_quantity_gives_its_sign_to_the_price() {
    let credit = |text: &str| {
        text.replace(">10</cbc:InvoicedQuantity>", ">-10</cbc:InvoicedQuantity>")
            .replace(
                ">200.00</cbc:LineExtensionAmount><cbc:A",
                ">-180.00</cbc:LineExtensionAmount><cbc:A",
            )
            .replace(">190.00</cbc:TaxableAmount>", ">-190.00</cbc:TaxableAmount>")
            .replace(">47.50</cbc:TaxAmount><cac:TaxC", ">-47.50</cbc:TaxAmount><cac:TaxC")
    };
    let text = credit(&edit(UBL, &[]));
    let fatturapa = converted(&text, ConversionTarget::FATTURAPA).expect("it has a place");
    assert!(fatturapa.has("<Quantita>10.00</Quantita>"), "{}", fatturapa.document);
    assert!(fatturapa.has("<PrezzoUnitario>-19.00</PrezzoUnitario>"));
    assert!(has_row(&fatturapa, ("BT-129", LossKind::Changed, "-10")));
}

#[test]
fn texts_are_latin_and_numbers_are_never_cut() {
    let name = "<cbc:Name>Short text</cbc:Name>";
    let latin = written(&[(name, "<cbc:Name>Łódź – “10 €”</cbc:Name>")]);
    assert!(latin.has("<Descrizione>Lódz - \"10 EUR\" - Long text</Descrizione>"));
    let refusal = result(&[
        (name, "<cbc:Name>Ελλάδα</cbc:Name>"),
        ("<cbc:Description>Long text</cbc:Description>", ""),
    ]);
    assert!(matches!(refusal, Err(ConversionRefusal::Required { .. })), "{refusal:?}");
    let number = "<cbc:ID>E-164</cbc:ID>";
    let refusal = result(&[(number, "<cbc:ID>E-164-of-more-than-twenty</cbc:ID>")]);
    assert!(matches!(refusal, Err(ConversionRefusal::ValueWithoutPlace { .. })), "{refusal:?}");
}

#[test]
fn identifiers_for_vat_are_neither_invented_nor_repaired() {
    let seller = "<cbc:CompanyID>NL123456789</cbc:CompanyID>";
    for other in ["", "<cbc:CompanyID>123456789</cbc:CompanyID>"] {
        let refusal = result(&[(seller, other)]);
        assert!(matches!(refusal, Err(ConversionRefusal::Required { .. })), "{refusal:?}");
    }
    let refusal = result(&[("<cbc:CompanyID>SE123456789</cbc:CompanyID>", "")]).unwrap_err();
    assert!(refusal.to_string().contains("00417"), "{refusal}");
}

#[test]
fn types_are_the_nearest_and_say_so() {
    let of = |code: &str| {
        let to = format!("<cbc:InvoiceTypeCode>{code}<");
        result(&[("<cbc:InvoiceTypeCode>380<", &to)])
    };
    assert!(of("383").unwrap().has("<TipoDocumento>TD05</TipoDocumento>"));
    assert!(of("386").unwrap().has("<CondizioniPagamento>TP03</CondizioniPagamento>"));
    let own = of("389").unwrap();
    assert!(own.has("<SoggettoEmittente>CC</SoggettoEmittente>"));
    assert!(has_row(&own, ("BT-3", LossKind::Changed, "389")));
    assert!(matches!(of("751"), Err(ConversionRefusal::TypeWithoutPlace { .. })));
}

#[test]
fn what_is_said_of_the_transmission_is_no_loss_in_another_syntax() {
    let text = include_str!("../../../samples/fatturapa.xml");
    for target in [ConversionTarget::UBL, ConversionTarget::CII] {
        let converted = converted(text, target).expect("it has a place");
        for name in ["ProgressivoInvio", "FormatoTrasmissione", "@versione", "IdTrasmittente"] {
            let is_listed = |loss: &super::Loss| loss.source_path.contains(name);
            assert!(!converted.losses.iter().any(is_listed), "{name}");
        }
        assert!(converted.tally.regenerated >= 4, "{:?}", converted.tally);
    }
    // A code that stands for none is no address.
    let code = "<CodiceDestinatario>QU01N07<";
    let abroad = edit(text, &[(code, "<CodiceDestinatario>XXXXXXX<")]);
    let converted = converted(&abroad, ConversionTarget::UBL).expect("it has a place");
    assert!(!converted.losses.iter().any(|loss| loss.value == "XXXXXXX"));
}

/// SdI check 00419.
#[test]
fn a_line_at_a_rate_without_a_summary_is_refused() {
    let more = |rate: &str| {
        format!(
            "</cac:InvoiceLine><cac:InvoiceLine><cbc:ID>2</cbc:ID>\
             <cbc:InvoicedQuantity unitCode=\"C62\">1</cbc:InvoicedQuantity>\
             <cbc:LineExtensionAmount currencyID=\"EUR\">0.00</cbc:LineExtensionAmount>\
             <cac:Item><cbc:Name>Sample</cbc:Name><cac:ClassifiedTaxCategory>\
             <cbc:ID>S</cbc:ID><cbc:Percent>{rate}</cbc:Percent><cac:TaxScheme>\
             <cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item>\
             <cac:Price><cbc:PriceAmount currencyID=\"EUR\">0.00</cbc:PriceAmount>\
             </cac:Price></cac:InvoiceLine>"
        )
    };
    let end = "</cac:InvoiceLine>";
    let refusal = result(&[(end, &more("10"))]).unwrap_err().to_string();
    assert!(refusal.contains("00419"), "{refusal}");
    assert!(result(&[(end, &more("25.0"))]).is_ok());
}

#[test]
fn what_is_due_is_the_total_and_its_rounding() {
    let paid = "<cbc:PrepaidAmount currencyID=\"EUR\">100.00</cbc:PrepaidAmount>";
    let due = (">138.00</cbc:PayableAmount>", ">238.00</cbc:PayableAmount>");
    let own = written(&[(paid, ""), due]);
    assert!(
        own.has("<ImportoTotaleDocumento>237.50</ImportoTotaleDocumento><Arrotondamento>0.50<")
    );
    assert!(!own.rows().iter().any(|row| row.0 == "BT-115" && row.1 == LossKind::Changed));
    let back = converted(&own.document, ConversionTarget::UBL).expect("it has a place");
    assert!(back.has(">237.50</cbc:TaxInclusiveAmount>"), "{}", back.document);
    assert!(back.has(">238.00</cbc:PayableAmount>"));
}

#[test]
fn letters_that_latin_has_a_form_for_are_written_and_others_are_question_marks() {
    let own = written(&[
        ("<cbc:Note>Net 30 days</cbc:Note>", "<cbc:Note>Entro 30 gg \u{416}</cbc:Note>"),
        ("<cbc:Note>Line note</cbc:Note>", "<cbc:Note>Resistenza 47 k\u{2126}</cbc:Note>"),
        ("#AAI#Every term once", "#AAI#Cafe\u{301} Vi\u{1EC7}t"),
    ]);
    assert!(own.has("<Causale>Entro 30 gg ?</Causale>"), "{}", own.document);
    assert!(own.has("<RiferimentoTesto>Resistenza 47 kOhm</RiferimentoTesto>"));
    assert!(own.has("<Causale>#AAI#Café Viet</Causale>"), "{}", own.document);
    assert!(has_row(&own, ("BT-127", LossKind::Changed, "Resistenza 47 k\u{2126}")));
    let greek = written(&[("#AAI#Every term once", "Ελληνικά")]);
    let lost = greek.losses.iter().find(|loss| loss.value == "Ελληνικά").expect("a row");
    assert!(lost.kind == LossKind::Lost && lost.reason.contains("another script"), "{lost:?}");
}

#[test]
fn lines_that_become_one_have_a_row() {
    let note = |text: &str| {
        let own = written(&[("#AAI#Every term once", text)]);
        let row =
            own.losses.iter().find(|loss| loss.target_path.is_some() && loss.value == text.trim());
        row.map(|loss| (loss.kind, loss.reason))
    };
    let one = Some((LossKind::Changed, "the target has a text in one line"));
    assert_eq!(note("prima\nseconda"), one);
    assert_eq!(note("\n  prima  \n"), None);
    let own = written(&[("<cbc:Note>Line note</cbc:Note>", "<cbc:Note>a\nb</cbc:Note>")]);
    assert!(has_row(&own, ("BT-127", LossKind::Changed, "a\nb")));
    assert!(own.has("<RiferimentoTesto>a b</RiferimentoTesto>"));
}

#[test]
fn an_origin_that_is_no_short_latin_text_is_lost() {
    let origin = "<cac:OriginCountry><cbc:IdentificationCode>NO<";
    assert!(written(&[]).has("<TipoDato>ORIGINE</TipoDato><RiferimentoTesto>NO<"));
    for other in ["Ø".repeat(61), "Łódź".to_owned()] {
        let fatturapa = written(&[(origin, &origin.replace("NO", &other))]);
        assert!(!fatturapa.has("ORIGINE"), "{}", fatturapa.document);
        assert!(has_row(&fatturapa, ("BT-159", LossKind::Lost, &other)));
    }
}

/// Who bills whom is the same there and back: what the customer issues is self-billing.
#[test]
fn what_the_customer_issues_is_self_billing_both_ways() {
    let by = |code: &str| format!("<cbc:InvoiceTypeCode>{code}</cbc:InvoiceTypeCode>");
    for (code, own) in [("389", "TD01"), ("261", "TD04"), ("527", "TD05")] {
        let fatturapa = written(&[(&by("380"), &by(code))]);
        assert!(fatturapa.has(&format!("<TipoDocumento>{own}</TipoDocumento>")), "{code}");
        assert!(fatturapa.has("<SoggettoEmittente>CC</SoggettoEmittente>"), "{code}");
        for target in [ConversionTarget::UBL, ConversionTarget::CII, ConversionTarget::JSON] {
            let back = converted(&fatturapa.document, target).expect("it has a place");
            let (text, lost) = (compact(&back.document), back.rows());
            let mut places = ["TypeCode>", "typeCode\": \""].iter();
            assert!(places.any(|one| text.contains(&format!("{one}{code}"))), "{text}");
            assert!(!lost.iter().any(|(_, _, value)| *value == "CC"), "{code}: {lost:?}");
        }
    }
    // A third party that issues for the seller changes nothing, and an advance has no such type.
    for (issuer, kind, code) in [("TZ", "TD01", "380"), ("CC", "TD02", "386")] {
        let own = written(&[(&by("380"), &by("389"))]).document;
        let own = own.replace("<SoggettoEmittente>CC<", &format!("<SoggettoEmittente>{issuer}<"));
        let own = own.replace("<TipoDocumento>TD01<", &format!("<TipoDocumento>{kind}<"));
        let back = converted(&own, ConversionTarget::UBL).expect("it has a place");
        assert!(back.has(&format!("InvoiceTypeCode>{code}<")), "{issuer} {kind}");
        assert!(has_row(&back, ("-", LossKind::Lost, issuer)), "{:?}", back.rows());
    }
}
