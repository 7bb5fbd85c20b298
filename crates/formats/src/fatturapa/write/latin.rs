//! What is written in Latin-1 for the characters that it has not: the letter without its mark, the
//! word for a sign, a question mark for anything else.

/// Letters and signs outside of Latin-1, and what is written for them.
const LETTERS: &[(&str, &str)] = &[
    ("\u{2018}\u{2019}\u{201A}\u{2032}\u{02BC}", "'"),
    ("\u{201C}\u{201D}\u{201E}\u{2033}", "\""),
    ("\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}", "-"),
    ("\u{2026}", "..."),
    ("\u{20AC}", "EUR"),
    ("\u{2122}", "(TM)"),
    ("\u{2022}\u{25CF}", "*"),
    ("\u{2264}", "<="),
    ("\u{2265}", ">="),
    ("\u{2044}", "/"),
    ("\u{2116}", "N."),
    ("\u{2126}\u{3A9}", "Ohm"),
    ("\u{3BC}", "\u{B5}"),
    ("\u{212A}", "K"),
    ("\u{212B}", "\u{C5}"),
    ("\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\u{2060}\u{FE0E}\u{FE0F}\u{FEFF}", ""),
    ("ĀĂĄǍ", "A"),
    ("āăąǎ", "a"),
    ("ĆĈĊČ", "C"),
    ("ćĉċč", "c"),
    ("ĎĐ", "D"),
    ("ďđ", "d"),
    ("ĒĔĖĘĚ", "E"),
    ("ēĕėęě", "e"),
    ("ĜĞĠĢǦ", "G"),
    ("ĝğġģǧ", "g"),
    ("ĤĦ", "H"),
    ("ĥħ", "h"),
    ("ĨĪĬĮİǏ", "I"),
    ("ĩīĭįıǐ", "i"),
    ("Ĵ", "J"),
    ("ĵ", "j"),
    ("Ķ", "K"),
    ("ķ", "k"),
    ("ĹĻĽĿŁ", "L"),
    ("ĺļľŀł", "l"),
    ("ŃŅŇ", "N"),
    ("ńņňŉ", "n"),
    ("ŌŎŐƠǑ", "O"),
    ("ōŏőơǒ", "o"),
    ("Œ", "OE"),
    ("œ", "oe"),
    ("ŔŖŘ", "R"),
    ("ŕŗř", "r"),
    ("ŚŜŞŠȘ", "S"),
    ("śŝşšș", "s"),
    ("ẞ", "SS"),
    ("ŢŤŦȚ", "T"),
    ("ţťŧț", "t"),
    ("ŨŪŬŮŰŲƯǓ", "U"),
    ("ũūŭůűųưǔ", "u"),
    ("Ŵ", "W"),
    ("ŵ", "w"),
    ("ŶŸ", "Y"),
    ("ŷ", "y"),
    ("ŹŻŽ", "Z"),
    ("źżž", "z"),
];

/// The first letter of each row of Latin Extended Additional (U+1E00 to U+1E95, U+1EA0 to U+1EF9)
/// and what it is without its marks; capital and small letters follow each other.
const ADDITIONAL: &[(char, char)] = &[
    ('\u{1E00}', 'A'),
    ('\u{1E02}', 'B'),
    ('\u{1E08}', 'C'),
    ('\u{1E0A}', 'D'),
    ('\u{1E14}', 'E'),
    ('\u{1E1E}', 'F'),
    ('\u{1E20}', 'G'),
    ('\u{1E22}', 'H'),
    ('\u{1E2C}', 'I'),
    ('\u{1E30}', 'K'),
    ('\u{1E36}', 'L'),
    ('\u{1E3E}', 'M'),
    ('\u{1E44}', 'N'),
    ('\u{1E4C}', 'O'),
    ('\u{1E54}', 'P'),
    ('\u{1E58}', 'R'),
    ('\u{1E60}', 'S'),
    ('\u{1E6A}', 'T'),
    ('\u{1E72}', 'U'),
    ('\u{1E7C}', 'V'),
    ('\u{1E80}', 'W'),
    ('\u{1E8A}', 'X'),
    ('\u{1E8E}', 'Y'),
    ('\u{1E90}', 'Z'),
    ('\u{1E96}', ' '),
    ('\u{1EA0}', 'A'),
    ('\u{1EB8}', 'E'),
    ('\u{1EC8}', 'I'),
    ('\u{1ECC}', 'O'),
    ('\u{1EE4}', 'U'),
    ('\u{1EF2}', 'Y'),
    ('\u{1EFA}', ' '),
];

