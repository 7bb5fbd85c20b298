//! What each national rule is about, in edits of the sample.

use super::Edit;

/// What makes the sample right in a country.
pub(super) const COUNTRIES: &[(&str, &[Edit])] = &[
    (
        "DE",
        &[
            (">NL<", ">DE<"),
            ("NL123456782B90", "DE123456789"),
            ("NL876543214B01", "DE123456789"),
            (
                "</cac:PartyLegalEntity>",
                "</cac:PartyLegalEntity><cac:Contact><cbc:Name>N</cbc:Name><cbc:Telephone>030 12\
                 </cbc:Telephone><cbc:ElectronicMail>a@b.de</cbc:ElectronicMail></cac:Contact>",
            ),
        ],
    ),
    (
        "DK",
        &[
            (">NL<", ">DK<"),
            ("NL123456782B90", "DK12345678"),
            ("NL876543214B01", "DK12345678"),
            ("schemeID=\"0106\"", "schemeID=\"0184\""),
            (">30</cbc:PaymentMeansCode>", ">58</cbc:PaymentMeansCode>"),
        ],
    ),
    (
        "EL",
        &[
            (">NL<", ">GR<"),
            ("NL123456782B90", "EL123456783"),
            ("NL876543214B01", "EL123456783"),
            ("schemeID=\"0106\">12345678</cbc:E", "schemeID=\"9933\">123456783</cbc:E"),
            ("schemeID=\"0106\">87654321</cbc:E", "schemeID=\"9933\">123456783</cbc:E"),
            ("<cbc:ID>N1</cbc:ID>", "<cbc:ID>123456783|15/05/2026|1|1.1|A|7</cbc:ID>"),
            (
                "  <cac:AccountingSupplierParty>",
                "<cac:AdditionalDocumentReference><cbc:ID>4000</cbc:ID><cbc:DocumentDescription>\
                 ##M.AR.K##</cbc:DocumentDescription></cac:AdditionalDocumentReference>\
                 <cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cbc:DocumentDescription>\
                 ##INVOICE|URL##</cbc:DocumentDescription><cac:Attachment><cac:ExternalReference>\
                 <cbc:URI>https://x.example</cbc:URI></cac:ExternalReference></cac:Attachment>\
                 </cac:AdditionalDocumentReference><cac:AccountingSupplierParty>",
            ),
        ],
    ),
    (
        "IS",
        &[
            (">NL<", ">IS<"),
            ("NL123456782B90", "IS12345"),
            ("NL876543214B01", "IS12345"),
            ("schemeID=\"0106\"", "schemeID=\"0196\""),
            (
                "  <cac:AccountingSupplierParty>",
                "<cac:AdditionalDocumentReference><cbc:ID>2026-06-20</cbc:ID>\
                 <cbc:DocumentDescription>EINDAGI</cbc:DocumentDescription>\
                 </cac:AdditionalDocumentReference><cac:AccountingSupplierParty>",
            ),
        ],
    ),
    (
        "IT",
        &[
            (">NL<", ">IT<"),
            ("NL123456782B90", "IT12345678903"),
            ("NL876543214B01", "IT12345678903"),
            (
                "<cac:PartyLegalEntity>",
                "<cac:PartyTaxScheme><cbc:CompanyID>ABCDEF12G34H567I</cbc:CompanyID>\
                 <cac:TaxScheme><cbc:ID>TAX</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>\
                 <cac:PartyLegalEntity>",
            ),
        ],
    ),
    ("NL", &[]),
    (
        "NO",
        &[
            (">NL<", ">NO<"),
            ("NL123456782B90", "NO123456785MVA"),
            ("NL876543214B01", "NO123456785MVA"),
            (
                "<cac:PartyLegalEntity>",
                "<cac:PartyTaxScheme><cbc:CompanyID>Foretaksregisteret</cbc:CompanyID>\
                 <cac:TaxScheme><cbc:ID>TAX</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>\
                 <cac:PartyLegalEntity>",
            ),
        ],
    ),
    (
        "SE",
        &[
            (">NL<", ">SE<"),
            ("NL123456782B90", "SE123456789701"),
            ("NL876543214B01", "SE123456789701"),
            ("schemeID=\"0106\">12345678</cbc:C", "schemeID=\"0007\">1234567897</cbc:C"),
            ("schemeID=\"0106\">87654321</cbc:C", "schemeID=\"0007\">1234567897</cbc:C"),
            ("<cbc:Percent>21<", "<cbc:Percent>25<"),
            ("<cbc:ID>NL91ABNA0417164300<", "<cbc:ID>1234567<"),
            (
                "</cac:PayeeFinancialAccount>",
                "<cac:FinancialInstitutionBranch><cbc:ID>SE:BANKGIRO</cbc:ID>\
                 </cac:FinancialInstitutionBranch></cac:PayeeFinancialAccount>",
            ),
        ],
    ),
];

