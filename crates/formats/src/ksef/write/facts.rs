//! Facts (`DodatkowyOpis`): terms that FA has no element for, each under a key by which it is read
//! again.

use quoin_model::en16931::{Invoice, ItemAttribute, Line, Note, PostalAddress, Text, ValueSource};

use super::super::codes::{DOCUMENT_FACTS, PAYMENT_FORMS_WRITTEN, PROCEDURES, ROW_FACTS};
use super::footer;
use super::notes::{MAX_TEXT, NotePlaces};
use super::number::{as_text, collapsed};
use super::party::recipient;
use super::plan::FaPlan;
use super::vat::{FaSums, reason_facts};
use crate::reading::{lookup, lookup_back};
use crate::writing::{InvoiceOutput, LossKind, ONE_LINE, documents, is_broken};

/// Facts that a document may have.
const MAX_FACTS: usize = 10_000;

/// Facts in the making.
struct FaFacts<'o, 'd> {
    out: &'o mut InvoiceOutput<'d>,
    count: usize,
}

impl<'d> FaFacts<'_, 'd> {
    /// Writes a text under a key, of a row where there is one; what is longer than a fact becomes
    /// several. Whether there is room.
    fn write(&mut self, row: Option<u64>, key: &str, text: &str) -> bool {
        let characters: Vec<char> = collapsed(text).chars().collect();
        let parts = characters.chunks(MAX_TEXT);
        if characters.is_empty() || self.count + parts.len() > MAX_FACTS {
            return false;
        }
        for part in parts {
            self.count += 1;
            let part: String = part.iter().collect();
            self.out.group("DodatkowyOpis", |out| {
                if let Some(row) = row {
                    out.constant("NrWiersza", &row.to_string(), &[]);
                }
                out.constant("Klucz", key, &[]);
                out.constant("Wartosc", &part, &[]);
            });
        }
        true
    }

    /// Writes a value under the key of its term.
    fn term(&mut self, row: Option<u64>, term: &str, source: ValueSource<'d>) {
        let keys = if row.is_some() { ROW_FACTS } else { DOCUMENT_FACTS };
        let Some(key) = lookup_back(keys, term) else { return };
        if source.is_blank() || !self.write(row, key, &source.trimmed()) {
            return;
        }
        match collapsed(&source.trimmed()).chars().count() <= MAX_TEXT {
            true => self.whole(source),
            false => as_text(self.out, source),
        }
    }

    /// The fate of a value that is a fact, or a part of one, with all its words: its lines are one.
    fn whole(&mut self, source: ValueSource<'d>) {
        let words = source.trimmed();
        match !self.out.ledger.in_own_words && is_broken(&words, &collapsed(&words)) {
            true => {
                self.out.told_otherwise("DodatkowyOpis", source, LossKind::Changed, ONE_LINE);
            }
            false => self.out.ledger.carry(source),
        }
    }

    /// Writes a note for which the footer has no room, with its subject.
    fn whole_note(&mut self, note: &Note<'d>) {
        let Some(text) = note.text.filled() else { return };
        let Some(code) = note.subject_code.filled() else {
            return self.term(None, "BT-22", *text);
        };
        let whole = collapsed(&format!("#{}#{}", code.trimmed(), text.trimmed()));
        let fits = whole.chars().count() <= MAX_TEXT;
        let key = lookup_back(DOCUMENT_FACTS, "BT-22").unwrap_or_default();
        if !self.write(None, key, &whole) {
            return;
        }
        match fits {
            true => {
                self.whole(*text);
                self.out.subject_before_text("Wartosc", code);
            }
            false => [*text, *code].into_iter().for_each(|source| as_text(self.out, source)),
        }
    }

    /// Writes a text that is read as a note again.
    fn note(&mut self, key: &str, source: ValueSource<'d>) {
        if !source.is_blank() && self.write(None, key, &source.trimmed()) {
            as_text(self.out, source);
        }
    }
}

