//! Tags, comments, processing instructions and the XML declaration; names and their namespaces.

use super::super::{AttributeData, Declaration, ElementData, NameId};
use super::{NodeContent, OpenElement, ParseErrorKind, ParseResult, QName, Span, TreeReader};

impl<'s> TreeReader<'s> {
    pub(super) fn xml_declaration(&mut self) -> ParseResult<()> {
        let next = self.bytes.get(self.at + 5).copied().unwrap_or(0);
        if !self.looking_at("<?xml") || !super::is_space(next) {
            return Ok(());
        }
        let Some(length) = memchr::memmem::find(self.rest().as_bytes(), b"?>") else {
            return Err(self.error(ParseErrorKind::Truncated("the XML declaration")));
        };
        let declaration = self.rest().get(5..length).unwrap_or_default();
        match pseudo_attribute(declaration, "version") {
            // A document of XML 1.1 is read by the rules of 1.0: what only 1.1 allows is refused.
            Some("1.0" | "1.1") => {}
            _ => return Err(self.syntax("an XML declaration with version 1.0 or 1.1")),
        }
        if !is_declaration(declaration) {
            return Err(self.syntax(
                "an XML declaration with version, then encoding and standalone (yes or no) where \
                 they are given, each once and in quotes",
            ));
        }
        if let Some(encoding) = pseudo_attribute(declaration, "encoding")
            && !super::decode::is_known(encoding)
        {
            return Err(self.error(super::decode::unsupported(encoding)));
        }
        self.at += length + 2;
        Ok(())
    }

    /// Whatever begins with `<` inside an element, CDATA sections apart.
    pub(super) fn markup(&mut self) -> ParseResult<()> {
        match self.bytes.get(self.at + 1) {
            Some(b'/') => self.end_tag(),
            Some(b'?') => self.instruction(),
            Some(b'!') if self.looking_at("<!--") => self.comment(),
            Some(b'!') if self.looking_at("<!DOCTYPE") => Err(self.error(ParseErrorKind::Dtd)),
            _ => self.start_tag(),
        }
    }

    pub(super) fn comment(&mut self) -> ParseResult<()> {
        let start = self.at;
        self.at += "<!--".len();
        let Some(length) = memchr::memmem::find(self.rest().as_bytes(), b"--") else {
            return Err(self.error(ParseErrorKind::Truncated("a comment")));
        };
        self.check_characters(self.rest().get(..length).unwrap_or_default())?;
        self.at += length;
        self.expect("-->", "the end of the comment (-- is not allowed inside)")?;
        self.push(NodeContent::Comment, start)?;
        Ok(())
    }

    pub(super) fn instruction(&mut self) -> ParseResult<()> {
        let start = self.at;
        self.at += 2;
        let target = self.ncname("the target of a processing instruction")?;
        if self.str_of(target).eq_ignore_ascii_case("xml") {
            return Err(self.error_at(
                ParseErrorKind::Syntax {
                    expected: "an XML declaration only at the very start",
                    found: "another one".to_owned(),
                },
                start,
            ));
        }
        let spaced = self.skip_space();
        let Some(length) = memchr::memmem::find(self.rest().as_bytes(), b"?>") else {
            return Err(self.error(ParseErrorKind::Truncated("a processing instruction")));
        };
        if length > 0 && !spaced {
            return Err(self.syntax("white space after the target"));
        }
        self.check_characters(self.rest().get(..length).unwrap_or_default())?;
        let value = Span::of_source(self.at, self.at + length);
        self.at += length + 2;
        let at = self.instructions.len() as u32;
        self.instructions.push((target, value));
        self.push(NodeContent::Instruction(at), start)?;
        Ok(())
    }

    pub(super) fn start_tag(&mut self) -> ParseResult<()> {
        let start = self.at;
        if self.open.len() >= self.limits.depth {
            return Err(self.error(ParseErrorKind::Depth(self.limits.depth)));
        }
        self.at += 1;
        let written_name = self.qname(|reader| &mut reader.known_elements, "an element name")?;
        self.ends = 0;
        let scope = self.scope.len();
        let first_declaration = self.declarations.len();
        let empty = self.attributes_as_written(first_declaration)?;
        let name = self.element_name(written_name)?;
        let first_attribute = self.attributes.len();
        self.resolve_attributes(start)?;
        let element = ElementData {
            name,
            prefix: written_name.prefix().length(),
            first_attribute: first_attribute as u32,
            first_declaration: first_declaration as u32,
            attribute_count: (self.attributes.len() - first_attribute) as u16,
            declaration_count: (self.declarations.len() - first_declaration) as u16,
        };
        let id = self.push(NodeContent::Element(self.elements.len() as u32), start)?;
        self.elements.push(element);
        self.open.push(OpenElement { id, scope, name: written_name.whole() });
        if empty {
            self.close();
        }
        Ok(())
    }

