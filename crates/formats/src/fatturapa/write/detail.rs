//! What is said of the item of a line: codes (2.2.1.3), the description (2.2.1.4) and other data
//! (2.2.1.16).

use quoin_model::en16931::{Identifier, ItemAttribute, ItemInformation, Line, ValueSource};
use quoin_xml::tree::Element;

use super::super::codes::GTIN;
use super::{PRICE, text};
use crate::writing::{InvoiceOutput, LossKind};

/// Characters of `RiferimentoTesto`.
const MAX_TEXT: usize = 60;

/// A code of an item: where its kind stands, or what the kind is.
struct Article<'d> {
    kind: ArticleKind<'d>,
    value: Option<ValueSource<'d>>,
}

enum ArticleKind<'d> {
    Named(&'static str),
    Said(ValueSource<'d>),
}

/// Writes every `CodiceArticolo`: BT-155, BT-156, BT-157, BT-158.
pub(super) fn articles<'d>(out: &mut InvoiceOutput<'d>, item: &ItemInformation<'d>) {
    let mut all: Vec<Article<'d>> = Vec::new();
    let mut named = |name, id: &Identifier<'d>| {
        let own = out.ledger.in_own_words.then(|| sibling(id.element(), "CodiceTipo")).flatten();
        let kind = own.map_or(ArticleKind::Named(name), ArticleKind::Said);
        all.push(Article { kind, value: Some(**id) });
    };
    item.seller_id.iter().for_each(|id| named("FORN", id));
    item.buyer_id.iter().for_each(|id| named("CLI", id));
    for id in &item.standard_id {
        if id.scheme().is_some_and(|scheme| scheme.is(GTIN)) {
            named("GTIN", id);
        }
    }
    for id in item.standard_id.iter().filter_map(|id| id.scheme()).filter(|one| one.is(GTIN)) {
        out.ledger.carry(id);
    }
    for one in &item.classifications {
        match (one.code.filled(), one.name.filled()) {
            (Some(code), _) => {
                let kind = code.list().filter(|list| !list.is_blank());
                let kind = kind.map_or(ArticleKind::Named("ZZZ"), ArticleKind::Said);
                all.push(Article { kind, value: Some(*code) });
            }
            (None, Some(name)) if out.ledger.in_own_words => {
                all.push(Article { kind: ArticleKind::Said(*name), value: None });
            }
            _ => {}
        }
    }
    if out.ledger.in_own_words {
        all.sort_by_key(|one| one.value.map(|value| value.element().id().0));
    }
    for one in all {
        article(out, &one);
    }
}

/// Both of its parts, or neither.
fn article<'d>(out: &mut InvoiceOutput<'d>, one: &Article<'d>) {
    let Some(value) = one.value else { return };
    let reason = "a code of an item has at most 35 characters, as has its kind";
    let words = out.words(value);
    let kind = match one.kind {
        ArticleKind::Named(name) => name.into(),
        ArticleKind::Said(source) => source.trimmed(),
    };
    let fits = text::is_code(kind.trim(), 35)
        && words.chars().count() <= 35
        && text::letters(&words).is_some_and(|text| text == words);
    if !fits {
        return out.lost(value, reason);
    }
    out.group("CodiceArticolo", |out| {
        match one.kind {
            ArticleKind::Named("ZZZ") => {
                let reason = "the target asks for the list of a code";
                out.derived("CodiceTipo", "ZZZ", value.element(), Some("BT-158"), reason);
            }
            ArticleKind::Named(name) => out.constant("CodiceTipo", name, &[]),
            ArticleKind::Said(source) => out.kept("CodiceTipo", kind.trim(), source),
        }
        out.kept("CodiceValore", &words, value);
    });
}

fn sibling<'d>(element: Element<'d>, name: &str) -> Option<ValueSource<'d>> {
    let found = element.parent()?.elements().find(|one| one.local() == name)?;
    Some(ValueSource::of(found))
}

