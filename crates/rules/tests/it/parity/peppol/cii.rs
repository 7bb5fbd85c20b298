//! Changes of CII, for parties of a country and for what rules look at.

use super::countries::{Changes, Country, replace};

/// The document for parties of a country, with the process of billing.
pub fn moved(text: &str, country: &Country) -> String {
    let code = format!("<ram:CountryID>{}</ram:CountryID>", country.code);
    let text = replace(text, "ram:CountryID", &mut |_, _| Some(code.clone()));
    let text = replace(&text, "ram:SpecifiedTaxRegistration", &mut |_, own| {
        let number = format!("<ram:ID schemeID=\"VAT\">{}</ram:ID>", country.vat);
        Some(replace(own, "ram:ID", &mut |_, _| Some(number.clone())))
    });
    let text = replace(&text, "ram:SpecifiedLegalOrganization", &mut |_, own| {
        let number = format!("<ram:ID{}</ram:ID>", country.legal);
        Some(replace(own, "ram:ID", &mut |_, _| Some(number.clone())))
    });
    let endpoint = format!("<ram:URIID{}</ram:URIID>", country.endpoint);
    let text = replace(&text, "ram:URIID", &mut |_, _| Some(endpoint.clone()));
    let process = "<ram:BusinessProcessSpecifiedDocumentContextParameter><ram:ID>\
                   urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</ram:ID>\
                   </ram:BusinessProcessSpecifiedDocumentContextParameter>";
    if text.contains("BusinessProcessSpecifiedDocumentContextParameter") {
        return text;
    }
    let context = "<rsm:ExchangedDocumentContext>";
    text.replacen(context, &format!("{context}{process}"), 1)
}

/// Changes of CII.
pub const CHANGES: Changes = Changes {
    values: VALUES,
    numbered: &["ram:URIID", "ram:ID", "ram:ID", "ram:GlobalID"],
    inserts: INSERTS,
    deletes: DELETES,
    account: ("ram:PayeePartyCreditorFinancialAccount", "ram:IBANID"),
};

#[rustfmt::skip]
const DELETES: &[&str] = &[
    "ram:LineOne", "ram:CityName", "ram:PostcodeCode", "ram:PostalTradeAddress", "ram:CountryID",
    "ram:SpecifiedTaxRegistration", "ram:SpecifiedLegalOrganization", "ram:URIUniversalCommunication",
    "ram:SpecifiedTradeSettlementPaymentMeans", "ram:BuyerReference", "ram:PaymentReference",
    "ram:BuyerOrderReferencedDocument", "ram:TaxTotalAmount", "ram:InvoiceCurrencyCode",
    "ram:TypeCode", "ram:DuePayableAmount", "ram:RateApplicablePercent", "ram:ChargeAmount",
    "ram:BilledQuantity", "ram:BasisAmount", "ram:CalculationPercent", "ram:InvoiceReferencedDocument",
];

const VALUES: &[(&str, &[&str])] = &[
    (
        "ram:TypeCode",
        &[
            "1", "10", "30", " 30 ", "31", "42", "48", "49", "50", "56", "58", "59", "93", "380",
            "381", " 381 ", "384", "130", "50", "x", "",
        ],
    ),
    (
        "ram:PaymentReference",
        &[
            "01#",
            "01#12345678",
            "04#1234567890123456",
            "04#1",
            "15#123456789012345",
            "71#1234567",
            "71#123456789012345",
            "73#",
            "75#1234567890123456",
            "75#1",
            "77#",
            "",
        ],
    ),
    ("ram:RateApplicablePercent", &["25", "12.0", " 6 ", "7", "1E1", "x", ""]),
    ("ram:CountryID", &["DE", " de ", "DK", "EL", "GR", "IT", "NL", "nl", "NO", "SE", ""]),
    ("ram:BasisQuantity", &["1", "0", "-1", "3", "x", "7.5"]),
    ("ram:BilledQuantity", &["1", "0", "-7", "3.333", "x", "1E1"]),
    ("ram:ChargeAmount", &["100", "33.333333333333333333", "0", "-5", "1.005"]),
    ("ram:LineTotalAmount", &["100", "0", "-5.01", "x"]),
    ("ram:BasisAmount", &["1000", "0", "-50", "99.99", "x"]),
    ("ram:CalculationPercent", &["10", "33.3333", "0", "-1", "x"]),
    ("ram:ActualAmount", &["10", "33.33", "0", "-1", "x"]),
    ("udt:Indicator", &["true", "false", " true ", "1", "0", "x"]),
    ("ram:DuePayableAmount", &["0", "-10", "10.00", "x", ""]),
    ("ram:Reason", &["1234", "12345", "0x12", "a#b", "#a", "a#", "#", "-123", ""]),
    ("ram:ReasonCode", &["ZZZ", "95", "FC", "1"]),
    ("ram:InvoiceCurrencyCode", &["EUR", "SEK", " EUR ", ""]),
    ("ram:TaxTotalAmount currencyID=\"SEK\"", &["1", "-1"]),
    (
        "udt:DateTimeString format=\"102\"",
        &["20160101", "20991231", "19991231", "2016-01-", " 2016010", "2016010", ""],
    ),
    ("udt:DateTimeString", &["20160101", ""]),
];

