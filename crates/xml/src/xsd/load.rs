//! Loads schema documents: finds them, collects their global components, and builds the compiled
//! schema from them (part 1 section 4 and the mapping rules of section 3).

mod attributes;
mod complex;
mod declarations;
mod documents;
mod particles;
mod paths;
mod simple;

use std::collections::{HashMap, HashSet};

use documents::{SchemaDocument, gather};
pub use documents::{SchemaFiles, SchemaResolver};

use super::model::{Model, ModelError};
use super::schema::{NONE, Schema, SchemaName, TypeRef};
use super::{MAX_COMPONENTS, builtin};
use crate::tree::{Element, NodeId};
use builtin::XSD;

/// Why a schema could not be loaded: the first thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {clause}: {problem}")]
pub struct SchemaLoadError {
    /// The schema document, by its path in the resolver.
    pub file: String,
    /// Line, from 1; 0 where the document as a whole is meant.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The clause of XML Schema that is broken, or `unsupported`, or `limit`.
    pub clause: &'static str,
    /// What was expected and found.
    pub problem: String,
}

/// The symbol spaces of global components (part 1 section 2.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum SymbolSpace {
    Element,
    Type,
    Attribute,
    Group,
    AttributeGroup,
}

impl SymbolSpace {
    fn of(local: &str) -> Option<SymbolSpace> {
        Some(match local {
            "element" => SymbolSpace::Element,
            "simpleType" | "complexType" => SymbolSpace::Type,
            "attribute" => SymbolSpace::Attribute,
            "group" => SymbolSpace::Group,
            "attributeGroup" => SymbolSpace::AttributeGroup,
            _ => return None,
        })
    }

    fn describe(self) -> &'static str {
        match self {
            SymbolSpace::Element => "element",
            SymbolSpace::Type => "type",
            SymbolSpace::Attribute => "attribute",
            SymbolSpace::Group => "group",
            SymbolSpace::AttributeGroup => "attribute group",
        }
    }
}

/// A place in the schema documents: an element and the document it stands in.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'d> {
    pub(super) source: usize,
    pub(super) element: Element<'d>,
}

/// What is built later, so that types may refer to one another.
enum Pending<'d> {
    Element(u32, At<'d>),
    Complex(u32),
}

/// Builds a schema out of its documents.
pub(super) struct SchemaBuilder<'d> {
    pub(super) schema: Schema,
    sources: &'d [SchemaDocument],
    globals: HashMap<(SymbolSpace, &'d str, &'d str), At<'d>>,
    strings: HashMap<String, u32>,
    names: HashMap<(u32, u32), u32>,
    pending: Vec<Pending<'d>>,
    /// Complex types by index: where they are written, and whether they are built.
    complex_at: HashMap<u32, At<'d>>,
    complex_done: HashSet<u32>,
    /// What is being built; meeting it again is a circle.
    open: HashSet<(usize, NodeId)>,
    groups: HashMap<(usize, NodeId), u32>,
    /// The size of each particle, expanded.
    sizes: Vec<usize>,
    /// Identity constraints by name, and the `refer` of each `keyref` to look up at the end.
    constraints: HashMap<u32, u32>,
    refers: Vec<(u32, u32, At<'d>)>,
    /// The attributes of the `xml` namespace that a document declares.
    own_xml: HashSet<u32>,
}

impl Schema {
    /// Loads a schema from the documents at `entries` and all that they include and import.
    ///
    /// An import without `schemaLocation`, or whose location is not a file of the resolver, takes
    /// all documents of its namespace that the resolver knows; where there is none, the import is
    /// passed over and what refers to it fails.
    ///
    /// # Errors
    /// [`LoadError`]: the first thing that is wrong, not supported or over a limit.
    pub fn load(
        entries: &[&str],
        resolver: &dyn SchemaResolver,
    ) -> Result<Schema, SchemaLoadError> {
        let sources = gather(entries, resolver)?;
        let mut builder = SchemaBuilder {
            schema: Schema::default(),
            sources: &sources,
            globals: HashMap::new(),
            strings: HashMap::new(),
            names: HashMap::new(),
            pending: Vec::new(),
            complex_at: HashMap::new(),
            complex_done: HashSet::new(),
            open: HashSet::new(),
            groups: HashMap::new(),
            sizes: vec![1],
            constraints: HashMap::new(),
            refers: Vec::new(),
            own_xml: HashSet::new(),
        };
        builder.string("");
        builtin::add(&mut builder);
        builder.add_xml_attributes();
        builder.collect()?;
        builder.build()?;
        let mut schema = builder.schema;
        schema.prepare();
        check_models(&schema, &sources)?;
        Ok(schema)
    }
}

