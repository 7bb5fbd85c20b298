//! Elements that have text and elements inside.

use quoin_model::en16931::ValueType;
use quoin_xml::write::escape_text;

use super::{InvoiceOutput, OutputAttribute};

impl<'d> InvoiceOutput<'d> {
    /// As [`InvoiceOutput::tagged`], with text beside elements inside.
    pub(crate) fn mixed(
        &mut self,
        name: &'static str,
        attributes: &[(&str, Option<OutputAttribute<'_, 'd>>)],
        inside: impl FnOnce(&mut Self),
    ) {
        if self.enter(name).is_none() {
            return;
        }
        self.start(name);
        self.attributes(attributes);
        self.out.push('>');
        self.open.push(name);
        let outer = std::mem::replace(&mut self.is_mixed, true);
        inside(self);
        self.end(name);
        self.is_mixed = outer;
        self.open.pop();
        self.leave(name, true);
    }

    /// Text of the open element itself, before what is inside.
    pub(crate) fn own_text<T: ValueType<'d>>(&mut self, value: T) {
        escape_text(&value.source().text(), &mut self.out);
        self.ledger.carry(value.source());
    }

    /// A text of the open element itself that was made.
    pub(crate) fn made_text(&mut self, text: &str) {
        escape_text(text, &mut self.out);
    }
}
