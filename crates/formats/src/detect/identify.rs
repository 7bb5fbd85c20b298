//! What a well-formed document is.

use std::borrow::Cow;

use quoin_xml::tree::Element;

use super::sniff;
use crate::Wrapper;
use crate::detection::{Certainty, Detection, MAX_IDENTIFIER, RootName, step_in};
use crate::json::SkimmedInvoice;
use crate::profiles::{
    BusinessProcess, EN16931, Identified, SelfBilling, Spelling, identify, is_french, members,
    usual,
};
use crate::ubl;
use crate::ubl::ubl_kind;
use crate::{ElementPath, Format, Syntax, VersionSign};
use quoin_model::text::{SPACE, cut, shortened};

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Characters of a version that are kept.
const MAX_VERSION: usize = 40;

pub(super) fn of_tree(root: Element<'_>) -> Detection {
    let (root, enveloped) = step_in(root);
    let mut found = Detection { well_formed: true, enveloped, ..Detection::default() };
    if enveloped {
        found.wrappers.push(Wrapper::Sbdh);
        found.because("It stands inside a StandardBusinessDocument.");
    }
    let (namespace, local) = (shortened(root.namespace()), shortened(root.local()));
    match format_of(root) {
        Some((format, sign)) => {
            found.take(format);
            found.because(format!(
                "The document element {local} in namespace \"{namespace}\"{sign} is {}.",
                format.title
            ));
            contents(root, format, &mut found);
        }
        None => found.because(format!(
            "No known format has a document element {local} in namespace \"{namespace}\"."
        )),
    }
    found.root = Some(RootName {
        namespace: namespace.into_owned(),
        local: local.into_owned(),
        prefix: shortened(root.prefix()).into_owned(),
    });
    found
}

/// The format by the document element; formats without a namespace are also told by what they
/// hold. The second value says by what.
fn format_of(root: Element<'_>) -> Option<(&'static Format, &'static str)> {
    if let Some(format) = Format::of_root(root.namespace(), root.local()) {
        return Some((format, ""));
    }
    if !root.namespace().is_empty() {
        return None;
    }
    let schema = root.attribute_ns(XSI, "noNamespaceSchemaLocation").unwrap_or_default();
    let has = |local: &str| root.child("", local).is_some();
    let format = Format::of_bare_root(root.local(), schema, has)?;
    Some((format, ", with its schema location or children,"))
}

/// What stands inside: version, kind, who issued it, identifiers and profile.
fn contents(root: Element<'_>, format: &'static Format, found: &mut Detection) {
    found.version = version(root, format);
    if format.syntax == Syntax::UblOther && format.id == "ubl" {
        found.kind = ubl_kind(root.local()).or(found.kind);
        found.self_billing = root.local().starts_with("SelfBilled");
    }
    kind_and_issuer(root, format, found);
    if format.syntax == Syntax::Cxml {
        let names: Vec<&str> = root
            .elements()
            .flat_map(|child| [child].into_iter().chain(child.elements().take(8)))
            .map(Element::local)
            .collect();
        found.kind = sniff::cxml_kind(&names).or(found.kind);
    }
    identifiers(root, format.syntax, found);
    profile(format.syntax, root.local(), found);
}

/// What the document is for and whether the buyer issued it, by the values that say so.
fn kind_and_issuer(root: Element<'_>, format: &'static Format, found: &mut Detection) {
    if let Some(value) = at(root, format.kind.path) {
        let kinds = &mut format.kind.values.iter();
        found.kind = kinds.find(|(known, _)| *known == value).map_or(found.kind, |(_, k)| Some(*k));
    }
    for (path, values) in format.self_billing {
        if let Some(value) = at(root, path).filter(|value| values.contains(&&**value)) {
            found.self_billing = true;
            let place = path.last().copied().unwrap_or_default().trim_start_matches('@');
            found.because(format!("{place} {value} says that the buyer issued it."));
        }
    }
}

