//! Orders that we wrote: read whole, with every term, and each becomes the others or is refused.

use std::collections::BTreeSet;

use quoin_xml::tree::Document;

use super::super::{parsed, plain};
use super::{TARGETS, said, same, terms};
use crate::convert::{ConversionRequest, ConversionTarget, LossKind, convert, convert_at};
use crate::orders::read_order;

/// Orders that we wrote, each with what its syntax has a place for.
const SAMPLES: &[(&str, &str)] = &[
    ("UBL order", include_str!("../../../../samples/order.xml")),
    ("UBL response", include_str!("../../../../samples/order-response.xml")),
    ("cXML order", include_str!("../../../../samples/order-cxml.xml")),
    ("cXML response", include_str!("../../../../samples/order-confirmation-cxml.xml")),
    ("DICO order", include_str!("../../../../samples/order-dico.xml")),
    ("DICO response", include_str!("../../../../samples/order-response-dico.xml")),
];

fn sample(name: &str) -> Document {
    parsed(SAMPLES.iter().find(|(own, _)| *own == name).unwrap().1)
}

#[test]
fn samples_are_read_whole_and_become_each_other() {
    for (name, text) in SAMPLES {
        let document = parsed(text);
        let reading = read_order(&document).unwrap();
        let residue: Vec<_> = reading.residue.iter().map(|one| one.path()).collect();
        let is_known = |path: &String| UNREAD.iter().any(|end| path.ends_with(end));
        let residue: Vec<_> = residue.iter().map(|path| plain(path)).collect();
        let residue: Vec<_> = residue.into_iter().filter(|path| !is_known(path)).collect();
        assert_eq!(residue, Vec::<String>::new(), "{name}");
        for target in TARGETS {
            let converted = convert(&document, target).unwrap_or_else(|e| panic!("{name}: {e}"));
            said(&document, &converted, name);
            let what = format!("{name} to {}", target.as_str());
            assert_eq!(same(&document, &converted, &what), Vec::<String>::new());
        }
    }
}

/// What the samples have and the model has not.
const UNREAD: &[&str] =
    &["/DeliveryTerms/DeliveryLocation/ID", "/AdditionalItemProperty/ValueQualifier"];