/// Compiles every content model once, so that one that cannot be run fails here.
fn check_models(schema: &Schema, sources: &[SchemaDocument]) -> Result<(), SchemaLoadError> {
    for (at, ty) in schema.complex.iter().enumerate() {
        let super::schema::Content::Elements(root) = ty.content else { continue };
        let problem = match Model::compile(schema, root) {
            Ok(model) => {
                if let Some(cell) = schema.caches.models.get(at) {
                    let _ = cell.set(model);
                }
                continue;
            }
            Err(problem) => problem,
        };
        let (_, local) = schema.expanded(ty.name);
        let (clause, what) = match problem {
            ModelError::TooLarge => ("limit", "has too large a content model"),
            ModelError::AllInsideGroup => ("cos-all-limited.1", "has xs:all inside a group"),
            ModelError::AllTooLarge => ("limit", "has more than 128 elements in xs:all"),
        };
        let file = sources.first().map(|it| it.path.clone()).unwrap_or_default();
        let problem = format!("the type {local} {what}");
        return Err(SchemaLoadError { file, line: 0, column: 0, clause, problem });
    }
    Ok(())
}

impl<'d> SchemaBuilder<'d> {
    pub(super) fn string(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.strings.get(text) {
            return known;
        }
        let at = self.schema.strings.ends.len() as u32;
        self.schema.strings.text.push_str(text);
        self.schema.strings.ends.push(self.schema.strings.text.len() as u32);
        self.strings.insert(text.to_owned(), at);
        at
    }

    pub(super) fn name(&mut self, namespace: &str, local: &str) -> u32 {
        let key = (self.string(namespace), self.string(local));
        if let Some(&known) = self.names.get(&key) {
            return known;
        }
        let at = self.schema.names.len() as u32;
        self.schema.names.push(SchemaName {
            namespace: key.0,
            local: key.1,
            element: NONE,
            attribute: NONE,
            ty: TypeRef::None,
        });
        self.names.insert(key, at);
        at
    }

    pub(super) fn fail(
        &self,
        at: At<'d>,
        clause: &'static str,
        problem: impl Into<String>,
    ) -> SchemaLoadError {
        let position = at.element.position();
        let file = self.sources.get(at.source).map(|it| it.path.clone()).unwrap_or_default();
        let problem = problem.into();
        SchemaLoadError { file, line: position.line, column: position.column, clause, problem }
    }

