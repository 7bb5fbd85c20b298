//! Every expression of the official rule files of the corpora compiles.
//!
//! Files that are included by others use what these declare, so the prefixes of any file of a
//! family are declared for all of them, and functions and variables for all families, because
//! some are put together from parts of another. Abstract patterns are left out: their texts are
//! expressions only after substitution, which the Schematron room tests.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::super::*;
use crate::tree::{Document, Element, Limits};

const SCHEMATRON: [&str; 2] =
    ["http://purl.oclc.org/dsdl/schematron", "http://www.ascc.net/xml/schematron"];
const XSLT: &str = "http://www.w3.org/1999/XSL/Transform";

fn rule_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            rule_files(&path, found);
        } else if path.extension().is_some_and(|ext| ext.eq_ignore_ascii_case("sch")) {
            found.push(path);
        }
    }
}

/// What the files of one family declare.
#[derive(Default)]
struct Family {
    prefixes: HashMap<String, String>,
    keys: Vec<[String; 3]>,
    files: Vec<(String, Document)>,
}

/// What the files of all families declare.
#[derive(Default)]
struct Shared {
    functions: HashSet<(String, usize)>,
    variables: HashSet<String>,
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test reads official files")]
fn every_expression_of_the_official_rules_compiles() {
    let Some(folder) = quoin_testing::shared("corpora") else { return };
    let mut files = Vec::new();
    rule_files(&folder, &mut files);
    let mut shared = Shared::default();
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for file in &files {
        let name = file.strip_prefix(&folder).unwrap().display().to_string();
        let document = parse(&std::fs::read(file).unwrap());
        let document = document.unwrap_or_else(|error| panic!("{name}: {error}"));
        let family = families.entry(name.split('/').next().unwrap().to_owned()).or_default();
        family.declare(document.root(), &mut shared);
        family.files.push((name, document));
    }
    let (mut compiled, mut failed) = (0, Vec::new());
    for family in families.values() {
        for (name, document) in &family.files {
            let (mut compiler, mut scope) = family.compiler(document.root(), &shared);
            let mut seen = HashSet::new();
            for (pattern, text) in expressions(document.root()) {
                if !seen.insert((pattern, text)) {
                    continue;
                }
                let result = if pattern {
                    compiler.compile_pattern(text, &mut scope).map(drop)
                } else {
                    compiler.compile(text, &mut scope).map(drop)
                };
                compiled += 1;
                if let Err(error) = result {
                    failed.push(format!("{name}: {error}"));
                }
            }
        }
    }
    println!("{} files, {compiled} expressions", files.len());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Reads a rule file; some old ones are in ISO-8859-1, whose bytes are the code points.
fn parse(bytes: &[u8]) -> Result<Document, crate::tree::ParseError> {
    let limits = Limits { attributes: 2_000, ..Limits::default() };
    Document::parse(bytes, &limits).or_else(|_| {
        let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
        let body = text.split_once("?>").map_or("", |(_, body)| body);
        Document::parse(body.as_bytes(), &limits)
    })
}

impl Family {
    fn declare(&mut self, root: Element<'_>, shared: &mut Shared) {
        for element in root.descendants() {
            let value = |name: &str| element.attribute(name).unwrap_or_default().to_owned();
            let mut prefixes: Vec<_> =
                element.declarations().map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
            match (element.namespace(), element.local()) {
                (space, "ns") if SCHEMATRON.contains(&space) => {
                    prefixes.push((value("prefix"), value("uri")));
                }
                (space, "let") if SCHEMATRON.contains(&space) => {
                    shared.variables.insert(value("name"));
                }
                (XSLT, "variable" | "param") => {
                    shared.variables.insert(value("name"));
                }
                (XSLT, "function") => {
                    let arity = element.children_named(XSLT, "param").count();
                    shared.functions.insert((value("name"), arity));
                }
                (XSLT, "key") => self.keys.push([value("name"), value("match"), value("use")]),
                _ => {}
            }
            for (prefix, uri) in prefixes {
                self.prefixes.insert(prefix, uri);
            }
        }
    }

    fn compiler(&self, root: Element<'_>, shared: &Shared) -> (Compiler, VariableScope) {
        let (mut compiler, mut scope) = (Compiler::new(), VariableScope::new());
        for (prefix, uri) in &self.prefixes {
            compiler.declare_prefix(prefix, uri);
        }
        for element in root.children_named(root.namespace(), "ns") {
            let value = |name: &str| element.attribute(name).unwrap_or_default();
            compiler.declare_prefix(value("prefix"), value("uri"));
        }
        for name in &shared.variables {
            let variable = compiler.declare_variable();
            scope.declare_variable(name, variable);
        }
        for (name, arity) in &shared.functions {
            let _ = compiler.declare_function(name, *arity);
        }
        for [name, pattern, value] in &self.keys {
            compiler.declare_key(name, pattern, value).unwrap();
        }
        (compiler, scope)
    }
}

/// Texts of a file that are patterns (`true`) or expressions.
fn expressions<'d>(root: Element<'d>) -> Vec<(bool, &'d str)> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(element) = open.pop() {
        if element.attribute("abstract") == Some("true") && element.local() == "pattern" {
            continue;
        }
        open.extend(element.elements());
        let schematron = SCHEMATRON.contains(&element.namespace());
        let names: &[(&str, bool)] = match element.local() {
            "rule" if schematron => &[("context", true)],
            "assert" | "report" if schematron => &[("test", false)],
            "let" if schematron => &[("value", false)],
            "value-of" if schematron => &[("select", false)],
            "name" if schematron => &[("path", false)],
            _ if element.namespace() == XSLT => &[("select", false), ("test", false)],
            _ => &[],
        };
        for (name, pattern) in names {
            if let Some(text) = element.attribute(name).filter(|text| !text.trim().is_empty()) {
                found.push((*pattern, text));
            }
        }
    }
    found
}
