//! EN 16931 itself, and Factur-X, whose profiles have the rules of EN 16931 as far as they have its
//! terms.
//!
//! Sources: the validation artefacts of CEN/TC 434, releases 1.3.13 to 1.3.16, each in use from the
//! middle of the May or November after it, when its code lists come into force; Factur-X 1.09.2.

use jiff::civil::date;

use super::{CII, Package, UBL, first, package, release};

pub(super) const ROWS: &[Package] = &[
    package(
        "en16931-ubl",
        "EN 16931 in UBL",
        UBL,
        &[
            first("1.3.13", &["eu.cen.en16931:ubl:1.3.13"]),
            release(
                "1.3.15",
                (date(2025, 11, 15), date(2025, 11, 15)),
                &["eu.cen.en16931:ubl:1.3.15"],
            ),
            release(
                "1.3.16",
                (date(2026, 5, 15), date(2026, 5, 15)),
                &["eu.cen.en16931:ubl:1.3.16"],
            ),
        ],
    ),
    package(
        "en16931-cii",
        "EN 16931 in CII",
        CII,
        &[first("1.3.16", &["eu.cen.en16931:cii:1.3.16"])],
    ),
    package(
        "factur-x-minimum",
        "Factur-X MINIMUM",
        CII,
        &[first("1.09.2", &["org.factur-x:minimum:1.09.2"])],
    ),
    package(
        "factur-x-basic-wl",
        "Factur-X BASIC WL",
        CII,
        &[first("1.09.2", &["org.factur-x:basic-wl:1.09.2"])],
    ),
    package(
        "factur-x-basic",
        "Factur-X BASIC",
        CII,
        &[first("1.09.2", &["org.factur-x:basic:1.09.2"])],
    ),
    package(
        "factur-x-en16931",
        "Factur-X EN 16931",
        CII,
        &[first("1.09.2", &["org.factur-x:en16931:1.09.2"])],
    ),
    package(
        "factur-x-extended",
        "Factur-X EXTENDED",
        CII,
        &[first("1.09.2", &["org.factur-x:extended:1.09.2"])],
    ),
];
