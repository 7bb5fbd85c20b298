//! Checks an element of a document and everything inside it (part 1 sections 3.3.4 to 3.11.4).

mod attributes;
mod content;
mod describe;
mod identifiers;
mod place;

use std::borrow::Cow;
use std::collections::HashMap;

use super::builtin::{ANY_TYPE, XSI};
use super::identity::Scopes;
use super::model::DocName;
use super::schema::{Content, ElementDecl, NONE, Schema, TypeRef, flag};
use super::violation::{SchemaVerdict, Violation};
use super::{MAX_CHECKED_DEPTH, MAX_VIOLATIONS};
use crate::tree::{Attribute, Document, Element, NodeId};
use place::ViolationPlaces;

/// Characters of an offending value that are kept.
const MAX_VALUE: usize = 200;

impl Schema {
    /// Checks an element, usually the document element, against its global declaration.
    ///
    /// Takes time linear in the size of the element; a name is looked up once for a document.
    pub fn validate(&self, element: Element<'_>) -> SchemaVerdict {
        self.run(element, MAX_VIOLATIONS)
    }

    /// Whether an element is as its global declaration says: ends with the first violation.
    pub fn is_valid(&self, element: Element<'_>) -> bool {
        let verdict = self.run(element, 0);
        verdict.violations.is_empty() && !verdict.is_cut
    }

    fn run(&self, element: Element<'_>, most: usize) -> SchemaVerdict {
        let document = element.document();
        let instance = |local| document.name_id(XSI, local).map(|it| it.0);
        let mut run = SchemaRun {
            schema: self,
            document,
            names: self.resolve(document),
            xsi: Xsi { ty: instance("type"), nil: instance("nil") },
            verdict: SchemaVerdict::default(),
            most,
            places: ViolationPlaces::default(),
            depth: 0,
            ids: HashMap::new(),
            refs: Vec::new(),
            scopes: Scopes::default(),
        };
        let name = run.doc_name(element);
        match self.name(name.name).map(|it| it.element).filter(|&it| it != NONE) {
            Some(declaration) => run.element(element, declaration),
            None => {
                let expected = run.describe_roots();
                run.report("cvc-elt.1", element, expected, run.found(element));
            }
        }
        run.check_references();
        run.verdict
    }

    /// What the schema calls each name of a document.
    fn resolve(&self, document: &Document) -> Vec<DocName> {
        // A hostile document has as many namespaces as elements.
        let mut namespaces: HashMap<&str, u32> = HashMap::new();
        let count = document.name_count() as u32;
        (0..count)
            .map(|id| {
                let (uri, local) = document.name(crate::tree::NameId(id));
                let namespace = *namespaces
                    .entry(uri)
                    .or_insert_with(|| self.find_namespace(uri).unwrap_or(NONE));
                let name = match namespace {
                    NONE => NONE,
                    known => self.find_local(known, local).unwrap_or(NONE),
                };
                DocName { name, namespace }
            })
            .collect()
    }
}

/// The numbers that the attributes of the instance namespace have in the document.
#[derive(Debug, Clone, Copy)]
struct Xsi {
    ty: Option<u32>,
    nil: Option<u32>,
}

/// One check: the schema, the document, and what was found so far.
pub(super) struct SchemaRun<'s, 'd> {
    pub(super) schema: &'s Schema,
    document: &'d Document,
    names: Vec<DocName>,
    xsi: Xsi,
    verdict: SchemaVerdict,
    /// Violations that are told.
    most: usize,
    places: ViolationPlaces,
    depth: usize,
    /// Identifiers and the elements that have them.
    ids: HashMap<String, NodeId>,
    refs: Vec<(String, NodeId)>,
    pub(super) scopes: Scopes,
}

