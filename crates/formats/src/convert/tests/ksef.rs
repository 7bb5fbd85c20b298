//! To FA(3): what Poland asks for, and what it has not; and FA again, over the official documents.

use std::collections::BTreeMap;

use quoin_xml::tree::{Document, Limits};

use super::national::{model, rewritten};
use super::{CREDIT_NOTE, ConversionRefusal, ConversionTarget, Converted, LossKind, UBL};
use super::{converted, edit};
use crate::readers::read_invoice;

const FA_3: &str = "http://crd.gov.pl/wzor/2025/06/25/13775/";

const SELLER: (&str, &str) =
    ("<cbc:CompanyID>NL123456789</cbc:CompanyID>", "<cbc:CompanyID>PL5260001246</cbc:CompanyID>");
const ZLOTY: (&str, &str) = ("<cbc:TaxCurrencyCode>SEK<", "<cbc:TaxCurrencyCode>PLN<");

const REPRESENTATIVE: (&str, &str) = (">BE0987654321<", ">PL1132191233<");

/// The UBL sample of a Polish seller with more changed.
fn result(changes: &[(&str, &str)]) -> Result<Converted, ConversionRefusal> {
    of_sample(UBL, changes)
}

fn of_sample(sample: &str, changes: &[(&str, &str)]) -> Result<Converted, ConversionRefusal> {
    let text = edit(sample, &[SELLER, ZLOTY, REPRESENTATIVE])
        .replace("Percent>25<", "Percent>23<")
        .replace("\"SEK\"", "\"PLN\"");
    converted(&edit(&text, changes), ConversionTarget::KSEF)
}

fn written(changes: &[(&str, &str)]) -> Converted {
    result(changes).expect("it has a place")
}

fn has_row(converted: &Converted, row: (&str, LossKind, &str)) -> bool {
    converted.rows().contains(&row)
}

fn is_required(result: Result<Converted, ConversionRefusal>, wanted: &str) -> bool {
    matches!(result, Err(ConversionRefusal::Required { target, .. }) if target == wanted)
}

#[test]
fn the_seller_is_polish_or_the_document_refused() {
    let own = written(&[]);
    assert!(own.has("<NIP>5260001246</NIP><Nazwa>Seller legal</Nazwa>"), "{}", own.document);
    let other = converted(UBL, ConversionTarget::KSEF);
    assert!(is_required(other, "NIP"));
    let wrong = [(">PL5260001246<", ">PL0260001246<")];
    assert!(is_required(result(&wrong), "NIP"));
}

/// An invoice that settles advances lists the whole order, and taxes what is left of it.
#[test]
fn rows_of_which_advances_are_settled_have_no_place_elsewhere() {
    const FA: &str = include_str!("../../../samples/ksef.xml");
    let settled = edit(
        FA,
        &[
            ("<RodzajFaktury>VAT<", "<RodzajFaktury>ROZ<"),
            ("<P_13_1>900.00<", "<P_13_1>400.00<"),
            ("<P_14_1>207.00<", "<P_14_1>92.00<"),
        ],
    );
    for target in ConversionTarget::all().filter(|one| *one != ConversionTarget::KSEF) {
        let refusal = converted(&settled, target).expect_err("it contradicts itself");
        let ConversionRefusal::SumsDiffer { path, said, computed, rule } = &refusal else {
            panic!("{refusal}");
        };
        assert_eq!(path, "/Faktura[1]/Fa[1]/P_13_1[1]");
        assert_eq!((said.as_str(), computed.as_str()), ("the sum 1256.00 (P_13)", "1756.00"));
        assert!(rule.contains("P_11") && rule.contains("BR-CO-13"), "{rule}");
    }
    assert!(converted(FA, ConversionTarget::UBL).is_ok());
}

/// What the place means without words, and is no term, has the term of no other value there.
#[test]
fn a_tax_that_is_meant_has_no_term_of_an_amount() {
    let fa = include_str!("../../../samples/ksef.xml");
    let ubl = converted(fa, ConversionTarget::UBL).expect("it has a place");
    let rows = ubl.rows();
    assert!(rows.contains(&("-", LossKind::Derived, "VAT")), "{rows:?}");
    assert!(!rows.iter().any(|row| row.2 == "VAT" && row.0 != "-"), "{rows:?}");
    assert!(rows.contains(&("BT-118", LossKind::Derived, "S")), "{rows:?}");
}

