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
        let outer = self.is_mixed;
        self.tagged(name, attributes, |out| {
            out.is_mixed = true;
            inside(out);
        });
        self.is_mixed = outer;
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
