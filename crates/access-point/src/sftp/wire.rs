//! The messages of SFTP that the writing of a file needs (version 3,
//! draft-ietf-secsh-filexfer-02), over a stream that somebody else has opened. Of what a server
//! says at most [`PACKET`] bytes are held, and no answer is waited for without an end.

use std::collections::VecDeque;
use std::time::Duration;

use quoin_model::text::plain;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

mod listing;

/// The version that every server speaks.
const VERSION: u32 = 3;
/// The longest message that is read, in bytes.
const PACKET: usize = 256 << 10;
/// Bytes of a file in one message, which every server takes (section 3).
const CHUNK: usize = 32 << 10;
/// Messages that are under way before an answer is waited for.
const UNDER_WAY: usize = 32;
/// Bytes of messages that are sent together.
const TOGETHER: usize = 64 << 10;
/// What was done with a file when it failed.
const WRITING: &str = "writing";
const CLOSING: &str = "closing";
/// Letters of a server's words that are repeated.
const WORDS: usize = 200;

/// Kinds of messages (section 3).
mod kind {
    pub(super) const INIT: u8 = 1;
    pub(super) const VERSION: u8 = 2;
    pub(super) const OPEN: u8 = 3;
    pub(super) const CLOSE: u8 = 4;
    pub(super) const READ: u8 = 5;
    pub(super) const WRITE: u8 = 6;
    pub(super) const OPEN_FOLDER: u8 = 11;
    pub(super) const READ_FOLDER: u8 = 12;
    pub(super) const REMOVE: u8 = 13;
    pub(super) const MAKE_FOLDER: u8 = 14;
    pub(super) const STAT: u8 = 17;
    pub(super) const RENAME: u8 = 18;
    pub(super) const STATUS: u8 = 101;
    pub(super) const HANDLE: u8 = 102;
    pub(super) const DATA: u8 = 103;
    pub(super) const NAMES: u8 = 104;
    pub(super) const ATTRIBUTES: u8 = 105;
    pub(super) const EXTENDED: u8 = 200;
}

/// What is opened: to be written, made where it is not there, emptied where it is (section 6.3).
const WRITE_NEW: u32 = 0x02 | 0x08 | 0x10;
/// Attributes that say how long a file is (section 5).
const HAS_SIZE: u32 = 1;
/// Takes the place of a file that is there; OpenSSH and most others.
const POSIX_RENAME: &str = "posix-rename@openssh.com";
/// Waits until the disk has it.
const FSYNC: &str = "fsync@openssh.com";

/// Status codes (section 7).
pub(super) mod status {
    /// Done.
    pub(in crate::sftp) const OK: u32 = 0;
    /// There is no more.
    pub(in crate::sftp) const END: u32 = 1;
    /// The file or its folder is not there.
    pub(in crate::sftp) const NO_SUCH_FILE: u32 = 2;
    /// Not allowed.
    pub(in crate::sftp) const PERMISSION_DENIED: u32 = 3;
    /// It failed, for a reason that has no code of its own.
    pub(in crate::sftp) const FAILURE: u32 = 4;
    /// The server cannot do that at all.
    pub(in crate::sftp) const OP_UNSUPPORTED: u32 = 8;
}

/// Why an answer is not the one that was hoped for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WireError {
    /// The server said no.
    Status {
        /// Its code.
        code: u32,
        /// Its words.
        words: String,
    },
    /// The file has another length than what was written.
    Cut {
        /// Bytes that the server has.
        found: u64,
        /// Bytes that were written.
        length: u64,
    },
    /// The connection ended.
    Ended(String),
    /// No answer came in time.
    Silent,
    /// The answer makes no sense.
    Malformed,
}

