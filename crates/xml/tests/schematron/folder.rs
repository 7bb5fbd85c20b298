//! Rule files from a folder, and schemas loaded once for a test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quoin_xml::schematron::{FileResolver, LoadError, PhaseChoice, ResolveError, SchematronSchema};

/// A folder of rule files.
pub struct Folder(pub PathBuf);

impl FileResolver for Folder {
    #[expect(clippy::disallowed_methods, reason = "a test reads official files")]
    fn read(&self, path: &str) -> Result<Vec<u8>, ResolveError> {
        // The code lists of Factur-X lie in another folder than its rules.
        let path = match path.ends_with("_codedb.xml") {
            true => path.replace("/rule-source/", "/schematron/"),
            false => path.to_owned(),
        };
        std::fs::read(self.0.join(path)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ResolveError::Missing,
            _ => ResolveError::Failed(error.to_string()),
        })
    }
}

/// Loads a rule set with everything in the folder above it at hand.
pub fn load(root: &Path, main: &str) -> Result<SchematronSchema, LoadError> {
    SchematronSchema::load(&Folder(root.to_owned()), main, &PhaseChoice::Default)
}

/// Schemas by their path.
pub struct Schemas {
    root: PathBuf,
    loaded: BTreeMap<String, SchematronSchema>,
}

impl Schemas {
    pub fn new(root: PathBuf) -> Schemas {
        Schemas { root, loaded: BTreeMap::new() }
    }

    pub fn get(&mut self, main: &str) -> &SchematronSchema {
        self.loaded.entry(main.to_owned()).or_insert_with(|| {
            load(&self.root, main).unwrap_or_else(|error| panic!("{main}: {error}"))
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "a test reads official files")]
pub fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder with this extension, in order.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(folder, extension, &mut found);
    found.sort();
    found
}

fn walk(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, extension, found);
        } else if path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension)) {
            found.push(path);
        }
    }
}