/// Writes `Descrizione`: BT-153, and BT-154 after it.
pub(super) fn description<'d>(
    out: &mut InvoiceOutput<'d>,
    line: &Line<'d>,
    item: &ItemInformation<'d>,
    most: usize,
) {
    let joined = "name and description of an item are one text in the target";
    let (name, more) = (item.name.filled(), item.description.filled());
    let is_same = |one: &quoin_model::en16931::Text<'d>| {
        name.is_some_and(|name| name.trimmed() == one.trimmed())
    };
    let Some(more) = more.filter(|one| !is_same(one)) else {
        if let Some(more) = more {
            out.told_otherwise("Descrizione", *more, LossKind::Merged, joined);
        }
        let is_written = name.is_some_and(|name| text::one_free(out, "Descrizione", *name, most));
        if !is_written {
            out.refuse_without(
                line.element,
                "the name of an item in Latin letters (BT-153)",
                "Descrizione",
            );
        }
        return;
    };
    let mut words = more.trimmed().into_owned();
    match name {
        Some(name) => {
            words = format!("{} - {words}", name.trimmed());
            out.told_otherwise("Descrizione", *name, LossKind::Merged, joined);
        }
        None => out.implied("Descrizione", &words, line.element, Some("BT-153"), joined),
    }
    out.told_otherwise("Descrizione", *more, LossKind::Merged, joined);
    match text::latin(&words, most) {
        Some(text) => out.constant("Descrizione", &text, &[]),
        None => {
            out.refuse_without(
                line.element,
                "the name of an item in Latin letters (BT-153)",
                "Descrizione",
            );
        }
    }
}

/// Writes every `AltriDatiGestionali`: BG-32, BT-127 (`NOTA`) and BT-159 (`ORIGINE`).
pub(super) fn other_data<'d>(
    out: &mut InvoiceOutput<'d>,
    line: &Line<'d>,
    item: &ItemInformation<'d>,
) {
    for one in &item.attributes {
        attribute(out, one);
    }
    for note in &line.note {
        let Some(words) = text::letters(&out.words(**note)) else {
            out.lost(**note, text::REWRITTEN);
            continue;
        };
        let pieces = text::pieces(&words, MAX_TEXT);
        let mut is_first = true;
        for piece in &pieces {
            out.group("AltriDatiGestionali", |out| {
                data_kind(out, **note, "NOTA");
                match (pieces.len(), is_first) {
                    (1, _) => out.fitted("RiferimentoTesto", piece, **note, text::REWRITTEN),
                    (_, true) => {
                        let reason = "a text of the target has at most 60 characters: it is cut \
                            into pieces";
                        out.changed("RiferimentoTesto", piece, **note, reason);
                    }
                    _ => out.constant("RiferimentoTesto", piece, &[]),
                }
            });
            is_first = false;
        }
    }
    for origin in item.origin.iter().filter(|origin| !origin.is_blank()) {
        let words = out.words(**origin);
        let is_latin = text::letters(&words).is_some_and(|text| text == words);
        if !is_latin || words.chars().count() > MAX_TEXT {
            out.lost(**origin, text::REWRITTEN);
            continue;
        }
        out.group("AltriDatiGestionali", |out| {
            data_kind(out, **origin, "ORIGINE");
            let words = out.words(**origin);
            out.kept("RiferimentoTesto", &words, **origin);
        });
    }
}

/// `TipoDato` of what is a term of its own.
fn data_kind<'d>(out: &mut InvoiceOutput<'d>, value: ValueSource<'d>, name: &'static str) {
    match out.ledger.in_own_words.then(|| sibling(value.element(), "TipoDato")).flatten() {
        Some(own) => out.kept("TipoDato", name, own),
        None => out.constant("TipoDato", name, &[]),
    }
}

/// BG-32.
fn attribute<'d>(out: &mut InvoiceOutput<'d>, one: &ItemAttribute<'d>) {
    let name = one.name.filled().filter(|name| text::is_code(&out.words(**name), 10));
    let Some(name) = name else {
        let reason = "the name of an attribute has at most 10 characters of Basic Latin";
        for source in one.name.iter().chain(&one.value) {
            out.lost(**source, reason);
        }
        return;
    };
    if let Some(value) = one.value.filled()
        && text::latin(&value.trimmed(), MAX_TEXT + 1)
            .is_none_or(|text| text.chars().count() > MAX_TEXT)
    {
        let reason = "the value of an attribute has at most 60 characters of Latin-1";
        out.lost(*name, reason);
        return out.lost(*value, reason);
    }
    let is_special = name.is("NOTA") || name.is("ORIGINE");
    if is_special && !out.ledger.in_own_words {
        return out.lost(*name, "the name means something else in the target");
    }
    out.group("AltriDatiGestionali", |out| {
        let words = out.words(*name).into_owned();
        out.kept("TipoDato", &words, *name);
        text::free(out, "RiferimentoTesto", &one.value, MAX_TEXT);
        if let Some(number) = one.number.filled() {
            out.number_in("RiferimentoNumero", *number, PRICE);
        }
        out.plain_day("RiferimentoData", &one.date);
    });
}
