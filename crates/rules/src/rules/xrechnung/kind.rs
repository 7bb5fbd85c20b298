//! Which XRechnung a document is, by its specification identifier, and the code lists of the
//! extension and of the profile for clean vehicles.

use quoin_xml::tree::Element;

use super::formats::wrong;
use crate::rules::values::{RSM, SPACE, cbc, normalize, normalized, ram, rsm, text};
use crate::rules::{Facts, Outcome, RuleVerdict};
use quoin_model::codes;

const INVOICE: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
const CREDIT_NOTE: &str = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";

/// XRechnung itself.
const CIUS: &str = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0";
/// With its extension.
const EXTENSION: &str = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0\
                         #conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0";
/// For clean vehicles.
const VEHICLES: &str = "urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0\
                        #compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9";

/// What a document says that it is.
struct XRechnungVariant {
    extension: bool,
    vehicles: bool,
}

impl XRechnungVariant {
    fn of(facts: &Facts<'_>) -> XRechnungVariant {
        let ids = identifiers(facts.root());
        let says =
            |wanted: &str| ids.iter().any(|id| text::nodes(*id).iter().any(|own| own == wanted));
        XRechnungVariant { extension: says(EXTENSION), vehicles: says(VEHICLES) }
    }
}

/// The specification identifiers of a document.
fn identifiers(root: Element<'_>) -> Vec<Element<'_>> {
    if is_ubl(root) {
        return cbc(root, "CustomizationID").collect();
    }
    if !is_cii(root) {
        return Vec::new();
    }
    let contexts = rsm(root, "ExchangedDocumentContext");
    let guides = contexts.flat_map(|own| ram(own, "GuidelineSpecifiedDocumentContextParameter"));
    guides.flat_map(|own| ram(own, "ID")).collect()
}

/// Whether a document is an invoice of UBL.
pub(super) fn is_invoice(root: Element<'_>) -> bool {
    root.is(INVOICE, "Invoice")
}

/// Whether a document is an invoice or a credit note of UBL.
pub(super) fn is_ubl(root: Element<'_>) -> bool {
    is_invoice(root) || root.is(CREDIT_NOTE, "CreditNote")
}

/// Whether a document is an invoice of CII.
pub(super) fn is_cii(root: Element<'_>) -> bool {
    root.is(RSM, "CrossIndustryInvoice")
}

/// Whether a document is one with the extension.
pub(super) fn is_extension(facts: &Facts<'_>) -> bool {
    facts.memo(XRechnungVariant::of).extension
}

/// Whether a document is one for clean vehicles.
pub(super) fn is_for_vehicles(facts: &Facts<'_>) -> bool {
    facts.memo(XRechnungVariant::of).vehicles
}

/// BR-DE-21: the specification identifier is one of XRechnung.
pub(super) fn specified<'d>(mut ids: impl Iterator<Item = Element<'d>>) -> Outcome<'d> {
    let is_own = |id: Element<'_>| [CIUS, EXTENSION, VEHICLES].contains(&&*id.string_value());
    let first = ids.next();
    let holds = first.into_iter().chain(ids).any(is_own);
    Ok(wrong(holds, first).expected(CIUS))
}

/// A code list of the extension: one that is known too, with other codes besides.
pub(super) struct ExtensionCodeList {
    key: &'static str,
    more: &'static [&'static str],
    less: &'static [&'static str],
}

/// Digital health applications.
const HEALTH: &[&str] = &["XR01", "XR02", "XR03"];

/// Identifier schemes (ISO 6523). The last of the published list has no space after it, so that
/// 0244 is not found in it.
pub(super) const SCHEMES: ExtensionCodeList =
    ExtensionCodeList { key: "icd@peppol-logistics-1.2", more: HEALTH, less: &["0244"] };
/// Electronic address schemes (EAS).
pub(super) const ADDRESSES: ExtensionCodeList =
    ExtensionCodeList { key: "eas@en16931-ubl-1.3.15", more: HEALTH, less: &["0245"] };
/// Item classifications (UNTDID 7143).
const CLASSES: ExtensionCodeList =
    ExtensionCodeList { key: "uncl7143@peppol-bis3-2025-q2", more: &["CVD"], less: &[] };

impl ExtensionCodeList {
    /// Whether it has a code. Two published lists are put together with two spaces between, so
    /// that no code at all is found too.
    fn has(&self, code: &str) -> bool {
        let known = || codes::by_key(self.key).is_some_and(|list| list.contains(code));
        code.is_empty() || self.more.contains(&code) || (!self.less.contains(&code) && known())
    }

    /// An attribute has a code of the list.
    pub(super) fn test<'d>(&self, element: Element<'d>, attribute: &str) -> RuleVerdict<'d> {
        let found = element.attribute(attribute).unwrap_or_default();
        RuleVerdict::of(self.has(&normalize(found.into()))).found(found)
    }
}

/// Media types that may be attached, with XML for the extension.
const MEDIA: &[&str] = &[
    "application/pdf",
    "image/png",
    "image/jpeg",
    "text/csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/xml",
];

/// BR-DEX-01.
pub(super) fn media<'d>(attached: Element<'d>) -> Outcome<'d> {
    let found = attached.attribute("mimeCode").unwrap_or_default();
    Ok(RuleVerdict::of(MEDIA.contains(&found)).found(found))
}

/// BR-TMP-CVD-01: the scheme of an item classification.
pub(super) fn class_scheme<'d>(class: Element<'d>) -> Outcome<'d> {
    Ok(CLASSES.test(class, "listID"))
}

/// BR-DE-CVD-04: a classification of clean vehicles is a category of vehicles.
pub(super) fn vehicle_category<'d>(class: Element<'d>) -> Outcome<'d> {
    let scheme = class.attribute("listID").unwrap_or_default();
    let known = ["M1", "M2", "M3", "N1", "N2", "N3"];
    let holds = scheme.trim_matches(SPACE) != "CVD" || known.contains(&&*normalized(class));
    Ok(wrong(holds, Some(class)).expected(known.join(", ")))
}

/// BR-DE-CVD-05: what a clean vehicle is.
pub(super) fn vehicle_kind<'d>(value: Option<Element<'d>>) -> RuleVerdict<'d> {
    let known = ["clean", "zero-emission", "other"];
    let holds = value.is_some_and(|value| known.contains(&&*normalized(value)));
    wrong(holds, value).expected(known.join(", "))
}
