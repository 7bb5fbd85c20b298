//! What EN 16931 refuses and another syntax allows: it is written as it is, and announced.

use super::{CII, ConversionTarget, Converted, Loss, LossKind, converted, edit};

/// An invoice of Italy whose lines have four decimals, and whose tax is in cents.
const ITALY: &str = "<p:FatturaElettronica versione='FPR12' \
    xmlns:p='http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2'>\
    <FatturaElettronicaHeader><CedentePrestatore><DatiAnagrafici><IdFiscaleIVA>\
    <IdPaese>IT</IdPaese><IdCodice>00000000000</IdCodice></IdFiscaleIVA><Anagrafica>\
    <Denominazione>Locanda</Denominazione></Anagrafica><RegimeFiscale>RF01</RegimeFiscale>\
    </DatiAnagrafici></CedentePrestatore><CessionarioCommittente><DatiAnagrafici><Anagrafica>\
    <Denominazione>Ospite</Denominazione></Anagrafica></DatiAnagrafici></CessionarioCommittente>\
    </FatturaElettronicaHeader><FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento>\
    <TipoDocumento>TD01</TipoDocumento><Divisa>EUR</Divisa><Data>2026-05-04</Data>\
    <Numero>7</Numero><ImportoTotaleDocumento>116.02</ImportoTotaleDocumento>\
    </DatiGeneraliDocumento></DatiGenerali><DatiBeniServizi>\
    <DettaglioLinee><NumeroLinea>1</NumeroLinea><Descrizione>Camera</Descrizione>\
    <PrezzoUnitario>61.2345</PrezzoUnitario><PrezzoTotale>61.2345</PrezzoTotale>\
    <AliquotaIVA>10.00</AliquotaIVA></DettaglioLinee>\
    <DettaglioLinee><NumeroLinea>2</NumeroLinea><Descrizione>Cena</Descrizione>\
    <PrezzoUnitario>40.1234</PrezzoUnitario><PrezzoTotale>40.1234</PrezzoTotale>\
    <AliquotaIVA>10.00</AliquotaIVA></DettaglioLinee>\
    <DettaglioLinee><NumeroLinea>3</NumeroLinea><Descrizione>Tassa</Descrizione>\
    <PrezzoUnitario>4.52</PrezzoUnitario><PrezzoTotale>4.52</PrezzoTotale>\
    <AliquotaIVA>0.00</AliquotaIVA><Natura>N1</Natura></DettaglioLinee>\
    <DatiRiepilogo><AliquotaIVA>10.00</AliquotaIVA><ImponibileImporto>101.36</ImponibileImporto>\
    <Imposta>10.14</Imposta></DatiRiepilogo>\
    <DatiRiepilogo><AliquotaIVA>0.00</AliquotaIVA><Natura>N1</Natura>\
    <ImponibileImporto>4.52</ImponibileImporto><Imposta>0.00</Imposta>\
    <RiferimentoNormativo>Escluso</RiferimentoNormativo></DatiRiepilogo>\
    </DatiBeniServizi></FatturaElettronicaBody></p:FatturaElettronica>";

/// An invoice of Austria.
const AUSTRIA: &str = include_str!("../../../samples/ebinterface.xml");

/// Term, value and rule of each row that announces what the target refuses.
fn refused<'l>(there: &'l Converted) -> Vec<(&'l str, &'l str, &'l str)> {
    let row = |loss: &'l Loss| {
        let (_, rest) = loss.reason.split_once("the target refuses it: ")?;
        assert!(loss.kind == LossKind::Changed && loss.target_path.is_some(), "{loss:?}");
        Some((loss.term?, loss.value.as_str(), rest.split(' ').next()?))
    };
    there.losses.iter().filter_map(row).collect()
}

fn to(text: &str, target: ConversionTarget) -> Converted {
    converted(text, target).expect("it has a place")
}

const BOTH: [ConversionTarget; 2] = [ConversionTarget::UBL, ConversionTarget::CII];

#[test]
fn a_sum_of_lines_of_more_decimals_is_in_cents_and_the_lines_are_announced() {
    let reason = ("BT-120", "Escluso", "BR-Z-10");
    let lines = [("BT-131", "61.2345", "BR-DEC-23"), ("BT-131", "40.1234", "BR-DEC-23")];
    for target in BOTH {
        let there = to(ITALY, target);
        assert!(there.document.contains(">105.88<"), "{}", there.document);
        assert!(there.rows().contains(&("BT-106", LossKind::Derived, "105.88")));
        assert_eq!(refused(&there), [lines[0], lines[1], reason], "{}", target.as_str());
    }
    // A reason that is none, and lines in cents: nothing is refused.
    let plain = edit(
        ITALY,
        &[
            ("<RiferimentoNormativo>Escluso</RiferimentoNormativo>", ""),
            ("PrezzoTotale>61.2345<", "PrezzoTotale>61.23<"),
            ("PrezzoTotale>40.1234<", "PrezzoTotale>40.13<"),
        ],
    );
    BOTH.iter().for_each(|target| assert_eq!(refused(&to(&plain, *target)), []));
    // SdI takes some cents between the lines and what is taxed; EN 16931 does not.
    let other = plain.replace("PrezzoTotale>40.13<", "PrezzoTotale>40.14<");
    for target in BOTH {
        assert_eq!(refused(&to(&other, target)), [("BT-109", "105.88", "BR-CO-13")]);
    }
}

