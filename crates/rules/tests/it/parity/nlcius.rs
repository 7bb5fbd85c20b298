//! NLCIUS in both syntaxes, its extension for the G-account, and the verdicts of its test set.

use super::Parity;
use super::made::{Documents, compare_all, edited, replaced};

const BASE: &str = "nlcius-si-ubl/phive-rules/rule-source";
const TESTS: &str = "nlcius-si-ubl/peppolautoriteit-testset";
const NLCIUS: &str = "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0";
const XRECHNUNG: &str = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
const GACCOUNT: &str = "#conformant#urn:fdc:nen.nl:gaccount:v1.0";

/// The German documents as if they were Dutch ones, which has more of the terms.
fn german(parity: &mut Parity, kind: &str, pattern: &str) -> Documents {
    let documents = parity.folder("xrechnung/xrechnung-testsuite");
    let texts = documents.into_iter().filter_map(|(name, bytes)| {
        let text = String::from_utf8(bytes).ok()?;
        let made = text.replace(XRECHNUNG, &format!("{NLCIUS}{kind}")).replace(">DE<", ">NL<");
        made.contains(pattern).then(|| (format!("{name} as Dutch"), made.into_bytes()))
    });
    texts.collect()
}

const UBL_EDITS: &[(&str, &str)] = &[
    ("<cbc:DocumentCurrencyCode>", "<cbc:TaxPointDate>2026-01-01</cbc:TaxPointDate>"),
    ("<cbc:DocumentCurrencyCode>", "<cbc:TaxCurrencyCode/>"),
    ("<cac:OrderReference>", "<cac:InvoicePeriod><cbc:DescriptionCode/></cac:InvoicePeriod>"),
    ("<cbc:LineExtensionAmount", "<cac:OrderLineReference><cbc:LineID/></cac:OrderLineReference>"),
    ("<cbc:CustomizationID>", "<cbc:CustomizationID>other</cbc:CustomizationID>"),
    ("<cbc:IdentificationCode>", "<cbc:IdentificationCode>BE</cbc:IdentificationCode>"),
    ("<cac:TaxTotal>", "<cac:PaymentMeans/>"),
    ("<cac:Country>", "<cbc:CountrySubentity>X</cbc:CountrySubentity>"),
    ("<cac:Country>", "<cac:AddressLine><cbc:Line/></cac:AddressLine>"),
    (
        "<cac:AccountingCustomerParty>",
        "<cac:TaxRepresentativeParty><cac:PostalAddress><cbc:CountrySubentity/><cac:AddressLine>\
         <cbc:Line>3</cbc:Line></cac:AddressLine></cac:PostalAddress></cac:TaxRepresentativeParty>",
    ),
    (
        "<cac:PaymentMeans>",
        "<cac:Delivery><cac:DeliveryLocation><cac:Address><cbc:CountrySubentity>X\
         </cbc:CountrySubentity><cac:AddressLine><cbc:Line>3</cbc:Line></cac:AddressLine>\
         </cac:Address></cac:DeliveryLocation></cac:Delivery>",
    ),
    (
        "<cac:TaxTotal>",
        "<cac:AllowanceCharge><cbc:AllowanceChargeReasonCode/></cac:AllowanceCharge>",
    ),
    (
        "<cac:TaxTotal>",
        "<cac:TaxTotal><cbc:TaxAmount currencyID=\"SEK\">1</cbc:TaxAmount><cac:TaxSubtotal>\
         <cac:TaxCategory><cbc:TaxExemptionReasonCode>X</cbc:TaxExemptionReasonCode>\
         </cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>",
    ),
    ("<cbc:RegistrationName>", "<cbc:CompanyLegalForm>BV</cbc:CompanyLegalForm>"),
    ("<cbc:RegistrationName>", "<cbc:CompanyID schemeID=\"0106\"> </cbc:CompanyID>"),
    ("<cbc:InvoiceTypeCode>", "<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>"),
];

