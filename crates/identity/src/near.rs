//! What was probably meant: the identifier of a type in use that is nearly the one written.

use jiff::civil::Date;
use quoin_peppol::codelists::{CodeState, DOCUMENT_TYPES};

/// Characters in which two identifiers may differ and still be nearly the same.
const FAR: usize = 6;

/// The customization of a type in use with the same document element that is nearest to one that no
/// type has.
pub(crate) fn customization(
    namespace: &str,
    local: &str,
    written: &str,
    on: Date,
) -> Option<&'static str> {
    let start = format!("{namespace}::{local}##");
    DOCUMENT_TYPES
        .iter()
        .filter(|row| row.state_on(on) == CodeState::Active && !row.is_abstract)
        .filter_map(|row| row.value.strip_prefix(&start)?.rsplit_once("::"))
        .filter_map(|(known, _)| Some((distance(written, known)?, known)))
        .min()
        .map(|(_, known)| known)
}

/// In how many characters two texts differ, up to six; none where they differ in more. Upper and
/// lower case are equal. The work is linear in their length.
pub fn distance(one: &str, other: &str) -> Option<usize> {
    let fold = |text: &str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<_>>();
    let (one, other) = (fold(one), fold(other));
    if one.len().abs_diff(other.len()) > FAR {
        return None;
    }
    // The row of an edit distance, of which only a band around the diagonal can be near enough.
    let mut before: Vec<usize> = (0..=other.len()).collect();
    for (line, byte) in (1_usize..).zip(&one) {
        let mut row = vec![usize::MAX / 2; other.len() + 1];
        if line <= FAR {
            row.first_mut().into_iter().for_each(|cell| *cell = line);
        }
        let (from, until) = (line.saturating_sub(FAR).max(1), (line + FAR).min(other.len()));
        for at in from..=until {
            let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let same = usize::from(other.get(at - 1) != Some(byte));
            let best = (cell(&before, at - 1) + same)
                .min(cell(&before, at) + 1)
                .min(cell(&row, at - 1) + 1);
            row.get_mut(at).into_iter().for_each(|own| *own = best);
        }
        before = row;
    }
    before.last().copied().filter(|found| *found <= FAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_in_a_few_characters_are_near() {
        for (one, other, expected) in [
            ("abc", "abc", Some(0)),
            ("ABC", "abc", Some(0)),
            ("abc", "abd", Some(1)),
            ("abc", "ab", Some(1)),
            ("", "abc", Some(3)),
            ("abcdefg", "tuvwxyz", None),
            ("abc", "abcdefghijkl", None),
            ("kitten", "sitting", Some(3)),
        ] {
            assert_eq!(distance(one, other), expected, "{one} {other}");
            assert_eq!(distance(other, one), expected, "{other} {one}");
        }
    }
}
