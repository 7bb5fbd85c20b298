//! Every type of the network comes out of a document with its identifiers, and nothing else does.

use jiff::Timestamp;
use jiff::civil::{Date, date};
use quoin_formats::Syntax;
use quoin_formats::profiles::PROFILES;
use quoin_formats::ubl::UBL_PREFIX;
use quoin_formats::{Detection, detect};
use quoin_peppol::codelists::{CodeState, DOCUMENT_TYPES, DocumentType};
use quoin_peppol::identifiers::{DocumentTypeId, DocumentTypeScheme, ProcessId};
use quoin_peppol::sbdh::{self, CountryC1, Sbdh};

use super::*;

const TODAY: Date = date(2026, 11, 23);
const CII: &str = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
const BIS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
const BILLING: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

/// A document element with identifiers, where its syntax has places for them.
fn document(namespace: &str, local: &str, customization: &str, process: &str) -> String {
    let [customization, process] = [customization, process].map(|id| id.replace('&', "&amp;"));
    if namespace.starts_with("urn:un:unece:uncefact:data:standard:") {
        return format!(
            "<r:{local} xmlns:r='{namespace}' xmlns:a='urn:un:unece:uncefact:data:standard:\
             ReusableAggregateBusinessInformationEntity:100'><r:ExchangedDocumentContext>\
             <a:BusinessProcessSpecifiedDocumentContextParameter><a:ID>{process}</a:ID>\
             </a:BusinessProcessSpecifiedDocumentContextParameter>\
             <a:GuidelineSpecifiedDocumentContextParameter><a:ID>{customization}</a:ID>\
             </a:GuidelineSpecifiedDocumentContextParameter></r:ExchangedDocumentContext></r:{local}>"
        );
    }
    let cbc = if namespace.starts_with(UBL_PREFIX) {
        format!("{UBL_PREFIX}CommonBasicComponents-2")
    } else {
        namespace.to_owned()
    };
    format!(
        "<{local} xmlns='{namespace}' xmlns:cbc='{cbc}'>\
         <cbc:CustomizationID>{customization}</cbc:CustomizationID>\
         <cbc:ProfileID>{process}</cbc:ProfileID><cbc:ID>1</cbc:ID></{local}>"
    )
}

fn ubl(local: &str, customization: &str, process: &str) -> Detection {
    let text = document(&format!("{UBL_PREFIX}{local}-2"), local, customization, process);
    detect(text.as_bytes())
}

fn cii(customization: &str, process: &str) -> Detection {
    detect(document(CII, "CrossIndustryInvoice", customization, process).as_bytes())
}

fn announced(document_type: &str, process: &str) -> Announced {
    Announced {
        document_type: (!document_type.is_empty()).then(|| document_type.parse().unwrap()),
        process: (!process.is_empty()).then(|| process.parse().unwrap()),
    }
}

/// The value of the type and the process, or why there are none.
fn exchanged(detection: &Detection, announced: &Announced) -> Result<(String, String), String> {
    match decide(detection, announced, TODAY).exchange {
        Ok(found) => Ok((found.document_type.value().to_owned(), found.process.value().to_owned())),
        Err(reasons) => Err(reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
    }
}

fn in_use() -> impl Iterator<Item = &'static DocumentType> {
    DOCUMENT_TYPES.iter().filter(|row| row.state_on(TODAY) == CodeState::Active && !row.is_abstract)
}

/// Whether two rows have the same document element and customization in different versions of a
/// syntax, so that a document alone cannot tell them apart.
fn has_twin(row: &DocumentType) -> bool {
    let before = |value: &str| value.rsplit_once("::").map(|(start, _)| start.to_owned());
    in_use().any(|other| other.value != row.value && before(other.value) == before(row.value))
}

