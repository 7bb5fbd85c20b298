//! What is taken out of a document for a mail: the files embedded in it, and the address that it
//! names for its recipient.

use data_encoding::BASE64;
use lettre::message::Mailbox;
use quoin_formats::ParsedDocument;
use quoin_xml::tree::Element;

use super::action::mailbox;
use super::{ATTACHMENTS, MAIL_BYTES};

/// A file in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedFile {
    /// Its name, made safe.
    pub name: String,
    /// Its media type, as written.
    pub media_type: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Elements that hold an embedded file: UBL, CII.
const EMBEDDED: &[&str] = &["EmbeddedDocumentBinaryObject", "AttachmentBinaryObject"];

/// The files embedded in a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EmbeddedFiles {
    /// Those that go along, in its order. Where they are more bytes than a mail carries, none come
    /// after the one that is too many.
    pub files: Vec<EmbeddedFile>,
    /// How many cannot: what is no base64, and what is more than a mail carries.
    pub left_out: usize,
}

/// The files embedded in a document.
pub fn attachments(parsed: &ParsedDocument) -> EmbeddedFiles {
    let Some(root) = parsed.root() else { return EmbeddedFiles::default() };
    // What holds other elements holds no file, and would be read once for each that it is in.
    let is_holder = |element: &Element<'_>| {
        EMBEDDED.contains(&element.local()) && element.elements().next().is_none()
    };
    let (mut found, mut left_out, mut size) = (Vec::new(), 0, 0);
    for element in root.descendants().filter(is_holder) {
        if size > MAIL_BYTES {
            break;
        }
        let text: String = element.string_value().split_ascii_whitespace().collect();
        let bytes = BASE64.decode(text.as_bytes()).ok().filter(|_| found.len() < ATTACHMENTS);
        let Some(bytes) = bytes else {
            left_out += 1;
            continue;
        };
        if bytes.is_empty() {
            continue;
        }
        let number = found.len() + 1;
        let written = element.attribute("filename").unwrap_or_default();
        let name = safe(written);
        let name = if name.is_empty() { format!("attachment-{number}") } else { name };
        let media_type = element.attribute("mimeCode").unwrap_or_default().to_owned();
        size += bytes.len();
        found.push(EmbeddedFile { name, media_type, bytes });
    }
    EmbeddedFiles { files: found, left_out }
}

/// Characters of a name.
const NAME: usize = 120;
/// Characters of what stands behind its last dot, where that says what is in the file.
const EXTENSION: usize = 8;

/// A file name without anything that a file system or a mail header could take amiss. One that is
/// too long loses of what is in front of its extension: a file without it is not opened.
pub(super) fn safe(name: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '(' | ')') => c,
        _ => '_',
    };
    let name: String = name.trim().chars().map(plain).collect();
    let name = name.trim_matches(['.', ' ']);
    let length = name.chars().count();
    if length <= NAME {
        return name.to_owned();
    }
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if extension.chars().count() <= EXTENSION => (stem, extension),
        _ => (name, ""),
    };
    let dot = if extension.is_empty() { "" } else { "." };
    let room = NAME - extension.chars().count() - dot.len();
    let stem: String = stem.chars().take(room).collect();
    format!("{}{dot}{extension}", stem.trim_end_matches(['.', ' ']))
}

/// Where the recipient of a document stands in it, by its document element.
const RECIPIENTS: &[(&str, &str)] = &[
    ("Invoice", "AccountingCustomerParty"),
    ("CreditNote", "AccountingCustomerParty"),
    ("Order", "SellerSupplierParty"),
    ("OrderChange", "SellerSupplierParty"),
    ("OrderCancellation", "SellerSupplierParty"),
    ("OrderResponse", "BuyerCustomerParty"),
    ("DespatchAdvice", "DeliveryCustomerParty"),
    ("ApplicationResponse", "ReceiverParty"),
    ("CrossIndustryInvoice", "BuyerTradeParty"),
];

/// The mail address that a document names for its recipient (BT-58 and its like in orders); of a
/// self-billed invoice the seller's.
pub fn recipient(parsed: &ParsedDocument) -> Option<Mailbox> {
    let root = parsed.root()?;
    let self_billed = parsed.header().is_some_and(|header| header.self_billing);
    let role = match RECIPIENTS.iter().find(|(name, _)| *name == root.local())?.1 {
        "AccountingCustomerParty" if self_billed => "AccountingSupplierParty",
        role => role,
    };
    let party = root.descendants().find(|element| element.local() == role)?;
    let mail = party.descendants().find(is_mail)?;
    mailbox(&mail.string_value()).ok()
}

