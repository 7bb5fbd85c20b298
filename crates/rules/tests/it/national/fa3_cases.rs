//! What businesses in Poland invoice, from BIS Billing or CII to FA(3): each case is converted, has
//! what FA(3) asks for, and keeps the structure and every rule.

use jiff::civil::date;
use quoin_formats::convert::{ConversionRefusal, ConversionTarget, convert_at};
use quoin_formats::read;
use quoin_rules::{Report, Verdict, validate};

/// An invoice of a Polish seller with one line at 23 %.
const SAMPLE: &str = include_str!("../../../../lab/src/ksef/sample.xml");

/// A change of the sample: what stands there, and what instead, everywhere.
type Edit = (&'static str, &'static str);

fn sample(edits: &[Edit]) -> String {
    let places = [
        ("@SELLER_SCHEME@", "9945"),
        ("@SELLER_VALUE@", "5265877635"),
        ("@BUYER_SCHEME@", "9945"),
        ("@BUYER_VALUE@", "7740001454"),
        ("@NUMBER@", "FV/1"),
        ("@DAY@", "2026-05-18"),
    ];
    let whole = places.iter().fold(SAMPLE.to_owned(), |text, (from, to)| text.replace(from, to));
    edits.iter().fold(whole, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn made(text: &str) -> Result<String, ConversionRefusal> {
    let parsed = read(text.as_bytes());
    let root = parsed.root().unwrap();
    convert_at(root, ConversionTarget::KSEF).map(|own| own.document)
}

fn judged(document: &str) -> Report {
    validate(&read(document.as_bytes()), date(2026, 5, 20))
}

/// FA(3) of the sample with changes, which keeps the rules and has all of this.
fn valid(edits: &[Edit], wanted: &[&str]) -> String {
    let document = made(&sample(edits)).unwrap();
    let report = judged(&document);
    assert_eq!(report.verdict(), Verdict::Valid, "{document}\n{:?}", report.findings);
    assert_eq!(report.findings.len(), 0, "{:?}", report.findings);
    let flat: String = document.lines().map(str::trim).collect();
    for part in wanted {
        assert!(flat.contains(part), "{part}: {flat}");
    }
    document
}

const NO_TAX: [Edit; 2] = [(">46.00<", ">0.00<"), (">246.00<", ">200.00<")];
const BUYER: &str = "<cbc:CompanyID>PL7740001454</cbc:CompanyID>";
const BUYER_PLACE: &str = "<cbc:CityName>Płock</cbc:CityName><cbc:PostalZone>00-838\
    </cbc:PostalZone><cac:Country><cbc:IdentificationCode>PL<";

fn without_tax(category: &'static str, reason: &'static str, more: &[Edit]) -> Vec<Edit> {
    // The reason stands in the breakdown alone, behind its first category.
    let subtotal: &'static str = Box::leak(
        format!("{category}<cbc:Percent>0</cbc:Percent>{reason}<cac:TaxScheme>").into_boxed_str(),
    );
    let line: &'static str = Box::leak(
        format!("{category}<cbc:Percent>0</cbc:Percent><cac:TaxScheme>").into_boxed_str(),
    );
    let scheme = "<cbc:ID>S</cbc:ID><cbc:Percent>23</cbc:Percent><cac:TaxScheme>";
    let in_subtotal: Edit = (
        Box::leak(format!("<cac:TaxCategory>{scheme}").into_boxed_str()),
        Box::leak(format!("<cac:TaxCategory>{subtotal}").into_boxed_str()),
    );
    let in_line: Edit = (
        Box::leak(format!("<cac:ClassifiedTaxCategory>{scheme}").into_boxed_str()),
        Box::leak(format!("<cac:ClassifiedTaxCategory>{line}").into_boxed_str()),
    );
    let mut all = vec![in_subtotal, in_line];
    all.extend(NO_TAX);
    all.extend(more);
    all
}

fn abroad(id: &'static str, country: &'static str) -> [Edit; 2] {
    let id: &'static str =
        Box::leak(format!("<cbc:CompanyID>{id}</cbc:CompanyID>").into_boxed_str());
    let place = BUYER_PLACE.replace("Code>PL<", &format!("Code>{country}<"));
    [(BUYER, id), (BUYER_PLACE, Box::leak(place.into_boxed_str()))]
}

#[test]
fn a_plain_invoice_and_self_billing() {
    valid(&[], &["<P_12>23</P_12>", "<P_15>246.00</P_15>", "<P_17>2</P_17>"]);
    let own = [
        ("<cbc:InvoiceTypeCode>380<", "<cbc:InvoiceTypeCode>389<"),
        ("billing:3.0", "selfbilling:3.0"),
    ];
    valid(&own, &["<P_17>1</P_17>", "<NIP>5265877635</NIP>"]);
}

