//! XML Schemas, official or embedded, run by [`quoin_xml::xsd`].

use jiff::civil::Date;
use quoin_xml::tree::Element;
use quoin_xml::xsd::{self, Schema, Violation};

use super::engine::{Engine, OfficialFileError, OfficialFinding};
use super::{Description, SetFiles};
use quoin_model::finding::MAX_XPATH;
use quoin_model::text::cut;
use quoin_model::{Flag, Location};

/// A compiled schema.
#[derive(Debug)]
pub(super) struct CompiledSchema(Schema);

impl CompiledSchema {
    pub(super) fn compile(
        set: &Description,
        files: &SetFiles,
    ) -> Result<CompiledSchema, OfficialFileError> {
        let mut documents = xsd::SchemaFiles::new();
        for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".xsd")) {
            documents.add(path.as_str(), bytes.as_slice());
        }
        let schema = Schema::load(&[&set.file], &documents);
        schema.map(CompiledSchema).map_err(|error| OfficialFileError::Refused(error.to_string()))
    }
}

impl Engine for CompiledSchema {
    fn rules(&self) -> usize {
        self.0.roots().count()
    }

    fn has_rule(&self, _rule: &str) -> bool {
        false
    }

    fn check<'d>(&self, root: Element<'d>, _on: Date, hit: &mut dyn FnMut(OfficialFinding<'d>)) {
        check(&self.0, root, hit);
    }
}

/// Checks an element against its declaration and tells each violation.
pub(crate) fn check<'d>(
    schema: &Schema,
    root: Element<'d>,
    hit: &mut dyn FnMut(OfficialFinding<'d>),
) {
    schema.validate(root).violations.into_iter().for_each(|violation| hit(told(violation)));
}

fn told<'d>(violation: Violation) -> OfficialFinding<'d> {
    let Violation { clause, path, position, value, expected, found } = violation;
    OfficialFinding {
        rule: clause.to_owned(),
        flag: Flag::Fatal,
        message: format!(
            "The structure of the document is not what its schema says: expected {expected}, \
             found {found}."
        ),
        location: Some(Location {
            xpath: cut(&path, MAX_XPATH).into_owned(),
            line: position.line,
            column: position.column,
        }),
        value,
        expected: Some(expected),
        ..OfficialFinding::default()
    }
}
