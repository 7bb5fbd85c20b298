//! XRechnung with its extension and its profile for clean vehicles, in both syntaxes.

use quoin_xml::schematron::mutation::mutations;

use super::made::{Documents, compare_all, replaced_once};
use super::{Parity, files, shared};

const BASE: &str = "xrechnung/phive-rules/rule-source/3.0.2";
const CIUS: &str = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";

/// Documents of one kind, of all folders of XRechnung.
fn documents(parity: &mut Parity, is: &dyn Fn(&str) -> bool) -> Documents {
    let mut documents = Vec::new();
    for folder in
        ["xrechnung-testsuite", "xrechnung-schematron", "validator-configuration-xrechnung"]
    {
        documents.extend(parity.folder(&format!("xrechnung/{folder}")));
    }
    documents.retain(|(_, bytes)| is(&String::from_utf8_lossy(bytes)));
    documents
}

/// The same documents as if with the extension and for clean vehicles.
fn as_others(documents: &Documents) -> Documents {
    let kinds = [
        "#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0",
        "#compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9",
    ];
    let mut others = Vec::new();
    for (name, bytes) in documents {
        let text = String::from_utf8_lossy(bytes);
        for kind in kinds {
            let other = text.replace(&format!("{CIUS}<"), &format!("{CIUS}{kind}<"));
            others.push((format!("{name}{kind}"), other.into_bytes()));
        }
    }
    others
}

/// Follows the instructions in the unit tests, and compares each document that comes of it; what
/// the instructions expect of our rules must be so too.
fn instructed(parity: &mut Parity, prefix: &str) -> usize {
    let mut verdicts = 0;
    let Some(folder) = shared("corpora/xrechnung") else { return 0 };
    for file in files(&folder) {
        let bytes = std::fs::read(&file).unwrap();
        let Ok(all) = mutations(&bytes) else { continue };
        for (number, one) in all.into_iter().enumerate() {
            let expected = one.valid.iter().map(|rule| (rule, false));
            let expected = expected.chain(one.invalid.iter().map(|rule| (rule, true)));
            let own: Vec<(&str, bool)> = expected
                .filter(|((set, _), _)| set == prefix)
                .map(|((_, rule), fires)| (rule.as_str(), fires))
                .collect();
            if own.is_empty() {
                continue;
            }
            let name = format!("{} #{number}", file.file_name().unwrap().to_string_lossy());
            parity.compare(&name, &one.document);
            let fired = parity.ours(&one.document);
            for (rule, fires) in own {
                let does = fired.iter().any(|(id, _)| id.trim_end_matches(['?', '!']) == rule);
                if does != fires {
                    println!("{name}: {rule} expected to fire: {fires}");
                }
                verdicts += usize::from(does == fires);
            }
        }
    }
    verdicts
}

fn whole(syntax: &str, prefix: &str, is: &dyn Fn(&str) -> bool) -> Option<(Parity, usize)> {
    let name = format!("{syntax}/XRechnung-{}-validation.sch", syntax.to_uppercase());
    let mut parity = Parity::inside(&format!("de.xrechnung:{syntax}:3.0.2"), BASE, &name)?;
    let mut documents = documents(&mut parity, is);
    let verdicts = instructed(&mut parity, prefix);
    let others = as_others(&documents);
    compare_all(&mut parity, &others);
    documents.extend(others);
    // Three kinds of each document follow one another, so that every kind comes up.
    let few: Documents = documents.iter().step_by(7).cloned().collect();
    compare_all(&mut parity, &replaced_once(&few, edits(syntax)));
    parity.mutants(&documents, 150);
    Some((parity, verdicts))
}

/// Changes that make rules fire which chance seldom meets.
fn edits(syntax: &str) -> &'static [(&'static str, &'static str)] {
    match syntax {
        "ubl" => UBL_EDITS,
        _ => CII_EDITS,
    }
}

