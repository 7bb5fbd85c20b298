//! Writing XML in its canonical form, so that what is signed is what is sent.
//!
//! The caller lists namespace declarations sorted by prefix and attributes sorted by namespace
//! name; a test compares every product with its own canonical form.

use quoin_xml::write::{escape_attribute, escape_text};

/// A piece of canonical XML.
#[derive(Default)]
pub(super) struct Canonical(String);

impl Canonical {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Canonical(String::with_capacity(bytes))
    }

    /// A start tag.
    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) -> &mut Self {
        self.0.push('<');
        self.0.push_str(name);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            escape_attribute(value, &mut self.0);
            self.0.push('"');
        }
        self.0.push('>');
        self
    }

    /// An end tag.
    pub(super) fn close(&mut self, name: &str) -> &mut Self {
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
        self
    }

    /// An element with text.
    pub(super) fn leaf(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        text: &str,
    ) -> &mut Self {
        self.open(name, attributes);
        escape_text(text, &mut self.0);
        self.close(name)
    }

    /// Text that is canonical XML already.
    pub(super) fn raw(&mut self, canonical: &str) -> &mut Self {
        self.0.push_str(canonical);
        self
    }

    pub(super) fn finish(self) -> String {
        self.0
    }
}

/// A time as ebMS writes it: UTC with milliseconds and `Z`.
pub(super) fn timestamp(time: jiff::Timestamp) -> String {
    format!("{time:.3}")
}