#[test]
fn what_only_poland_asks_for_has_rows() {
    let own = written(&[]);
    for value in ["<JST>2</JST><GV>2</GV>", "<P_16>2</P_16>", "<P_18A>2</P_18A>", "<P_23>2</P_23>"]
    {
        assert!(own.has(value), "{value} {}", own.document);
    }
    let derived = own.losses.iter().filter(|loss| loss.kind == LossKind::Derived);
    let paths: Vec<_> = derived.filter_map(|loss| loss.target_path.as_deref()).collect();
    for end in ["/JST", "/GV", "/P_16", "/P_18A", "/P_22N", "/P_23", "/DataWytworzeniaFa"] {
        assert!(paths.iter().any(|path| path.ends_with(end)), "{end} {paths:?}");
    }
}

#[test]
fn when_it_was_made_is_the_day_of_issue_since_there_is_fa_3() {
    let own = written(&[]);
    assert!(own.has("<DataWytworzeniaFa>2026-05-04T00:00:00Z<"), "{}", own.document);
    let own = written(&[("<cbc:IssueDate>2026-05-04<", "<cbc:IssueDate>2024-05-04<")]);
    assert!(own.has("<DataWytworzeniaFa>2025-09-01T00:00:00Z<"));
    assert!(own.has("<P_1>2024-05-04</P_1>"));
}

#[test]
fn vat_of_another_currency_is_told_in_zloty() {
    let own = written(&[]);
    assert!(own.has("<P_14_1>47.50</P_14_1><P_14_1W>530.10</P_14_1W>"), "{}", own.document);
    let without = [("<cbc:TaxCurrencyCode>PLN</cbc:TaxCurrencyCode>", "")];
    assert!(is_required(result(&without), "P_14_1W"));
}

#[test]
fn allowances_and_charges_of_the_document_are_rows() {
    let own = written(&[]);
    let count = own.count("<FaWiersz>");
    assert_eq!(count, 3, "{}", own.document);
    assert!(own.rows().iter().any(|row| row.0 == "BT-92" && row.1 == LossKind::Changed));
    assert!(own.rows().iter().any(|row| row.0 == "BT-99" && row.1 == LossKind::Changed));
}

#[test]
fn what_is_paid_and_rounded_is_settled() {
    let own = written(&[]);
    assert!(own.has(
        "<Rozliczenie><Obciazenia><Kwota>0.50</Kwota><Powod>Zaokrąglenie</Powod></Obciazenia>\
         <Odliczenia><Kwota>100.00</Kwota><Powod>Przedpłata</Powod></Odliczenia>\
         <DoZaplaty>138.00</DoZaplaty></Rozliczenie>"
    ));
    let wrong = [(">138.00</cbc:PayableAmount>", ">139.00</cbc:PayableAmount>")];
    assert!(matches!(result(&wrong), Err(ConversionRefusal::SumsDiffer { .. })));
}

#[test]
fn a_credit_note_is_a_correction_of_less_than_nought() {
    let day = [("<cbc:IssueDate>2026-03-31<", "<cbc:IssueDate>2025-03-31<")];
    let own = of_sample(CREDIT_NOTE, &day).expect("it has a place");
    assert!(own.has("<RodzajFaktury>KOR</RodzajFaktury>"), "{}", own.document);
    assert!(own.has("<P_15>-237.50</P_15>"), "{}", own.document);
    assert!(own.has("<NrKSeFN>1</NrKSeFN>"));
    assert!(own.has("<P_8B>10</P_8B><P_9A>-19.00</P_9A>"), "{}", own.document);
    assert!(own.losses.iter().any(|loss| {
        loss.target_path.as_deref().is_some_and(|path| path.ends_with("/NrKSeFN"))
    }));
    // Since the first had to use KSeF, who knows no number must say why.
    let later = [(">2026-03-31<", ">2026-03-30<")];
    assert!(is_required(of_sample(CREDIT_NOTE, &later), "NrKSeFFaKorygowanej"));
    let number = "5260001246-20260331-0A1B2C-3D4E5F-6A";
    let known = [("<cbc:ID>ATT-9</cbc:ID>", &*format!("<cbc:ID>{number}</cbc:ID>"))];
    let own = of_sample(CREDIT_NOTE, &known).expect("it has a place");
    let wanted = format!("<NrKSeF>1</NrKSeF><NrKSeFFaKorygowanej>{number}<");
    assert!(own.has(&wanted), "{}", own.document);
}

