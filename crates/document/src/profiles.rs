//! The profiles of UBL invoices and credit notes, one row each, told by the specification
//! identifier (CustomizationID, BT-24). Adding one is a row.
//!
//! Grammar of the identifiers of EN 16931: `urn:cen.eu:en16931:2017`, then any number of
//! `#compliant#ID` (a CIUS: tighter rules) or `#conformant#ID` (an extension). White space inside
//! an identifier is passed over; case counts, except that `#Conformant#` is written in the wild.

use jiff::civil::Date;

use Match::{Contains, Exact, Prefix};

/// What CustomizationID tells a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// Exactly this.
    Exact(&'static str),
    /// Anything that starts like this.
    Prefix(&'static str),
    /// Anything that has one of these inside.
    Contains(&'static [&'static str]),
}

/// Whether documents of a profile may still be exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// In force.
    Current,
    /// Out of use, and not forbidden: a warning.
    Legacy,
    /// Not allowed on the Peppol network from this day on.
    RefusedSince(Date),
}

/// A row of [`PROFILES`].
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// Its stable name: `peppol-bis3`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What tells it.
    pub customization: Match,
    /// The buyer issues the document for the seller, whatever its type code.
    pub self_billing: bool,
    /// Whether it may still be exchanged.
    pub standing: Standing,
    /// The identifiers of the rule sets that apply ([`crate::rules::RULE_SETS`]).
    pub rule_sets: &'static [&'static str],
    /// Fatal rules of those sets that the profile lowers to warnings: an extension has its own
    /// instead.
    pub eased: &'static [&'static str],
}

/// Base of every EN 16931 identifier.
pub const EN16931: &str = "urn:cen.eu:en16931:2017";

const CEN: &[&str] = &["en16931"];
const BIS: &[&str] = &["en16931", "peppol-bis3"];
const SELF_BILLING: &[&str] = &["en16931", "peppol-bis3-selfbilling"];

const fn row(
    id: &'static str,
    title: &'static str,
    customization: Match,
    rule_sets: &'static [&'static str],
) -> Profile {
    let standing = Standing::Current;
    Profile { id, title, customization, self_billing: false, standing, rule_sets, eased: &[] }
}

const fn legacy(id: &'static str, title: &'static str, customization: Match) -> Profile {
    Profile { standing: Standing::Legacy, ..row(id, title, customization, &[]) }
}

const fn self_billed(profile: Profile) -> Profile {
    Profile { self_billing: true, ..profile }
}

