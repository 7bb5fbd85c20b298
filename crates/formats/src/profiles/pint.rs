//! Profiles of PINT: the international base, and one for each jurisdiction.
//!
//! Source: the Peppol International model (PINT) and its specialisations, Peppol document type
//! code list 9.7. An unknown jurisdiction is the base with an unknown end;
//! one that has no rules of its own yet is judged by the base.

use super::Match::Exact;
use super::{Profile, UBL, UBL_INVOICES, row};
use quoin_model::Flag;

/// A profile with the package that judges it.
const fn pint(
    (id, package): (&'static str, &'static [&'static str]),
    title: &'static str,
    customization: &'static str,
) -> Profile {
    row(id, title, UBL, UBL_INVOICES, Exact(customization)).judged_by(package)
}

/// The file of Oman tells its own release at every document.
const OMAN: &[(&str, Flag)] = &[("BTOM-META-001", Flag::Information)];

pub(super) const ROWS: &[Profile] = &[
    pint(("pint", &["pint"]), "PINT billing", "urn:peppol:pint:billing-1"),
    pint(
        ("pint-ae", &["pint-ae"]),
        "PINT billing, United Arab Emirates",
        "urn:peppol:pint:billing-1@ae-1",
    ),
    pint(
        ("pint-aunz", &["pint-aunz"]),
        "PINT billing, Australia and New Zealand",
        "urn:peppol:pint:billing-1@aunz-1",
    ),
    pint(
        ("pint-eu", &["pint-eu"]),
        "PINT billing, European Union",
        "urn:peppol:pint:billing-1@eu-1",
    ),
    pint(("pint-jp", &["pint-jp"]), "PINT billing, Japan", "urn:peppol:pint:billing-1@jp-1"),
    pint(("pint-my", &["pint-my"]), "PINT billing, Malaysia", "urn:peppol:pint:billing-1@my-1"),
    pint(("pint-ng", &["pint"]), "PINT billing, Nigeria", "urn:peppol:pint:billing-1@ng-1"),
    pint(("pint-om", &["pint-om"]), "PINT billing, Oman", "urn:peppol:pint:billing-1@om-1")
        .levels(OMAN),
    pint(("pint-sg", &["pint-sg"]), "PINT billing, Singapore", "urn:peppol:pint:billing-1@sg-1"),
    pint(
        ("pint-selfbilling", &["pint-selfbilling"]),
        "PINT self-billing",
        "urn:peppol:pint:selfbilling-1",
    )
    .self_billed(),
    pint(
        ("pint-selfbilling-ae", &["pint-ae-sb"]),
        "PINT self-billing, United Arab Emirates",
        "urn:peppol:pint:selfbilling-1@ae-1",
    )
    .self_billed(),
    pint(
        ("pint-selfbilling-aunz", &["pint-aunz-sb"]),
        "PINT self-billing, Australia and New Zealand",
        "urn:peppol:pint:selfbilling-1@aunz-1",
    )
    .self_billed(),
    pint(
        ("pint-selfbilling-jp", &["pint-jp-sb"]),
        "PINT self-billing, Japan",
        "urn:peppol:pint:selfbilling-1@jp-1",
    )
    .self_billed(),
    pint(
        ("pint-selfbilling-my", &["pint-my-sb"]),
        "PINT self-billing, Malaysia",
        "urn:peppol:pint:selfbilling-1@my-1",
    )
    .self_billed(),
    pint(
        ("pint-selfbilling-ng", &["pint-selfbilling"]),
        "PINT self-billing, Nigeria",
        "urn:peppol:pint:selfbilling-1@ng-1",
    )
    .self_billed(),
    pint(
        ("pint-selfbilling-om", &["pint-om-sb"]),
        "PINT self-billing, Oman",
        "urn:peppol:pint:selfbilling-1@om-1",
    )
    .levels(OMAN)
    .self_billed(),
    pint(
        ("pint-nontax", &["pint-nontax"]),
        "PINT non-tax invoice",
        "urn:peppol:pint:nontaxinvoice-1",
    ),
    pint(
        ("pint-nontax-jp", &["pint-jp-ntr"]),
        "PINT non-tax invoice, Japan",
        "urn:peppol:pint:nontaxinvoice-1@jp-1",
    ),
];
