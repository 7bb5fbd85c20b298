//! Each rule fires at an edit that breaks it, at nothing else, and keeps quiet at one that nearly
//! does.

use quoin_xml::tree::{Document, Limits};

use super::*;
use crate::releases::RULE_SETS;

const INVOICE: &str = r#"<Faktura xmlns="http://crd.gov.pl/wzor/2025/06/25/13775/">
<Podmiot1><DaneIdentyfikacyjne><NIP>5260001246</NIP><Nazwa>Węgieł</Nazwa></DaneIdentyfikacyjne>
<Adres><KodKraju>PL</KodKraju><AdresL1>Murarska 12</AdresL1></Adres></Podmiot1>
<Podmiot2><DaneIdentyfikacyjne><NIP>1132191233</NIP><Nazwa>Strop</Nazwa></DaneIdentyfikacyjne>
<Adres><KodKraju>PL</KodKraju><AdresL1>Ceglana 4</AdresL1></Adres><JST>2</JST><GV>2</GV></Podmiot2>
<Fa><KodWaluty>PLN</KodWaluty><P_1>2026-05-18</P_1><P_2>FV/1</P_2><P_6>2026-05-10</P_6>
<P_13_1>250.50</P_13_1><P_14_1>57.62</P_14_1><P_13_7>50.00</P_13_7><P_15>358.12</P_15>
<Adnotacje><P_16>2</P_16><P_17>2</P_17><P_18>2</P_18><P_18A>2</P_18A>
<Zwolnienie><P_19>1</P_19><P_19A>art. 43</P_19A></Zwolnienie>
<NoweSrodkiTransportu><P_22N>1</P_22N></NoweSrodkiTransportu><P_23>2</P_23>
<PMarzy><P_PMarzyN>1</P_PMarzyN></PMarzy></Adnotacje>
<RodzajFaktury>VAT</RodzajFaktury>
<FaWiersz><NrWierszaFa>1</NrWierszaFa><P_7>Cegła</P_7><P_8A>szt.</P_8A><P_8B>2.5</P_8B>
<P_9A>100.20</P_9A><P_11>250.50</P_11><P_12>23</P_12></FaWiersz>
<FaWiersz><NrWierszaFa>2</NrWierszaFa><P_7>Kurs</P_7><P_8B>1</P_8B><P_9A>50</P_9A>
<P_11>50</P_11><P_12>zw</P_12></FaWiersz>
<Platnosc><RachunekBankowy><NrRB>61109010140000071219812874</NrRB></RachunekBankowy></Platnosc>
</Fa></Faktura>"#;

/// The part of a correction.
const CORRECTED: &str = "<DaneFaKorygowanej><DataWystFaKorygowanej>2026-04-01\
    </DataWystFaKorygowanej><NrFaKorygowanej>FV/0</NrFaKorygowanej><NrKSeF>1</NrKSeF>\
    <NrKSeFFaKorygowanej>5260001246-20260401-0A0B0C0D0E0F-11</NrKSeFFaKorygowanej>\
    </DaneFaKorygowanej>";

const PARTY: &str = "<Podmiot3><DaneIdentyfikacyjne><NIP>7811767696</NIP></DaneIdentyfikacyjne>";

fn fired(text: &str) -> Vec<&'static str> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let facts = Facts::new(document.root(), jiff::civil::date(2026, 5, 20));
    let set = RULE_SETS.iter().find(|set| set.id == "ksef-fa3").unwrap();
    let mut fired = Vec::new();
    set.check(&facts, &mut |hit| fired.push(hit.id));
    fired.dedup();
    fired
}