    /// Everything between the element name and `>` or `/>`; answers whether it was `/>`.
    fn attributes_as_written(&mut self, first_declaration: usize) -> ParseResult<bool> {
        self.written.clear();
        loop {
            let spaced = self.skip_space();
            match self.peek() {
                b'>' => {
                    self.at += 1;
                    return Ok(false);
                }
                b'/' => {
                    self.expect("/>", "/> at the end of an empty element")?;
                    return Ok(true);
                }
                _ if self.at >= self.bytes.len() => {
                    return Err(self.error(ParseErrorKind::Truncated("a start tag")));
                }
                _ if !spaced => return Err(self.syntax("white space before an attribute")),
                _ => {}
            }
            let name = self.qname(|reader| &mut reader.known_attributes, "an attribute name")?;
            self.skip_space();
            self.expect("=", "= after the attribute name")?;
            self.skip_space();
            let value = self.attribute_value()?;
            if name.is_known() {
                self.written.push((name, value));
            } else if self.source_str(name.whole()) == "xmlns" {
                self.declare(Span::default(), value, first_declaration)?;
            } else if self.source_str(name.prefix()) == "xmlns" {
                self.declare(name.local(), value, first_declaration)?;
            } else {
                self.written.push((name, value));
            }
            let count = self.written.len() + self.declarations.len() - first_declaration;
            if count > self.limits.attributes {
                return Err(self.error(ParseErrorKind::Attributes(self.limits.attributes)));
            }
        }
    }

    fn declare(&mut self, prefix: Span, value: Span, first: usize) -> ParseResult<()> {
        let name = self.source_str(prefix);
        let own = self.declarations.get(first..).unwrap_or_default();
        if own.iter().any(|known| self.source_str(known.prefix) == name) {
            let attribute = format!("xmlns:{name}").trim_end_matches(':').to_owned();
            return Err(self.error(ParseErrorKind::DuplicateAttribute(attribute)));
        }
        let uri_name = self.str_of(value).to_owned();
        let reserved = ["http://www.w3.org/2000/xmlns/", crate::namespaces::XML];
        let is_xml = name == "xml" && uri_name == crate::namespaces::XML;
        if name == "xml" && is_xml {
            return Ok(());
        }
        if matches!(name, "xml" | "xmlns") || reserved.contains(&uri_name.as_str()) {
            return Err(self.syntax("no declaration of a reserved prefix or namespace"));
        }
        if uri_name.is_empty() && !name.is_empty() {
            return Err(self.syntax("a namespace name for the prefix"));
        }
        if self.scope.len() >= self.limits.namespaces {
            return Err(self.error(ParseErrorKind::Namespaces(self.limits.namespaces)));
        }
        let uri = self.interner.intern(&uri_name);
        let index = self.declarations.len() as u32;
        self.declarations.push(Declaration { prefix, uri });
        self.scope.push(index);
        self.bindings += 1;
        Ok(())
    }

    fn element_name(&mut self, written: QName) -> ParseResult<NameId> {
        if let Some(name) = self.known_elements.resolved(written, self.bindings) {
            return Ok(name);
        }
        let uri = self.resolve(written.prefix(), written.start())?;
        let name = self.names.intern(self.text, uri, written.local());
        self.known_elements.keep(self.text, written, name, self.bindings);
        Ok(name)
    }

    fn attribute_name(&mut self, written: QName) -> ParseResult<NameId> {
        if let Some(name) = self.known_attributes.resolved(written, self.bindings) {
            return Ok(name);
        }
        let prefix = written.prefix();
        let uri = if prefix.is_empty() { 0 } else { self.resolve(prefix, written.start())? };
        let name = self.names.intern(self.text, uri, written.local());
        self.known_attributes.keep(self.text, written, name, self.bindings);
        Ok(name)
    }

    fn resolve(&mut self, prefix: Span, offset: usize) -> ParseResult<u32> {
        let name = self.source_str(prefix);
        if name == "xml" {
            return Ok(self.interner.intern(crate::namespaces::XML));
        }
        let in_scope = self.scope.iter().rev();
        let mut in_scope = in_scope.filter_map(|&index| self.declarations.get(index as usize));
        match in_scope.find(|declaration| self.source_str(declaration.prefix) == name) {
            Some(declaration) => Ok(declaration.uri),
            None if name.is_empty() => Ok(0),
            None => Err(self.error_at(ParseErrorKind::Prefix(name.to_owned()), offset)),
        }
    }

