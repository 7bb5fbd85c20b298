//! Releases and profiles of CII: what their schema has no place for is not written, and has a row.

use quoin_xml::tree::{Document, Limits};

use super::{CII, ConversionRefusal, Converted, LossKind, UBL, convert_at, edit};
use crate::convert::{ConversionProfile, ConversionRequest, ConversionTarget};
use crate::structure_tables;

fn result(text: &str, name: &str) -> Result<Converted, ConversionRefusal> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).expect("well formed");
    convert_at(document.root(), ConversionRequest::named(name).expect("a name"))
}

/// What a document becomes in a profile, which its schema finds in order.
fn written(text: &str, name: &str, structure: &str) -> Converted {
    let converted = result(text, name).expect("it has a place");
    let document = Document::parse(converted.document.as_bytes(), &Limits::default()).unwrap();
    let schema = structure_tables::by_id(structure).unwrap().schema().unwrap();
    let violations = schema.validate(document.root()).violations;
    assert!(violations.is_empty(), "{name}: {violations:#?}\n{}", converted.document);
    converted
}

/// The UBL sample without BT-114, which BASIC has not.
fn without_rounding() -> String {
    let rounding = "<cbc:PayableRoundingAmount currencyID=\"EUR\">0.50</cbc:PayableRoundingAmount>";
    edit(UBL, &[(rounding, "")])
}

/// Every profile with its structure.
const STRUCTURES: &[(&str, &str)] = &[
    ("cii-d22b", "cii-d22b"),
    ("factur-x-minimum", "factur-x-1.09-minimum"),
    ("factur-x-basic-wl", "factur-x-1.09-basicwl"),
    ("factur-x-basic", "factur-x-1.09-basic"),
    ("factur-x-en16931", "factur-x-1.09-en16931"),
    ("factur-x-extended", "factur-x-1.09-extended"),
    ("xrechnung-cii", "cii-d16b"),
];