#[test]
fn buyers_have_one_of_four_identifiers() {
    let vat = "<cbc:CompanyID>SE123456789</cbc:CompanyID>";
    for (id, wanted) in [
        ("SE123456789", "<KodUE>SE</KodUE><NrVatUE>123456789</NrVatUE>"),
        ("GR123456789", "<KodUE>EL</KodUE><NrVatUE>123456789</NrVatUE>"),
        ("PL7740001454", "<NIP>7740001454</NIP>"),
        ("NO912345678MVA", "<KodKraju>NO</KodKraju><NrID>NO912345678MVA</NrID>"),
    ] {
        let own = written(&[(vat, &vat.replace("SE123456789", id))]);
        assert!(own.has(wanted), "{id}: {}", own.document);
    }
    let wrong = vat.replace("SE123456789", "PL123");
    let refusal = result(&[(vat, &wrong)]);
    assert!(matches!(refusal, Err(ConversionRefusal::ValueWithoutPlace { .. })), "{refusal:?}");
}

#[test]
fn rates_that_poland_has_not_are_refused() {
    let text = edit(UBL, &[SELLER, ZLOTY]);
    let refusal = converted(&text, ConversionTarget::KSEF);
    assert!(matches!(refusal, Err(ConversionRefusal::ValueWithoutPlace { .. })), "{refusal:?}");
}

#[test]
fn more_rows_than_ten_thousand_are_refused() {
    let sample = edit(UBL, &[SELLER, ZLOTY]).replace("Percent>25<", "Percent>23<");
    let (head, rest) = sample.split_once("<cac:InvoiceLine>").unwrap();
    let (line, tail) = rest.split_once("</cac:InvoiceLine>").unwrap();
    let lines = format!("<cac:InvoiceLine>{line}</cac:InvoiceLine>").repeat(10_001);
    let limits = Limits::default();
    let text = format!("{head}{lines}{tail}");
    let document = Document::parse(text.as_bytes(), &limits).expect("well formed");
    let refusal = crate::convert::convert(&document, ConversionTarget::KSEF);
    assert!(matches!(refusal, Err(ConversionRefusal::ValueWithoutPlace { .. })), "{refusal:?}");
}

#[test]
fn an_advance_payment_has_an_order() {
    let own = written(&[("<cbc:InvoiceTypeCode>380<", "<cbc:InvoiceTypeCode>386<")]);
    assert!(own.has("<RodzajFaktury>ZAL</RodzajFaktury>"));
    assert!(own.has("<Zamowienie><WartoscZamowienia>237.50</WartoscZamowienia>"));
    assert_eq!(own.count("<FaWiersz>"), 0);
    assert!(!own.rows().iter().any(|row| row.0 == "BT-3"), "{:?}", own.rows());
}

#[test]
fn self_billing_says_so() {
    let own = written(&[("<cbc:InvoiceTypeCode>380<", "<cbc:InvoiceTypeCode>389<")]);
    assert!(own.has("<P_17>1</P_17>"));
    assert!(!has_row(&own, ("BT-3", LossKind::Changed, "389")));
}

#[test]
fn fa_2_becomes_fa_3() {
    let sample = include_str!("../../../samples/ksef-correction.xml")
        .replace("2025/06/25/13775", "2023/06/29/12648")
        .replace("FA (3)", "FA (2)")
        .replace("Formularza>3<", "Formularza>2<")
        .replace("<JST>2</JST>", "")
        .replace("<GV>2</GV>", "")
        .replace("2026-06-02T10:00:00Z", "2024-06-02T10:00:00Z");
    let own = converted(&sample, ConversionTarget::KSEF).expect("it has a place");
    assert!(own.has("http://crd.gov.pl/wzor/2025/06/25/13775/"));
    assert!(own.has("<JST>2</JST><GV>2</GV>"));
    let rows: Vec<_> = own.rows().into_iter().map(|row| (row.1, row.2)).collect();
    let made = (LossKind::Changed, "2024-06-02T10:00:00Z");
    assert_eq!(rows, [made, (LossKind::Derived, "2"), (LossKind::Derived, "2")]);
    let zero = sample.replace("<P_12>23<", "<P_12>0<");
    let refusal = converted(&zero, ConversionTarget::KSEF);
    assert!(matches!(refusal, Err(ConversionRefusal::ValueWithoutPlace { .. })), "{refusal:?}");
    let domestic = zero.replace("P_13_1>", "P_13_6_1>");
    let own = converted(&domestic, ConversionTarget::KSEF).expect("it has a place");
    assert_eq!(own.count("<P_12>0 KR</P_12>"), 3);
}

