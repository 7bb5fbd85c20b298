//! Which documents make up a schema: `xs:include` and `xs:import` (part 1 section 4.2).

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use super::SchemaLoadError;
use crate::tree::{Document, Limits};
use crate::xsd::MAX_SCHEMA_DOCUMENTS;
use crate::xsd::builtin::XSD;

/// Where schema documents come from. It decides what can be reached: a path never leaves it.
pub trait SchemaResolver {
    /// The bytes of the document at a path: parts joined by `/`, without `.` and `..`.
    fn open(&self, path: &str) -> Option<Cow<'_, [u8]>>;

    /// The paths of all documents whose target namespace is this one.
    fn by_namespace(&self, namespace: &str) -> Vec<String>;
}

/// Schema documents held in memory, by path.
#[derive(Debug, Clone, Default)]
pub struct SchemaFiles {
    by_path: BTreeMap<String, (String, Vec<u8>)>,
}

impl SchemaFiles {
    /// No documents.
    pub fn new() -> SchemaFiles {
        SchemaFiles::default()
    }

    /// Adds a document. The path is relative, with `/` between its parts.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        let bytes = bytes.into();
        self.by_path.insert(path.into(), (target_of(&bytes), bytes));
    }

    /// The paths of all documents, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.by_path.keys().map(String::as_str)
    }
}

impl SchemaResolver for SchemaFiles {
    fn open(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.by_path.get(path).map(|(_, bytes)| Cow::Borrowed(bytes.as_slice()))
    }

    fn by_namespace(&self, namespace: &str) -> Vec<String> {
        let of_namespace = self.by_path.iter().filter(|(_, (target, _))| target == namespace);
        of_namespace.map(|(path, _)| path.clone()).collect()
    }
}

fn target_of(bytes: &[u8]) -> String {
    let limits = Limits::default();
    let document = Document::parse(&without_doctype(bytes), &limits).ok();
    let target = document.as_ref().and_then(|it| it.root().attribute("targetNamespace"));
    target.unwrap_or_default().to_owned()
}

/// Some published schema documents begin with a document type declaration. Nothing in it is read:
/// it is overwritten with spaces, and an entity that it declares stays unknown.
fn without_doctype(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(start) = memchr::memmem::find(bytes, b"<!DOCTYPE") else {
        return Cow::Borrowed(bytes);
    };
    let (mut depth, mut quote) = (0_usize, None);
    let mut rest = bytes.iter().enumerate().skip(start + 1);
    let mut comment_end = 0;
    let end = rest.find(|&(at, &byte)| {
        match (quote, byte) {
            _ if at < comment_end => {}
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'<') if bytes.get(at..).is_some_and(|it| it.starts_with(b"<!--")) => {
                let after = bytes.get(at..).unwrap_or_default();
                let length = memchr::memmem::find(after, b"-->").unwrap_or(after.len());
                comment_end = at + length + 3;
            }
            (None, b'<' | b'[') => depth += 1,
            (None, b'>') if depth == 0 => return true,
            (None, b'>' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        false
    });
    let Some((end, _)) = end else { return Cow::Borrowed(bytes) };
    let mut whole = bytes.to_vec();
    for byte in whole.iter_mut().take(end + 1).skip(start).filter(|it| **it != b'\n') {
        *byte = b' ';
    }
    Cow::Owned(whole)
}

/// A schema document that was read.
pub(super) struct SchemaDocument {
    pub(super) path: String,
    pub(super) document: Document,
    /// The target namespace that its components get.
    pub(super) target: String,
    /// Whether it has none of its own and was included by a document that has.
    pub(super) is_chameleon: bool,
}

struct Gatherer<'r> {
    resolver: &'r dyn SchemaResolver,
    sources: Vec<SchemaDocument>,
    /// Path and target namespace of what was read.
    seen: HashSet<(String, String)>,
    /// Namespaces that were imported by name.
    imported: HashSet<String>,
    queue: Vec<PendingDocument>,
}

struct PendingDocument {
    path: String,
    /// The namespace of the including document.
    includer: Option<String>,
    /// The namespace that an import asked for.
    import: Option<String>,
}

/// Reads the entries and everything they reach.
pub(super) fn gather(
    entries: &[&str],
    resolver: &dyn SchemaResolver,
) -> Result<Vec<SchemaDocument>, SchemaLoadError> {
    let mut gatherer = Gatherer {
        resolver,
        sources: Vec::new(),
        seen: HashSet::new(),
        imported: HashSet::new(),
        queue: Vec::new(),
    };
    for entry in entries.iter().rev() {
        gatherer.queue.push(PendingDocument {
            path: (*entry).to_owned(),
            includer: None,
            import: None,
        });
    }
    while let Some(wanted) = gatherer.queue.pop() {
        gatherer.read(wanted)?;
        if gatherer.sources.len() > MAX_SCHEMA_DOCUMENTS {
            let path = gatherer.sources.last().map(|it| it.path.clone()).unwrap_or_default();
            return Err(fail(path, 0, "limit", "there are too many schema documents".to_owned()));
        }
    }
    Ok(gatherer.sources)
}

