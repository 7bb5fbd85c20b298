//! The tree is tidy, and the rules can tell when it is not.

use std::path::Path;

use super::*;

#[test]
fn the_tree_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let found = breaches(&root).unwrap();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn functions_are_measured() {
    let text =
        "impl X {\n    pub async fn a(\n        x: u8,\n    ) {\n        b();\n    }\n}\nfn c();\n";
    assert_eq!(sources::functions(text), [("a".to_owned(), 2, 5)]);
}

#[test]
fn breaches_are_found() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let mut found = Vec::new();
    check_head(&source("crates/xml/src/a.rs", "use b;\n"), &mut found);
    check_name(&source("crates/xml/src/utils.rs", "//! x\n"), &mut found);
    layers::check(&source("crates/xml/src/a.rs", "use quoin_store::Store;\n"), &mut found);
    check_sizes(&source("crates/xml/src/a.rs", &"//! x\n".repeat(401)), &mut found);
    check_untested(&source("crates/server/src/a.rs", "#[cfg(test)]\nmod tests;\n"), &mut found);
    let long = format!("fn f() {{\n{}}}\n", "    a();\n".repeat(70));
    check_sizes(&source("crates/xml/src/a.rs", &long), &mut found);
    assert_eq!(found.len(), 6, "{found:?}");
}

#[test]
fn identifiers_of_documents_are_compared_in_one_room() {
    let found = |path: &str, text: &str| {
        let mut found = Vec::new();
        identifiers::check(&Source { path: path.to_owned(), text: text.to_owned() }, &mut found);
        found.len()
    };
    let compared = "//! x\nfn f() {\n    a.starts_with(\"urn:cen.eu:en16931\");\n}\n";
    assert_eq!(found("crates/access-point/src/plan.rs", compared), 1);
    assert_eq!(found("crates/delivery/src/mls.rs", compared), 1);
    assert_eq!(found("crates/identity/src/types.rs", compared), 0);
    assert_eq!(found("crates/access-point/src/plan/tests.rs", compared), 0);
    assert_eq!(found("crates/lab/src/testbed/forge.rs", compared), 0);
    let example = "#[schema(\n    example = \"urn:cen.eu:en16931\"\n)]\n\nf(\"urn:cen.eu:x\");\n";
    assert_eq!(found("crates/api/src/api/a.rs", example), 1, "an example ends");
    let tested = "#[cfg(test)]\nmod tests {\n    f(\"urn:cen.eu:x\");\n}\n";
    assert_eq!(found("crates/api/src/api/a.rs", tested), 0);
}

#[test]
fn a_line_of_the_log_has_one_message() {
    let found = |text: &str| {
        let mut found = Vec::new();
        let path = "crates/api/src/a.rs".to_owned();
        logged::check(&Source { path, text: text.to_owned() }, &mut found);
        found.len()
    };
    for field in ["message", "%message", "?message", "message = a.id", "party,\n    message,"] {
        assert_eq!(found(&format!("tracing::info!({field}, \"it came\");\n")), 1, "{field}");
    }
    for good in ["message_id", "text = message", "\"message, {x}\", x = 1"] {
        assert_eq!(found(&format!("tracing::warn!({good}, \"it came\");\n")), 0, "{good}");
    }
}

#[test]
fn a_precision_that_cuts_nothing_is_none() {
    let found = |text: &str| {
        let mut found = Vec::new();
        let path = "crates/api/src/a.rs".to_owned();
        logged::uncut(&Source { path, text: text.to_owned() }, &mut found);
        found.len()
    };
    assert_eq!(found("bad(format!(\"{text:.40?}, expected {}\", known))\n"), 1);
    for good in ["\"{text:.40}\"", "\"{elapsed:.1?}\"", "// {text:.40?}", "\"{text:?}\""] {
        assert_eq!(found(&format!("f({good});\n").replace("f(//", "//")), 0, "{good}");
    }
}

#[test]
fn a_listener_never_imports_the_worker() {
    let found = |path: &str, text: &str| {
        let mut found = Vec::new();
        imports::check(&Source { path: path.to_owned(), text: text.to_owned() }, &mut found);
        found.len()
    };
    let (one, many) = ("use crate::worker::Hands;\n", "use crate::{\n    tls, worker,\n};\n");
    let inbound = "crates/access-point/src/as4_inbound/intake.rs";
    assert_eq!((found(inbound, one), found(inbound, many)), (1, 1));
    assert_eq!(found("crates/access-point/src/smp_publisher.rs", one), 1);
    assert_eq!(found("crates/access-point/src/worker/job.rs", one), 0);
    assert_eq!(found("crates/access-point/src/fax.rs", ""), 1, "it has no row");
    assert_eq!(found("crates/api/src/api/a.rs", "use quoin_access_point::worker::Hands;\n"), 1);
    assert_eq!(found("crates/server/src/start.rs", "use quoin_access_point::worker;\n"), 0);
    assert_eq!(found("crates/access-point/src/worker.rs", "use quoin_api::http::Problem;\n"), 1);
}