const INSERTS: &[(&str, &[&str])] = &[
    (
        "<ram:SellerTradeParty>",
        &[
            "<ram:GlobalID>1</ram:GlobalID>",
            "<ram:GlobalID schemeID=\"0184\">1</ram:GlobalID>",
            "<ram:SpecifiedTaxRegistration><ram:ID schemeID=\"FC\">Foretaksregisteret</ram:ID>\
             </ram:SpecifiedTaxRegistration>",
            "<ram:SpecifiedTaxRegistration><ram:ID schemeID=\"FC\">Godkänd för F-skatt</ram:ID>\
             </ram:SpecifiedTaxRegistration>",
            "<ram:SpecifiedTaxRegistration><ram:ID schemeID=\" FC \">ABCDEF12G34H567I</ram:ID>\
             </ram:SpecifiedTaxRegistration>",
            "<ram:SpecifiedTaxRegistration><ram:ID schemeID=\"VAT\">NO123456785MVA</ram:ID>\
             <ram:ID schemeID=\"FC\">1</ram:ID></ram:SpecifiedTaxRegistration>",
            "<ram:SpecifiedTaxRegistration/>",
            "<ram:SpecifiedLegalOrganization><ram:ID schemeID=\"0184\">12345678</ram:ID>\
             </ram:SpecifiedLegalOrganization>",
        ],
    ),
    (
        "<ram:BuyerTradeParty>",
        &[
            "<ram:GlobalID>1</ram:GlobalID>",
            "<ram:GlobalID schemeID=\"0088\">1234567890128</ram:GlobalID>",
        ],
    ),
    (
        "</ram:BuyerTradeParty>",
        &[
            "<ram:SellerTaxRepresentativeTradeParty><ram:PostalTradeAddress><ram:CountryID>NL\
             </ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration>\
             <ram:ID schemeID=\"VAT\">NO123456785MVA</ram:ID></ram:SpecifiedTaxRegistration>\
             </ram:SellerTaxRepresentativeTradeParty>",
            "<ram:BuyerOrderReferencedDocument><ram:IssuerAssignedID>1</ram:IssuerAssignedID>\
             </ram:BuyerOrderReferencedDocument>",
        ],
    ),
    (
        "<ram:ApplicableHeaderTradeSettlement>",
        &[
            "<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>30</ram:TypeCo\
             de><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>1234567</ram:IB\
             ANID><ram:ProprietaryID>x</ram:ProprietaryID></ram:PayeePartyCreditorF\
             inancialAccount><ram:PayeeSpecifiedCreditorFinancialInstitution><ram:B\
             ICID>SE:PLUSGIRO</ram:BICID></ram:PayeeSpecifiedCreditorFinancialInsti\
             tution></ram:SpecifiedTradeSettlementPaymentMeans>",
            "<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>30</ram:TypeCo\
             de><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>1234567</ram:IB\
             ANID><ram:ProprietaryID>123</ram:ProprietaryID></ram:PayeePartyCredito\
             rFinancialAccount><ram:PayeeSpecifiedCreditorFinancialInstitution><ram\
             :BICID>SE:BANKGIRO</ram:BICID></ram:PayeeSpecifiedCreditorFinancialIns\
             titution></ram:SpecifiedTradeSettlementPaymentMeans>",
            "<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>49</ram:TypeCo\
             de><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>1234567</ram:IB\
             ANID><ram:ProprietaryID>1</ram:ProprietaryID></ram:PayeePartyCreditorF\
             inancialAccount><ram:PayeeSpecifiedCreditorFinancialInstitution><ram:B\
             ICID>1</ram:BICID></ram:PayeeSpecifiedCreditorFinancialInstitution></r\
             am:SpecifiedTradeSettlementPaymentMeans>",
            "<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>93</ram:TypeCo\
             de><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>1234567</ram:IB\
             ANID><ram:ProprietaryID>1</ram:ProprietaryID></ram:PayeePartyCreditorF\
             inancialAccount><ram:PayeeSpecifiedCreditorFinancialInstitution><ram:B\
             ICID>1</ram:BICID></ram:PayeeSpecifiedCreditorFinancialInstitution></r\
             am:SpecifiedTradeSettlementPaymentMeans>",
            "<ram:TaxCurrencyCode>SEK</ram:TaxCurrencyCode>",
            "<ram:TaxCurrencyCode> EUR</ram:TaxCurrencyCode>",
            "<ram:CreditorReferenceID>1</ram:CreditorReferenceID>",
            "<ram:PaymentReference>04#1234567890123456</ram:PaymentReference>",
            "<ram:PaymentReference>71#1</ram:PaymentReference>",
            "<ram:BillingSpecifiedPeriod><ram:StartDateTime><udt:DateTimeString format=\"102\">\
             20160102</udt:DateTimeString></ram:StartDateTime><ram:EndDateTime>\
             <udt:DateTimeString format=\"102\">20160130</udt:DateTimeString></ram:EndDateTime>\
             </ram:BillingSpecifiedPeriod>",
            "<ram:SpecifiedTradeAllowanceCharge><ram:ReasonCode>ZZZ</ram:ReasonCode><ram:Reason>\
             1234</ram:Reason></ram:SpecifiedTradeAllowanceCharge>",
            "<ram:SpecifiedTradeAllowanceCharge><ram:CalculationPercent>10</ram:CalculationPercent>\
             <ram:BasisAmount>100</ram:BasisAmount><ram:ActualAmount>10.02</ram:ActualAmount>\
             </ram:SpecifiedTradeAllowanceCharge>",
            "<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>1</ram:IssuerAssignedID>\
             </ram:InvoiceReferencedDocument>",
        ],
    ),
    (
        "<ram:SpecifiedTradeSettlementHeaderMonetarySummation>",
        &[
            "<ram:TaxTotalAmount currencyID=\"SEK\">10.00</ram:TaxTotalAmount>",
            "<ram:TaxTotalAmount currencyID=\"SEK\">-10.00</ram:TaxTotalAmount>",
            "<ram:TaxTotalAmount currencyID=\"EUR\">x</ram:TaxTotalAmount>",
        ],
    ),
    (
        "<ram:SpecifiedTradeSettlementPaymentMeans>",
        &[
            "<ram:PayeeSpecifiedCreditorFinancialInstitution><ram:BICID>SE:PLUSGIRO</ram:BICID>\
             </ram:PayeeSpecifiedCreditorFinancialInstitution>",
            "<ram:PayeeSpecifiedCreditorFinancialInstitution><ram:BICID>SE:BANKGIRO</ram:BICID>\
             </ram:PayeeSpecifiedCreditorFinancialInstitution>",
            "<ram:PayeePartyCreditorFinancialAccount><ram:ProprietaryID>1234567\
             </ram:ProprietaryID></ram:PayeePartyCreditorFinancialAccount>",
            "<ram:PayeePartyCreditorFinancialAccount><ram:ProprietaryID>x\
             </ram:ProprietaryID></ram:PayeePartyCreditorFinancialAccount>",
            "<ram:SpecifiedTradePaymentTerms><ram:DirectDebitMandateID>1\
             </ram:DirectDebitMandateID></ram:SpecifiedTradePaymentTerms>",
            "<ram:TypeCode>93</ram:TypeCode>",
        ],
    ),
    (
        "<ram:SpecifiedLineTradeSettlement>",
        &[
            "<ram:BillingSpecifiedPeriod><ram:StartDateTime><udt:DateTimeString format=\"102\">\
             20160103</udt:DateTimeString></ram:StartDateTime><ram:EndDateTime>\
             <udt:DateTimeString format=\"102\">20160131</udt:DateTimeString></ram:EndDateTime>\
             </ram:BillingSpecifiedPeriod>",
            "<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false\
             </udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>1.005</ram:ActualAmount>\
             </ram:SpecifiedTradeAllowanceCharge>",
        ],
    ),
    (
        "<ram:SpecifiedLineTradeAgreement>",
        &["<ram:BuyerOrderReferencedDocument><ram:LineID>1</ram:LineID>\
             </ram:BuyerOrderReferencedDocument>"],
    ),
    (
        "<ram:SpecifiedTradeProduct>",
        &[
            "<ram:DesignatedProductClassification><ram:ClassCode listID=\"TST\">1</ram:ClassCode>\
             </ram:DesignatedProductClassification>",
            "<ram:DesignatedProductClassification><ram:ClassCode listID=\"TST\" \
             listVersionID=\"19.0501\">1</ram:ClassCode></ram:DesignatedProductClassification>",
        ],
    ),
    (
        "<ram:NetPriceProductTradePrice>",
        &["<ram:BasisQuantity unitCode=\"XPP\">3</ram:BasisQuantity>"],
    ),
];
