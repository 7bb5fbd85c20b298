//! Which room may know which: the table is what the manifests have, and no text names another one.

use std::collections::BTreeSet;
use std::path::Path;

use super::sources::Source;

/// Every room and what it depends on, from the bottom up.
pub const LAYERS: &[(&str, &[&str])] = &[
    ("xml", &[]),
    ("xmldsig", &["xml"]),
    ("model", &["xml"]),
    ("formats", &["model", "xml"]),
    ("rules", &["formats", "model", "xml"]),
    ("render", &["formats", "model", "xml"]),
    ("peppol", &["xmldsig", "xml"]),
    ("ksef", &["xmldsig", "model", "xml"]),
    ("taxdata", &["formats", "model", "xml"]),
    ("identity", &["rules", "formats", "peppol", "model"]),
    ("delivery", &["identity", "ksef", "taxdata", "peppol", "formats", "model"]),
    ("store", &["delivery"]),
    ("access-point", ACCESS_POINT),
    ("api", API),
    ("server", &["api", "access-point", "store", "delivery", "peppol", "xmldsig"]),
    ("lab", LAB),
    ("quoin", QUOIN),
];

/// What the access point depends on.
const ACCESS_POINT: &[&str] = &[
    "store", "delivery", "identity", "ksef", "taxdata", "peppol", "render", "rules", "formats",
    "model", "xmldsig", "xml",
];
/// What the interface depends on.
const API: &[&str] = &[
    "access-point",
    "store",
    "delivery",
    "identity",
    "ksef",
    "peppol",
    "render",
    "rules",
    "formats",
    "model",
    "xmldsig",
    "xml",
];
/// What the lab depends on.
const LAB: &[&str] = &[
    "server",
    "api",
    "access-point",
    "store",
    "delivery",
    "ksef",
    "taxdata",
    "peppol",
    "rules",
    "formats",
    "model",
    "xmldsig",
    "xml",
];
/// What the program depends on.
const QUOIN: &[&str] = &[
    "lab",
    "server",
    "api",
    "access-point",
    "store",
    "delivery",
    "taxdata",
    "peppol",
    "render",
    "rules",
    "formats",
    "model",
    "xmldsig",
];

/// A room that a text names without its being below the text's own.
pub fn check(source: &Source, found: &mut Vec<String>) {
    let Some((room, _)) = LAYERS.iter().find(|(room, _)| source.is_in_room(room)) else { return };
    let below = below(room);
    for (other, _) in LAYERS.iter().filter(|(other, _)| other != room) {
        let name = format!("quoin_{}::", other.replace('-', "_"));
        if source.text.contains(&name) && !below.contains(other) {
            found.push(format!("{}: {room} must not know {other}", source.path));
        }
    }
}

/// Every room below one, those below these included: tests may name them.
fn below(room: &str) -> BTreeSet<&'static str> {
    let own = LAYERS.iter().find(|(name, _)| *name == room).map_or(&[][..], |(_, own)| own);
    own.iter().flat_map(|other| below(other).into_iter().chain([*other])).collect()
}

/// The table is that of the manifests.
pub fn manifests(root: &Path, found: &mut Vec<String>) -> Result<(), String> {
    for (room, table) in LAYERS {
        let name = format!("crates/{room}/Cargo.toml");
        let text = std::fs::read_to_string(root.join(&name)).map_err(|e| format!("{name}: {e}"))?;
        let has = dependencies(&text);
        let table: BTreeSet<&str> = table.iter().copied().collect();
        for other in has.symmetric_difference(&table) {
            found.push(match has.contains(other) {
                true => format!("{name}: {room} must not depend on {other}"),
                false => {
                    format!("{name}: {room} does not depend on {other}: take it out of LAYERS")
                }
            });
        }
    }
    Ok(())
}

/// The rooms that a manifest depends on, outside of tests.
pub fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let (_, rest) = manifest.split_once("\n[dependencies]\n").unwrap_or_default();
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter_map(|name| name.strip_prefix("quoin-")).collect()
}