#[test]
fn foreign_buyers() {
    let reason = "<cbc:TaxExemptionReasonCode>VATEX-EU-IC</cbc:TaxExemptionReasonCode>";
    let edits = without_tax("<cbc:ID>K</cbc:ID>", reason, &abroad("DE811222333", "DE"));
    valid(&edits, &["<P_12>0 WDT</P_12>", "<KodUE>DE</KodUE><NrVatUE>811222333</NrVatUE>"]);
    let reason = "<cbc:TaxExemptionReasonCode>VATEX-EU-G</cbc:TaxExemptionReasonCode>";
    let edits = without_tax("<cbc:ID>G</cbc:ID>", reason, &abroad("US12345", "US"));
    valid(&edits, &["<P_12>0 EX</P_12>", "<P_13_6_3>200.00</P_13_6_3>"]);
    let reason = "<cbc:TaxExemptionReasonCode>VATEX-EU-AE</cbc:TaxExemptionReasonCode>";
    let edits = without_tax("<cbc:ID>AE</cbc:ID>", reason, &abroad("FR40303265045", "FR"));
    valid(&edits, &["<P_12>np II</P_12>", "<P_13_9>200.00</P_13_9>"]);
    // Between two in Poland.
    let edits = without_tax("<cbc:ID>AE</cbc:ID>", reason, &[]);
    valid(&edits, &["<P_12>oo</P_12>", "<P_18>1</P_18>"]);
}

#[test]
fn what_is_exempt_has_its_ground() {
    let reason = "<cbc:TaxExemptionReason>art. 43 ust. 1 pkt 37 ustawy</cbc:TaxExemptionReason>";
    let edits = without_tax("<cbc:ID>E</cbc:ID>", reason, &[]);
    valid(&edits, &["<P_12>zw</P_12>", "<P_19>1</P_19><P_19A>art. 43 ust. 1 pkt 37"]);
}

#[test]
fn another_currency_has_its_tax_in_zloty() {
    let edits = [
        ("\"PLN\"", "\"EUR\""),
        (
            "<cbc:DocumentCurrencyCode>PLN<",
            "<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>PLN<",
        ),
        ("</cbc:DocumentCurrencyCode>\n", "</cbc:TaxCurrencyCode>\n"),
        (
            "<cac:LegalMonetaryTotal>",
            "<cac:TaxTotal><cbc:TaxAmount currencyID=\"PLN\">195.96</cbc:TaxAmount></cac:TaxTotal>\
             <cac:LegalMonetaryTotal>",
        ),
    ];
    valid(&edits, &["<KodWaluty>EUR</KodWaluty>", "<P_14_1W>195.96</P_14_1W>"]);
    // Without it there is no FA(3).
    let bare = [("\"PLN\"", "\"EUR\""), ("CurrencyCode>PLN<", "CurrencyCode>EUR<")];
    assert!(made(&sample(&bare)).is_err());
}

fn credit_note(reference: &str) -> String {
    let edits = [
        ("Invoice-2\"", "CreditNote-2\""),
        ("<Invoice xmlns", "<CreditNote xmlns"),
        ("</Invoice>", "</CreditNote>"),
        ("<cbc:DueDate>2099-01-01</cbc:DueDate>", ""),
        (
            "<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>",
            "<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>",
        ),
        ("cac:InvoiceLine", "cac:CreditNoteLine"),
        ("cbc:InvoicedQuantity", "cbc:CreditedQuantity"),
    ];
    sample(&edits).replace(
        "<cac:AccountingSupplierParty>",
        &format!("{reference}<cac:AccountingSupplierParty>"),
    )
}

fn billing_reference(id: &str, day: &str) -> String {
    format!(
        "<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>{id}</cbc:ID>\
         <cbc:IssueDate>{day}</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>"
    )
}

#[test]
fn corrections_with_and_without_the_number_of_the_original() {
    let number = "5265877635-20260401-0A0B0C0D0E0F-11";
    let with = credit_note(&billing_reference(number, "2026-04-01"));
    let document = made(&with).unwrap();
    let report = judged(&document);
    assert_eq!(report.verdict(), Verdict::Valid, "{document}\n{:?}", report.findings);
    assert!(document.contains("<RodzajFaktury>KOR</RodzajFaktury>"), "{document}");
    assert!(document.contains(&format!("<NrKSeFFaKorygowanej>{number}<")), "{document}");
    assert!(document.contains("<P_15>-246.00</P_15>"), "{document}");
    // Issued before the duty to use the system: it has no number there.
    let without = credit_note(&billing_reference("FV/2025/7", "2025-12-01"));
    let document = made(&without).unwrap();
    assert_eq!(judged(&document).verdict(), Verdict::Valid, "{document}");
    assert!(document.contains("<NrKSeFN>1</NrKSeFN>"), "{document}");
    // Later, who corrects has to say the number.
    assert!(made(&credit_note(&billing_reference("FV/2026/7", "2026-04-01"))).is_err());
    // And a correction of nothing is none.
    assert!(made(&credit_note("")).is_err());
}

