//! Tests of `causes`: the table is complete and without doubles.

use std::collections::BTreeSet;

use quoin_peppol::lookup::LookupError;
use quoin_peppol::pki::{CertificateError, PkiRefusal};
use quoin_peppol::smp::EndpointRefusal;

use super::*;
use crate::channel::RESTING;

#[test]
fn each_code_has_one_row() {
    let codes: BTreeSet<&str> = CAUSES.iter().map(|row| row.code).collect();
    assert_eq!(codes.len(), CAUSES.len(), "a code that several channels have says the same");
    for channel in CHANNELS {
        let own: BTreeSet<&str> = channel.causes.iter().map(|row| row.code).collect();
        assert_eq!(own.len(), channel.causes.len(), "{}", channel.protocol);
    }
    for row in CAUSES.iter() {
        let is_told = row.meaning.ends_with('.') && row.meaning.trim() == row.meaning;
        assert!(is_told, "{}: {:?}", row.code, row.meaning);
    }
    assert!(CauseRow::of("not a code").is_none());
}

#[test]
fn each_corner_and_each_fixer_is_the_cause_of_something() {
    for corner in Corner::ALL {
        assert!(CAUSES.iter().any(|row| row.corner == corner), "{corner}");
    }
    for fixer in Fixer::ALL {
        assert!(CAUSES.iter().any(|row| row.fixer == fixer), "{fixer}");
    }
    let words: BTreeSet<&str> = Corner::ALL.iter().map(|corner| corner.as_str()).collect();
    assert_eq!(words.len(), Corner::ALL.len());
}

#[test]
fn each_end_of_a_look_up_has_a_cause() {
    let refused = PkiRefusal::Unreadable(CertificateError { why: "no DER".to_owned() });
    let ends = [
        (LookupError::of_service_group_status(404), Corner::Sml),
        (LookupError::of_service_metadata_status(404), Corner::Smp),
        (LookupError::of_service_metadata_status(302), Corner::Smp),
        (LookupError::of_service_metadata_status(503), Corner::Smp),
        (LookupError::DnsTrouble { what: "SERVFAIL".to_owned() }, Corner::Sml),
        (LookupError::NoUsableEndpoint(EndpointRefusal::NoEndpoint), Corner::Smp),
        (
            LookupError::NoUsableEndpoint(EndpointRefusal::Certificate(refused)),
            Corner::ReceiverCertificate,
        ),
    ];
    for (error, corner) in ends {
        let row = CauseRow::of(error.code()).unwrap_or_else(|| panic!("{} has none", error.code()));
        assert_eq!(row.corner, corner, "{error}");
    }
}

#[test]
fn only_what_the_address_did_is_an_outage_of_it() {
    for row in CAUSES.iter().filter(|row| row.is_outage) {
        let places = [Corner::ReceiverAccessPoint, Corner::Network, Corner::Sftp, Corner::Https];
        let at_the_address = places.contains(&row.corner);
        assert!(at_the_address, "{}", row.code);
    }
    assert!(!CauseRow::of("NOT-SERVICED").unwrap().is_outage, "it answered");
    assert!(!CauseRow::of(RESTING).unwrap().is_outage, "nobody asked it");
}
