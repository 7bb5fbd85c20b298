//! What Cargo cannot see: which modules of the access point may import which, and who may not know
//! the worker. Listeners record and the worker acts, so neither a listener nor the interface
//! imports the worker, and the worker imports nothing of HTTP.

use super::sources::Source;

/// Which modules of the access point a module of it may import; between blanks.
const IMPORTS: &[(&str, &str)] = &[
    ("alarms", "clock metrics provider"),
    ("as4_inbound", "alarms budget clock disk identity metrics provider tls trust"),
    ("authorities", "config pemfile trust"),
    ("budget", "config"),
    (
        "channels",
        "budget clock collaboration cxml dico https lookup mail mailbox metrics naming net oauth \
         partner plan provider rules sending sftp step",
    ),
    ("clock", ""),
    ("collaboration", "partner"),
    ("config", "plainfile"),
    ("cxml", "partner"),
    ("declared", "channels config hooks"),
    ("dico", "partner"),
    ("disk", "health"),
    ("dossier", "budget zip"),
    ("endpoints", "config pemfile"),
    ("enrolment", "config reading"),
    ("growth", "mail mailbox net oauth"),
    ("health", "budget clock"),
    ("hooks", "channels https net"),
    ("https", "budget naming net oauth step"),
    ("identity", "budget config pemfile plainfile"),
    ("keyfile", "plainfile"),
    ("ksef", "budget clock config net oauth rules"),
    ("loading", "channels config declared ksef mail mailbox net plainfile reading"),
    ("lookup", "budget clock net trust"),
    ("mail", "config identity keyfile net oauth"),
    ("mailbox", "mail net oauth"),
    ("metrics", "budget clock"),
    ("naming", ""),
    ("net", ""),
    ("oauth", "budget clock net"),
    ("partner", "net oauth"),
    ("pemfile", "plainfile"),
    ("plainfile", ""),
    ("plan", "rules"),
    ("provider", "config"),
    ("reading", ""),
    ("registers", "budget clock config enrolment identity net"),
    ("reports", "provider"),
    ("rules", "budget clock config metrics tls"),
    ("sending", "budget identity net trust"),
    ("sftp", "naming net oauth"),
    ("smp_publisher", "clock endpoints identity"),
    ("step", "budget zip"),
    ("tax", "config plan rules"),
    ("tls", "budget config plainfile"),
    ("trust", "clock config net plainfile tls"),
    (
        "worker",
        "alarms budget channels clock config endpoints enrolment hooks https identity ksef lookup \
         mail mailbox metrics net plan provider registers reports rules sending sftp step tax tls \
         zip",
    ),
    ("zip", ""),
];

/// The room that the table is about.
const ROOM: &str = "crates/access-point/src/";
/// How another room names the worker.
const WORKER: &str = "quoin_access_point::worker";

/// Finds imports of product code that are not in the table, modules that have no row, and handlers
/// that know the worker.
pub fn check(source: &Source, found: &mut Vec<String>) {
    if source.is_test() {
        return;
    }
    let product = source.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    if source.is_in_room("api") && product.contains(WORKER) {
        found.push(format!("{}: the interface must not know the worker", source.path));
    }
    let Some(path) = source.path.strip_prefix(ROOM).filter(|path| *path != "lib.rs") else {
        return;
    };
    if product.contains("quoin_api::") {
        found.push(format!("{}: the access point must not know HTTP handlers", source.path));
    }
    let module = path.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    let Some((_, allowed)) = IMPORTS.iter().find(|(name, _)| *name == module) else {
        found.push(format!("{}: {module} has no row in tidy/imports.rs", source.path));
        return;
    };
    let mut known = allowed.split_whitespace();
    for other in imported(product) {
        if other != module && !known.clone().any(|name| name == other) && is_module(other) {
            found.push(format!("{}: {module} must not import {other}", source.path));
        }
    }
    if known.any(|name| !is_module(name)) {
        found.push(format!("{module}: its row in tidy/imports.rs names no module"));
    }
}

fn is_module(name: &str) -> bool {
    IMPORTS.iter().any(|(known, _)| *known == name)
}

/// The modules that a text names behind `crate::`, alone or in braces, each once.
fn imported(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (at, start) in text.match_indices("crate::") {
        let rest = text.get(at + start.len()..).unwrap_or_default();
        match rest.strip_prefix('{') {
            Some(list) => in_braces(list, &mut names),
            None => names.push(word(rest)),
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The first word of each part of a list in braces.
fn in_braces<'t>(list: &'t str, names: &mut Vec<&'t str>) {
    let (mut depth, mut begins) = (0_usize, true);
    for (at, letter) in list.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => return,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && letter.is_alphabetic() => {
                names.push(word(list.get(at..).unwrap_or_default()));
                begins = false;
            }
            _ => {}
        }
    }
}

fn word(text: &str) -> &str {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default()
}
