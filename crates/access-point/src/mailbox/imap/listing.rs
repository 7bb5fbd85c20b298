//! The mails of a folder that are looked at next: the oldest that are not marked as deleted,
//! however many that are lie before them.

use std::fmt::Write as _;

use tokio::io::{AsyncRead, AsyncWrite};

use super::{ImapAnswer, ImapError, ImapSession};

/// Mails that one question is about: the answer to it is one line, and a UID has ten digits at
/// most.
const WINDOW: usize = 5_000;
/// Mails of a folder that are looked through at most: a server may claim to have any number.
const LONGEST: usize = 200 * WINDOW;

impl<S: AsyncRead + AsyncWrite + Unpin + Send> ImapSession<S> {
    /// UID and size of the oldest mails of a folder of so many that are not marked as deleted, so
    /// many at most; those that come last come behind all others.
    pub(in crate::mailbox) async fn undeleted(
        &mut self,
        count: usize,
        most: usize,
        comes_last: impl Fn(u32) -> bool,
    ) -> Result<Vec<(u32, usize)>, ImapError> {
        let (mut first, mut last): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let (mut begin, count) = (1, count.min(LONGEST));
        while begin <= count && first.len() < most {
            let end = count.min(begin + WINDOW - 1);
            let found = self.command(&format!("UID SEARCH {begin}:{end} UNDELETED")).await?;
            for uid in found.iter().flat_map(ImapAnswer::found) {
                let into = if comes_last(uid) { &mut last } else { &mut first };
                if into.len() < most {
                    into.push(uid);
                }
            }
            begin = end + 1;
        }
        first.extend(last);
        first.truncate(most);
        let Some((one, others)) = first.split_first() else { return Ok(Vec::new()) };
        let set = others.iter().fold(one.to_string(), |mut set, uid| {
            // Writing to a text does not fail.
            let _ = write!(set, ",{uid}");
            set
        });
        let listed = self.command(&format!("UID FETCH {set} (UID FLAGS RFC822.SIZE)")).await?;
        let listed = listed.iter().filter_map(ImapAnswer::listed);
        let mut mails: Vec<(usize, u32, usize)> = listed
            .filter(|(_, _, is_deleted)| !is_deleted)
            .filter_map(|(uid, size, _)| {
                Some((first.iter().position(|own| *own == uid)?, uid, size))
            })
            .collect();
        mails.sort_unstable();
        Ok(mails.into_iter().map(|(_, uid, size)| (uid, size)).collect())
    }
}
