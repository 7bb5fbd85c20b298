//! Reading FatturaPA: files of several invoices, and what is easily got wrong.

use quoin_model::en16931::{Agreement, Derivation, Invoice};
use quoin_xml::tree::{Document, Limits};

use crate::readers::{read_invoice, read_invoices_at, unread};

const SAMPLE: &str = include_str!("../../../samples/fatturapa.xml");

fn parsed(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

/// The sample with one thing changed, read.
fn edited<T>(from: &str, to: &str, look: impl FnOnce(&Invoice<'_>) -> T) -> T {
    assert!(SAMPLE.contains(from), "{from}");
    let document = parsed(&SAMPLE.replacen(from, to, 1));
    look(&read_invoice(&document).unwrap().invoice)
}

/// A file of this root with these bodies.
fn lot(header: &str, bodies: &str) -> String {
    let namespace = "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2";
    format!("<f:FatturaElettronica xmlns:f=\"{namespace}\">{header}{bodies}</f:FatturaElettronica>")
}

fn numbered(number: usize) -> String {
    format!(
        "<FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><Numero>{number}</Numero>\
         </DatiGeneraliDocumento></DatiGenerali></FatturaElettronicaBody>"
    )
}

#[test]
fn each_body_is_an_invoice_with_the_header_of_all() {
    let header = "<FatturaElettronicaHeader><SoggettoEmittente>TZ</SoggettoEmittente><X/>\
                  </FatturaElettronicaHeader>";
    let bodies: String = (1..=3).map(numbered).collect();
    let document = parsed(&lot(header, &bodies));
    let readings = read_invoices_at(document.root()).unwrap();
    let numbers: Vec<_> = readings.iter().map(|one| one.invoice.number.text().unwrap()).collect();
    assert_eq!(numbers, ["1", "2", "3"]);
    for reading in &readings {
        let italy = reading.invoice.extensions.italy.as_deref().unwrap();
        assert!(italy.issuer.is("TZ"));
        assert_eq!((reading.tally.read, reading.tally.unread), (2, 1));
    }
    // Once in the list of what is unread, however many invoices have it in their header.
    let list = unread(document.root()).unwrap();
    assert_eq!(list.count, 1);
    assert!(list.leaves[0].path.ends_with("/FatturaElettronicaHeader[1]/X[1]"));
    // Who reads one invoice is told of the others.
    let first = read_invoice(&document).unwrap();
    let paths: Vec<_> = first.residue.iter().map(|leaf| leaf.path()).collect();
    assert_eq!(paths.len(), 3, "{paths:?}");
    assert!(paths[2].contains("FatturaElettronicaBody[3]"));
}

#[test]
fn header_and_bodies_together_are_bounded() {
    let header =
        format!("<FatturaElettronicaHeader>{}</FatturaElettronicaHeader>", "<X/>".repeat(3_000));
    for (bodies, read) in [(1, true), (20, true), (600, false)] {
        let document = parsed(&lot(&header, &"<FatturaElettronicaBody/>".repeat(bodies)));
        assert_eq!(read_invoices_at(document.root()).is_some(), read, "{bodies}");
        assert!(read_invoice(&document).is_some());
    }
    let document = parsed(&lot("", &"<FatturaElettronicaBody/>".repeat(50_000)));
    assert_eq!(read_invoices_at(document.root()).unwrap().len(), 50_000);
}

#[test]
fn computed_totals_say_whether_the_document_agrees() {
    let how = |invoice: &Invoice<'_>| {
        let totals = invoice.totals.one().unwrap();
        let vat = invoice.vat_total().next().unwrap();
        let all = [totals.without_vat.get().unwrap(), totals.due.get().unwrap(), vat];
        all.map(|amount| match amount.derivation() {
            Some(Derivation::Computed(agreement)) => agreement,
            other => panic!("{other:?}"),
        })
    };
    use Agreement::{Agrees, Differs, Unsaid};
    for (from, to, expected) in [
        ("<Numero>", "<Numero>", [Agrees, Agrees, Agrees]),
        ("<PrezzoTotale>85.00", "<PrezzoTotale>85.01", [Differs, Agrees, Agrees]),
        ("<ImportoPagamento>500.00", "<ImportoPagamento>499.20", [Agrees, Differs, Agrees]),
        ("<Imposta>228.80", "<Imposta>228.00", [Agrees, Agrees, Differs]),
        // The whole with stamp duty: 1160.00 + 228.80 - 0.80 + 0.20 + 2.00.
        (">1388.20<", ">1390.20<", [Agrees, Differs, Agrees]),
        ("<ImportoTotaleDocumento>1388.20</ImportoTotaleDocumento>", "", [Agrees, Agrees, Unsaid]),
    ] {
        assert_eq!(edited(from, to, how), expected, "{to}");
    }
}

#[test]
fn what_is_no_number_makes_no_sum() {
    edited("<Imposta>228.80", "<Imposta>228,80", |invoice| {
        assert_eq!(invoice.vat_total().count(), 0);
        assert_eq!(invoice.vat_breakdown[0].tax_amount.text().unwrap(), "228,80");
    });
}

#[test]
fn a_split_payment_is_category_b_on_lines_too() {
    edited("<EsigibilitaIVA>D", "<EsigibilitaIVA>S", |invoice| {
        let code = |line: usize| invoice.lines[line].tax_category.one().unwrap().code.text();
        assert_eq!(
            [code(0), code(1), code(2)],
            [Some("B".into()), Some("B".into()), Some("E".into())]
        );
        assert!(invoice.vat_breakdown[0].category.one().unwrap().is("B"));
        assert!(invoice.tax_point_date_code.is_absent());
    });
}

#[test]
fn codes_that_no_table_knows_stay_what_they_are() {
    edited("<TipoDocumento>TD06", "<TipoDocumento>TD99", |invoice| {
        let code = invoice.type_code.get().unwrap();
        assert_eq!((code.text().as_ref(), code.derivation()), ("TD99", None));
    });
    edited("<Natura>N2.1", "<Natura>N3", |invoice| {
        assert!(invoice.lines[2].tax_category.one().unwrap().is("N3"));
    });
    edited("<AliquotaIVA>22.00", "<AliquotaIVA>0.00", |invoice| {
        assert!(invoice.allowance_charges[0].tax_category.one().unwrap().code.is_absent());
    });
}

#[test]
fn the_code_of_a_receiver_is_an_address_or_none() {
    for (code, schemes) in [
        ("QU01N07", &["0205", "0202"][..]),
        ("UFABCD", &["0201", "0202"]),
        ("0000000", &["0202"]),
        ("XXXXXXX", &["0202"]),
        ("", &["0202"]),
    ] {
        edited("QU01N07", code, |invoice| {
            let buyer = invoice.buyer.one().unwrap();
            let found: Vec<_> =
                buyer.endpoint.iter().map(|one| one.scheme().unwrap().text()).collect();
            assert_eq!(found, schemes, "{code}");
            let italy = invoice.extensions.italy.as_deref().unwrap();
            assert!(italy.recipient_code.is(code));
        });
    }
}

#[test]
fn a_quantity_has_the_unit_that_stands_beside_it() {
    edited("<Numero>", "<Numero>", |invoice| {
        let unit = |line: usize| invoice.lines[line].quantity.get().unwrap().unit().unwrap();
        assert_eq!((unit(0).text().as_ref(), unit(0).as_written().as_ref()), ("HUR", "Ore"));
        assert!(unit(0).path().ends_with("/UnitaMisura[1]"));
        assert_eq!(
            (unit(1).text().as_ref(), unit(1).derivation()),
            ("C62", Some(Derivation::Implied))
        );
        assert_eq!((unit(2).text().as_ref(), unit(2).derivation()), ("fascicolo", None));
        let file = invoice.references.supporting_documents[0].embedded.get().unwrap();
        assert!(file.filename().unwrap().is("disegno.pdf"));
        assert!(file.mime_code().unwrap().is("application/pdf"));
    });
}

#[test]
fn a_discount_that_does_not_add_up_says_so() {
    edited("<PrezzoTotale>915.00", "<PrezzoTotale>900.00", |invoice| {
        let amount = invoice.lines[0].allowance_charges[0].amount.get().unwrap();
        assert_eq!(amount.derivation(), Some(Derivation::Computed(Agreement::Differs)));
        assert_eq!((amount.text().as_ref(), amount.as_written().as_ref()), ("100.00", "10.00"));
    });
}

#[test]
fn bank_and_branch_are_checked_against_the_account() {
    edited("<ABI>05428", "<ABI>05429", |invoice| {
        let own = invoice.payment.means[0].italy.as_deref().unwrap();
        assert!(own.abi.is("05429") && own.cab.is_absent());
    });
}

#[test]
fn a_simplified_invoice_has_amounts_with_vat_only() {
    let text = "<f:FatturaElettronicaSemplificata versione='FSM10' \
        xmlns:f='http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.0'>\
        <FatturaElettronicaHeader><CedentePrestatore><IdFiscaleIVA><IdPaese>IT</IdPaese>\
        <IdCodice>00000000026</IdCodice></IdFiscaleIVA><Nome>Sandra</Nome><Cognome>Quoini</Cognome>\
        <RegimeFiscale>RF01</RegimeFiscale></CedentePrestatore></FatturaElettronicaHeader>\
        <FatturaElettronicaBody><DatiGenerali><DatiGeneraliDocumento><TipoDocumento>TD08\
        </TipoDocumento><Divisa>EUR</Divisa><BolloVirtuale>SI</BolloVirtuale>\
        </DatiGeneraliDocumento><DatiFatturaRettificata><NumeroFR>7</NumeroFR><DataFR>2026-01-02\
        </DataFR><ElementiRettificati>prezzo</ElementiRettificati></DatiFatturaRettificata>\
        </DatiGenerali><DatiBeniServizi><Descrizione>Pasto</Descrizione><Importo>25.00</Importo>\
        <DatiIVA><Imposta>2.27</Imposta><Aliquota>10.00</Aliquota></DatiIVA></DatiBeniServizi>\
        <DatiBeniServizi><Descrizione>Marca</Descrizione><Importo>2.00</Importo><Natura>N1</Natura>\
        <RiferimentoNormativo>Art. 15</RiferimentoNormativo></DatiBeniServizi>\
        </FatturaElettronicaBody></f:FatturaElettronicaSemplificata>";
    let document = parsed(text);
    let reading = read_invoice(&document).unwrap();
    assert_eq!(reading.residue, []);
    let invoice = &reading.invoice;
    let terms: Vec<_> = invoice
        .terms()
        .iter()
        .map(|term| format!("{} {}", term.id, term.source.trimmed()))
        .collect();
    let expected = [
        "BT-3 381",
        "BT-5 EUR",
        "BT-25 7",
        "BT-26 2026-01-02",
        "BT-27 Sandra Quoini",
        "BT-31 IT00000000026",
        "BT-112 27.00",
        "BT-115 27.00",
        "BT-126 1",
        "BT-151 S",
        "BT-152 10.00",
        "BT-153 Pasto",
        "BT-126 2",
        "BT-151 Z",
        "BT-153 Marca",
    ];
    assert_eq!(terms, expected);
    let italy = invoice.extensions.italy.as_deref().unwrap();
    assert_eq!(italy.included_vat.len(), 2);
    assert!(italy.included_vat[0].amount.is("2.27"));
}

/// Some write the total before its rounding, and some after it: the rest tells.
#[test]
fn what_is_due_is_the_total_with_its_rounding() {
    let totals = |whole: &str| {
        edited(">1388.20<", &format!(">{whole}<"), |invoice| {
            let totals = invoice.totals.one().unwrap();
            let due = totals.due.text().unwrap().into_owned();
            (totals.with_vat.text().unwrap().into_owned(), due)
        })
    };
    let both = |with_vat: &str, due: &str| (with_vat.to_owned(), due.to_owned());
    // 1160.00 + 228.80 - 0.80 is 1388.00.
    assert_eq!(totals("1388.20"), both("1388.00", "1388.20"));
    assert_eq!(totals("1388.00"), both("1388.00", "1388.20"));
    assert_eq!(totals("1400.00"), both("1400.00", "1400.00"));
}

#[test]
fn a_price_below_nought_gives_its_sign_to_the_quantity() {
    let price = "<PrezzoUnitario>";
    let (_, rest) = SAMPLE.split_once(price).unwrap();
    let (own, _) = rest.split_once('<').unwrap();
    edited(&format!("{price}{own}"), &format!("{price}-{own}"), |invoice| {
        let line = &invoice.lines[0];
        let net = line.price.one().unwrap().net.get().unwrap();
        assert!(net.is(own) && net.derivation() == Some(Derivation::Negated));
        let quantity = line.quantity.get().unwrap();
        assert!(quantity.value().unwrap().is_negative() && quantity.unit().is_some());
    });
}

#[test]
fn a_discount_of_a_line_has_the_reason_of_every_one() {
    edited("<Numero>", "<Numero>", |invoice| {
        let all = invoice.lines.iter().flat_map(|line| &line.allowance_charges);
        let codes: Vec<_> = all.map(|one| (one.is_charge(), one.reason_code.get())).collect();
        assert!(!codes.is_empty());
        for (is_charge, code) in codes {
            let code = code.unwrap();
            assert!(code.is(if is_charge { "ABK" } else { "95" }));
            assert_eq!(code.derivation(), Some(Derivation::Implied));
        }
    });
}
