//! XML Schemas, official or embedded, run by [`quoin_xml::xsd`].

use jiff::civil::Date;
use quoin_xml::tree::Element;
use quoin_xml::xsd::{self, Schema, Violation};

use super::engine::{CompileError, Engine, Hit};
use super::{Description, Files};
use quoin_model::finding::MAX_XPATH;
use quoin_model::text::cut;
use quoin_model::{Flag, Location};

/// A compiled schema.
#[derive(Debug)]
pub(super) struct Structure(Schema);

impl Structure {
    pub(super) fn compile(set: &Description, files: &Files) -> Result<Structure, CompileError> {
        let mut documents = xsd::Files::new();
        for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".xsd")) {
            documents.add(path.as_str(), bytes.as_slice());
        }
        let schema = Schema::load(&[&set.file], &documents);
        schema.map(Structure).map_err(|error| CompileError::Refused(error.to_string()))
    }
}

impl Engine for Structure {
    fn rules(&self) -> usize {
        self.0.roots().count()
    }

    fn check<'d>(&self, root: Element<'d>, _on: Date, hit: &mut dyn FnMut(Hit<'d>)) {
        check(&self.0, root, hit);
    }
}

/// Checks an element against its declaration and tells each violation.
pub(crate) fn check<'d>(schema: &Schema, root: Element<'d>, hit: &mut dyn FnMut(Hit<'d>)) {
    schema.validate(root).violations.into_iter().for_each(|violation| hit(told(violation)));
}

fn told<'d>(violation: Violation) -> Hit<'d> {
    let Violation { clause, path, position, value, expected, found } = violation;
    Hit {
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
        ..Hit::default()
    }
}