/// The country of the addresses.
pub(super) fn code(country: &'static str) -> &'static str {
    if country == "EL" { "GR" } else { country }
}

/// How VAT numbers of a country begin in the sample.
pub(super) fn prefix(country: &str) -> &'static str {
    match country {
        "DE" => ">DE",
        "DK" => ">DK",
        "EL" => ">EL",
        "IS" => ">IS",
        "IT" => ">IT",
        "NO" => ">NO",
        "SE" => ">SE",
        _ => ">NL",
    }
}

const CODE_58: &str = ">58</cbc:PaymentMeansCode>";
const CODE_30: &str = ">30</cbc:PaymentMeansCode>";
const IBAN: &str = "NL91ABNA0417164300";
const TERMS: &str = "Payment within 30 days";
const CARD: &str = ">30</cbc:PaymentMeansCode><cac:CardAccount/>";
const MANDATE: &str = ">59</cbc:PaymentMeansCode><cac:PaymentMandate><cbc:ID>1</cbc:ID>\
                       </cac:PaymentMandate>";
const TWICE: &str = "<cac:AdditionalDocumentReference><cac:Attachment>\
                     <cbc:EmbeddedDocumentBinaryObject mimeCode=\"text/csv\" filename=\"a\">eA==\
                     </cbc:EmbeddedDocumentBinaryObject></cac:Attachment>\
                     </cac:AdditionalDocumentReference><cac:AdditionalDocumentReference>\
                     <cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode=\"text/csv\" \
                     filename=\"a\">eA==</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>\
                     </cac:AdditionalDocumentReference><cac:PaymentMeans>";