/// Units of local government and members of VAT groups are named beside the buyer.
#[test]
fn members_of_the_buyer() {
    let plain = made(&sample(&[])).unwrap();
    let third = |role: &str| {
        format!(
            "<Podmiot3><DaneIdentyfikacyjne><NIP>7811767696</NIP><Nazwa>Szkoła nr 1</Nazwa>\
             </DaneIdentyfikacyjne><Rola>{role}</Rola></Podmiot3><Fa>"
        )
    };
    for (mark, role, rule) in [("JST", "8", "QUOIN-FA-JST"), ("GV", "10", "QUOIN-FA-GV")] {
        let marked = plain.replace(&format!("<{mark}>2<"), &format!("<{mark}>1<"));
        let report = judged(&marked);
        assert!(report.fatal().any(|finding| finding.rule == rule), "{:?}", report.findings);
        let named = marked.replacen("<Fa>", &third(role), 1);
        let report = judged(&named);
        assert_eq!(report.verdict(), Verdict::Valid, "{:?}", report.findings);
        // FA(3) is written again with all of it.
        let again = made(&named).unwrap();
        assert!(again.contains(&format!("<Rola>{role}</Rola>")), "{again}");
        assert!(again.contains(&format!("<{mark}>1</{mark}>")), "{again}");
    }
}

/// Attachments are tables; files of BIS have no place, which is told.
#[test]
fn attachments_as_the_schema_allows() {
    let plain = made(&sample(&[])).unwrap();
    let table = "<Zalacznik><BlokDanych><ZNaglowek>Zużycie</ZNaglowek><MetaDane><ZKlucz>Licznik\
        </ZKlucz><ZWartosc>17</ZWartosc></MetaDane><Tabela><TNaglowek><Kol Typ=\"date\">\
        <NKom>Dzień</NKom></Kol><Kol Typ=\"dec\"><NKom>kWh</NKom></Kol></TNaglowek><Wiersz>\
        <WKom>2026-05-01</WKom><WKom>12.5</WKom></Wiersz></Tabela></BlokDanych></Zalacznik></Faktura>";
    let attached = plain.replace("</Faktura>", table);
    let report = judged(&attached);
    assert_eq!(report.verdict(), Verdict::Valid, "{:?}", report.findings);
    let wrong = attached.replace("Typ=\"dec\"", "Typ=\"decimal\"");
    assert_eq!(judged(&wrong).verdict(), Verdict::NotValid);
    let again = made(&attached).unwrap();
    assert!(again.contains("<WKom>12.5</WKom>"), "{again}");
    let file = "<cac:AdditionalDocumentReference><cbc:ID>A1</cbc:ID><cac:Attachment>\
        <cbc:EmbeddedDocumentBinaryObject mimeCode=\"text/csv\" filename=\"a.csv\">YQ==\
        </cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>\
        <cac:AccountingSupplierParty>";
    let text = sample(&[]).replace("<cac:AccountingSupplierParty>", file);
    let parsed = read(text.as_bytes());
    let converted = convert_at(parsed.root().unwrap(), ConversionTarget::KSEF).unwrap();
    assert!(
        converted.losses.iter().any(|loss| loss.term == Some("BT-125")),
        "{:?}",
        converted.losses
    );
    assert_eq!(judged(&converted.document).verdict(), Verdict::Valid);
}

fn with_lines(count: usize) -> String {
    let text = sample(&[]);
    let (head, rest) = text.split_once("<cac:InvoiceLine>").unwrap();
    let (line, tail) = rest.split_once("</cac:InvoiceLine>").unwrap();
    let lines: String = (1..=count)
        .map(|number| {
            let own = line.replacen(">1<", &format!(">{number}<"), 1);
            format!("<cac:InvoiceLine>{own}</cac:InvoiceLine>")
        })
        .collect();
    let net = 200 * count;
    let (tax, total) = (46 * count, 246 * count);
    let head = head
        .replace(">200.00<", &format!(">{net}.00<"))
        .replace(">46.00<", &format!(">{tax}.00<"))
        .replace(">246.00<", &format!(">{total}.00<"));
    format!("{head}{lines}{tail}")
}

#[test]
fn ten_thousand_lines_are_the_most() {
    let document = made(&with_lines(10_000)).unwrap();
    let report = judged(&document);
    assert_eq!(report.verdict(), Verdict::Valid, "{:?}", report.findings.first());
    assert!(document.contains("<NrWierszaFa>10000</NrWierszaFa>"));
    let refusal = made(&with_lines(10_001)).unwrap_err();
    assert!(refusal.to_string().contains("10"), "{refusal}");
}
