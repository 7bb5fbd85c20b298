//! What senders get wrong: each mistake gives its finding once, at the line and column of the
//! element that is wrong, and says what was found, what is expected and who can fix it.

use jiff::civil::date;
use quoin_formats::read;
use quoin_model::{Finding, FixBy, Language};
use quoin_rules::{Options, Report, validate, validate_with};

const INVOICE: &str = include_str!("../../../formats/samples/bis3-invoice.xml");
const SELLER: &str = "<cbc:EndpointID schemeID=\"0106\">12345678</cbc:EndpointID>";

/// A mistake: what is replaced by what, the rule that tells, what its place begins with, what is
/// told as found and somewhere in the rest, and who fixes it.
struct Mistake {
    right: &'static str,
    wrong: &'static str,
    rule: &'static str,
    at: &'static str,
    found: &'static str,
    told: &'static str,
    fix_by: FixBy,
}

const fn mistake(
    (right, wrong): (&'static str, &'static str),
    (rule, at): (&'static str, &'static str),
    (found, told): (&'static str, &'static str),
) -> Mistake {
    Mistake { right, wrong, rule, at, found, told, fix_by: FixBy::SourceSystem }
}

const fn in_master_data(mistake: Mistake) -> Mistake {
    Mistake { fix_by: FixBy::MasterData, ..mistake }
}

/// A wrong electronic address of the seller.
const fn address(
    wrong: &'static str,
    rule: &'static str,
    found: &'static str,
    told: &'static str,
) -> Mistake {
    in_master_data(mistake((SELLER, wrong), (rule, "<cbc:EndpointID"), (found, told)))
}

const FIXED: &str = "not a valid xs:decimal";

const MISTAKES: &[Mistake] = &[
    mistake(
        (">12.87</cbc:PriceAmount>", ">1.287E1</cbc:PriceAmount>"),
        ("QUOIN-DECIMAL", "<cbc:PriceAmount"),
        ("1.287E1", FIXED),
    ),
    mistake(
        (">79.21</cbc:PayableAmount>", ">1,079.21</cbc:PayableAmount>"),
        ("QUOIN-DECIMAL", "<cbc:PayableAmount"),
        ("1,079.21", FIXED),
    ),
    mistake(
        (">79.21</cbc:PayableAmount>", ">79.210</cbc:PayableAmount>"),
        ("BR-DEC-18", "<cbc:PayableAmount"),
        ("79.210", "2"),
    ),
    mistake(
        (">EUR</cbc:DocumentCurrencyCode>", ">EUX</cbc:DocumentCurrencyCode>"),
        ("BR-CL-04", "<cbc:DocumentCurrencyCode"),
        ("EUX", "4217"),
    ),
    mistake(
        (
            "</cac:OrderReference>",
            "</cac:OrderReference><cac:OrderReference><cbc:ID>2</cbc:ID></cac:OrderReference>",
        ),
        ("QUOIN-ORDER-REFERENCE", "<cac:OrderReference><cbc:ID>2"),
        ("", "once is the most"),
    ),
    mistake(
        (
            SELLER,
            "<cbc:EndpointID schemeID=\"0106\">12345678</cbc:EndpointID><cbc:EndpointID schemeID=\"0106\">87654321</cbc:EndpointID>",
        ),
        ("QUOIN-ENDPOINT-REPEATED", "<cbc:EndpointID schemeID=\"0106\">87654321"),
        ("87654321", "exactly one"),
    ),
    mistake(
        (
            "<cbc:BuyerReference>PO-2026-0417</cbc:BuyerReference>",
            "<cbc:BuyerReference></cbc:BuyerReference>",
        ),
        ("PEPPOL-EN16931-R008", "<cbc:BuyerReference"),
        ("", "empty"),
    ),
    mistake(
        (
            "<cbc:BuyerReference>PO-2026-0417</cbc:BuyerReference>",
            "<x:BuyerReference xmlns:x=\"urn:x\">1</x:BuyerReference>",
        ),
        ("QUOIN-UBL-UNKNOWN", "<x:BuyerReference"),
        ("", "namespace \"urn:x\""),
    ),
    in_master_data(mistake(
        (">NL91ABNA0417164300<", ">NL91ABNA0417164301<"),
        ("QUOIN-CHECKSUM-IBAN", "<cbc:ID>NL91"),
        ("NL91ABNA0417164301", "expected 64"),
    )),
    address(
        "<cbc:EndpointID schemeID=\"0106\">1234567</cbc:EndpointID>",
        "PEPPOL-COMMON-R054",
        "1234567",
        "12345678",
    ),
    address(
        "<cbc:EndpointID schemeID=\"9925\">0202239951</cbc:EndpointID>",
        "QUOIN-ENDPOINT-SHAPE",
        "0202239951",
        "BE",
    ),
    address(
        "<cbc:EndpointID schemeID=\"0088\">7300010000002</cbc:EndpointID>",
        "PEPPOL-COMMON-R040",
        "7300010000002",
        "GLN",
    ),
    address(
        "<cbc:EndpointID schemeID=\"0208\">0202239950</cbc:EndpointID>",
        "PEPPOL-COMMON-R043",
        "0202239950",
        "",
    ),
    address(
        "<cbc:EndpointID schemeID=\"0192\">991825828</cbc:EndpointID>",
        "PEPPOL-COMMON-R041",
        "991825828",
        "",
    ),
    address(
        "<cbc:EndpointID schemeID=\"0007\">5560360794</cbc:EndpointID>",
        "PEPPOL-COMMON-R049",
        "5560360794",
        "",
    ),
    address(
        "<cbc:EndpointID schemeID=\"0201\">abc</cbc:EndpointID>",
        "PEPPOL-COMMON-R044",
        "abc",
        "",
    ),
];