/// Country, rule, and what breaks it there.
pub(super) const BREAKS: &[(&str, &str, &[Edit])] = &[
    ("DE", "DE-R-001", &[("cac:PaymentMeans>", "cac:Xx>")]),
    ("DE", "DE-R-002", &[("cac:Contact>", "cac:Xx>")]),
    ("DE", "DE-R-003", &[("cbc:CityName>", "cbc:Xx>")]),
    ("DE", "DE-R-004", &[("cbc:PostalZone>", "cbc:Xx>")]),
    ("DE", "DE-R-005", &[("<cbc:Name>N</cbc:Name>", "<cbc:Name> </cbc:Name>")]),
    ("DE", "DE-R-006", &[("cbc:Telephone>", "cbc:Xx>")]),
    ("DE", "DE-R-007", &[("cbc:ElectronicMail>", "cbc:Xx>")]),
    ("DE", "DE-R-008", &[("cbc:CityName>", "cbc:Xx>")]),
    ("DE", "DE-R-009", &[("cbc:PostalZone>", "cbc:Xx>")]),
    ("DE", "DE-R-014", &[("cbc:Percent>", "cbc:Xx>")]),
    ("DE", "DE-R-015", &[("cbc:BuyerReference>", "cbc:Xx>")]),
    ("DE", "DE-R-016", &[("DE123456789", " ")]),
    ("DE", "DE-R-017", &[(">380<", ">383<")]),
    ("DE", "DE-R-018", &[(TERMS, "#SKONTO#TAGE=14#PROZENT=2.25#")]),
    ("DE", "DE-R-018", &[(TERMS, "#SKONTO#TAGE=14#PROZENT=2.5#\n")]),
    ("DE", "DE-R-019", &[(CODE_30, CODE_58), (IBAN, "NL91ABNA0417164301")]),
    ("DE", "DE-R-020", &[(CODE_30, MANDATE)]),
    ("DE", "DE-R-022", &[("<cac:PaymentMeans>", TWICE)]),
    ("DE", "DE-R-023-1", &[("cac:PayeeFinancialAccount>", "cac:Xx>")]),
    ("DE", "DE-R-023-2", &[(CODE_30, CARD)]),
    ("DE", "DE-R-024-1", &[(CODE_30, ">48</cbc:PaymentMeansCode>")]),
    ("DE", "DE-R-024-2", &[(CODE_30, ">48</cbc:PaymentMeansCode>")]),
    ("DE", "DE-R-025-1", &[(CODE_30, ">59</cbc:PaymentMeansCode>")]),
    ("DE", "DE-R-025-2", &[(CODE_30, ">59</cbc:PaymentMeansCode>")]),
    ("DE", "DE-R-026", &[(">380<", ">384<")]),
    ("DE", "DE-R-027", &[("030 12", "ask for me")]),
    ("DE", "DE-R-028", &[("a@b.de", "a@b")]),
    ("DE", "DE-R-030", &[(CODE_30, MANDATE)]),
    ("DE", "DE-R-031", &[(CODE_30, MANDATE)]),
    ("DK", "DK-R-002", &[("schemeID=\"0184\">12345678</cbc:C", "schemeID=\"0184\"> </cbc:C")]),
    ("DK", "DK-R-004", &[("  <cac:TaxTotal>", TAX_OF_WORDS)]),
    ("DK", "DK-R-005", &[(CODE_58, CODE_30)]),
    ("DK", "DK-R-006", &[(CODE_58, ">42</cbc:PaymentMeansCode>")]),
    ("DK", "DK-R-007", &[(CODE_58, ">49</cbc:PaymentMeansCode>")]),
    ("DK", "DK-R-008", &[(CODE_58, ">50</cbc:PaymentMeansCode>")]),
    ("DK", "DK-R-009", &[(">58<", ">50<"), ("</cbc:PaymentMeansCode>", PART_OF_GIRO)]),
    ("DK", "DK-R-010", &[(CODE_58, ">93</cbc:PaymentMeansCode>")]),
    ("DK", "DK-R-011", &[(">58<", ">93<"), ("</cbc:PaymentMeansCode>", PART_OF_JOINT)]),
    ("DK", "DK-R-013", &[("<cac:PartyName>", UNNAMED_SCHEME)]),
    ("DK", "DK-R-014", &[("schemeID=\"0184\">12345678</cbc:C", "schemeID=\"0002\">1</cbc:C")]),
    ("DK", "DK-R-017", &[("schemeID=\"0184\">87654321</cbc:C", ">87654321</cbc:C")]),
    ("DK", "DK-R-003", &[("<cac:SellersItem", OLD_VERSION)]),
    ("EL", "GR-R-001-1", &[("|A|7<", "|A<")]),
    ("EL", "GR-R-001-2", &[("<cbc:ID>123456783|", "<cbc:ID>123456784|")]),
    ("EL", "GR-R-001-3", &[("|15/05/2026|", "|16/05/2026|")]),
    ("EL", "GR-R-001-4", &[("|1|1.1|", "|-1|1.1|")]),
    ("EL", "GR-R-001-5", &[("|1.1|", "|1.2|")]),
    ("EL", "GR-R-001-6", &[("|A|", "||")]),
    ("EL", "GR-R-001-7", &[("|A|7<", "|A|<")]),
    ("EL", "GR-R-002", &[("cac:PartyName>", "cac:Xx>")]),
    ("EL", "GR-R-003", &[(">EL123456783<", ">EL123456784<")]),
    ("EL", "GR-R-004-1", &[("##M.AR.K##", "MARK")]),
    ("EL", "GR-R-004-2", &[(">4000<", ">0400<")]),
    ("EL", "GR-R-005", &[("cac:PartyName>", "cac:Xx>")]),
    ("EL", "GR-R-006", &[(">EL123456783<", ">EL123456784<")]),
    ("EL", "GR-R-008-3", &[("cbc:URI>", "cbc:Xx>")]),
    ("EL", "GR-R-009", &[("schemeID=\"9933\"", "schemeID=\"0002\"")]),
    ("EL", "GR-R-010", &[("schemeID=\"9933\"", "schemeID=\"0002\"")]),
    ("EL", "GR-S-008-1", &[("##INVOICE|URL##", "URL")]),
    ("EL", "GR-S-011", &[(">EL123456783<", ">EL123456784<")]),
    ("IS", "IS-R-001", &[(">380<", ">383<")]),
    ("IS", "IS-R-002", &[("schemeID=\"0196\">12345678</cbc:C", ">12345678</cbc:C")]),
    ("IS", "IS-R-003", &[("cbc:StreetName>", "cbc:Xx>")]),
    ("IS", "IS-R-004", &[("schemeID=\"0196\">87654321</cbc:C", ">87654321</cbc:C")]),
    ("IS", "IS-R-005", &[("cbc:PostalZone>", "cbc:Xx>")]),
    ("IS", "IS-R-006", &[(CODE_30, ">9</cbc:PaymentMeansCode>")]),
    ("IS", "IS-R-007", &[(CODE_30, ">42</cbc:PaymentMeansCode>")]),
    ("IS", "IS-R-008", &[(">2026-06-20<", ">2026-06-31<")]),
    ("IS", "IS-R-009", &[("cbc:DueDate>", "cbc:Xx>")]),
    ("IS", "IS-R-010", &[(">2026-06-20<", ">2026-06-01<")]),
    ("IT", "IT-R-001", &[(">ABCDEF12G34H567I<", ">ABCDEF12G3<")]),
    ("IT", "IT-R-002", &[("cbc:StreetName>", "cbc:Xx>")]),
    ("IT", "IT-R-003", &[("cbc:CityName>", "cbc:Xx>")]),
    ("IT", "IT-R-004", &[("cbc:PostalZone>", "cbc:Xx>")]),
    ("NL", "NL-R-002", &[("cbc:StreetName>", "cbc:Xx>")]),
    ("NL", "NL-R-003", &[("schemeID=\"0106\">12345678</cbc:C", ">12345678</cbc:C")]),
    ("NL", "NL-R-005", &[("schemeID=\"0106\">87654321</cbc:C", ">87654321</cbc:C")]),
    ("NL", "NL-R-007", &[("cac:PaymentMeans>", "cac:Xx>")]),
    ("NL", "NL-R-008", &[(CODE_30, ">31</cbc:PaymentMeansCode>")]),
    ("NL", "NL-R-009", &[("cac:OrderReference>", "cac:Xx>")]),
    ("NO", "NO-R-001", &[("NO123456785MVA", "NO123456784MVA")]),
    ("NO", "NO-R-001", &[("NO123456785MVA", "NO123456785")]),
    ("NO", "NO-R-002", &[("Foretaksregisteret", "foretak")]),
    ("SE", "SE-R-001", &[("SE123456789701", "SE1234567897")]),
    ("SE", "SE-R-002", &[("SE123456789701", "SE12345678970x")]),
    ("SE", "SE-R-003", &[(">1234567897</cbc:C", ">123456-789</cbc:C")]),
    ("SE", "SE-R-004", &[(">1234567897</cbc:C", ">123456789</cbc:C")]),
    ("SE", "SE-R-013", &[(">1234567897</cbc:C", ">1234567896</cbc:C")]),
    ("SE", "SE-R-006", &[("<cbc:Percent>25<", "<cbc:Percent>21<")]),
    ("SE", "SE-R-007", &[("SE:BANKGIRO", "SE:PLUSGIRO"), (">1234567<", ">12-3<")]),
    ("SE", "SE-R-008", &[(">1234567<", ">123-456<")]),
    ("SE", "SE-R-009", &[(">1234567<", ">123456<")]),
    ("SE", "SE-R-010", &[("SE:BANKGIRO", "SE:PLUSGIRO"), (">1234567<", ">1<")]),
    ("SE", "SE-R-011", &[(CODE_30, ">56</cbc:PaymentMeansCode>")]),
    ("SE", "SE-R-012", &[(CODE_30, ">31</cbc:PaymentMeansCode>")]),
];

