//! What elements of UBL may be instead, right and wrong, and what may be put among them.

use super::countries::Changes;

/// Changes of UBL.
pub const UBL: Changes = Changes {
    values: VALUES,
    numbered: &["cbc:EndpointID", "cbc:CompanyID", "cbc:CompanyID", "cbc:ID"],
    inserts: INSERTS,
    deletes: DELETES,
    account: ("cac:PayeeFinancialAccount", "cbc:ID"),
};

/// Elements that some country asks for.
#[rustfmt::skip]
const DELETES: &[&str] = &[
    "cac:PaymentMeans", "cbc:BuyerReference", "cbc:CityName", "cbc:PostalZone", "cbc:StreetName",
    "cac:PartyName", "cac:PartyTaxScheme", "cac:PartyLegalEntity", "cac:Contact", "cbc:Name",
    "cbc:Telephone", "cbc:ElectronicMail", "cac:Country", "cbc:EndpointID", "cbc:PaymentID",
    "cac:PayeeFinancialAccount", "cac:OrderReference", "cbc:Percent", "cbc:DueDate", "cac:Price",
    "cac:BillingReference", "cbc:PaymentMeansCode", "cbc:ProfileID", "cac:TaxSubtotal",
];

/// What elements of a name may be instead.
pub const VALUES: &[(&str, &[&str])] = &[
    (
        "cbc:PaymentMeansCode",
        &[
            "1", "9", "10", "30", " 30 ", "31", "42", "48", "49", "50", "54", "55", "56", "57",
            "58", " 58", "59", " 59 ", "93", "97", "5E1", "x", "",
        ],
    ),
    (
        "cbc:PaymentID",
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
        ],
    ),
    (
        "cbc:Note",
        &[
            "#SKONTO#TAGE=14#PROZENT=2.25#\n",
            "#SKONTO#TAGE=14#PROZENT=2.25#",
            "#SKONTO#TAGE=14#PROZENT=2.25#\n  #SKONTO#TAGE=28#PROZENT=1.00#BASISBETRAG=-10.00#\n x",
            "#SKONTO#TAGE=14#PROZENT=2.5#\n",
            "#skonto#\n",
            "text\n#x#SKONTO#TAGE=1#PROZENT=1.00#\n",
            "#\n",
            "##\n",
            "#SKONTO#TAGE=14#PROZENT=2.25# #\n",
            "#a# b\n",
            "x #SKONTO#",
            "",
            "#SKONTO#TAGE=14#PROZENT=2.25##SKONTO#TAGE=28#PROZENT=1.00#\n",
            "#SKONTO#TAGE=14#PROZENT=2.25#BASISBETRAG=1.0#\n",
            "#SKONTO#TAGE=#PROZENT=2.25#\n",
        ],
    ),
    ("cbc:Telephone", &["12", "1 2 3", "(+49) 30-1", "none", ""]),
    (
        "cbc:ElectronicMail",
        &[
            "a@b.de",
            "a@b",
            "a@@b.de",
            "a b@c.de",
            "a.b@c-d.de",
            ".a@b.de",
            "a@b..de",
            "ü@b.de",
            "a@-b.de",
            "@b.de",
            "a@b.de.",
            "a@b.de\nc@d.de",
            "",
        ],
    ),
    ("cbc:Percent", &["25", "12.0", " 6 ", "7", "1E1", "x", ""]),
    ("cbc:InvoiceTypeCode", &["326", "380", "384", " 384 ", "381", "389", "875", "999", "x", ""]),
    ("cbc:CreditNoteTypeCode", &["381", "396", "384", " 381", "261", "83", "380"]),
    (
        "cbc:ProfileID",
        &[
            "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
            "urn:fdc:peppol.eu:2017:poacc:billing:02:1.0",
            "urn:fdc:peppolxeu:2017:poacc:billing:01:1x0 ",
            "x:urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
            "urn:fdc:peppol.eu:2017:poacc:billing:1:1.0",
            "urn:fdc:peppol.eu:2017:poacc:selfbilling:01:1.0",
            "urn:fdc:peppol.eu:2017:poacc:selfbilling:99:1.0",
            "urn:peppol:france:billing:regulated",
            "urn:peppol:bis:billing_with_response",
            "",
        ],
    ),
    (
        "cbc:CustomizationID",
        &[
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0",
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0#x::y",
            " urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.01",
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0",
            "urn:cen.eu:en16931:2017",
        ],
    ),
    (
        "cbc:IssueDate",
        &["2017-11-13", "2017-13-11", "2017-02-29", "2017-11-13Z", " 2017-11-13", "2017-11-1", ""],
    ),
    ("cbc:DueDate", &["2017-12-01", "2019-01-01", "01.12.2017"]),
    (
        "cbc:StartDate",
        &["2017-11-01", "2018-01-01", "2016-01-01Z", "2016-13-01", "", " 2017-12-01"],
    ),
    ("cbc:EndDate", &["2017-11-30", "2018-12-31", "2016-01-31", "x", ""]),
    ("cbc:IdentificationCode", &["DE", " de ", "DK", "EL", "GR", "IS", "NL", "nl", "NO", "SE", ""]),
    ("cbc:BaseQuantity", &["1", "0", "-1", "3", "x", "7.5"]),
    ("cbc:InvoicedQuantity", &["1", "0", "-7", "3.333", "x", "1E1"]),
    ("cbc:PriceAmount", &["100", "33.333333333333333333", "0", "-5", "1.005"]),
    ("cbc:BaseAmount", &["1000", "0", "-50", "99.99", "x"]),
    ("cbc:MultiplierFactorNumeric", &["10", "33.3333", "0", "-1", "x"]),
    ("cbc:ChargeIndicator", &["true", "false", " true ", "1", "0", "x"]),
    ("cbc:PayableAmount", &["0", "-10", "10.00", "x", ""]),
    ("cbc:AllowanceChargeReason", &["1234", "12345", "0x12", "a#b", "#a", "a#", "#", "-123"]),
];