#[test]
fn totals_that_do_not_add_up_are_announced() {
    let lines = "<ram:LineTotalAmount>200.00</ram:LineTotalAmount><ram:ChargeTotalAmount>";
    let text = edit(CII, &[(lines, &lines.replace("200.00", "200.01")), (">138.00<", ">250.33<")]);
    let wrong = [
        ("BT-106", "200.01", "BR-CO-10"),
        ("BT-109", "190.00", "BR-CO-13"),
        ("BT-115", "250.33", "BR-CO-16"),
    ];
    assert_eq!(refused(&to(&text, ConversionTarget::UBL)), wrong);
    assert_eq!(refused(&to(&edit(CII, &[]), ConversionTarget::UBL)), []);
}

/// What is below the line in an invoice of Austria, with what is paid before and what is due.
fn below(items: &[&str], paid: &str, due: &str) -> String {
    let from = edit(AUSTRIA, &[]);
    let (before, rest) = from.split_once("<eb:BelowTheLineItem>").expect("the sample has one");
    let (_, after) = rest.split_once("</eb:BelowTheLineItem>").expect("its end");
    let item = |amount: &&str| {
        format!(
            "<eb:BelowTheLineItem><eb:Description>Anzahlung</eb:Description>\
             <eb:LineItemAmount>{amount}</eb:LineItemAmount></eb:BelowTheLineItem>"
        )
    };
    let items: String = items.iter().map(item).collect();
    let text = format!("{before}{items}{after}");
    let text = text.replace("<eb:PrepaidAmount>240.00</eb:PrepaidAmount>", paid);
    edit(&text, &[("<eb:PayableAmount>1003.00<", &format!("<eb:PayableAmount>{due}<"))])
}

#[test]
fn what_is_taken_off_below_the_line_is_paid() {
    let said = "<eb:PrepaidAmount>240.00</eb:PrepaidAmount>";
    for target in BOTH {
        let one = to(&below(&["-400.00"], "", "840.00"), target);
        assert!(one.document.contains(">400.00<"), "{}", one.document);
        assert!(one.rows().contains(&("BT-113", LossKind::Changed, "400.00")), "{:?}", one.rows());
        assert_eq!(refused(&one), []);
        let all = to(&below(&["-400.00", "-0.50"], said, "599.50"), target);
        assert!(all.document.contains(">640.50<"), "{}", all.document);
        for part in ["240.00", "-400.00", "-0.50"] {
            let is_part = |row: &(&str, LossKind, &str)| (row.1, row.2) == (LossKind::Merged, part);
            assert!(all.rows().iter().any(is_part), "{:?}", all.rows());
        }
        assert_eq!(refused(&all), []);
        // What is asked for besides is no term, and what does not add up is nothing.
        for (item, due) in [("3.00", "1003.00"), ("-400.00", "700.00")] {
            let there = to(&below(&[item], said, due), target);
            assert_eq!(refused(&there), [("BT-115", due, "BR-CO-16")]);
            assert!(there.rows().contains(&("-", LossKind::Lost, item)), "{:?}", there.rows());
        }
    }
}

#[test]
fn what_is_below_the_line_stays_there_in_its_own_syntax() {
    let said = "<eb:PrepaidAmount>240.00</eb:PrepaidAmount>";
    for (paid, due) in [("", "840.00"), (said, "600.00")] {
        let text = below(&["-400.00"], paid, due).replace("/6p1/", "/6p0/");
        let again = to(&text, ConversionTarget::EBINTERFACE);
        assert!(again.has("<eb:LineItemAmount>-400.00</eb:LineItemAmount>"), "{}", again.document);
        assert_eq!(again.count("PrepaidAmount>240.00<"), usize::from(!paid.is_empty()));
        assert_eq!(again.count("PrepaidAmount>"), paid.matches("PrepaidAmount>").count());
    }
}

/// UBL-SR-12, UBL-SR-18, UBL-SR-52 and UBL-SR-56 have no like in CII.
#[test]
fn what_cii_says_twice_and_ubl_once_is_announced() {
    let registration = |party: &str| {
        let start = format!("<ram:{party}>");
        let text = super::compact(CII);
        let from = text.find(&start).unwrap();
        let own = "<ram:SpecifiedTaxRegistration><ram:ID schemeID=\"VA\">";
        let at = from + text[from..].find(own).unwrap();
        let more = format!("{own}XX1</ram:ID></ram:SpecifiedTaxRegistration>");
        format!("{}{more}{}", &text[..at], &text[at..])
    };
    for (party, rule) in [("SellerTradeParty", "UBL-SR-12"), ("BuyerTradeParty", "UBL-SR-18")] {
        let there = to(&registration(party), ConversionTarget::UBL);
        let row = |loss: &&Loss| loss.reason.contains(rule) && loss.kind == LossKind::Changed;
        assert_eq!(there.losses.iter().filter(row).count(), 1, "{:?}", there.rows());
        assert!(there.document.contains(">XX1<"));
    }
    assert!(!to(CII, ConversionTarget::UBL).losses.iter().any(|own| own.reason.contains("UBL-SR")));
}
