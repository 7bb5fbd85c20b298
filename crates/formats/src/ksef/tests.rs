//! What the reader of FA is tested with: its sample, and invoices that ask for much work.

use quoin_testing::growth::{Case, Parser};

use crate::convert::{ConversionTarget, convert_at};
use crate::growth::repeat;
use crate::reading::ReaderProof;

/// What its reader is tested with.
pub(super) const PROOF: ReaderProof = ReaderProof {
    sample: include_str!("../../samples/ksef.xml"),
    documents: 40,
    worst: Parser { name: "FA", covers: &[], cases: FAKTURY, size: 16 << 10, run: read },
};

fn read(bytes: &[u8]) {
    let parsed = crate::read(bytes);
    let Some(root) = parsed.root() else { return };
    std::hint::black_box(crate::readers::unread(root));
    // Of FA(2) the tree is not copied.
    std::hint::black_box(convert_at(root, ConversionTarget::KSEF).is_ok());
    std::hint::black_box(convert_at(root, ConversionTarget::JSON).is_ok());
}

const HEAD: &str = "<Faktura xmlns='http://crd.gov.pl/wzor/2023/06/29/12648/'>";

/// An invoice that has this again and again.
fn invoice(unit: &str, bytes: usize) -> Vec<u8> {
    repeat(HEAD, unit, "</Faktura>", bytes)
}

/// An invoice whose body has this again and again.
fn body(unit: &str, bytes: usize) -> Vec<u8> {
    repeat(&format!("{HEAD}<Fa>"), unit, "</Fa></Faktura>", bytes)
}

/// A document of a Polish seller that has this before its lines again and again.
fn billing(unit: &str, bytes: usize) -> Vec<u8> {
    const INVOICE: &str = include_str!("../../samples/bis3-invoice.xml");
    let text = INVOICE.replacen("NL123456782B90", "PL5260001246", 1);
    let text = text.replace("EUR", "PLN").replace("Percent>21<", "Percent>23<");
    let place = "<cac:InvoiceLine>";
    text.replacen(place, &format!("{}{place}", unit.repeat(bytes / unit.len())), 1).into_bytes()
}

const FAKTURY: &[Case] = &[
    ("written: lines and their facts", |n| {
        let unit = "<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:LineExtensionAmount>0\
            </cbc:LineExtensionAmount><cac:Item><cbc:Description>a</cbc:Description><cbc:Name>b\
            </cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>23</cbc:Percent>\
            </cac:ClassifiedTaxCategory></cac:Item></cac:InvoiceLine>";
        billing(unit, n)
    }),
    ("written: notes, means and documents", |n| {
        let unit = "<cbc:Note>a</cbc:Note><cac:PaymentMeans><cbc:PaymentMeansCode name='b'>30\
            </cbc:PaymentMeansCode><cbc:PaymentID>c</cbc:PaymentID></cac:PaymentMeans>\
            <cac:AdditionalDocumentReference><cbc:ID>d</cbc:ID></cac:AdditionalDocumentReference>\
            <cac:PaymentTerms><cbc:Note>e</cbc:Note></cac:PaymentTerms>";
        billing(unit, n)
    }),
    ("written: invoices that are corrected", |n| {
        let unit = "<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>a</cbc:ID>\
            <cbc:IssueDate>2025-01-01</cbc:IssueDate></cac:InvoiceDocumentReference>\
            </cac:BillingReference><cac:AdditionalDocumentReference><cbc:ID>d</cbc:ID>\
            </cac:AdditionalDocumentReference>";
        let text = String::from_utf8(billing(unit, n)).unwrap_or_default();
        text.replacen("TypeCode>380<", "TypeCode>384<", 1).into_bytes()
    }),
    ("rows", |n| {
        let unit = "<FaWiersz><NrWierszaFa>1</NrWierszaFa><P_8A>szt.</P_8A><P_8B>1</P_8B><P_9A>1\
            </P_9A><P_10>1</P_10><P_11>1</P_11><P_12>0</P_12></FaWiersz>";
        body(unit, n)
    }),
    ("facts of rows", |n| {
        let row = "<FaWiersz><NrWierszaFa>1</NrWierszaFa></FaWiersz>".repeat(n / 200);
        let fact = "<DodatkowyOpis><NrWiersza>1</NrWiersza><Klucz>a</Klucz><Wartosc>b</Wartosc>\
            </DodatkowyOpis>";
        let text = format!("{}{row}", fact.repeat(n / 200));
        body(&text, text.len())
    }),
    ("sums", |n| body("<P_13_1>1</P_13_1><P_14_1>1</P_14_1><P_14_1W>1</P_14_1W><P_14_2/>", n)),
    ("sums and annotations", |n| {
        let unit = "<P_13_7>1</P_13_7>";
        let law = "<P_19A>a</P_19A>".repeat(n / 200);
        let notes = format!("<Adnotacje><Zwolnienie>{law}</Zwolnienie></Adnotacje>");
        let text = format!("{}{notes}", unit.repeat(n / 200));
        body(&text, text.len())
    }),
    ("orders", |n| {
        let unit = "<ZamowienieWiersz><P_11NettoZ>0</P_11NettoZ></ZamowienieWiersz>";
        let text = format!(
            "<RodzajFaktury>ZAL</RodzajFaktury><Zamowienie>{}</Zamowienie>",
            unit.repeat(n / unit.len())
        );
        body(&text, text.len())
    }),
    ("settlements and payments", |n| {
        let unit = "<Rozliczenie><Odliczenia><Kwota>1</Kwota></Odliczenia></Rozliczenie><Platnosc>\
            <RachunekBankowy><NrRB>1</NrRB></RachunekBankowy><TerminPlatnosci><Termin>2026-05-01\
            </Termin></TerminPlatnosci><ZaplataCzesciowa/></Platnosc>";
        body(unit, n)
    }),
    ("parties", |n| {
        let unit = "<Podmiot1><PrefiksPodatnika>PL</PrefiksPodatnika><DaneIdentyfikacyjne><NIP>1\
            </NIP></DaneIdentyfikacyjne><Adres/><DaneKontaktowe/></Podmiot1><Podmiot3><Rola>2\
            </Rola></Podmiot3><Stopka><Rejestry><KRS>1</KRS></Rejestry></Stopka>";
        invoice(unit, n)
    }),
    ("tables", |n| {
        let cells = "<Wiersz><WKom>1</WKom></Wiersz>".repeat(n / 30);
        let text =
            format!("<Zalacznik><BlokDanych><Tabela>{cells}</Tabela></BlokDanych></Zalacznik>");
        invoice(&text, text.len())
    }),
    ("bodies", |n| invoice("<Fa><P_6>1</P_6><P_13_1>1</P_13_1><FaWiersz/></Fa>", n)),
];
