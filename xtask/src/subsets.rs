//! The structure rules of the official rule sets as tables: `crates/rules/src/subset/tables`,
//! with the code lists that they use, and the list of the rules that are left to write by hand.
//!
//! Facts only: a rule's identifier, its flag, the place it is about and what that place may hold.
//! A rule whose test is not one of the known shapes goes to `docs/reference/rules-by-hand.tsv`.

mod cen;
mod commodities;
mod notation;
mod recognise;
mod schematron;
mod sources;
mod tax_data;
#[cfg(test)]
mod tests;
mod write;
mod xpath;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::codes::{self, Lists};
use notation::{Path as Place, Test};
use recognise::Scope;
use sources::Source;
use xpath::{Expr, Start};

/// A rule set, read.
pub struct Set {
    pub source: Source,
    pub patterns: Vec<Pattern>,
    /// Rules whose context is not readable, or hidden behind one that is not.
    pub lost: Vec<Lost>,
}

/// A pattern: its rules in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pattern {
    pub rules: Vec<Rule>,
}

impl Set {
    /// Leaves out the patterns that repeat another set: all of their rules are there, as they are
    /// or in another release.
    fn leave_out(&mut self, base: &Set) {
        fn ids(pattern: &Pattern) -> impl Iterator<Item = &str> {
            pattern.rules.iter().flat_map(|rule| &rule.rows).map(|row| row.id.as_str())
        }
        let known: BTreeSet<&str> = base.patterns.iter().flat_map(ids).collect();
        self.patterns.retain(|pattern| !ids(pattern).all(|id| known.contains(id)));
    }
}

/// A rule: where, and its rows. A rule without rows still hides later rules of the pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub context: Vec<Place>,
    pub rows: Vec<Row>,
}

/// A row; without a test it is one to write by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub id: String,
    pub flag: char,
    pub test: Option<Test>,
}

/// A rule for the list of those to write by hand that the tables cannot hold a place for.
pub struct Lost {
    pub id: String,
    pub flag: char,
    pub context: String,
    pub why: &'static str,
}

/// What was made: paths below the root of the checkout, and texts.
pub struct Output {
    pub files: BTreeMap<String, String>,
    pub summary: String,
}

