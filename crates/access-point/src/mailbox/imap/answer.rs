//! What a server says: one answer, and what is read out of it.

use bytes::Bytes;

use super::ImapError;
use crate::oauth::ShownLogin;

/// One answer: its text, in which `{7}` stands for a literal, and the literals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::mailbox) struct ImapAnswer {
    /// Its lines, put together.
    pub(super) text: String,
    /// What stood behind each of them but the last.
    pub(super) literals: Vec<Bytes>,
}

/// How a server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Ok,
    No,
    Bad,
    Bye,
    PreAuth,
}

impl Condition {
    /// The condition that a text begins with, and what is said with it.
    pub(super) fn of(text: &str) -> Option<(Condition, &str)> {
        let (word, said) = text.split_once(' ').unwrap_or((text, ""));
        let condition = match word.to_ascii_uppercase().as_str() {
            "OK" => Condition::Ok,
            "NO" => Condition::No,
            "BAD" => Condition::Bad,
            "BYE" => Condition::Bye,
            "PREAUTH" => Condition::PreAuth,
            _ => return None,
        };
        Some((condition, said))
    }
}

/// The length of the literal that follows a line, where one does: `{7}` at its end.
pub(super) fn literal_length(line: &str) -> Option<usize> {
    let (_, digits) = line.strip_suffix('}')?.rsplit_once('{')?;
    let digits = digits.strip_suffix('+').unwrap_or(digits);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // A number that is no length is too long for any room.
    plain.then(|| digits.parse().unwrap_or(usize::MAX))
}

impl ImapAnswer {
    /// What stands behind `* `.
    pub(in crate::mailbox) fn untagged(&self) -> Option<&str> {
        self.text.strip_prefix("* ")
    }

    /// As it is shown to people, without what the server was shown.
    pub(super) fn told(&self, shown: &ShownLogin) -> String {
        shown.hidden(&self.text, 200)
    }

    /// Whether a command is done with this, and how.
    pub(super) fn done(&self, tag: &str, shown: &ShownLogin) -> Option<Result<(), ImapError>> {
        let rest = match self.text.strip_prefix(tag) {
            Some(rest) => rest.strip_prefix(' ')?,
            None => {
                let (condition, said) = self.untagged().and_then(Condition::of)?;
                let ended = || Err(ImapError::Ended(shown.hidden(said, 200)));
                return (condition == Condition::Bye).then(ended);
            }
        };
        Some(match Condition::of(rest) {
            Some((Condition::Ok, _)) => Ok(()),
            Some((Condition::No | Condition::Bad, why)) => {
                Err(ImapError::No(shown.hidden(why, 300)))
            }
            _ => Err(ImapError::Odd(self.told(shown))),
        })
    }

    /// The UIDs that `UID SEARCH` found.
    pub(super) fn found(&self) -> Vec<u32> {
        let rest = self.untagged().and_then(|text| text.strip_prefix("SEARCH"));
        let words = rest.unwrap_or_default().split_ascii_whitespace();
        words.filter_map(|word| word.parse().ok()).collect()
    }

    /// What `FETCH` says of one mail: its UID, its size, and whether it is marked as deleted.
    pub(super) fn listed(&self) -> Option<(u32, usize, bool)> {
        let (_, items) = self.untagged()?.split_once(" FETCH (")?;
        let upper = items.to_ascii_uppercase();
        let number = |name: &str| {
            let (_, rest) = upper.split_once(name)?;
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse().ok()
        };
        let uid: u32 = u32::try_from(number("UID ")?).ok()?;
        let size: u64 = number("RFC822.SIZE ")?;
        let flags = upper.split_once("FLAGS (").and_then(|(_, rest)| rest.split_once(')'));
        let is_deleted = flags.is_some_and(|(flags, _)| flags.contains("\\DELETED"));
        Some((uid, usize::try_from(size).unwrap_or(usize::MAX), is_deleted))
    }

    /// Whether it says that the mail of this UID is there and has nothing in it to be had.
    pub(super) fn withholds(&self, uid: u32) -> bool {
        let upper = self.text.to_ascii_uppercase();
        let is_it = |items: &str| {
            let (_, rest) = items.split_once("UID ")?;
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        };
        let items = upper.strip_prefix("* ").and_then(|text| text.split_once(" FETCH ("));
        items.is_some_and(|(_, items)| is_it(items) == Some(uid) && items.contains("BODY[] NIL"))
    }

    /// The mail that `FETCH` brought, where it is the one of this UID.
    pub(super) fn body_of(self, uid: u32) -> Option<Bytes> {
        let (_, items) = self.text.strip_prefix("* ")?.split_once(" FETCH (")?;
        let upper = items.to_ascii_uppercase();
        let (_, rest) = upper.split_once("UID ")?;
        let found = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        if found.parse() != Ok(uid) || !upper.contains("BODY[]") {
            return None;
        }
        match self.literals.into_iter().next() {
            Some(body) => Some(body),
            // Hardly anything is a mail and no literal.
            None => upper.contains("BODY[] \"\"").then(Bytes::new),
        }
    }
}
