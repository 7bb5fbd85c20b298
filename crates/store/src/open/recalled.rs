//! Questions whose answers are kept.

use super::Store;
use crate::engine::Connection;
use crate::error::Error;
use crate::remembered::KeptQuestion;

impl Store {
    /// How often the tables of a question were written while this process runs.
    pub(crate) fn count_of<T>(&self, question: &KeptQuestion<T>) -> u64 {
        self.counts().of(question.tables)
    }

    /// The answer that is kept, or the one that is read now.
    pub(crate) async fn recalled<T, F>(
        &self,
        question: &KeptQuestion<T>,
        key: String,
        query: F,
    ) -> Result<T, Error>
    where
        T: Clone + Send + Sync + 'static,
        F: FnOnce(&mut dyn Connection) -> Result<T, Error> + Send + 'static,
    {
        let count = self.count_of(question);
        if let Some(answer) = self.kept.get(question, &key, count) {
            return Ok(answer);
        }
        let answer = self.read(query).await?;
        self.kept.keep(question, key, count, answer.clone());
        Ok(answer)
    }
}
