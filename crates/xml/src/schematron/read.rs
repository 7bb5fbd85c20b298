//! Reads the files of a rule set into a [`Source`]: includes resolved, everything else as written.
//!
//! Whatever is neither read here nor known to be without effect is refused with its place.

mod messages;
mod rules;
mod sequences;

use std::collections::HashMap;

use super::error::LoadError;
use super::library::{ParsedFiles, SourceElement};
use super::source::{
    Let, Phase, PrefixMap, SchematronSource, ScopedExpression, VariableValue, XslKey,
};
use crate::namespaces::{SCHEMATRON, SCHEMATRON_1, XINCLUDE, XSLT};
use crate::tree::{Element, Node};

/// How deep includes may nest.
const MAX_INCLUDES: usize = 32;
/// Query bindings that mean XPath 2.0, or a subset of it, here.
const BINDINGS: &[&str] = &["", "xslt", "xslt1", "xpath", "xslt2", "xpath2", "xslt3", "xpath3"];

/// Reads the main file and what it includes.
pub(super) fn read(library: &ParsedFiles) -> Result<SchematronSource, LoadError> {
    let mut reader =
        SchematronReader { source: SchematronSource::default(), scopes: HashMap::new() };
    if let Some(main) = library.main() {
        reader.schema(main)?;
    }
    Ok(reader.source)
}

struct SchematronReader {
    source: SchematronSource,
    /// The scope of elements that declare namespaces, by file and offset.
    scopes: HashMap<(usize, usize), usize>,
}

/// What an element is to the reader.
enum Sort {
    Schematron,
    Xslt,
    Foreign,
}

fn sort(element: Element<'_>) -> Sort {
    match element.namespace() {
        SCHEMATRON => Sort::Schematron,
        XSLT => Sort::Xslt,
        _ => Sort::Foreign,
    }
}

impl SchematronReader {
    fn schema(&mut self, part: SourceElement<'_>) -> Result<(), LoadError> {
        let root = part.element;
        if !root.is(SCHEMATRON, "schema") {
            let found = format!("{{{}}}{}", root.namespace(), root.local());
            return Err(match root.namespace() {
                SCHEMATRON_1 => part.unsupported("Schematron 1.5 (the namespace before ISO)"),
                _ => part.invalid(format!("{{{SCHEMATRON}}}schema"), found),
            });
        }
        let binding = root.attribute("queryBinding").unwrap_or_default().to_ascii_lowercase();
        if !BINDINGS.contains(&binding.as_str()) {
            return Err(part.unsupported(format!("the query binding {binding:?}")));
        }
        self.source.default_phase = root.attribute("defaultPhase").map(str::to_owned);
        self.source.version = root.attribute("schemaVersion").map(str::to_owned);
        let parts = self.contents(part)?;
        for part in &parts {
            if part.element.is(SCHEMATRON, "ns") {
                let (prefix, uri) = (part.required("prefix")?, part.required("uri")?);
                self.source.namespaces.insert(prefix.to_owned(), uri.to_owned());
            }
        }
        parts.into_iter().try_for_each(|part| self.top(part))
    }

    /// An element at the top of a schema.
    fn top(&mut self, part: SourceElement<'_>) -> Result<(), LoadError> {
        match (sort(part.element), part.element.local()) {
            (Sort::Schematron, "ns" | "p") => {}
            (Sort::Schematron, "title") => self.source.title = Some(text_of(part.element)),
            (Sort::Schematron, "let") => {
                let found = self.variable(part, "value")?;
                self.source.lets.push(found);
            }
            (Sort::Schematron, "phase") => self.phase(part)?,
            (Sort::Schematron, "pattern") => {
                let pattern = self.pattern(part)?;
                self.source.patterns.push(pattern);
            }
            (Sort::Schematron, "diagnostics") => self.diagnostics(part)?,
            // Properties carry no verdict and no text of a message; nothing here reports them.
            (Sort::Schematron, "properties") => self.pass_over(part, "properties are not reported"),
            (Sort::Xslt, "function") => {
                let function = self.function(part)?;
                self.source.functions.push(function);
            }
            (Sort::Xslt, "key") => self.key(part)?,
            (Sort::Xslt, "variable" | "param") => {
                let found = self.variable(part, "select")?;
                self.source.lets.push(found);
            }
            // Whether the result of a transformation is indented has no effect on a verdict.
            (Sort::Xslt, "output") => {}
            (Sort::Foreign, _) => self.foreign(part),
            _ => return Err(self.unknown(part, "schema")),
        }
        Ok(())
    }

    fn phase(&mut self, part: SourceElement<'_>) -> Result<(), LoadError> {
        let mut phase =
            Phase { id: part.required("id")?.to_owned(), lets: Vec::new(), active: Vec::new() };
        for child in self.contents(part)? {
            match (sort(child.element), child.element.local()) {
                (Sort::Schematron, "active") => {
                    phase.active.push((child.required("pattern")?.to_owned(), child.origin()));
                }
                (Sort::Schematron, "let") => phase.lets.push(self.variable(child, "value")?),
                (Sort::Schematron, "p") => {}
                (Sort::Foreign, _) => self.foreign(child),
                _ => return Err(self.unknown(child, "phase")),
            }
        }
        self.source.phases.push(phase);
        Ok(())
    }

