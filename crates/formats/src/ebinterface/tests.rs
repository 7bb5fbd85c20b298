//! What the reader of ebInterface is tested with: its sample, and invoices that ask for much work.

use quoin_testing::growth::{Case, Parser};

use crate::growth::{invoices, repeat};
use crate::reading::ReaderProof;

/// What its reader is tested with.
pub(super) const PROOF: ReaderProof = ReaderProof {
    sample: include_str!("../../samples/ebinterface.xml"),
    documents: 48,
    worst: Parser {
        name: "ebInterface",
        covers: &[],
        cases: RECHNUNGEN,
        size: 16 << 10,
        run: invoices,
    },
};

/// An ebInterface invoice that has this again and again.
fn rechnung(unit: &str, bytes: usize) -> Vec<u8> {
    repeat("<Invoice xmlns='http://www.ebinterface.at/schema/6p1/'>", unit, "</Invoice>", bytes)
}

const RECHNUNGEN: &[Case] = &[
    ("lists of lines", |n| {
        let unit = "<Details><ItemList><ListLineItem><Description/></ListLineItem></ItemList>\
                    </Details>";
        rechnung(unit, n)
    }),
    ("descriptions", |n| {
        let text = format!("<ListLineItem>{}</ListLineItem>", "<Description/>".repeat(n / 14));
        let text = format!("<Details><ItemList>{text}</ItemList></Details>");
        rechnung(&text, text.len())
    }),
    ("addresses of a party", |n| {
        let one = "<Address><Phone>1</Phone></Address><Contact/>";
        let text = format!("<Biller>{}</Biller>", one.repeat(n / one.len()));
        rechnung(&text, text.len())
    }),
    ("reductions and tax items", |n| {
        let unit = "<ReductionAndSurchargeDetails><Reduction><TaxItem/></Reduction>\
                    </ReductionAndSurchargeDetails><Tax><TaxItem/></Tax>";
        rechnung(unit, n)
    }),
    ("attributes", |n| {
        let all: String = (0..n / 12).map(|at| format!(" a{at}='1'")).collect();
        rechnung(&format!("<Comment{all}/>"), n / 2)
    }),
];
