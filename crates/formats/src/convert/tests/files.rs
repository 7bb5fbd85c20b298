//! What is refused, what is never written, and input that nobody would send.

use proptest::prelude::*;
use quoin_xml::tree::{Document, Limits};

use super::{
    CII, ConversionRefusal, ConversionTarget, LossKind, UBL, convert, convert_at, converted, edit,
    to_cii, to_ubl,
};

#[test]
fn types_without_a_place_are_refused() {
    let code =
        |text: &str, from: &str, code: &str| edit(text, &[(from, &from.replace("380", code))]);
    let refused = |text: &str, target| {
        matches!(converted(text, target), Err(ConversionRefusal::TypeWithoutPlace { .. }))
    };
    let in_ubl = "<cbc:InvoiceTypeCode>380<";
    let in_cii = "<ram:TypeCode>380<";
    assert!(refused(&code(UBL, in_ubl, "381"), ConversionTarget::CII));
    assert!(!refused(&code(UBL, in_ubl, "81"), ConversionTarget::CII));
    assert!(refused(&code(CII, in_cii, "999"), ConversionTarget::UBL));
    assert!(refused(
        &edit(CII, &[("<ram:TypeCode>380</ram:TypeCode>", "")]),
        ConversionTarget::UBL
    ));
}

#[test]
fn an_invoice_without_lines_is_refused() {
    let (head, rest) = CII.split_once("<ram:IncludedSupplyChainTradeLineItem>").unwrap();
    let (_, tail) = rest.split_once("</ram:IncludedSupplyChainTradeLineItem>").unwrap();
    let refusal = converted(&format!("{head}{tail}"), ConversionTarget::UBL).unwrap_err();
    assert_eq!(refusal, ConversionRefusal::NoLines);
}

#[test]
fn groups_of_lines_other_taxes_and_pint_are_refused() {
    let line = "<ram:LineID>1</ram:LineID>";
    let parent = format!("{line}<ram:ParentLineID>0</ram:ParentLineID>");
    let refusal = converted(&edit(CII, &[(line, &parent)]), ConversionTarget::UBL).unwrap_err();
    assert!(matches!(refusal, ConversionRefusal::LineHierarchy { .. }), "{refusal}");
    let gst = UBL.replace("<cbc:ID>VAT</cbc:ID>", "<cbc:ID>GST</cbc:ID>");
    let refusal = converted(&gst, ConversionTarget::CII).unwrap_err();
    assert!(matches!(refusal, ConversionRefusal::OtherTax { .. }), "{refusal}");
    let pint = edit(UBL, &[(">urn:cen.eu:en16931:2017<", ">urn:peppol:pint:billing-1@jp-1<")]);
    let refusal = converted(&pint, ConversionTarget::CII).unwrap_err();
    assert!(matches!(refusal, ConversionRefusal::SpecificationWithoutPlace { .. }), "{refusal}");
}

#[test]
fn a_guideline_of_factur_x_never_goes_into_ubl() {
    for guideline in [
        "urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic",
        "urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended",
        "urn:cen.eu:en16931:2017#conformant#urn:zugferd.de:2p0:extended",
    ] {
        let ubl = to_ubl(&[(">urn:cen.eu:en16931:2017<", &format!(">{guideline}<"))]);
        assert!(ubl.has("<cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID>"));
        assert_eq!(ubl.losses[0].term, Some("BT-24"));
    }
}

/// PINT of Europe is written in UBL with its name, from whatever syntax has it there.
#[test]
fn european_pint_keeps_its_name_in_ubl_and_is_none_of_cii() {
    let pint = "urn:peppol:pint:billing-1@eu-1";
    let named = edit(UBL, &[(">urn:cen.eu:en16931:2017<", &format!(">{pint}<"))]);
    let json = converted(&named, ConversionTarget::JSON).unwrap();
    let of = |text: &str, target| {
        convert_at(crate::read(text.as_bytes()).root().unwrap(), target).unwrap()
    };
    let back = of(&json.document, ConversionTarget::UBL);
    assert!(back.has(&format!("<cbc:CustomizationID>{pint}</cbc:CustomizationID>")));
    assert!(!back.rows().iter().any(|row| row.0 == "BT-24"), "{:?}", back.rows());
    for source in [&named, &json.document] {
        let cii = of(source, ConversionTarget::CII);
        assert!(cii.has("<ram:ID>urn:cen.eu:en16931:2017</ram:ID>"), "{}", cii.document);
        assert!(cii.rows().contains(&("BT-24", LossKind::Changed, pint)), "{:?}", cii.rows());
    }
}

