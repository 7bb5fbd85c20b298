//! The files of a rule set: the main file and everything it includes, parsed once and kept.
//!
//! Paths are relative to the folder of the rule set. A reference that leads out of it is refused
//! before anybody is asked for the file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::{LoadError, Origin, ResolveError};
use crate::namespaces::{SCHEMATRON, XINCLUDE};
use crate::tree::{Document, Element, Limits};

/// How many files a rule set may have.
const MAX_FILES: usize = 512;
/// How large one file may be, in bytes.
const MAX_FILE: usize = 16 << 20;
/// How deep elements of a rule file may nest.
const MAX_DEPTH: usize = 64;
/// Hands out the files of one rule set.
pub trait FileResolver {
    /// The bytes of a file. `path` is relative to the folder of the set, with `/` between its
    /// parts, and never leads out of it.
    ///
    /// # Errors
    /// [`ResolveError`] where there is no such file or it cannot be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError>;
}

/// Files in memory, by their path.
impl FileResolver for BTreeMap<String, Vec<u8>> {
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError> {
        self.get(path).cloned().ok_or(ResolveError::Missing)
    }
}

/// The parsed files.
#[derive(Debug, Default)]
pub(super) struct ParsedFiles {
    files: Vec<LibraryFile>,
    by_path: BTreeMap<String, usize>,
}

#[derive(Debug)]
struct LibraryFile {
    path: Arc<str>,
    document: Document,
}

/// An element of one of the files.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceElement<'l> {
    pub(super) library: &'l ParsedFiles,
    pub(super) file: usize,
    pub(super) element: Element<'l>,
}

impl ParsedFiles {
    /// Reads the main file and all files that it includes.
    pub(super) fn read(resolver: &dyn FileResolver, main: &str) -> Result<ParsedFiles, LoadError> {
        let mut library = ParsedFiles::default();
        library.add(resolver, main.to_owned(), None)?;
        let mut next = 0;
        while next < library.files.len() {
            for (href, origin) in library.references(next) {
                let path = library.resolve(next, &href, &origin)?;
                if !library.by_path.contains_key(&path) {
                    if library.files.len() >= MAX_FILES {
                        let (what, limit) = ("files", MAX_FILES);
                        return Err(LoadError::Limit { origin, what, limit });
                    }
                    library.add(resolver, path, Some(origin))?;
                }
            }
            next += 1;
        }
        Ok(library)
    }

    fn add(
        &mut self,
        resolver: &dyn FileResolver,
        path: String,
        wanted_by: Option<Origin>,
    ) -> Result<(), LoadError> {
        let bytes = resolver.read(&path).map_err(|reason| LoadError::Read {
            file: path.clone(),
            wanted_by,
            reason,
        })?;
        let document = parse(&path, &bytes)?;
        self.by_path.insert(path.clone(), self.files.len());
        self.files.push(LibraryFile { path: path.into(), document });
        Ok(())
    }

    /// Every file that this file includes, with the element that does.
    fn references(&self, file: usize) -> Vec<(String, Origin)> {
        let Some(main) = self.files.get(file) else { return Vec::new() };
        let elements = main.document.root().descendants();
        elements
            .filter(|element| is_reference(*element))
            .filter_map(|element| {
                let part = SourceElement { library: self, file, element };
                let (path, _) = part.href()?;
                (!path.is_empty()).then(|| (path.to_owned(), part.origin()))
            })
            .collect()
    }

    /// The path of a reference, from the folder of the set.
    pub(super) fn resolve(
        &self,
        from: usize,
        href: &str,
        origin: &Origin,
    ) -> Result<String, LoadError> {
        let base = self.files.get(from).map_or("", |file| &file.path);
        join(base, href)
            .ok_or_else(|| LoadError::Outside { origin: origin.clone(), href: href.to_owned() })
    }

    pub(super) fn main(&self) -> Option<SourceElement<'_>> {
        self.part(0)
    }

    fn part(&self, file: usize) -> Option<SourceElement<'_>> {
        let element = self.files.get(file)?.document.root();
        Some(SourceElement { library: self, file, element })
    }
}