/// The same of an invoice in JSON, whose specification (BT-24) says who issues it, where it names
/// one that does.
pub(super) fn of_json(root: Element<'_>, found: &mut Detection) {
    let Some(format) = found.format() else { return };
    kind_and_issuer(root, format, found);
    found.customization_id = at(root, &["specification"]).as_deref().and_then(plain);
    found.profile_id = at(root, &["process"]).as_deref().and_then(plain);
    issuer_by_name(found);
}

/// The same of one that could not be read as a whole, by what it says for itself.
pub(super) fn of_skimmed(skimmed: &SkimmedInvoice, found: &mut Detection) {
    let Some(format) = found.format() else { return };
    let code = skimmed.type_code.as_deref().unwrap_or_default();
    let is_self_billed = format.self_billing.iter().any(|(_, codes)| codes.contains(&code));
    found.self_billing = is_self_billed;
    found.customization_id = skimmed.specification.as_deref().and_then(plain);
    found.profile_id = skimmed.process.as_deref().and_then(plain);
    issuer_by_name(found);
}

/// Whether the buyer issued it, by the specification that it names.
fn issuer_by_name(found: &mut Detection) {
    let process = found.profile_id.clone().unwrap_or_default();
    let specification = found.customization_id.clone().unwrap_or_default();
    let written = usual(&specification).0;
    if let Some(known) = identify(&written, &process) {
        issuer(known.profile.self_billing, found);
    }
}

/// Elements by their local names, from the document element down; the trimmed text of the last,
/// or of an attribute where the last step begins with `@`. `None` where there is no text.
fn at<'d>(root: Element<'d>, path: ElementPath) -> Option<Cow<'d, str>> {
    let mut place = root;
    for step in path {
        if let Some(name) = step.strip_prefix('@') {
            let value = place.attributes().find(|attribute| attribute.local == name)?.value;
            return Some(Cow::Borrowed(value.trim_matches(quoin_model::text::SPACE)));
        }
        place = place.elements().find(|child| child.local() == *step)?;
    }
    let text = quoin_model::text::trimmed(place);
    (!path.is_empty() && !text.is_empty()).then_some(text)
}

fn version(root: Element<'_>, format: &Format) -> Option<String> {
    let version = match format.version {
        VersionSign::Unstated => None,
        VersionSign::Is(version) => Some(Cow::Borrowed(version)),
        VersionSign::Namespace => version_of_namespace(root.namespace()).map(Cow::Owned),
        VersionSign::At(path) => at(root, path),
    };
    version.map(|version| cut(&version, MAX_VERSION).into_owned())
}

/// `6.1` of `.../6p1/`, `1.2` of `.../v1.2`, `4.3` of `.../v4-3`, `005` of `.../SALES/005`.
pub(super) fn version_of_namespace(namespace: &str) -> Option<String> {
    let last = namespace.trim_end_matches(['/', '#']).rsplit(['/', ':']).next()?;
    let last = last.strip_prefix('v').unwrap_or(last);
    let is_version = last.starts_with(|c: char| c.is_ascii_digit())
        && last.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'p' | '-'));
    is_version.then(|| last.replace(['p', '-'], "."))
}

/// An identifier without the white space of XML; `None` where nothing is left. Other characters
/// that show nothing, such as a no-break space, are of the identifier.
pub(super) fn plain(text: &str) -> Option<String> {
    let text: String = text.split(SPACE).collect();
    (!text.is_empty()).then(|| cut(&text, MAX_IDENTIFIER).into_owned())
}

