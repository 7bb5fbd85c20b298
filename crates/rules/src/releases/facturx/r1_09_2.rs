//! Factur-X 1.09.2, effective from September 2026; the only release that is here.

use crate::releases::{ALWAYS, Part, PublishedRelease};
use crate::rules::{CII, RuleSetRow, facturx};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.09.2";

/// The package of a profile, which has one set.
macro_rules! part {
    ($id:literal, $name:literal) => {
        Part {
            package: $id,
            version: "1.09.2",
            sets: &[concat!("org.factur-x:", $name, ":1.09.2")],
        }
    };
}

/// The set of a profile.
macro_rules! set {
    ($id:literal, $name:literal) => {
        RuleSetRow {
            id: $id,
            syntaxes: CII,
            coordinate: concat!("org.factur-x:", $name, ":1.09.2"),
            tables: &[($id, TABLES)],
            hand: facturx::RULES,
        }
    };
}

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "1.09.2",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        part!("factur-x-minimum", "minimum"),
        part!("factur-x-basic-wl", "basic-wl"),
        part!("factur-x-basic", "basic"),
        part!("factur-x-en16931", "en16931"),
        part!("factur-x-extended", "extended"),
    ],
    sets: &[
        set!("factur-x-minimum", "minimum"),
        set!("factur-x-basic-wl", "basic-wl"),
        set!("factur-x-basic", "basic"),
        set!("factur-x-en16931", "en16931"),
        set!("factur-x-extended", "extended"),
    ],
};
