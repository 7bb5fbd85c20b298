//! What EN 16931 and the schemas of UBL and CII ask for of every document and group, whatever the
//! source is.

use super::{CII, ConversionTarget, Converted, LossKind, UBL, compact, converted, edit};
use crate::convert::{ConversionRequest, convert_at};
use quoin_xml::tree::{Document, Limits};

const FA: &str = include_str!("../../../samples/ksef.xml");
const SETU: &str = include_str!("../../../samples/setu.xml");

/// The terms that are missing, each with where it would stand.
fn missing(text: &str, name: &str) -> Vec<(&'static str, String)> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).expect("well formed");
    let request = ConversionRequest::named(name).expect("a target");
    let own: Converted = convert_at(document.root(), request).expect("it has a place");
    let rows = own.losses.into_iter().filter(|loss| loss.kind == LossKind::Missing);
    rows.map(|loss| (loss.term.expect("a term"), loss.source_path)).collect()
}

fn terms(text: &str, name: &str) -> Vec<&'static str> {
    missing(text, name).into_iter().map(|(term, _)| term).collect()
}

/// UBL, CII, and what is less or more than CII.
fn is_standard(name: &str) -> bool {
    ["cii", "ubl", "factur-x"].iter().any(|start| name.starts_with(start))
}

#[test]
fn a_document_that_has_everything_misses_nothing() {
    // Some profiles have no rounding.
    let rounding = "<cbc:PayableRoundingAmount currencyID=\"EUR\">0.50</cbc:PayableRoundingAmount>";
    let sample = edit(UBL, &[(rounding, "")]);
    for (target, _) in ConversionRequest::names().filter(|(name, _)| is_standard(name)) {
        assert_eq!(terms(&sample, target), [""; 0], "{target}");
    }
    assert_eq!(terms(CII, "ubl"), [""; 0]);
    for target in ["ubl", "cii", "factur-x-en16931"] {
        assert_eq!(terms(FA, target), ["BT-84"; 0], "{target}");
        // A charge of the sample has no VAT, and its file no name, which only UBL asks for.
        let all = ["BT-125-2", "BT-102"];
        let wanted = if target == "ubl" { &all[..] } else { &all[1..] };
        assert_eq!(terms(SETU, target), wanted, "{target}");
    }
}

#[test]
fn what_a_row_of_fa_does_not_say_is_missing_in_ubl_and_cii() {
    let row = "<P_9A>25</P_9A><P_11>100.00</P_11><P_11Vat>8.00</P_11Vat>";
    let poor = edit(FA, &[(row, "")]);
    let place = "/Faktura[1]/Fa[1]/FaWiersz[2]";
    for target in ["ubl", "cii", "factur-x-en16931"] {
        let rows = missing(&poor, target);
        for term in ["BT-131", "BT-146"] {
            assert!(rows.contains(&(term, place.to_owned())), "{target}: {rows:?}");
        }
    }
    // A profile without lines asks for nothing of them.
    let rows = terms(&poor, "factur-x-minimum");
    assert!(!rows.iter().any(|term| ["BT-131", "BT-146"].contains(term)), "{rows:?}");
}

#[test]
fn groups_without_what_the_schema_asks_for_are_named() {
    let euro =
        |name: &str, amount: &str| format!("<cbc:{name} currencyID=\"EUR\">{amount}</cbc:{name}>");
    let amounts = [
        ("BT-92", euro("Amount", "20.00")),
        ("BT-99", euro("Amount", "10.00")),
        ("BT-116", euro("TaxableAmount", "190.00")),
        ("BT-136", euro("Amount", "9.50")),
        ("BT-141", euro("Amount", "19.50")),
        ("BT-146", euro("PriceAmount", "19.00")),
        ("BT-115", euro("PayableAmount", "138.00")),
        ("BT-153", "<cbc:Name>Short text</cbc:Name>".to_owned()),
        ("BT-84", "<cbc:ID>NL02 ABNA 0123456789</cbc:ID>".to_owned()),
    ];
    for (term, markup) in &amounts {
        assert_eq!(terms(&edit(UBL, &[(markup, "")]), "cii"), [*term], "{markup}");
    }
    let tax = euro("TaxAmount", "47.50");
    let inner = format!("{}{tax}", euro("TaxableAmount", "190.00"));
    let poor = edit(UBL, &[(&inner, &euro("TaxableAmount", "190.00"))]);
    assert_eq!(terms(&poor, "cii"), ["BT-117"]);
    // MINIMUM has no such groups.
    assert_eq!(terms(&poor, "factur-x-minimum"), [""; 0]);
}

#[test]
fn a_copy_has_no_rows_of_what_it_lacks() {
    let poor = edit(UBL, &[("<cbc:Name>Short text</cbc:Name>", "")]);
    assert_eq!(converted(&poor, ConversionTarget::UBL).expect("a copy").losses, []);
}

/// The sample with another way to pay and what is said of it, in CII as XRechnung asks for it.
fn paid_by(code: &str, mandate: &str, account: &str, creditor: &str) -> Vec<&'static str> {
    let own = compact(UBL);
    let (before, rest) = own.split_once("<cac:PaymentMeans>").expect("means of payment");
    let (_, after) = rest.rsplit_once("</cac:PaymentMeans>").expect("their end");
    let debit = match (mandate, account) {
        ("", "") => String::new(),
        _ => format!("<cac:PaymentMandate>{mandate}{account}</cac:PaymentMandate>"),
    };
    let means = format!(
        "<cac:PaymentMeans><cbc:PaymentMeansCode>{code}</cbc:PaymentMeansCode>{debit}\
         </cac:PaymentMeans>"
    );
    let text = format!("{before}{means}{after}").replace("<cbc:ID schemeID=\"SEPA\">", creditor);
    terms(&text, "xrechnung-cii")
}

