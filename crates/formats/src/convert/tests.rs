//! Conversions: each mistake that other converters make, by its name, on documents of our own.

mod credits;
mod days;
mod ebinterface;
mod extensions;
mod fatturapa;
mod files;
mod implied;
mod ksef;
mod levels;
mod mandatory;
mod money;
mod national;
mod netherlands;
mod notes;
mod parties;
mod payment;
mod profiles;
mod references;
mod several;
mod signs;
mod svefaktura;
mod unused;
mod validity;

use quoin_xml::tree::{Document, Limits};

use super::{
    ConversionRefusal, ConversionRequest, ConversionTarget, Converted, Loss, LossKind, convert,
    convert_at,
};

/// Every term of the standard once, in each document element.
const UBL: &str = include_str!("../../samples/every-term-ubl-invoice.xml");
const CREDIT_NOTE: &str = include_str!("../../samples/every-term-ubl-credit-note.xml");
const CII: &str = include_str!("../../samples/every-term-cii.xml");

/// A sample without the white space between its elements.
fn compact(sample: &str) -> String {
    let lines: Vec<&str> = sample.lines().map(str::trim).collect();
    lines.join(" ").replace("> <", "><")
}

/// A sample with things changed, each of which it must have.
fn edit(sample: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(compact(sample), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    })
}

fn converted(text: &str, target: ConversionTarget) -> Result<Converted, ConversionRefusal> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).expect("well formed");
    convert(&document, target)
}

/// What the CII sample becomes with things changed.
fn to_ubl(changes: &[(&str, &str)]) -> Converted {
    converted(&edit(CII, changes), ConversionTarget::UBL).expect("it has a place")
}

/// What the UBL sample becomes with things changed.
fn to_cii(changes: &[(&str, &str)]) -> Converted {
    converted(&edit(UBL, changes), ConversionTarget::CII).expect("it has a place")
}

impl Converted {
    /// Whether the document has this, white space between elements apart.
    fn has(&self, wanted: &str) -> bool {
        let lines: String = self.document.lines().map(str::trim_start).collect();
        lines.contains(wanted)
    }

    /// How often the document has this.
    fn count(&self, wanted: &str) -> usize {
        self.document.matches(wanted).count()
    }

    /// Term, kind and value of every row.
    fn rows<'l>(&'l self) -> Vec<(&'l str, LossKind, &'l str)> {
        let row = |loss: &'l Loss| (loss.term.unwrap_or("-"), loss.kind, loss.value.as_str());
        self.losses.iter().map(row).collect()
    }
}

#[test]
fn every_term_has_its_place_in_the_other_syntax() {
    let cii = to_cii(&[]);
    let name = ("-", LossKind::Derived, "Project reference");
    assert_eq!(cii.rows(), [name]);
    let ubl = to_ubl(&[]);
    assert_eq!(ubl.rows(), [("-", LossKind::Derived, "NA")]);
    assert_eq!(ubl.tally.listed, 0);
    let credit = converted(CREDIT_NOTE, ConversionTarget::CII).unwrap();
    assert_eq!(credit.rows(), [name]);
    // And back: the same document again.
    let again = converted(&cii.document, ConversionTarget::UBL).unwrap();
    assert_eq!(again.rows(), [("-", LossKind::Derived, "NA")]);
    assert_eq!(again.document, ubl.document);
}

#[test]
fn within_a_syntax_the_tree_is_copied() {
    for (text, target) in [(UBL, ConversionTarget::UBL), (CII, ConversionTarget::CII)] {
        let copy = converted(text, target).unwrap();
        assert_eq!(copy.losses, []);
        let again = converted(&copy.document, target).unwrap();
        assert_eq!((again.document, again.tally), (copy.document, copy.tally));
    }
}

#[test]
fn a_row_says_where_what_and_why() {
    let place = "<cbc:BuyerReference>";
    let more = "<cbc:PricingCurrencyCode listID=\"ISO4217\">USD</cbc:PricingCurrencyCode>";
    let cii = to_cii(&[(place, &format!("{more}{place}"))]);
    let loss = &cii.losses[0];
    assert_eq!(loss.source_path, "/Invoice[1]/cbc:PricingCurrencyCode[1]");
    assert_eq!((loss.term, loss.kind, loss.value.as_str()), (None, LossKind::Lost, "USD"));
    assert_eq!(loss.target_path, None);
    assert_eq!(cii.losses[1].source_path, "/Invoice[1]/cbc:PricingCurrencyCode[1]/@listID");
}
