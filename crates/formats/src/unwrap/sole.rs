//! The one invoice in a file, which goes on as if it had been handed in itself.

use super::{UnopenedReason, Unwrapped};
use crate::DocumentKind;

/// Why no invoice is taken out of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSoleInvoice {
    /// There is none, or none that could be reached.
    #[error("expected an e-invoice inside the file, found none{}", told(.0))]
    Nothing(Vec<UnopenedReason>),
    /// Which of them is meant is not known.
    #[error("the file holds {0} invoices, send one")]
    Several(usize),
    /// It is larger than a document may be.
    #[error("the invoice inside the file has {found} bytes, and a document may have {most}")]
    TooLarge {
        /// Its bytes.
        found: usize,
        /// The bytes of a document at most.
        most: usize,
    },
}

impl Unwrapped<'_> {
    /// The one invoice or credit note among the documents, which may have `most` bytes.
    ///
    /// # Errors
    /// Why there is not one.
    pub fn sole_invoice(self, most: usize) -> Result<Vec<u8>, NoSoleInvoice> {
        let is_invoice = |kind| matches!(kind, DocumentKind::Invoice | DocumentKind::CreditNote);
        let mut invoices = self.documents;
        invoices.retain(|document| document.detection.kind.is_some_and(is_invoice));
        let count = invoices.len();
        match invoices.pop() {
            Some(_) if count > 1 => Err(NoSoleInvoice::Several(count)),
            Some(invoice) if invoice.bytes.len() > most => {
                Err(NoSoleInvoice::TooLarge { found: invoice.bytes.len(), most })
            }
            Some(invoice) => Ok(invoice.bytes.into_owned()),
            None => {
                let reasons = self.closed.into_iter().map(|closed| closed.reason);
                Err(NoSoleInvoice::Nothing(reasons.collect()))
            }
        }
    }
}

fn told(reasons: &[UnopenedReason]) -> String {
    let reasons: Vec<String> = reasons.iter().map(UnopenedReason::to_string).collect();
    if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) }
}

#[cfg(test)]
mod tests {
    use crate::samples::{RECEIVER, SENDER, invoice};
    use crate::unwrap::{NoSoleInvoice, UnwrapLimits};

    fn sole(file: &[u8], most: usize) -> Result<Vec<u8>, NoSoleInvoice> {
        crate::unwrap(file, &UnwrapLimits::default()).sole_invoice(most)
    }

    #[test]
    fn one_invoice_of_the_size_of_a_document_is_taken() {
        let file = invoice(SENDER, RECEIVER, "1").into_bytes();
        assert_eq!(sole(&file, file.len()), Ok(file.clone()));
        let most = file.len() - 1;
        assert_eq!(sole(&file, most), Err(NoSoleInvoice::TooLarge { found: file.len(), most }));
        let part =
            |text: &[u8]| [b"--b\r\nContent-Type: application/xml\r\n\r\n", text, b"\r\n"].concat();
        let head = b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
        let two = [&head[..], &part(&file), &part(&file), b"--b--\r\n"].concat();
        assert_eq!(sole(&two, file.len()), Err(NoSoleInvoice::Several(2)));
        assert_eq!(sole(b"<order/>", 100), Err(NoSoleInvoice::Nothing(Vec::new())));
        let why = sole(b"%PDF-1.7\nscan", 100).unwrap_err();
        assert!(why.to_string().contains("found none: it is damaged"), "{why}");
    }
}
