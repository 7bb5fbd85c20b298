//! The page of a document that has no model of its own: by its structure. The leaves of the
//! document element are its facts, the parties are boxes, elements that repeat as lines are a
//! table, and every other group is a section.
//!
//! Sources: UBL 2.1 (naming of elements: `…Amount`, `…Quantity`, `…Date`), Peppol post-award
//! specifications 3, Peppol reporting, Peppol tax data.

mod lines;
mod values;

use std::collections::HashMap;

use quoin_xml::tree::Element;

use crate::appendix::own_text;
use crate::draft::PageDraft;
use crate::invoice::DocumentHead;
use crate::names;
use crate::page::{PageCard, PageField, PagePart, PageSection, PageText, TextStyle};
use crate::words::PageWord;

/// Fields that the sections of a page have at most; the rest is in its appendix.
const MAX_FIELDS: usize = 4_000;

/// Title, number and day of a document of a kind.
pub(crate) fn head(draft: &mut PageDraft<'_>, root: Element<'_>, title: &str) -> DocumentHead {
    let text = |name: &str| {
        let mut found = root.elements().filter(|one| one.local() == name);
        found.next().map(|one| one.text().trim().to_owned())
    };
    let number = text("ID").unwrap_or_default();
    DocumentHead {
        title: title.to_owned(),
        number: crate::harmless::harmless(&number, draft.language),
        issued: text("IssueDate").and_then(|text| quoin_model::text::date(&text)),
    }
}

/// The sections of a document by its structure.
pub(crate) fn sections<'d>(draft: &mut PageDraft<'d>, root: Element<'d>) -> Vec<PageSection> {
    let currency = root.elements().find(|one| one.local() == "DocumentCurrencyCode");
    draft.currency = currency.map(|one| one.text().trim().to_owned()).unwrap_or_default();
    let mut left = MAX_FIELDS;
    let (mut facts, mut cards, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    let mut repeated: Vec<(&str, Vec<Element<'d>>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for child in root.elements() {
        let name = child.local();
        if child.elements().next().is_none() {
            field(draft, &mut facts, child, &mut left);
        } else if name.ends_with("Party") {
            cards.push(card(draft, child, &mut left));
        } else if lines::is_line(name) {
            let place = *places.entry(name).or_insert(repeated.len());
            match repeated.get_mut(place) {
                Some((_, all)) => all.push(child),
                None => repeated.push((name, vec![child])),
            }
        } else {
            groups.push(child);
        }
    }
    let mut first = PageSection::default();
    if !cards.is_empty() {
        first.parts.push(PagePart::Cards(cards));
    }
    if !facts.is_empty() {
        first.parts.push(PagePart::Fields(facts));
    }
    let mut sections = vec![first];
    for (name, all) in repeated {
        sections.push(lines::section(draft, name, &all));
    }
    for group in groups {
        section(draft, &mut sections, group, &mut left);
    }
    sections
}

/// A group as a section; groups of the same name stand under one heading.
fn section<'d>(
    draft: &mut PageDraft<'d>,
    sections: &mut Vec<PageSection>,
    group: Element<'d>,
    left: &mut usize,
) {
    let (heading, _) = names::label(group.local(), draft.language);
    let mut fields = Vec::new();
    leaves(draft, &mut fields, group, left);
    if fields.is_empty() {
        return;
    }
    let part = PagePart::Fields(fields);
    match sections.last_mut().filter(|last| last.heading == heading) {
        Some(last) => last.parts.push(part),
        None => sections.push(PageSection { heading, parts: vec![part] }),
    }
}

/// Every leaf inside an element as a field.
pub(crate) fn leaves<'d>(
    draft: &mut PageDraft<'d>,
    into: &mut Vec<PageField>,
    group: Element<'d>,
    left: &mut usize,
) {
    for element in group.descendants().filter(|one| one.id() != group.id()) {
        if *left == 0 {
            return;
        }
        if !draft.is_shown((element.id(), None)) {
            field(draft, into, element, left);
        }
    }
}

