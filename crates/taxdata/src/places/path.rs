//! The steps of an XPath as validators write places.

/// The longest place that is read, in bytes.
const LONGEST: usize = 4_096;
/// The most steps of one.
const STEPS: usize = 64;

/// A step of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlaceStep {
    /// The local name; `@schemeID` of an attribute.
    pub(super) name: String,
    /// Its place among elements of its name, from 1, where it says one.
    pub(super) index: Option<u32>,
}

impl PlaceStep {
    /// The same step of an invoice of UBL under its name in a report.
    pub(super) fn as_reported(&self) -> PlaceStep {
        let name = match &*self.name {
            "InvoiceLine" | "CreditNoteLine" => "DocumentLine",
            "LegalMonetaryTotal" => "MonetaryTotal",
            "InvoiceTypeCode" | "CreditNoteTypeCode" => "DocumentTypeCode",
            "CreditedQuantity" => "InvoicedQuantity",
            name => name,
        };
        PlaceStep { name: name.to_owned(), index: self.index }
    }
}

/// The steps of a place: `None` where it is none, or longer than any place of a report.
pub(super) fn steps(place: &str) -> Option<Vec<PlaceStep>> {
    if place.len() > LONGEST {
        return None;
    }
    let mut steps = Vec::new();
    for text in parts(place) {
        if text.trim().is_empty() || text == "." {
            continue;
        }
        if steps.len() == STEPS {
            return None;
        }
        steps.push(step(text.trim())?);
    }
    (!steps.is_empty()).then_some(steps)
}

/// The text between slashes that are in no predicate, name of a namespace or quoted text.
fn parts(place: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut depth, mut quote) = (0, 0_usize, None);
    for (at, letter) in place.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') if depth > 0 => quote = Some(letter),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth = depth.saturating_sub(1),
            (None, '/') if depth == 0 => {
                parts.extend(place.get(from..at));
                from = at + 1;
            }
            (None, _) => {}
        }
    }
    parts.extend(place.get(from..));
    parts
}

/// A step with its predicates.
fn step(text: &str) -> Option<PlaceStep> {
    let (test, predicates) = match text.find('[') {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let attribute = test.starts_with('@') || test.starts_with("attribute::");
    // `Q{urn:x}Name`, `*:Name`, `p:Name`, `child::p:Name`.
    let local = test.rsplit(['}', ':', '@']).next().unwrap_or_default().trim();
    let local = if local == "*" { named_in(predicates)? } else { local };
    let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    if local.is_empty() || !local.chars().all(fits) {
        return None;
    }
    let name = if attribute { format!("@{local}") } else { local.to_owned() };
    Some(PlaceStep { name, index: index(predicates) })
}

/// The name in `[local-name()='Name']`.
fn named_in(predicates: &str) -> Option<&str> {
    let (_, rest) = predicates.split_once("local-name()")?;
    let rest = rest.trim_start().trim_start_matches('=').trim_start();
    let quote = rest.chars().next().filter(|letter| matches!(letter, '\'' | '"'))?;
    rest.get(1..)?.split(quote).next()
}

/// The number in `[3]` or `[position()=3]`.
fn index(predicates: &str) -> Option<u32> {
    let inside = predicates.split('[').filter_map(|part| part.split(']').next());
    let number = |text: &str| {
        let text = text.trim();
        let text = text.strip_prefix("position()").unwrap_or(text).trim();
        text.trim_start_matches('=').trim().parse().ok()
    };
    inside.filter_map(number).next()
}
