//! Answers that are kept for as long as none of the tables was written from which they follow
//! ([`crate::written`]). A question stands beside its statement and names the tables of it.

use std::any::Any;
use std::collections::HashMap;
use std::fmt::Write;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Fault;
use crate::written::Tables;

/// A question whose answers, of this type, are kept.
pub(crate) struct KeptQuestion<T> {
    /// Its name, which no other one has.
    name: &'static str,
    /// From what its answers follow.
    pub(crate) tables: Tables,
    /// Answers that are kept at most.
    most: usize,
    /// Whether an answer is too large to be kept.
    is_large: Option<fn(&T) -> bool>,
    answer: PhantomData<fn() -> T>,
}

impl<T> KeptQuestion<T> {
    /// A question about these tables; so many answers are kept at most. One about a table that is
    /// not watched, of which nobody would hear when it changes, does not compile as a constant.
    pub(crate) const fn of(name: &'static str, names: &[&str], most: usize) -> KeptQuestion<T> {
        let tables = Tables::named(names);
        assert!(tables.count() == names.len(), "a table of the question is not watched");
        KeptQuestion { name, tables, most, is_large: None, answer: PhantomData }
    }

    /// The same, of which some answers are not kept.
    pub(crate) const fn unless(self, is_large: fn(&T) -> bool) -> KeptQuestion<T> {
        KeptQuestion { is_large: Some(is_large), ..self }
    }
}

/// An answer, and the count of its tables that was seen before it was read.
type CountedAnswer = (u64, Arc<dyn Any + Send + Sync>);

/// Answers by question and key.
#[derive(Default)]
pub(crate) struct KeptAnswers(Mutex<HashMap<&'static str, HashMap<String, CountedAnswer>>>);

impl KeptAnswers {
    /// The answer, where it was read at this count.
    pub(crate) fn get<T: Clone + Send + Sync + 'static>(
        &self,
        question: &KeptQuestion<T>,
        key: &str,
        count: u64,
    ) -> Option<T> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (seen, answer) = kept.get(question.name)?.get(key)?;
        let answer = (*seen == count).then(|| answer.clone())?;
        drop(kept);
        answer.downcast_ref().cloned()
    }

    /// Keeps an answer that was read after this count was seen.
    pub(crate) fn keep<T: Send + Sync + 'static>(
        &self,
        question: &KeptQuestion<T>,
        key: String,
        count: u64,
        answer: T,
    ) {
        if question.is_large.is_some_and(|is_large| is_large(&answer)) {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = kept.entry(question.name).or_default();
        if answers.len() >= question.most {
            answers.clear();
        }
        answers.insert(key, (count, Arc::new(answer)));
    }

    /// The answer that is kept, or the one that is read now; `count` is that of before the reading
    /// began.
    pub(crate) fn or_read<T: Clone + Send + Sync + 'static>(
        &self,
        question: &KeptQuestion<T>,
        key: String,
        count: u64,
        read: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if let Some(answer) = self.get(question, &key, count) {
            return Ok(answer);
        }
        let answer = read()?;
        self.keep(question, key, count, answer.clone());
        Ok(answer)
    }
}

/// A key of several parts, whatever they hold.
pub(crate) fn key<const N: usize>(parts: [&str; N]) -> String {
    let mut key = String::with_capacity(parts.iter().map(|part| part.len() + 4).sum());
    for part in parts {
        // Nothing that is written to a text fails.
        let _ = write!(key, "{}:{part}", part.len());
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_good_for_its_key_and_its_count() {
        const NUMBER: KeptQuestion<i32> = KeptQuestion::of("number", &["hooks"], 2);
        const TEXT: KeptQuestion<String> = KeptQuestion::of("text", &["hooks"], 2);
        let kept = KeptAnswers::default();
        kept.keep(&NUMBER, key(["a", "b"]), 1, 7);
        assert_eq!(kept.get(&NUMBER, &key(["a", "b"]), 1), Some(7));
        assert_eq!(kept.get(&TEXT, &key(["a", "b"]), 1), None, "another question");
        assert_eq!(kept.get(&NUMBER, &key(["a", "b"]), 2), None, "something was written since");
        assert_eq!(kept.get(&NUMBER, &key(["a1:b", ""]), 1), None, "parts do not run together");
        let read = |answer| move || Ok(answer);
        assert_eq!(kept.or_read(&NUMBER, key(["a", "b"]), 2, read(8)).unwrap(), 8);
        assert_eq!(kept.or_read(&NUMBER, key(["a", "b"]), 2, read(9)).unwrap(), 8);
        const SMALL: KeptQuestion<i32> =
            KeptQuestion::of("small", &["hooks"], 2).unless(|number| *number > 9);
        kept.keep(&SMALL, key(["a", "b"]), 2, 9);
        kept.keep(&SMALL, key(["c", "d"]), 2, 10);
        assert_eq!(kept.get(&SMALL, &key(["a", "b"]), 2), Some(9));
        assert_eq!(kept.get(&SMALL, &key(["c", "d"]), 2), None, "it is too large");
        kept.keep(&NUMBER, key(["c", ""]), 2, 1);
        kept.keep(&NUMBER, key(["d", ""]), 2, 1);
        assert_eq!(kept.get(&NUMBER, &key(["a", "b"]), 2), None, "there is an end to it");
    }
}
