//! A compiled schema as text, so that a change of a table can be read: names, order, cardinality,
//! types and facets.
//!
//! ```text
//! element cac:Party = cac:PartyType
//! type cac:PartyType
//!   cbc:MarkCareIndicator? = udt:IndicatorType
//!   cac:PartyName* = cac:PartyNameType
//!   choice+
//!     cac:Person
//!     cac:Contact{0..3}
//! simple udt:IndicatorType = xs:boolean
//! ```
//! What stands below a type is a sequence, where nothing else is said. Global elements are told
//! where they are declared, and attributes that are those of the base not again.
//!
//! Everything of a schema is there but the types of XML Schema itself, the same in all schemas. The
//! text is made for people and is not read back.

mod page;
mod types;

use std::collections::BTreeMap;

use super::schema::{
    ConstraintKind, ElementDecl, NONE, Namespaces, Path, Process, Range, Schema, Step, Term, Test,
    TypeRef, UNBOUNDED, flag,
};
use page::Page;

impl Schema {
    /// The schema as text, in lines of at most 100 characters. The same schema always gives the
    /// same text.
    pub fn to_text(&self) -> String {
        let mut writer = Writer { schema: self, page: Page::default(), prefixes: prefixes(self) };
        writer.whole();
        writer.page.finish()
    }
}

/// A short name for each namespace: the first letters of the words of its last part.
fn prefixes(schema: &Schema) -> BTreeMap<&str, String> {
    let mut found: BTreeMap<&str, String> = BTreeMap::new();
    for name in &schema.names {
        let namespace = schema.text(name.namespace);
        if namespace.is_empty() || found.contains_key(namespace) {
            continue;
        }
        let short = match namespace {
            super::builtin::XSD => "xs".to_owned(),
            _ => short(namespace),
        };
        let is_taken = |name: &String| found.values().any(|known| known == name);
        let numbered = (2..).map(|number| format!("{short}{number}"));
        let free = std::iter::once(short.clone()).chain(numbered).find(|name| !is_taken(name));
        found.insert(namespace, free.unwrap_or(short));
    }
    found
}

fn short(namespace: &str) -> String {
    let is_word = |part: &&str| part.chars().filter(char::is_ascii_alphabetic).count() > 1;
    let parts = namespace.trim_end_matches('/').rsplit(['/', ':', '#']);
    let part = parts.filter(|part| !part.is_empty()).find(is_word).unwrap_or("ns");
    let capitals: String = part.chars().filter(char::is_ascii_uppercase).collect();
    let letters = || part.chars().filter(char::is_ascii_alphabetic).take(4).collect();
    let short = if capitals.len() > 1 { capitals } else { letters() };
    short.to_ascii_lowercase()
}

/// How often: nothing for once.
fn times(least: u32, most: u32) -> String {
    match (least, most) {
        (1, 1) => String::new(),
        (0, 1) => "?".to_owned(),
        (0, UNBOUNDED) => "*".to_owned(),
        (1, UNBOUNDED) => "+".to_owned(),
        (least, UNBOUNDED) => format!("{{{least}..}}"),
        (least, most) => format!("{{{least}..{most}}}"),
    }
}

/// Writes a schema on a page.
struct Writer<'s> {
    schema: &'s Schema,
    page: Page,
    prefixes: BTreeMap<&'s str, String>,
}

