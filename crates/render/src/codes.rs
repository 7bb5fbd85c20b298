//! Codes spelled out: what a code of a list means in the language of the page.
//!
//! The tables are text, one row a code. A code that they do not have stands on the page as it is.
//!
//! Sources: UNTDID 1001, 2005, 2475, 4451, 4461, 5189, 5305, 7161; UN/ECE recommendations 20 and
//! 21; ISO/IEC 6523 (ICD) and CEF EAS; ISO 3166-1; ISO 4217; Peppol Invoice Response and MLS.

use std::collections::HashMap;
use std::sync::LazyLock;

use quoin_model::Language;

/// A list of codes that the tables have words for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SpelledList {
    /// Kinds of documents, UNTDID 1001.
    DocumentType,
    /// Means of payment, UNTDID 4461.
    PaymentMeans,
    /// VAT categories, UNTDID 5305.
    VatCategory,
    /// When VAT falls due, UNTDID 2005 and 2475.
    TaxPoint,
    /// What a note is about, UNTDID 4451.
    NoteSubject,
    /// Reasons of allowances, UNTDID 5189.
    AllowanceReason,
    /// Reasons of charges, UNTDID 7161.
    ChargeReason,
    /// Units, UN/ECE recommendations 20 and 21.
    Unit,
    /// Schemes of identifiers, ISO/IEC 6523 and EAS.
    Scheme,
    /// What became of a document, in Invoice Response and MLS.
    Response,
    /// Countries, ISO 3166-1.
    Country,
    /// Currencies, ISO 4217.
    Currency,
}

impl SpelledList {
    fn name(self) -> &'static str {
        match self {
            SpelledList::DocumentType => "type",
            SpelledList::PaymentMeans => "means",
            SpelledList::VatCategory => "vat",
            SpelledList::TaxPoint => "point",
            SpelledList::NoteSubject => "subject",
            SpelledList::AllowanceReason => "allowance",
            SpelledList::ChargeReason => "charge",
            SpelledList::Unit => "unit",
            SpelledList::Scheme => "scheme",
            SpelledList::Response => "response",
            SpelledList::Country => "country",
            SpelledList::Currency => "currency",
        }
    }
}

type SpelledRows = HashMap<(&'static str, &'static str), [&'static str; 5]>;

/// The rows of every table, by list and code.
static ROWS: LazyLock<SpelledRows> = LazyLock::new(|| {
    let mut rows = HashMap::new();
    add(&mut rows, None, include_str!("codes/codes.txt"));
    add(&mut rows, Some("country"), include_str!("codes/countries.txt"));
    add(&mut rows, Some("currency"), include_str!("codes/currencies.txt"));
    rows
});

fn add(rows: &mut SpelledRows, list: Option<&'static str>, text: &'static str) {
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('|');
        let list = list.or_else(|| fields.next());
        let code = fields.next();
        let words: Vec<&'static str> = fields.collect();
        if let (Some(list), Some(code), Ok(words)) = (list, code, words.try_into()) {
            rows.insert((list, code), words);
        }
    }
}

/// What a code means, in words; `None` where the tables do not have it.
pub(crate) fn spelled(list: SpelledList, code: &str, language: Language) -> Option<&'static str> {
    let [en, nl, de, fr, pl] = ROWS.get(&(list.name(), code))?;
    Some(match language {
        Language::En => en,
        Language::Nl => nl,
        Language::De => de,
        Language::Fr => fr,
        Language::Pl => pl,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_tables_is_read() {
        let texts = [
            include_str!("codes/codes.txt"),
            include_str!("codes/countries.txt"),
            include_str!("codes/currencies.txt"),
        ];
        let rows = texts.iter().flat_map(|text| text.lines()).filter(|row| !row.starts_with('#'));
        assert_eq!(ROWS.len(), rows.count());
    }

    #[test]
    fn a_code_is_spelled_in_each_language() {
        let of = |language| spelled(SpelledList::Country, "DE", language).unwrap();
        assert_eq!(
            Language::ALL.map(of),
            ["Germany", "Duitsland", "Deutschland", "Allemagne", "Niemcy"]
        );
        assert_eq!(spelled(SpelledList::PaymentMeans, "30", Language::De), Some("Überweisung"));
        assert_eq!(spelled(SpelledList::PaymentMeans, "nothing", Language::De), None);
    }
}