#[test]
fn nothing_empty_is_written() {
    let cii = to_cii(&[
        ("<cbc:BuyerReference>Desk 7</cbc:BuyerReference>", "<cbc:BuyerReference> </cbc:BuyerReference>"),
        ("<cbc:Name>Seller desk</cbc:Name><cbc:Telephone>+31 20 1</cbc:Telephone><cbc:ElectronicMail>seller@mail.example</cbc:ElectronicMail>".split("<cbc:Tel").next().unwrap(), "<cbc:Name/>"),
    ]);
    assert_eq!((cii.count("/>"), cii.count("></")), (0, 0), "{}", cii.document);
    assert_eq!(cii.count("BuyerReference"), 0);
    let ubl =
        to_ubl(&[("<ram:BuyerReference>Desk 7</ram:BuyerReference>", "<ram:BuyerReference/>")]);
    assert_eq!((ubl.count("/>"), ubl.count("></")), (0, 0), "{}", ubl.document);
}

#[test]
fn hints_to_types_are_not_copied() {
    let root = "<cbc:ID>E-164</cbc:ID>";
    let typed = "<cbc:ID xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
        xsi:type=\"cbc:IDType\">E-164</cbc:ID>";
    let cii = to_cii(&[(root, typed)]);
    assert_eq!((cii.count("xsi"), cii.tally.listed), (0, 0));
}

#[test]
fn a_list_over_its_limit_is_refused() {
    let name = "n".repeat(190);
    let nested = (0..40).map(|_| format!("<{name}>")).collect::<String>();
    let leaves = "<a>1</a>".repeat(9_000);
    let closed = (0..40).map(|_| format!("</{name}>")).collect::<String>();
    let place = "<cbc:BuyerReference>";
    let text = edit(UBL, &[(place, &format!("{nested}{leaves}{closed}{place}"))]);
    let refusal = converted(&text, ConversionTarget::CII).unwrap_err();
    assert!(matches!(refusal, ConversionRefusal::ListTooLong(_)), "{refusal}");
}

#[test]
fn a_list_of_too_many_rows_is_refused() {
    let place = "<cbc:BuyerReference>";
    let with = |count: usize| {
        let strange = "<a>1</a>".repeat(count);
        converted(&edit(UBL, &[(place, &format!("{strange}{place}"))]), ConversionTarget::CII)
    };
    let listed = with(99_000).unwrap().losses.len();
    assert!((99_000..100_000).contains(&listed), "{listed}");
    let refusal = with(100_000).unwrap_err();
    assert!(matches!(refusal, ConversionRefusal::TooManyLosses(100_000)), "{refusal}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn odd_input_neither_panics_nor_loses_a_leaf(
        cuts in proptest::collection::vec((0_usize..10_000, 0_usize..60), 1..6),
        is_ubl in any::<bool>(),
    ) {
        let (sample, target) = match is_ubl {
            true => (UBL, ConversionTarget::CII),
            false => (CII, ConversionTarget::UBL),
        };
        // Elements are renamed or doubled at places, which keeps the document well formed.
        let mut lines: Vec<&str> = sample.lines().collect();
        for (at, step) in cuts {
            let at = at % lines.len();
            let line = lines[at].trim();
            let is_leaf = line.starts_with('<') && line.contains("</");
            match (is_leaf, step % 2) {
                (true, 0) => { lines.remove(at); }
                (true, _) => lines.insert(at, lines[at]),
                _ => {}
            }
        }
        let text = lines.join("\n");
        let Ok(document) = Document::parse(text.as_bytes(), &Limits::default()) else {
            return Ok(());
        };
        let Ok(result) = convert(&document, target) else { return Ok(()) };
        let says = |text: &str| usize::from(!text.trim().is_empty());
        let leaves: usize = document.root().descendants().map(|element| {
            let attributes: usize = element.attributes().map(|one| says(one.value)).sum();
            says(&element.text()) + attributes
        }).sum();
        prop_assert_eq!(result.tally.leaves(), leaves);
        prop_assert!(Document::parse(result.document.as_bytes(), &Limits::default()).is_ok());
    }
}
