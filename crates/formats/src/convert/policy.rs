//! What a conversion may lose before it stops a document that is to be sent.

use crate::writing::{Loss, LossKind};

/// What a conversion may lose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LossPolicy {
    /// Whether a loss that is not allowed stops the document.
    pub strict: bool,
    /// Business terms, or paths in the source without their positions.
    pub allowed: Vec<String>,
}

impl LossPolicy {
    /// Whether a row stops the document.
    pub fn refuses(&self, loss: &Loss) -> bool {
        self.strict && loss.kind == LossKind::Lost && !self.allows(loss)
    }

    fn allows(&self, loss: &Loss) -> bool {
        let is_it =
            |own: &String| loss.term == Some(own) || without_positions(&loss.source_path) == *own;
        self.allowed.iter().any(is_it)
    }
}

/// `/Invoice[1]/cbc:UUID[1]` as `/Invoice/cbc:UUID`.
fn without_positions(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut inside = false;
    for letter in path.chars() {
        match letter {
            '[' => inside = true,
            ']' => inside = false,
            _ if !inside => out.push(letter),
            _ => {}
        }
    }
    out
}