impl Writer<'_> {
    fn whole(&mut self) {
        for (namespace, prefix) in self.prefixes.clone() {
            self.page.line(0, &format!("namespace {prefix} {namespace}"));
        }
        let schema = self.schema;
        let names = schema.names.iter().enumerate();
        let mut names: Vec<_> = names.map(|(at, name)| (self.name(at as u32), name)).collect();
        names.sort_by(|one, next| one.0.cmp(&next.0));
        for (told, name) in names.iter().filter(|(told, _)| !told.starts_with("xs:")) {
            if let Some(element) = schema.element(name.element) {
                self.element(0, &format!("element {told}"), element);
            }
            if name.attribute != NONE {
                self.attribute(0, "global attribute", name.attribute);
            }
            match name.ty {
                TypeRef::None => {}
                TypeRef::Simple(ty) => self.simple(0, &format!("simple {told}"), ty),
                TypeRef::Complex(ty) => self.complex(0, &format!("type {told}"), ty),
            }
        }
    }

    /// A name with its prefix.
    fn name(&self, name: u32) -> String {
        let (namespace, local) = self.schema.expanded(name);
        match self.prefixes.get(namespace) {
            Some(prefix) => format!("{prefix}:{local}"),
            None => local.to_owned(),
        }
    }

    /// An element: what is said of it before, its name and its type; an own type stands below.
    fn element(&mut self, depth: usize, head: &str, element: &ElementDecl) {
        let schema = self.schema;
        let mut line = format!("{head} = {}", self.type_name(element.ty));
        let flags = [
            (flag::ABSTRACT, " abstract"),
            (flag::NILLABLE, " nillable"),
            (flag::BLOCK_EXTENSION, " block-extension"),
            (flag::BLOCK_RESTRICTION, " block-restriction"),
            (flag::BLOCK_SUBSTITUTION, " block-substitution"),
        ];
        line.extend(flags.iter().filter(|it| element.flags & it.0 != 0).map(|it| it.1));
        line.push_str(&self.value(element.flags, element.value));
        self.page.line(depth, &line);
        let members = element.substitutes.of(&schema.substitutes);
        if !members.is_empty() {
            let names: Vec<String> = members.iter().map(|it| self.name(it.0)).collect();
            self.page.line(depth + 1, &format!("or {}", names.join(" ")));
        }
        self.constraints(depth + 1, element.constraints);
        self.own_type(depth + 1, element.ty);
    }

    /// A default or a fixed value.
    fn value(&self, flags: u32, value: u32) -> String {
        let text = self.schema.text(value);
        match (flags & flag::FIXED != 0, flags & flag::DEFAULT != 0) {
            (true, _) => format!(" fixed {text:?}"),
            (_, true) => format!(" default {text:?}"),
            _ => String::new(),
        }
    }

    fn constraints(&mut self, depth: usize, constraints: Range) {
        let schema = self.schema;
        for constraint in constraints.of(&schema.constraints) {
            let kind = match constraint.kind {
                ConstraintKind::Unique => "unique",
                ConstraintKind::Key => "key",
                ConstraintKind::KeyRef => "keyref",
            };
            let mut line = format!("{kind} {}", self.name(constraint.name));
            if let Some(key) = schema.constraints.get(constraint.refer as usize) {
                line.push_str(&format!(" to {}", self.name(key.name)));
            }
            line.push_str(&format!(" of {}", self.paths(&constraint.selector)));
            for field in &constraint.fields {
                line.push_str(&format!(" by {}", self.paths(field)));
            }
            self.page.line(depth, &line);
        }
    }

    fn paths(&self, paths: &[Path]) -> String {
        let all: Vec<String> = paths.iter().map(|path| self.path(path)).collect();
        all.join("|")
    }

    fn path(&self, path: &Path) -> String {
        let mut steps: Vec<String> = Vec::new();
        for step in &path.steps {
            steps.push(match step {
                Step::This => ".".to_owned(),
                Step::Child(test) => self.test(*test),
            });
        }
        steps.extend(path.attribute.map(|test| format!("@{}", self.test(test))));
        format!("{}{}", if path.is_deep { ".//" } else { "" }, steps.join("/"))
    }

    fn test(&self, test: Test) -> String {
        match test {
            Test::Any => "*".to_owned(),
            Test::Namespace(namespace) => format!("{{{}}}*", self.schema.text(namespace)),
            Test::Name(name) => self.name(name),
        }
    }

    /// A particle and what is in it.
    fn particle(&mut self, depth: usize, at: u32) {
        let schema = self.schema;
        let Some(particle) = schema.particles.get(at as usize).filter(|_| depth < 64) else {
            return;
        };
        let times = times(particle.min, particle.max);
        let (word, list) = match particle.term {
            Term::Element(at) => {
                let Some(element) = schema.element(at) else { return };
                let head = format!("{}{times}", self.name(element.name));
                // A global element is told where it is declared.
                if schema.name(element.name).is_some_and(|name| name.element == at) {
                    return self.page.line(depth, &head);
                }
                return self.element(depth, &head, element);
            }
            Term::Wildcard(at) => {
                let line = format!("{}{times}", self.wildcard(at));
                return self.page.line(depth, &line);
            }
            Term::Sequence(list) => ("sequence", list),
            Term::Choice(list) => ("choice", list),
            Term::All(list) => ("all", list),
        };
        self.page.line(depth, &format!("{word}{times}"));
        self.particles(depth + 1, list);
    }

    /// What is in a group.
    pub(super) fn particles(&mut self, depth: usize, list: Range) {
        for &child in list.of(&self.schema.lists) {
            self.particle(depth, child);
        }
    }

    fn wildcard(&self, at: u32) -> String {
        let schema = self.schema;
        let Some(wildcard) = schema.wildcards.get(at as usize) else { return "any".to_owned() };
        let process = match wildcard.process {
            Process::Strict => "strict",
            Process::Lax => "lax",
            Process::Skip => "skip",
        };
        let text = |string: u32| match schema.text(string) {
            "" => "none".to_owned(),
            namespace => self.prefixes.get(namespace).cloned().unwrap_or(namespace.to_owned()),
        };
        match wildcard.namespaces {
            Namespaces::Any => format!("any {process}"),
            Namespaces::Not(namespace) => format!("any {process} not of {}", text(namespace)),
            Namespaces::List(list) => {
                let all: Vec<String> = list.of(&schema.lists).iter().map(|&it| text(it)).collect();
                format!("any {process} of {}", all.join(" "))
            }
        }
    }
}
