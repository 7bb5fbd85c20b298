//! XML in the making: elements that have nothing inside are not written.

use quoin_model::text::allowed;
use quoin_xml::write::{escape_attribute, escape_text};

/// A document in the making.
pub(super) struct Markup {
    out: String,
    /// The elements that are open, and where each begins.
    open: Vec<StartedElement>,
}

struct StartedElement {
    name: String,
    /// Where its start tag begins.
    begins: usize,
    /// Where its content begins.
    content: usize,
}

impl Markup {
    pub(super) fn new() -> Markup {
        let out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        Markup { out, open: Vec::new() }
    }

    /// The document element, of the namespace of the first prefix.
    pub(super) fn document(&mut self, local: &str, namespaces: &[(&str, &str)]) {
        let begins = self.out.len();
        let prefix = namespaces.first().map_or("", |(prefix, _)| *prefix);
        let name = format!("{prefix}:{local}");
        self.out.push('<');
        self.out.push_str(&name);
        for (prefix, namespace) in namespaces {
            self.out.push_str(&format!(" xmlns:{prefix}=\""));
            escape_attribute(namespace, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
        self.open.push(StartedElement { name, begins, content: self.out.len() });
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.open.len()));
    }

    /// An element with elements inside.
    pub(super) fn open(&mut self, prefix: &str, local: &str) {
        let begins = self.out.len();
        self.line();
        let name = format!("{prefix}:{local}");
        self.out.push_str(&format!("<{name}>"));
        self.open.push(StartedElement { name, begins, content: self.out.len() });
    }

    /// The end of the element that was opened last; with nothing inside it was never there.
    pub(super) fn close(&mut self) {
        let Some(element) = self.open.pop() else { return };
        if self.out.len() == element.content {
            self.out.truncate(element.begins);
            return;
        }
        self.line();
        self.out.push_str(&format!("</{}>", element.name));
    }

    /// The same, for an element that stays where it has nothing inside.
    pub(super) fn close_kept(&mut self) {
        let Some(element) = self.open.pop() else { return };
        if self.out.len() != element.content {
            self.line();
        }
        self.out.push_str(&format!("</{}>", element.name));
    }

    /// An element with a text.
    pub(super) fn value(&mut self, prefix: &str, local: &str, text: &str) {
        self.attributed(prefix, local, &[], text);
    }

    /// An element with attributes and a text.
    pub(super) fn attributed(
        &mut self,
        prefix: &str,
        local: &str,
        attributes: &[(&str, &str)],
        text: &str,
    ) {
        self.line();
        self.out.push_str(&format!("<{prefix}:{local}"));
        for (attribute, value) in attributes {
            self.out.push_str(&format!(" {attribute}=\""));
            escape_attribute(&allowed(value), &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
        escape_text(&allowed(text), &mut self.out);
        self.out.push_str(&format!("</{prefix}:{local}>"));
    }

    /// The text that is made, for what writes elements as they are.
    pub(super) fn raw(&mut self) -> &mut String {
        &mut self.out
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        while !self.open.is_empty() {
            self.close();
        }
        self.out.push('\n');
        self.out.into_bytes()
    }
}
