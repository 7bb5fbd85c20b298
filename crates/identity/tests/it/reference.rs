//! The reference page of identities is what the tables say.
//! `UPDATE=1 cargo test -p quoin-identity reference` writes it anew.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use jiff::civil::Date;
use quoin_formats::Syntax;
use quoin_formats::profiles::{PROFILES, Profile, SelfBilling};
use quoin_peppol::codelists::{DOCUMENT_TYPES, DocumentType};
use quoin_rules::releases::{PACKAGES, Package};

const HEAD: &str = "\
# Identity: profile, rules, release, document type, process

What a document is, is decided once, from its document element, its specification identifier
(CustomizationID, BT-24), its process (ProfileID, BT-23), what was announced beside it, and the day
of sending or of arrival. This page is written from the tables that decide
(`crates/formats/src/profiles`, `crates/rules/src/releases`,
`crates/peppol/src/codelists/document_types.rs`); a test compares them. How a profile is recognised
is told in [formats](formats.md).

- Where a syntax has a place for the identifier, the document decides: its type on the network is
  its document element `##` its identifier, in the release of UBL that the code list has. What an
  envelope or `sourceFormat` says beside it has to be the same.
- A profile that nobody knows, a known one in a syntax it is not written in, and a longer identifier
  than a known one are judged by the longest known part of the identifier, with a warning; an
  invoice in UBL or CII is never judged by less than EN 16931, one of PINT never by less than what
  all of PINT shares.
- What no rule set here judges is *not judged*, which is neither valid nor wrong.
";

/// The packages, their releases and their sets.
fn packages(page: &mut String) {
    page.push_str(
        "\n## Packages of rules\n\nWhat a publisher releases together. From *published* a document \
         may be made by a release, from\n*mandatory* it has to be; in between it may pass either. \
         Before the oldest release that is here, that\none judges.\n\n| package | for | release | \
         published | mandatory | sets |\n|---|---|---|---|---|---|\n",
    );
    for package in PACKAGES.iter() {
        for release in &package.releases {
            let day = |day: Date| if day == Date::MIN { "-".to_owned() } else { day.to_string() };
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | {} | {} | {} |",
                package.id,
                package.title,
                release.version,
                day(release.published),
                day(release.mandatory),
                codes(release.sets.iter().copied()),
            );
        }
    }
}

fn codes<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let texts: Vec<_> = texts.map(|text| format!("`{text}`")).collect();
    if texts.is_empty() { "-".to_owned() } else { texts.join(", ") }
}

fn package_names(profile: &Profile, syntaxes: &[Syntax]) -> String {
    let packages: BTreeSet<_> = syntaxes
        .iter()
        .filter_map(|syntax| Package::of(profile, *syntax))
        .map(|package: &Package| package.id)
        .collect();
    codes(packages.into_iter())
}

/// The profiles, with what judges them.
fn profiles(page: &mut String) {
    page.push_str(
        "\n## Profiles\n\n| profile | syntaxes | document elements | self-billing | process in \
         BT-23 | rules |\n|---|---|---|---|---|---|\n",
    );
    for profile in PROFILES {
        let roots = codes(profile.roots.iter().copied());
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} |",
            profile.id,
            profile.syntaxes.iter().map(|own: &Syntax| own.title()).collect::<Vec<_>>().join(", "),
            if profile.roots.is_empty() { "any" } else { &roots },
            match profile.self_billing {
                SelfBilling::ByTypeCode => "by type code",
                SelfBilling::Always => "always",
                SelfBilling::Never => "never",
            },
            if profile.process_elsewhere { "no" } else { "yes" },
            package_names(profile, profile.syntaxes),
        );
    }
}

/// What the types of the code list are judged by.
fn types(page: &mut String) {
    page.push_str(
        "\n## Document types of the network\n\nThe code list, release 9.7. A removed type is \
         neither sent, nor taken, nor published from its day\non; a deprecated one is exchanged \
         where it is registered.\n\n| name | state | removed on | profile | rules | processes \
         |\n|---|---|---|---|---|---|\n",
    );
    for row in DOCUMENT_TYPES {
        let (profile, rules) = judged(row);
        let _ = writeln!(
            page,
            "| {} | {} | {} | {profile} | {rules} | {} |",
            row.name,
            format!("{:?}", row.state).to_lowercase(),
            row.removal.map_or_else(|| "-".to_owned(), |day| day.to_string()),
            codes(row.processes.iter().copied()),
        );
    }
}

fn judged(row: &DocumentType) -> (String, String) {
    let id = row.id().unwrap();
    let syntax = match id.parts().local_name {
        Some("Invoice") => Syntax::UblInvoice,
        Some("CreditNote") => Syntax::UblCreditNote,
        Some("CrossIndustryInvoice") => Syntax::Cii,
        _ => Syntax::UblOther,
    };
    quoin_identity::profile_of(&id).map_or_else(
        || ("-".to_owned(), "-".to_owned()),
        |profile| (format!("`{}`", profile.id), package_names(profile, &[syntax])),
    )
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    profiles(&mut page);
    packages(&mut page);
    types(&mut page);
    page
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the page lies in the checkout")]
fn the_reference_page_is_what_the_tables_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/identity.md");
    let page = page();
    if quoin_testing::writes_anew() {
        std::fs::write(&path, &page).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let row = page.lines().find(|row| !known.contains(row)).unwrap_or_default();
    assert!(known == page, "docs/reference/identity.md is not up to date: {row}");
}
