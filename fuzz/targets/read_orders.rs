//! The reader of orders and their answers in UBL, DICO and cXML.
#![no_main]

mod limits;
mod mutated;

use libfuzzer_sys::fuzz_target;

const SAMPLES: &[&str] = &[
    include_str!("../../crates/formats/samples/order.xml"),
    include_str!("../../crates/formats/samples/order-response.xml"),
    include_str!("../../crates/formats/samples/order-dico.xml"),
    include_str!("../../crates/formats/samples/order-response-dico.xml"),
    include_str!("../../crates/formats/samples/order-cxml.xml"),
    include_str!("../../crates/formats/samples/order-confirmation-cxml.xml"),
];

fuzz_target!(|input: &[u8]| limits::within(input, |input| mutated::read_and_written(
    SAMPLES, input
)));
