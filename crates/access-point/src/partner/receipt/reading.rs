//! What a body says: every state, the reason and the ids, wherever they stand.

use std::borrow::Cow;

use quoin_xml::tree::Element;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{PartnerReceipt, ReceiptWords, UnreadReceipt};

/// Takes out of a body what it says.
pub(super) struct ReceiptGleaner<'w> {
    words: &'w ReceiptWords,
    receipt: PartnerReceipt,
    /// How deep the state and the reason stand that were found: those further out go before.
    depths: (usize, usize),
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct ReceiptPlace<'n> {
    /// The name of the member or element.
    name: &'n str,
    /// Members or elements around it.
    depth: usize,
    /// Whether it is a state, or a part of one.
    is_state: bool,
    /// Whether an id that stands here is that of the message.
    has_ids: bool,
}

impl<'w> ReceiptGleaner<'w> {
    pub(super) fn new(words: &'w ReceiptWords) -> ReceiptGleaner<'w> {
        ReceiptGleaner { words, receipt: PartnerReceipt::default(), depths: (0, 0) }
    }

    /// All that a body says.
    pub(super) fn all_of(
        mut self,
        body: &[u8],
        kind: Option<&str>,
    ) -> Result<PartnerReceipt, UnreadReceipt> {
        let text = decoded(body);
        let shown = text.as_deref().map_or_else(|| String::from_utf8_lossy(body), Cow::Borrowed);
        let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
        let kind = kind.trim().to_ascii_lowercase();
        match shown.trim_start().chars().next() {
            None => {}
            Some('<') => self.xml(body)?,
            Some('{' | '[') => self.json(text.as_deref())?,
            Some(_) if kind.ends_with("json") => self.json(text.as_deref())?,
            Some(_) if kind.ends_with("xml") => self.xml(body)?,
            Some(_) => {}
        }
        Ok(self.receipt)
    }

    fn json(&mut self, text: Option<&str>) -> Result<(), UnreadReceipt> {
        let broken = UnreadReceipt::Broken("JSON");
        let Some(text) = text else { return Err(broken) };
        let mut reader = serde_json::Deserializer::from_str(text);
        let place = ReceiptPlace { name: "", depth: 0, is_state: false, has_ids: true };
        let read = JsonReceipt { found: self, place }.deserialize(&mut reader);
        read.and_then(|()| reader.end()).map_err(|_| broken)
    }

    fn xml(&mut self, body: &[u8]) -> Result<(), UnreadReceipt> {
        let parsed = quoin_formats::read(body.trim_ascii_start());
        let root = parsed.root().ok_or(UnreadReceipt::Broken("XML"))?;
        self.element(root, 0, false);
        Ok(())
    }

    /// The recursion is bounded by the depth limit of the reader.
    fn element(&mut self, element: Element<'_>, depth: usize, inside: bool) {
        let is_state = inside || self.is_state(element.local());
        let place = ReceiptPlace { name: element.local(), depth, is_state, has_ids: true };
        self.take(place, element.text().trim());
        let states = self.words.states;
        for attribute in element.attributes().filter(|own| is_one(states, own.local)) {
            let place = ReceiptPlace {
                name: attribute.local,
                depth: depth + 1,
                is_state: true,
                has_ids: false,
            };
            self.take(place, attribute.value.trim());
        }
        for child in element.elements() {
            self.element(child, depth + 1, is_state);
        }
    }

    fn is_state(&self, name: &str) -> bool {
        is_one(self.words.states, name)
    }

    /// Takes a value. One state that refuses the message goes before all others.
    fn take(&mut self, place: ReceiptPlace<'_>, text: &str) {
        let ReceiptPlace { name, depth, is_state, has_ids } = place;
        let (words, receipt) = (self.words, &mut self.receipt);
        if text.is_empty() {
            return;
        }
        if is_state && !receipt.is_rejection(words) {
            let is_known = receipt.status.is_some() && self.depths.0 <= depth;
            if words.is_rejection(text) || is_one(words.states, name) && !is_known {
                receipt.status = Some(text.to_owned());
                self.depths.0 = depth;
            }
        }
        if is_one(words.states, name) {
            return;
        }
        if is_one(words.reasons, name) {
            if receipt.reason.is_none() || depth < self.depths.1 {
                receipt.reason = Some(text.to_owned());
                self.depths.1 = depth;
            }
        } else if has_ids && is_one(words.about, name) {
            receipt.about.get_or_insert_with(|| text.to_owned());
        } else if has_ids && is_one(words.ids, name) {
            receipt.id.get_or_insert_with(|| text.to_owned());
        }
    }
}

fn is_one(names: &[&str], name: &str) -> bool {
    names.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// A value of JSON that is looked through; every member counts, also one that is there twice.
struct JsonReceipt<'g, 'w, 'n> {
    found: &'g mut ReceiptGleaner<'w>,
    place: ReceiptPlace<'n>,
}

impl<'de> DeserializeSeed<'de> for JsonReceipt<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonReceipt<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.found.take(self.place, &number.to_string());
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.found.take(self.place, &number.to_string());
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.found.take(self.place, &number.to_string());
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.found.take(self.place, text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let place = ReceiptPlace { has_ids: false, ..self.place };
        while values.next_element_seed(JsonReceipt { found: &mut *self.found, place })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<String>()? {
            let place = ReceiptPlace {
                name: &name,
                depth: self.place.depth + 1,
                is_state: self.place.is_state || self.found.is_state(&name),
                // What is further inside names another thing.
                has_ids: self.place.has_ids && self.place.depth == 0,
            };
            members.next_value_seed(JsonReceipt { found: &mut *self.found, place })?;
        }
        Ok(())
    }
}

/// The text of a body in UTF-8 or UTF-16, without its byte order mark; none where it is neither.
/// UTF-16 without a mark is known by the first character, which is one of ASCII in JSON and XML.
pub(in crate::partner) fn decoded(body: &[u8]) -> Option<Cow<'_, str>> {
    let wide = |body: &[u8], of: fn([u8; 2]) -> u16| {
        let units = body.chunks(2).map(|pair| <[u8; 2]>::try_from(pair).ok().map(of));
        let units: Vec<u16> = units.collect::<Option<_>>()?;
        String::from_utf16(&units).ok().map(Cow::Owned)
    };
    match body {
        [0xef, 0xbb, 0xbf, rest @ ..] => std::str::from_utf8(rest).ok().map(Cow::Borrowed),
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [first, 0, ..] if *first != 0 => wide(body, u16::from_le_bytes),
        [0, first, ..] if *first != 0 => wide(body, u16::from_be_bytes),
        _ => std::str::from_utf8(body).ok().map(Cow::Borrowed),
    }
}
