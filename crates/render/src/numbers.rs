//! Numbers, amounts and days as the readers of a language write them. A value is never rounded:
//! every digit that says something stays.

use jiff::civil::Date;
use quoin_model::Language;

/// The signs of a language: between thousands, and before the decimals.
fn signs(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::En => (",", "."),
        Language::Nl | Language::De => (".", ","),
        Language::Fr => ("\u{202f}", ","),
        Language::Pl => ("\u{a0}", ","),
    }
}

/// A decimal number with its own digits, at least `decimals` of them behind the sign; zeros beyond
/// that are dropped. `None` where the text is no decimal number.
pub(crate) fn number(text: &str, decimals: usize, language: Language) -> Option<String> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("\u{2212}", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if digits.len() > 60 || !is_number(whole) || !is_number(part) {
        return None;
    }
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let (thousands, point) = signs(language);
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    };
    let mut shown = String::from(sign);
    for (place, digit) in whole.chars().enumerate() {
        let left = whole.len() - place;
        if place > 0 && left.is_multiple_of(3) {
            shown.push_str(thousands);
        }
        shown.push(digit);
    }
    let part = part.trim_end_matches('0');
    if !part.is_empty() || decimals > 0 {
        shown.push_str(point);
        shown.push_str(&format!("{part:0<decimals$}"));
    }
    Some(shown)
}

/// How many decimals amounts of a currency have (ISO 4217, minor units).
pub(crate) fn minor_units(currency: &str) -> usize {
    match currency {
        "BIF" | "CLP" | "DJF" | "GNF" | "ISK" | "JPY" | "KMF" | "KRW" | "PYG" | "RWF" | "UGX"
        | "UYI" | "VND" | "VUV" | "XAF" | "XOF" | "XPF" => 0,
        "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND" => 3,
        _ => 2,
    }
}

/// An amount with its currency, where the language puts it; the text as it is where it is no
/// number.
pub(crate) fn amount(text: &str, currency: &str, language: Language) -> String {
    let shown = number(text, minor_units(currency), language);
    let shown = shown.unwrap_or_else(|| text.trim().to_owned());
    match (currency, language) {
        ("", _) => shown,
        (_, Language::En | Language::Nl) => format!("{currency}\u{a0}{shown}"),
        _ => format!("{shown}\u{a0}{currency}"),
    }
}

const MONTHS: [[&str; 12]; 5] = [
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    [
        "januari",
        "februari",
        "maart",
        "april",
        "mei",
        "juni",
        "juli",
        "augustus",
        "september",
        "oktober",
        "november",
        "december",
    ],
    [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    [
        "stycznia",
        "lutego",
        "marca",
        "kwietnia",
        "maja",
        "czerwca",
        "lipca",
        "sierpnia",
        "września",
        "października",
        "listopada",
        "grudnia",
    ],
];

/// A day in words: `18 May 2026`, `18. Mai 2026`.
pub(crate) fn day(date: Date, language: Language) -> String {
    let place = Language::ALL.iter().position(|one| *one == language).unwrap_or_default();
    let month = usize::try_from(date.month()).unwrap_or_default().saturating_sub(1);
    let name = MONTHS.get(place).and_then(|names| names.get(month)).copied().unwrap_or_default();
    let (day, year) = (date.day(), date.year());
    match (language, day) {
        (Language::De, _) => format!("{day}. {name} {year}"),
        (Language::Fr, 1) => format!("1er {name} {year}"),
        _ => format!("{day} {name} {year}"),
    }
}

/// An account: an IBAN (ISO 13616) in groups of four, any other as it is.
pub(crate) fn account(text: &str) -> String {
    let text = text.trim();
    match is_iban(text) {
        false => text.to_owned(),
        true => {
            let letters: Vec<char> = text.chars().filter(|one| *one != ' ').collect();
            let groups = letters.chunks(4).map(|group| group.iter().collect::<String>());
            groups.collect::<Vec<_>>().join(" ")
        }
    }
}

/// Whether a text is an IBAN with the right check digits.
pub(crate) fn is_iban(text: &str) -> bool {
    let letters: Vec<u8> = text.bytes().filter(|byte| *byte != b' ').collect();
    let is_form = (15..=34).contains(&letters.len())
        && letters.iter().all(u8::is_ascii_alphanumeric)
        && letters.iter().take(2).all(u8::is_ascii_uppercase)
        && letters.iter().skip(2).take(2).all(u8::is_ascii_digit);
    is_form && remainder(&letters) == Some(1)
}

/// Check digits of ISO 7064 (MOD 97-10) behind two letters, as IBAN and ISO 11649 have them: what
/// is left, 1 where they are right; `None` for anything else than letters and digits.
pub(crate) fn remainder(letters: &[u8]) -> Option<u32> {
    let mut turned = letters.iter().skip(4).chain(letters.iter().take(4));
    turned.try_fold(0_u32, |rest, letter| match letter.to_ascii_uppercase() {
        digit @ b'0'..=b'9' => Some((rest * 10 + u32::from(digit - b'0')) % 97),
        letter @ b'A'..=b'Z' => Some((rest * 100 + u32::from(letter - b'A') + 10) % 97),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        assert_eq!(number("1234567.5", 2, Language::De).unwrap(), "1.234.567,50");
        assert_eq!(number("-0.00880", 2, Language::En).unwrap(), "−0.0088");
        assert_eq!(number("1234.0000", 0, Language::Fr).unwrap(), "1\u{202f}234");
        assert_eq!(number(".5", 0, Language::Nl).unwrap(), "0,5");
        for wrong in ["", ".", "-", "1e5", "1,5", "NaN", "1.2.3"] {
            assert_eq!(number(wrong, 2, Language::En), None, "{wrong}");
        }
        assert_eq!(number("7", 0, Language::En).unwrap(), "7");
    }

    #[test]
    fn amounts_have_the_currency_where_the_language_puts_it() {
        assert_eq!(amount("10", "EUR", Language::De), "10,00\u{a0}EUR");
        assert_eq!(amount("10", "EUR", Language::En), "EUR\u{a0}10.00");
        assert_eq!(amount("1000", "JPY", Language::En), "JPY\u{a0}1,000");
        assert_eq!(amount("ten", "EUR", Language::En), "EUR\u{a0}ten");
    }

    #[test]
    fn days_are_in_words() {
        let first = jiff::civil::date(2026, 5, 1);
        let all = Language::ALL.map(|language| day(first, language));
        assert_eq!(all, ["1 May 2026", "1 mei 2026", "1. Mai 2026", "1er mai 2026", "1 maja 2026"]);
    }

    #[test]
    fn an_iban_is_grouped_and_another_account_is_not() {
        assert_eq!(account("NL91ABNA0417164300"), "NL91 ABNA 0417 1643 00");
        assert_eq!(account("NL92ABNA0417164300"), "NL92ABNA0417164300");
    }
}