impl<'d> SchemaRun<'_, 'd> {
    pub(super) fn doc_name(&self, element: Element<'d>) -> DocName {
        let name = self.document.name_of(element.id()).map_or(u32::MAX, |it| it.0);
        self.names.get(name as usize).copied().unwrap_or(DocName { name: NONE, namespace: NONE })
    }

    pub(super) fn report(
        &mut self,
        clause: &'static str,
        element: Element<'d>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        self.push(clause, element, None, None, expected.into(), found.into());
    }

    fn push(
        &mut self,
        clause: &'static str,
        element: Element<'d>,
        attribute: Option<Attribute<'d>>,
        value: Option<&str>,
        expected: String,
        found: String,
    ) {
        if self.verdict.violations.len() >= self.most {
            self.verdict.is_cut = true;
            return;
        }
        let mut path = self.places.path(element);
        if let Some(attribute) = attribute {
            path.push_str("/@");
            path.push_str(&describe::attribute_name(attribute));
        }
        let value = value.map(|it| it.chars().take(MAX_VALUE).collect());
        let position = self.places.position(element);
        self.verdict.violations.push(Violation { clause, path, position, value, expected, found });
    }

    /// Whether there are too many violations to go on.
    fn is_full(&self) -> bool {
        self.verdict.is_cut
    }

    /// `cvc-elt`: an element and its declaration.
    pub(super) fn element(&mut self, element: Element<'d>, declaration: u32) {
        let schema = self.schema;
        let Some(declaration) = schema.element(declaration) else { return };
        if declaration.flags & flag::ABSTRACT != 0 {
            let expected = "an element that may stand for this abstract one";
            self.report("cvc-elt.2", element, expected, self.found(element));
            return;
        }
        let mut ty = declaration.ty;
        let mut is_nil = false;
        if self.xsi.ty.is_some() || self.xsi.nil.is_some() {
            ty = self.instance_type(element, declaration.ty, declaration.flags);
            is_nil = self.is_nil(element, declaration);
        }
        self.typed(element, ty, Some(declaration), is_nil);
    }

    /// An element whose type is known: attributes, content, identity constraints.
    fn typed(
        &mut self,
        element: Element<'d>,
        ty: TypeRef,
        declaration: Option<&ElementDecl>,
        is_nil: bool,
    ) {
        if self.depth >= MAX_CHECKED_DEPTH || self.is_full() {
            self.verdict.is_cut = true;
            if self.verdict.violations.is_empty() {
                let expected = format!("at most {MAX_CHECKED_DEPTH} elements inside one another");
                self.report("limit", element, expected, "more");
            }
            return;
        }
        self.depth += 1;
        let constraints = declaration.map(|it| it.constraints).unwrap_or_default();
        let opened = self.scopes.open(constraints);
        match ty {
            TypeRef::Complex(at) => self.complex(element, at, declaration, is_nil),
            TypeRef::Simple(at) => {
                self.no_attributes(element);
                self.simple_content(element, at, declaration, is_nil, "cvc-type.3.1.2");
            }
            TypeRef::None => {}
        }
        if opened {
            self.close_scope(element, constraints);
        }
        self.depth -= 1;
    }

    fn xsi_attribute(&self, element: Element<'d>, wanted: Option<u32>) -> Option<Attribute<'d>> {
        let wanted = wanted?;
        let is_wanted =
            |&id: &u32| self.document.attribute_name(id).is_some_and(|it| it.0 == wanted);
        self.document.attribute(element.attribute_ids().find(is_wanted)?)
    }

    /// `cvc-elt.4`: the type that `xsi:type` names, where it may stand for the declared one.
    fn instance_type(&mut self, element: Element<'d>, declared: TypeRef, flags: u32) -> TypeRef {
        let Some(attribute) = self.xsi_attribute(element, self.xsi.ty) else { return declared };
        match self.type_of_instance(element, attribute.value, declared, flags) {
            Ok(ty) => ty,
            Err((clause, expected)) => {
                let text = attribute.value;
                let found = describe::value(text);
                self.push(clause, element, Some(attribute), Some(text), expected.to_owned(), found);
                declared
            }
        }
    }

    fn type_of_instance(
        &self,
        element: Element<'d>,
        text: &str,
        declared: TypeRef,
        flags: u32,
    ) -> Result<TypeRef, (&'static str, &'static str)> {
        let text = text.trim_matches(super::value::is_space);
        let (prefix, local) = text.split_once(':').unwrap_or(("", text));
        if !super::value::is_name(local, false) {
            return Err(("cvc-elt.4.1", "the name of a type"));
        }
        let namespace = match element.resolve_prefix(prefix) {
            Some(namespace) => namespace,
            None if prefix.is_empty() => "",
            None => return Err(("cvc-elt.4.1", "a name whose prefix is declared")),
        };
        let name = self.schema.find_name(namespace, local);
        let ty = name.and_then(|it| self.schema.name(it)).map_or(TypeRef::None, |it| it.ty);
        if ty == TypeRef::None {
            return Err(("cvc-elt.4.2", "a type of the schema"));
        }
        let of_type = match declared {
            TypeRef::Complex(at) => self.schema.complex_type(at).map_or(0, |it| it.flags),
            _ => 0,
        };
        if !self.schema.is_derived(ty, declared, flags | of_type) {
            return Err(("cvc-elt.4.3", "a type derived from the declared one"));
        }
        Ok(ty)
    }

    /// `cvc-elt.3`.
    fn is_nil(&mut self, element: Element<'d>, declaration: &ElementDecl) -> bool {
        let Some(attribute) = self.xsi_attribute(element, self.xsi.nil) else { return false };
        let text = attribute.value.trim();
        if declaration.flags & flag::NILLABLE == 0 {
            let expected = "no xsi:nil: the element is not nillable".to_owned();
            self.push("cvc-elt.3.1", element, Some(attribute), Some(text), expected, "it".into());
            return false;
        }
        match text {
            "true" | "1" => {
                if declaration.flags & flag::FIXED != 0 {
                    self.report("cvc-elt.3.2.2", element, "its fixed value", "xsi:nil");
                }
                true
            }
            "false" | "0" => false,
            other => {
                let expected = "true, false, 1 or 0".to_owned();
                let clause = "cvc-datatype-valid.1.2.1";
                let found = format!("{other:?}");
                self.push(clause, element, Some(attribute), Some(other), expected, found);
                false
            }
        }
    }

    /// `cvc-complex-type`.
    fn complex(
        &mut self,
        element: Element<'d>,
        at: u32,
        declaration: Option<&ElementDecl>,
        is_nil: bool,
    ) {
        let schema = self.schema;
        let Some(ty) = schema.complex_type(at) else { return };
        if ty.flags & flag::ABSTRACT != 0 {
            let expected = "xsi:type with a type derived from this abstract one";
            self.report("cvc-type.2", element, expected, self.found(element));
        }
        let wildcard = schema.wildcards.get(ty.wildcard as usize);
        let uses = (ty.attributes.of(&schema.attributes), schema.required(at));
        self.attributes(element, uses, wildcard);
        match ty.content {
            Content::Simple(simple) => {
                self.simple_content(element, simple, declaration, is_nil, "cvc-complex-type.2.2");
            }
            Content::Empty => self.no_content(element, "cvc-complex-type.2.1", "no content"),
            Content::Elements(_) if is_nil => {
                self.no_content(element, "cvc-elt.3.2.1", "nothing inside a nil element");
            }
            Content::Elements(_) => {
                let is_mixed = ty.flags & flag::MIXED != 0;
                self.children(element, at, is_mixed);
                if is_mixed && let Some(declaration) = declaration {
                    self.fixed_mixed(element, declaration);
                }
            }
        }
    }

    /// `cvc-elt.5.2.2.2.1`: a fixed value of mixed content.
    fn fixed_mixed(&mut self, element: Element<'d>, declaration: &ElementDecl) {
        if declaration.flags & flag::FIXED == 0 {
            return;
        }
        let has_elements = element.elements().next().is_some();
        let text = element.text();
        let fixed = self.schema.text(declaration.value);
        if has_elements {
            self.report("cvc-elt.5.2.2.1", element, format!("the text {fixed:?}"), "elements");
        } else if text != fixed && !text.is_empty() {
            let expected = format!("the fixed value {fixed:?}");
            self.report("cvc-elt.5.2.2.2.1", element, expected, format!("{text:?}"));
        }
    }

    /// Text content: of a simple type, or of a complex type with simple content.
    fn simple_content(
        &mut self,
        element: Element<'d>,
        ty: u32,
        declaration: Option<&ElementDecl>,
        is_nil: bool,
        clause: &'static str,
    ) {
        if is_nil {
            self.no_content(element, "cvc-elt.3.2.1", "nothing inside a nil element");
            return;
        }
        if let Some(child) = element.elements().next() {
            let found = self.found(child);
            self.report(clause, child, format!("only text in {}", element.qualified_name()), found);
            return;
        }
        if self.is_of_no_account(ty, declaration.map_or(0, |it| it.flags)) {
            return;
        }
        let mut text = element.text();
        if text.is_empty()
            && let Some(it) = declaration
            && it.flags & (flag::DEFAULT | flag::FIXED) != 0
        {
            text = Cow::Owned(self.schema.text(it.value).to_owned());
        }
        let problems = self.schema.problems(ty, &text, element);
        if problems.is_empty() {
            self.record(element, None, ty, &text);
        }
        for problem in problems {
            let found = describe::value(&text);
            self.push(problem.clause, element, None, Some(&text), problem.expected, found);
        }
        if let Some(it) = declaration.filter(|it| it.flags & flag::FIXED != 0) {
            let fixed = self.schema.text(it.value);
            if self.schema.key(ty, fixed, element) != self.schema.key(ty, &text, element) {
                let expected = format!("the fixed value {fixed:?}");
                let found = describe::value(&text);
                let clause = "cvc-elt.5.2.2.2.2";
                self.push(clause, element, None, Some(&text), expected, found);
            }
        }
    }

    /// Whether nothing that a value of a type can say matters to what it is declared as.
    fn is_of_no_account(&self, ty: u32, flags: u32) -> bool {
        self.schema.is_free(ty) && flags & flag::FIXED == 0 && !self.scopes.is_open()
    }

    /// An element without declaration below a lax wildcard: it is taken as `xs:anyType`.
    pub(super) fn lax(&mut self, element: Element<'d>) {
        let any = TypeRef::Complex(ANY_TYPE);
        let named = self.xsi_attribute(element, self.xsi.ty);
        let named = named.and_then(|it| self.type_of_instance(element, it.value, any, 0).ok());
        let ty = named.unwrap_or(any);
        self.typed(element, ty, None, false);
    }
}
