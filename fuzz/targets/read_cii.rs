//! The reader of CII, D16B and D22B.
#![no_main]

mod limits;
mod mutated;

use libfuzzer_sys::fuzz_target;

const SAMPLES: &[&str] = &[
    include_str!("../../crates/formats/samples/every-term-cii.xml"),
    include_str!("../../crates/formats/samples/cii-invoice.xml"),
];

fuzz_target!(|input: &[u8]| limits::within(input, |input| mutated::read_and_written(
    SAMPLES, input
)));
