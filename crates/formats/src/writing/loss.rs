//! What a conversion says: the row of a loss, and why a document is not converted at all.

use serde::Serialize;

/// What became of something that the target does not hold as the source does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossKind {
    /// It is not in the target.
    Lost,
    /// It is in the target and says something else.
    Changed,
    /// It is in the target, not in the source, and follows from the source.
    Derived,
    /// It is in the target together with other values, and cannot be told from them again.
    Merged,
    /// It is in the target as words of a text.
    CarriedAsText,
    /// Neither has it, and the specification that the target says it follows asks for it.
    Missing,
}

impl LossKind {
    /// Every kind, in the order in which they are told.
    pub const ALL: [LossKind; 6] = [
        LossKind::Lost,
        LossKind::Changed,
        LossKind::Derived,
        LossKind::Merged,
        LossKind::CarriedAsText,
        LossKind::Missing,
    ];

    /// The word of the list: `lost`, `changed`, `derived`, `merged`, `carried-as-text`,
    /// `missing`.
    pub const fn as_str(self) -> &'static str {
        match self {
            LossKind::Lost => "lost",
            LossKind::Changed => "changed",
            LossKind::Derived => "derived",
            LossKind::Merged => "merged",
            LossKind::CarriedAsText => "carried-as-text",
            LossKind::Missing => "missing",
        }
    }
}

/// One difference between a document and what it was converted to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Loss {
    /// The XPath in the source, with the source's own prefixes. Of what is derived it is the place
    /// from which it follows, of what is missing the group in which it would stand.
    pub source_path: String,
    /// The business term (`BT-31`, of an order `tir01-003`), where it is one.
    pub term: Option<&'static str>,
    /// What the source says there; of what is derived, what the target says; nothing of what is
    /// missing. Cut at
    /// [`MAX_VALUE`](Loss::MAX_VALUE) characters.
    pub value: String,
    /// What became of it.
    pub kind: LossKind,
    /// Where it is in the target, as a path of names; `None` for what is lost or missing.
    pub target_path: Option<String>,
    /// Why.
    pub reason: &'static str,
}

impl Loss {
    /// Characters of a value that a row repeats at most.
    pub const MAX_VALUE: usize = 1_000;
}

/// Why a document is not converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConversionRefusal {
    /// Its document element is read by no reader.
    #[error(
        "its document element '{found}' of the namespace '{namespace}' is none that is read: invoices and credit notes of UBL, CII, \
         FatturaPA, ebInterface, Svefaktura, DICO, SETU, cXML, FA and our JSON form are, and the \
         order messages of UBL, DICO and cXML"
    )]
    NotReadable {
        /// The local name of the document element, at most 100 characters.
        found: String,
        /// Its namespace, at most 200 characters.
        namespace: String,
    },
    /// Each invoice of a file becomes a document of its own.
    #[error("the file holds {count} invoices, each a document of its own: ask for one of them")]
    SeveralInvoices {
        /// How many.
        count: usize,
    },
    /// The target is a syntax of other documents: an order has no form in FatturaPA.
    #[error("{what} has no form in {target}")]
    OtherDocuments {
        /// What it is, in words.
        what: &'static str,
        /// The target, in words.
        target: &'static str,
    },
    /// BT-3 is for another document element, or for none.
    #[error("a document of type {code} (BT-3) has no place: {why}")]
    TypeWithoutPlace {
        /// The type code.
        code: String,
        /// Which rule it is against.
        why: &'static str,
    },
    /// BG-25 is 1..n in UBL; the profiles MINIMUM and BASIC WL have no lines.
    #[error("it has no lines (BG-25), which the target must have")]
    NoLines,
    /// A term that the target must have, and that follows from nothing.
    #[error("it has no {term}, which the target must have")]
    TermMissing {
        /// Which one: its identifier and name.
        term: &'static str,
    },
    /// A tax that is not VAT, which EN 16931 does not know.
    #[error("the tax scheme {scheme} at {path} is not VAT, and EN 16931 has no other")]
    OtherTax {
        /// The scheme.
        scheme: String,
        /// Where it stands.
        path: String,
    },
    /// A specification that is of one syntax only, such as PINT outside of Europe.
    #[error("the specification {specification} has no form in the target")]
    SpecificationWithoutPlace {
        /// BT-24.
        specification: String,
    },
    /// Lines that contain other lines: who adds all lines counts some twice.
    #[error("the line at {path} is a group of lines or belongs to one, which has no place")]
    LineHierarchy {
        /// The first such line.
        path: String,
    },
    /// Something that the target must have, that the source has not, and that no rule derives.
    #[error("the target asks for {what} ({target}), which is not at {path}")]
    Required {
        /// What is missing: a term or a group of EN 16931, or a word of the target.
        what: &'static str,
        /// Where it would stand in the source.
        path: String,
        /// The element of the target.
        target: &'static str,
    },
    /// A value that the target must have and that has another form there.
    #[error("{value:?} at {path} has no place: {why}")]
    ValueWithoutPlace {
        /// Where it stands.
        path: String,
        /// What it is.
        value: String,
        /// What the target asks for.
        why: &'static str,
    },
    /// Amounts that do not agree, of which the target asks that they do.
    #[error("{said} at {path} is not {computed}, which follows from the rest: {rule}")]
    SumsDiffer {
        /// Where the amount stands.
        path: String,
        /// What it is.
        said: String,
        /// What the other amounts lead to.
        computed: String,
        /// The rule that is broken.
        rule: &'static str,
    },
    /// BG-DEX-09 of XRechnung changes the amount due, and the target has no place for it.
    #[error("the third-party payment at {path} changes the amount due, and has no place")]
    ThirdPartyPayment {
        /// The first one.
        path: String,
    },
    /// The list of losses would be larger than [`MAX_LIST_BYTES`](super::MAX_LIST_BYTES).
    #[error("so much of it has no place that the list would be over {0} bytes")]
    ListTooLong(usize),
    /// The list of losses would have more rows than [`MAX_LOSSES`](super::MAX_LOSSES).
    #[error("so much of it has no place that the list would have over {0} rows")]
    TooManyLosses(usize),
}
