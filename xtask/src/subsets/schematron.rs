//! Reads an official Schematron file into patterns, rules and tests: includes, abstract patterns
//! and `extends` are resolved, and every prefix is known by its namespace.

use std::collections::BTreeMap;
use std::path::Path;

use quoin_xml::tree::{Document, Element, Limits};

const ISO: &str = "http://purl.oclc.org/dsdl/schematron";

/// A file with everything that it includes.
#[derive(Debug, Default)]
pub struct Schema {
    /// Prefix and namespace, as declared.
    pub namespaces: BTreeMap<String, String>,
    pub lets: Vec<(String, String)>,
    pub patterns: Vec<Pattern>,
}

/// A pattern: of its rules, the first that matches a node is the one that is run.
#[derive(Debug, Clone, Default)]
pub struct Pattern {
    pub lets: Vec<(String, String)>,
    pub rules: Vec<Rule>,
    id: String,
    is_abstract: bool,
    is_a: String,
    parameters: Vec<(String, String)>,
}

/// A rule.
#[derive(Debug, Clone, Default)]
pub struct Rule {
    pub context: String,
    pub lets: Vec<(String, String)>,
    pub asserts: Vec<Assert>,
    id: String,
    is_abstract: bool,
    extends: Vec<String>,
}

/// An assert, or a report, which fires where its test holds.
#[derive(Debug, Clone, Default)]
pub struct Assert {
    pub id: String,
    pub flag: String,
    pub is_report: bool,
    pub test: String,
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Schema, String> {
    read_amended(path, &[])
}

/// Reads a file in which texts are replaced.
pub fn read_amended(path: &Path, amended: &[(&str, &str)]) -> Result<Schema, String> {
    let mut schema = Schema::default();
    let mut patterns = Vec::new();
    let mut text = String::new();
    if !amended.is_empty() {
        text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    for (old, new) in amended {
        if !text.contains(old) {
            return Err(format!("{}: nothing to change at {old}", path.display()));
        }
        text = text.replace(old, new);
    }
    if text.is_empty() {
        collect(path, &mut schema, &mut patterns)?;
    } else {
        let document = Document::parse(text.as_bytes(), &Limits::default());
        let document = document.map_err(|e| format!("{}: {e}", path.display()))?;
        collect_in(document.root(), path, &mut schema, &mut patterns)?;
    }
    let bodies: BTreeMap<String, Pattern> =
        patterns.iter().filter(|p| p.is_abstract).map(|p| (p.id.clone(), p.clone())).collect();
    for pattern in patterns {
        if pattern.is_abstract {
            continue;
        }
        let mut pattern = if pattern.is_a.is_empty() {
            pattern
        } else {
            let body = bodies.get(&pattern.is_a);
            let body = body.ok_or_else(|| format!("no abstract pattern {}", pattern.is_a))?;
            instance(body, &pattern.parameters)
        };
        extend(&mut pattern)?;
        schema.patterns.push(pattern);
    }
    Ok(schema)
}

fn collect(path: &Path, schema: &mut Schema, patterns: &mut Vec<Pattern>) -> Result<(), String> {
    let document = crate::codes::read::document(path)?;
    collect_in(document.root(), path, schema, patterns)
}

fn collect_in(
    root: Element<'_>,
    path: &Path,
    schema: &mut Schema,
    patterns: &mut Vec<Pattern>,
) -> Result<(), String> {
    if root.is(ISO, "pattern") {
        patterns.push(pattern(root));
        return Ok(());
    }
    for child in root.elements().filter(|child| child.namespace() == ISO) {
        match child.local() {
            "ns" => {
                schema.namespaces.insert(value(child, "prefix"), value(child, "uri"));
            }
            "let" => schema.lets.push((value(child, "name"), value(child, "value"))),
            "pattern" => patterns.push(pattern(child)),
            "include" => {
                let folder = path.parent().unwrap_or(Path::new("."));
                collect(&folder.join(value(child, "href")), schema, patterns)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn pattern(element: Element<'_>) -> Pattern {
    let mut pattern = Pattern {
        id: value(element, "id"),
        is_abstract: value(element, "abstract") == "true",
        is_a: value(element, "is-a"),
        ..Pattern::default()
    };
    for child in element.elements().filter(|child| child.namespace() == ISO) {
        match child.local() {
            "let" => pattern.lets.push((value(child, "name"), value(child, "value"))),
            "param" => pattern.parameters.push((value(child, "name"), value(child, "value"))),
            "rule" => pattern.rules.push(rule(child)),
            _ => {}
        }
    }
    pattern
}

fn rule(element: Element<'_>) -> Rule {
    let mut rule = Rule {
        context: value(element, "context"),
        id: value(element, "id"),
        is_abstract: value(element, "abstract") == "true",
        ..Rule::default()
    };
    for child in element.elements().filter(|child| child.namespace() == ISO) {
        match child.local() {
            "let" => rule.lets.push((value(child, "name"), value(child, "value"))),
            "extends" => rule.extends.push(value(child, "rule")),
            "assert" | "report" => rule.asserts.push(Assert {
                id: identifier(child),
                flag: value(child, "flag"),
                is_report: child.local() == "report",
                test: value(child, "test"),
            }),
            _ => {}
        }
    }
    rule
}

/// The identifier of an assert; where it is only named in brackets before its text, that.
fn identifier(element: Element<'_>) -> String {
    let id = value(element, "id");
    if !id.is_empty() {
        return id;
    }
    let text = element.text();
    let bracketed = text.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match bracketed {
        Some((id, _)) if !id.contains(' ') => id.to_owned(),
        _ => String::new(),
    }
}

fn instance(body: &Pattern, parameters: &[(String, String)]) -> Pattern {
    // The longest name first, so that `$A_rate` is not read as `$A` and `_rate`.
    let mut parameters = parameters.to_vec();
    parameters.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let fill = |text: &str| {
        parameters
            .iter()
            .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("${name}"), value))
    };
    let fill_lets = |lets: &[(String, String)]| {
        lets.iter().map(|(name, value)| (name.clone(), fill(value))).collect::<Vec<_>>()
    };
    let mut made = body.clone();
    made.lets = fill_lets(&body.lets);
    for rule in &mut made.rules {
        rule.context = fill(&rule.context);
        rule.lets = fill_lets(&rule.lets);
        for assert in &mut rule.asserts {
            assert.test = fill(&assert.test);
        }
    }
    made
}

/// Takes the tests of abstract rules into the rules that extend them.
fn extend(pattern: &mut Pattern) -> Result<(), String> {
    let bodies: BTreeMap<String, Rule> = pattern
        .rules
        .iter()
        .filter(|rule| rule.is_abstract)
        .map(|rule| (rule.id.clone(), rule.clone()))
        .collect();
    pattern.rules.retain(|rule| !rule.is_abstract);
    for rule in &mut pattern.rules {
        for name in std::mem::take(&mut rule.extends) {
            let body = bodies.get(&name).ok_or_else(|| format!("no abstract rule {name}"))?;
            rule.lets.extend(body.lets.iter().cloned());
            rule.asserts.splice(0..0, body.asserts.iter().cloned());
        }
    }
    Ok(())
}

fn value(element: Element<'_>, name: &str) -> String {
    element.attribute(name).unwrap_or_default().trim().to_owned()
}