/// Writes every fact.
pub(super) fn write<'d>(
    out: &mut InvoiceOutput<'d>,
    invoice: &Invoice<'d>,
    plan: &FaPlan,
    sums: &FaSums<'_, 'd>,
    notes: &NotePlaces,
) {
    let mut facts = FaFacts { out, count: 0 };
    references(&mut facts, invoice, plan);
    parties(&mut facts, invoice);
    payment(&mut facts, invoice);
    for note in notes.facts.iter().filter_map(|at| invoice.notes.get(*at)) {
        facts.whole_note(note);
    }
    for text in reason_facts(sums).collect::<Vec<_>>() {
        facts.note("Podstawa braku VAT", *text);
    }
    for (line, row) in invoice.lines.iter().zip(&plan.numbers) {
        of_row(&mut facts, line, *row);
    }
}

fn references<'d>(facts: &mut FaFacts<'_, 'd>, invoice: &Invoice<'d>, plan: &FaPlan) {
    let references = &invoice.references;
    if let Some(own) = invoice.buyer_reference.filled() {
        facts.term(None, "BT-10", *own);
    }
    if let Some(own) = invoice.accounting_reference.filled() {
        facts.term(None, "BT-19", *own);
    }
    for (term, field, kind) in [
        ("BT-11", &references.project, documents::TENDER),
        ("BT-14", &references.sales_order, documents::ORDER_RESPONSE),
        ("BT-15", &references.receiving_advice, documents::RECEIPT),
        ("BT-17", &references.tender, documents::TENDER),
        ("BT-18", &references.invoiced_object, documents::OBJECT),
    ] {
        for one in field {
            facts.out.ledger.implied_document(one, kind);
            if let Some(id) = one.id.filled() {
                facts.term(None, term, *id);
            }
        }
    }
    if plan.kind != "KOR" {
        for one in &references.preceding_invoices {
            facts.out.ledger.implied_document(one, documents::INVOICE);
            if let Some(id) = one.id.filled() {
                facts.term(None, "BT-25", *id);
            }
        }
    }
}

fn parties<'d>(facts: &mut FaFacts<'_, 'd>, invoice: &Invoice<'d>) {
    let both =
        [(invoice.seller.first(), "BT-28", "BT-41"), (invoice.buyer.first(), "BT-45", "BT-56")];
    for (party, trading, contact) in both {
        let Some(party) = party else { continue };
        if let Some(name) = party.trading_name.filled() {
            facts.term(None, trading, *name);
        }
        let point = party.contact.first().and_then(|contact| contact.point());
        if let Some(point) = point {
            facts.term(None, contact, *point);
        }
    }
    if let Some(id) = footer::other_registration(invoice) {
        facts.term(None, "BT-30", *id);
    }
    let delivery = invoice.delivery.first();
    let Some(delivery) = delivery.filter(|_| recipient(invoice).is_none()) else { return };
    if let Some(name) = delivery.party_name().filter(|name| !name.is_blank()) {
        let buyer = invoice.buyer.first().and_then(|buyer| buyer.name.text());
        match buyer.as_deref() == Some(name.trimmed().as_ref()) {
            true => {
                let reason = "who receives is the buyer, whose name the target has";
                facts.out.told_otherwise("Podmiot2", *name, LossKind::Merged, reason);
            }
            false => facts.note("Odbiorca", *name),
        }
    }
    if let Some(address) = delivery.address.first() {
        place(facts, address);
    }
}

/// BG-15 in one text.
fn place<'d>(facts: &mut FaFacts<'_, 'd>, own: &PostalAddress<'d>) {
    let fields = [&own.line1, &own.line2, &own.line3, &own.post_code, &own.city, &own.subdivision];
    let parts: Vec<Text<'d>> = fields.into_iter().filter_map(|field| field.filled()).collect();
    let country = own.country.filled();
    let texts: Vec<_> = parts.iter().map(|part| collapsed(&part.trimmed())).collect();
    let country_text = country.map(|country| country.trimmed().into_owned());
    let whole = texts.into_iter().chain(country_text).collect::<Vec<_>>().join(", ");
    if facts.write(None, "Miejsce dostawy", &whole) {
        parts.iter().for_each(|part| as_text(facts.out, **part));
        country.iter().for_each(|country| as_text(facts.out, **country));
    }
}

