//! PINT: the international base and its jurisdictions, each in a release of its own. The base has
//! the rules that all share; a jurisdiction has them as they are or with code lists of its own.
//!
//! Source: the PINT specialisations that OpenPEPPOL publishes; that of the European Union has three
//! files, of which the first is the base.

use super::{Package, UBL, first, package};

/// The rules that all share, as the base has them.
const BASE: &str = "org.peppol.pint:invoice:1.1.3";

pub(super) const ROWS: &[Package] = &[
    package("pint", "PINT billing", UBL, &[first("1.1.3", &[BASE])]),
    // The base has no self-billing of its own, and its type codes have none: the rules that all
    // share stand in the files of each jurisdiction, with the type codes of self-billing.
    package(
        "pint-selfbilling",
        "PINT self-billing",
        UBL,
        &[first("1.1.3", &["org.peppol.pint.om:invoice-self-billing-shared:1.0.1"])],
    ),
    package(
        "pint-nontax",
        "PINT non-tax invoice",
        UBL,
        &[first("1.1.3", &["org.peppol.pint.jp:ntr-invoice-shared:1.1.3"])],
    ),
    package(
        "pint-ae",
        "PINT billing, United Arab Emirates",
        UBL,
        &[first(
            "1.0.4",
            &["org.peppol.pint.ae:invoice-shared:1.0.4", "org.peppol.pint.ae:invoice:1.0.4"],
        )],
    ),
    package(
        "pint-ae-sb",
        "PINT self-billing, United Arab Emirates",
        UBL,
        &[first(
            "1.0.4",
            &[
                "org.peppol.pint.ae:invoice-self-billing-shared:1.0.4",
                "org.peppol.pint.ae:invoice:1.0.4",
            ],
        )],
    ),
    package(
        "pint-aunz",
        "PINT billing, Australia and New Zealand",
        UBL,
        &[first("1.1.3", &[BASE, "org.peppol.pint.aunz:invoice:1.1.3"])],
    ),
    package(
        "pint-aunz-sb",
        "PINT self-billing, Australia and New Zealand",
        UBL,
        &[first(
            "1.1.3",
            &[
                "org.peppol.pint.aunz:invoice-self-billing-shared:1.1.3",
                "org.peppol.pint.aunz:invoice-self-billing:1.1.3",
            ],
        )],
    ),
    package(
        "pint-eu",
        "PINT billing, European Union",
        UBL,
        &[first(
            "1.1.1",
            &[BASE, "org.peppol.pint.eu:invoice-en16931:1.1.1", "org.peppol.pint.eu:invoice:1.1.1"],
        )],
    ),
    package(
        "pint-jp",
        "PINT billing, Japan",
        UBL,
        &[first("1.1.3", &[BASE, "org.peppol.pint.jp:invoice:1.1.3"])],
    ),
    package(
        "pint-jp-ntr",
        "PINT non-tax invoice, Japan",
        UBL,
        &[first(
            "1.1.3",
            &[
                "org.peppol.pint.jp:ntr-invoice-shared:1.1.3",
                "org.peppol.pint.jp:ntr-invoice:1.1.3",
            ],
        )],
    ),
    package(
        "pint-jp-sb",
        "PINT self-billing, Japan",
        UBL,
        &[first(
            "1.1.3",
            &[
                "org.peppol.pint.jp:invoice-self-billing-shared:1.1.3",
                "org.peppol.pint.jp:invoice-self-billing:1.1.3",
            ],
        )],
    ),
    package(
        "pint-my",
        "PINT billing, Malaysia",
        UBL,
        &[first("1.3.1", &[BASE, "org.peppol.pint.my:invoice:1.3.1"])],
    ),
    package(
        "pint-my-sb",
        "PINT self-billing, Malaysia",
        UBL,
        &[first(
            "1.3.1",
            &[
                "org.peppol.pint.my:invoice-self-billing-shared:1.3.1",
                "org.peppol.pint.my:invoice-self-billing:1.3.1",
            ],
        )],
    ),
    package(
        "pint-om",
        "PINT billing, Oman",
        UBL,
        &[first("1.0.1", &[BASE, "org.peppol.pint.om:invoice:1.0.1"])],
    ),
    package(
        "pint-om-sb",
        "PINT self-billing, Oman",
        UBL,
        &[first(
            "1.0.1",
            &[
                "org.peppol.pint.om:invoice-self-billing-shared:1.0.1",
                "org.peppol.pint.om:invoice-self-billing:1.0.1",
            ],
        )],
    ),
    package(
        "pint-sg",
        "PINT billing, Singapore",
        UBL,
        &[first("1.4.1", &[BASE, "org.peppol.pint.sg:invoice:1.4.1"])],
    ),
];