/// Marks that follow their letter, and the letters of Latin-1 with and without them.
const MARKS: &[(char, &str, &str)] = &[
    ('\u{300}', "AEIOUaeiou", "ÀÈÌÒÙàèìòù"),
    ('\u{301}', "AEIOUYaeiouy", "ÁÉÍÓÚÝáéíóúý"),
    ('\u{302}', "AEIOUaeiou", "ÂÊÎÔÛâêîôû"),
    ('\u{303}', "ANOano", "ÃÑÕãñõ"),
    ('\u{308}', "AEIOUaeiouy", "ÄËÏÖÜäëïöüÿ"),
    ('\u{30A}', "Aa", "Åå"),
    ('\u{327}', "Cc", "Çç"),
];

/// A text in Latin-1, of whatever length, with single blanks for white space. `None` where most of
/// it has no form there.
pub(super) fn letters(text: &str) -> Option<String> {
    let mut written = String::with_capacity(text.len());
    let (mut known, mut unknown) = (0_usize, 0_usize);
    for part in text.split_whitespace() {
        if !written.is_empty() {
            written.push(' ');
        }
        for letter in part.chars() {
            match is_written(letter, &mut written) {
                true => known += usize::from(letter.is_alphanumeric()),
                false => {
                    unknown += 1;
                    written.push('?');
                }
            }
        }
    }
    (unknown <= known).then_some(written)
}

/// Writes what stands for a character. Whether anything does, be it nothing at all.
fn is_written(letter: char, out: &mut String) -> bool {
    if matches!(letter, ' '..='~' | '\u{A1}'..='\u{FF}') {
        out.push(letter);
    } else if matches!(letter, '\u{300}'..='\u{36F}') {
        marked(letter, out);
    } else if let Some((_, text)) = LETTERS.iter().find(|(all, _)| all.contains(letter)) {
        out.push_str(text);
    } else if let Some(base) = additional(letter) {
        out.push(base);
    } else {
        return letter.is_control();
    }
    true
}

/// Puts a mark on the letter before it, where Latin-1 has that; else the letter is without it.
fn marked(mark: char, out: &mut String) {
    let Some((_, plain, with)) = MARKS.iter().find(|(own, ..)| *own == mark) else { return };
    let Some(last) = out.chars().next_back() else { return };
    let place = plain.chars().position(|letter| letter == last);
    if let Some(letter) = place.and_then(|at| with.chars().nth(at)) {
        out.pop();
        out.push(letter);
    }
}

/// A letter of Latin Extended Additional without its marks.
fn additional(letter: char) -> Option<char> {
    let row = ADDITIONAL.iter().rev().find(|(first, _)| *first <= letter);
    let (first, base) = row.filter(|(_, base)| base.is_alphabetic())?;
    let is_small = (u32::from(letter) - u32::from(*first)) % 2 == 1;
    Some(if is_small { base.to_ascii_lowercase() } else { *base })
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn what_has_a_latin_form_is_written_in_it() {
        for (text, wanted) in [
            ("Cafe\u{301} Mu\u{308}ller c\u{327}a", "Café Müller ça"),
            ("z\u{301}o\u{328}", "zo"),
            ("Công ty Việt Nam Ữ ỹ Ẁ", "Công ty Viet Nam U y W"),
            ("47 k\u{2126}, 5 \u{3BC}m, \u{2116} 7", "47 kOhm, 5 \u{B5}m, N. 7"),
            ("Filtro \u{1F600} tipo \u{416}", "Filtro ? tipo ?"),
            ("\u{301}a\u{FE0F}", "a"),
            (" due \n  righe ", "due righe"),
            ("", ""),
        ] {
            assert_eq!(letters(text).as_deref(), Some(wanted), "{text}");
        }
    }

    #[test]
    fn what_is_of_another_script_has_no_form() {
        for text in ["Ελλάς", "Заказ 7", "漢字", "\u{1F600}", "\u{1E9C}\u{1EFB}"] {
            assert_eq!(letters(text), None, "{text}");
        }
    }
}
