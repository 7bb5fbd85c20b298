//! Markup in the making: elements with prefixes, written from values that know their source.

mod mixed;
mod places;
mod refused;
mod subject;

use std::borrow::Cow;
use std::ops::Range;

use quoin_model::en16931::{
    Amount, AttributeName, CurrencyCode, Date, Field, Invoice, ValueSource, ValueType,
};
use quoin_model::order::Order;
use quoin_xml::tree::Element;
use quoin_xml::write::{escape_attribute, escape_text};

use super::language::language_of;
use super::ledger::LeafLedger;
use super::loss::ConversionRefusal;
use places::OpenPlaces;

/// An attribute that is written.
#[derive(Clone, Copy)]
pub(crate) enum OutputAttribute<'a, 'd> {
    /// What the source says there.
    Carried(ValueSource<'d>),
    /// What the target asks for.
    Constant(&'a str),
}

/// A document in the making.
pub(crate) struct InvoiceOutput<'d> {
    out: String,
    open: Vec<&'static str>,
    /// BT-5 as the source says it.
    pub currency: Cow<'d, str>,
    pub ledger: LeafLedger<'d>,
    /// Why the document has no place in the target, where that was found while writing.
    refusal: Option<ConversionRefusal>,
    /// The schema that the document is held to, where it is one of a profile.
    places: Option<OpenPlaces>,
    /// Whether a text says its language (`languageID`).
    pub has_languages: bool,
    /// Whether the open element has text beside elements: white space in it would be text.
    is_mixed: bool,
}

impl<'d> InvoiceOutput<'d> {
    /// Nothing yet, with room for what is usual.
    fn new(ledger: LeafLedger<'d>, currency: &Field<CurrencyCode<'d>>, from: Element<'d>) -> Self {
        let currency = currency.text().unwrap_or_default();
        let bytes = from.document().source().len() * 3 / 2;
        let out = String::with_capacity(bytes);
        let (open, places) = (Vec::new(), None);
        let (has_languages, is_mixed, refusal) = (false, false, None);
        InvoiceOutput { out, open, currency, ledger, refusal, places, has_languages, is_mixed }
    }

    /// The document element with its namespace declarations.
    pub(crate) fn root(
        &mut self,
        name: &'static str,
        declarations: &[(&str, &str)],
        inside: impl FnOnce(&mut Self),
    ) {
        self.out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<");
        self.out.push_str(name);
        for (prefix, namespace) in declarations {
            self.out.push(' ');
            self.attribute(prefix, namespace);
        }
        self.out.push('>');
        self.places = self.places_of(name, declarations);
        self.open.push(name);
        inside(self);
        self.open.pop();
        self.close(name);
        self.out.push('\n');
    }

