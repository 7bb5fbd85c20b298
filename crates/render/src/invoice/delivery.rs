//! BG-13 to BG-15: when and where was delivered.

use quoin_model::en16931::Invoice;

use super::parties;
use crate::address;
use crate::draft::PageDraft;
use crate::page::{PageCard, PagePart, PageSection, TextStyle};
use crate::words::PageWord;

/// Each delivery as a box.
pub(super) fn section<'d>(draft: &mut PageDraft<'d>, invoice: &Invoice<'d>) -> PageSection {
    let mut section = PageSection::new(draft.word(PageWord::Delivery));
    let mut cards = Vec::new();
    for delivery in &invoice.delivery {
        let heading = draft.word(PageWord::DeliverTo);
        let mut card = PageCard { heading, ..PageCard::default() };
        card.marks = draft.marks_at(delivery.element);
        for party in &delivery.party {
            let of = parties::card(draft, party);
            card.lines.extend(of.lines);
            card.fields.extend(of.fields);
        }
        let names = draft.texts(&delivery.location_name, TextStyle::Plain);
        card.lines.extend(names);
        for one in delivery.address.iter().chain(&delivery.other_addresses) {
            card.lines.extend(address::lines(draft, one));
        }
        let into = &mut card.fields;
        draft.dates(into, PageWord::DeliveryDate, &delivery.date);
        draft.dates(into, PageWord::DeliveryDate, &delivery.latest_date);
        draft.ids(into, PageWord::DeliveryLocation, &delivery.location);
        draft.plain(into, PageWord::Description, &delivery.description);
        for period in &delivery.periods {
            let text = draft.period(period);
            let label = draft.word(PageWord::Period);
            into.extend(text.map(|text| crate::page::PageField::new(label, text)));
        }
        if !card.lines.is_empty() || !card.fields.is_empty() {
            cards.push(card);
        }
    }
    if !cards.is_empty() {
        section.parts.push(PagePart::Cards(cards));
    }
    section
}
