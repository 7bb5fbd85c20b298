//! The ends of documents, and another receiver written into them.

use super::*;
use crate::{read, samples};

fn routing(text: &str) -> Routing {
    read(text.as_bytes()).routing().unwrap()
}

fn endpoint_of(id: &str) -> ElectronicAddress {
    let (scheme, value) = id.split_once(':').unwrap();
    ElectronicAddress { scheme: scheme.to_owned(), value: value.to_owned() }
}

/// A document of a row with two parties, in the order of the row.
fn minimal(row: &Address) -> String {
    let cii = row.root.starts_with("CrossIndustry");
    let namespace = match cii {
        true => format!("urn:un:unece:uncefact:data:standard:{}:100", row.root),
        false => format!("{}{}-2", crate::ubl::UBL_PREFIX, row.root),
    };
    let party = |id: &str, country: &str| match cii {
        true => format!(
            "<Name>N {id}</Name><PostalTradeAddress><CountryID>{country}</CountryID>\
             </PostalTradeAddress><URIUniversalCommunication><URIID schemeID='0106'>{id}</URIID>\
             </URIUniversalCommunication>"
        ),
        false => format!(
            "<EndpointID schemeID='0106'>{id}</EndpointID><PostalAddress><Country>\
             <IdentificationCode>{country}</IdentificationCode></Country></PostalAddress>\
             <PartyLegalEntity><RegistrationName>N {id}</RegistrationName></PartyLegalEntity>"
        ),
    };
    let wrapped = |path: &[&str], inside: String| {
        path.iter().rev().fold(inside, |text, name| format!("<{name}>{text}</{name}>"))
    };
    let sender = wrapped(row.sender, party("1", "nl"));
    let receiver = wrapped(row.receiver, party("2", "BE"));
    format!("<{0} xmlns='{namespace}'>{sender}{receiver}</{0}>", row.root)
}

#[test]
fn every_row_names_both_ends() {
    for row in ADDRESSES {
        let routing = routing(&minimal(row));
        let ends = (&routing.sender, &routing.receiver);
        let expected = (Some(endpoint_of("0106:1")), Some(endpoint_of("0106:2")));
        assert_eq!((ends.0.endpoint.clone(), ends.1.endpoint.clone()), expected, "{}", row.root);
        assert_eq!(ends.0.country.as_deref(), Some("NL"), "{}", row.root);
        assert_eq!(ends.1.name.as_deref(), Some("N 2"), "{}", row.root);
        let once = ADDRESSES.iter().filter(|other| other.root == row.root).count();
        assert_eq!(once, 1, "{} has one row", row.root);
    }
}

/// What is not kept of an answer is counted.
#[test]
fn clarifications_beyond_the_first_hundred_are_counted() {
    for (given, kept, unkept) in [(0, 0, 0), (100, 100, 0), (107, 100, 7)] {
        let status =
            "<Status><StatusReasonCode listID='OPStatusReason'>REF</StatusReasonCode></Status>";
        let text = format!(
            "<ApplicationResponse xmlns='{}ApplicationResponse-2'><DocumentResponse><Response>{}\
             </Response></DocumentResponse></ApplicationResponse>",
            crate::ubl::UBL_PREFIX,
            status.repeat(given)
        );
        let answers = routing(&text).answers.unwrap();
        assert_eq!((answers.clarifications.len(), answers.unkept), (kept, unkept));
    }
}

#[test]
fn every_row_takes_another_receiver() {
    let other = endpoint_of("0208:0123456749");
    for row in ADDRESSES {
        let text = minimal(row);
        let written = with_receiver(&read(text.as_bytes()), &other).unwrap().unwrap();
        let written = String::from_utf8(written).unwrap();
        let found = routing(&written);
        assert_eq!(found.receiver.endpoint.as_ref(), Some(&other), "{}", row.root);
        assert_eq!(found.sender.endpoint, Some(endpoint_of("0106:1")), "{}", row.root);
        let again = with_receiver(&read(written.as_bytes()), &other).unwrap();
        assert_eq!(again, None, "{}: it is the receiver already", row.root);
    }
}

#[test]
fn an_invoice_says_the_same_as_its_header() {
    for text in [
        samples::INVOICE,
        samples::CREDIT_NOTE,
        samples::SELF_BILLED_INVOICE,
        samples::SELF_BILLED_CREDIT_NOTE,
    ] {
        let parsed = read(text.as_bytes());
        let (header, routing) = (parsed.header().unwrap(), parsed.routing().unwrap());
        assert_eq!(routing.sender.endpoint.as_ref(), header.sender());
        assert_eq!(routing.receiver.endpoint.as_ref(), header.receiver());
        assert_eq!(routing.sender.country.as_deref(), header.sender_country());
        assert_eq!(
            (routing.number, routing.issue_date),
            (header.number.clone(), header.issue_date)
        );
        assert_eq!((routing.type_code, routing.currency), (header.type_code, header.currency));
    }
}

