//! Where what is wrong with a document that was converted stands in the one that it was made of.

use quoin_model::en16931::Invoice;
use quoin_xml::tree::Element;

use super::read_invoice_at;
use crate::json;
use crate::syntax::Syntax;

/// Groups of EN 16931-1 by the numbers of their terms, and the member of the JSON form that each
/// is.
const GROUPS: [(std::ops::RangeInclusive<u16>, &str); 10] = [
    (27..=43, "seller"),
    (44..=58, "buyer"),
    (59..=61, "payee"),
    (62..=69, "taxRepresentative"),
    (70..=72, "delivery"),
    (73..=74, "period"),
    (75..=80, "delivery"),
    (81..=91, "payment"),
    (106..=115, "totals"),
    (116..=121, "vatBreakdown"),
];

/// The terms of an invoice by where they stand.
#[derive(Debug, Clone, Default)]
pub struct TermPlaces {
    terms: Vec<(&'static str, String)>,
    lines: Vec<String>,
    is_json: bool,
}

impl TermPlaces {
    /// Those of the invoice at an element; none where no reader reads it.
    pub fn of(element: Element<'_>) -> TermPlaces {
        let Some(reading) = read_invoice_at(element) else { return TermPlaces::default() };
        let invoice = &reading.invoice;
        let terms = invoice.terms();
        TermPlaces {
            terms: terms.iter().map(|term| (term.id, term.source.element().path())).collect(),
            lines: lines(invoice),
            is_json: reading.syntax == Syntax::InvoiceJson,
        }
    }

    /// Where the first of these terms stands that the invoice has, on a line where one is meant
    /// (the first is 1): an XPath, or a JSON pointer of an invoice in JSON. Of a term that it has
    /// not: the member or the line in which it would stand. `None` where that is not known.
    pub fn place<T: AsRef<str>>(&self, terms: &[T], line: Option<usize>) -> Option<String> {
        let line = match line {
            Some(number) => Some(self.lines.get(number.checked_sub(1)?)?),
            None => None,
        };
        let is_there = |path: &str| line.is_none_or(|line| path.starts_with(&format!("{line}/")));
        let stands = |term: &T| {
            let mut known = self.terms.iter();
            known.find(|(id, path)| *id == term.as_ref() && is_there(path)).map(|(_, path)| path)
        };
        match terms.iter().find_map(stands).or(line) {
            Some(path) if self.is_json => Some(json::of_path(path)),
            Some(path) => Some(path.clone()),
            None => terms.iter().filter(|_| self.is_json).find_map(|term| member(term.as_ref())),
        }
    }
}

fn lines(invoice: &Invoice<'_>) -> Vec<String> {
    invoice.lines.iter().map(|line| line.element.path()).collect()
}

/// The member in which a term would stand.
fn member(term: &str) -> Option<String> {
    let number = || term.strip_prefix("BT-")?.split('-').next()?.parse::<u16>().ok();
    let of_group = || {
        let number = number()?;
        GROUPS.iter().find(|(numbers, _)| numbers.contains(&number)).map(|(_, name)| *name)
    };
    json::member_of(term).or_else(of_group).map(|name| format!("/{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_found_where_it_stands_or_would_stand() {
        let text = include_str!("../../samples/every-term.json");
        let read = crate::read(text.as_bytes());
        let places = TermPlaces::of(read.root().unwrap());
        for (terms, line, place) in [
            (&["BT-115", "BT-112"][..], None, Some("/totals/due")),
            (&["BT-131"], Some(1), Some("/lines/0/netAmount")),
            (&["BT-131"], Some(2), None),
            (&["BT-1"], None, Some("/number")),
            (&["none"], Some(1), Some("/lines/0")),
            (&["none"], Some(99), None),
            (&[], None, None),
        ] {
            assert_eq!(places.place(terms, line).as_deref(), place, "{terms:?}");
        }
        for (term, place) in
            [("BT-10", "/buyerReference"), ("BG-25", "/lines"), ("BT-27", "/seller")]
        {
            assert_eq!(member(term).as_deref(), Some(place));
        }
        let ubl = crate::read(crate::samples::INVOICE.as_bytes());
        let places = TermPlaces::of(ubl.root().unwrap());
        assert_eq!(places.place(&["BT-1"], None).as_deref(), Some("/Invoice[1]/cbc:ID[1]"));
        assert_eq!(places.place(&["BT-9999"], None), None);
    }
}