/// For everything that is accepted, document element, CustomizationID and process of the payload
/// are those of the type.
#[test]
fn every_type_in_use_comes_out_of_its_documents() {
    let (mut own, mut asked) = (0, 0);
    for row in in_use() {
        let id = row.id().unwrap();
        let parts = id.parts();
        let Some(local) = parts.local_name else { continue };
        for process in row.processes {
            let process: ProcessId = process.parse().unwrap();
            let text = document(parts.root_namespace, local, parts.customization, process.value());
            let found = detect(text.as_bytes());
            let says = found.syntax.is_some_and(Syntax::has_identifiers);
            let elsewhere = found.profile().is_some_and(|own| own.process_elsewhere);
            let beside = Announced {
                document_type: (!says || has_twin(row)).then(|| id.clone()),
                process: (!says || elsewhere).then(|| process.clone()),
            };
            let exchange = decide(&found, &beside, TODAY).exchange;
            let exchange = exchange.unwrap_or_else(|why| panic!("{}: {why:?}", row.name));
            assert_eq!((exchange.document_type, exchange.process), (id.clone(), process.clone()));
            if !says {
                asked += 1;
                continue;
            }
            own += 1;
            assert_eq!(
                found.customization_id.as_deref(),
                Some(parts.customization),
                "{}",
                row.name
            );
            // The same document under any other type of its document element is a contradiction.
            let others = in_use().filter_map(|other| other.id().ok()).filter(|other| {
                let parts = other.parts();
                parts.local_name == Some(local) && parts.root_namespace == id.parts().root_namespace
            });
            for other in others.filter(|other| other.value() != id.value()).take(5) {
                let beside = Announced { document_type: Some(other.clone()), process: None };
                let twin = other.parts().customization == parts.customization;
                let exchange = decide(&found, &beside, TODAY).exchange;
                assert_eq!(exchange.is_ok(), twin && !elsewhere, "{} as {other}", row.name);
            }
        }
    }
    assert!(own > 150 && asked > 20, "{own} {asked}");
}

/// BO-1: an identifier that nobody knows is no type, whatever the document element.
#[test]
fn an_unknown_identifier_never_becomes_the_only_type_of_its_root() {
    for local in
        ["WeightStatement", "Waybill", "TransportationStatus", "Reminder", "UtilityStatement"]
    {
        for customization in ["urn:example:mine:1", "urn:example:mine"] {
            let why = exchanged(&ubl(local, customization, ""), &Announced::default());
            assert!(why.unwrap_err().contains("is not that of a document type"), "{local}");
        }
        let why = exchanged(&ubl(local, "", ""), &Announced::default()).unwrap_err();
        assert!(why.contains("has no CustomizationID"), "{local}: {why}");
    }
    let bis = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0";
    assert!(exchanged(&ubl("SelfBilledCreditNote", bis, ""), &Announced::default()).is_err());
    // A near miss is told what was meant.
    for (local, written, meant) in [
        (
            "WeightStatement",
            "urn:fdc:peppol.eu:logistics:trns:weight_statement:2",
            "urn:fdc:peppol.eu:logistics:trns:weight_statement:1",
        ),
        ("Invoice", "urn:peppol:pint:billing-1@EU-1", "urn:peppol:pint:billing-1@eu-1"),
        ("Order", "urn:fdc:peppol.eu:poacc:trns:order:3.0", "urn:fdc:peppol.eu:poacc:trns:order:3"),
    ] {
        let why = exchanged(&ubl(local, written, ""), &Announced::default()).unwrap_err();
        assert!(why.contains(&format!("did you mean {meant}?")), "{why}");
    }
}