fn payment<'d>(facts: &mut FaFacts<'_, 'd>, invoice: &Invoice<'d>) {
    for text in invoice.payment.texts().collect::<Vec<_>>() {
        facts.term(None, "BT-20", *text);
    }
    let means = invoice.payment.means.iter();
    let is_form = |code: &str| lookup(PAYMENT_FORMS_WRITTEN, code).is_some();
    let mut told: Option<Text<'d>> = None;
    for one in means.filter(|one| one.code.text().is_some_and(|code| is_form(&code))) {
        let Some(text) = one.text.filled() else { continue };
        match told {
            Some(first) if text.is(&first.trimmed()) => facts.out.ledger.derive(*text),
            _ => facts.term(None, "BT-82", *text),
        }
        told = told.or(Some(text));
    }
    let Some(first) = invoice.payment.remittance.filled() else { return };
    facts.out.repeated(&invoice.payment.remittance, first);
    for id in &invoice.payment.remittance {
        if *id == first || !id.is(&first.trimmed()) {
            facts.term(None, "BT-83", **id);
        }
    }
}

fn of_row<'d>(facts: &mut FaFacts<'_, 'd>, line: &Line<'d>, row: u64) {
    let number = Some(row);
    if let Some(note) = line.note.filled() {
        facts.term(number, "BT-127", *note);
    }
    for object in line.invoiced_objects() {
        facts.out.ledger.implied_document(object, documents::OBJECT);
        if let Some(id) = object.id.filled() {
            facts.term(number, "BT-128", *id);
        }
    }
    for one in &line.order_lines {
        if let Some(id) = one.line_id.filled() {
            facts.term(number, "BT-132", *id);
        }
    }
    if let Some(own) = line.accounting_reference.filled() {
        facts.term(number, "BT-133", *own);
    }
    let Some(item) = line.item.first() else { return };
    if let Some(own) = item.description.filled() {
        facts.term(number, "BT-154", *own);
    }
    if let Some(own) = item.buyer_id.filled() {
        facts.term(number, "BT-156", *own);
    }
    if let Some(own) = item.origin.filled() {
        facts.term(number, "BT-159", *own);
    }
    for attribute in &item.attributes {
        if coded(attribute).is_none() {
            attributed(facts, attribute, row);
        }
    }
}

/// BG-32: name and value, where they fit; else both in one text.
fn attributed<'d>(facts: &mut FaFacts<'_, 'd>, own: &ItemAttribute<'d>, row: u64) {
    let (Some(name), Some(value)) = (own.name.filled(), own.value.filled()) else { return };
    let [key, text] = [collapsed(&name.trimmed()), collapsed(&value.trimmed())];
    let fits = |text: &str| text.chars().count() <= MAX_TEXT;
    if fits(&key) && fits(&text) && lookup(ROW_FACTS, &key).is_none() {
        if facts.write(Some(row), &key, &text) {
            facts.whole(*name);
            facts.whole(*value);
        }
        return;
    }
    if facts.write(Some(row), "Cecha", &format!("{key}: {text}")) {
        as_text(facts.out, *name);
        as_text(facts.out, *value);
    }
}

/// The element that an attribute is, by an agreement on its name: a group or a procedure.
pub(super) fn coded(attribute: &ItemAttribute<'_>) -> Option<&'static str> {
    let value = attribute.value.text()?;
    let number = value.strip_prefix("GTU_").filter(|number| number.len() == 2);
    let is_group = number.and_then(|number| number.parse::<u8>().ok());
    match attribute.name.text()?.as_ref() {
        "GTU" if is_group.is_some_and(|number| (1..=13).contains(&number)) => Some("GTU"),
        "Procedura" if PROCEDURES.contains(&value.as_ref()) => Some("Procedura"),
        _ => None,
    }
}
