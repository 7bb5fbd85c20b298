//! How writers of national syntaxes write: values in the form that the target asks for, each with
//! its fate: kept, changed, merged, said in a text, or derived.

use std::borrow::Cow;

use quoin_model::amount::Decimal;
use quoin_model::en16931::{Amount, AttributeName, Date, Derivation, Field, Invoice, ValueSource};
use quoin_model::text::cut;
use quoin_xml::tree::Element;

use super::loss::{ConversionRefusal, Loss, LossKind};
use super::output::InvoiceOutput;

/// Why a number is not as it was.
const ROUNDED: &str = "the target has fewer decimals";
/// Why a text of several lines is another.
pub(crate) const ONE_LINE: &str = "the target has a text in one line";
/// Why a number is refused.
const NO_NUMBER: &str = "the target asks for a number with fewer digits there";

/// What numbers of a type look like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberForm {
    /// Decimals at least.
    pub least: u32,
    /// Decimals at most.
    pub most: u32,
    /// Digits before the point at most.
    pub digits: usize,
}

/// A number in a form: rounded to its decimals, and filled up with noughts. `None` where it has too
/// many digits.
pub(crate) fn in_form(number: Decimal, form: NumberForm) -> Option<String> {
    let text = format!("{:.*}", form.least as usize, number.round(form.most));
    let text = match text.trim_start_matches('-').bytes().all(|byte| b"0.".contains(&byte)) {
        true => text.trim_start_matches('-').to_owned(),
        false => text,
    };
    let whole = text.trim_start_matches('-').split('.').next().unwrap_or_default();
    (whole.len() <= form.digits).then_some(text)
}

/// Whether a text has the form already.
fn is_in_form(text: &str, form: NumberForm) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let decimals = form.least as usize..=form.most as usize;
    let has_point = text.contains('.') != fraction.is_empty();
    (1..=form.digits).contains(&whole.len())
        && decimals.contains(&fraction.len())
        && has_point
        && is_digits(whole)
        && is_digits(fraction)
}

