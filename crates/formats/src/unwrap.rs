//! Opening what documents come in: envelopes, hybrid PDF, multipart bodies, signed containers, zip.
//!
//! [`unwrap`] gives the documents inside a file with their own detection, and what could not be
//! opened with its reason. A file that is no container is its own only document. Everything is
//! bounded by [`Limits`]: bytes, ratio, number and nesting; nothing is written to disk and no name
//! inside an archive is used as a path.

mod beside;
pub(crate) mod cms;
mod inflate;
mod mime;
mod pdf;
mod sole;
#[cfg(test)]
mod tests;
mod zip;

pub use sole::NoSoleInvoice;

use std::borrow::Cow;

use quoin_xml::base64;

use crate::Syntax;
use crate::detection::{Certainty, CmsEncoding, Detection, ParsedDocument, Wrapper};
use quoin_model::text::shortened;

/// What is opened at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnwrapLimits {
    /// Bytes of a file.
    pub bytes: usize,
    /// Bytes of everything that is inflated or decoded, together.
    pub unpacked: usize,
    /// How many times larger than its compressed form a part may be, above [`FREE_RATIO_BYTES`].
    pub ratio: usize,
    /// Documents and attachments, together.
    pub documents: usize,
    /// Containers inside one another.
    pub depth: usize,
}

/// Inflated bytes up to which the ratio is not looked at.
pub const FREE_RATIO_BYTES: usize = 1 << 20;

impl Default for UnwrapLimits {
    fn default() -> Self {
        UnwrapLimits {
            bytes: 128 << 20,
            unpacked: 256 << 20,
            ratio: 200,
            documents: 1_000,
            depth: 3,
        }
    }
}

/// Whether a file in a PDF that has this name is its document, whatever else is in it: the names of
/// Factur-X, ZUGFeRD, XRechnung and Order-X.
pub fn is_document_name(name: &str) -> bool {
    pdf::is_known(name)
}

/// A document, or an attachment, inside a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InnerDocument<'b> {
    /// Its name in the container.
    pub name: Option<String>,
    /// Its bytes, unchanged. Inside a `StandardBusinessDocument`, the whole envelope.
    pub bytes: Cow<'b, [u8]>,
    /// What it is, with all wrappers from the outside in.
    pub detection: Detection,
}

/// Something that was not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// What it is in.
    pub wrappers: Vec<Wrapper>,
    /// What it is itself.
    pub syntax: Option<Syntax>,
    /// Why.
    pub reason: UnopenedReason,
}

/// Why a container was not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnopenedReason {
    /// The content is encrypted.
    #[error("it is encrypted, and nobody gave us the key; send it without a password")]
    Encrypted,
    /// A signature without the signed document.
    #[error("the signature is detached: the signed document is not in the file; send it enclosed")]
    Detached,
    /// Nothing in it is a document.
    #[error("there is no document in it")]
    Nothing,
    /// Its structure is broken.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// A way of packing that is not read.
    #[error("{0} is not read; use deflate or no compression")]
    Method(String),
    /// More bytes than allowed.
    #[error("it unpacks to more than {0} bytes")]
    TooLarge(usize),
    /// Packed tighter than any document.
    #[error("it unpacks to more than {0} times its size")]
    Ratio(usize),
    /// More parts than allowed.
    #[error("it has more than {0} documents")]
    TooMany(usize),
    /// Containers in containers.
    #[error("containers are nested deeper than {0}")]
    TooDeep(usize),
}

/// What was in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unwrapped<'b> {
    /// The documents, in the order of the containers. A container with nothing readable inside is
    /// here itself, and where there is no document at all, so is everything else.
    pub documents: Vec<InnerDocument<'b>>,
    /// What stands beside the documents and is none: covering texts, pictures, other files of a
    /// PDF.
    pub attachments: Vec<InnerDocument<'b>>,
    /// What was not opened.
    pub closed: Vec<Closed>,
}

/// What a container holds.
struct ContainerItem<'c> {
    name: Option<String>,
    bytes: Cow<'c, [u8]>,
    wrapper: Wrapper,
}

/// Bytes and documents that are left of the limits.
pub(crate) struct UnwrapBudget {
    limits: UnwrapLimits,
    unpacked: usize,
}

impl UnwrapBudget {
    fn new(limits: UnwrapLimits) -> UnwrapBudget {
        UnwrapBudget { limits, unpacked: limits.unpacked }
    }