const TAX_OF_WORDS: &str = "<cac:AllowanceCharge><cbc:AllowanceChargeReasonCode>ZZZ\
                            </cbc:AllowanceChargeReasonCode><cbc:AllowanceChargeReason>#tax\
                            </cbc:AllowanceChargeReason></cac:AllowanceCharge><cac:TaxTotal>";
const TAX_OF_DIGITS: &str = "<cac:AllowanceCharge><cbc:AllowanceChargeReasonCode>ZZZ\
                             </cbc:AllowanceChargeReasonCode><cbc:AllowanceChargeReason>0021\
                             </cbc:AllowanceChargeReason></cac:AllowanceCharge><cac:TaxTotal>";
const PART_OF_GIRO: &str = "</cbc:PaymentMeansCode><cbc:PaymentID>04#123</cbc:PaymentID>";
const PART_OF_JOINT: &str = "</cbc:PaymentMeansCode><cbc:PaymentID>71#123</cbc:PaymentID>";
const WHOLE_GIRO: &str =
    "</cbc:PaymentMeansCode><cbc:PaymentID>04#1234567890123456</cbc:PaymentID>";
const WHOLE_JOINT: &str =
    "</cbc:PaymentMeansCode><cbc:PaymentID>71#123456789012345</cbc:PaymentID>";