    fn source(&self, at: At<'d>) -> Option<&'d SchemaDocument> {
        self.sources.get(at.source)
    }

    fn target(&self, at: At<'d>) -> &'d str {
        self.source(at).map_or("", |source| source.target.as_str())
    }

    /// An attribute of the document's `xs:schema` element.
    fn schema_attribute(&self, at: At<'d>, name: &str) -> Option<&'d str> {
        self.source(at)?.document.root().attribute(name)
    }

    /// Child elements of the schema namespace, annotations left out.
    fn children(&self, at: At<'d>) -> Result<Vec<At<'d>>, SchemaLoadError> {
        let mut found = Vec::new();
        for element in at.element.elements() {
            if element.is(XSD, "annotation") {
                continue;
            }
            let child = At { source: at.source, element };
            if element.namespace() != XSD {
                let problem = format!("expected schema elements, found {element:?}");
                return Err(self.fail(child, "s4s-elt-invalid-content", problem));
            }
            found.push(child);
        }
        Ok(found)
    }

    /// Resolves a qualified name written in a schema document.
    fn qname(&self, at: At<'d>, text: &'d str) -> Result<(&'d str, &'d str), SchemaLoadError> {
        let text = text.trim();
        let (prefix, local) = text.split_once(':').unwrap_or(("", text));
        match at.element.resolve_prefix(prefix) {
            // A document without target namespace takes that of the one that includes it.
            Some("") | None if prefix.is_empty() => {
                let is_chameleon = self.source(at).is_some_and(|it| it.is_chameleon);
                Ok((if is_chameleon { self.target(at) } else { "" }, local))
            }
            Some(namespace) => Ok((namespace, local)),
            None => Err(self.fail(at, "src-qname", format!("the prefix {prefix} is not declared"))),
        }
    }

    fn global(
        &self,
        at: At<'d>,
        kind: SymbolSpace,
        (namespace, local): (&'d str, &'d str),
    ) -> Result<At<'d>, SchemaLoadError> {
        self.globals.get(&(kind, namespace, local)).copied().ok_or_else(|| {
            let what = kind.describe();
            let problem = format!("there is no {what} {local} in the namespace {namespace:?}");
            self.fail(at, "src-resolve", problem)
        })
    }

    fn collect(&mut self) -> Result<(), SchemaLoadError> {
        for (number, source) in self.sources.iter().enumerate() {
            let root = At { source: number, element: source.document.root() };
            for at in self.children(root)? {
                let local = at.element.local();
                match local {
                    "include" | "import" | "notation" => continue,
                    "redefine" | "override" | "defaultOpenContent" => {
                        let problem = format!("xs:{local} is not supported");
                        return Err(self.fail(at, "unsupported", problem));
                    }
                    _ => {}
                }
                let Some(kind) = SymbolSpace::of(local) else {
                    let problem = format!("xs:{local} cannot stand here");
                    return Err(self.fail(at, "s4s-elt-invalid-content.1", problem));
                };
                let Some(name) = at.element.attribute("name") else {
                    return Err(self.fail(at, "s4s-att-must-appear", "the name is missing"));
                };
                let key = (kind, source.target.as_str(), name.trim());
                if self.globals.insert(key, at).is_some() {
                    let problem = format!("there is a second {} {name}", kind.describe());
                    return Err(self.fail(at, "sch-props-correct.2", problem));
                }
            }
        }
        Ok(())
    }

    fn build(&mut self) -> Result<(), SchemaLoadError> {
        let mut all: Vec<_> = self.globals.iter().map(|(key, at)| (*key, *at)).collect();
        all.sort_by_key(|(_, at)| (at.source, at.element.id()));
        for ((kind, namespace, local), at) in &all {
            match kind {
                SymbolSpace::Element => drop(self.global_element(*at, (namespace, local))?),
                SymbolSpace::Attribute => drop(self.global_attribute(*at, (namespace, local))?),
                SymbolSpace::Type => drop(self.named_type(*at, (namespace, local))?),
                SymbolSpace::Group | SymbolSpace::AttributeGroup => {}
            }
            while let Some(next) = self.pending.pop() {
                match next {
                    Pending::Element(index, at) => self.finish_element(index, at)?,
                    Pending::Complex(index) => self.finish_complex(index)?,
                }
                self.check_size(*at)?;
            }
        }
        self.substitution_groups(&all)?;
        self.resolve_refers()
    }

    fn check_size(&self, at: At<'d>) -> Result<(), SchemaLoadError> {
        let schema = &self.schema;
        let largest = [
            schema.elements.len(),
            schema.complex.len(),
            schema.simple.len(),
            schema.particles.len(),
            schema.lists.len(),
            schema.attributes.len(),
            schema.facets.len(),
        ]
        .into_iter()
        .max();
        if largest.unwrap_or(0) > MAX_COMPONENTS {
            return Err(self.fail(at, "limit", "the schema has too many components"));
        }
        Ok(())
    }

    /// Marks a place as being built while `make` runs; meeting it again inside is a circle.
    fn guarded<T>(
        &mut self,
        at: At<'d>,
        clause: &'static str,
        make: impl FnOnce(&mut Self) -> Result<T, SchemaLoadError>,
    ) -> Result<T, SchemaLoadError> {
        let key = (at.source, at.element.id());
        if !self.open.insert(key) {
            return Err(self.fail(at, clause, "it is defined by itself"));
        }
        if self.open.len() > MAX_NESTING {
            return Err(self.fail(at, "limit", "definitions refer to one another too deeply"));
        }
        let made = make(self);
        self.open.remove(&key);
        made
    }
}

/// Definitions that are being built at the same time at most.
const MAX_NESTING: usize = 200;
