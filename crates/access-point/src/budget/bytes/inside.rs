//! Memory for what is inside a file: an archive of 300 kB may hold documents of 40 MB. It is
//! counted on a thread of the pool, within what is held by then, and asked for before anybody opens
//! the file.

use quoin_formats::unwrap::UnwrapLimits;

use super::super::pool::in_place;
use super::{Full, Holding, LinePlace, WEIGHT};
use crate::budget::{Busy, Pool, Purpose};

/// Unpacked bytes that are asked for at first, unless the file is larger.
const FIRST: usize = 256 << 10;
/// How many times as many are asked for where that was not enough.
const MORE: usize = 2;

impl Holding {
    /// Takes the memory that reading the documents inside a file takes, beside what reading the
    /// file does. A file that is no container takes nothing more.
    ///
    /// # Errors
    /// [`Busy`] where no thread came free; inside, [`Full`] where the memory did not.
    pub async fn ask_inside(
        &mut self,
        file: &bytes::Bytes,
        (pool, purpose): (&Pool, Purpose),
        place: LinePlace,
    ) -> Result<Result<(), Full>, Busy> {
        if !in_place(|| quoin_formats::may_hold_documents(file)) {
            return Ok(Ok(()));
        }
        let most = UnwrapLimits::default().unpacked;
        let weight = |inside: usize| file.len().saturating_add(inside).saturating_mul(WEIGHT);
        let mut room = file.len().clamp(FIRST, most);
        loop {
            let more = weight(room).saturating_sub(self.bytes());
            if let Err(full) = self.ask(more, place).await {
                return Ok(Err(full));
            }
            let (file, who) = (file.clone(), self.who.clone());
            let count = move || quoin_formats::unpacked(&file, room);
            let found = pool.run(purpose, &who, count).await?;
            if found < room || room == most {
                self.shrink_to(weight(found));
                return Ok(Ok(()));
            }
            room = room.saturating_mul(MORE).min(most);
        }
    }
}

#[cfg(test)]
mod tests {
    use quoin_testing::containers::{Entry, zip};

    use super::super::Bytes;
    use super::*;

    const PLACE: LinePlace = LinePlace::MORE;

    async fn asked(budget: &Bytes, file: &[u8]) -> (Result<(), Full>, Holding) {
        let mut holding = budget.enter("a");
        holding.ask(file.len() * WEIGHT, PLACE).await.unwrap();
        let file = bytes::Bytes::copy_from_slice(file);
        let threads = (&Pool::of(2), Purpose::ValidateNow);
        (holding.ask_inside(&file, threads, PLACE).await.unwrap(), holding)
    }

    #[tokio::test]
    async fn what_is_inside_is_asked_for_before_it_is_opened() {
        let lines = (0..120_000).map(|at| format!("<b>a line with much text {at}</b>"));
        let large = format!("<a>{}</a>", lines.collect::<String>()).into_bytes();
        let archive = zip(&[Entry("a.xml", &large, 8, 0)]);
        assert!(archive.len() < large.len() / 5, "{} bytes", archive.len());
        let budget = Bytes::new("test", 192 << 20);
        let (granted, holding) = asked(&budget, &archive).await;
        assert_eq!((granted, holding.bytes()), (Ok(()), (archive.len() + large.len()) * WEIGHT));
        // A second one of its size has no room beside it and another.
        let mut other = budget.enter("b");
        other.ask(120 << 20, PLACE).await.unwrap();
        let (refused, held) = asked(&budget, &archive).await;
        assert_eq!(refused.unwrap_err().budget, "test");
        drop((holding, other, held));
        assert_eq!(budget.used(), 0);
    }

    #[tokio::test]
    async fn a_document_takes_no_more_than_it_does() {
        let budget = Bytes::new("test", 192 << 20);
        let (granted, holding) = asked(&budget, b"<a/>").await;
        assert_eq!((granted, holding.bytes()), (Ok(()), 4 * WEIGHT));
    }
}
