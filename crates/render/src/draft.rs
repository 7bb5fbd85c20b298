//! A page in the making: what is on it already, so that nothing of the document is left out.
//!
//! Every value that goes onto the page is noted by its place. What no section had a place for is
//! found by walking over all leaves afterwards ([`crate::appendix`]).

mod fields;

use std::collections::{BTreeMap, HashSet};

use quoin_model::en16931::{Amount, Date, Field, Identifier, Quantity, ValueSource, ValueType};
use quoin_model::{Finding, Language};
use quoin_xml::tree::{Attribute, Document, Element, NodeId};

use crate::codes::{SpelledList, spelled};
use crate::harmless::harmless;
use crate::numbers;
use crate::page::{PageText, TextStyle};

/// A leaf by its element, and by the number of the attribute if it is one.
pub(crate) type LeafPlace = (NodeId, Option<u32>);

/// A page in the making.
pub(crate) struct PageDraft<'d> {
    /// The language of the page.
    pub language: Language,
    /// The currency of amounts that say none.
    pub currency: String,
    document: &'d Document,
    shown: HashSet<LeafPlace>,
    marks: BTreeMap<NodeId, Vec<usize>>,
}

impl<'d> PageDraft<'d> {
    /// An empty page of the document at an element.
    pub(crate) fn new(root: Element<'d>, language: Language, findings: &[Finding]) -> Self {
        let marks = crate::findings::places(root, findings);
        let (currency, shown) = (String::new(), HashSet::new());
        PageDraft { language, currency, document: root.document(), shown, marks }
    }

    /// Whether a leaf is on the page.
    pub(crate) fn is_shown(&self, place: LeafPlace) -> bool {
        self.shown.contains(&place)
    }

    /// Notes that the text of an element is on the page.
    pub(crate) fn note(&mut self, element: Element<'d>) {
        self.shown.insert((element.id(), None));
    }

    /// Notes that an attribute is on the page.
    pub(crate) fn note_attribute(&mut self, element: Element<'d>, name: &str) {
        let fits = |id: &u32| {
            let attribute = self.document.attribute(*id);
            attribute.is_some_and(|Attribute { local, .. }| local == name)
        };
        if let Some(id) = element.attribute_ids().find(fits) {
            self.shown.insert((element.id(), Some(id)));
        }
    }

    /// Notes that what stands at a place is on the page, or is said by the words around it.
    pub(crate) fn note_source(&mut self, source: ValueSource<'d>) {
        self.shown.insert((source.element().id(), source.attribute_id()));
    }

    /// What a value says, harmless, and noted as shown; `None` where it says nothing.
    ///
    /// A value that was derived is noted only where it has what the document itself says.
    pub(crate) fn said(&mut self, source: ValueSource<'d>) -> Option<String> {
        let text = source.trimmed();
        if text.is_empty() {
            return None;
        }
        if source.derivation().is_none() || source.as_written().trim() == text {
            self.note_source(source);
        }
        let parts: Vec<_> = source.parts().filter(|part| text.contains(&*part.trimmed())).collect();
        parts.into_iter().for_each(|part| self.note_source(part));
        Some(harmless(&text, self.language))
    }

    /// Numbers of the findings at an element, from 1.
    pub(crate) fn marks_at(&self, element: Element<'d>) -> Vec<usize> {
        self.marks.get(&element.id()).cloned().unwrap_or_default()
    }

    /// Numbers of the findings at an element and everything inside it.
    pub(crate) fn marks_in(&self, element: Element<'d>) -> Vec<usize> {
        let (from, end) = (element.id(), self.document.end_of(element.id()));
        let mut all: Vec<usize> =
            self.marks.range(from..end).flat_map(|(_, all)| all).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// An amount with its currency.
    pub(crate) fn amount(&mut self, amount: Amount<'d>) -> Option<String> {
        let text = self.said(amount.source())?;
        let own = amount.currency().and_then(|currency| self.said(currency.source()));
        let currency = own.unwrap_or_else(|| self.currency.clone());
        Some(numbers::amount(&text, &currency, self.language))
    }

    /// A number as the language writes it.
    pub(crate) fn number<T: ValueType<'d>>(&mut self, value: T) -> Option<String> {
        let text = self.said(value.source())?;
        Some(numbers::number(&text, 0, self.language).unwrap_or(text))
    }

    /// A quantity with its unit.
    pub(crate) fn quantity(&mut self, quantity: Quantity<'d>) -> Option<String> {
        let number = self.number(quantity)?;
        let unit = quantity.unit().and_then(|unit| self.said(unit.source()));
        Some(match unit {
            None => number,
            Some(code) => {
                let word = spelled(SpelledList::Unit, &code, self.language);
                format!("{number}\u{a0}{}", word.unwrap_or(&code))
            }
        })
    }

    /// A day in words; what is none as it is.
    pub(crate) fn date(&mut self, date: Date<'d>) -> Option<String> {
        let text = self.said(date.source())?;
        if let Some(format) = date.format().filter(|format| format.is("102")) {
            self.note_source(format);
        }
        Some(date.day().map_or(text, |day| numbers::day(day, self.language)))
    }

    /// A code in words, with the code; the code alone where it has none.
    pub(crate) fn code(&mut self, list: SpelledList, source: ValueSource<'d>) -> Option<String> {
        let code = self.said(source)?;
        Some(match spelled(list, &code, self.language) {
            Some(word) if word != code => format!("{word} ({code})"),
            _ => code,
        })
    }

    /// An identifier with the scheme that it is of.
    pub(crate) fn identifier(&mut self, id: Identifier<'d>) -> Option<String> {
        let text = self.said(id.source())?;
        // A scheme that follows from elsewhere is none that the document says.
        let scheme = id.scheme().filter(|scheme| scheme.derivation().is_none());
        let scheme = scheme.and_then(|scheme| self.said(scheme));
        Some(match scheme {
            None => text,
            Some(code) => match spelled(SpelledList::Scheme, &code, self.language) {
                Some(word) if word != code => format!("{text} ({word}, {code})"),
                _ => format!("{text} ({code})"),
            },
        })
    }

    /// Every text of a field in a style.
    pub(crate) fn texts<T: ValueType<'d>>(
        &mut self,
        field: &Field<T>,
        style: TextStyle,
    ) -> Vec<PageText> {
        let all = field.iter().filter_map(|value| self.said(value.source()));
        all.map(|text| PageText { text, style }).collect()
    }

    /// Every text of a field, one after the other.
    pub(crate) fn joined<T: ValueType<'d>>(&mut self, field: &Field<T>) -> Option<String> {
        let all: Vec<String> = field.iter().filter_map(|value| self.said(value.source())).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}
