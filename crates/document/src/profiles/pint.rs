//! Profiles of PINT: the international base, and one for each jurisdiction.
//!
//! Source: the Peppol International model (PINT) and its specialisations, Peppol document type
//! code list 9.7. An unknown jurisdiction is the base with an unknown end.

use super::Match::Exact;
use super::{Profile, row};
use crate::report::Flag;

const INVOICES: &[&str] = &["Invoice", "CreditNote"];

const fn pint(id: &'static str, title: &'static str, customization: &'static str) -> Profile {
    row(id, title, INVOICES, Exact(customization))
}

/// The file of Oman tells its own release at every document.
const OMAN: &[(&str, Flag)] = &[("BTOM-META-001", Flag::Information)];

pub(super) const ROWS: &[Profile] = &[
    pint("pint", "PINT billing", "urn:peppol:pint:billing-1").rules(&["pint"]),
    pint("pint-ae", "PINT billing, United Arab Emirates", "urn:peppol:pint:billing-1@ae-1")
        .rules(&["pint-ae-shared", "pint-ae"]),
    pint(
        "pint-aunz",
        "PINT billing, Australia and New Zealand",
        "urn:peppol:pint:billing-1@aunz-1",
    )
    .rules(&["pint", "pint-aunz"]),
    pint("pint-eu", "PINT billing, European Union", "urn:peppol:pint:billing-1@eu-1")
        .rules(&["pint-eu-en16931", "pint-eu"]),
    pint("pint-jp", "PINT billing, Japan", "urn:peppol:pint:billing-1@jp-1")
        .rules(&["pint", "pint-jp"]),
    pint("pint-my", "PINT billing, Malaysia", "urn:peppol:pint:billing-1@my-1")
        .rules(&["pint", "pint-my"]),
    pint("pint-ng", "PINT billing, Nigeria", "urn:peppol:pint:billing-1@ng-1"),
    pint("pint-om", "PINT billing, Oman", "urn:peppol:pint:billing-1@om-1")
        .rules(&["pint", "pint-om"])
        .levels(OMAN),
    pint("pint-sg", "PINT billing, Singapore", "urn:peppol:pint:billing-1@sg-1")
        .rules(&["pint", "pint-sg"]),
    pint("pint-selfbilling", "PINT self-billing", "urn:peppol:pint:selfbilling-1").self_billed(),
    pint(
        "pint-selfbilling-ae",
        "PINT self-billing, United Arab Emirates",
        "urn:peppol:pint:selfbilling-1@ae-1",
    )
    .rules(&["pint-ae-sb-shared", "pint-ae"])
    .self_billed(),
    pint(
        "pint-selfbilling-aunz",
        "PINT self-billing, Australia and New Zealand",
        "urn:peppol:pint:selfbilling-1@aunz-1",
    )
    .rules(&["pint-aunz-sb"])
    .self_billed(),
    pint("pint-selfbilling-jp", "PINT self-billing, Japan", "urn:peppol:pint:selfbilling-1@jp-1")
        .rules(&["pint-jp-sb"])
        .self_billed(),
    pint(
        "pint-selfbilling-my",
        "PINT self-billing, Malaysia",
        "urn:peppol:pint:selfbilling-1@my-1",
    )
    .rules(&["pint-my-sb"])
    .self_billed(),
    pint("pint-selfbilling-ng", "PINT self-billing, Nigeria", "urn:peppol:pint:selfbilling-1@ng-1")
        .self_billed(),
    pint("pint-selfbilling-om", "PINT self-billing, Oman", "urn:peppol:pint:selfbilling-1@om-1")
        .rules(&["pint-om-sb"])
        .levels(OMAN)
        .self_billed(),
    pint("pint-nontax", "PINT non-tax invoice", "urn:peppol:pint:nontaxinvoice-1"),
    pint("pint-nontax-jp", "PINT non-tax invoice, Japan", "urn:peppol:pint:nontaxinvoice-1@jp-1")
        .rules(&["pint-jp-ntr"]),
];
