//! National syntaxes: what a reader takes from a document, the writer gives back.

use quoin_xml::tree::{Document, Limits};

use super::super::{ConversionTarget, Converted};
use crate::readers::read_invoice;
use crate::writing::{ConversionRefusal, LeafLedger};

/// The samples that have everything that their syntax has.
const SAMPLES: &[&str] = &[
    include_str!("../../../samples/fatturapa.xml"),
    include_str!("../../../samples/ebinterface.xml"),
    include_str!("../../../samples/svefaktura.xml"),
    include_str!("../../../samples/dico.xml"),
    include_str!("../../../samples/setu.xml"),
    include_str!("../../../samples/ksef.xml"),
    include_str!("../../../samples/ksef-correction.xml"),
];

fn parsed(text: &str) -> Document {
    Document::parse(text.as_bytes(), &Limits::default()).expect("well formed")
}

/// A document in its own syntax again, by the writer: the tree is not copied.
pub(super) fn rewritten(
    document: &Document,
    target: ConversionTarget,
) -> Result<Converted, ConversionRefusal> {
    let reading = read_invoice(document).expect("an invoice");
    let writer = target.writer().expect("a writer");
    let mut ledger = LeafLedger::new(document);
    ledger.unread(&reading);
    let (text, ledger) = (writer.write)(ledger, &reading.invoice)?;
    let (losses, tally) = ledger.finish(&reading.invoice, document.root())?;
    Ok(Converted { document: text, losses, tally })
}

/// The whole model, value by value, without the prefix of the document element.
pub(super) fn model(document: &Document) -> Vec<String> {
    let reading = read_invoice(document).expect("an invoice");
    let name = document.root().qualified_name();
    let local = document.root().local();
    let text =
        format!("{:#?}", reading.invoice).replace(&format!("/{name}["), &format!("/{local}["));
    text.lines().map(str::to_owned).collect()
}

#[test]
fn what_is_read_of_a_sample_is_written_again() {
    for sample in SAMPLES {
        let document = parsed(sample);
        let own = read_invoice(&document).expect("an invoice").syntax;
        let target = ConversionTarget::all().find(|target| target.writes(own));
        let again = rewritten(&document, target.unwrap()).expect("it has a place");
        assert_eq!(again.losses, [], "{}", again.document);
        let (before, after) = (model(&document), model(&parsed(&again.document)));
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before, after);
        }
        assert_eq!(before.len(), after.len());
    }
}