/// BO-2: what is asked beside a document decides only where the document is silent.
#[test]
fn what_is_announced_never_overrules_the_document() {
    let billing = format!("busdox-docid-qns::{UBL_PREFIX}Invoice-2::Invoice##{BIS}::2.1");
    let beside = announced(&billing, "");
    assert!(exchanged(&ubl("Invoice", BIS, BILLING), &beside).is_ok());
    for other in [
        "urn:cen.eu:en16931:2017",
        "urn:example:x",
        "A1",
        "OIOUBL-2.02",
        "urn:factur-x.eu:1p0:minimum",
        &format!("{BIS}#conformant#urn:www.difi.no:ehf:x"),
        "",
    ] {
        let why = exchanged(&ubl("Invoice", other, BILLING), &beside).unwrap_err();
        assert!(why.contains("was announced"), "{other}: {why}");
    }
    let credit = format!("busdox-docid-qns::{UBL_PREFIX}CreditNote-2::CreditNote##{BIS}::2.1");
    assert!(exchanged(&ubl("Invoice", BIS, BILLING), &announced(&credit, "")).is_err());
    for text in ["<a xmlns='urn:x'/>", "%PDF-1.7", "hello"] {
        assert!(exchanged(&detect(text.as_bytes()), &beside).is_err(), "{text}");
    }
    let third =
        document("urn:oasis:names:specification:ubl:schema:xsd:Invoice-3", "Invoice", BIS, "");
    assert!(exchanged(&detect(third.as_bytes()), &beside).is_err());
    // A hybrid is a PDF, and an invoice in XML is none.
    let hybrid = "busdox-docid-qns::urn:peppol:doctype:pdf+xml##urn:cen.eu:en16931:2017#conformant#\
                  urn:peppol:france:billing:Factur-X:1.0::D22B";
    assert!(exchanged(&ubl("Invoice", BIS, BILLING), &announced(hybrid, "")).is_err());
    let process = "cenbii-procid-ubl::urn:peppol:france:billing:regulated";
    assert!(exchanged(&detect(b"%PDF-1.7"), &announced(hybrid, process)).is_ok());
}

/// BO-3: what arrives is judged by the type of its envelope, and told where it is another.
#[test]
fn what_arrives_is_judged_as_what_it_came_as() {
    let billing = format!("busdox-docid-qns::{UBL_PREFIX}Invoice-2::Invoice##{BIS}::2.1");
    let beside = announced(&billing, &format!("cenbii-procid-ubl::{BILLING}"));
    let own = ubl("Invoice", BIS, BILLING);
    let same = decide(&own, &beside, TODAY);
    assert!(same.objections.is_empty() && same.choice.profile.unwrap().id == "peppol-bis3");
    for (customization, process, rules) in [
        ("urn:example:x", BILLING, &["QUOIN-ANNOUNCED-TYPE"][..]),
        ("OIOUBL-2.02", BILLING, &["QUOIN-ANNOUNCED-TYPE"]),
        ("", BILLING, &["QUOIN-ANNOUNCED-TYPE"]),
        (BIS, "urn:peppol:bis:billing_with_response", &["QUOIN-ANNOUNCED-PROCESS"]),
        ("urn:x", "urn:y", &["QUOIN-ANNOUNCED-TYPE", "QUOIN-ANNOUNCED-PROCESS"]),
    ] {
        let found = ubl("Invoice", customization, process);
        let identity = decide(&found, &beside, TODAY);
        let told: Vec<_> = identity.objections.iter().map(|own| own.row.id).collect();
        assert_eq!(told, rules, "{customization} {process}");
        assert_eq!(identity.choice.profile.map(|own| own.id), Some("peppol-bis3"));
        assert_eq!(identity.choice.package.map(|own| own.id), Some("peppol-bis3"));
    }
}

/// BO-8: CII has BT-23 in the place of ProfileID.
#[test]
fn the_process_of_a_cii_document_is_its_own() {
    let none = Announced::default();
    assert_eq!(exchanged(&cii(BIS, BILLING), &none).unwrap().1, BILLING);
    for other in ["urn:fdc:peppol.eu:2017:poacc:billing:02:1.0", "urn:x", "billing"] {
        for found in [cii(BIS, other), ubl("Invoice", BIS, other)] {
            let why = exchanged(&found, &none).unwrap_err();
            assert!(why.contains("this type of document is exchanged in"), "{why}");
        }
    }
    assert_eq!(exchanged(&cii(BIS, ""), &none).unwrap().1, BILLING);
}