    /// `let`, `xsl:variable`, `xsl:param`: a value in an attribute, or else in the content.
    fn variable(&mut self, part: SourceElement<'_>, attribute: &str) -> Result<Let, LoadError> {
        let allowed = ["name", attribute, "as", "required", "static", "xml:lang"];
        part.allow(&allowed)?;
        let value = match part.element.attribute(attribute) {
            Some(text) => VariableValue::Select(self.code(part, text)),
            None => VariableValue::Body(self.sequence(part)?),
        };
        Ok(Let {
            name: part.required("name")?.trim().to_owned(),
            declared: part.element.attribute("as").map(str::to_owned),
            value,
            origin: part.origin(),
        })
    }

    fn key(&mut self, part: SourceElement<'_>) -> Result<(), LoadError> {
        part.allow(&["name", "match", "use"])?;
        let name = part.required("name")?.trim().to_owned();
        let matching = self.code(part, part.required("match")?);
        let using = self.code(part, part.required("use")?);
        self.source.keys.push(XslKey { name, matching, using });
        Ok(())
    }

    /// The child elements, with those of included files in the place of their includes.
    fn contents<'l>(
        &mut self,
        part: SourceElement<'l>,
    ) -> Result<Vec<SourceElement<'l>>, LoadError> {
        let mut found = Vec::new();
        self.collect(part, 0, &mut found)?;
        Ok(found)
    }

    fn collect<'l>(
        &mut self,
        parent: SourceElement<'l>,
        depth: usize,
        found: &mut Vec<SourceElement<'l>>,
    ) -> Result<(), LoadError> {
        for element in parent.element.elements() {
            let part = parent.with(element);
            if depth > MAX_INCLUDES {
                let (what, limit) = ("includes inside one another", MAX_INCLUDES);
                return Err(LoadError::Limit { origin: part.origin(), what, limit });
            }
            let is_include = element.is(SCHEMATRON, "include") || element.is(XINCLUDE, "include");
            if is_include {
                if element.attribute("parse").is_some_and(|parse| parse != "xml") {
                    return Err(part.unsupported("the inclusion of text"));
                }
                self.include(part.target()?, depth, found)?;
            } else if element.is(SCHEMATRON, "extends") && element.attribute("href").is_some() {
                let target = part.target()?;
                let (own, other) = (parent.element.local(), target.element.local());
                if own != other {
                    return Err(part.invalid(format!("a reference to an element {own}"), other));
                }
                self.collect(target, depth + 1, found)?;
            } else {
                found.push(part);
            }
        }
        Ok(())
    }

    /// An included element, or what it includes in its turn.
    fn include<'l>(
        &mut self,
        target: SourceElement<'l>,
        depth: usize,
        found: &mut Vec<SourceElement<'l>>,
    ) -> Result<(), LoadError> {
        if depth > MAX_INCLUDES {
            let (what, limit) = ("includes inside one another", MAX_INCLUDES);
            return Err(LoadError::Limit { origin: target.origin(), what, limit });
        }
        let element = target.element;
        if element.is(SCHEMATRON, "include") || element.is(XINCLUDE, "include") {
            return self.include(target.target()?, depth + 1, found);
        }
        found.push(target);
        Ok(())
    }

    fn code(&mut self, part: SourceElement<'_>, text: &str) -> ScopedExpression {
        let scope = self.scope(part);
        ScopedExpression { text: text.to_owned(), origin: part.origin(), scope }
    }

    /// The index of the declarations in scope of an element.
    fn scope(&mut self, part: SourceElement<'_>) -> usize {
        let ancestors = std::iter::successors(Some(part.element), |element| element.parent());
        let mut declaring = ancestors.filter(|element| element.declarations().next().is_some());
        let Some(nearest) = declaring.next() else { return self.scope_of(PrefixMap::new()) };
        let place = (part.file, nearest.offset());
        if let Some(&known) = self.scopes.get(&place) {
            return known;
        }
        let mut declared = PrefixMap::new();
        for element in std::iter::once(nearest).chain(declaring) {
            for (prefix, uri) in element.declarations().filter(|(prefix, _)| !prefix.is_empty()) {
                declared.entry(prefix.to_owned()).or_insert_with(|| uri.to_owned());
            }
        }
        let scope = self.scope_of(declared);
        self.scopes.insert(place, scope);
        scope
    }

    fn scope_of(&mut self, declared: PrefixMap) -> usize {
        let scopes = &mut self.source.scopes;
        scopes.iter().position(|known| *known == declared).unwrap_or_else(|| {
            scopes.push(declared);
            scopes.len() - 1
        })
    }

    fn pass_over(&mut self, part: SourceElement<'_>, why: &str) {
        self.source.notes.push((part.origin(), why.to_owned()));
    }

    /// An element of another namespace: documentation, by the standard.
    fn foreign(&mut self, part: SourceElement<'_>) {
        let element = part.element;
        if element.namespace().is_empty() && matches!(element.local(), "rule" | "assert" | "report")
        {
            let name = element.local();
            self.pass_over(part, &format!("{name} is in no namespace and therefore not a rule"));
        }
    }

    fn unknown(&self, part: SourceElement<'_>, parent: &str) -> LoadError {
        part.unsupported(format!("{} inside {parent}", part.element.qualified_name()))
    }
}

/// All text inside an element, white space collapsed.
fn text_of(element: Element<'_>) -> String {
    let mut text = String::new();
    collect_text(element, &mut text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn collect_text(element: Element<'_>, text: &mut String) {
    for child in element.children() {
        match child {
            Node::Text(piece) => text.push_str(piece),
            Node::Element(inner) => collect_text(inner, text),
            _ => {}
        }
    }
}