/// Numbers in the schemes that have rules, after the name of the element.
#[rustfmt::skip]
pub const NUMBERS: &[&str] = &[
    " schemeID=\"0088\">1234567890128", " schemeID=\"0088\">123", " schemeID=\"0088\"> 0 ",
    " schemeID=\"0088\">1234 56789", " schemeID=\"0192\">123456785", " schemeID=\"0192\">123456784",
    " schemeID=\"0192\">000000000", " schemeID=\"0184\">12345678", " schemeID=\"0184\">DK12345678",
    " schemeID=\"0184\"> 12345678", " schemeID=\"0184\">DK1234567x", " schemeID=\"0096\">1234567890",
    " schemeID=\"0096\">123456789", " schemeID=\"0198\">DK12345678", " schemeID=\"0198\">12345678",
    " schemeID=\"0208\">0123456749", " schemeID=\"0208\">0123456748", " schemeID=\"0208\">0000000097",
    " schemeID=\"0201\">A1b2C3", " schemeID=\"0201\">A1b2C", " schemeID=\"0210\">ABCDEF12G34H567I",
    " schemeID=\"0210\">ABCDEF+1G 4H567I", " schemeID=\"0210\">12345678901",
    " schemeID=\"0210\">+1234567890", " schemeID=\"0210\">1234567890", " schemeID=\"9907\">12345678901",
    " schemeID=\"9907\">ABCDEF12G34H56XI", " schemeID=\"0211\">IT12345678903",
    " schemeID=\"0211\">it12345678904", " schemeID=\"0211\">IT+1234567890", " schemeID=\"0211\">FR1",
    " schemeID=\"0211\">IT1234567890", " schemeID=\"0007\">1234567897", " schemeID=\"0007\">1234567896",
    " schemeID=\"0007\">12345678E7", " schemeID=\"0007\">12345678970", " schemeID=\"0007\">123456-789",
    " schemeID=\"0151\">10000000032", " schemeID=\"0151\">10000000031", " schemeID=\"0151\">1000000003",
    " schemeID=\"0106\">12345678", " schemeID=\"0106\">1234567", " schemeID=\"0190\">12345678901234567890",
    " schemeID=\"0190\">1", " schemeID=\"9944\">NL123456789B01", " schemeID=\"9944\">123456789B01",
    " schemeID=\"0217\">123456789012", " schemeID=\"0217\">12345", " schemeID=\"0196\">1234567890",
    " schemeID=\"9933\">123456783", " schemeID=\"9933\">123456784", " schemeID=\"9933\">1234567830",
    ">123456783", ">NL123456789B0", ">NL123456789B01", ">NO123456785MVA", ">NO123456784MVA",
    ">NO123456785", ">SE123456789701", ">SE12345678970", ">SE12345678970x", ">SE1E5", ">EL123456783",
    ">EL123456782", ">IT12345678903", ">Foretaksregisteret", ">Godkänd för F-skatt", "> ", "/>x<cbc:X",
    " schemeID=\"SEPA\">1", " schemeID=\"0106 0190\">1", " schemeID=\" \">1", " schemeID=\"0190\"> ",
];