fn is_mail(element: &Element<'_>) -> bool {
    let within = |name: &str| element.parent().is_some_and(|parent| parent.local() == name);
    match element.local() {
        "ElectronicMail" => within("Contact"),
        "URIID" => within("EmailURIUniversalCommunication"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(middle: &str) -> ParsedDocument {
        let ubl = "urn:oasis:names:specification:ubl:schema:xsd";
        quoin_formats::read(
            format!(
                "<Invoice xmlns='{ubl}:Invoice-2' xmlns:a='{ubl}:CommonAggregateComponents-2' \
                 xmlns:b='{ubl}:CommonBasicComponents-2'>{middle}</Invoice>"
            )
            .as_bytes(),
        )
    }

    #[test]
    fn embedded_files_are_found_with_safe_names() {
        let parsed = document(
            "<b:EmbeddedDocumentBinaryObject mimeCode='application/pdf' filename='../a/b.pdf'>
             aGVs\nbG8=</b:EmbeddedDocumentBinaryObject>
             <b:EmbeddedDocumentBinaryObject>!!</b:EmbeddedDocumentBinaryObject>
             <b:EmbeddedDocumentBinaryObject>AA==</b:EmbeddedDocumentBinaryObject>",
        );
        let EmbeddedFiles { files: found, left_out } = attachments(&parsed);
        assert_eq!(left_out, 1, "what is no base64");
        let names: Vec<&str> = found.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["_a_b.pdf", "attachment-2"]);
        assert_eq!(found[0].bytes, b"hello");
        assert_eq!(found[0].media_type, "application/pdf");
    }

    #[test]
    fn files_beyond_what_a_mail_carries_are_counted() {
        let one = "<b:EmbeddedDocumentBinaryObject>AA==</b:EmbeddedDocumentBinaryObject>";
        let found = attachments(&document(&one.repeat(ATTACHMENTS + 2)));
        assert_eq!((found.files.len(), found.left_out), (ATTACHMENTS, 2));
    }

    #[test]
    fn files_within_files_are_none_and_no_more_is_read_than_a_mail_carries() {
        let (start, end) =
            ("<b:EmbeddedDocumentBinaryObject filename='a'>", "</b:EmbeddedDocumentBinaryObject>");
        let nested = format!("{}AAAA{}", start.repeat(9), end.repeat(9));
        assert_eq!(attachments(&document(&nested)).files.len(), 1);
        let one = format!("{start}{}{end}", "AAAA".repeat(MAIL_BYTES / 6));
        let found = attachments(&document(&one.repeat(5))).files;
        assert_eq!(found.len(), 3, "half a mail each");
    }

    #[test]
    fn a_long_name_keeps_its_extension() {
        let name = safe(&format!("{}.xml", "7".repeat(300)));
        assert_eq!((name.len(), &name[116..]), (120, ".xml"));
        assert_eq!(safe(&"7".repeat(300)).len(), 120);
        assert_eq!(safe(&format!("a.{}", "b".repeat(300))).len(), 120);
        assert_eq!(safe(" ../a.pdf "), "_a.pdf");
    }

    #[test]
    fn the_buyers_contact_is_the_recipient() {
        let party = |role: &str, mail: &str| {
            format!(
                "<a:{role}><a:Party><a:Contact><b:ElectronicMail>{mail}</b:ElectronicMail>\
                 </a:Contact></a:Party></a:{role}>"
            )
        };
        let both = party("AccountingSupplierParty", "seller@example.org")
            + &party("AccountingCustomerParty", "buyer@example.org");
        let address =
            |parsed: &ParsedDocument| recipient(parsed).map(|found| found.email.to_string());
        assert_eq!(address(&document(&both)).as_deref(), Some("buyer@example.org"));
        let code = "<b:InvoiceTypeCode>389</b:InvoiceTypeCode>".to_owned() + &both;
        assert_eq!(address(&document(&code)).as_deref(), Some("seller@example.org"));
        let seller = party("AccountingSupplierParty", "seller@example.org");
        assert_eq!(address(&document(&seller)), None);
        assert_eq!(address(&document(&party("AccountingCustomerParty", "no address"))), None);
    }
}