/// The profiles, in the order of the test: the first row that fits is the answer.
pub static PROFILES: &[Profile] = &[
    row(
        "peppol-bis3",
        "Peppol BIS Billing 3",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"),
        BIS,
    ),
    self_billed(row(
        "peppol-bis3-selfbilling",
        "Peppol BIS Self-Billing 3",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:selfbilling:3.0"),
        SELF_BILLING,
    )),
    row(
        "nlcius",
        "NLCIUS (SI-UBL 2.0)",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0"),
        CEN,
    ),
    row(
        "nlcius-gaccount",
        "NLCIUS with G-account extension",
        Exact(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
             #conformant#urn:fdc:nen.nl:gaccount:v1.0",
        ),
        CEN,
    ),
    row(
        "nlcius-setu",
        "SETU invoice 2 on NLCIUS",
        Prefix(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
             #compliant#urn:fdc:setu.nl:invoice:v2",
        ),
        CEN,
    ),
    row(
        "nlcius-seef",
        "SEeF energy invoice on NLCIUS",
        Prefix(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:nen.nl:nlcius:v1.0\
             #conformant#urn:fdc:energie-efactuur.nl:invoice:v3",
        ),
        CEN,
    ),
    row(
        "setu-2.0",
        "SETU invoice 2.0",
        Exact("urn:cen.eu:en16931:2017:extended:urn:ns.setu.nl:setu:invoice:v2.0"),
        CEN,
    ),
    row(
        "xrechnung-3",
        "XRechnung 3.0",
        Exact("urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"),
        CEN,
    ),
    // Payments by third parties change the amount due: BR-DEX-09 stands for BR-CO-16.
    Profile {
        eased: &["BR-CL-25", "BR-CO-16"],
        ..row(
            "xrechnung-3-extension",
            "XRechnung 3.0 with extension",
            Exact(
                "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0\
             #conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0",
            ),
            CEN,
        )
    },
    row(
        "xrechnung-3-cvd",
        "XRechnung 3.0 for clean vehicles",
        Exact(
            "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0\
             #compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9",
        ),
        CEN,
    ),
    Profile {
        standing: Standing::Legacy,
        ..row(
            "xrechnung-1-2",
            "XRechnung 1 or 2",
            Prefix("urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_"),
            CEN,
        )
    },
    row(
        "peppol-bis3-it",
        "Peppol BIS Billing 3 for Italy",
        Exact(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
             #conformant#urn:www.agid.gov.it:trns:fattura:3",
        ),
        BIS,
    ),
    row(
        "ehf3-variant",
        "EHF 3 forward billing or reminder",
        Prefix(
            "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0\
             #conformant#urn:fdc:anskaffelser.no:2019:ehf:",
        ),
        CEN,
    ),
    row("ubl-be", "UBL.BE", Prefix("urn:cen.eu:en16931:2017#conformant#urn:UBL.BE:"), CEN),
    row(
        "fr-extended-ctc",
        "French extended CTC",
        Prefix("urn:cen.eu:en16931:2017#conformant#urn.cpro.gouv.fr:1p0:extended-ctc-fr"),
        CEN,
    ),
    legacy(
        "peppol-international",
        "Peppol BIS Billing 3 for Singapore, Australia and New Zealand",
        Prefix(
            "urn:cen.eu:en16931:2017#conformant#\
             urn:fdc:peppol.eu:2017:poacc:billing:international:",
        ),
    ),
    row("en16931", "EN 16931", Exact(EN16931), CEN),
    self_billed(row(
        "pint-selfbilling",
        "PINT self-billing",
        Prefix("urn:peppol:pint:selfbilling-1"),
        &[],
    )),
    row("pint", "PINT billing", Prefix("urn:peppol:pint:"), &[]),
    legacy("peppol-jp", "Peppol BIS Billing for Japan", Exact("urn:fdc:peppol:jp:billing:3.0")),
    Profile {
        standing: Standing::RefusedSince(jiff::civil::date(2024, 1, 1)),
        ..legacy(
            "si-ubl-1",
            "SI-UBL 1",
            Contains(&[
                "urn:www.simplerinvoicing.org:si:si-ubl:",
                "urn:www.simplerinvoicing.org:si-ubl:",
            ]),
        )
    },
    legacy("ehf2", "EHF 2", Contains(&["urn:www.difi.no:ehf:"])),
    legacy("peppol-bis2", "Peppol BIS 2", Contains(&["urn:www.cenbii.eu:transaction"])),
    row("oioubl3", "OIOUBL 3", Prefix("urn:fdc:oioubl.dk:trns:billing:"), &[]),
    legacy("oioubl2", "OIOUBL 2", Prefix("OIOUBL-2")),
];

impl Profile {
    /// The row with this identifier.
    pub fn by_id(id: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.id == id)
    }

    /// The row that a CustomizationID (already without white space) names.
    pub fn of(customization: &str) -> Option<&'static Profile> {
        let usual = customization.replace("#Conformant#", "#conformant#");
        PROFILES.iter().find(|profile| profile.customization.fits(&usual))
    }

    /// As [`Profile::of`], and where the whole chain is not known, the longest known beginning of
    /// it; the second value is the unknown rest, such as `#conformant#urn:example:ours:1`.
    pub fn of_chain(customization: &str) -> Option<(&'static Profile, &str)> {
        if let Some(profile) = Profile::of(customization) {
            return Some((profile, ""));
        }
        let ends = customization.rmatch_indices("#co").map(|(at, _)| at);
        ends.filter_map(|at| customization.split_at_checked(at))
            .find_map(|(base, rest)| Some((Profile::of(base)?, rest)))
    }
}

impl Match {
    fn fits(self, customization: &str) -> bool {
        match self {
            Exact(whole) => customization == whole,
            Prefix(start) => customization.starts_with(start),
            Contains(parts) => parts.iter().any(|part| customization.contains(part)),
        }
    }
}
