//! `xsl:function` and the sequence constructors in functions and variables (XSLT 2.0).

use super::{SchematronReader, Sort, sort};
use crate::schematron::error::LoadError;
use crate::schematron::library::SourceElement;
use crate::schematron::source::{Instruction, ScopedExpression, XslFunction};
use crate::tree::Node;

/// Attributes of `xsl:function`; `override` decides between imported stylesheets, and there are
/// none here.
const FUNCTION: &[&str] = &["name", "as", "override"];

impl SchematronReader {
    pub(super) fn function(&mut self, part: SourceElement<'_>) -> Result<XslFunction, LoadError> {
        part.allow(FUNCTION)?;
        let name = part.required("name")?.trim().to_owned();
        let mut params = Vec::new();
        for child in part.element.elements().map(|element| part.with(element)) {
            if !matches!((sort(child.element), child.element.local()), (Sort::Xslt, "param")) {
                break;
            }
            child.allow(&["name", "as", "required"])?;
            let declared = child.element.attribute("as").map(str::to_owned);
            params.push((child.required("name")?.trim().to_owned(), declared));
        }
        Ok(XslFunction {
            name,
            params,
            returns: part.element.attribute("as").map(str::to_owned),
            body: self.sequence(part)?,
            origin: part.origin(),
            scope: self.scope(part),
        })
    }

    /// The instructions inside an element. White space between them is not text (XSLT 2.0,
    /// section 4.2); the parameters of a function are passed over.
    pub(super) fn sequence(
        &mut self,
        part: SourceElement<'_>,
    ) -> Result<Vec<Instruction>, LoadError> {
        let mut found = Vec::new();
        for child in part.element.children() {
            match child {
                Node::Text(text) if text.trim_ascii().is_empty() => {}
                Node::Text(text) => found.push(Instruction::Text(text.to_owned())),
                Node::Element(element) => self.instruction(part.with(element), &mut found)?,
                Node::Comment | Node::Instruction { .. } => {}
            }
        }
        Ok(found)
    }

    fn instruction(
        &mut self,
        part: SourceElement<'_>,
        found: &mut Vec<Instruction>,
    ) -> Result<(), LoadError> {
        let Sort::Xslt = sort(part.element) else {
            let name = part.element.qualified_name();
            return Err(part.unsupported(format!("{name} inside a function or variable")));
        };
        let instruction = match part.element.local() {
            "param" => return Ok(()),
            "variable" => Instruction::Variable(self.variable(part, "select")?),
            "sequence" => {
                part.allow(&["select", "as"])?;
                let select = part.required("select")?;
                Instruction::Sequence(self.code(part, select))
            }
            "value-of" => {
                part.allow(&["select", "separator", "disable-output-escaping"])?;
                let separator = part.element.attribute("separator").map(str::to_owned);
                if separator.as_ref().is_some_and(|separator| separator.contains(['{', '}'])) {
                    return Err(part.unsupported("a separator with an expression"));
                }
                let select = part.required("select")?;
                Instruction::ValueOf { select: self.code(part, select), separator }
            }
            "text" => Instruction::Text(part.element.text().into_owned()),
            "if" => {
                Instruction::Choose { branches: vec![self.branch(part)?], otherwise: Vec::new() }
            }
            "choose" => self.choose(part)?,
            _ => return Err(self.unknown(part, "a function or variable")),
        };
        found.push(instruction);
        Ok(())
    }

    fn branch(
        &mut self,
        part: SourceElement<'_>,
    ) -> Result<(ScopedExpression, Vec<Instruction>), LoadError> {
        part.allow(&["test"])?;
        let test = part.required("test")?;
        Ok((self.code(part, test), self.sequence(part)?))
    }

    fn choose(&mut self, part: SourceElement<'_>) -> Result<Instruction, LoadError> {
        let (mut branches, mut otherwise) = (Vec::new(), Vec::new());
        for child in part.element.elements().map(|element| part.with(element)) {
            match (sort(child.element), child.element.local()) {
                (Sort::Xslt, "when") => branches.push(self.branch(child)?),
                (Sort::Xslt, "otherwise") => otherwise = self.sequence(child)?,
                _ => return Err(self.unknown(child, "choose")),
            }
        }
        Ok(Instruction::Choose { branches, otherwise })
    }
}