fn report(text: &str) -> Report {
    validate(&read(text.as_bytes()), date(2026, 6, 1))
}

#[test]
fn each_mistake_is_told_once_at_its_place() {
    assert_eq!(report(INVOICE).findings, []);
    for mistake in MISTAKES {
        assert!(INVOICE.contains(mistake.right), "{}", mistake.right);
        let text = INVOICE.replacen(mistake.right, mistake.wrong, 1);
        let report = report(&text);
        let own: Vec<&Finding> =
            report.findings.iter().filter(|f| f.rule == mistake.rule).collect();
        let [finding] = own[..] else { panic!("{}: {:#?}", mistake.rule, report.findings) };
        let place = finding.location.as_ref().unwrap();
        let line = text.lines().nth(place.line as usize - 1).unwrap();
        let there: String = line.chars().skip(place.column as usize - 1).collect();
        assert!(there.starts_with(mistake.at), "{}: {there}", mistake.rule);
        assert_eq!(finding.value.as_deref().unwrap_or_default(), mistake.found, "{finding:?}");
        let told = format!("{} {}", finding.message, finding.expected.as_deref().unwrap_or(""));
        assert!(told.contains(mistake.told), "{}: {told}", mistake.rule);
        assert_eq!(finding.fix_by, mistake.fix_by, "{}", mistake.rule);
    }
}

#[test]
fn mistakes_are_told_in_five_languages() {
    for mistake in MISTAKES {
        let parsed = INVOICE.replacen(mistake.right, mistake.wrong, 1);
        let parsed = read(parsed.as_bytes());
        let mut told = std::collections::BTreeSet::new();
        for language in Language::ALL {
            let options = Options { language, ..Options::default() };
            let report = validate_with(&parsed, date(2026, 6, 1), &options);
            let mut own = report.findings.iter().filter(|found| found.rule == mistake.rule);
            told.insert(own.next().unwrap().message.clone());
        }
        assert_eq!(told.len(), 5, "{}: {told:#?}", mistake.rule);
    }
}