#[test]
fn a_receiver_is_replaced_and_everything_else_stays() {
    let other = endpoint_of("0208:0123456749");
    let text = samples::INVOICE;
    let written = with_receiver(&read(text.as_bytes()), &other).unwrap().unwrap();
    let written = String::from_utf8(written).unwrap();
    let old = "schemeID=\"0106\">87654321<";
    assert_eq!(written, text.replacen(old, "schemeID=\"0208\">0123456749<", 1));
}

#[test]
fn a_receiver_is_put_where_none_was() {
    let other = endpoint_of("0208:0123456749");
    let start = samples::INVOICE.find("87654321").unwrap();
    let from = samples::INVOICE[..start].rfind('<').unwrap();
    let end = start + samples::INVOICE[start..].find('>').unwrap() + 1;
    let bare = format!("{}{}", &samples::INVOICE[..from], &samples::INVOICE[end..]);
    assert_eq!(routing(&bare).receiver.endpoint, None);
    let written = with_receiver(&read(bare.as_bytes()), &other).unwrap().unwrap();
    assert_eq!(read(&written).routing().unwrap().receiver.endpoint, Some(other));
}

#[test]
fn what_has_no_place_for_a_receiver_says_so() {
    let other = endpoint_of("0208:0123456749");
    let refuse = |text: &str| with_receiver(&read(text.as_bytes()), &other).unwrap_err();
    assert_eq!(refuse("<a/>"), InjectError::NoPlace);
    assert_eq!(refuse("no XML"), InjectError::NoPlace);
    let invoice = "<Invoice xmlns='urn:oasis:names:specification:ubl:schema:xsd:Invoice-2'/>";
    assert_eq!(refuse(invoice), InjectError::NoParty);
    let twice = samples::INVOICE.replacen(
        "<cbc:EndpointID schemeID=\"0106\">87654321</cbc:EndpointID>",
        "<cbc:EndpointID schemeID=\"0106\">1</cbc:EndpointID>\
         <cbc:EndpointID schemeID=\"0106\">2</cbc:EndpointID>",
        1,
    );
    assert_eq!(refuse(&twice), InjectError::Several);
}

#[test]
fn spans_pass_over_comments_sections_and_quotes() {
    let text = "<a><b x='>'><!-- </b> --><![CDATA[</b>]]><?p </b>?><c/></b><d/></a>";
    let tree = quoin_xml::tree::Document::parse(text.as_bytes(), &Default::default()).unwrap();
    let b = tree.root().elements().next().unwrap();
    let (from, to) = spans::span(b).unwrap();
    assert_eq!(&text[from..to], &text[3..text.len() - "<d/></a>".len()]);
}

#[test]
fn what_is_no_xml_has_no_routing_and_what_is_unknown_no_ends() {
    assert_eq!(read(b"no XML").routing(), None);
    let routing = routing("<a xmlns='urn:x'/>");
    assert_eq!((routing.root_local.as_str(), routing.sender), ("a", RoutingParty::default()));
}

/// A new element has the prefix that the document has for its namespace.
#[test]
fn a_new_address_has_the_prefix_of_its_document() {
    let other = endpoint_of("0208:0123456749");
    let old = "<cbc:EndpointID schemeID=\"0106\">87654321</cbc:EndpointID>";
    assert!(samples::INVOICE.contains(old));
    let bare = samples::INVOICE.replacen(old, "", 1);
    let written = with_receiver(&read(bare.as_bytes()), &other).unwrap().unwrap();
    let written = String::from_utf8(written).unwrap();
    let own = "<cbc:EndpointID schemeID=\"0208\">0123456749</cbc:EndpointID>";
    assert!(written.contains(own), "{written}");
    // Without a prefix for it, the namespace stands beside the element.
    let none = bare.replace("xmlns:cbc=", "xmlns:b=").replace("cbc:", "b:");
    let shadowed = none.replacen("<cac:Party>", "<cac:Party xmlns:b=\"urn:x\">", 9);
    let parsed = read(shadowed.as_bytes());
    assert!(with_receiver(&parsed, &other).is_ok_and(|written| {
        written.is_some_and(|own| String::from_utf8(own).unwrap().contains("<EndpointID xmlns=\""))
    }));
    let ours = with_receiver(&read(none.as_bytes()), &other).unwrap().unwrap();
    assert!(String::from_utf8(ours).unwrap().contains("<b:EndpointID schemeID"));
}