/// CustomizationID and ProfileID, or what stands for them, without white space.
fn identifiers(root: Element<'_>, syntax: Syntax, found: &mut Detection) {
    let in_context = |parameter: &str| {
        let context = root.elements().find(|e| e.local().ends_with("ExchangedDocumentContext"))?;
        let parameter = context.elements().find(|e| e.local() == parameter)?;
        at(parameter, &["ID"])
    };
    let (customization, profile) = match syntax {
        Syntax::UblInvoice | Syntax::UblCreditNote | Syntax::UblOther => {
            (ubl::value(root, "CustomizationID"), ubl::value(root, "ProfileID"))
        }
        Syntax::Cii | Syntax::Cdar | Syntax::Zugferd1 | Syntax::OrderX => (
            in_context("GuidelineSpecifiedDocumentContextParameter"),
            in_context("BusinessProcessSpecifiedDocumentContextParameter"),
        ),
        Syntax::Ohnl
        | Syntax::TaxData
        | Syntax::TransactionStatistics
        | Syntax::EndUserStatistics => (at(root, &["CustomizationID"]), at(root, &["ProfileID"])),
        _ => return,
    };
    found.customization_id = customization.as_deref().and_then(plain);
    found.profile_id = profile.as_deref().and_then(plain);
    if found.customization_id.is_none() {
        found.because(match syntax {
            Syntax::Cii | Syntax::Cdar | Syntax::Zugferd1 | Syntax::OrderX => {
                "There is no guideline identifier (BT-24)."
            }
            _ => "There is no CustomizationID (BT-24).",
        });
    }
}

/// The profile by the identifiers that were found, for a document element of this name.
pub(super) fn profile(syntax: Syntax, local: &str, found: &mut Detection) {
    let profile_id = found.profile_id.clone().unwrap_or_default();
    found.process = BusinessProcess::of(&profile_id).map(|process| process.id.into());
    let Some(written) = found.customization_id.clone() else { return };
    let (usual, spelling) = usual(&written);
    let Some(known) = identify(&usual, &profile_id) else {
        found.because(if written.starts_with(EN16931) {
            "CustomizationID begins like one of EN 16931, but not in its grammar."
        } else {
            "CustomizationID names no known profile."
        });
        return;
    };
    let Identified { profile, rest, .. } = known;
    let title = profile.title;
    if !profile.is_for(syntax, local) {
        let (local, syntax) = (shortened(local), syntax.title());
        found.because(format!(
            "CustomizationID is that of {title}, which no {local} of {syntax} can be."
        ));
        found.other_profile = Some(profile.id.into());
        return;
    }
    found.profile = Some(profile.id.into());
    found.kind = profile.kind.or(found.kind);
    let known_part = usual.get(..usual.len() - rest.len()).unwrap_or_default();
    found.profile_version = profile.customization.version(known_part).map(str::to_owned);
    let spelling = if spelling == Spelling::Usual { known.spelling } else { spelling };
    if rest.is_empty() {
        let odd = spelling != Spelling::Usual;
        found.certainty = if odd { Certainty::Likely } else { Certainty::Exact };
        found.because(format!("CustomizationID is that of {title}{}.", as_spelled(spelling)));
    } else {
        found.certainty = Certainty::Base;
        let short = shortened(rest);
        found.because(format!("CustomizationID is {title} and an unknown {short}."));
        found.unknown_members = members(rest);
        found.unknown_extension = Some(short.into_owned());
    }
    if is_french(&profile_id) {
        found
            .because(format!("ProfileID {profile_id} is a business process of the French reform."));
    }
    issuer(profile.self_billing, found);
}

/// Whether the buyer issued it, by its profile.
fn issuer(of_profile: SelfBilling, found: &mut Detection) {
    match of_profile {
        SelfBilling::ByTypeCode => {}
        SelfBilling::Always => found.self_billing = true,
        SelfBilling::Never if found.self_billing => {
            found.because("The type code is of self-billing, the profile is not.");
            found.self_billing = false;
        }
        SelfBilling::Never => {}
    }
}

fn as_spelled(spelling: Spelling) -> &'static str {
    match spelling {
        Spelling::Usual => "",
        Spelling::Colons => ", with colons in place of number signs",
        Spelling::DocumentType => ", inside a Peppol document type identifier",
        Spelling::Relation => ", with compliant and conformant mixed up",
    }
}