#[test]
fn the_samples_have_every_term_of_the_order_and_the_answer() {
    let table = include_str!("../../../../../model/src/order/terms.txt");
    // The place of the terms of delivery, and the qualifier of a value, are in no group.
    let without = ["tir01-109", "tir01-p021", "tir76-p009"];
    for (column, name) in [(1, "UBL order"), (2, "UBL response")] {
        let document = sample(name);
        let reading = read_order(&document).unwrap();
        let found: BTreeSet<&str> = reading.order.terms().iter().map(|term| term.id).collect();
        let wanted = table.lines().filter_map(|line| line.split('\t').nth(column));
        let missing: Vec<&str> =
            wanted.filter(|id| !id.is_empty() && !found.contains(id)).collect();
        let missing: Vec<&str> = missing.into_iter().filter(|id| !without.contains(id)).collect();
        assert_eq!(missing, Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn a_secret_is_in_no_list() {
    let converted = convert(&sample("cXML order"), ConversionTarget::UBL).unwrap();
    let told = format!("{:?}{}", converted.losses, converted.document);
    assert!(!told.contains("not-told") && !told.contains("AN01"), "{told}");
}

#[test]
fn each_message_becomes_what_it_is() {
    for (name, target, parts) in [
        ("UBL order", ConversionTarget::CXML, ["orderID=\"ORD-2026-71\"", "type=\"new\""]),
        ("UBL response", ConversionTarget::CXML, ["type=\"detail\"", "type=\"backordered\""]),
        ("UBL order", ConversionTarget::DICO, ["<OrderType>220<", "<GLN>8712345000004<"]),
        ("UBL response", ConversionTarget::DICO, ["<StatusCode>4<", "<BuyersOrderNumber>ORD"]),
        ("cXML order", ConversionTarget::UBL, ["trns:order:3", ">8712345000011</cbc:EndpointID>"]),
        ("cXML response", ConversionTarget::DICO, ["<OrderResponse", ">RSP-17<"]),
        ("DICO order", ConversionTarget::UBL, ["trns:order:3", "unitCode=\"H87\""]),
        ("DICO response", ConversionTarget::UBL, ["trns:order_response:3", ">CA<"]),
        ("DICO order", ConversionTarget::CXML, ["requisitionID=\"REQ-5\"", "currency=\"EUR\""]),
    ] {
        let refused = |error| panic!("{name} to {}: {error}", target.as_str());
        let converted = convert(&sample(name), target).unwrap_or_else(refused);
        for part in parts {
            assert!(converted.document.contains(part), "{name}: {part}\n{}", converted.document);
        }
    }
}

#[test]
fn an_order_that_would_be_another_one_is_refused() {
    let order = SAMPLES[0].1;
    for (from, to, target, why) in [
        (">220<", ">226<", ConversionTarget::DICO, "DICO has orders of type"),
        (">220<", ">227<", ConversionTarget::CXML, "blanket and release"),
        ("ORD-2026-71", "ORDER-2026-00000071", ConversionTarget::DICO, "at most 17"),
        ("\"H87\"", "\"KWH\"", ConversionTarget::DICO, "list of units"),
        ("\"0088\"", "\"0106\"", ConversionTarget::DICO, "GLN of the buyer"),
        (">EUR<", ">SEK<", ConversionTarget::DICO, "they are in euro"),
    ] {
        let refused = convert(&parsed(&order.replace(from, to)), target).unwrap_err().to_string();
        assert!(refused.contains(why), "{to}: {refused}");
    }
    let answer = SAMPLES[1].1.replace(">CA<", ">AB<");
    let refused = convert(&parsed(&answer), ConversionTarget::CXML).unwrap_err().to_string();
    assert!(refused.contains("accept, reject or with changes"), "{refused}");
    let answer = SAMPLES[1].1.replace(">3</cbc:LineStatusCode>", ">42</cbc:LineStatusCode>");
    for target in [ConversionTarget::CXML, ConversionTarget::DICO] {
        assert!(convert(&parsed(&answer), target).is_err());
    }
    let change = order.replace("<Order ", "<OrderChange ").replace("</Order>", "</OrderChange>");
    let change = change.replace("xsd:Order-2", "xsd:OrderChange-2");
    let refused = convert(&parsed(&change), ConversionTarget::DICO).unwrap_err().to_string();
    assert_eq!(refused, "a change of an order has no form in DICO");
}

#[test]
fn peppol_bis_is_named_where_all_of_it_is_there_and_asked_for_is_refused_else() {
    let text = SAMPLES[2].1;
    let asked = |text: &str| {
        let specification = Some("urn:fdc:peppol.eu:poacc:trns:order:3");
        let target = ConversionTarget::UBL;
        let request = ConversionRequest { specification, ..target.into() };
        convert_at(parsed(text).root(), request)
    };
    assert!(asked(text).unwrap().document.contains("trns:order:3"));
    let without = text.replace("domain=\"0088\"", "domain=\"NetworkID\"");
    let without = without.replace("Domain=\"0088\"", "Domain=\"own\"");
    let plain = convert(&parsed(&without), ConversionTarget::UBL).unwrap();
    assert!(!plain.document.contains("CustomizationID"), "{}", plain.document);
    let refused = asked(&without).unwrap_err().to_string();
    assert!(refused.contains("electronic address of the buyer"), "{refused}");
}

#[test]
fn insbou003_becomes_sales005() {
    let order = SAMPLES[4].1;
    let bare = order.replace(" xmlns=\"http://www.ketenstandaard.nl/order/SALES/005\"", "");
    let bare = parsed(&bare.replace("LineIdentification", "LineIdentitfication"));
    let converted = convert(&bare, ConversionTarget::DICO).unwrap();
    let sales = parsed(&converted.document);
    let (mut before, mut after) = (read_order(&bare).unwrap(), read_order(&sales).unwrap());
    assert_eq!(terms(&mut before), terms(&mut after));
    let lost: Vec<_> = converted.losses.iter().filter(|loss| loss.kind == LossKind::Lost).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}
