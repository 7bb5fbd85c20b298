//! Texts that the target gives only so many characters: written whole, left out, cut, or in pieces.

use quoin_model::en16931::ValueSource;

use super::output::InvoiceOutput;

/// Why a text is lost.
pub(crate) const TOO_LONG: &str = "it is longer than the target allows, or has another form";
/// Why a text is cut.
const CUT: &str = "the target has fewer characters";

impl<'d> InvoiceOutput<'d> {
    /// Writes a text of at most so many characters: as it is, or not at all. Whether it is written.
    pub(crate) fn limited(
        &mut self,
        name: &'static str,
        source: ValueSource<'d>,
        most: usize,
    ) -> bool {
        let fits = self.is_short(source, most);
        match fits {
            true => {
                let words = self.words(source);
                self.kept(name, &words, source);
            }
            false => self.lost(source, TOO_LONG),
        }
        fits
    }

    /// Writes a group that begins with an identifier of at most so many characters: without one
    /// that fits there is no group, and the identifier is lost.
    pub(crate) fn headed(
        &mut self,
        (group, name): (&'static str, &'static str),
        source: ValueSource<'d>,
        most: usize,
        inside: impl FnOnce(&mut Self),
    ) {
        if !self.is_short(source, most) {
            return self.lost(source, TOO_LONG);
        }
        self.group(group, |out| {
            out.limited(name, source, most);
            inside(out);
        });
    }

    /// Whether a text says something in at most so many characters.
    pub(crate) fn is_short(&self, source: ValueSource<'d>, most: usize) -> bool {
        (1..=most).contains(&self.words(source).chars().count())
    }

    /// Writes a text of which the target has so many characters: cut, with a row, where it is
    /// longer.
    pub(crate) fn shortened(&mut self, name: &'static str, source: ValueSource<'d>, most: usize) {
        let words = self.words(source);
        match cut_at(&words, most) {
            whole if whole.len() == words.len() => self.kept(name, whole, source),
            cut => self.changed(name, cut.trim_end(), source, CUT),
        }
    }
}

/// At most so many characters of a text.
pub(crate) fn cut_at(text: &str, most: usize) -> &str {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// A text in pieces of at most so many characters, which begin and end with words where they can.
pub(crate) fn pieces(text: &str, most: usize) -> Vec<&str> {
    let (mut rest, mut all) = (text.trim(), Vec::new());
    while !rest.is_empty() {
        let whole = cut_at(rest, most);
        let is_rest = whole.len() == rest.len();
        let end = match whole.rfind(char::is_whitespace).filter(|_| !is_rest) {
            Some(end) if end > 0 => end,
            _ => whole.len(),
        };
        let (piece, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        all.push(piece.trim());
        rest = after.trim_start();
    }
    all
}