    fn resolve_attributes(&mut self, offset: usize) -> ParseResult<()> {
        let first = self.attributes.len();
        for at in 0..self.written.len() {
            let Some(&(written, value)) = self.written.get(at) else { break };
            let name = self.attribute_name(written)?;
            self.attributes.push(AttributeData { name, prefix: written.prefix(), value });
        }
        if self.written.len() < 2 {
            return Ok(());
        }
        let own = self.attributes.get(first..).unwrap_or_default();
        let mut names: Vec<NameId> = own.iter().map(|data| data.name).collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| pair.first() == pair.last());
        let twice = twice.and_then(|pair| self.names.get(*pair.first()?));
        if let Some(name) = twice {
            let kind = ParseErrorKind::DuplicateAttribute(self.source_str(name.local).to_owned());
            return Err(self.error_at(kind, offset));
        }
        Ok(())
    }

    fn end_tag(&mut self) -> ParseResult<()> {
        let start = self.at;
        self.at += 2;
        let name = self.open.last().map(|open| open.name).unwrap_or_default();
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(name.bytes(self.text, "")) {
            self.at += name.length() as usize;
            self.skip_space();
            if self.peek() == b'>' {
                self.at += 1;
                self.close();
                return Ok(());
            }
        }
        self.at = start + 2;
        let rest = self.rest();
        let length = rest.find(['>', '<']).unwrap_or(rest.len()).min(64);
        let found = rest.chars().take(length).collect::<String>().trim_end().to_owned();
        let expected = self.source_str(name).to_owned();
        Err(self.error_at(ParseErrorKind::EndTag { expected, found }, start))
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.ends += 1;
        let end = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(open.id as usize) {
            node.end = end;
        }
        if self.scope.len() > open.scope {
            self.scope.truncate(open.scope);
            self.bindings += 1;
        }
    }
}

/// Whether what stands between `<?xml` and `?>` is a declaration (XML 1.0, section 2.8): version,
/// encoding and standalone in this order, the last two where they are given.
fn is_declaration(text: &str) -> bool {
    let mut rest = text;
    for (place, name) in ["version", "encoding", "standalone"].into_iter().enumerate() {
        match declared(rest, name) {
            Some((value, after)) if may_be(name, value) => rest = after,
            Some(_) => return false,
            None if place == 0 => return false,
            None => {}
        }
    }
    rest.trim_start_matches(is_white).is_empty()
}

/// The value of a pseudo-attribute that comes next, and what follows it.
fn declared<'a>(rest: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let named = rest.trim_start_matches(is_white);
    let after = named.strip_prefix(name).filter(|_| named.len() < rest.len())?;
    let value = after.trim_start_matches(is_white).strip_prefix('=')?.trim_start_matches(is_white);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value.get(1..)?.split_once(quote)
}

/// Whether a pseudo-attribute may have a value.
fn may_be(name: &str, value: &str) -> bool {
    let mut bytes = value.bytes();
    match name {
        "standalone" => matches!(value, "yes" | "no"),
        "encoding" => {
            bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
                && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
        }
        _ => true,
    }
}

fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// The value of `name="…"` in an XML declaration, whatever else is wrong with it.
pub(super) fn pseudo_attribute<'a>(declaration: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = declaration.split_once(name)?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest.get(1..)?.split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_has_its_parts_in_their_order_and_once() {
        for text in [
            r#" version="1.0""#,
            r#" version='1.0' encoding="UTF-8""#,
            " version = \"1.0\"\n\tencoding = 'iso-8859-1' standalone='no' ",
            r#" version="1.0" standalone="yes""#,
            r#" version="1.1" encoding="windows-1252" standalone="yes""#,
        ] {
            assert!(is_declaration(text), "{text}");
        }
        for text in [
            "",
            r#" encoding="UTF-8""#,
            r#" encoding="UTF-8" version="1.0""#,
            r#" version="1.0" standalone="maybe""#,
            r#" version="1.0" standalone="" "#,
            r#" version="1.0" standalone="YES""#,
            r#" version="1.0" standalone="no" encoding="UTF-8""#,
            r#" version="1.0" encoding="UTF-8" encoding="UTF-8""#,
            r#" version="1.0" version="1.0""#,
            r#" version="1.0" foo="bar""#,
            r#" version="1.0"encoding="UTF-8""#,
            r#" version="1.0" encoding=UTF-8"#,
            r#" version="1.0" encoding="UTF-8'"#,
            r#" version="1.0" encoding="""#,
            r#" version="1.0" encoding="8859-1""#,
            r#" version="1.0" encoding="UTF 8""#,
            r#" version="1.0" Encoding="UTF-8""#,
            r#" version="1.0" encoding="UTF-8" x"#,
        ] {
            assert!(!is_declaration(text), "{text}");
        }
    }
}
