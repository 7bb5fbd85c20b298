//! The subject of a note in syntaxes that have no element for it.

use quoin_model::en16931::{Note, NoteSubjectCode};

use super::super::loss::LossKind;
use super::InvoiceOutput;

impl<'d> InvoiceOutput<'d> {
    /// BT-21 is written before BT-22 as `#AAI#` (CEN/TS 16931-3-2, BG-1). What is no code of
    /// UNTDID 4451 is read there as a part of the text.
    pub(crate) fn subject_before_text(&mut self, name: &str, subject: NoteSubjectCode<'d>) {
        if Note::is_subject(&subject.trimmed()) {
            return self.ledger.carry(*subject);
        }
        let reason = "it is no code of UNTDID 4451, and the target has no element for it";
        let path = Some(self.path_of(name));
        self.ledger.list(*subject, LossKind::CarriedAsText, path, reason);
    }
}