#[test]
fn every_profile_has_a_name_a_title_and_a_test() {
    let names: Vec<&str> = ConversionProfile::all().map(ConversionProfile::as_str).collect();
    assert_eq!(names, STRUCTURES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for profile in ConversionProfile::all() {
        assert!(!profile.title().is_empty());
        assert!(ConversionTarget::named(profile.as_str()).is_none());
        assert_eq!(ConversionProfile::named(profile.as_str()), Some(profile));
        assert_eq!(profile.target(), ConversionTarget::CII);
    }
    assert!(ConversionRequest::named("factur-x").is_none());
    let all = ConversionTarget::all().count() + STRUCTURES.len();
    assert_eq!(ConversionRequest::names().count(), all);
}

#[test]
fn every_term_goes_to_each_profile_or_has_a_row() {
    let rounding = [
        "<cbc:PayableRoundingAmount currencyID=\"EUR\">0.50</cbc:PayableRoundingAmount>",
        "<ram:RoundingAmount>0.50</ram:RoundingAmount>",
    ];
    for (text, rounding) in [UBL, CII].into_iter().zip(rounding) {
        for (name, structure) in STRUCTURES {
            let text = super::compact(text);
            // Without the rounding the amount due would be another one.
            let is_refused = ["factur-x-basic-wl", "factur-x-basic"].contains(name);
            let refused =
                matches!(result(&text, name), Err(ConversionRefusal::ValueWithoutPlace { .. }));
            assert_eq!(refused, is_refused, "{name}");
            let converted = written(&edit(&text, &[(rounding, "")]), name, structure);
            let profile = ConversionProfile::named(name).unwrap();
            if let Some(id) = profile.specification() {
                assert!(converted.has(&format!(">{id}</")), "{name}");
            }
            let lost = converted.losses.iter().filter(|loss| loss.kind == LossKind::Lost);
            let lost: Vec<_> = lost.filter_map(|loss| loss.term).collect();
            match *name {
                "factur-x-minimum" => {
                    assert!(lost.contains(&"BT-126") && lost.contains(&"BT-9"), "{lost:?}");
                    assert!(!lost.contains(&"BT-115") && !lost.contains(&"BT-31"), "{lost:?}");
                }
                "factur-x-basic-wl" => {
                    assert!(lost.contains(&"BT-126") && !lost.contains(&"BT-9"), "{lost:?}");
                }
                "factur-x-basic" => {
                    assert!(lost.contains(&"BT-154") && !lost.contains(&"BT-126"), "{lost:?}");
                }
                // The schema of D22B has no codes of UNTDID 7161.
                "cii-d22b" => assert!(lost.iter().all(|own| ["BT-105", "BT-145"].contains(own))),
                _ => assert_eq!(lost, Vec::<&str>::new(), "{name}"),
            }
        }
    }
}

#[test]
fn a_specification_means_its_profile() {
    let document = Document::parse(UBL.as_bytes(), &Limits::default()).unwrap();
    let of = |specification: &str| {
        let request = ConversionRequest {
            specification: Some(specification),
            ..ConversionTarget::CII.into()
        };
        convert_at(document.root(), request).unwrap()
    };
    let by_name = result(UBL, "factur-x-extended").unwrap();
    let by_specification = of("urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended");
    assert_eq!(by_specification, by_name);
    // EN 16931 is CII D16B, unless the profile of Factur-X is asked for.
    assert_eq!(of("urn:cen.eu:en16931:2017").losses.len(), 1);
}

#[test]
fn minimum_and_basic_wl_have_no_lines_and_do_not_become_ubl() {
    for name in ["factur-x-minimum", "factur-x-basic-wl"] {
        let converted = result(&without_rounding(), name).unwrap();
        assert_eq!(converted.count("IncludedSupplyChainTradeLineItem"), 0);
        assert_eq!(
            super::converted(&converted.document, ConversionTarget::UBL),
            Err(ConversionRefusal::NoLines)
        );
    }
}

#[test]
fn a_document_of_the_profile_is_copied_and_of_another_is_written() {
    let basic = result(&without_rounding(), "factur-x-basic").unwrap();
    let again = result(&basic.document, "factur-x-basic").unwrap();
    assert_eq!(again.losses, []);
    let up = result(&basic.document, "factur-x-extended").unwrap();
    let rows: Vec<_> = up.rows().into_iter().map(|(term, kind, _)| (term, kind)).collect();
    assert_eq!(rows, [("BT-24", LossKind::Changed)], "{:#?}", up.losses);
}

#[test]
fn several_preceding_invoices_have_a_place_since_d22a() {
    let place = "<cac:DespatchDocumentReference>";
    let second = "<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>E-162</cbc:ID>\
        </cac:InvoiceDocumentReference></cac:BillingReference>";
    let text = edit(&without_rounding(), &[(place, &format!("{second}{place}"))]);
    for (name, structure) in [STRUCTURES[0], STRUCTURES[3], STRUCTURES[4], STRUCTURES[5]] {
        let converted = written(&text, name, structure);
        assert_eq!(converted.count("<ram:InvoiceReferencedDocument>"), 2, "{name}");
        let back = super::converted(&converted.document, ConversionTarget::UBL).unwrap();
        assert_eq!(back.count("<cac:BillingReference>"), 2, "{name}");
    }
    let xrechnung = written(&text, "xrechnung-cii", "cii-d16b");
    assert!(xrechnung.rows().contains(&("BT-25", LossKind::Lost, "E-162")));
}

#[test]
fn what_follows_from_lines_has_a_row_where_there_are_no_lines() {
    let source = include_str!("../../../samples/svefaktura.xml");
    let of_count = |converted: &Converted| {
        let rows = converted.losses.iter();
        rows.filter(|row| row.source_path.contains("LineItemCountNumeric")).count()
    };
    let whole = result(source, "cii").expect("it has a place");
    assert_eq!(of_count(&whole), 0, "the lines can be counted");
    let without = result(source, "factur-x-minimum").expect("it has a place");
    assert_eq!(of_count(&without), 1, "{:?}", without.rows());
    assert_eq!(without.tally.leaves(), whole.tally.leaves());
    // Each breakdown says BT-8 again: what is written nowhere is not said again.
    let code = "<ram:DueDateTypeCode>29</ram:DueDateTypeCode>";
    let end = "</ram:ApplicableTradeTax><ram:BillingSpecifiedPeriod><ram:StartDateTime>\
               <udt:DateTimeString format=\"102\">20260401";
    let second = format!(
        "</ram:ApplicableTradeTax><ram:ApplicableTradeTax><ram:CalculatedAmount>0\
         </ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>0</ram:BasisAmount>\
         <ram:CategoryCode>Z</ram:CategoryCode>{code}<ram:RateApplicablePercent>0\
         </ram:RateApplicablePercent>{end}"
    );
    let twice = edit(CII, &[(end, &second)]);
    let minimum = result(&twice, "factur-x-minimum").expect("it has a place");
    let told = minimum.losses.iter().filter(|row| row.value == "29").count();
    assert_eq!(told, 2, "{:?}", minimum.rows());
}

/// BR-FXEXT-01: a note has a text.
#[test]
fn a_note_that_is_only_a_subject_is_listed() {
    let note = "<cbc:Note>";
    let text = edit(UBL, &[(note, "<cbc:Note>#AAI#</cbc:Note><cbc:Note>")]);
    for name in ["factur-x-extended", "factur-x-en16931", "cii"] {
        let converted = result(&text, name).unwrap();
        assert!(!converted.has("<ram:IncludedNote><ram:SubjectCode>"), "{name}");
        assert!(converted.has("<ram:Content>Every term once</ram:Content>"), "{name}");
        let is_told =
            |loss: &crate::convert::Loss| loss.kind == LossKind::Lost && loss.value == "#AAI#";
        assert!(converted.losses.iter().any(is_told), "{name}: {:?}", converted.losses);
    }
}

/// What is taxed at a rate is with the charges for logistics: nothing is announced of their sum.
#[test]
fn charges_for_logistics_are_among_what_is_taxed() {
    let logistics = "<ram:SpecifiedLogisticsServiceCharge>\
        <ram:Description>Freight</ram:Description><ram:AppliedAmount>7.31</ram:AppliedAmount>\
        <ram:AppliedTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode>\
        <ram:RateApplicablePercent>25</ram:RateApplicablePercent></ram:AppliedTradeTax>\
        </ram:SpecifiedLogisticsServiceCharge>";
    let terms = "<ram:SpecifiedTradePaymentTerms>";
    let taxable = "<ram:BasisAmount>190.00</ram:BasisAmount><ram:CategoryCode>";
    let announced = |taxable_now: &str| {
        let more = format!("{logistics}{terms}");
        let text = edit(CII, &[(terms, &more), (taxable, taxable_now)]);
        let there = result(&text, "cii-d22b").unwrap();
        there.losses.iter().any(|loss| loss.reason.contains("BR-S-08"))
    };
    assert!(!announced(&taxable.replace("190.00", "197.31")));
    assert!(announced(taxable));
}

/// Profiles have truth values in words, and codes without white space.
#[test]
fn truth_values_and_codes_are_written_plainly() {
    let text = edit(
        UBL,
        &[
            ("<cbc:ChargeIndicator>false<", "<cbc:ChargeIndicator>0<"),
            ("<cbc:ChargeIndicator>true<", "<cbc:ChargeIndicator> 1 <"),
            (">95</cbc:AllowanceChargeReasonCode>", "> 95\n</cbc:AllowanceChargeReasonCode>"),
            ("<cbc:ID>E-164<", "<cbc:ID> E-164 <"),
            ("unitCode=\"C62\">10<", "unitCode=\" C62 \">10<"),
        ],
    );
    for name in ["factur-x-en16931", "factur-x-extended", "xrechnung-cii", "cii-d22b"] {
        let own = result(&text, name).expect("it has a place");
        assert!(own.count("<udt:Indicator>false<") >= 1 && own.count("<udt:Indicator>true<") >= 1);
        assert_eq!(own.count("<udt:Indicator>0<") + own.count("<udt:Indicator> 1 <"), 0);
        for wanted in ["<ram:ReasonCode>95<", "<ram:ID>E-164<", "unitCode=\"C62\">10<"] {
            assert!(own.has(wanted), "{name} {wanted} {}", own.document);
        }
    }
}

#[test]
fn a_reason_that_a_release_has_no_code_for_is_a_text() {
    let reason = "<cbc:AllowanceChargeReason>Freight</cbc:AllowanceChargeReason>";
    let own = result(&edit(UBL, &[(reason, "")]), "cii-d22b").expect("it has a place");
    assert!(own.has("<ram:Reason>FC</ram:Reason>"), "{}", own.document);
    assert!(own.rows().contains(&("BT-105", LossKind::CarriedAsText, "FC")), "{:?}", own.rows());
    let own = result(UBL, "cii-d22b").expect("it has a place");
    assert!(own.has("<ram:Reason>Freight</ram:Reason>") && !own.has("<ram:Reason>FC<"));
}

#[test]
fn a_scheme_that_a_release_has_no_code_for_is_lost() {
    let meter = "<cbc:ID schemeID=\"AAB\">METER-1<";
    let other = edit(UBL, &[(meter, &meter.replace("AAB", "Zähler"))]);
    let own = written(&other, "cii-d22b", "cii-d22b");
    assert!(own.has("<ram:IssuerAssignedID>METER-1<") && !own.has("Zähler"), "{}", own.document);
    assert!(own.rows().contains(&("BT-128-1", LossKind::Lost, "Zähler")), "{:?}", own.rows());
}

#[test]
fn person_and_department_are_one_name() {
    let person = "<ram:PersonName>Seller desk</ram:PersonName>";
    let both = format!("{person}<ram:DepartmentName>Sales</ram:DepartmentName>");
    let own = result(&edit(CII, &[(person, &both)]), "factur-x-extended").expect("it has a place");
    assert!(own.has("<ram:PersonName>Seller desk Sales</ram:PersonName>"), "{}", own.document);
    assert!(!own.has("<ram:DepartmentName>"));
    assert!(own.rows().contains(&("BT-41", LossKind::Merged, "Sales")), "{:?}", own.rows());
}

#[test]
fn several_terms_of_payment_are_one_in_xrechnung() {
    let end = "</ram:SpecifiedTradePaymentTerms>";
    let more = format!(
        "{end}<ram:SpecifiedTradePaymentTerms><ram:Description>2 % in 10 days</ram:Description>\
         {end}"
    );
    let own = result(&edit(CII, &[(end, &more)]), "xrechnung-cii").expect("it has a place");
    assert_eq!(own.count("<ram:SpecifiedTradePaymentTerms>"), 1, "{}", own.document);
    assert!(own.rows().contains(&("BT-20", LossKind::Merged, "2 % in 10 days")));
    // With one of them the tree is copied.
    assert_eq!(result(CII, "xrechnung-cii").expect("it has a place").rows().len(), 1);
}

/// Terms that the specification of the target asks for are told where the source has none.
#[test]
fn what_a_specification_asks_for_and_the_source_has_not_is_missing() {
    let missing = |text: &str, request: ConversionRequest<'_>| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let own = convert_at(document.root(), request).expect("it has a place");
        let missing = own.losses.iter().filter(|loss| loss.kind == LossKind::Missing);
        let of = |loss: &crate::convert::Loss| {
            assert!(loss.value.is_empty() && loss.target_path.is_none() && loss.reason.len() > 20);
            (loss.term.unwrap().to_owned(), loss.source_path.clone())
        };
        missing.map(of).collect::<Vec<_>>()
    };
    let xrechnung = ConversionRequest::named("xrechnung-cii").unwrap();
    assert_eq!(missing(UBL, xrechnung), []);
    let (head, rest) = UBL.split_once("<cac:AccountingSupplierParty>").unwrap();
    let (seller, rest) = rest.split_once("</cac:AccountingSupplierParty>").unwrap();
    let cut = |text: &str, name: &str| {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let (before, inner) = text.split_once(&open).expect(name);
        format!("{before}{}", inner.split_once(&close).expect(name).1)
    };
    let seller = cut(&cut(&cut(seller, "cac:Contact"), "cbc:CityName"), "cbc:PostalZone");
    // Who collects direct debits alone is a direct debit in CII.
    let seller = seller.replace("\"SEPA\"", "\"0088\"");
    let head = cut(head, "cbc:BuyerReference");
    let mut rest = rest.to_owned();
    while rest.contains("<cac:PaymentMeans>") {
        rest = cut(&rest, "cac:PaymentMeans");
    }
    let poor =
        format!("{head}<cac:AccountingSupplierParty>{seller}</cac:AccountingSupplierParty>{rest}");
    let party = "/Invoice[1]/cac:AccountingSupplierParty[1]/cac:Party[1]";
    let document = "/Invoice[1]";
    let wanted = [
        ("BT-10", document),
        ("BT-37", party),
        ("BT-38", party),
        ("BT-41", party),
        ("BT-42", party),
        ("BT-43", party),
        ("BT-81", document),
    ];
    let wanted = wanted.map(|(term, path)| (term.to_owned(), path.to_owned()));
    assert_eq!(missing(&poor, xrechnung), wanted);
    // By its identifier it is the same, in UBL too; a name that says less asks for less.
    let asked = ConversionRequest {
        specification: xrechnung.profile.and_then(ConversionProfile::specification),
        ..ConversionTarget::UBL.into()
    };
    assert_eq!(missing(&poor, asked), wanted);
    for name in ["cii", "factur-x-en16931", "cii-d22b"] {
        assert_eq!(missing(&poor, ConversionRequest::named(name).unwrap()), [], "{name}");
    }
    let bis = "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
    let asked = ConversionRequest { specification: Some(bis), ..ConversionTarget::CII.into() };
    assert_eq!(missing(&poor, asked), []);
    let order = cut(&poor, "cac:OrderReference");
    assert_eq!(missing(&order, asked), [("BT-10".to_owned(), document.to_owned())]);
}

