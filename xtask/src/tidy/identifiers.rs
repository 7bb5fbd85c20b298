//! What a document is, is decided in one place: no room behind it matches on the identifiers of
//! specifications, processes and root elements.

use super::sources::Source;

/// The rooms that ask `identity` and decide nothing of it themselves.
const ASKING: &[&str] = &["delivery", "store", "access-point", "api", "server", "lab", "quoin"];

/// What plays the other side of the network, and has to write what we would not.
const OTHER_SIDE: &str = "crates/lab/src/testbed/";

/// What the identifiers of documents begin with, or carry within.
const IDENTIFIERS: &[&str] = &[
    "urn:cen.eu:",
    "urn:fdc:peppol.eu:",
    "urn:peppol:",
    "urn:oasis:names:specification:ubl:",
    "urn:un:unece:uncefact:",
    "urn:factur-x.eu:",
    "urn:xeinkauf.de:",
    "urn:www.cenbii.eu:",
    "urn.cpro.gouv.fr",
    "statistics-report",
    "statistics-reporting",
];

/// Finds product code of an asking room that names such an identifier. Examples of the interface
/// and tests may.
pub fn check(source: &Source, found: &mut Vec<String>) {
    let is_asking = ASKING.iter().any(|room| source.is_in_room(room));
    if !is_asking || source.is_test() || source.path.starts_with(OTHER_SIDE) {
        return;
    }
    let mut is_example = false;
    for (number, line) in source.text.lines().enumerate() {
        let text = line.trim_start();
        if text.starts_with("#[cfg(test)]") {
            return;
        }
        is_example = is_example && !text.is_empty() || text.contains("example");
        if is_example || text.starts_with("//") {
            continue;
        }
        for identifier in IDENTIFIERS.iter().filter(|part| text.contains(**part)) {
            found.push(format!(
                "{}:{}: {identifier} is compared in the room identity only",
                source.path,
                number + 1
            ));
        }
    }
}