const CII_EDITS: &[(&str, &str)] = &[
    ("<ram:InvoiceCurrencyCode>", "<ram:TaxCurrencyCode>SEK</ram:TaxCurrencyCode>"),
    ("<ram:CategoryCode>", "<ram:TaxPointDate><udt:DateString/></ram:TaxPointDate>"),
    ("<ram:CategoryCode>", "<ram:DueDateTypeCode>5</ram:DueDateTypeCode>"),
    ("<ram:CategoryCode>", "<ram:ExemptionReasonCode>X</ram:ExemptionReasonCode>"),
    (
        "<ram:GuidelineSpecifiedDocumentContextParameter>",
        "<ram:BusinessProcessSpecifiedDocumentContextParameter><ram:ID>x</ram:ID>\
         </ram:BusinessProcessSpecifiedDocumentContextParameter>",
    ),
    (
        "<ram:ApplicableTradeTax>",
        "<ram:InvoiceReferencedDocument><ram:FormattedIssueDateTime><qdt:DateTimeString/>\
         </ram:FormattedIssueDateTime></ram:InvoiceReferencedDocument>",
    ),
    ("<ram:DefinedTradeContact>", "<ram:Description>x</ram:Description>"),
    (
        "<ram:SpecifiedTaxRegistration>",
        "<ram:SpecifiedTaxRegistration><ram:ID>1</ram:ID></ram:SpecifiedTaxRegistration>",
    ),
    (
        "<ram:DefinedTradeContact>",
        "<ram:SpecifiedLegalOrganization><ram:ID schemeID=\"0106\">1</ram:ID></ram:SpecifiedLegalOrganization>",
    ),
    (
        "<ram:PostalTradeAddress>",
        "<ram:SpecifiedLegalOrganization><ram:ID schemeID=\"0190\"> </ram:ID></ram:SpecifiedLegalOrganization>",
    ),
    ("<ram:CityName>", "<ram:LineThree>3</ram:LineThree>"),
    ("<ram:CityName>", "<ram:CountrySubDivisionName>X</ram:CountrySubDivisionName>"),
    (
        "<ram:ApplicableHeaderTradeDelivery>",
        "<ram:ApplicableHeaderTradeAgreement><ram:SellerTaxRepresentativeTradeParty>\
         <ram:PostalTradeAddress><ram:LineThree/><ram:CountrySubDivisionName>X\
         </ram:CountrySubDivisionName></ram:PostalTradeAddress>\
         </ram:SellerTaxRepresentativeTradeParty></ram:ApplicableHeaderTradeAgreement>",
    ),
    (
        "<ram:ApplicableHeaderTradeSettlement>",
        "<ram:ApplicableHeaderTradeDelivery><ram:ShipToTradeParty><ram:PostalTradeAddress>\
         <ram:LineThree>3</ram:LineThree><ram:CountrySubDivisionName>X\
         </ram:CountrySubDivisionName></ram:PostalTradeAddress></ram:ShipToTradeParty>\
         </ram:ApplicableHeaderTradeDelivery>",
    ),
    ("<ram:TypeCode>", "<ram:Information>x</ram:Information>"),
    ("<ram:IBANID>", "<ram:AccountName>x</ram:AccountName>"),
    ("<ram:CategoryTradeTax>", "<ram:ReasonCode>64</ram:ReasonCode>"),
    ("<ram:Content>", "<ram:SubjectCode>AAI</ram:SubjectCode>"),
    ("<ram:BuyerOrderReferencedDocument>", "<ram:BuyerReference/>"),
    (
        "<ram:BasisAmount>",
        "<ram:BuyerOrderReferencedDocument><ram:LineID>1</ram:LineID></ram:BuyerOrderReferencedDocument>",
    ),
];

#[test]
fn nlcius_in_ubl() {
    let (folder, name) = (format!("{BASE}/simplerinvoicing/2.0.3.13"), "si-ubl-2.0.3.13.sch");
    let Some(parity) = Parity::inside("nl.nlcius:ubl:2.0.3.13", &folder, name) else { return };
    let mut parity =
        parity.without("eu.cen.en16931:ubl:1.3.16").without("eu.cen.en16931:ubl:1.3.13");
    let mut documents = parity.folder(&format!("{TESTS}/SI-UBL-2.0"));
    documents.extend(parity.folder(&format!("{TESTS}/general")));
    let made = edited(&documents, UBL_EDITS);
    compare_all(&mut parity, &made);
    documents.extend(german(&mut parity, "", "schema:xsd:"));
    compare_all(&mut parity, &documents);
    parity.mutants(&documents, 150);
    parity.settle(500, 1000);
}

#[test]
fn nlcius_in_cii() {
    let (folder, name) = (format!("{BASE}/nlcius/1.0.3.13"), "nlcius-cii-1.0.3.13.sch");
    let Some(parity) = Parity::inside("nl.nlcius:cii:1.0.3.13", &folder, name) else { return };
    let mut parity = parity.without("eu.cen.en16931:cii:1.3.16");
    let mut documents = parity.folder(&format!("{TESTS}/NLCIUS-CII"));
    documents.extend(german(&mut parity, "", "CrossIndustryInvoice"));
    compare_all(&mut parity, &documents);
    let made = edited(&documents, CII_EDITS);
    compare_all(&mut parity, &made);
    let unpaid = [("ram:SpecifiedTradeSettlementPaymentMeans>", "ram:Other>")];
    compare_all(&mut parity, &replaced(&documents, &unpaid));
    parity.mutants(&documents, 150);
    parity.settle(500, 1000);
}

#[test]
fn nlcius_with_g_account() {
    let folder = format!("{BASE}/simplerinvoicing/2.0.3.13");
    let name = "si-ubl-2.0-ext-gaccount-1.0.13.sch";
    let Some(mut parity) = Parity::inside("nl.nlcius:gaccount:1.0.2.13", &folder, name) else {
        return;
    };
    let mut documents = parity.folder(&format!("{TESTS}/si-ubl-2.0-ext-gaccount"));
    documents.extend(parity.folder(&format!("{TESTS}/SI-UBL-2.0")));
    documents.extend(german(&mut parity, GACCOUNT, "schema:xsd:"));
    documents.extend(parity.folder("en16931/eInvoicing-EN16931/ubl/examples"));
    compare_all(&mut parity, &documents);
    parity.folder("en16931/eInvoicing-EN16931/test/Invoice-unit-UBL");
    parity.mutants(&documents, 150);
    parity.settle(300, 1000);
}
