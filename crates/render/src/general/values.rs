//! What an element of any document says, shown by what its name tells of it: an amount, a day.

use quoin_xml::tree::Element;

use crate::codes::{SpelledList, spelled};
use crate::draft::PageDraft;
use crate::harmless::harmless;
use crate::numbers;

/// Bytes of a base64 text from which on it is shown as an attachment.
const LONG: usize = 2_000;

/// The text of an element as the page shows it; `None` where it says nothing.
pub(super) fn value<'d>(draft: &mut PageDraft<'d>, element: Element<'d>) -> Option<String> {
    let text = crate::appendix::own_text(element)?;
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    draft.note(element);
    let (name, language) = (element.local(), draft.language);
    let attribute = |draft: &mut PageDraft<'d>, name: &str| {
        let value = element.attribute(name).map(str::trim).filter(|value| !value.is_empty())?;
        draft.note_attribute(element, name);
        Some(harmless(value, language))
    };
    if name.ends_with("Amount") || name == "Amount" {
        let currency = attribute(draft, "currencyID").unwrap_or_else(|| draft.currency.clone());
        return Some(numbers::amount(&harmless(text, language), &currency, language));
    }
    if let Some(unit) = attribute(draft, "unitCode") {
        let word = spelled(SpelledList::Unit, &unit, language).map_or(unit.clone(), str::to_owned);
        let number = numbers::number(text, 0, language);
        return Some(format!("{}\u{a0}{word}", number.unwrap_or(harmless(text, language))));
    }
    if name.ends_with("Date")
        && let Some(day) = quoin_model::text::date(text)
    {
        return Some(numbers::day(day, language));
    }
    if name == "Percent" {
        let number = numbers::number(text, 0, language);
        return Some(format!("{}\u{a0}%", number.unwrap_or(harmless(text, language))));
    }
    if name == "EmbeddedDocumentBinaryObject" || text.len() > LONG && !text.contains(' ') {
        return Some(embedded(draft, element, text));
    }
    if let Some(list) = list_of(element) {
        return Some(match spelled(list, text, language) {
            Some(word) => format!("{word} ({text})"),
            None => harmless(text, language),
        });
    }
    let mut shown = harmless(text, language);
    if let Some(scheme) = attribute(draft, "schemeID") {
        shown.push_str(&match spelled(SpelledList::Scheme, &scheme, language) {
            Some(word) if word != scheme => format!(" ({word}, {scheme})"),
            _ => format!(" ({scheme})"),
        });
    }
    Some(shown)
}

/// The list of a code, by the element that has it.
fn list_of(element: Element<'_>) -> Option<SpelledList> {
    match element.local() {
        "ResponseCode" | "StatusCode" | "OrderResponseCode" => Some(SpelledList::Response),
        "IdentificationCode" => Some(SpelledList::Country),
        "DocumentCurrencyCode" | "TaxCurrencyCode" => Some(SpelledList::Currency),
        "OrderTypeCode" | "DocumentTypeCode" | "InvoiceTypeCode" => Some(SpelledList::DocumentType),
        "PaymentMeansCode" => Some(SpelledList::PaymentMeans),
        _ => None,
    }
}

/// Embedded bytes: file, type, size and digest.
fn embedded<'d>(draft: &mut PageDraft<'d>, element: Element<'d>, text: &str) -> String {
    use crate::attachments::{EmbeddedContent, content};
    use crate::words::PageWord;
    let mut said = Vec::new();
    for name in ["filename", "mimeCode"] {
        if let Some(value) = element.attribute(name) {
            draft.note_attribute(element, name);
            said.push(harmless(value, draft.language));
        }
    }
    match content(text) {
        EmbeddedContent::Read(bytes, digest) => {
            let count = numbers::number(&bytes.to_string(), 0, draft.language).unwrap_or_default();
            said.push(format!("{count} {}", draft.word(PageWord::Bytes)));
            said.push(format!("SHA-256 {digest}"));
        }
        EmbeddedContent::Broken => return harmless(text, draft.language),
    }
    said.join(", ")
}
