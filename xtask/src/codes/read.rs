//! Published code list files: the structure format of the Peppol BIS sources, genericode, and the
//! code data bases beside the Factur-X rules.

use std::collections::BTreeMap;
use std::path::Path;

use quoin_xml::tree::{Document, Element, Limits};

const VEFA: &str = "urn:fdc:difi.no:2017:vefa:structure:CodeList-1";

/// A list as published.
#[derive(Debug, Default)]
pub struct ListFile {
    pub identifier: String,
    pub title: String,
    pub agency: String,
    pub version: String,
    pub codes: Vec<String>,
}

/// Reads a list file; `None` where the file is no code list of a kind that is known.
pub fn list_file(path: &Path) -> Result<Option<ListFile>, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !matches!(ending, "xml" | "gc") {
        return Ok(None);
    }
    let document = document(path)?;
    let root = document.root();
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let mut file = match root.local() {
        "CodeList" if root.is(VEFA, "CodeList") => structure(root),
        "Codelist" | "CodeList" => genericode(root, stem),
        _ => return Ok(None),
    };
    if file.identifier.is_empty() {
        stem.clone_into(&mut file.identifier);
    }
    Ok((!file.codes.is_empty()).then_some(file))
}

fn structure(root: Element<'_>) -> ListFile {
    let text = |element: Element<'_>, name: &str| {
        element.child(VEFA, name).map(|child| child.text().trim().to_owned()).unwrap_or_default()
    };
    ListFile {
        identifier: text(root, "Identifier"),
        title: text(root, "Title"),
        agency: text(root, "Agency"),
        version: text(root, "Version"),
        codes: root.children_named(VEFA, "Code").map(|code| text(code, "Id")).collect(),
    }
}

/// Genericode: the first column is the code.
fn genericode(root: Element<'_>, stem: &str) -> ListFile {
    let named = |name: &str| {
        let found = root.descendants().find(|element| element.local() == name);
        found.map(|element| element.text().trim().to_owned()).unwrap_or_default()
    };
    let rows = root.descendants().filter(|element| element.local() == "Row");
    let codes = rows.filter_map(|row| {
        let value = row.descendants().find(|element| element.local() == "SimpleValue")?;
        Some(value.text().trim().to_owned())
    });
    ListFile {
        identifier: stem.to_owned(),
        title: named("ShortName"),
        agency: String::new(),
        version: named("Version"),
        codes: codes.collect(),
    }
}

/// The code data base beside a rule file: `file#number` to its codes.
pub fn code_data_base(path: &Path) -> Result<BTreeMap<String, Vec<String>>, String> {
    let document = document(path)?;
    let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let lists = document.root().elements().filter(|element| element.local() == "cl");
    Ok(lists
        .map(|list| {
            let values = list.elements().filter_map(|code| code.attribute("value"));
            let key = format!("{file}#{}", list.attribute("id").unwrap_or_default());
            (key, values.map(str::to_owned).collect())
        })
        .collect())
}

/// Reads an XML file, of Latin-1 too, which some official files are written in.
///
/// # Errors
/// A sentence that names the file and what is wrong with it.
pub fn document(path: &Path) -> Result<Document, String> {
    let mut bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let declaration = bytes.iter().position(|&byte| byte == b'>').unwrap_or(0);
    let head = String::from_utf8_lossy(&bytes[..declaration]).to_lowercase();
    if head.contains("iso-8859-1") {
        bytes = bytes[declaration + 1..]
            .iter()
            .map(|&byte| char::from(byte))
            .collect::<String>()
            .into();
    }
    Document::parse(&bytes, &Limits::default()).map_err(|e| format!("{}: {e}", path.display()))
}
