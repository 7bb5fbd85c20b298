//! What the XMP metadata of a PDF says about the embedded document.
//!
//! Source: Factur-X 1.0 section 6.2.2; ZUGFeRD 1.0 and 2.0, XMP extension schema.

use quoin_xml::tree::{Document, Limits};

use quoin_model::text::cut;

/// Bytes of metadata that are read.
const MAX_BYTES: usize = 1 << 20;
/// Characters of a level that are kept.
const MAX_LEVEL: usize = 40;

/// `ConformanceLevel` of Factur-X, ZUGFeRD or Order-X, as an element or an attribute.
pub(super) fn level(metadata: &[u8]) -> Option<String> {
    let limits = Limits { bytes: MAX_BYTES, ..Limits::default() };
    let document = Document::parse(metadata.trim_ascii(), &limits).ok()?;
    let is_ours = |namespace: &str| {
        namespace.starts_with("urn:")
            && (namespace.contains(":pdfa:CrossIndustryDocument") || namespace.contains("order-x"))
    };
    let mut elements = document.root().descendants();
    let level = elements.find_map(|element| {
        if element.local() == "ConformanceLevel" && is_ours(element.namespace()) {
            return Some(element.text().trim().to_owned());
        }
        let mut attributes = element.attributes();
        let attribute =
            attributes.find(|a| a.local == "ConformanceLevel" && is_ours(a.namespace))?;
        Some(attribute.value.trim().to_owned())
    })?;
    (!level.is_empty()).then(|| cut(&level, MAX_LEVEL).into_owned())
}