const UBL_EDITS: &[(&str, &str)] = &[
    (
        "<cac:AccountingSupplierParty>",
        "<cac:AdditionalDocumentReference><cac:Attachment><cbc:EmbeddedDocumentBinaryObject \
         filename=\"a\"/></cac:Attachment></cac:AdditionalDocumentReference>\
         <cac:AdditionalDocumentReference><cac:Attachment><cbc:EmbeddedDocumentBinaryObject \
         filename=\"a\"/></cac:Attachment></cac:AdditionalDocumentReference>\
         <cac:AccountingSupplierParty>",
    ),
    (">58</cbc:PaymentMeansCode>", ">59</cbc:PaymentMeansCode>"),
    (">30</cbc:PaymentMeansCode>", "> 58 </cbc:PaymentMeansCode>"),
    ("schemeID=\"EM\"", "schemeID=\"XR01\""),
    ("schemeID=\"EM\"", "schemeID=\"0245\""),
    ("schemeID=\"EM\"", "schemeID=\"\""),
    ("schemeID=\"0088\"", "schemeID=\"0244\""),
    ("schemeID=\"0088\"", "schemeID=\" SEPA \""),
    ("listID=\"", "listID=\"CVD\" old=\""),
    ("listID=\"", "listID=\"\" old=\""),
    ("<cac:PaymentTerms><cbc:Note>", "<cac:PaymentTerms><cbc:Note>#SKONTO#TAGE=1#PROZENT=1.00#\n"),
    ("<cbc:Note>", "<cbc:Note>#SKONTO#TAGE=1#PROZENT=1.00# "),
    ("<cbc:TaxCurrencyCode>", "<cbc:TaxCurrencyCode><!-- -->"),
    (
        "<cac:TaxTotal>",
        "<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode><cac:TaxTotal><cbc:TaxAmount \
         currencyID=\"SEK\">-1</cbc:TaxAmount></cac:TaxTotal><cac:TaxTotal>",
    ),
    (
        "<cac:LegalMonetaryTotal>",
        "<cac:PrepaidPayment><cbc:ID>1</cbc:ID><cbc:PaidAmount currencyID=\"SEK\">1.005\
         </cbc:PaidAmount></cac:PrepaidPayment><cac:LegalMonetaryTotal>",
    ),
    (
        "<cac:Item>",
        "<cac:SubInvoiceLine><cbc:LineExtensionAmount>1</cbc:LineExtensionAmount><cac:Item/>\
         </cac:SubInvoiceLine><cac:Item>",
    ),
    (
        "<cac:ClassifiedTaxCategory>",
        "<cac:AdditionalItemProperty><cbc:Name>cva</cbc:Name><cbc:Value>clean</cbc:Value>\
         </cac:AdditionalItemProperty><cac:ClassifiedTaxCategory>",
    ),
];

const CII_EDITS: &[(&str, &str)] = &[
    (">58</ram:TypeCode>", ">59</ram:TypeCode>"),
    (">30</ram:TypeCode>", "> 58 </ram:TypeCode>"),
    ("schemeID=\"EM\"", "schemeID=\"XR01\""),
    ("schemeID=\"EM\"", "schemeID=\"0245\""),
    ("schemeID=\"EM\"", "schemeID=\"\""),
    ("schemeID=\"0088\"", "schemeID=\"0244\""),
    ("listID=\"", "listID=\"CVD\" old=\""),
    ("listID=\"", "listID=\"\" old=\""),
    ("<ram:Description>", "<ram:Description>#SKONTO#TAGE=1#PROZENT=1.00#\n"),
    (
        "<ram:AssociatedDocumentLineDocument>",
        "<ram:AssociatedDocumentLineDocument><ram:ParentLineID>1</ram:ParentLineID>",
    ),
    (
        "<ram:InvoiceCurrencyCode>",
        "<ram:TaxCurrencyCode>SEK</ram:TaxCurrencyCode><ram:InvoiceCurrencyCode>",
    ),
    (
        "<ram:TaxTotalAmount",
        "<ram:TaxTotalAmount currencyID=\"SEK\">-1</ram:TaxTotalAmount><ram:TaxTotalAmount",
    ),
    (
        "</ram:SpecifiedTradeProduct>",
        "<ram:ApplicableProductCharacteristic><ram:Description>cva</ram:Description>\
         <ram:Value>clean</ram:Value></ram:ApplicableProductCharacteristic>\
         </ram:SpecifiedTradeProduct>",
    ),
    (
        "<ram:GrossPriceProductTradePrice>",
        "<ram:GrossPriceProductTradePrice><ram:ChargeAmount>12.50</ram:ChargeAmount>\
         <ram:AppliedTradeAllowanceCharge><ram:ActualAmount>1</ram:ActualAmount>\
         </ram:AppliedTradeAllowanceCharge>",
    ),
];

#[test]
fn xrechnung_in_ubl() {
    let is = |text: &str| text.contains("specification:ubl:schema:xsd:");
    let Some((parity, verdicts)) = whole("ubl", "xrubl", &is) else { return };
    println!("{verdicts} verdicts of instructions");
    assert!(verdicts >= 100);
    parity.settle(2000, 3000);
}

#[test]
fn xrechnung_in_cii() {
    let is = |text: &str| text.contains("CrossIndustryInvoice");
    let Some((parity, verdicts)) = whole("cii", "xrcii", &is) else { return };
    println!("{verdicts} verdicts of instructions");
    assert!(verdicts >= 30);
    parity.settle(1500, 2500);
}

/// The files of a folder, as a package of rules has them.
fn package(folder: &str) -> Option<quoin_rules::official::SetFiles> {
    let folder = shared(&format!("corpora/{folder}"))?;
    let mut found = quoin_rules::official::SetFiles::default();
    let mut open = vec![folder.clone()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    Some(found)
}

#[test]
fn the_published_tests_run_with_the_published_rules() {
    let Some(rules) = package(BASE) else { return };
    let Some(tests) = package("xrechnung/xrechnung-schematron/test/instances/ubl-inv") else {
        return;
    };
    let sets = quoin_rules::official::guess("xrechnung-3.0.2", &rules, None).sets;
    let tested = quoin_rules::official::run_unit_tests(&rules, &sets, &tests);
    let count: usize = tested.iter().map(|tested| tested.tests).sum();
    let wrong: Vec<&String> = tested.iter().flat_map(|tested| &tested.wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count >= 200, "{count}");
}
