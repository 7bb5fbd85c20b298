//! A JSON text in the making, written from values that know their source.

use std::borrow::Cow;
use std::fmt::Write;

use quoin_model::en16931::{Amount, Date, Field, Invoice, ValueSource, ValueType};
use quoin_model::text::SPACE;

use super::{lexical, pointer};
use crate::writing::{LeafLedger, LossKind, reasons};

/// A text in the making.
pub(super) struct JsonOutput<'d> {
    out: String,
    pointer: String,
    depth: usize,
    /// How many items each open list has.
    items: Vec<usize>,
    /// BT-5 as the source says it.
    pub currency: Cow<'d, str>,
    pub ledger: LeafLedger<'d>,
}

impl<'d> JsonOutput<'d> {
    /// The text of one object, and the ledger after it.
    pub(super) fn of(
        ledger: LeafLedger<'d>,
        invoice: &Invoice<'d>,
        inside: impl FnOnce(&mut Self),
    ) -> (String, LeafLedger<'d>) {
        let currency = invoice.currency.text().unwrap_or_default();
        let out = String::with_capacity(invoice.element.document().source().len());
        let (pointer, items) = (String::new(), Vec::new());
        let mut output = JsonOutput { out, pointer, depth: 0, items, currency, ledger };
        output.out.push('{');
        output.depth = 1;
        inside(&mut output);
        output.out.push_str("\n}\n");
        (output.out, output.ledger)
    }

    /// The pointer of a member that would be written here.
    pub(super) fn path_of(&self, name: &str) -> String {
        let mut path = self.pointer.clone();
        pointer::push(&mut path, name);
        path
    }

    /// An object of what is written inside; nothing where nothing is.
    pub(super) fn object(&mut self, name: &str, inside: impl FnOnce(&mut Self)) -> bool {
        self.enclosed(Some(name), ['{', '}'], inside)
    }

    /// A list of what is written inside.
    pub(super) fn list(&mut self, name: &str, inside: impl FnOnce(&mut Self)) -> bool {
        self.items.push(0);
        let is_there = self.enclosed(Some(name), ['[', ']'], inside);
        self.items.pop();
        is_there
    }

    /// An object that is an item of a list.
    pub(super) fn item(&mut self, inside: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        let number = self.items.last().copied().unwrap_or_default();
        pointer::push(&mut self.pointer, &number.to_string());
        if self.enclosed(None, ['{', '}'], inside)
            && let Some(count) = self.items.last_mut()
        {
            *count += 1;
        }
        self.pointer.truncate(length);
    }

    fn enclosed(
        &mut self,
        name: Option<&str>,
        [opens, closes]: [char; 2],
        inside: impl FnOnce(&mut Self),
    ) -> bool {
        let (before, length) = (self.out.len(), self.pointer.len());
        self.start(name);
        if let Some(name) = name {
            pointer::push(&mut self.pointer, name);
        }
        self.out.push(opens);
        let opened = self.out.len();
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.pointer.truncate(length);
        if self.out.len() == opened {
            self.out.truncate(before);
            return false;
        }
        self.line();
        self.out.push(closes);
        true
    }

    /// A member with a text that the source has not word for word.
    pub(super) fn constant(&mut self, name: &str, text: &str) {
        self.start(Some(name));
        escaped(text, &mut self.out);
    }

    /// A member that the source has not, and that must be named.
    pub(super) fn null(&mut self, name: &str) {
        self.start(Some(name));
        self.out.push_str("null");
    }

    /// A member with what the value says; nothing where it says nothing.
    pub(super) fn text<T: ValueType<'d>>(&mut self, name: &str, value: T) -> bool {
        let source = value.source();
        self.said(name, source, &source.text())
    }

    /// As [`JsonOutput::text`], without the white space around a number or a code.
    pub(super) fn trimmed<T: ValueType<'d>>(&mut self, name: &str, value: T) -> bool {
        let source = value.source();
        self.said(name, source, &source.trimmed())
    }

    /// A member with a number, without the white space around it. What is no number has no place.
    pub(super) fn number<T: ValueType<'d>>(&mut self, name: &str, value: T) -> bool {
        let source = value.source();
        let text = source.trimmed();
        match text.is_empty() || lexical::is_decimal(&text) {
            true => self.said(name, source, &text),
            false => self.refused(source, reasons::NO_NUMBER),
        }
    }

    /// A member with a file in base64. What is none has no place.
    pub(super) fn file<T: ValueType<'d>>(&mut self, name: &str, value: T) -> bool {
        let source = value.source();
        let text = source.text();
        match source.is_blank() || lexical::is_base64(&text) {
            true => self.said(name, source, &text),
            false => self.refused(source, reasons::NO_FILE),
        }
    }

    fn refused(&mut self, source: ValueSource<'d>, reason: &'static str) -> bool {
        self.ledger.list(source, LossKind::Lost, None, reason);
        false
    }

    fn said(&mut self, name: &str, source: ValueSource<'d>, text: &str) -> bool {
        if text.trim_matches(SPACE).is_empty() {
            return false;
        }
        self.constant(name, text);
        self.ledger.carry(source);
        true
    }

    /// The first occurrence that says something.
    pub(super) fn first<T: ValueType<'d>>(&mut self, name: &str, field: &Field<T>) -> bool {
        field.filled().is_some_and(|value| self.text(name, value))
    }

    /// As [`JsonOutput::first`], of a term that some syntaxes say again and again: occurrences that
    /// say the same are told by the first.
    pub(super) fn once<T: ValueType<'d>>(&mut self, name: &str, field: &Field<T>) -> bool {
        let Some(value) = field.filled() else { return false };
        self.ledger.repeated(field, value);
        self.text(name, value)
    }

    /// A day.
    pub(super) fn day(&mut self, name: &str, field: &Field<Date<'d>>) {
        let Some(first) = field.filled() else { return };
        let path = self.path_of(name);
        if let Some(day) = self.ledger.day(first, || path) {
            self.constant(name, &day.to_string());
        }
        self.ledger.repeated(field, first);
        for other in field.iter().filter(|other| ***other != *first && other.is(&first.trimmed())) {
            if let Some(format) = other.format() {
                self.ledger.regenerate(format);
            }
        }
    }

    /// Whether an amount says another currency than BT-5.
    pub(super) fn is_foreign(&self, amount: Amount<'d>) -> bool {
        amount.currency().is_some_and(|own| !own.is_blank() && !own.is(&self.currency))
    }

    fn start(&mut self, name: Option<&str>) {
        if !self.out.ends_with(['{', '[']) {
            self.out.push(',');
        }
        self.line();
        if let Some(name) = name {
            escaped(name, &mut self.out);
            self.out.push_str(": ");
        }
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.depth));
    }
}

/// A text between quotes (RFC 8259, section 7).
pub(super) fn escaped(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let sign = tail.bytes().next().unwrap_or_default();
        match sign {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            // Writing to a text does not fail.
            other => drop(write!(out, "\\u{other:04x}")),
        }
        rest = tail.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
    out.push('"');
}