    /// A whole document: what `write` writes, and the ledger after it.
    pub(crate) fn written(
        ledger: LeafLedger<'d>,
        invoice: &Invoice<'d>,
        write: impl FnOnce(&mut Self, &Invoice<'d>) -> Result<(), ConversionRefusal>,
    ) -> Result<(String, LeafLedger<'d>), ConversionRefusal> {
        let mut out = Self::new(ledger, &invoice.currency, invoice.element);
        write(&mut out, invoice)?;
        out.finished()
    }

    /// As [`InvoiceOutput::written`], of an order or of a message about one.
    pub(crate) fn ordered(
        ledger: LeafLedger<'d>,
        order: &Order<'d>,
        write: impl FnOnce(&mut Self, &Order<'d>) -> Result<(), ConversionRefusal>,
    ) -> Result<(String, LeafLedger<'d>), ConversionRefusal> {
        let mut out = Self::new(ledger, &order.currency, order.element);
        write(&mut out, order)?;
        out.finished()
    }

    fn finished(self) -> Result<(String, LeafLedger<'d>), ConversionRefusal> {
        match self.refusal {
            Some(refusal) => Err(refusal),
            None => Ok((self.out, self.ledger)),
        }
    }

    /// How many bytes are written: whether something was written can be told by it.
    pub(crate) fn position(&self) -> usize {
        self.out.len()
    }

    /// The path of an element that would be written here.
    pub(crate) fn path_of(&self, name: &str) -> String {
        path(&self.open, name)
    }

    /// An element around what is written inside; nothing where nothing is. Whether there is.
    pub(crate) fn group(&mut self, name: &'static str, inside: impl FnOnce(&mut Self)) -> bool {
        // This here is compiled for each of some 600 groups, what is called once.
        let Some(opened) = self.opened(name) else { return false };
        inside(self);
        self.closed(name, opened)
    }

    /// The start of a group: where it is, and where what is inside begins.
    fn opened(&mut self, name: &'static str) -> Option<Range<usize>> {
        self.enter(name)?;
        let before = self.out.len();
        self.start(name);
        self.out.push('>');
        self.open.push(name);
        Some(before..self.out.len())
    }

    /// The end of a group; without a start where nothing is inside. Whether there is.
    fn closed(&mut self, name: &'static str, opened: Range<usize>) -> bool {
        self.open.pop();
        let is_written = self.out.len() != opened.end;
        match is_written {
            true => self.close(name),
            false => self.out.truncate(opened.start),
        }
        self.leave(name, is_written);
        is_written
    }

    /// As [`InvoiceOutput::required_group`], with attributes.
    pub(crate) fn required_group_with(
        &mut self,
        name: &'static str,
        attributes: &[(&str, &str)],
        inside: impl FnOnce(&mut Self),
    ) {
        let start = self.out.len();
        self.required_group(name, inside);
        let mut text = String::new();
        for (local, value) in attributes {
            text.push(' ');
            text.push_str(local);
            text.push_str("=\"");
            escape_attribute(value, &mut text);
            text.push('"');
        }
        // The start tag follows the white space before it.
        let tag = self.out.get(start..).and_then(|rest| rest.find(name));
        if let Some(at) = tag {
            self.out.insert_str(start + at + name.len(), &text);
        }
    }

    /// As [`InvoiceOutput::group`]; where nothing is inside, an empty element that the schema asks
    /// for.
    pub(crate) fn required_group(&mut self, name: &'static str, inside: impl FnOnce(&mut Self)) {
        if self.has_place(name) && !self.group(name, inside) {
            self.start(name);
            self.out.push_str("/>");
            self.count(name);
        }
    }

    /// A group, and the same group again under another name.
    pub(crate) fn twice(
        &mut self,
        name: &'static str,
        other: &'static str,
        inside: impl FnOnce(&mut Self),
    ) {
        let start = self.out.len();
        self.required_group(name, inside);
        let own = self.out.get(start..).unwrap_or_default();
        let again = own.replacen(&format!("<{name}"), &format!("<{other}"), 1);
        let (close, other) = (format!("</{name}>"), format!("</{other}>"));
        let again = match again.strip_suffix(&close) {
            Some(rest) => format!("{rest}{other}"),
            None => again,
        };
        self.out.push_str(&again);
    }

    /// An element with what the value says; nothing where it says nothing.
    pub(crate) fn text<T: ValueType<'d>>(&mut self, name: &'static str, value: T) -> bool {
        self.attributed(name, value, &[])
    }

    /// As [`InvoiceOutput::text`], with attributes. One that says nothing is left out.
    pub(crate) fn attributed<T: ValueType<'d>>(
        &mut self,
        name: &'static str,
        value: T,
        attributes: &[(&str, Option<OutputAttribute<'_, 'd>>)],
    ) -> bool {
        let source = value.source();
        // Rules take the white space around a code or an identifier for a part of it.
        let text = if T::IS_TEXT { source.text() } else { source.trimmed() };
        let says = T::IS_TEXT && self.has_languages;
        let Some(language) = says.then(|| language_of(source)).flatten() else {
            return self.element(name, source, &text, attributes);
        };
        let own = ("languageID", Some(OutputAttribute::Carried(language)));
        self.element(name, source, &text, &[attributes, &[own]].concat())
    }

    /// As [`InvoiceOutput::attributed`], without the white space around a number: rules count it
    /// as decimals.
    pub(crate) fn number<T: ValueType<'d>>(
        &mut self,
        name: &'static str,
        value: T,
        attributes: &[(&str, Option<OutputAttribute<'_, 'd>>)],
    ) -> bool {
        let source = value.source();
        self.element(name, source, &source.trimmed(), attributes)
    }

    fn element(
        &mut self,
        name: &'static str,
        source: ValueSource<'d>,
        text: &str,
        attributes: &[(&str, Option<OutputAttribute<'_, 'd>>)],
    ) -> bool {
        let is_blank = text.trim_matches(quoin_model::text::SPACE).is_empty();
        if is_blank || !self.takes(name, source) || self.enter(name).is_none() {
            return false;
        }
        self.start(name);
        self.attributes(attributes);
        self.out.push('>');
        escape_text(text, &mut self.out);
        self.end(name);
        self.ledger.carry(source);
        self.leave(name, true);
        true
    }

