//! PINT: the international base and its jurisdictions.
//!
//! Source: the Schematron files of the PINT specialisations that OpenPEPPOL publishes, each in a
//! release of its own. Every one has the rules that all share (under the same identifiers, some
//! with code lists of its own) and those of the jurisdiction.

mod ae;
mod aunz;
mod document;
mod eu;
mod jp;
mod my;
mod om;
mod paths;
mod schemes;
mod sg;
mod taxes;

use super::{Rule, RuleSet, UBL};

/// The rules that every jurisdiction has.
const SHARED: &[&[Rule]] = &[schemes::RULES, document::RULES];

/// A table, as [`RuleSet::tables`] names it: set and release.
type Table = (&'static str, &'static str);

const fn set(
    id: &'static str,
    coordinate: &'static str,
    tables: &'static [Table],
    hand: &'static [&'static [Rule]],
) -> RuleSet {
    RuleSet { id, syntaxes: UBL, coordinate, tables, hand }
}

pub(super) const SETS: &[RuleSet] = &[
    set("pint", "org.peppol.pint:invoice:1.1.3", &[("pint", "1.1.3")], SHARED),
    set(
        "pint-aunz",
        "org.peppol.pint.aunz:invoice:1.1.3",
        &[("pint-aunz", "1.1.3")],
        &[aunz::RULES],
    ),
    set(
        "pint-aunz-sb-shared",
        "org.peppol.pint.aunz:invoice-self-billing-shared:1.1.3",
        &[("pint-aunz-sb-shared", "1.1.3")],
        SHARED,
    ),
    set(
        "pint-aunz-sb",
        "org.peppol.pint.aunz:invoice-self-billing:1.1.3",
        &[("pint-aunz-sb", "1.1.3")],
        &[aunz::RULES],
    ),
    set(
        "pint-ae-shared",
        "org.peppol.pint.ae:invoice-shared:1.0.4",
        &[("pint-ae-shared", "1.0.4")],
        SHARED,
    ),
    set("pint-ae", "org.peppol.pint.ae:invoice:1.0.4", &[("pint-ae", "1.0.4")], ae::RULES),
    set(
        "pint-ae-sb-shared",
        "org.peppol.pint.ae:invoice-self-billing-shared:1.0.4",
        &[("pint-ae-sb-shared", "1.0.4")],
        SHARED,
    ),
    set("pint-om", "org.peppol.pint.om:invoice:1.0.1", &[("pint-om", "1.0.1")], om::RULES),
    set(
        "pint-om-sb-shared",
        "org.peppol.pint.om:invoice-self-billing-shared:1.0.1",
        &[("pint-om-sb-shared", "1.0.1")],
        SHARED,
    ),
    set(
        "pint-om-sb",
        "org.peppol.pint.om:invoice-self-billing:1.0.1",
        &[("pint-om-sb", "1.0.1")],
        om::RULES,
    ),
    set(
        "pint-eu-en16931",
        "org.peppol.pint.eu:invoice-en16931:1.1.1",
        &[("pint-eu-en16931", "1.1.1")],
        super::en16931::ubl::RULES,
    ),
    set("pint-eu", "org.peppol.pint.eu:invoice:1.1.1", &[("pint-eu", "1.1.1")], eu::RULES),
    set("pint-sg", "org.peppol.pint.sg:invoice:1.4.1", &[("pint-sg", "1.4.1")], &[sg::RULES]),
    set(
        "pint-my",
        "org.peppol.pint.my:invoice:1.3.1",
        &[("pint-my", "1.3.1")],
        &[my::SHARED, my::BILLING],
    ),
    set(
        "pint-my-sb-shared",
        "org.peppol.pint.my:invoice-self-billing-shared:1.3.1",
        &[("pint-my-sb-shared", "1.3.1")],
        SHARED,
    ),
    set(
        "pint-my-sb",
        "org.peppol.pint.my:invoice-self-billing:1.3.1",
        &[("pint-my-sb", "1.3.1")],
        &[my::SHARED, my::SELF_BILLING],
    ),
    set(
        "pint-jp",
        "org.peppol.pint.jp:invoice:1.1.3",
        &[("pint-jp", "1.1.3")],
        &[jp::SHARED, jp::TAXED, jp::BILLING],
    ),
    set(
        "pint-jp-ntr-shared",
        "org.peppol.pint.jp:ntr-invoice-shared:1.1.3",
        &[("pint-jp-ntr-shared", "1.1.3")],
        SHARED,
    ),
    set(
        "pint-jp-ntr",
        "org.peppol.pint.jp:ntr-invoice:1.1.3",
        &[("pint-jp-ntr", "1.1.3")],
        &[jp::SHARED, jp::NOT_REGISTERED],
    ),
    set(
        "pint-jp-sb-shared",
        "org.peppol.pint.jp:invoice-self-billing-shared:1.1.3",
        &[("pint-jp-sb-shared", "1.1.3")],
        SHARED,
    ),
    set(
        "pint-jp-sb",
        "org.peppol.pint.jp:invoice-self-billing:1.1.3",
        &[("pint-jp-sb", "1.1.3")],
        &[jp::SHARED, jp::TAXED, jp::SELF_BILLING],
    ),
];