/// BO-12: a type that is gone by its day is refused, and no later than that day.
#[test]
fn a_removed_type_is_refused_from_its_day() {
    let id = "urn:cen.eu:en16931:2017#conformant#urn:UBL.BE:1.0.0.20180214";
    let found = ubl("Invoice", id, BILLING);
    let on = |day| decide(&found, &Announced::default(), day).exchange;
    assert!(on(date(2026, 7, 6)).is_ok());
    let why = on(date(2026, 7, 7)).unwrap_err();
    assert!(why[0].to_string().contains("removed from the network since 2026-07-07"), "{why:?}");
    let listed: DocumentTypeId =
        format!("busdox-docid-qns::{UBL_PREFIX}Invoice-2::Invoice##{id}::2.1").parse().unwrap();
    assert!(is_exchanged(&listed, date(2026, 7, 6)) && !is_exchanged(&listed, date(2026, 7, 7)));
    let removed = DOCUMENT_TYPES.iter().filter(|row| row.state_on(TODAY) == CodeState::Removed);
    for row in removed {
        let id = row.id().unwrap();
        // Another row may have the same value under the other scheme, or once more.
        let again = in_use().any(|other| other.value == row.value);
        assert!(again || standing(&id, TODAY) != DocumentTypeState::Active, "{}", row.name);
    }
}

/// BO-7: a jurisdiction that does not exist is none, and the base alone is no document.
#[test]
fn pint_needs_a_jurisdiction_that_there_is() {
    let none = Announced::default();
    let process = "urn:peppol:bis:billing";
    assert!(exchanged(&ubl("Invoice", "urn:peppol:pint:billing-1@eu-1", process), &none).is_ok());
    for id in [
        "urn:peppol:pint:billing-1@EU-1",
        "urn:peppol:pint:billing-1@zz-1",
        "urn:peppol:pint:billing-1@jp-2",
        "urn:peppol:pint:selfbilling-1@eu-1",
        "urn:peppol:pint:selfbilling-1",
        "urn:peppol:pint:nontaxinvoice-1",
    ] {
        assert!(exchanged(&ubl("Invoice", id, process), &none).is_err(), "{id}");
    }
    let why = exchanged(&ubl("Invoice", "urn:peppol:pint:billing-1", process), &none).unwrap_err();
    assert!(why.contains("only the base of other types"), "{why}");
}

/// What the rules of logistics ask for is not what the code list has.
#[test]
fn processes_of_logistics_are_those_of_the_list() {
    let start = "urn:fdc:peppol.eu:logistics";
    for (local, kind, written, process) in [
        ("Waybill", "waybill", "waybill_only:1", "waybill:1"),
        (
            "TransportExecutionPlan",
            "transport_execution_plan",
            "transport_execution_plan_w_request:1",
            "transport_execution_plan_only:1",
        ),
        (
            "TransportationStatus",
            "transportation_status",
            "transportation_status_w_request:1",
            "transportation_status_only:1",
        ),
    ] {
        let written = format!("{start}:bis:{written}");
        let found = ubl(local, &format!("{start}:trns:{kind}:1"), &written);
        let exchange = decide(&found, &Announced::default(), TODAY).exchange.unwrap();
        assert_eq!(exchange.process.value(), format!("{start}:bis:{process}"), "{local}");
        // And as they arrive: the envelope says what the list has.
        let beside = Announced {
            document_type: Some(exchange.document_type),
            process: Some(exchange.process),
        };
        assert!(decide(&found, &beside, TODAY).objections.is_empty(), "{local}");
    }
}