/// An element as a field, if it has text of its own.
fn field<'d>(
    draft: &mut PageDraft<'d>,
    into: &mut Vec<PageField>,
    element: Element<'d>,
    left: &mut usize,
) {
    if *left == 0 || own_text(element).is_none() {
        return;
    }
    *left -= 1;
    let (label, is_name) = label(draft, element);
    let marks = draft.marks_at(element);
    if let Some(text) = values::value(draft, element) {
        let values = vec![PageText::from(text)];
        into.push(PageField { label, is_name, values, marks, is_strong: false });
    }
}

/// Names that say nothing without the element above them.
const BARE: [&str; 9] = [
    "ID",
    "Name",
    "Value",
    "Description",
    "Note",
    "Code",
    "Amount",
    "Percent",
    "IdentificationCode",
];

/// What an element is called; with the name above it where its own says little.
fn label(draft: &PageDraft<'_>, element: Element<'_>) -> (String, bool) {
    let own = names::label(element.local(), draft.language);
    let is_bare = BARE.contains(&element.local());
    let above = element.parent().filter(|one| is_bare && one.parent().is_some());
    match above {
        None => own,
        Some(above) => {
            let (over, is_name) = names::label(above.local(), draft.language);
            let says_it = matches!(element.local(), "ID" | "IdentificationCode")
                || matches!(above.local(), "Contact" | "PartyName");
            let label = match !is_name && says_it || over == own.0 {
                true => over,
                false => format!("{over}: {}", own.0),
            };
            (label, is_name || own.1)
        }
    }
}

/// A party as a box, its name and address first.
fn card<'d>(draft: &mut PageDraft<'d>, party: Element<'d>, left: &mut usize) -> PageCard {
    let (heading, _) = names::label(party.local(), draft.language);
    let mut card = PageCard { heading, ..PageCard::default() };
    card.marks = draft.marks_at(party);
    let named = party.descendants().find(|one| is_name(*one));
    if let Some(text) = named.and_then(|one| values::value(draft, one)) {
        card.lines.push(PageText { text, style: TextStyle::Strong });
    }
    let is_address = |one: &Element<'_>| one.local().ends_with("Address");
    if let Some(address) = party.descendants().find(is_address) {
        card.lines.extend(address_lines(draft, address));
    }
    let mut fields = Vec::new();
    leaves(draft, &mut fields, party, left);
    card.fields = fields;
    card
}

fn is_name(element: Element<'_>) -> bool {
    let above = element.parent().map(|one| one.local());
    match element.local() {
        "Name" => above == Some("PartyName"),
        "RegistrationName" => true,
        _ => false,
    }
}

/// Street, post code and city, country; what else an address has is among the fields.
fn address_lines<'d>(draft: &mut PageDraft<'d>, address: Element<'d>) -> Vec<PageText> {
    let mut lines = Vec::new();
    let rows: [&[&str]; 4] = [
        &["StreetName", "BuildingNumber"],
        &["AdditionalStreetName"],
        &["PostalZone", "CityName"],
        &["CountrySubentity"],
    ];
    for row in rows {
        let parts = row.iter().filter_map(|name| {
            let found = address.elements().find(|one| one.local() == *name)?;
            values::value(draft, found)
        });
        let parts: Vec<String> = parts.collect();
        if !parts.is_empty() {
            lines.push(PageText::from(parts.join(" ")));
        }
    }
    let country = address.descendants().find(|one| one.local() == "IdentificationCode");
    lines.extend(country.and_then(|one| values::value(draft, one)).map(PageText::from));
    lines
}

/// What a document says beside its groups, for the section that has no heading.
pub(crate) fn word_of_lines(draft: &PageDraft<'_>) -> String {
    draft.word(PageWord::Lines)
}