/// Edits, and the rules that they break.
type Broken = (Vec<(&'static str, String)>, &'static [&'static str]);

fn one(from: &'static str, to: impl Into<String>, broken: &'static [&'static str]) -> Broken {
    (vec![(from, to.into())], broken)
}

fn two(one: (&'static str, &str), other: (&'static str, &str), all: &'static [&str]) -> Broken {
    (vec![(one.0, one.1.to_owned()), (other.0, other.1.to_owned())], all)
}

fn third(role: &str) -> String {
    format!("{PARTY}{role}</Podmiot3><Fa>")
}

fn with_correction(kind: &str) -> String {
    format!("<RodzajFaktury>{kind}</RodzajFaktury>{CORRECTED}")
}

const KIND: &str = "<RodzajFaktury>VAT</RodzajFaktury>";
const BUYER: &str = "<NIP>1132191233</NIP>";
const TAX: &str = "<P_14_1>57.62</P_14_1>";
const PERIOD: &str = "<OkresFa><P_6_Od>2026-05-02</P_6_Od><P_6_Do>2026-05-01</P_6_Do></OkresFa>";

fn parties() -> Vec<Broken> {
    vec![
        one("<JST>2", "<JST>1", &["QUOIN-FA-JST"]),
        two(("<JST>2", "<JST>1"), ("<Fa>", &third("<Rola>8</Rola>")), &[]),
        two(("<JST>2", "<JST>1"), ("<Fa>", &third("<Rola>10</Rola>")), &["QUOIN-FA-JST"]),
        one("<GV>2", "<GV>1", &["QUOIN-FA-GV"]),
        two(("<GV>2", "<GV>1"), ("<Fa>", &third("<Rola>10</Rola>")), &[]),
        one(BUYER, "<KodUE>PL</KodUE><NrVatUE>1132191233</NrVatUE>", &["QUOIN-FA-NIP-PLACE"]),
        one(BUYER, "<KodUE>DE</KodUE><NrVatUE>PL1132191233</NrVatUE>", &["QUOIN-FA-NIP-PLACE"]),
        one(BUYER, "<KodUE>DE</KodUE><NrVatUE>1132191233</NrVatUE>", &[]),
        one(BUYER, "<KodKraju>PL</KodKraju><NrID>1132191233</NrID>", &["QUOIN-FA-NIP-PLACE"]),
        // A PESEL is no NIP.
        one(BUYER, "<KodKraju>PL</KodKraju><NrID>44051401458</NrID>", &[]),
        one(BUYER, "<NIP>1132191234</NIP>", &["QUOIN-FA-NIP"]),
        one("<Fa>", third("<Rola>4</Rola><Udzial>50</Udzial>"), &[]),
        one("<Fa>", third("<Rola>2</Rola><Udzial>50</Udzial>"), &["QUOIN-FA-SHARE"]),
        one("<Fa>", third("<Rola>5</Rola>"), &[]),
        two(("<P_17>2", "<P_17>1"), ("<Fa>", &third("<Rola>5</Rola>")), &["QUOIN-FA-ISSUER"]),
    ]
}

fn kinds() -> Vec<Broken> {
    let kor = with_correction("KOR");
    vec![
        one(KIND, kor.clone(), &[]),
        one(KIND, "<RodzajFaktury>KOR</RodzajFaktury>", &["QUOIN-FA-CORRECTED"]),
        one(KIND, with_correction("VAT"), &["QUOIN-FA-NO-CORRECTION"]),
        one(KIND, kor.replace(">5260001246-", ">1132191233-"), &["QUOIN-FA-ORIGINAL"]),
        one(KIND, kor.replace(">2026-04-01", ">2026-05-19"), &["QUOIN-FA-ORIGINAL-DAY"]),
        one("<Adnotacje>", "<KursWalutyZ>4.2</KursWalutyZ><Adnotacje>", &["QUOIN-FA-ADVANCE-RATE"]),
        one("<Platnosc>", "<Zamowienie/><Platnosc>", &["QUOIN-FA-SECTION"]),
        one("<P_6>2026-05-10</P_6>", PERIOD, &["QUOIN-FA-PERIOD"]),
        one("<P_6>2026-05-10</P_6>", PERIOD.replace("05-02", "05-01"), &[]),
        one("<P_7>Kurs", "<P_6A>2026-05-10</P_6A><P_7>Kurs", &["QUOIN-FA-SALE-DAY"]),
        one("<P_1>2026-05-18", "<P_1>2026-05-21", &["QUOIN-FA-FUTURE"]),
        one("<P_1>2026-05-18", "<P_1>2026-05-20", &[]),
        one("</Platnosc>", AGREED.replace("EUR", "PLN"), &["QUOIN-FA-AGREED-CURRENCY"]),
        one("</Platnosc>", AGREED, &[]),
    ]
}

const AGREED: &str = "</Platnosc><WarunkiTransakcji><KursUmowny>4.2</KursUmowny>\
    <WalutaUmowna>EUR</WalutaUmowna></WarunkiTransakcji>";

fn notes_and_sums() -> Vec<Broken> {
    let abroad = "<KodUE>DE</KodUE><NrVatUE>1</NrVatUE>";
    let zloty = "<P_14_1>57.62</P_14_1><P_14_1W>242.00</P_14_1W>";
    let reverse = ("<P_18>2", "<P_18>1");
    vec![
        one("<P_12>zw", "<P_12>oo", &["QUOIN-FA-REVERSE-CHARGE"]),
        two(("<P_12>zw", "<P_12>oo"), reverse, &[]),
        (
            vec![
                ("<P_12>zw", "<P_12>oo".to_owned()),
                (reverse.0, reverse.1.to_owned()),
                (BUYER, abroad.to_owned()),
            ],
            &["QUOIN-FA-OO-FOREIGN"],
        ),
        one("<P_19>1</P_19><P_19A>art. 43</P_19A>", "<P_19N>1</P_19N>", &["QUOIN-FA-EXEMPT"]),
        one("<P_13_7>50.00</P_13_7>", "<P_13_11>50.00</P_13_11>", &["QUOIN-FA-MARGIN"]),
        one(TAX, "<P_14_1>37.58</P_14_1>", &["QUOIN-FA-TAX", "QUOIN-FA-TOTAL"]),
        // A grosz a row is rounding; and 22 % is a rate, too.
        one(TAX, "<P_14_1>57.65</P_14_1>", &[]),
        two((TAX, "<P_14_1>55.11</P_14_1>"), ("358.12", "355.61"), &[]),
        one("<KodWaluty>PLN", "<KodWaluty>EUR", &["QUOIN-FA-TAX-PLN"]),
        two(("<KodWaluty>PLN", "<KodWaluty>EUR"), (TAX, zloty), &[]),
        one("<P_15>358.12", "<P_15>359.13", &["QUOIN-FA-TOTAL"]),
        one("<P_15>358.12", "<P_15>359", &[]),
        one("<P_11>250.50", "<P_11>250.60", &["QUOIN-FA-ROWS", "QUOIN-FA-ROW-AMOUNT"]),
        one("<P_15>358.12", "<P_15>abc", &[]),
    ]
}

fn rows_and_payment() -> Vec<Broken> {
    vec![
        one("<NrWierszaFa>2", "<NrWierszaFa>1", &["QUOIN-FA-ROW-NUMBER"]),
        one("<P_9A>50<", "<P_9A>-50<", &["QUOIN-FA-ROW-SIGN", "QUOIN-FA-ROW-AMOUNT"]),
        one(
            "<P_8B>1<",
            "<P_8B>-1<",
            &["QUOIN-FA-ROW-SIGN", "QUOIN-FA-ROW-AMOUNT", "QUOIN-FA-QUANTITY"],
        ),
        two(("<P_8B>1<", "<P_8B>-1<"), ("<P_9A>50<", "<P_9A>-50<"), &["QUOIN-FA-QUANTITY"]),
        // Of the row, and of each unit.
        two(
            ("<P_9A>100.20<", "<P_9A>101.20<"),
            ("<P_11>250.50", "<P_10>2.50</P_10><P_11>250.50"),
            &[],
        ),
        two(
            ("<P_9A>100.20<", "<P_9A>101.20<"),
            ("<P_11>250.50", "<P_10>1</P_10><P_11>250.50"),
            &[],
        ),
        one("61109010140000071219812874", "1234567890", &["QUOIN-FA-ACCOUNT"]),
        one(
            "61109010140000071219812874",
            "61109010140000071219812875",
            &["QUOIN-FA-ACCOUNT-DIGITS"],
        ),
        two(
            ("61109010140000071219812874", "1234567890"),
            ("</NrRB>", "</NrRB><SWIFT>CHASUS33</SWIFT>"),
            &[],
        ),
        one("61109010140000071219812874", "DE89370400440532013000", &[]),
    ]
}

#[test]
fn every_rule_fires_at_its_edit_alone() {
    assert_eq!(fired(INVOICE), Vec::<&str>::new());
    let cases = [parties(), kinds(), notes_and_sums(), rows_and_payment()].concat();
    let mut seen = std::collections::BTreeSet::new();
    for (edits, broken) in &cases {
        let mut text = INVOICE.to_owned();
        for (from, to) in edits {
            let next = text.replacen(from, to, 1);
            assert_ne!(next, text, "{from}");
            text = next;
        }
        assert_eq!(fired(&text), *broken, "{edits:?}");
        seen.extend(broken.iter().copied());
    }
    let rated = INVOICE
        .replace("<KodWaluty>PLN", "<KodWaluty>EUR")
        .replace(TAX, "<P_14_1>57.62</P_14_1><P_14_1W>242.00</P_14_1W>")
        .replace("</P_12>", "</P_12><KursWaluty>4.5</KursWaluty>");
    assert_eq!(fired(&rated), ["QUOIN-FA-RATE"]);
    assert!(fired(&rated.replace("242.00", "259.29")).is_empty());
    let (head, rest) = INVOICE.split_once("<FaWiersz>").unwrap();
    let (_, tail) = rest.split_once("<Platnosc>").unwrap();
    let bare = format!("{head}<Platnosc>{tail}");
    assert_eq!(fired(&bare), ["QUOIN-FA-NO-ROWS", "QUOIN-FA-ROWS"]);
    let other = INVOICE.replace(" xmlns=\"http://crd.gov.pl/wzor/2025/06/25/13775/\"", "");
    assert_eq!(fired(&other), ["QUOIN-FA-NAMESPACE"]);
    seen.extend(["QUOIN-FA-NAMESPACE", "QUOIN-FA-RATE", "QUOIN-FA-NO-ROWS"]);
    let all: std::collections::BTreeSet<_> =
        RULES.iter().copied().flatten().map(|rule| rule.id).collect();
    assert_eq!(seen, all);
}

/// What is taken back in an invoice that is no correction: quantity, price, amount, and whether the
/// row charges for it. Sums follow the amounts, so nothing else is broken.
#[test]
fn what_is_taken_back_is_not_charged() {
    const ROW: &str = "<P_8B>1</P_8B>";
    let (row, end) = (INVOICE.find(ROW).unwrap(), "<P_12>zw");
    let end = row + INVOICE[row..].find(end).unwrap();
    let with = |text: &str, quantity: &str, price: &str, amount: &str| {
        let own = format!("<P_8B>{quantity}</P_8B><P_9A>{price}</P_9A><P_11>{amount}</P_11>");
        text.replace(&INVOICE[row..end], &own)
    };
    let cases = [
        ("1", "50", "50", false),
        ("-1", "50", "-50", false),
        ("1", "-50", "-50", false),
        ("-1", "-50", "50", false),
        // By its amount alone, and by all three: meant as less, and counted as less.
        ("1", "50", "-50", false),
        ("-1", "-50", "-50", false),
        ("-1", "50", "50", true),
        ("1", "-50", "50", true),
        ("-1", "50", "0.01", true),
        ("-1", "50", "0", false),
        ("0", "-50", "50", false),
        // Less than a grosz is nothing that is taken back.
        ("-0.001", "0.01", "0.01", false),
    ];
    for (quantity, price, amount, charges) in cases {
        let text = with(INVOICE, quantity, price, amount);
        let own = fired(&text);
        let found = own.contains(&"QUOIN-FA-ROW-SIGN");
        assert_eq!(found, charges, "{quantity} x {price} = {amount}: {own:?}");
        // A correction has differences in its rows: their signs are the seller's.
        let kor = with(&INVOICE.replace(KIND, &with_correction("KOR")), quantity, price, amount);
        assert!(!fired(&kor).contains(&"QUOIN-FA-ROW-SIGN"), "{quantity} x {price} = {amount}");
    }
    // With a discount of the row, the amount may have another sign.
    let discounted =
        with(INVOICE, "-1", "50", "10").replace("<P_11>10<", "<P_10>-60</P_10><P_11>10<");
    assert!(!fired(&discounted).contains(&"QUOIN-FA-ROW-SIGN"));
}

/// A correction may change the tax alone, and its rows are differences.
#[test]
fn differences_are_not_computed() {
    let kor = INVOICE
        .replace(KIND, &with_correction("KOR"))
        .replace(TAX, "<P_14_1>-80</P_14_1>")
        .replace("<P_13_1>250.50", "<P_13_1>0")
        .replace("<P_15>358.12", "<P_15>-30")
        .replace("<P_8B>1<", "<P_8B>-1<");
    assert_eq!(fired(&kor), Vec::<&str>::new());
}

/// A row of a correction and the row before it have the same number.
#[test]
fn a_row_and_the_row_before_it_share_a_number() {
    let before = INVOICE
        .replace(KIND, &with_correction("KOR"))
        .replace("<NrWierszaFa>2", "<NrWierszaFa>1")
        .replace("<P_12>zw</P_12>", "<P_12>zw</P_12><StanPrzed>1</StanPrzed>");
    assert_eq!(fired(&before), Vec::<&str>::new());
}

#[test]
fn ten_thousand_rows_are_counted_once() {
    let row = |number: usize| {
        format!(
            "<FaWiersz><NrWierszaFa>{number}</NrWierszaFa><P_11>1</P_11><P_12>23</P_12></FaWiersz>"
        )
    };
    let rows: String = (3..=10_000).map(row).collect();
    let whole = INVOICE.replace("<Platnosc>", &format!("{rows}<Platnosc>"));
    // Their sum is off by far: there is one finding of it, and nothing else.
    assert_eq!(fired(&whole), ["QUOIN-FA-ROWS"]);
}

/// A day of issue is one of Poland, which begins before that of UTC.
#[test]
fn a_day_of_issue_that_has_begun_in_poland_is_not_in_the_future() {
    let text = INVOICE.replace("<P_1>2026-05-18", "<P_1>2026-05-21");
    assert_ne!(text, INVOICE);
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let set = RULE_SETS.iter().find(|set| set.id == "ksef-fa3").unwrap();
    for (at, is_future) in
        [(None, true), (Some("2026-05-20T21:59:59Z"), true), (Some("2026-05-20T22:00:00Z"), false)]
    {
        let facts = Facts::new(document.root(), jiff::civil::date(2026, 5, 20));
        let facts = facts.at(at.map(|at| at.parse().unwrap()));
        let mut fired = Vec::new();
        set.check(&facts, &mut |hit| fired.push(hit.id));
        assert_eq!(fired.contains(&"QUOIN-FA-FUTURE"), is_future, "{at:?} {fired:?}");
    }
}