/// Parses a file of a rule set.
pub(super) fn parse(path: &str, bytes: &[u8]) -> Result<Document, LoadError> {
    let limits = Limits { bytes: MAX_FILE, depth: MAX_DEPTH, ..Limits::default() };
    Document::parse(bytes, &limits).map_err(|error| LoadError::Xml { file: path.to_owned(), error })
}

/// Whether the element is replaced by, or takes rules from, another file.
fn is_reference(element: Element<'_>) -> bool {
    (element.namespace() == SCHEMATRON && matches!(element.local(), "include" | "extends"))
        || element.is(XINCLUDE, "include")
}

/// `href` from the file `base`; `None` where it leads out of the folder or is no relative path.
pub(super) fn join(base: &str, href: &str) -> Option<String> {
    let is_absolute = href.starts_with('/') || href.contains('\\') || href.contains(':');
    if is_absolute || href.contains('\0') {
        return None;
    }
    let mut parts: Vec<&str> = base.split('/').collect();
    parts.pop();
    for part in href.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

impl<'l> SourceElement<'l> {
    pub(super) fn origin(self) -> Origin {
        let path = self.library.files.get(self.file).map(|file| Arc::clone(&file.path));
        Origin { file: path.unwrap_or_else(|| "".into()), position: self.element.position() }
    }

    pub(super) fn with(self, element: Element<'l>) -> SourceElement<'l> {
        SourceElement { element, ..self }
    }

    /// The path and the fragment of an `href` attribute.
    pub(super) fn href(self) -> Option<(&'l str, Option<&'l str>)> {
        let href = self.element.attribute("href")?.trim();
        Some(match href.split_once('#') {
            Some((path, fragment)) => (path, Some(fragment)),
            None => (href, None),
        })
    }

    /// The element that a reference points at: the document element of the other file, or the
    /// element with the identifier of the fragment.
    pub(super) fn target(self) -> Result<SourceElement<'l>, LoadError> {
        let Some((path, fragment)) = self.href() else {
            return Err(self.invalid("an attribute href", "none"));
        };
        let library = self.library;
        let root = if path.is_empty() {
            library.part(self.file)
        } else {
            let path = library.resolve(self.file, path, &self.origin())?;
            library.by_path.get(&path).and_then(|&file| library.part(file))
        };
        let found = root.and_then(|root| match fragment {
            None => Some(root),
            Some(id) => root
                .element
                .descendants()
                .find(|element| has_identifier(*element, id))
                .map(|element| root.with(element)),
        });
        found.ok_or_else(|| self.invalid("a reference to an element", path))
    }

    pub(super) fn invalid(
        self,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> LoadError {
        LoadError::Invalid { origin: self.origin(), expected: expected.into(), found: found.into() }
    }

    pub(super) fn unsupported(self, what: impl Into<String>) -> LoadError {
        LoadError::Unsupported { origin: self.origin(), what: what.into() }
    }

    /// An attribute that must be there.
    pub(super) fn required(self, name: &str) -> Result<&'l str, LoadError> {
        let element = self.element;
        element.attribute(name).ok_or_else(|| {
            let expected = format!("the attribute {name} on {}", element.qualified_name());
            self.invalid(expected, "none")
        })
    }

    /// Fails where the element has an attribute in no namespace that is not one of these.
    pub(super) fn allow(self, names: &[&str]) -> Result<(), LoadError> {
        let mut attributes = self.element.attributes();
        match attributes.find(|a| a.namespace.is_empty() && !names.contains(&a.local)) {
            None => Ok(()),
            Some(found) => {
                let name = self.element.qualified_name();
                Err(self.unsupported(format!("the attribute {} on {name}", found.local)))
            }
        }
    }
}

fn has_identifier(element: Element<'_>, id: &str) -> bool {
    element.attribute("id") == Some(id)
        || element.attribute_ns(crate::namespaces::XML, "id") == Some(id)
}
