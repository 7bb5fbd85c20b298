//! What another access point answers: a package or an envelope, a receipt, errors, or none of it.
#![no_main]

mod limits;

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use quoin_peppol::as4::{CertificateRefusal, Peer, Peers, read_signed_receipt};

struct Nobody;

impl Peers for Nobody {
    fn access_point(&self, _: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        Err(CertificateRefusal { reason: "nobody is known here".to_owned() })
    }
}

fuzz_target!(|bytes: &[u8]| limits::within(bytes, |bytes| {
    let _ = read_signed_receipt("multipart/related; boundary=a", bytes, &Nobody);
    let _ = read_signed_receipt("application/soap+xml", bytes, &Nobody);
}));
