//! The text of assertions and diagnostics, with `value-of` and `name` inside.

use super::{SchematronReader, Sort, sort};
use crate::schematron::error::LoadError;
use crate::schematron::library::SourceElement;
use crate::schematron::source::Piece;
use crate::tree::Node;

impl SchematronReader {
    /// `diagnostics`: each text by its identifier.
    pub(super) fn diagnostics(&mut self, part: SourceElement<'_>) -> Result<(), LoadError> {
        for child in self.contents(part)? {
            match (sort(child.element), child.element.local()) {
                (Sort::Schematron, "diagnostic") => {
                    let id = child.required("id")?.to_owned();
                    let message = self.message(child)?;
                    self.source.diagnostics.insert(id, message);
                }
                (Sort::Foreign, _) => self.foreign(child),
                _ => return Err(self.unknown(child, "diagnostics")),
            }
        }
        Ok(())
    }

    /// The mixed content of an assertion or a diagnostic.
    pub(super) fn message(&mut self, part: SourceElement<'_>) -> Result<Vec<Piece>, LoadError> {
        let mut pieces = Vec::new();
        self.mixed(part, &mut pieces)?;
        Ok(pieces)
    }

    fn mixed(&mut self, part: SourceElement<'_>, pieces: &mut Vec<Piece>) -> Result<(), LoadError> {
        for child in part.element.children() {
            let inner = match child {
                Node::Text(text) => {
                    push_text(pieces, text);
                    continue;
                }
                Node::Element(element) => part.with(element),
                _ => continue,
            };
            match (sort(inner.element), inner.element.local()) {
                (Sort::Schematron | Sort::Xslt, "value-of") => {
                    let select = inner.required("select")?;
                    pieces.push(Piece::ValueOf(self.code(inner, select)));
                }
                (Sort::Schematron, "name") => {
                    let path = inner.element.attribute("path");
                    let path = path.map(|path| self.code(inner, path));
                    pieces.push(Piece::Name(path));
                }
                (Sort::Schematron, "emph" | "span" | "dir") | (Sort::Foreign, _) => {
                    self.mixed(inner, pieces)?;
                }
                (Sort::Xslt, "text") => push_text(pieces, &inner.element.text()),
                _ => return Err(self.unknown(inner, "a message")),
            }
        }
        Ok(())
    }
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        Some(Piece::Text(before)) => before.push_str(text),
        _ => pieces.push(Piece::Text(text.to_owned())),
    }
}