/// NLCIUS asks for most of its terms of sellers in the Netherlands only.
#[test]
fn what_nlcius_asks_for_depends_on_where_the_seller_is() {
    use crate::samples::NLCIUS_INVOICE;

    let nlcius = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";
    let asked = ConversionRequest { specification: Some(nlcius), ..ConversionTarget::CII.into() };
    let missing = |text: &str| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let own = convert_at(document.root(), asked).expect("it has a place");
        let missing = own.losses.iter().filter(|loss| loss.kind == LossKind::Missing);
        missing.map(|loss| loss.term.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(missing(NLCIUS_INVOICE), [""; 0]);
    let poor = edit(
        NLCIUS_INVOICE,
        &[
            ("<cbc:StreetName>Keizersgracht 100</cbc:StreetName>", ""),
            ("<cbc:PostalZone>3511 ED</cbc:PostalZone>", ""),
            ("<cbc:CompanyID schemeID=\"0106\">12345678</cbc:CompanyID>", ""),
            ("<cbc:CompanyID schemeID=\"0106\">87654321<", "<cbc:CompanyID>87654321<"),
            ("<cbc:PaymentMeansCode>30</cbc:PaymentMeansCode>", ""),
            ("<cac:PaymentMeans>", "<!--"),
            ("</cac:PaymentMeans>", "-->"),
        ],
    );
    assert_eq!(missing(&poor), ["BT-30", "BT-35", "BT-47", "BT-53", "BT-81"]);
    let paid = poor.replace(">79.21</cbc:PayableAmount>", ">0.00</cbc:PayableAmount>");
    assert_eq!(missing(&paid), ["BT-30", "BT-35", "BT-47", "BT-53"]);
    let (seller, buyer) = poor.split_once("<cac:AccountingCustomerParty>").unwrap();
    let abroad =
        format!("{seller}<cac:AccountingCustomerParty>{}", edit(buyer, &[(">NL<", ">BE<")]));
    assert_eq!(missing(&abroad), ["BT-30", "BT-35", "BT-81"]);
    assert_eq!(missing(&edit(&abroad, &[(">NL<", ">BE<")])), [""; 0]);
}
