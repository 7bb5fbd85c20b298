//! Factur-X 1.09.2, effective from September 2026; the only release that is here.

use crate::releases::{ALWAYS, PublishedRelease};
use crate::rules::{CII, facturx};

/// The release of its tables, as `cargo xtask subsets` names it.
const TABLES: &str = "1.09.2";

pub(super) const RELEASE: PublishedRelease = PublishedRelease {
    name: "1.09.2",
    published: ALWAYS,
    mandatory: ALWAYS,
    parts: &[
        part!("factur-x-minimum", "org.factur-x:minimum", "1.09.2"),
        part!("factur-x-basic-wl", "org.factur-x:basic-wl", "1.09.2"),
        part!("factur-x-basic", "org.factur-x:basic", "1.09.2"),
        part!("factur-x-en16931", "org.factur-x:en16931", "1.09.2"),
        part!("factur-x-extended", "org.factur-x:extended", "1.09.2"),
    ],
    sets: &[
        set!("factur-x-minimum", "org.factur-x:minimum", "1.09.2", CII, facturx::RULES),
        set!("factur-x-basic-wl", "org.factur-x:basic-wl", "1.09.2", CII, facturx::RULES),
        set!("factur-x-basic", "org.factur-x:basic", "1.09.2", CII, facturx::RULES),
        set!("factur-x-en16931", "org.factur-x:en16931", "1.09.2", CII, facturx::RULES),
        set!("factur-x-extended", "org.factur-x:extended", "1.09.2", CII, facturx::RULES),
    ],
};
