//! The reader of FatturaPA 1.2.
#![no_main]

mod limits;
mod mutated;

use libfuzzer_sys::fuzz_target;

const SAMPLES: &[&str] = &[
    include_str!("../../crates/formats/samples/fatturapa.xml"),
    include_str!("../../crates/formats/samples/fatturapa-abroad.xml"),
];

fuzz_target!(|input: &[u8]| limits::within(input, |input| mutated::read_and_written(
    SAMPLES, input
)));
