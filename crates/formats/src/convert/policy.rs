//! What a conversion may lose before it stops a document that is to be sent.

use crate::writing::{Loss, LossKind};

/// Allows every loss.
const EVERYTHING: &str = "*";

/// What a conversion may lose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LossPolicy {
    /// Whether a loss that is not allowed stops the document.
    pub strict: bool,
    /// Business terms (`BT-19`), or paths in the source, with all that is below them. Positions and
    /// prefixes in a path do not count. `*` is everything.
    pub allowed: Vec<String>,
}

impl LossPolicy {
    /// Whether a text says what may be lost: a business term or group (`BT-19`, `BG-3`), a path,
    /// or `*`.
    pub fn is_allowance(text: &str) -> bool {
        let number = text.strip_prefix("BT-").or_else(|| text.strip_prefix("BG-"));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        text == EVERYTHING
            || number.is_some_and(|number| !number.is_empty() && digits(number))
            || (text.len() > 1 && text.starts_with('/'))
    }

    /// Whether a row stops the document.
    pub fn refuses(&self, loss: &Loss) -> bool {
        self.strict && loss.kind == LossKind::Lost && !self.allows(loss)
    }

    fn allows(&self, loss: &Loss) -> bool {
        let path = bare(&loss.source_path);
        let is_it = |own: &String| {
            own == EVERYTHING || loss.term == Some(own) || is_within(&path, &bare(own))
        };
        self.allowed.iter().any(is_it)
    }
}

/// Whether a path is another one, or below it.
fn is_within(path: &str, other: &str) -> bool {
    let rest = path.strip_prefix(other.trim_end_matches('/'));
    other.starts_with('/') && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// `/Invoice[1]/cbc:UUID[1]` as `/Invoice/UUID`: prefixes are the choice of who wrote the document.
fn bare(path: &str) -> String {
    let steps = path.split('/').map(|step| {
        let name = step.split('[').next().unwrap_or_default();
        let (mark, name) = name.strip_prefix('@').map_or(("", name), |name| ("@", name));
        let local = name.rsplit(':').next().unwrap_or_default();
        format!("{mark}{local}")
    });
    steps.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(path: &str, term: Option<&'static str>) -> Loss {
        let (source_path, value) = (path.to_owned(), "x".to_owned());
        let (kind, target_path, reason) = (LossKind::Lost, None, "");
        Loss { source_path, term, value, kind, target_path, reason }
    }

    #[test]
    fn what_can_be_allowed_is_a_term_a_group_a_path_or_everything() {
        for good in ["BT-19", "BT-31-1", "BG-3", "/Invoice/UUID", "*"] {
            assert!(LossPolicy::is_allowance(good), "{good}");
        }
        for bad in ["", "BT-", "BT-x", "19", "Invoice", "/", "**", "bt-19"] {
            assert!(!LossPolicy::is_allowance(bad), "{bad}");
        }
    }

    #[test]
    fn what_is_allowed_is_a_term_a_path_or_what_is_below_one() {
        let own = loss("/i:Invoice[1]/cac:Item[2]/cbc:UUID[1]", Some("BT-19"));
        let refuses = |allowed: &[&str]| {
            let allowed = allowed.iter().map(|one| (*one).to_owned()).collect();
            LossPolicy { strict: true, allowed }.refuses(&own)
        };
        for allowed in
            ["*", "BT-19", "/Invoice/cac:Item/cbc:UUID", "/Invoice/Item", "/Invoice/x:Item/"]
        {
            assert!(!refuses(&[allowed]), "{allowed}");
        }
        for other in ["BT-1", "/Invoice/Item/UU", "/Invoice/Items", "Invoice", "", "UUID"] {
            assert!(refuses(&[other]), "{other}");
        }
        let derived = Loss { kind: LossKind::Derived, ..own.clone() };
        assert!(!LossPolicy { strict: true, allowed: Vec::new() }.refuses(&derived));
        assert!(!LossPolicy { strict: false, allowed: Vec::new() }.refuses(&own));
        let attribute = loss("/p:F[1]/@versione", None);
        let allowed = vec!["/F/@versione".to_owned()];
        assert!(!LossPolicy { strict: true, allowed }.refuses(&attribute));
    }
}