/// Why a file was not filled, and what was done with it then.
pub(super) type FillError = (WireError, &'static str);

/// A session over a stream.
pub(super) struct SftpSession<S> {
    stream: S,
    patience: Duration,
    next: u32,
    renames_over: bool,
    syncs: bool,
    /// What was asked and not sent yet.
    out: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> SftpSession<S> {
    /// Agrees on the version, and learns what the server can do besides. One answer is waited for
    /// as long as `patience` says.
    pub(super) async fn begin(stream: S, patience: Duration) -> Result<SftpSession<S>, WireError> {
        let (renames_over, syncs) = (false, false);
        let mut session =
            SftpSession { stream, patience, next: 0, renames_over, syncs, out: Vec::new() };
        session.send(kind::INIT, &VERSION.to_be_bytes()).await?;
        let answer = session.answer().await?;
        let mut fields = WireFields(&answer);
        if fields.byte()? != kind::VERSION || fields.number()? < VERSION {
            return Err(WireError::Malformed);
        }
        while let (Ok(name), Ok(_)) = (fields.string(), fields.string()) {
            session.renames_over |= name == POSIX_RENAME.as_bytes();
            session.syncs |= name == FSYNC.as_bytes();
        }
        Ok(session)
    }

    /// Opens a file to write it anew; its handle.
    pub(super) async fn create(&mut self, path: &str) -> Result<Vec<u8>, WireError> {
        let rest = [WRITE_NEW.to_be_bytes(), 0_u32.to_be_bytes()].concat();
        let answer = self.ask(kind::OPEN, &[string(path), rest].concat()).await?;
        let mut fields = self.fields_of(&answer, kind::HANDLE)?;
        Ok(fields.string()?.to_vec())
    }

    /// Writes a whole file, has the disk over there take it where the server can tell of that, and
    /// closes it; whether it could tell. All of it is under way before an answer is waited for:
    /// what is about one file is done in the order in which it was asked (section 6.1).
    pub(super) async fn fill(&mut self, handle: &[u8], bytes: &[u8]) -> Result<bool, FillError> {
        let mut asked = VecDeque::new();
        let mut refused = None;
        for (place, chunk) in bytes.chunks(CHUNK).enumerate() {
            if asked.len() == UNDER_WAY {
                self.heard(&mut asked, &mut refused).await?;
            }
            if refused.is_some() {
                break;
            }
            let offset = u64::try_from(place.saturating_mul(CHUNK)).unwrap_or(u64::MAX);
            let body = [&string(handle), offset.to_be_bytes().as_slice(), &string(chunk)].concat();
            self.asks(kind::WRITE, &body, (WRITING, &mut asked)).await?;
        }
        if self.syncs {
            let body = [string(FSYNC), string(handle)].concat();
            self.asks(kind::EXTENDED, &body, (WRITING, &mut asked)).await?;
        }
        self.asks(kind::CLOSE, &string(handle), (CLOSING, &mut asked)).await?;
        while !asked.is_empty() {
            self.heard(&mut asked, &mut refused).await?;
        }
        refused.map_or(Ok(self.syncs), Err)
    }

    async fn asks(
        &mut self,
        kind: u8,
        body: &[u8],
        (doing, asked): (&'static str, &mut VecDeque<&'static str>),
    ) -> Result<(), FillError> {
        self.request(kind, body).await.map_err(|error| (error, doing))?;
        asked.push_back(doing);
        Ok(())
    }

    /// Takes the next of the answers that are waited for, and notes the first one that is a no.
    async fn heard(
        &mut self,
        asked: &mut VecDeque<&'static str>,
        refused: &mut Option<FillError>,
    ) -> Result<(), FillError> {
        let doing = asked.pop_front().unwrap_or(WRITING);
        match self.done().await {
            Err(error @ WireError::Status { .. }) => {
                refused.get_or_insert((error, doing));
                Ok(())
            }
            done => done.map_err(|error| (error, doing)),
        }
    }

    /// Closes a file.
    pub(super) async fn close(&mut self, handle: &[u8]) -> Result<(), WireError> {
        self.command(kind::CLOSE, &string(handle)).await
    }

    /// How many bytes a file has, where the server says it. Of a folder, that it is there.
    pub(super) async fn size(&mut self, path: &str) -> Result<Option<u64>, WireError> {
        let answer = self.ask(kind::STAT, &string(path)).await?;
        let mut fields = self.fields_of(&answer, kind::ATTRIBUTES)?;
        let flags = fields.number()?;
        if flags & HAS_SIZE == 0 {
            return Ok(None);
        }
        let (high, low) = (fields.number()?, fields.number()?);
        Ok(Some((u64::from(high) << 32) | u64::from(low)))
    }

    /// Gives a file another name, over a file that has it.
    pub(super) async fn rename(&mut self, from: &str, to: &str) -> Result<(), WireError> {
        let names = [string(from), string(to)].concat();
        if self.renames_over {
            let body = [string(POSIX_RENAME), names].concat();
            return self.command(kind::EXTENDED, &body).await;
        }
        match self.command(kind::RENAME, &names).await {
            // Version 3 does not rename over a file: an earlier attempt of ours left it there.
            Err(WireError::Status { .. }) if self.size(to).await.is_ok() => {
                if self.is_gone(from).await {
                    // It was done, whatever was said: what is there is what was to be there.
                    return Ok(());
                }
                self.remove(to).await?;
                self.move_to(from, to).await
            }
            done => done,
        }
    }

    /// Gives a file a name that nothing has: what has it stays, and the server says no. A server
    /// that does it and says that it failed has done it.
    pub(super) async fn move_to(&mut self, from: &str, to: &str) -> Result<(), WireError> {
        match self.command(kind::RENAME, &[string(from), string(to)].concat()).await {
            Err(WireError::Status { .. })
                if self.is_gone(from).await && self.size(to).await.is_ok() =>
            {
                Ok(())
            }
            done => done,
        }
    }

    /// Whether the server says that there is no such file.
    async fn is_gone(&mut self, path: &str) -> bool {
        let found = self.size(path).await;
        matches!(found, Err(WireError::Status { code: status::NO_SUCH_FILE, .. }))
    }

    /// Removes a file.
    pub(super) async fn remove(&mut self, path: &str) -> Result<(), WireError> {
        self.command(kind::REMOVE, &string(path)).await
    }

    /// Asks for something that is answered with a status.
    async fn command(&mut self, kind: u8, body: &[u8]) -> Result<(), WireError> {
        self.request(kind, body).await?;
        self.done().await
    }

    async fn done(&mut self) -> Result<(), WireError> {
        let answer = self.answer().await?;
        match self.fields_of(&answer, kind::STATUS) {
            Ok(_) => Err(WireError::Malformed),
            Err(WireError::Status { code: status::OK, .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn ask(&mut self, kind: u8, body: &[u8]) -> Result<Vec<u8>, WireError> {
        self.request(kind, body).await?;
        self.answer().await
    }

    async fn request(&mut self, kind: u8, body: &[u8]) -> Result<(), WireError> {
        self.next = self.next.wrapping_add(1);
        let body = [&self.next.to_be_bytes(), body].concat();
        self.send(kind, &body).await
    }

    async fn send(&mut self, kind: u8, body: &[u8]) -> Result<(), WireError> {
        let length = u32::try_from(body.len() + 1).map_err(|_| WireError::Malformed)?;
        for part in [&length.to_be_bytes(), [kind].as_slice(), body] {
            self.out.extend_from_slice(part);
        }
        match self.out.len() < TOGETHER {
            true => Ok(()),
            false => self.flush().await,
        }
    }

    /// Sends what was asked so far.
    async fn flush(&mut self) -> Result<(), WireError> {
        let out = std::mem::take(&mut self.out);
        let sent = async {
            self.stream.write_all(&out).await?;
            self.stream.flush().await
        };
        in_time(self.patience, sent).await
    }

    async fn answer(&mut self) -> Result<Vec<u8>, WireError> {
        if !self.out.is_empty() {
            self.flush().await?;
        }
        let stream = &mut self.stream;
        let read = async {
            let length = usize::try_from(stream.read_u32().await?).unwrap_or(usize::MAX);
            if length > PACKET {
                return Ok(Vec::new());
            }
            let mut packet = vec![0; length];
            stream.read_exact(&mut packet).await?;
            Ok(packet)
        };
        in_time(self.patience, read).await
    }

    /// What stands in an answer of a kind. A status is an error, whether it is good or not.
    fn fields_of<'p>(&self, answer: &'p [u8], wanted: u8) -> Result<WireFields<'p>, WireError> {
        let mut fields = WireFields(answer);
        let (kind, _id) = (fields.byte()?, fields.number()?);
        if kind == kind::STATUS {
            let code = fields.number()?;
            let words = String::from_utf8_lossy(fields.string().unwrap_or_default());
            return Err(WireError::Status { code, words: plain(&words, WORDS) });
        }
        if kind == wanted { Ok(fields) } else { Err(WireError::Malformed) }
    }
}

async fn in_time<T>(
    patience: Duration,
    work: impl Future<Output = std::io::Result<T>>,
) -> Result<T, WireError> {
    match tokio::time::timeout(patience, work).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(WireError::Ended(error.to_string())),
        Err(_) => Err(WireError::Silent),
    }
}

/// A string: its length and its bytes.
fn string(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let bytes = bytes.as_ref();
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes(), bytes].concat()
}

/// The rest of a message.
struct WireFields<'p>(&'p [u8]);

impl<'p> WireFields<'p> {
    fn take(&mut self, length: usize) -> Result<&'p [u8], WireError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(WireError::Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, WireError> {
        self.take(1)?.first().copied().ok_or(WireError::Malformed)
    }

    fn number(&mut self) -> Result<u32, WireError> {
        let bytes = self.take(4)?.try_into().map_err(|_| WireError::Malformed)?;
        Ok(u32::from_be_bytes(bytes))
    }

    fn string(&mut self) -> Result<&'p [u8], WireError> {
        let length = self.number()?;
        self.take(usize::try_from(length).unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
pub(super) mod tests;
