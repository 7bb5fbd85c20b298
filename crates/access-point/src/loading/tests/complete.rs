//! The default file has every setting of every section, those that have no default, too.
//!
//! What a section may say is asked of the reader itself: it names what it expects in place of a
//! setting that there is not, whether or not it has a value.

use std::collections::BTreeMap;

use crate::config::{Config, DEFAULT_TOML};

/// A setting that there is not.
const NONE: &str = "no_such_setting";

/// A section: where it stands, and the text that has another text there.
struct Section {
    path: String,
    around: (String, String),
    fields: Vec<String>,
}

/// The settings that are expected where a text has [`NONE`]; none where no section is.
fn expected(text: &str) -> Option<Vec<String>> {
    let error = toml::from_str::<Config>(text).err()?.to_string();
    let (_, names) = error.split_once(&format!("unknown field `{NONE}`, expected"))?;
    Some(names.split('`').skip(1).step_by(2).map(str::to_owned).collect())
}

/// A section and all that are inside it: alone, in a list, or by names of one's choice.
fn sections(path: &str, before: &str, after: &str, found: &mut Vec<Section>) -> bool {
    let Some(fields) = expected(&format!("{before}{NONE} = 1{after}")) else { return false };
    let around = (before.to_owned(), after.to_owned());
    found.push(Section { path: path.to_owned(), around, fields: fields.clone() });
    for field in fields {
        let inner = if path.is_empty() { field.clone() } else { format!("{path}.{field}") };
        for (open, close) in [("{ ", " }"), ("[{ ", " }]"), ("{ any = { ", " } }")] {
            let (before, after) = (format!("{before}{field} = {open}"), format!("{close}{after}"));
            if sections(&inner, &before, &after, found) {
                break;
            }
        }
    }
    true
}

/// The lines of the file by the section that they stand in, without their signs of comment.
fn written() -> BTreeMap<String, Vec<&'static str>> {
    let mut all: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut section = String::new();
    for line in DEFAULT_TOML.lines().map(|line| line.trim_start_matches(['#', ' '])) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(header) => section = header.trim_matches(['[', ']']).to_owned(),
            None => all.entry(section.clone()).or_default().push(line),
        }
    }
    all
}

/// Whether a setting of a section is in the file: on a line of its own, as a section, or in braces
/// on a line of the section around it.
fn is_written(file: &BTreeMap<String, Vec<&str>>, section: &str, field: &str) -> bool {
    let inner = if section.is_empty() { field.to_owned() } else { format!("{section}.{field}") };
    if file.keys().any(|known| *known == inner || known.starts_with(&format!("{inner}."))) {
        return true;
    }
    let assigned = format!("{field} = ");
    let own = |lines: &Vec<&str>| lines.iter().any(|line| line.starts_with(&assigned));
    // Of sections that are named as one likes, the first one shows them all.
    let named = file.iter().filter(|(known, _)| {
        let is_named = || known.rsplit_once('.').is_some_and(|(outer, _)| outer == section);
        *known == section || !file.contains_key(section) && is_named()
    });
    if named.map(|(_, lines)| lines).any(own) {
        return true;
    }
    if file.contains_key(section) {
        return false;
    }
    let around = section.rmatch_indices('.').find_map(|(at, _)| file.get(&section[..at]));
    let around = around.or(file.get(""));
    let braced = [format!("{{ {assigned}"), format!(", {assigned}")];
    around.is_some_and(|lines| {
        let fits =
            |line: &&str| braced.iter().any(|at| line.contains(at)) || line.starts_with(&assigned);
        lines.iter().any(fits)
    })
}

#[test]
fn every_setting_is_in_the_default_file() {
    let mut all = Vec::new();
    assert!(sections("", "", "", &mut all), "the whole file is a section");
    let file = written();
    // Sections of one kind have one list of settings: one of them has to have it in full.
    let mut kinds: BTreeMap<&[String], Vec<&Section>> = BTreeMap::new();
    for section in &all {
        kinds.entry(&section.fields).or_default().push(section);
    }
    let mut missing = Vec::new();
    for (fields, alike) in kinds {
        let lacks = |section: &&Section| -> Vec<String> {
            let missing = fields.iter().filter(|field| !is_written(&file, &section.path, field));
            missing.map(|field| format!("{}.{field}", section.path)).collect()
        };
        missing.extend(alike.iter().map(lacks).min_by_key(Vec::len).unwrap_or_default());
    }
    assert_eq!(missing, Vec::<String>::new());
}

/// The walk finds what is deep inside, and the comparison what is missing in one section and
/// written in another.
#[test]
fn the_comparison_finds_what_is_missing() {
    let mut all = Vec::new();
    sections("", "", "", &mut all);
    let has = |path: &str| all.iter().any(|section| section.path == path);
    for path in ["listen.metrics", "smp.next.key.token", "tax.profiles", "endpoints", "mail.dkim"] {
        assert!(has(path), "{path}");
    }
    assert!(has("organisation.parties.hooks"));
    assert!(all.iter().all(|section| !section.around.0.contains(NONE)));
    let file = written();
    assert!(is_written(&file, "tax.profiles", "term_hours"));
    assert!(!is_written(&file, "tax.profiles", "url"), "it is one of other sections");
    assert!(!is_written(&file, "retry", "enabled"), "it is one of the section behind");
}
