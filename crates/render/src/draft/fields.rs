//! Fields of a page from fields of the model: nothing where the document has nothing.

use quoin_model::en16931::{Amount, Date, Field, Identifier, Period, ValueType};

use super::PageDraft;
use crate::codes::SpelledList;
use crate::page::{PageField, PageText};
use crate::words::PageWord;

impl<'d> PageDraft<'d> {
    /// The word in the language of the page.
    pub(crate) fn word(&self, word: PageWord) -> String {
        word.text(self.language).to_owned()
    }

    /// Adds a field of which each occurrence is shown in one way.
    pub(crate) fn shown_as<T: ValueType<'d>>(
        &mut self,
        into: &mut Vec<PageField>,
        word: PageWord,
        field: &Field<T>,
        show: impl Fn(&mut Self, T) -> Option<String>,
    ) {
        let mut shown = PageField { label: self.word(word), ..PageField::default() };
        for value in field {
            shown.values.extend(show(self, *value).map(PageText::from));
            shown.marks.extend(self.marks_at(value.source().element()));
        }
        if !shown.values.is_empty() || !shown.marks.is_empty() {
            into.push(shown);
        }
    }

    /// Adds texts as they are.
    pub(crate) fn plain<T: ValueType<'d>>(
        &mut self,
        into: &mut Vec<PageField>,
        word: PageWord,
        field: &Field<T>,
    ) {
        self.shown_as(into, word, field, |draft, value| draft.said(value.source()));
    }

    /// Adds identifiers with their schemes.
    pub(crate) fn ids(
        &mut self,
        into: &mut Vec<PageField>,
        word: PageWord,
        field: &Field<Identifier<'d>>,
    ) {
        self.shown_as(into, word, field, Self::identifier);
    }

    /// Adds days.
    pub(crate) fn dates(
        &mut self,
        into: &mut Vec<PageField>,
        word: PageWord,
        field: &Field<Date<'d>>,
    ) {
        self.shown_as(into, word, field, Self::date);
    }

    /// Adds amounts.
    pub(crate) fn amounts(
        &mut self,
        into: &mut Vec<PageField>,
        word: PageWord,
        field: &Field<Amount<'d>>,
    ) {
        self.shown_as(into, word, field, Self::amount);
    }

    /// Adds codes in words.
    pub(crate) fn codes<T: ValueType<'d>>(
        &mut self,
        into: &mut Vec<PageField>,
        word: PageWord,
        list: SpelledList,
        field: &Field<T>,
    ) {
        self.shown_as(into, word, field, |draft, value| draft.code(list, value.source()));
    }

    /// A period in words: `from 1 May 2026 until 31 May 2026`.
    pub(crate) fn period(&mut self, period: &Period<'d>) -> Option<String> {
        let mut words = Vec::new();
        let sides = [(PageWord::From, &period.start), (PageWord::Until, &period.end)];
        for (word, side) in sides {
            for date in side {
                let Some(day) = self.date(*date) else { continue };
                words.push(format!("{} {day}", self.word(word)));
            }
        }
        words.extend(self.joined(&period.description));
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// Adds periods.
    pub(crate) fn periods(
        &mut self,
        into: &mut Vec<PageField>,
        word: PageWord,
        field: &Field<Period<'d>>,
    ) {
        for period in field {
            let marks = self.marks_at(period.element);
            if let Some(text) = self.period(period) {
                into.push(PageField { marks, ..PageField::new(self.word(word), text) });
            }
        }
    }
}