    /// Takes bytes that were unpacked. Where they are more than is left, nothing is left.
    fn spend(&mut self, bytes: usize) -> Result<(), UnopenedReason> {
        let left = self.unpacked.checked_sub(bytes);
        self.unpacked = left.unwrap_or(0);
        left.map(|_| ()).ok_or(UnopenedReason::TooLarge(self.limits.unpacked))
    }
}

/// Tells what bytes are.
pub(crate) type Tell = fn(&[u8]) -> ParsedDocument;

/// The documents inside a file, each told by a function.
pub(crate) fn open<'b>(bytes: &'b [u8], limits: &UnwrapLimits, tell: Tell) -> Unwrapped<'b> {
    opened(bytes, limits, tell).out
}

/// How many bytes are unpacked for the documents inside a file; where that is what the limits have,
/// it may be more.
pub(crate) fn measured(bytes: &[u8], limits: &UnwrapLimits, tell: Tell) -> usize {
    limits.unpacked - opened(bytes, limits, tell).budget.unpacked
}

fn opened<'b>(bytes: &'b [u8], limits: &UnwrapLimits, tell: Tell) -> Opener<'b> {
    let budget = UnwrapBudget::new(*limits);
    let mut opener = Opener { budget, out: Unwrapped::default(), tell };
    if bytes.len() > limits.bytes {
        let reason = UnopenedReason::TooLarge(limits.bytes);
        opener.out.closed.push(Closed { wrappers: Vec::new(), syntax: None, reason });
        return opener;
    }
    opener.open(None, Cow::Borrowed(bytes), &[]);
    beside::put_aside(&mut opener.out);
    opener
}

struct Opener<'b> {
    tell: Tell,
    budget: UnwrapBudget,
    out: Unwrapped<'b>,
}

impl<'b> Opener<'b> {
    fn open(&mut self, name: Option<String>, bytes: Cow<'b, [u8]>, wrappers: &[Wrapper]) {
        let parsed = (self.tell)(&bytes);
        let mut detection = parsed.detection().clone();
        detection.wrappers.splice(0..0, wrappers.iter().cloned());
        let Some(syntax) = detection.syntax.filter(|syntax| syntax.is_container()) else {
            told_by_pdf(&mut detection);
            self.keep(InnerDocument { name, bytes, detection });
            return;
        };
        let around = detection.wrappers.clone();
        if around.iter().filter(|wrapper| !matches!(wrapper, Wrapper::Sbdh)).count()
            >= self.budget.limits.depth
        {
            self.close(&around, syntax, UnopenedReason::TooDeep(self.budget.limits.depth));
            return;
        }
        let before = (self.out.documents.len(), self.out.closed.len());
        let content = parsed.root().filter(|_| syntax == Syntax::PeppolContent);
        let result = match (content, &bytes) {
            (Some(content), _) => self.content(content, &around),
            (None, Cow::Borrowed(bytes)) => {
                let children = self.children(syntax, bytes, &around);
                children.map(|children| {
                    for child in children {
                        self.child(child, &around);
                    }
                })
            }
            (None, Cow::Owned(bytes)) => {
                let children = self.children(syntax, bytes, &around);
                children.map(|children| {
                    for child in children {
                        let bytes = Cow::Owned(child.bytes.into_owned());
                        self.child(ContainerItem { bytes, ..child }, &around);
                    }
                })
            }
        };
        if let Err(reason) = result {
            self.close(&around, syntax, reason);
        }
        if syntax == Syntax::Pdf {
            let files = self.out.documents.split_off(before.0);
            let (documents, attachments) = beside::of_pdf(files, around.len());
            self.out.documents.extend(documents);
            self.out.attachments.extend(attachments);
        }
        if before == (self.out.documents.len(), self.out.closed.len()) {
            self.close(&around, syntax, UnopenedReason::Nothing);
        }
        if before.0 == self.out.documents.len() {
            self.keep(InnerDocument { name, bytes, detection });
        }
    }

    fn child(&mut self, child: ContainerItem<'b>, around: &[Wrapper]) {
        let wrappers = [around, &[child.wrapper]].concat();
        self.open(child.name, child.bytes, &wrappers);
    }

    fn keep(&mut self, inner: InnerDocument<'b>) {
        let limit = self.budget.limits.documents;
        if self.out.documents.len() + self.out.attachments.len() < limit {
            self.out.documents.push(inner);
        } else if self.out.closed.len() < limit {
            let InnerDocument { detection: Detection { wrappers, syntax, .. }, .. } = inner;
            self.out.closed.push(Closed {
                wrappers,
                syntax,
                reason: UnopenedReason::TooMany(limit),
            });
        }
    }

