//! National specifications on EN 16931: XRechnung and NLCIUS.
//!
//! Sources: XRechnung 3.0.2, release 2.5.0, whose validator configuration pairs the UBL rules of
//! CEN 1.3.15 with it (those of 1.3.16 in CII, the only release of that syntax that is here);
//! SI-UBL 2.0.3.13 and NLCIUS-CII 1.0.3.13, whose files hold a copy of EN 16931 without a number.

use super::{CII, Package, UBL, first, package};

pub(super) const ROWS: &[Package] = &[
    package(
        "xrechnung-ubl",
        "XRechnung in UBL",
        UBL,
        &[first("3.0.2", &["eu.cen.en16931:ubl:1.3.15", "de.xrechnung:ubl:3.0.2"])],
    ),
    package(
        "xrechnung-cii",
        "XRechnung in CII",
        CII,
        &[first("3.0.2", &["eu.cen.en16931:cii:1.3.16", "de.xrechnung:cii:3.0.2"])],
    ),
    package(
        "nlcius-ubl",
        "NLCIUS in UBL",
        UBL,
        &[first("2.0.3.13", &["eu.cen.en16931:ubl:1.3.16", "nl.nlcius:ubl:2.0.3.13"])],
    ),
    package(
        "nlcius-cii",
        "NLCIUS in CII",
        CII,
        &[first("1.0.3.13", &["eu.cen.en16931:cii:1.3.16", "nl.nlcius:cii:1.0.3.13"])],
    ),
    // The extension is a set instead of EN 16931 and NLCIUS, and not beside them.
    package(
        "nlcius-gaccount-ubl",
        "NLCIUS with G-account in UBL",
        UBL,
        &[first("1.0.2.13", &["nl.nlcius:gaccount:1.0.2.13"])],
    ),
    package(
        "nlcius-gaccount-cii",
        "NLCIUS with G-account in CII",
        CII,
        &[first("1.0.3.13", &["nl.nlcius:gaccount-cii:1.0.3.13"])],
    ),
];