#[test]
fn what_is_asked_for_beside_a_way_to_pay_is_missing() {
    const MANDATE: &str = "<cbc:ID>M-1</cbc:ID>";
    const ACCOUNT: &str = "<cac:PayerFinancialAccount><cbc:ID>NL02ABNA0123456789</cbc:ID>\
        </cac:PayerFinancialAccount>";
    const CREDITOR: &str = "<cbc:ID schemeID=\"SEPA\">";
    const OTHER: &str = "<cbc:ID schemeID=\"0088\">";
    for (code, mandate, account, creditor, missing) in [
        ("59", MANDATE, ACCOUNT, CREDITOR, &[][..]),
        ("59", MANDATE, "", CREDITOR, &["BT-91"]),
        ("59", MANDATE, ACCOUNT, OTHER, &["BT-90"]),
        ("59", "", "", OTHER, &["BT-89", "BT-91"]),
        ("59", "", "", CREDITOR, &["BT-89", "BT-91"]),
        ("49", "", ACCOUNT, CREDITOR, &["BT-89"]),
        ("48", "", "", OTHER, &["BT-87"]),
        ("1", "", "", OTHER, &[]),
    ] {
        let found = paid_by(code, mandate, account, creditor);
        assert_eq!(found, missing, "{code} {mandate} {account} {creditor}");
    }
}

/// BR-CO-25 is a rule of UBL, and of Factur-X EXTENDED.
#[test]
fn when_to_pay_is_missing_where_something_is_due() {
    let terms_of = ("<cac:PaymentTerms><cbc:Note>Net 30 days</cbc:Note></cac:PaymentTerms>", "");
    let day = ("<cbc:DueDate>2026-06-03</cbc:DueDate>", "");
    let poor = edit(UBL, &[terms_of, day]);
    for (target, missing) in
        [("factur-x-extended", &["BT-9"][..]), ("cii", &[]), ("factur-x-en16931", &[])]
    {
        assert_eq!(terms(&poor, target), missing, "{target}");
    }
    let nothing = (">138.00</cbc:PayableAmount>", ">0.00</cbc:PayableAmount>");
    assert_eq!(terms(&edit(&poor, &[nothing]), "factur-x-extended"), [""; 0]);
    let cii = converted(&poor, ConversionTarget::CII).expect("it has a place").document;
    assert_eq!(terms(&cii, "ubl"), ["BT-9"]);
    assert_eq!(terms(&edit(UBL, &[day]), "factur-x-extended"), [""; 0]);
}

/// PEPPOL-EN16931-R041 and R042, BR-NL-13, and UBL-DT-07.
#[test]
fn what_is_asked_for_beside_something_else_is_missing() {
    let cii = |changes: &[(&str, &str)], specification: &str| {
        let text = edit(CII, changes);
        let document = Document::parse(text.as_bytes(), &Limits::default()).expect("well formed");
        let request = ConversionRequest {
            specification: Some(specification),
            ..ConversionTarget::UBL.into()
        };
        let own = convert_at(document.root(), request).expect("it has a place");
        let rows = own.losses.into_iter().filter(|loss| loss.kind == LossKind::Missing);
        rows.filter_map(|loss| loss.term).collect::<Vec<_>>()
    };
    let xrechnung = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
    let bis = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
    let nlcius = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";
    let text = compact(CII);
    let percentage = between(&text, "<ram:CalculationPercent>", "</ram:CalculationPercent>");
    let amount = between(&text, "<ram:CalculationPercent>", "</ram:BasisAmount>");
    let amount = &amount[percentage.len()..];
    for specification in [xrechnung, bis] {
        let before = cii(&[], specification);
        for (part, terms) in [
            (percentage, ["BT-94", "BT-101", "BT-138", "BT-143"]),
            (amount, ["BT-93", "BT-100", "BT-137", "BT-142"]),
        ] {
            let found = cii(&[(part, "")], specification);
            let new: Vec<_> = found.iter().filter(|term| !before.contains(*term)).collect();
            assert!(new.len() == 1 && terms.contains(new[0]), "{specification}: {new:?}");
        }
    }
    let order = "<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>";
    let id = between(&text, order, "</ram:BuyerOrderReferencedDocument>");
    assert!(!cii(&[], nlcius).contains(&"BT-13"));
    // Beside the order of the seller UBL has to have one of the buyer, which stands for it.
    let sales = "<ram:SellerOrderReferencedDocument><ram:IssuerAssignedID>";
    let sales = between(&text, sales, "</ram:SellerOrderReferencedDocument>");
    assert!(!cii(&[(id, "")], nlcius).contains(&"BT-13"));
    assert!(cii(&[(id, ""), (sales, "")], nlcius).contains(&"BT-13"));
    let name = between(&text, " filename=\"", "\">").trim_end_matches('>');
    let found = cii(&[(name, "")], bis);
    assert!(found.contains(&"BT-125-2") && !found.contains(&"BT-125-1"), "{found:?}");
}

/// The first part of a text from a start to an end, with both.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let from = text.find(start).expect("a start");
    let rest = &text[from..];
    &rest[..rest.find(end).expect("an end") + end.len()]
}
