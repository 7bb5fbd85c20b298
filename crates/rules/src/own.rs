//! Our own findings: what no standard names. Each row is the documentation of its identifier.

use quoin_model::{FixBy, Flag};

mod unsent;

pub use unsent::UNSENT;

/// A row of [`OWN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Own {
    /// The identifier: `QUOIN-XML-DTD`.
    pub id: &'static str,
    /// Whether it stops the document.
    pub flag: Flag,
    /// Who can put it right.
    pub fix_by: FixBy,
    /// What it means.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

const fn fatal(id: &'static str, meaning: &'static str, remedy: &'static str) -> Own {
    Own { id, flag: Flag::Fatal, fix_by: FixBy::SourceSystem, meaning, remedy }
}

const fn warning(id: &'static str, meaning: &'static str, remedy: &'static str) -> Own {
    Own { flag: Flag::Warning, ..fatal(id, meaning, remedy) }
}

const fn information(id: &'static str, meaning: &'static str, remedy: &'static str) -> Own {
    Own { flag: Flag::Information, ..fatal(id, meaning, remedy) }
}

const fn master_data(own: Own) -> Own {
    Own { fix_by: FixBy::MasterData, ..own }
}

macro_rules! own {
    ($($name:ident = $row:expr;)*) => {
        $(#[doc = concat!("The row `", stringify!($name), "`.")] pub static $name: Own = $row;)*
        /// All of our own findings.
        pub static OWN: &[&Own] = &[$(&$name),*];
    };
}

own! {
    XML_EMPTY = fatal("QUOIN-XML-EMPTY", "There is no document: no bytes, or no element.",
        "Send the XML document as the body of the request.");
    TIME = fatal("QUOIN-TIME",
        "Validating the document took longer than it may, so that not all rules were applied.",
        "Send it in smaller parts, or ask the operator to raise limits.validation_seconds.");
    XML_TOO_LARGE = fatal("QUOIN-XML-SIZE", "The document is larger than the reader accepts.",
        "Send large attachments by another way, or split the invoice.");
    XML_DTD = fatal("QUOIN-XML-DTD",
        "The document has a document type declaration (DOCTYPE), which can make a reader expand \
         entities without end or fetch files, and is therefore never read.",
        "Leave the DOCTYPE out; UBL and CII need none.");
    XML_DEPTH = fatal("QUOIN-XML-DEPTH", "Elements are nested deeper than 64 levels.",
        "No business document needs that; look for a loop in the program that writes it.");
    XML_NODES = fatal("QUOIN-XML-NODES",
        "The document has more nodes, attributes or namespace declarations than are accepted.",
        "Split the invoice.");
    XML_ENTITY = fatal("QUOIN-XML-ENTITY",
        "An entity other than the five of XML is used; without a DOCTYPE none is defined.",
        "Write the character itself, or its number: &#233; instead of &eacute;.");
    XML_ENCODING = fatal("QUOIN-XML-ENCODING",
        "The bytes are not text in the encoding that the document declares.",
        "Write UTF-8 and declare UTF-8.");
    XML_SYNTAX = fatal("QUOIN-XML-SYNTAX", "The document is not well-formed XML.",
        "Write XML with an XML library instead of joining strings.");
    NOT_XML = fatal("QUOIN-FORMAT-NOT-XML", "The file is not an XML document.",
        "Send the XML invoice itself, not a PDF, an archive or a signed container around it.");
    ATTACHMENTS = information("QUOIN-ATTACHMENTS",
        "The file holds parts beside its documents that are none themselves: they were not judged.",
        "Nothing to do, unless one of them was meant to be a document: then write it in its format.");
    JSON_FORM = fatal("QUOIN-JSON-FORM", "The invoice in JSON is not in the form that it names.",
        "Write it by the schema of this form, invoice.schema.json: each member where it \
         belongs, amounts and dates as texts.");
    FORMAT_UNKNOWN = warning("QUOIN-FORMAT-UNKNOWN",
        "The document element and its namespace belong to no format that is known here.",
        "Check the name and the namespace of the document element.");
    FORMAT_UNSUPPORTED = warning("QUOIN-FORMAT-UNSUPPORTED",
        "The format is recognised, and this release has no business rules for it: at most its \
         structure was checked.",
        "Nothing to do for the sender; register the official rules of the format to have it judged.");
    PROFILE_UNKNOWN = warning("QUOIN-PROFILE-UNKNOWN",
        "The specification identifier (BT-24) names no known profile; the rules that every \
         document of this kind has to keep were applied: for an invoice the core rules of EN 16931.",
        "Check CustomizationID: a receiver is found by it.");
    PROFILE_OTHER = warning("QUOIN-PROFILE-OTHER",
        "The specification identifier (BT-24) names a profile that documents of this syntax or \
         document element cannot be of; at most the core rules of the syntax were applied.",
        "Check CustomizationID, or write the document in the syntax of its profile.");
    ANNOUNCED_TYPE = fatal("QUOIN-ANNOUNCED-TYPE",
        "The document is not of the type that was announced for it: its CustomizationID is another \
         one.",
        "Name the type by the document: root element and CustomizationID (PFUOI policy 20).");
    ANNOUNCED_PROCESS = fatal("QUOIN-ANNOUNCED-PROCESS",
        "The document is not of the process that was announced for it: its ProfileID (BT-23) is \
         another one.",
        "Name the process by the document, or correct its ProfileID.");
    PROFILE_PARTIAL = warning("QUOIN-PROFILE-PARTIAL",
        "The beginning of the specification identifier is known and its last part is not; the \
         rules of the known part were applied.",
        "Check the end of CustomizationID: a receiver is found by it.");
    PROFILE_LEGACY = warning("QUOIN-PROFILE-LEGACY", "The profile is out of use.",
        "Move to Peppol BIS Billing 3 or to the present release of the profile.");
    PROFILE_NO_RULES = warning("QUOIN-PROFILE-NO-RULES",
        "This release has no business rules for the profile: the document is not judged, only its \
         structure and routing were checked.",
        "Nothing to do for the sender; register the official rules of the profile to have it judged.");
    SI_UBL_1 = fatal("QUOIN-PROFILE-SI-UBL-1",
        "SI-UBL 1 has not been allowed on the Peppol network since 1 January 2024.",
        "Use NLCIUS (SI-UBL 2.0) or Peppol BIS Billing 3, and set CustomizationID accordingly.");
    BIS_2 = fatal("QUOIN-PROFILE-BIS-2",
        "Peppol BIS 1 and 2 are withdrawn: their document types are deprecated in the code list of \
         Peppol, and receivers are registered for BIS 3.",
        "Send Peppol BIS Billing 3 or the message of Peppol BIS 3 that took its place, and set \
         CustomizationID and ProfileID accordingly.");
    UBL_MISSING = fatal("QUOIN-UBL-MISSING", "An element that UBL 2.1 requires is missing.",
        "Write the element.");
    UBL_REPEATED = fatal("QUOIN-UBL-REPEATED",
        "An element occurs more often than UBL 2.1 allows.", "Write the element once.");
    UBL_ORDER = fatal("QUOIN-UBL-ORDER",
        "A child of the document element stands in the wrong place: UBL 2.1 fixes their order.",
        "Write the elements in the order of the UBL 2.1 schema.");
    UBL_UNKNOWN = fatal("QUOIN-UBL-UNKNOWN",
        "A child of the document element is not part of this UBL 2.1 document type, or is in the \
         wrong namespace.",
        "Leave the element out, or check its name and namespace prefix.");
    ORDER_REFERENCE = fatal("QUOIN-ORDER-REFERENCE",
        "An invoice names more than one purchase order; one is the most (BT-13).",
        "Make one invoice for each order, or name the orders on the lines.");
    DATE = fatal("QUOIN-DATE", "The issue date is not a date.",
        "Write year, month and day: 2026-05-31, without a time.");
    DECIMAL = fatal("QUOIN-DECIMAL",
        "A number is not an xs:decimal: it has an exponent (scientific notation), a thousands \
         separator, a decimal comma, or is no number at all.",
        "Write digits with at most one decimal point. Format numbers as fixed decimals in the \
         source system; an exponent comes from printing a binary floating point number.");
    DECIMAL_RANGE = fatal("QUOIN-DECIMAL-RANGE",
        "A number, or a sum of numbers, has more digits before its point than can be computed with.",
        "Round to the decimals of the currency in the source system.");
    CHECKSUM_IBAN = master_data(warning("QUOIN-CHECKSUM-IBAN",
        "An account to pay to has the form of an IBAN, and its check digits do not fit.",
        "Correct the account in the record of the payee; a payment to it would come back."));
    ENDPOINT_MISSING = master_data(fatal("QUOIN-ENDPOINT-MISSING",
        "A party has no electronic address (EndpointID), so the document cannot be routed.",
        "Add the Peppol identifier of the party to its record."));
    ENDPOINT_REPEATED = fatal("QUOIN-ENDPOINT-REPEATED",
        "A party has more than one electronic address; exactly one is allowed.",
        "Write the address by which the party is registered, and other identifiers as \
         PartyIdentification.");
    ENDPOINT_EMPTY = master_data(fatal("QUOIN-ENDPOINT-EMPTY",
        "An electronic address is there and says nothing.",
        "Add the Peppol identifier of the party to its record."));
    ENDPOINT_SCHEME = master_data(fatal("QUOIN-ENDPOINT-SCHEME",
        "The scheme of an electronic address is missing or is no code of the EAS list.",
        "Use the four-digit code: 0106 for a Chamber of Commerce number, 0208 for a Belgian \
         enterprise number, 0088 for a GLN."));
    ENDPOINT_SPACE = master_data(fatal("QUOIN-ENDPOINT-SPACE",
        "An electronic address has white space inside it.", "Remove the white space."));
    ENDPOINT_TRIM = warning("QUOIN-ENDPOINT-TRIM",
        "An electronic address has white space around it, which was passed over.",
        "Write the address without white space or line breaks around it.");
    ENDPOINT_SHAPE = master_data(warning("QUOIN-ENDPOINT-SHAPE",
        "An electronic address does not have the shape that its scheme prescribes.",
        "Check the number: it is probably not registered in this form."));
}

/// Every row, of findings and of why documents are not sent.
pub fn all() -> impl Iterator<Item = &'static Own> {
    OWN.iter().copied().chain(UNSENT)
}
