//! The document as the system takes it: FA(3), converted with its losses, and checked before
//! anything is uploaded.

use jiff::civil::Date;
use quoin_formats::convert::{ConversionTarget, convert_at};
use quoin_identity::Announced;
use quoin_ksef::number::is_nip;
use quoin_ksef::package::{INVOICE_BYTES, INVOICE_WITH_ATTACHMENT_BYTES};
use quoin_model::Language;
use quoin_rules::{Report, Verdict};
use quoin_xml::tree::Element;

use crate::rules::RuleLibrary;

/// A document as the system takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KsefForm {
    /// FA(3).
    pub(crate) xml: Vec<u8>,
    /// `P_2`.
    pub(crate) number: String,
    /// The NIP of `Podmiot1`.
    pub(crate) seller: String,
    /// `P_1`.
    pub(crate) issued: Date,
    /// What is not in it as it was, in a sentence; none where it was FA(3) before.
    pub(crate) losses: Option<String>,
}

/// Why a document does not become FA(3). A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormRefusal {
    /// The word under which it is explained.
    pub(crate) word: &'static str,
    /// What is wrong.
    pub(crate) text: String,
}

/// Makes FA(3) of a document, and checks it. `nip` is the one for which its party acts.
pub(crate) fn ksef_form(
    document: &[u8],
    nip: &str,
    rules: &RuleLibrary,
    on: Date,
) -> Result<KsefForm, FormRefusal> {
    let not = |text: String| FormRefusal { word: "not-fa3", text };
    let parsed = quoin_formats::opened(document);
    let root = parsed.root().ok_or_else(|| not("it is no XML that can be read".to_owned()))?;
    let (xml, losses) = if is_fa3(root) {
        // It is registered as it was uploaded.
        (document.to_vec(), None)
    } else {
        let converted =
            convert_at(root, ConversionTarget::KSEF).map_err(|refusal| not(refusal.to_string()))?;
        let lost = converted.losses.len();
        let told = match lost {
            0 => "Converted to FA(3); nothing is lost.".to_owned(),
            1 => "Converted to FA(3); one value is not in it as it was.".to_owned(),
            many => format!("Converted to FA(3); {many} values are not in it as they were."),
        };
        (converted.document.into_bytes(), Some(told))
    };
    check(&xml, rules, on)?;
    facts(&xml, nip, losses).map_err(|text| FormRefusal { word: "fa3-rules", text })
}

fn is_fa3(root: Element<'_>) -> bool {
    root.is(FA_3, "Faktura")
}

/// The namespace of FA(3).
const FA_3: &str = "http://crd.gov.pl/wzor/2025/06/25/13775/";

/// By the rules that are here: those that the operator registered, the Ministry's schema among
/// them.
fn check(xml: &[u8], rules: &RuleLibrary, on: Date) -> Result<(), FormRefusal> {
    let broken = |text: String| FormRefusal { word: "fa3-rules", text };
    if let Some(word) = not_as_text(xml) {
        return Err(FormRefusal { word, text: String::new() });
    }
    let parsed = quoin_formats::read(xml);
    let own = quoin_identity::decide(parsed.detection(), &Announced::default(), on);
    let report: Report = rules.validate_in(Language::Pl, &parsed, &own, on);
    if report.verdict() == Verdict::NotValid {
        let lines: Vec<String> = report
            .fatal()
            .take(5)
            .map(|finding| format!("{}: {}", finding.rule, finding.message))
            .collect();
        return Err(broken(lines.join(" ")));
    }
    let limit = if is_with_attachment(parsed.root()) {
        INVOICE_WITH_ATTACHMENT_BYTES
    } else {
        INVOICE_BYTES
    };
    if xml.len() > limit {
        let text = format!("it has {} bytes as FA(3), and KSeF takes {limit}", xml.len());
        return Err(broken(text));
    }
    Ok(())
}

/// Whether an invoice has an attachment: the system takes those in batches only.
pub(crate) fn has_attachment(xml: &[u8]) -> bool {
    is_with_attachment(quoin_formats::read(xml).root())
}

fn is_with_attachment(root: Option<Element<'_>>) -> bool {
    root.is_some_and(|root| root.child(FA_3, "Zalacznik").is_some())
}

/// What the system refuses a file for before it looks into it: the word by which it is explained.
fn not_as_text(xml: &[u8]) -> Option<&'static str> {
    if xml.starts_with(&[0xEF, 0xBB, 0xBF]) {
        return Some("bom");
    }
    let Ok(text) = std::str::from_utf8(xml) else { return Some("encoding") };
    // A declaration of XML is none.
    text.match_indices("<?").any(|(at, _)| at > 0).then_some("instruction")
}

/// What the system tells a document by, and what it always refuses.
fn facts(xml: &[u8], nip: &str, losses: Option<String>) -> Result<KsefForm, String> {
    let parsed = quoin_formats::read(xml);
    let root = parsed.root().ok_or("it cannot be read")?;
    let inner = |parent: Element<'_>, name: &str| -> Result<String, String> {
        let found = parent.child(FA_3, name).map(|found| found.text().trim().to_owned());
        found.filter(|text| !text.is_empty()).ok_or_else(|| format!("it has no {name}"))
    };
    let part = |name: &'static str| root.child(FA_3, name).ok_or(format!("it has no {name}"));
    let seller = part("Podmiot1")?
        .child(FA_3, "DaneIdentyfikacyjne")
        .ok_or("Podmiot1 has no DaneIdentyfikacyjne")?;
    let fa = part("Fa")?;
    let (seller, number) = (inner(seller, "NIP")?, inner(fa, "P_2")?);
    if !is_nip(&seller) {
        return Err(format!("the seller's NIP {seller:?} is none: ten digits"));
    }
    let is_self_billed = fa
        .child(FA_3, "Adnotacje")
        .and_then(|notes| notes.child(FA_3, "P_17"))
        .is_some_and(|mark| mark.text().trim() == "1");
    if seller != nip && !is_self_billed {
        return Err(format!("the seller has the NIP {seller}, and this party acts for {nip}"));
    }
    let issued = inner(fa, "P_1")?;
    let issued = issued.parse().map_err(|_| format!("P_1 is {issued:?}, expected a day"))?;
    Ok(KsefForm { xml: xml.to_vec(), number, seller, issued, losses })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An attachment is one under any prefix; a name in a text is none.
    #[test]
    fn an_attachment_is_known_by_its_name() {
        let inside = |prefix: &str, inner: &str| {
            let colon = if prefix.is_empty() { "" } else { ":" };
            let (xmlns, name) = (format!("xmlns{colon}{prefix}"), format!("{prefix}{colon}"));
            format!("<{name}Faktura {xmlns}=\"{FA_3}\">{inner}</{name}Faktura>")
        };
        assert!(has_attachment(inside("", "<Zalacznik/>").as_bytes()));
        assert!(has_attachment(inside("f", "<f:Zalacznik/>").as_bytes()));
        assert!(!has_attachment(inside("f", "<!-- <f:Zalacznik/> --><f:Fa/>").as_bytes()));
        assert!(!has_attachment(b"<Zalacznik"));
    }
}