    fn close(&mut self, wrappers: &[Wrapper], syntax: Syntax, reason: UnopenedReason) {
        if self.out.closed.len() < self.budget.limits.documents {
            let (wrappers, syntax) = (wrappers.to_vec(), Some(syntax));
            self.out.closed.push(Closed { wrappers, syntax, reason });
        }
    }

    /// What is in a container; parts that could not be unpacked are told apart.
    fn children<'c>(
        &mut self,
        syntax: Syntax,
        bytes: &'c [u8],
        around: &[Wrapper],
    ) -> Result<Vec<ContainerItem<'c>>, UnopenedReason> {
        let results = match syntax {
            Syntax::Pdf => pdf::embedded(bytes, &mut self.budget)?,
            Syntax::Zip => zip::entries(bytes, &mut self.budget)?,
            Syntax::Mime => mime::parts(bytes, &mut self.budget)?,
            _ => vec![Ok(cms::content(bytes, &mut self.budget)?)],
        };
        let mut children = Vec::new();
        for result in results {
            match result {
                Ok(child) => children.push(child),
                Err(reason) => self.close(around, syntax, reason),
            }
        }
        Ok(children)
    }

    /// `BinaryContent` (base64) or `TextContent` of the Peppol envelope specification 1.2.
    fn content(
        &mut self,
        root: quoin_xml::tree::Element<'_>,
        around: &[Wrapper],
    ) -> Result<(), UnopenedReason> {
        let text = root.text();
        let bytes = match root.local() {
            "BinaryContent" => base64::decode(text.trim().as_bytes())
                .map_err(|_| UnopenedReason::Damaged("BinaryContent is not base64"))?,
            _ => text.into_owned().into_bytes(),
        };
        self.budget.spend(bytes.len())?;
        let mime_type = root.attribute("mimeType").map(|text| shortened(text).into_owned());
        let wrapper = Wrapper::Content { mime_type };
        self.child(ContainerItem { name: None, bytes: Cow::Owned(bytes), wrapper }, around);
        Ok(())
    }
}

/// `ConformanceLevel` of the XMP metadata, and the profiles that it stands for.
const LEVELS: &[(&str, &[&str])] = &[
    ("MINIMUM", &["facturx-minimum", "zugferd-2.0-minimum"]),
    ("BASICWL", &["facturx-basicwl", "zugferd-2.0-basicwl"]),
    ("BASIC", &["facturx-basic", "zugferd-2.0-basic", "zugferd-1-basic", "order-x-basic"]),
    ("EN16931", &["en16931"]),
    ("COMFORT", &["en16931", "zugferd-1-comfort", "order-x-comfort"]),
    (
        "EXTENDED",
        &["facturx-extended", "zugferd-2.0-extended", "zugferd-1-extended", "order-x-extended"],
    ),
    (
        "XRECHNUNG",
        &[
            "xrechnung-3",
            "xrechnung-3-extension",
            "xrechnung-3-cvd",
            "xrechnung-1-2",
            "xrechnung-1-2-extension",
        ],
    ),
];

/// Compares what the metadata of a PDF says with what the document in it says, and tells apart the
/// profiles that only the PDF tells apart.
fn told_by_pdf(detection: &mut Detection) {
    let profile = detection.profile.clone();
    let Some(Wrapper::HybridPdf { file_name, level, mismatch, .. }) = detection.wrappers.last_mut()
    else {
        return;
    };
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase()
    };
    let known = level.as_deref().map(plain);
    let row = LEVELS.iter().find(|(name, _)| Some(*name) == known.as_deref());
    let fits = row.is_some_and(|(_, ids)| profile.as_deref().is_some_and(|id| ids.contains(&id)));
    if let (false, Some(level)) = (fits, level.as_deref()) {
        let says = profile.as_deref().unwrap_or("no known profile");
        *mismatch = Some(match row {
            Some(_) => format!("The metadata says {level}, the document in the PDF says {says}."),
            None => format!("The metadata of the PDF names a level that no standard has: {level}."),
        });
    }
    let reason = match (profile.as_deref(), &**file_name, &*mismatch) {
        (_, _, Some(mismatch)) => mismatch.clone(),
        (Some("en16931"), "factur-x.xml", _) => {
            "In a PDF as factur-x.xml, EN 16931 is that profile of Factur-X.".to_owned()
        }
        (Some("en16931"), "zugferd-invoice.xml", _) => {
            "In a PDF as zugferd-invoice.xml, EN 16931 is that profile of ZUGFeRD 2.0.".to_owned()
        }
        _ => return,
    };
    if detection.certainty > Certainty::Unknown {
        detection.reasons.push(reason);
    }
}