/// What is put inside an element, after its start tag.
pub const INSERTS: &[(&str, &[&str])] = &[
    (
        "</cac:AccountingCustomerParty>",
        &[
            "<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:\
             PaymentID>1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>x</cbc:I\
             D><cac:FinancialInstitutionBranch><cbc:ID>SE:PLUSGIRO</cbc:ID></cac:Fi\
             nancialInstitutionBranch></cac:PayeeFinancialAccount></cac:PaymentMean\
             s>",
            "<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:\
             PaymentID>1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>123</cbc\
             :ID><cac:FinancialInstitutionBranch><cbc:ID>SE:BANKGIRO</cbc:ID></cac:\
             FinancialInstitutionBranch></cac:PayeeFinancialAccount></cac:PaymentMe\
             ans>",
            "<cac:PaymentMeans><cbc:PaymentMeansCode>49</cbc:PaymentMeansCode><cbc:\
             PaymentID>1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>1</cbc:I\
             D></cac:PayeeFinancialAccount><cac:PaymentMandate><cbc:ID>1</cbc:ID></\
             cac:PaymentMandate></cac:PaymentMeans>",
            "<cac:PaymentMeans><cbc:PaymentMeansCode>93</cbc:PaymentMeansCode><cbc:\
             PaymentID>71#1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>12345\
             678</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>",
            "<cac:PaymentMeans><cbc:PaymentMeansCode>93</cbc:PaymentMeansCode><cbc:\
             PaymentID>75#123456789012345</cbc:PaymentID><cac:PayeeFinancialAccount\
             ><cbc:ID>1234567</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMean\
             s>",
            "<cac:PaymentMeans><cbc:PaymentMeansCode>9</cbc:PaymentMeansCode><cbc:P\
             aymentID>1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>12345</cb\
             c:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>",
            "<cac:PaymentMeans><cbc:PaymentMeansCode>42</cbc:PaymentMeansCode><cbc:\
             PaymentID>1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>12345678\
             9012</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>",
            "<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:\
             PaymentID>1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>NL91ABNA\
             0417164301</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>",
            "<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:\
             PaymentID>1</cbc:PaymentID><cac:PayeeFinancialAccount><cbc:ID>DE02</cb\
             c:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>",
            "<cac:PayeeParty><cac:PartyIdentification><cbc:ID schemeID=\"SEPA\">1</cbc:ID>\
             </cac:PartyIdentification></cac:PayeeParty>",
            "<cac:TaxRepresentativeParty><cac:PostalAddress><cac:Country><cbc:IdentificationCode>NL\
             </cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme>\
             <cbc:CompanyID>EL123456783</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID>\
             </cac:TaxScheme></cac:PartyTaxScheme></cac:TaxRepresentativeParty>",
            "<cac:AdditionalDocumentReference><cbc:ID>2019-01-01</cbc:ID><cbc:DocumentDescription>\
             EINDAGI</cbc:DocumentDescription></cac:AdditionalDocumentReference>",
            "<cac:AdditionalDocumentReference><cbc:ID>2016-1-1</cbc:ID><cbc:DocumentDescription>\
             EINDAGI</cbc:DocumentDescription></cac:AdditionalDocumentReference>",
            "<cac:AdditionalDocumentReference><cbc:ID>4000</cbc:ID><cbc:DocumentDescription>\
             ##M.AR.K##</cbc:DocumentDescription></cac:AdditionalDocumentReference>",
            "<cac:AdditionalDocumentReference><cbc:ID>0400</cbc:ID><cbc:DocumentDescription>\
             ##M.AR.K##</cbc:DocumentDescription></cac:AdditionalDocumentReference>",
            "<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cbc:DocumentDescription>\
             ##INVOICE|URL##</cbc:DocumentDescription><cac:Attachment><cac:ExternalReference>\
             <cbc:URI>https://x.example</cbc:URI></cac:ExternalReference></cac:Attachment>\
             </cac:AdditionalDocumentReference>",
            "<cac:AdditionalDocumentReference><cbc:ID>2</cbc:ID><cbc:DocumentDescription>\
             ##INVOICE|URL##</cbc:DocumentDescription></cac:AdditionalDocumentReference>",
            "<cac:AdditionalDocumentReference><cbc:ID>3</cbc:ID><cac:Attachment>\
             <cbc:EmbeddedDocumentBinaryObject mimeCode=\"text/csv\" filename=\"a.csv\">eA==\
             </cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>",
            "<cac:AdditionalDocumentReference><cbc:ID>4</cbc:ID><cac:Attachment>\
             <cac:ExternalReference><cbc:URI>x:y</cbc:URI></cac:ExternalReference></cac:Attachment>\
             </cac:AdditionalDocumentReference>",
            "<cac:InvoicePeriod><cbc:StartDate>2017-11-01</cbc:StartDate><cbc:EndDate>2017-11-30\
             </cbc:EndDate></cac:InvoicePeriod>",
            "<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator>\
             <cbc:AllowanceChargeReasonCode>ZZZ</cbc:AllowanceChargeReasonCode>\
             <cbc:AllowanceChargeReason>1234</cbc:AllowanceChargeReason></cac:AllowanceCharge>",
            "<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode>",
            "<cac:TaxTotal><cbc:TaxAmount currencyID=\"SEK\">10.00</cbc:TaxAmount></cac:TaxTotal>",
            "<cac:TaxTotal><cbc:TaxAmount currencyID=\"SEK\">-10.00</cbc:TaxAmount></cac:TaxTotal>",
            "<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>1</cbc:ID>\
             </cac:InvoiceDocumentReference></cac:BillingReference>",
            "<cac:PaymentTerms><cbc:Note>#SKONTO#TAGE=1#PROZENT=1.00#\n</cbc:Note>\
             </cac:PaymentTerms>",
            "<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode></cac:PaymentMeans>",
        ],
    ),
    (
        "<cac:PaymentMeans>",
        &[
            "<cac:CardAccount><cbc:PrimaryAccountNumberID>1</cbc:PrimaryAccountNumberID>\
             </cac:CardAccount>",
            "<cac:PaymentMandate><cbc:ID>1</cbc:ID></cac:PaymentMandate>",
            "<cac:PaymentMandate><cbc:ID>1</cbc:ID><cac:PayerFinancialAccount><cbc:ID>\
             NL91ABNA0417164300</cbc:ID></cac:PayerFinancialAccount></cac:PaymentMandate>",
            "<cac:PaymentMandate><cac:PayerFinancialAccount><cbc:ID>NL91 ABNA 0417 1643 01</cbc:ID>\
             </cac:PayerFinancialAccount></cac:PaymentMandate>",
            "<cbc:PaymentMeansCode>31</cbc:PaymentMeansCode>",
            "<cbc:PaymentID>04#1234567890123456</cbc:PaymentID>",
        ],
    ),
    (
        "<cac:PayeeFinancialAccount>",
        &[
            "<cac:FinancialInstitutionBranch><cbc:ID>SE:PLUSGIRO</cbc:ID>\
             </cac:FinancialInstitutionBranch>",
            "<cac:FinancialInstitutionBranch><cbc:ID>SE:BANKGIRO</cbc:ID>\
             </cac:FinancialInstitutionBranch>",
        ],
    ),
    (
        "<cac:Party>",
        &[
            "<cac:PartyTaxScheme><cbc:CompanyID>Foretaksregisteret</cbc:CompanyID><cac:TaxScheme>\
             <cbc:ID>TAX</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>",
            "<cac:PartyTaxScheme><cbc:CompanyID>NL123456789B01</cbc:CompanyID><cac:TaxScheme>\
             <cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>",
            "<cac:PartyTaxScheme><cbc:CompanyID>ABCDEF12G34H567I</cbc:CompanyID><cac:TaxScheme>\
             <cbc:ID> VAT </cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>",
            "<cac:PartyIdentification><cbc:ID schemeID=\"\">1</cbc:ID></cac:PartyIdentification>",
            "<cac:Contact><cbc:Name>N</cbc:Name><cbc:Telephone>1234</cbc:Telephone>\
             <cbc:ElectronicMail>a@b.de</cbc:ElectronicMail></cac:Contact>",
        ],
    ),
    (
        "<cac:InvoiceLine>",
        &[
            "<cac:InvoicePeriod><cbc:StartDate>2017-11-02</cbc:StartDate><cbc:EndDate>2017-11-29\
             </cbc:EndDate></cac:InvoicePeriod>",
            "<cac:OrderLineReference><cbc:LineID>1</cbc:LineID></cac:OrderLineReference>",
            "<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount \
             currencyID=\"EUR\">1.005</cbc:Amount></cac:AllowanceCharge>",
        ],
    ),
    (
        "<cac:Item>",
        &[
            "<cac:CommodityClassification><cbc:ItemClassificationCode listID=\"TST\" \
             listVersionID=\"19.05.01\">1</cbc:ItemClassificationCode></cac:CommodityClassification>",
            "<cac:CommodityClassification><cbc:ItemClassificationCode listID=\"TST\">1\
             </cbc:ItemClassificationCode></cac:CommodityClassification>",
        ],
    ),
    (
        "<cac:Price>",
        &[
            "<cbc:BaseQuantity unitCode=\"C62\">3</cbc:BaseQuantity>",
            "<cbc:BaseQuantity unitCode=\"XPP\">1</cbc:BaseQuantity>",
            "<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount>1\
             </cbc:Amount><cbc:BaseAmount>101</cbc:BaseAmount></cac:AllowanceCharge>",
        ],
    ),
];

/// Invoice numbers of Greece.
pub const GREEK: &[&str] = &[
    "123456783|13/11/2017|1|1.1|A|7",
    "123456783|13/11/2017|0|5.2|A|7|8",
    "123456784|13/11/2017|1|1.1|A|7",
    "12345678|13/11/2017|-1|1.2|A|",
    "123456783|1/11/2017|1.5|1.1||7",
    "123456783|13-11-2017|x|1.1|A|7",
    "123456783|32/11/2017|1|1.1|A|7",
    "123456783|13/11/17|1|| |7",
    " 123456783|13/11/20170|1|1.1|A|7",
    "123456783",
    "|||||",
    "123456783|13/11/2017| 2 |1.1|A|7",
];
pub const ACCOUNTS: &[&str] = &[
    "NL91ABNA0417164300",
    "NL91 ABNA 0417 1643 00",
    "NL91ABNA0417164301",
    "nl91abna0417164300",
    "DE02",
    "1234567",
    "12345678",
    "123456789012",
    "1",
    "123456789",
    "12345-6",
    "",
];