const UNNAMED_SCHEME: &str =
    "<cac:PartyIdentification><cbc:ID>1</cbc:ID></cac:PartyIdentification><cac:PartyName>";
const OLD_VERSION: &str = "<cac:CommodityClassification><cbc:ItemClassificationCode \
                           listID=\"TST\" listVersionID=\"11\">1</cbc:ItemClassificationCode>\
                           </cac:CommodityClassification><cac:SellersItem";
const KNOWN_VERSION: &str = "<cac:CommodityClassification><cbc:ItemClassificationCode \
                             listID=\"TST\" listVersionID=\"26.08.01\">1\
                             </cbc:ItemClassificationCode></cac:CommodityClassification>\
                             <cac:SellersItem";

/// Country, rule, and what leaves it as it is.
pub(super) const NEARLY: &[(&str, &str, &[Edit])] = &[
    ("DE", "DE-R-018", &[(TERMS, "#SKONTO#TAGE=14#PROZENT=2.25#\n")]),
    ("DE", "DE-R-018", &[(TERMS, "two\n#SKONTO#TAGE=14#PROZENT=2.25#BASISBETRAG=-10.00#\n\n")]),
    ("DE", "DE-R-019", &[(CODE_30, CODE_58), (IBAN, "NL91 ABNA 0417 1643 00")]),
    ("DE", "DE-R-023-1", &[(CODE_30, "> 58 </cbc:PaymentMeansCode>")]),
    ("DE", "DE-R-027", &[("030 12", "1-2-3")]),
    ("DE", "DE-R-028", &[("a@b.de", " ä.b@c-d.example.de ")]),
    ("DE", "DE-R-014", &[("<cbc:Percent>21<", "<cbc:Percent>0<")]),
    ("DK", "DK-R-003", &[("<cac:SellersItem", KNOWN_VERSION)]),
    ("DK", "DK-R-004", &[("  <cac:TaxTotal>", TAX_OF_DIGITS)]),
    (
        "DK",
        "DK-R-008",
        &[(">58<", ">50<"), ("</cbc:PaymentMeansCode>", WHOLE_GIRO), (IBAN, "1234567")],
    ),
    ("DK", "DK-R-009", &[(">58<", ">50<"), ("</cbc:PaymentMeansCode>", WHOLE_GIRO)]),
    (
        "DK",
        "DK-R-010",
        &[(">58<", ">93<"), ("</cbc:PaymentMeansCode>", WHOLE_JOINT), (IBAN, "12345678")],
    ),
    ("DK", "DK-R-011", &[(">58<", ">93<"), ("</cbc:PaymentMeansCode>", WHOLE_JOINT)]),
    ("DK", "DK-R-013", &[("<cac:PartyName>", NAMED_SCHEME)]),
    ("EL", "GR-R-001-4", &[("|1|1.1|", "|0|1.1|")]),
    ("EL", "GR-R-001-5", &[("|1.1|", "|5.2|")]),
    ("EL", "GR-R-004-2", &[(">4000<", ">4<")]),
    ("IS", "IS-R-001", &[(">380<", "> 381 <")]),
    ("IS", "IS-R-006", &[(CODE_30, ">9</cbc:PaymentMeansCode>"), (IBAN, "123456789012")]),
    ("IS", "IS-R-010", &[(">2026-06-20<", ">2026-06-14<")]),
    ("IT", "IT-R-001", &[(">ABCDEF12G34H567I<", ">12345678901<")]),
    ("NL", "NL-R-003", &[("schemeID=\"0106\">12345678</cbc:C", "schemeID=\"0190\">1</cbc:C")]),
    ("NL", "NL-R-007", &[("cac:PaymentMeans>", "cac:Xx>"), (">79.21</cbc:Pay", ">0.00</cbc:Pay")]),
    ("NO", "NO-R-001", &[("NO123456785MVA", "SE1")]),
    ("SE", "SE-R-006", &[("<cbc:Percent>25<", "<cbc:Percent>12.00<")]),
    ("SE", "SE-R-009", &[(">1234567<", ">12345678<")]),
    ("SE", "SE-R-007", &[("SE:BANKGIRO", "SE:PLUSGIRO"), (">1234567<", ">12<")]),
];

const NAMED_SCHEME: &str = "<cac:PartyIdentification><cbc:ID schemeID=\"0088\">1234567890128\
                            </cbc:ID></cac:PartyIdentification><cac:PartyName>";
