//! The reference page of formats and profiles is what the tables say.
//! `UPDATE=1 cargo test -p quoin-rules reference` writes it anew.

use std::fmt::Write;
use std::path::Path;

use quoin_formats::profiles::{Match, PROCESSES, PROFILES, ProfileStatus, SelfBilling};
use quoin_formats::{FORMATS, FormatSignature, VersionSign};

const HEAD: &str = "\
# Formats, profiles and processes

What detection knows. This page is written from the tables in `crates/formats/src`,
`crates/formats/src/profiles`; a test compares them.

A document is told in this order: first bytes (after white space and a byte order mark), envelope
(stepped into), document element and namespace, specification identifier (CustomizationID, BT-24),
business process (ProfileID, BT-23). Documents inside hybrid PDF, CMS (`.p7m`), MIME multipart, zip
and the Peppol envelope are taken out and told in the same way, with their wrappers. XML that cannot
be read is still named by its first start tags.

| certainty | meaning |
|---|---|
| `exact` | syntax and profile are known |
| `likely` | they are known, though the identifier is spelled in an odd way or the file is damaged |
| `base` | the beginning of the identifier is known; the unknown members are named |
| `syntax` | the syntax is known; the profile is not, or the syntax has none |
| `unknown` | nothing is known |
";

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|").escape_debug().to_string().replace("\\\\|", "\\|"))
}

fn signature(signature: FormatSignature) -> String {
    let namespace = |name: &str| if name.is_empty() { "none".to_owned() } else { code(name) };
    match signature {
        FormatSignature::Root(root, name) => format!("{} in {}", code(root), namespace(name)),
        FormatSignature::RootPrefix(root, start) => format!("{} in {}…", code(root), code(start)),
        FormatSignature::Namespace(start) => format!("namespace {}…", code(start)),
        FormatSignature::Ubl => {
            "namespace `urn:oasis:names:specification:ubl:schema:xsd:NAME-2`".into()
        }
        FormatSignature::Bare(root, schema, children) => {
            let children: Vec<String> = children.iter().map(|child| code(child)).collect();
            let holds = format!("{} without namespace, holds {}", code(root), children.join(", "));
            if schema.is_empty() { holds } else { format!("{holds}, or schema {}", code(schema)) }
        }
        FormatSignature::Bytes(starts) => {
            let starts: Vec<String> =
                starts.iter().map(|start| code(&start.escape_ascii().to_string())).collect();
            format!("begins with {}", starts.join(" or "))
        }
        FormatSignature::Doctype(name, "") => format!("DOCTYPE {}", code(name)),
        FormatSignature::Doctype(name, location) => {
            format!("DOCTYPE {} of {}", code(name), code(location))
        }
        FormatSignature::JsonSchema(start) => format!("`$schema` {}…", code(start)),
        FormatSignature::JsonKeys(keys) => {
            let keys: Vec<String> = keys.iter().map(|key| code(key)).collect();
            format!("members {}", keys.join(", "))
        }
    }
}

fn version(version: VersionSign) -> String {
    match version {
        VersionSign::Unstated => "-".to_owned(),
        VersionSign::Is(version) => version.to_owned(),
        VersionSign::Namespace => "namespace".to_owned(),
        VersionSign::At(path) => code(&path.join("/")),
    }
}

fn customization(customization: Match) -> String {
    match customization {
        Match::Exact(whole) => code(whole),
        Match::OneOf(all) => {
            let all: Vec<String> = all.iter().map(|whole| code(whole)).collect();
            all.join(" or ")
        }
        Match::Pattern(pattern) => code(&pattern.replace("{}", "N.N")),
        Match::Prefix(start) => format!("{}…", code(start)),
        Match::PrefixIn(start, process) => {
            format!("{}… with ProfileID {}", code(start), code(process))
        }
        Match::Contains(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| format!("…{}…", code(part))).collect();
            parts.join(" or ")
        }
    }
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    page.push_str(
        "\n## Formats\n\nBy which rules a document of a profile is judged is in [identity](identity.md); what is \
         asked of\none without a profile, in [validation](../operating/validation.md).\n\n\
         | id | name | told by | version |\n|---|---|---|---|\n",
    );
    for format in FORMATS {
        let (sign, version) = (signature(format.signature), version(format.version));
        let _ = writeln!(page, "| `{}` | {} | {sign} | {version} |", format.id, format.title);
    }
    page.push_str("\n## Profiles\n\n| id | name | CustomizationID | note |\n|---|---|---|---|\n");
    for profile in PROFILES {
        let mut notes = Vec::new();
        if profile.self_billing == SelfBilling::Always {
            notes.push("self-billing".to_owned());
        }
        match profile.standing {
            ProfileStatus::Current => {}
            ProfileStatus::Legacy => notes.push("out of use".to_owned()),
            ProfileStatus::RefusedSince(day) => notes.push(format!("refused since {day}")),
        }
        let sign = customization(profile.customization);
        let _ = writeln!(
            page,
            "| `{}` | {} | {sign} | {} |",
            profile.id,
            profile.title,
            notes.join(", ")
        );
    }
    page.push_str("\n## Processes\n\n| id | name | ProfileID |\n|---|---|---|\n");
    for process in PROCESSES {
        let sign = code(process.profile_id);
        let _ = writeln!(page, "| `{}` | {} | {sign} |", process.id, process.title);
    }
    page
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the page lies in the checkout")]
fn the_reference_page_is_what_the_tables_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/formats.md");
    let page = page();
    if quoin_testing::writes_anew() {
        std::fs::write(&path, &page).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let row = page.lines().find(|row| !known.contains(row)).unwrap_or_default();
    assert!(known == page, "docs/reference/formats.md is not up to date: {row}");
}
