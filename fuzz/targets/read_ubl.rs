//! The reader of UBL 2.1: invoice and credit note.
#![no_main]

mod limits;
mod mutated;

use libfuzzer_sys::fuzz_target;

const SAMPLES: &[&str] = &[
    include_str!("../../crates/formats/samples/every-term-ubl-invoice.xml"),
    include_str!("../../crates/formats/samples/every-term-ubl-credit-note.xml"),
    include_str!("../../crates/formats/samples/nlcius-invoice.xml"),
];

fuzz_target!(|input: &[u8]| limits::within(input, |input| mutated::read_and_written(
    SAMPLES, input
)));