/// `cargo xtask subsets`: writes the tables into the checkout at `root`.
///
/// # Errors
/// A sentence that says which file could not be read or written.
pub fn run(root: &Path) -> Result<(), String> {
    let shared = crate::structure::shared(root)?;
    let output = generate(&shared)?;
    for (name, text) in &output.files {
        let path = root.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    print!("{}", output.summary);
    println!("wrote {} files", output.files.len());
    Ok(())
}

/// Reads every source below the folder of official artefacts and makes every file.
///
/// # Errors
/// A sentence that names the file that could not be read.
pub fn generate(shared: &Path) -> Result<Output, String> {
    let corpora = shared.join("corpora");
    let mut lists = Lists::default();
    for (release, folder) in sources::LIST_FOLDERS {
        lists.release(release);
        codes::read_folder(&mut lists, &corpora.join(folder))?;
    }
    let mut sets = Vec::new();
    for source in sources::sources() {
        lists.release(&format!("{}-{}", source.id, source.release));
        let mut set = read(source, &corpora, &mut lists)?;
        if let Some(base) = sets.iter().find(|base: &&Set| base.source.id == set.source.without) {
            set.leave_out(base);
        }
        sets.push(set);
    }
    let mut output = write::files(&sets);
    let path = "crates/model/src/codes/lists.txt".to_owned();
    output.files.insert(path, codes::text(&lists)?);
    output.files.insert(commodities::FILE.to_owned(), commodities::text(&corpora)?);
    Ok(output)
}

fn read(source: Source, corpora: &Path, lists: &mut Lists) -> Result<Set, String> {
    let schema = schematron::read_amended(&corpora.join(&source.path), source.amended)?;
    let documents = match source.code_data_base.as_str() {
        "" => BTreeMap::new(),
        path => codes::read::code_data_base(&corpora.join(path))?,
    };
    let mut prefixes = BTreeMap::new();
    for (prefix, namespace) in &schema.namespaces {
        // A rule that names another namespace is not readable, and so is left to write by hand.
        if let Some(own) = sources::prefix(namespace) {
            prefixes.insert(prefix.clone(), own);
        }
    }
    let mut set = Set { source, patterns: Vec::new(), lost: Vec::new() };
    for pattern in &schema.patterns {
        let mut scope = Scope {
            prefixes: &prefixes,
            global: BTreeMap::new(),
            local: BTreeMap::new(),
            documents: &documents,
            lists,
            rule: String::new(),
        };
        for (name, value) in schema.lets.iter().chain(&pattern.lets) {
            if let Some(expr) = xpath::parse(value).ok().filter(is_rooted) {
                scope.global.insert(name.clone(), expr);
            }
        }
        let pattern = read_pattern(pattern, &mut scope, &mut set.lost);
        if !pattern.rules.is_empty() {
            set.patterns.push(pattern);
        }
    }
    Ok(set)
}

fn read_pattern(
    pattern: &schematron::Pattern,
    scope: &mut Scope<'_>,
    lost: &mut Vec<Lost>,
) -> Pattern {
    let mut made = Pattern::default();
    let mut hidden: Vec<String> = Vec::new();
    for rule in &pattern.rules {
        scope.local = rule
            .lets
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), xpath::parse(value).ok()?)))
            .collect();
        let names = last_names(&rule.context);
        let is_hidden = hidden
            .iter()
            .any(|name| name == "*" || names.iter().any(|own| own == name || own == "*"));
        scope.rule = rule.asserts.first().map(identifier).unwrap_or_default();
        let context = scope.context(&rule.context);
        let why = if is_hidden { "hidden" } else { "context" };
        let Some(context) = context.filter(|_| !is_hidden) else {
            hidden.extend(names);
            lost.extend(rule.asserts.iter().map(|assert| Lost {
                id: identifier(assert),
                flag: flag(assert),
                context: rule.context.clone(),
                why,
            }));
            continue;
        };
        let rows = rule.asserts.iter().map(|assert| read_row(assert, scope)).collect();
        made.rules.push(Rule { context, rows });
    }
    made
}

fn read_row(assert: &schematron::Assert, scope: &mut Scope<'_>) -> Row {
    scope.rule = identifier(assert);
    let test = scope.test(&assert.test);
    let test = test.map(|test| if assert.is_report { test.negated() } else { test });
    Row { id: identifier(assert), flag: flag(assert), test }
}

/// The identifier; the reports of Factur-X on what is not used have none.
fn identifier(assert: &schematron::Assert) -> String {
    match (assert.id.as_str(), assert.is_report) {
        ("", true) => "FX-SCH-NOT-USED".to_owned(),
        ("", false) => "WITHOUT-ID".to_owned(),
        (id, _) => id.to_owned(),
    }
}

fn flag(assert: &schematron::Assert) -> char {
    match assert.flag.as_str() {
        "warning" => 'w',
        "information" => 'i',
        _ => 'f',
    }
}

/// Whether every path of a variable starts at the root, so that it says the same anywhere.
fn is_rooted(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::Number(_) | Expr::Variable(_) => true,
        Expr::Path(path) => match &path.start {
            Start::Root => true,
            Start::Here => false,
            Start::From(expr) => is_rooted(expr),
        },
        Expr::Call(name, arguments) => {
            let about_here = matches!(name.as_str(), "position" | "last")
                || (arguments.is_empty() && !matches!(name.as_str(), "true" | "false"));
            !about_here && arguments.iter().all(is_rooted)
        }
        Expr::Binary(_, left, right) => is_rooted(left) && is_rooted(right),
        Expr::Sequence(items) => items.iter().all(is_rooted),
        Expr::Some(_, sequence, test) => is_rooted(sequence) && is_rooted(test),
        Expr::Castable(expr, _) => is_rooted(expr),
    }
}

/// The names that the alternatives of a context end in, by a look that needs no grammar.
fn last_names(context: &str) -> Vec<String> {
    let mut depth = 0;
    let mut outside = String::new();
    for c in context.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            '(' | ')' => {}
            c if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    outside
        .split('|')
        .map(|part| part.rsplit(['/', ':']).next().unwrap_or_default().trim().to_owned())
        .collect()
}
