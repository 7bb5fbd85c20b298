//! Lines of at most 100 characters.

/// Characters of a line at most.
const WIDTH: usize = 100;

/// A text that grows line by line.
#[derive(Default)]
pub(super) struct Page(String);

impl Page {
    /// Adds a line, two blanks a depth. What is longer goes on in lines of four blanks more, and a
    /// word that is too long for a line is cut behind a `\`.
    pub(super) fn line(&mut self, depth: usize, text: &str) {
        let mut indent = (2 * depth).min(WIDTH / 2);
        let mut rest = text;
        loop {
            let width = WIDTH - indent;
            self.0.extend(std::iter::repeat_n(' ', indent));
            if rest.chars().count() <= width {
                self.0.push_str(rest);
                self.0.push('\n');
                return;
            }
            indent = (2 * depth + 4).min(WIDTH / 2 + 4);
            let end = rest.char_indices().nth(width).map_or(rest.len(), |(at, _)| at);
            let head = rest.get(..end).unwrap_or_default();
            if let Some((line, _)) = head.rsplit_once(' ').filter(|(line, _)| !line.is_empty()) {
                self.0.push_str(line);
                rest = rest.get(line.len() + 1..).unwrap_or_default();
            } else {
                let cut = head.char_indices().last().map_or(0, |(at, _)| at);
                self.0.push_str(rest.get(..cut).unwrap_or_default());
                self.0.push('\\');
                rest = rest.get(cut..).unwrap_or_default();
            }
            self.0.push('\n');
        }
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.0
    }
}
