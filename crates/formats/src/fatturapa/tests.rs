//! What the reader of FatturaPA is tested with: its sample, and invoices that ask for much work.

use quoin_testing::growth::{Case, Parser};

use crate::growth::{invoices, repeat};
use crate::reading::ReaderProof;

/// What its reader is tested with.
pub(super) const PROOF: ReaderProof = ReaderProof {
    sample: include_str!("../../samples/fatturapa.xml"),
    documents: 35,
    worst: Parser { name: "FatturaPA", covers: &[], cases: FATTURE, size: 16 << 10, run: invoices },
};

const FATTURA: &str = "<f:FatturaElettronica versione='FPR12' \
    xmlns:f='http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2'>";

/// A FatturaPA file whose one body has this again and again.
fn body(unit: &str, bytes: usize) -> Vec<u8> {
    let head = format!("{FATTURA}<FatturaElettronicaBody>");
    repeat(&head, unit, "</FatturaElettronicaBody></f:FatturaElettronica>", bytes)
}

const FATTURE: &[Case] = &[
    ("bodies", |n| {
        let unit = "<FatturaElettronicaBody><DatiGenerali/></FatturaElettronicaBody>";
        repeat(FATTURA, unit, "</f:FatturaElettronica>", n)
    }),
    ("bodies and a header that each of them has", |n| {
        let header =
            format!("<FatturaElettronicaHeader>{}</FatturaElettronicaHeader>", "<X/>".repeat(60));
        repeat(
            &format!("{FATTURA}{header}"),
            "<FatturaElettronicaBody/>",
            "</f:FatturaElettronica>",
            n,
        )
    }),
    // More than may be read again for each body: refused.
    ("bodies and a long header", |n| {
        let header = "<FatturaElettronicaHeader><X/></FatturaElettronicaHeader>".repeat(n / 114);
        let head = format!("{FATTURA}{header}");
        let unit = "<FatturaElettronicaBody/>";
        repeat(&head, unit, "</f:FatturaElettronica>", n / 2)
    }),
    ("lines", |n| {
        let line = "<DettaglioLinee><PrezzoUnitario>1</PrezzoUnitario></DettaglioLinee>";
        let text = format!("<DatiBeniServizi>{}</DatiBeniServizi>", line.repeat(n / 71));
        body(&text, text.len())
    }),
    ("references of lines", |n| {
        let lines = "<DettaglioLinee><NumeroLinea>1</NumeroLinea></DettaglioLinee>".repeat(n / 140);
        let named = "<RiferimentoNumeroLinea>1</RiferimentoNumeroLinea>".repeat(n / 120);
        let order = format!("<DatiOrdineAcquisto>{named}</DatiOrdineAcquisto>");
        let goods = format!("<DatiBeniServizi>{lines}</DatiBeniServizi>");
        let text = format!("<DatiGenerali>{order}</DatiGenerali>{goods}");
        body(&text, text.len())
    }),
    ("discounts of a line", |n| {
        let one = "<ScontoMaggiorazione><Tipo>SC</Tipo><Percentuale>1.00</Percentuale>\
                   </ScontoMaggiorazione>";
        let price = "<Quantita>1.00</Quantita><PrezzoUnitario>1.00</PrezzoUnitario>";
        let line = format!("<DettaglioLinee>{}{price}</DettaglioLinee>", one.repeat(n / 85));
        let text = format!("<DatiBeniServizi>{line}</DatiBeniServizi>");
        body(&text, text.len())
    }),
    ("summaries of a split payment", |n| {
        let one = "<DatiRiepilogo><AliquotaIVA>1</AliquotaIVA><EsigibilitaIVA>S</EsigibilitaIVA>\
                   </DatiRiepilogo>";
        let text = format!("<DatiBeniServizi>{}</DatiBeniServizi>", one.repeat(n / 95));
        body(&text, text.len())
    }),
    ("payments", |n| {
        let unit = "<DatiPagamento><DettaglioPagamento><Beneficiario>a</Beneficiario>\
                    </DettaglioPagamento></DatiPagamento>";
        body(unit, n)
    }),
    ("unread", |n| body("<X a='1'/>", n)),
    ("one name again and again", |n| body(&format!("<{0}/>", "X".repeat(n / 8)), n)),
    ("deep", |n| {
        let deep = format!("{}{}", "<X>".repeat(50), "</X>".repeat(50));
        body(&deep, n)
    }),
];
