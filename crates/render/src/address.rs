//! Postal addresses in the order of their country.

use quoin_model::en16931::PostalAddress;

use crate::codes::{SpelledList, spelled};
use crate::draft::PageDraft;
use crate::page::{PageText, TextStyle};

/// Where a country writes post code, city and subdivision.
///
/// Source: Universal Postal Union, addressing formats of the countries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CityLine {
    /// `1011 AB Amsterdam`, the subdivision below.
    PostCodeFirst,
    /// `London`, the post code on a line of its own below.
    PostCodeBelow,
    /// `Springfield, IL 62701`.
    SubdivisionThenPostCode,
    /// `Singapore 018956`.
    PostCodeBehind,
}

fn city_line(country: &str) -> CityLine {
    match country {
        "GB" | "GG" | "IM" | "JE" | "IE" | "GI" => CityLine::PostCodeBelow,
        "US" | "CA" | "AU" | "PR" => CityLine::SubdivisionThenPostCode,
        "SG" | "NZ" | "IN" | "TH" | "JP" | "AE" | "OM" | "SA" | "LV" => CityLine::PostCodeBehind,
        _ => CityLine::PostCodeFirst,
    }
}

/// An address, a line each, with the country in words.
pub(crate) fn lines<'d>(draft: &mut PageDraft<'d>, address: &PostalAddress<'d>) -> Vec<PageText> {
    let country = address.country.text().unwrap_or_default().into_owned();
    let mut lines = Vec::new();
    let numbers = draft.joined(&address.building_number);
    let mut first = draft.joined(&address.line1);
    if let Some(number) = numbers {
        first = Some(first.map_or_else(|| number.clone(), |street| format!("{street} {number}")));
    }
    lines.extend(first);
    lines.extend(draft.joined(&address.line2));
    lines.extend(draft.joined(&address.line3));
    lines.extend(draft.joined(&address.post_box));
    for other in &address.others {
        lines.extend(draft.said(**other));
    }
    let city = draft.joined(&address.city);
    let post_code = draft.joined(&address.post_code);
    let region = draft.joined(&address.subdivision);
    let with = |parts: [Option<String>; 2], between: &str| {
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(between))
    };
    match city_line(&country) {
        CityLine::PostCodeFirst => {
            lines.extend(with([post_code, city], " "));
            lines.extend(region);
        }
        CityLine::PostCodeBelow => lines.extend([city, region, post_code].into_iter().flatten()),
        CityLine::SubdivisionThenPostCode => {
            let behind = with([region, post_code], " ");
            lines.extend(with([city, behind], ", "));
        }
        CityLine::PostCodeBehind => {
            lines.extend(with([city, post_code], " "));
            lines.extend(region);
        }
    }
    lines.extend(named_country(draft, address));
    lines.into_iter().map(|text| PageText { text, style: TextStyle::Plain }).collect()
}

/// The country in words, with the name that the document has for it where that is another.
fn named_country<'d>(draft: &mut PageDraft<'d>, address: &PostalAddress<'d>) -> Option<String> {
    let codes: Vec<String> = address.country.iter().filter_map(|code| draft.said(**code)).collect();
    let words = codes.iter().map(|code| {
        spelled(SpelledList::Country, code, draft.language).map_or(code.clone(), str::to_owned)
    });
    let mut words: Vec<String> = words.collect();
    for name in &address.country_name {
        let said = draft.said(**name);
        words.extend(said.filter(|name| !words.contains(name)));
    }
    (!words.is_empty()).then(|| words.join(", "))
}
