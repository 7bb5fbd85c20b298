//! Why a document has no place in the target, where that is found while writing.

use quoin_model::en16931::ValueSource;
use quoin_xml::tree::Element;

use super::super::loss::ConversionRefusal;
use super::super::national::without_place;
use super::InvoiceOutput;

impl<'d> InvoiceOutput<'d> {
    /// The document has no place in the target; the first reason is told.
    pub(crate) fn refuse(&mut self, refusal: ConversionRefusal) {
        self.refusal.get_or_insert(refusal);
    }

    /// Refuses a value that has another form in the target. The path is found for the first only:
    /// it costs as much as the element has siblings.
    pub(crate) fn refuse_value(&mut self, source: ValueSource<'d>, why: &'static str) {
        if self.refusal.is_none() {
            self.refuse(without_place(source, why));
        }
    }

    /// Refuses a document without something that the target must have.
    pub(crate) fn refuse_without(
        &mut self,
        place: Element<'_>,
        what: &'static str,
        target: &'static str,
    ) {
        if self.refusal.is_none() {
            let path = place.path();
            self.refuse(ConversionRefusal::Required { what, path, target });
        }
    }

    /// Whether the document is refused already.
    pub(crate) fn is_refused(&self) -> bool {
        self.refusal.is_some()
    }
}
