//! The one door to the engines that run official files.

use std::fmt;

use jiff::civil::Date;
use quoin_xml::tree::Element;

use super::schematron::CompiledSchematron;
use super::structure::CompiledSchema;
use super::{Description, OfficialSetKind, SetFiles};
use quoin_model::{FiredAssertion, Flag, Location};

/// A compiled rule file. It is shared between threads and keeps nothing of a document.
pub trait Engine: fmt::Debug + Send + Sync {
    /// How many assertions it has, or declarations in the case of a schema.
    fn rules(&self) -> usize;

    /// Whether it has a rule, by the identifier that its findings have.
    fn has_rule(&self, rule: &str) -> bool;

    /// Applies it to the document whose document element is `root`, as on a day, and tells each
    /// hit.
    fn check<'d>(&self, root: Element<'d>, on: Date, hit: &mut dyn FnMut(OfficialFinding<'d>));
}

/// Something that an official file found.
#[derive(Debug, Default)]
pub struct OfficialFinding<'d> {
    /// The identifier of the rule.
    pub rule: String,
    /// Whether it stops the document.
    pub flag: Flag,
    /// The message with its values filled in.
    pub message: String,
    /// The element it is about.
    pub element: Option<Element<'d>>,
    /// What to add to the path of the element: `/@currencyID`, or nothing.
    pub below: String,
    /// Its place, where the engine tells no element.
    pub location: Option<Location>,
    /// The offending value.
    pub value: Option<String>,
    /// What was expected.
    pub expected: Option<String>,
    /// What the rule file says about the rule.
    pub assertion: Option<Box<FiredAssertion>>,
}

/// Why an official file could not be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OfficialFileError {
    /// There is no such file in the set.
    #[error("{0} is not among the files of the set")]
    Missing(String),
    /// It has no assertion, so that it would call every document valid.
    #[error(
        "{0} has no assertion{phase}, so that nothing would be judged by it; it is not the file that \
         holds the rules, or not all of it",
        phase = .1.as_ref().map(|phase| format!(" in the phase {phase}")).unwrap_or_default()
    )]
    Empty(String, Option<String>),
    /// The engine refused it; the text begins with file, line and column.
    #[error("{0}")]
    Refused(String),
}

/// Compiles the main file of a set.
///
/// # Errors
/// [`CompileError`] with file, line and column. A construct that is not supported is refused here,
/// never passed over at run time.
pub fn compile(set: &Description, files: &SetFiles) -> Result<Box<dyn Engine>, OfficialFileError> {
    if !files.contains_key(&set.file) {
        return Err(OfficialFileError::Missing(set.file.clone()));
    }
    match set.kind {
        OfficialSetKind::Rules => {
            let compiled = CompiledSchematron::compile(set, files)?;
            match compiled.rules() {
                0 => Err(OfficialFileError::Empty(set.file.clone(), set.phase.clone())),
                _ => Ok(Box::new(compiled)),
            }
        }
        OfficialSetKind::Structure => Ok(Box::new(CompiledSchema::compile(set, files)?)),
    }
}