#[test]
fn facts_have_one_line_and_words_for_units_a_length() {
    let unit = "X".repeat(257);
    let own = written(&[
        (">4025:123<", ">4025\n123<"),
        (">Net 30 days<", ">Net\n30 days<"),
        (">Desk 7<", ">Desk  7<"),
        ("InvoicedQuantity unitCode=\"C62\"", &format!("InvoicedQuantity unitCode=\"{unit}\"")),
    ]);
    assert!(own.has("<Wartosc>4025 123</Wartosc>"), "{}", own.document);
    for (term, text) in [("BT-19", "4025\n123"), ("BT-20", "Net\n30 days")] {
        let is_it = |loss: &&super::Loss| loss.term == Some(term) && loss.value == text;
        let row = own.losses.iter().find(is_it).expect("a row");
        assert_eq!((row.kind, row.reason), (LossKind::Changed, crate::writing::ONE_LINE));
    }
    assert!(!own.rows().iter().any(|row| row.0 == "BT-10"), "{:?}", own.rows());
    assert!(own.has(&format!("<P_8A>{}</P_8A>", "X".repeat(256))), "{}", own.document);
    assert!(has_row(&own, ("BT-130", LossKind::Changed, &unit)));
}

#[test]
fn lines_that_become_one_have_a_row() {
    let name = "<cbc:Name>Short text</cbc:Name>";
    let own = |text: &str| {
        let own = result(&[(name, &format!("<cbc:Name>{text}</cbc:Name>"))]).expect("a place");
        assert!(own.has("<P_7>first second</P_7>"), "{}", own.document);
        own.losses.iter().any(|loss| loss.reason == "the target has a text in one line")
    };
    assert!(own("first\nsecond") && own(" first \r\n second "));
    assert!(!own("first second") && !own("\n  first second\n"));
}

/// Every document of FA(3) is written again from its model: everything is there but for what no
/// reader takes.
#[test]
#[allow(clippy::disallowed_methods, reason = "official artefacts")]
fn official_documents_are_written_again() {
    let folders = ["corpora/ksef", "ksef-data/fa3-official-examples", "ksef-data/fa3-error-cases"];
    let mut open: Vec<_> = folders.iter().filter_map(|one| quoin_testing::shared(one)).collect();
    let (mut documents, mut leaves, mut rows) = (0, 0, BTreeMap::<String, usize>::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok(document) = Document::parse(&bytes, &Limits::default()) else { continue };
        let Some(reading) = read_invoice(&document) else { continue };
        if document.root().namespace() != FA_3 {
            continue;
        }
        let again = rewritten(&document, ConversionTarget::KSEF).expect("it has a place");
        let residue = reading.residue.len();
        assert_eq!(again.losses.len(), residue, "{path:?} {:?}", again.losses);
        for loss in &again.losses {
            *rows.entry(loss.source_path.clone()).or_default() += 1;
        }
        if residue == 0 {
            let other = Document::parse(again.document.as_bytes(), &Limits::default()).unwrap();
            let strip = |lines: Vec<String>| {
                let of = |line: &String| line.split_whitespace().collect::<String>();
                lines.iter().map(of).collect::<Vec<_>>()
            };
            let (before, after) = (strip(model(&document)), strip(model(&other)));
            for (before, after) in before.iter().zip(&after) {
                assert_eq!(before, after, "{path:?}");
            }
            assert_eq!(before.len(), after.len(), "{path:?}");
        }
        (documents, leaves) = (documents + 1, leaves + again.tally.leaves());
    }
    println!("{documents} documents of FA(3) written again, {leaves} leaves, rows: {rows:?}");
    assert!(documents == 0 || documents > 50, "{documents}");
}
