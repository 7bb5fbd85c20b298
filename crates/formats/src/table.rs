//! The table of syntaxes, the formats in them, and how a format is found.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::syntax::{Format, FormatSignature, Syntax};
use crate::syntax_row::SyntaxRow;
use crate::ubl::UBL_PREFIX;
use crate::{
    archives, cii, cxml, dico, ebinterface, edifact_xml, estonia, facturae, fatturapa, finvoice,
    gs1, interchange, isdoc, iso20022, json, ksef, mime, network, norway, procurement, sbdh, setu,
    statistics, svefaktura, tax_data, ubl,
};
use quoin_model::rows::join;

use FormatSignature::{Bytes, Doctype, JsonKeys, JsonSchema, Namespace, Root, RootPrefix, Ubl};

/// The syntaxes, a folder each. Of the formats of all of them, in this order, the first that fits a
/// root name is the answer.
const ROWS: &[SyntaxRow] = &[
    ubl::SYNTAX,
    cii::SYNTAX,
    fatturapa::SYNTAX,
    ebinterface::SYNTAX,
    svefaktura::SYNTAX,
    setu::SYNTAX,
    dico::SYNTAX,
    ksef::SYNTAX,
    isdoc::SYNTAX,
    facturae::SYNTAX,
    finvoice::SYNTAX,
    edifact_xml::SYNTAX,
    estonia::SYNTAX,
    gs1::SYNTAX,
    iso20022::SYNTAX,
    norway::SYNTAX,
    procurement::SYNTAX,
    tax_data::SYNTAX,
    statistics::SYNTAX,
    sbdh::SYNTAX,
    network::SYNTAX,
    cxml::SYNTAX,
    archives::SYNTAX,
    interchange::SYNTAX,
    json::SYNTAX,
    mime::SYNTAX,
];

/// The syntaxes.
pub static SYNTAXES: &[SyntaxRow] = ROWS;

/// The formats of all syntaxes. The first row of a root name that fits is the answer.
pub static FORMATS: &[Format] = &join::<Format, COUNT>(&GROUPS);

#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
const GROUPS: [&[Format]; ROWS.len()] = {
    let mut groups: [&[Format]; ROWS.len()] = [&[]; ROWS.len()];
    let mut at = 0;
    while at < ROWS.len() {
        groups[at] = ROWS[at].formats;
        at += 1;
    }
    groups
};

#[expect(clippy::indexing_slicing, reason = "done by the compiler")]
const COUNT: usize = {
    let (mut count, mut at) = (0, 0);
    while at < GROUPS.len() {
        count += GROUPS[at].len();
        at += 1;
    }
    count
};

/// The rows by what a look-up knows.
struct FormatIndex {
    by_root: HashMap<&'static str, Vec<&'static Format>>,
    by_namespace: Vec<&'static Format>,
    by_id: HashMap<&'static str, &'static Format>,
    ubl: Option<&'static Format>,
}

static INDEX: LazyLock<FormatIndex> = LazyLock::new(|| {
    let (mut by_root, mut by_id) = (HashMap::<_, Vec<_>>::new(), HashMap::new());
    let (mut by_namespace, mut ubl) = (Vec::new(), None);
    for format in FORMATS {
        by_id.insert(format.id, format);
        match format.signature {
            Root(local, _) | RootPrefix(local, _) | FormatSignature::Bare(local, _, _) => {
                by_root.entry(local).or_default().push(format);
            }
            Namespace(_) => by_namespace.push(format),
            Ubl => ubl = Some(format),
            Bytes(_) | Doctype(..) | JsonSchema(_) | JsonKeys(_) => {}
        }
    }
    FormatIndex { by_root, by_namespace, by_id, ubl }
});

impl Format {
    /// The row with this name.
    pub fn by_id(id: &str) -> Option<&'static Format> {
        INDEX.by_id.get(id).copied()
    }

    /// The row of an XML document, by the expanded name of its document element; formats without
    /// a namespace that share a root name are told apart by [`Format::of_bare_root`].
    pub fn of_root(namespace: &str, local: &str) -> Option<&'static Format> {
        let fits = |format: &&&'static Format| match format.signature {
            Root(_, name) => name == namespace,
            RootPrefix(_, start) => namespace.starts_with(start),
            _ => false,
        };
        let by_root = INDEX.by_root.get(local).and_then(|rows| rows.iter().find(fits));
        let is_ubl = || {
            let name = namespace.strip_prefix(UBL_PREFIX).and_then(|n| n.strip_suffix("-2"));
            INDEX.ubl.as_ref().filter(|_| name == Some(local))
        };
        let by_namespace = || {
            INDEX.by_namespace.iter().find(|format| match format.signature {
                Namespace(start) => namespace.starts_with(start),
                _ => false,
            })
        };
        by_root.or_else(is_ubl).or_else(by_namespace).copied()
    }

    /// The row of a document element without a namespace, by its schema location and what it
    /// holds.
    pub fn of_bare_root(
        local: &str,
        schema_location: &str,
        has: impl Fn(&str) -> bool,
    ) -> Option<&'static Format> {
        let location = schema_location.to_ascii_lowercase();
        let rows = INDEX.by_root.get(local)?;
        rows.iter().copied().find(|format| match format.signature {
            FormatSignature::Bare(_, schema, children) => {
                (!schema.is_empty() && location.contains(schema))
                    || (!children.is_empty() && children.iter().all(|child| has(child)))
            }
            _ => false,
        })
    }

    /// The row of a file that is not XML, by its first bytes (white space and mark removed).
    pub fn of_bytes(bytes: &[u8]) -> Option<&'static Format> {
        FORMATS.iter().find(|format| match format.signature {
            Bytes(starts) => starts.iter().any(|start| bytes.starts_with(start)),
            _ => false,
        })
    }

    /// The row of a document type declaration with this name and system identifier.
    pub fn of_doctype(name: &str, system_id: &str) -> Option<&'static Format> {
        let system_id = system_id.to_ascii_lowercase();
        FORMATS.iter().find(|format| match format.signature {
            Doctype(known, location) => known == name && system_id.contains(location),
            _ => false,
        })
    }

    /// The row of a JSON text, by its `$schema` and the names of its members.
    pub fn of_json(schema: Option<&str>, members: &[&str]) -> Option<&'static Format> {
        FORMATS.iter().find(|format| match format.signature {
            JsonSchema(start) => schema.is_some_and(|schema| schema.starts_with(start)),
            JsonKeys(keys) => keys.iter().all(|key| members.contains(key)),
            _ => false,
        })
    }
}

impl Syntax {
    /// Its first row in [`FORMATS`].
    pub fn format(self) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.syntax == self)
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        self.format().map_or("", |format| format.title)
    }

    /// The row of an XML document, by the expanded name of its document element.
    pub fn of_root(namespace: &str, local: &str) -> Option<&'static Format> {
        Format::of_root(namespace, local)
    }

    /// What a file is that is not XML, by its first bytes (white space and mark already removed).
    pub fn of_bytes(bytes: &[u8]) -> Option<&'static Format> {
        Format::of_bytes(bytes)
    }
}

#[cfg(test)]
mod tests;
