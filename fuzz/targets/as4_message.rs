//! The AS4 listener as a whole before anybody is believed: package, envelope, header, signature,
//! canonical forms. The input is a body; with a first byte of 0 it is an envelope alone.
#![no_main]

mod limits;

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use quoin_peppol::as4::{
    CertificateRefusal, Incoming, PartialMessage, Peer, Peers, read_signed_message,
};
use quoin_xml::c14n;
use quoin_xml::tree::{Document, Limits};
use quoin_xmldsig::signature::{self, Canonicalization};

struct Nobody;

impl Peers for Nobody {
    fn access_point(&self, _: &[u8]) -> Result<Arc<Peer>, CertificateRefusal> {
        Err(CertificateRefusal { reason: "nobody is known here".to_owned() })
    }
}

fuzz_target!(|bytes: &[u8]| limits::within(bytes, |bytes| {
    const PACKAGE: &str = "multipart/related; boundary=a";
    let _ =
        PartialMessage::read(PACKAGE, bytes).map(|opening| opening.map(|it| it.claimed_signer()));
    let _ = Incoming::read(PACKAGE, bytes).map(|incoming| incoming.claimed_signer());
    let envelope = bytes.strip_prefix(b"\0").unwrap_or(bytes);
    let _ = Incoming::read("application/soap+xml", envelope).map(|it| it.claimed_signer());
    let _ = read_signed_message(envelope, &Nobody);
    let Ok(document) = Document::parse(envelope, &Limits::default()) else { return };
    for element in document.root().descendants().filter(|it| it.local() == "Signature").take(4) {
        for method in [Canonicalization::Exclusive, Canonicalization::Inclusive] {
            let Ok(read) = signature::read(element, method) else { continue };
            let _ = read.signed_octets();
            for reference in &read.references {
                for transform in &reference.transforms {
                    let mut out = Vec::new();
                    let room = c14n::room_of(&document);
                    let prefixes = &transform.inclusive_prefixes;
                    let _ = c14n::exclusive(document.root(), prefixes, room, &mut out);
                }
            }
        }
    }
}));