fn fail(file: String, line: u32, clause: &'static str, problem: String) -> SchemaLoadError {
    SchemaLoadError { file, line, column: u32::from(line > 0), clause, problem }
}

impl Gatherer<'_> {
    fn read(&mut self, wanted: PendingDocument) -> Result<(), SchemaLoadError> {
        let path = wanted.path;
        let Some(bytes) = self.resolver.open(&path) else {
            let problem = "there is no document at this path".to_owned();
            return Err(fail(path, 0, "src-resolve", problem));
        };
        let document =
            Document::parse(&without_doctype(&bytes), &Limits::default()).map_err(|error| {
                fail(path.clone(), 0, "schema_reference.4", format!("not readable: {error}"))
            })?;
        let root = document.root();
        if !root.is(XSD, "schema") {
            let problem = format!("expected xs:schema, found {}", root.qualified_name());
            return Err(fail(path, 1, "schema_reference.4", problem));
        }
        let own = root.attribute("targetNamespace").unwrap_or_default().to_owned();
        let is_chameleon =
            own.is_empty() && wanted.includer.as_ref().is_some_and(|it| !it.is_empty());
        let target = match wanted.includer {
            Some(includer) if is_chameleon => includer,
            Some(includer) if includer != own => {
                let problem = format!("expected the namespace {includer:?}, found {own:?}");
                return Err(fail(path, 1, "src-include.2.1", problem));
            }
            _ => own,
        };
        if wanted.import.as_ref().is_some_and(|namespace| *namespace != target) {
            let problem = format!("imported as {:?}, it is {target:?}", wanted.import);
            return Err(fail(path, 1, "src-import.3.1", problem));
        }
        if !self.seen.insert((path.clone(), target.clone())) || self.is_copy(&document, &target) {
            return Ok(());
        }
        let source = SchemaDocument { path, document, target, is_chameleon };
        self.follow(&source)?;
        self.sources.push(source);
        Ok(())
    }

    /// The same document lies in two places of some published sets.
    fn is_copy(&self, document: &Document, target: &str) -> bool {
        let text = document.source();
        self.sources.iter().any(|it| it.target == target && it.document.source() == text)
    }

    fn follow(&mut self, source: &SchemaDocument) -> Result<(), SchemaLoadError> {
        for element in source.document.root().elements().filter(|it| it.namespace() == XSD) {
            let location = element.attribute("schemaLocation").map(str::trim);
            let found = location.and_then(|it| join(&source.path, it));
            let found = found.filter(|path| self.resolver.open(path).is_some());
            let line = element.position().line;
            match element.local() {
                "include" => {
                    let by_name = || self.named(source, &source.target, location);
                    let Some(path) = found.or_else(by_name) else {
                        let problem = format!("there is no document {:?}", location.unwrap_or(""));
                        return Err(fail(source.path.clone(), line, "src-include.2", problem));
                    };
                    let includer = Some(source.target.clone());
                    self.queue.push(PendingDocument { path, includer, import: None });
                }
                "import" => {
                    let namespace = element.attribute("namespace").unwrap_or_default().to_owned();
                    if namespace == source.target {
                        let problem = "a schema cannot import its own namespace".to_owned();
                        return Err(fail(source.path.clone(), line, "src-import.1.1", problem));
                    }
                    self.import(source, found, location, namespace);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn import(
        &mut self,
        source: &SchemaDocument,
        found: Option<String>,
        location: Option<&str>,
        namespace: String,
    ) {
        let named = found.or_else(|| self.named(source, &namespace, location));
        let paths = match named {
            Some(path) => vec![path],
            None if self.imported.insert(namespace.clone()) => {
                // A location that was given elsewhere comes first.
                let is_known = self.sources.iter().any(|it| it.target == namespace);
                let all = || nearest(&source.path, self.resolver.by_namespace(&namespace));
                if is_known { Vec::new() } else { all() }
            }
            None => Vec::new(),
        };
        for path in paths {
            let import = Some(namespace.clone());
            self.queue.push(PendingDocument { path, includer: None, import });
        }
    }

    /// A document of a namespace, or of none, that has the file name of a location elsewhere.
    fn named(
        &self,
        source: &SchemaDocument,
        namespace: &str,
        location: Option<&str>,
    ) -> Option<String> {
        let wanted = file_name(location?);
        let mut found = self.resolver.by_namespace(namespace);
        if namespace == source.target {
            found.extend(self.resolver.by_namespace(""));
        }
        found.retain(|path| file_name(path) == wanted && *path != source.path);
        nearest(&source.path, found).into_iter().next()
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The paths that have the most folders in common with a path.
fn nearest(base: &str, paths: Vec<String>) -> Vec<String> {
    let common = |path: &str| {
        path.split('/').zip(base.split('/')).take_while(|(left, right)| left == right).count()
    };
    let most = paths.iter().map(|it| common(it)).max();
    paths.into_iter().filter(|it| Some(common(it)) == most).collect()
}

/// A location relative to a document; `None` where it leaves the folder or is no relative path.
fn join(base: &str, location: &str) -> Option<String> {
    if location.contains("://") || location.starts_with('/') || location.starts_with("urn:") {
        return None;
    }
    let mut parts: Vec<&str> = base.split('/').collect();
    parts.pop();
    for part in location.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}