impl<'d> InvoiceOutput<'d> {
    /// What stands there: in the source's own words where it is of the same syntax.
    pub(crate) fn words(&self, source: ValueSource<'d>) -> Cow<'d, str> {
        let is_whole = matches!(
            source.derivation(),
            Some(
                Derivation::Mapped
                    | Derivation::Part
                    | Derivation::Negated
                    | Derivation::Computed(_)
            )
        );
        match self.ledger.in_own_words && is_whole {
            true => Cow::Owned(trimmed(&source.as_written()).to_owned()),
            false => source.trimmed(),
        }
    }

    /// An element that says what the value says, be it in another form.
    pub(crate) fn kept(&mut self, name: &'static str, text: &str, source: ValueSource<'d>) {
        self.constant(name, text, &[]);
        self.ledger.carry(source);
    }

    /// An element with a text that is the value, but for white space, or else was made of it.
    pub(crate) fn fitted(
        &mut self,
        name: &'static str,
        text: &str,
        source: ValueSource<'d>,
        reason: &'static str,
    ) {
        let words = self.words(source);
        let is_same = words.split_whitespace().eq(text.split_whitespace());
        match is_same && (self.ledger.in_own_words || !is_broken(&words, text)) {
            true => self.kept(name, text, source),
            false if is_same => self.changed(name, text, source, ONE_LINE),
            false => self.changed(name, text, source, reason),
        }
    }

    /// An element that says something else than the value.
    pub(crate) fn changed(
        &mut self,
        name: &'static str,
        text: &str,
        source: ValueSource<'d>,
        reason: &'static str,
    ) {
        let path = Some(self.path_of(name));
        self.ledger.list(source, LossKind::Changed, path, reason);
        self.constant(name, text, &[]);
    }

    /// An element that the source has not, and that follows from what stands at `place`.
    pub(crate) fn derived(
        &mut self,
        name: &'static str,
        text: &str,
        place: Element<'d>,
        term: Option<&'static str>,
        reason: &'static str,
    ) {
        self.implied(name, text, place, term, reason);
        self.constant(name, text, &[]);
    }

    /// What readers of the target take an element for, or the lack of it, without words.
    pub(crate) fn implied(
        &mut self,
        name: &str,
        text: &str,
        place: Element<'d>,
        term: Option<&'static str>,
        reason: &'static str,
    ) {
        let path = self.path_of(name);
        self.ledger.invent(place, term, &cut(text, Loss::MAX_VALUE), path, reason);
    }

    /// Lists a value that an element of this name says otherwise.
    pub(crate) fn told_otherwise(
        &mut self,
        name: &str,
        source: ValueSource<'d>,
        kind: LossKind,
        reason: &'static str,
    ) {
        let path = Some(self.path_of(name));
        self.ledger.list(source, kind, path, reason);
    }

    /// Lists a value as lost, unless it is told already.
    pub(crate) fn lost(&mut self, source: ValueSource<'d>, reason: &'static str) {
        if !source.is_blank() && !self.ledger.is_told(source) {
            self.ledger.list(source, LossKind::Lost, None, reason);
        }
    }

    /// A number in a form; the document is refused where it is none, or has too many digits.
    pub(crate) fn number_in(
        &mut self,
        name: &'static str,
        source: ValueSource<'d>,
        form: NumberForm,
    ) {
        let words = self.words(source);
        if is_in_form(&words, form) {
            return self.kept(name, &words, source);
        }
        let number = Decimal::parse(&words).ok();
        let text = number.and_then(|number| in_form(number, form));
        match number.zip(text) {
            Some((number, text)) if Decimal::parse(&text) == Ok(number) => {
                self.kept(name, &text, source);
            }
            Some((_, text)) => self.changed(name, &text, source, ROUNDED),
            None => self.refuse_value(source, NO_NUMBER),
        }
    }

    /// An amount in a form, and its currency, which the document says once.
    pub(crate) fn amount_in(&mut self, name: &'static str, value: Amount<'d>, form: NumberForm) {
        self.number_in(name, *value, form);
        self.one_currency(value);
    }

    /// Marks the currency of an amount as told by the document where it is BT-5.
    pub(crate) fn one_currency(&mut self, value: Amount<'d>) {
        if !self.is_other_currency(value)
            && let Some(currency) = value.currency()
        {
            self.ledger.derive(*currency);
        }
    }

    /// The first amount of a field in a form. Whether there is one.
    pub(crate) fn first_amount_in(
        &mut self,
        name: &'static str,
        field: &Field<Amount<'d>>,
        form: NumberForm,
    ) -> bool {
        let Some(value) = field.filled() else { return false };
        self.amount_in(name, value, form);
        true
    }

    /// A day as `xs:date` has it. Whether there is one.
    pub(crate) fn plain_day(&mut self, name: &'static str, field: &Field<Date<'d>>) -> bool {
        let Some(first) = field.filled() else { return false };
        let is_written = self.one_day(name, first);
        self.same_day(field, first);
        is_written
    }

    /// As [`InvoiceOutput::plain_day`], of one date.
    pub(crate) fn one_day(&mut self, name: &'static str, date: Date<'d>) -> bool {
        if self.ledger.in_own_words {
            let words = self.words(*date);
            self.kept(name, &words, *date);
            return true;
        }
        let Some(day) = self.day(name, date) else { return false };
        self.constant(name, &day.to_string(), &[]);
        true
    }

    /// Counts other occurrences of a day as told where they say the same.
    pub(crate) fn same_day(&mut self, field: &Field<Date<'d>>, first: Date<'d>) {
        self.repeated(field, first);
        for other in field.iter().filter(|other| ***other != *first && other.is(&first.trimmed())) {
            if let Some(format) = other.format() {
                self.ledger.regenerate(format);
            }
        }
    }

    /// Gives a total that the target has no element for its fate: it is what readers compute of
    /// what is written, or it has a row.
    pub(crate) fn computed_total(
        &mut self,
        place: Element<'d>,
        name: &'static str,
        field: &Field<Amount<'d>>,
        computed: Option<Decimal>,
        term: &'static str,
    ) {
        const COMPUTED: &str = "the target has no such total: readers compute it";
        match (field.filled(), computed) {
            (Some(own), Some(computed)) if own.value() == Some(computed) => {
                self.ledger.derive(*own);
                self.one_currency(own);
            }
            (Some(own), _) => {
                let path = Some(self.path_of(name));
                self.ledger.list_as(Some(term), *own, LossKind::Changed, path, COMPUTED);
                self.one_currency(own);
            }
            (None, Some(computed)) => {
                self.implied(name, &format!("{computed:.2}"), place, Some(term), COMPUTED);
            }
            (None, None) => {}
        }
    }

    /// Lists BT-111 where BT-6 is BT-5: the target says the total of VAT once, as `name`.
    pub(crate) fn vat_total_said_twice(&mut self, invoice: &Invoice<'d>, name: &'static str) {
        if invoice.tax_currency.text() != invoice.currency.text() {
            return;
        }
        for total in invoice.vat_total_in_tax_currency() {
            let reason = "the total of VAT is in the currency of the document";
            let path = Some(self.path_of(name));
            self.ledger.list_as(Some("BT-111"), *total, LossKind::Merged, path, reason);
        }
    }

    /// Marks the scheme of an identifier as told by where the identifier is written.
    pub(crate) fn scheme_by_place(&mut self, source: ValueSource<'d>, name: AttributeName) {
        if let Some(scheme) = source.attribute(name) {
            self.ledger.carry(scheme);
        }
    }
}

/// The sum of amounts; `None` where one of them is none.
pub(crate) fn sum_of<'d>(amounts: impl Iterator<Item = Option<Amount<'d>>>) -> Option<Decimal> {
    let values: Option<Vec<Decimal>> = amounts.map(|amount| amount?.value()).collect();
    values.and_then(Decimal::sum)
}

/// Whether lines of a text are one line in what is written for it.
pub(crate) fn is_broken(words: &str, written: &str) -> bool {
    let has_lines = |text: &str| trimmed(text).contains(['\n', '\r']);
    has_lines(words) && !has_lines(written)
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(quoin_model::text::SPACE)
}

/// A value in a form that the target has not.
pub(crate) fn without_place(source: ValueSource<'_>, why: &'static str) -> ConversionRefusal {
    let value = cut(&source.trimmed(), quoin_model::text::MAX_VALUE).into_owned();
    ConversionRefusal::ValueWithoutPlace { path: source.path(), value, why }
}