/// The kinds that other rooms ask about are those of the profiles.
#[test]
fn kinds_of_statuses_and_reports() {
    let of = |customization: &str, local: &str| {
        DocumentTypeId::of_document(&format!("{UBL_PREFIX}{local}-2"), local, customization, "2.1")
            .unwrap()
    };
    let answer = |customization| of(customization, "ApplicationResponse");
    for (id, status) in [
        (answer("urn:peppol:edec:mls:1.0"), Some(StatusKind::MessageLevel)),
        (answer("urn:fdc:peppol.eu:poacc:trns:mlr:3"), Some(StatusKind::MessageLevel)),
        (
            answer(
                "urn:www.cenbii.eu:transaction:biitrns071:ver2.0:extended:\
                 urn:www.peppol.eu:bis:peppol36a:ver1.0",
            ),
            Some(StatusKind::MessageLevel),
        ),
        (answer("urn:fdc:peppol.eu:poacc:trns:invoice_response:3"), Some(StatusKind::Invoice)),
        (answer("urn:fdc:peppol.eu:poacc:trns:catalogue_response:3"), None),
        (of(BIS, "Invoice"), None),
    ] {
        assert_eq!(status_of(&id), status, "{id}");
    }
    let reports = DOCUMENT_TYPES.iter().filter(|row| row.value.contains("-statistics-report"));
    for row in reports {
        assert!(is_report(&row.id().unwrap()), "{}", row.name);
    }
}

/// Whatever is written, the answer comes at once.
#[test]
fn hostile_identifiers_are_bounded() {
    for part in ["#", "@", "urn:", "urn:cen.eu:en16931:2017#", "a"] {
        let long = part.repeat(1_000_000 / part.len());
        let found = ubl("Invoice", &long, &long);
        assert!(decide(&found, &Announced::default(), TODAY).exchange.is_err());
    }
}

/// Each profile of the network whose documents say what they are has a type, in use or gone.
#[test]
fn profiles_in_use_that_peppol_has_are_typed() {
    let peppol = PROFILES.iter().filter(|own| own.id.starts_with("peppol-") || own.id == "nlcius");
    let mut typed = 0;
    for profile in peppol {
        let known = DOCUMENT_TYPES.iter().any(|row| {
            row.id().is_ok_and(|id| profile_of(&id).is_some_and(|own| own.id == profile.id))
        });
        typed += usize::from(known);
    }
    assert!(typed > 40, "{typed}");
}

/// Every type in use fits an envelope with its process, and is read out of it again.
#[test]
fn every_type_in_use_is_enveloped() {
    for row in in_use() {
        let id = row.id().unwrap();
        for process in row.processes {
            let header = Sbdh {
                sender: "0106:12345678".parse().unwrap(),
                receiver: "0106:87654321".parse().unwrap(),
                document_type: id.clone(),
                process: process.parse().unwrap(),
                instance: "i".to_owned(),
                created: Timestamp::UNIX_EPOCH,
                country: CountryC1::new("NL").unwrap(),
                mls_to: None,
                mls_type: None,
                others: Vec::new(),
            };
            let envelope = match id.parts().local_name {
                Some(local) => {
                    let payload = format!("<{local} xmlns=\"{}\"/>", id.parts().root_namespace);
                    sbdh::wrap(&header, payload.as_bytes())
                }
                None => sbdh::wrap_binary(&header, "application/pdf", None, b"%PDF-1.7"),
            };
            let envelope = envelope.unwrap_or_else(|error| panic!("{}: {error}", row.name));
            let read = sbdh::read(&envelope).unwrap();
            assert_eq!((&read.sbdh.document_type, &read.sbdh.process), (&id, &header.process));
            let text = String::from_utf8(envelope).unwrap();
            assert!(text.contains(&format!("<Identifier>{}</Identifier>", row.scheme)), "{text}");
        }
    }
}

/// PINT types are wildcard types, and no others (PFUOI 5.1.2).
#[test]
fn the_scheme_follows_from_the_customization() {
    for row in in_use() {
        let id = row.id().unwrap();
        let pint = id.parts().customization.starts_with("urn:peppol:pint:");
        assert_eq!(row.scheme == DocumentTypeScheme::Wildcard, pint, "{}", row.name);
    }
}