#[test]
fn a_name_of_a_type_stands_for_one_thing() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let text = "//! x\npub(crate) struct Kind<'a>(&'a str);\n\n#[derive(Debug)]\nenum Way {}\n";
    assert_eq!(types::defined(text), ["Kind", "Way"]);
    let other = "//! x\n#[cfg(test)]\nstruct Way;\nimpl Iterator for A {\n    type Item = B;\n}\n\
                 type Kind = u8;\n";
    assert_eq!(types::defined(other), ["Kind"]);
    let sources = [source("crates/xml/src/a.rs", text), source("crates/store/src/b.rs", other)];
    let mut found = Vec::new();
    types::check(&sources, &mut found);
    assert_eq!(
        found,
        ["the type Kind is defined in crates/xml/src/a.rs and crates/store/src/b.rs"]
    );
}

#[test]
fn a_place_that_a_document_names_is_looked_for() {
    assert_eq!(places::places("xml/src/{tree,xpath}"), ["xml/src/tree", "xml/src/xpath"]);
    assert_eq!(places::places("rules/src/releases/PUBLISHER/x.rs"), ["rules/src/releases"]);
    assert_eq!(places::places("formats/src/<name>/read"), ["formats/src"]);
    assert!(places::places("cargo xtask tidy").is_empty());
    assert!(places::places("text/src/plain").is_empty());
}

#[test]
fn the_page_of_limits_says_what_is_in_force() {
    let file = "pub const MOST: usize = 24 << 20;\nconst LEFT: Duration = Duration::from_mins(2);\n\
                const NAMES: RangeInclusive<usize> = 8..=256;\nconst FAR: u64 = OTHER * 2;\n\
                const PLACES: Sizes = Sizes { total: 1_024, share: 64 };\nLimits {\n  depth: 64,\n}";
    let defaults = "\n[limits]\nidle_seconds = 60\nroom_megabytes = 192\nkeep_days = 0\n\
                    [other]\nwaits = [1, 2]\n";
    for (value, place, text) in [
        ("24 MiB", "a/src/b.rs:MOST", file),
        ("25,165,824 bytes", ":MOST", file),
        ("1; 120 s", ":LEFT", file),
        ("2 and 3 minutes", ":LEFT", file),
        ("8 to 256 characters", ":NAMES", file),
        ("64, 1,024", ":PLACES", file),
        ("as many", ":FAR", file),
        ("64, 2,000", "a/src/b.rs:depth", file),
        ("60 s", "[limits] idle_seconds", defaults),
        ("192 MiB", "[limits] room_megabytes", defaults),
        ("for ever, unless set", "[limits] keep_days", defaults),
        ("two", "[other] waits", defaults),
        ("idle_seconds and 1 s", "[limits] idle_seconds", defaults),
        ("none is followed", "a/src/b.rs", file),
    ] {
        assert_eq!(limits::wrong(value, place, text), None, "{value} {place}");
    }
    for (value, place, text) in [
        ("24 KiB", ":MOST", file),
        ("124 MiB", ":MOST", file),
        ("24,576 MiB", ":MOST", file),
        ("2 s", ":LEFT", file),
        ("8 characters", ":NAMES", file),
        ("64", ":PLACES", file),
        ("24 MiB", ":LEAST", file),
        ("61 s", "[limits] idle_seconds", defaults),
        ("60 s", "[other] idle_seconds", defaults),
        ("60 s", "a/src/b.rs", file),
    ] {
        assert!(limits::wrong(value, place, text).is_some(), "{value} {place}");
    }
    let row = limits::row("| a of 2 | 1 s | `x/src/a.rs:B`, `:C` |");
    assert_eq!(row, Some(("a of 2 | 1 s", vec!["x/src/a.rs:B", ":C"])));
    assert_eq!(places::places("xml/src/tree.rs:MOST"), ["xml/src/tree.rs"]);
}

#[test]
fn the_rooms_are_those_of_the_manifests() {
    let manifest = "[package]\nname = \"x\"\n\n[dependencies]\njiff.workspace = true\n\
                    quoin-xml.workspace = true\nquoin-model = { path = \"../model\" }\n\n\
                    [dev-dependencies]\nquoin-testing.workspace = true\n";
    assert_eq!(layers::dependencies(manifest).into_iter().collect::<Vec<_>>(), ["model", "xml"]);
    let source = |text: &str| Source { path: "crates/store/src/a.rs".into(), text: text.into() };
    let mut found = Vec::new();
    layers::check(&source("use quoin_peppol::x;\n"), &mut found);
    assert!(found.is_empty(), "what is further below: {found:?}");
    layers::check(&source("use quoin_render::x;\n"), &mut found);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn what_pages_list_is_read() {
    let page = "# A\n\nInside `access-point`; which\n\n| module | what |\n|---|---|\n\
                | `net`, `tls` | the `x` |\n| `zip` | y |\n\n| `later` | z |\n";
    assert_eq!(pages::listed(page).into_iter().collect::<Vec<_>>(), ["net", "tls", "zip"]);
    let rule = "- Rooms. Pure rooms (`xml`,\n  `model`) take `bytes`.\n";
    assert_eq!(pages::pure(rule).into_iter().collect::<Vec<_>>(), ["model", "xml"]);
    let cited = |text: &str| {
        let mut found = Vec::new();
        pages::citations(&Source { path: "a.rs".into(), text: text.into() }, &mut found);
        found.len()
    };
    let design = ["//! See DES", "IGN"].concat();
    assert_eq!(cited(&format!("{design} section 2, rule 3\n{design} D10.\n")), 2);
    assert_eq!(cited(&format!("{design} Decisions\n//! ARCHITECTURE, 3\n")), 0);
}
