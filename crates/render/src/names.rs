//! What elements are called on a page: a word in its language where the table has one, else the
//! name that the document has for it, its words apart.

use std::collections::HashMap;
use std::sync::LazyLock;

use quoin_model::Language;

type NamedRows = HashMap<&'static str, [&'static str; 5]>;

/// The rows of the table by local name.
static ROWS: LazyLock<NamedRows> = LazyLock::new(|| {
    let lines = include_str!("names.txt").lines().filter(|line| !line.starts_with('#'));
    let rows = lines.filter_map(|line| {
        let (name, words) = line.split_once('|')?;
        let words: Vec<&'static str> = words.split('|').collect();
        Some((name, words.try_into().ok()?))
    });
    rows.collect()
});

/// What an element is called, and whether that is its own name and no word of the language.
pub(crate) fn label(local: &str, language: Language) -> (String, bool) {
    let Some([en, nl, de, fr, pl]) = ROWS.get(local) else { return (apart(local), true) };
    let word = match language {
        Language::En => en,
        Language::Nl => nl,
        Language::De => de,
        Language::Fr => fr,
        Language::Pl => pl,
    };
    ((*word).to_owned(), false)
}

/// Characters of a name that are shown.
const MAX_NAME: usize = 80;

/// The words of a name apart: `PlannedPickupDate` is `Planned pickup date`.
fn apart(name: &str) -> String {
    let letters: Vec<char> = name.chars().take(MAX_NAME).collect();
    let mut shown = String::with_capacity(name.len() + 8);
    for (place, letter) in letters.iter().copied().enumerate() {
        let before = place.checked_sub(1).and_then(|one| letters.get(one));
        let is_after_small = before.is_some_and(|one| one.is_lowercase());
        let next_is_small = letters.get(place + 1).is_some_and(|one| one.is_lowercase());
        match letter {
            '_' | '-' | '.' => shown.push(' '),
            _ if letter.is_uppercase() && is_after_small => {
                shown.push(' ');
                match next_is_small {
                    true => shown.extend(letter.to_lowercase()),
                    false => shown.push(letter),
                }
            }
            _ if place == 0 => shown.extend(letter.to_uppercase()),
            _ => shown.push(letter),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word_of_the_language_or_has_its_words_apart() {
        assert_eq!(label("OrderReference", Language::De), ("Bestellung".to_owned(), false));
        assert_eq!(
            label("PlannedPickupDate", Language::De),
            ("Planned pickup date".to_owned(), true)
        );
        assert_eq!(label("HazardousURIRisk", Language::Pl), ("Hazardous URIRisk".to_owned(), true));
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        let lines = include_str!("names.txt").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.count(), ROWS.len());
    }
}