    fn attributes(&mut self, attributes: &[(&str, Option<OutputAttribute<'_, 'd>>)]) {
        for (local, attribute) in attributes {
            match attribute {
                Some(OutputAttribute::Carried(source)) if !source.is_blank() => {
                    let places = self.places.as_ref();
                    if !places.is_none_or(|places| places.takes_attribute(local, *source)) {
                        continue;
                    }
                    self.out.push(' ');
                    self.attribute(local, &source.trimmed());
                    self.ledger.carry(*source);
                }
                Some(OutputAttribute::Constant(text)) if !text.is_empty() => {
                    self.out.push(' ');
                    self.attribute(local, text);
                }
                _ => {}
            }
        }
    }

    /// An element with attributes around what is written inside, be it nothing. An attribute that
    /// says nothing is left out.
    pub(crate) fn tagged(
        &mut self,
        name: &'static str,
        attributes: &[(&str, Option<OutputAttribute<'_, 'd>>)],
        inside: impl FnOnce(&mut Self),
    ) {
        if self.enter(name).is_none() {
            return;
        }
        self.start(name);
        self.attributes(attributes);
        self.out.push('>');
        let opened = self.out.len();
        self.open.push(name);
        inside(self);
        self.open.pop();
        match self.out.len() == opened {
            true => self.end(name),
            false => self.close(name),
        }
        self.leave(name, true);
    }

    /// An element with a text that the target asks for, or that was made.
    pub(crate) fn constant(&mut self, name: &'static str, text: &str, attributes: &[(&str, &str)]) {
        if !self.has_place(name) {
            return;
        }
        self.count(name);
        self.start(name);
        for (local, value) in attributes {
            self.out.push(' ');
            self.attribute(local, value);
        }
        self.out.push('>');
        escape_text(text, &mut self.out);
        self.end(name);
    }

    /// The first occurrence that says something.
    pub(crate) fn first<T: ValueType<'d>>(&mut self, name: &'static str, field: &Field<T>) -> bool {
        field.filled().is_some_and(|value| self.text(name, value))
    }

    /// As [`InvoiceOutput::first`], of a term that one syntax says in several groups and the other
    /// once: occurrences that say the same are told by the first.
    pub(crate) fn once<T: ValueType<'d>>(&mut self, name: &'static str, field: &Field<T>) -> bool {
        let Some(value) = field.filled().filter(|_| self.has_place(name)) else { return false };
        self.repeated(field, value);
        self.text(name, value)
    }

    /// Counts the other occurrences of a term as derived where they say what `value` says.
    pub(crate) fn repeated<T: ValueType<'d>>(&mut self, field: &Field<T>, value: T) {
        self.ledger.repeated(field, value);
    }

    /// Every occurrence.
    pub(crate) fn each<T: ValueType<'d>>(&mut self, name: &'static str, field: &Field<T>) {
        for value in field {
            self.text(name, *value);
        }
    }

    /// The day that a date says, of which the caller writes the form of the target. The form of the
    /// source is not content. `None` where it is no day, which is listed.
    pub(crate) fn day(&mut self, name: &str, date: Date<'d>) -> Option<jiff::civil::Date> {
        let open = &self.open;
        self.ledger.day(date, || path(open, name))
    }

    /// Whether an amount says another currency than BT-5, or says one where there is no BT-5.
    pub(crate) fn is_other_currency(&self, amount: Amount<'d>) -> bool {
        amount.currency().is_some_and(|own| !own.is_blank() && !own.is(&self.currency))
    }

    /// Marks an attribute of a value as told by something else that was written.
    pub(crate) fn told_elsewhere(&mut self, source: ValueSource<'d>, name: AttributeName) {
        if let Some(attribute) = source.attribute(name) {
            self.ledger.derive(attribute);
        }
    }

    fn indent(&mut self) {
        if !self.is_mixed {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', self.open.len()));
        }
    }

    fn start(&mut self, name: &str) {
        self.indent();
        self.out.push('<');
        self.out.push_str(name);
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push_str(name);
        self.out.push_str("=\"");
        escape_attribute(value, &mut self.out);
        self.out.push('"');
    }

    fn close(&mut self, name: &str) {
        self.indent();
        self.end(name);
    }

    fn end(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }
}

fn path(open: &[&str], name: &str) -> String {
    open.iter().copied().chain([name]).map(|step| format!("/{step}")).collect()
}
