//! Taking a message in while it arrives: what has come is counted against the budget, the SOAP part
//! is judged before the rest is taken, and what is large lies on the disk.
//!
//! ```text
//! up to 256 KiB ──► memory ──► opened whole
//! beyond ──► SOAP part there? ──► its signer judged, its signature verified ──► the rest, from
//!            512 KiB on in an unnamed file ──► opened, from 4 MiB on one message at a time
//! ```

use std::io::ErrorKind;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use quoin_peppol::as4::{As4Refusal, EbmsCode, PartialMessage};

use super::{As4Door, RejectReason, opening};
use crate::budget::{Full, Holding, Purpose, Spool, SpoolError};

/// Bytes up to which a message is opened without having been judged before.
const WHOLE: usize = 256 << 10;
/// Bytes of a message that are held in memory while it arrives: it stays a small one.
const IN_MEMORY: usize = 512 << 10;
/// Bytes that are written to the disk at a time.
const WRITTEN: usize = 256 << 10;
/// Bytes from which on a message is opened apart from the others, as it came or decompressed.
pub(super) const LARGE: usize = 4 << 20;
/// What is said of a body whose chunks are not those of HTTP.
pub(super) const MALFORMED: &str = "the body is not in the chunks that Transfer-Encoding tells: \
     expected the size of each in hexadecimal digits with at most 16 KiB of extensions, its bytes \
     and a line end, and at the end a few trailers (RFC 9112 section 7.1); found something else in \
     a size, an extension, a line end or a trailer";
/// Time in which a message has to show who sent it: its SOAP part, or all of a small one.
const SHOWN: Duration = Duration::from_secs(30);

/// A message that has come whole.
pub(super) struct ArrivedMessage {
    body: ArrivedBody,
    /// What it holds of the memory, in the name of its sender where that is known.
    pub(super) room: Holding,
}

enum ArrivedBody {
    Held(Bytes),
    Spooled(Spool),
}

/// Why a message was not taken in.
pub(super) enum IntakeFailure {
    /// It is larger than any message may be.
    TooLarge(u64),
    /// Not now: nothing is left for it, or it came too slowly, or broke off.
    Later(String),
    /// Our disk failed.
    Failed,
    /// Its framing is broken: the same bytes would be refused again.
    Malformed,
    /// What came of it is refused already.
    Refused(RejectReason),
}

impl From<Full> for IntakeFailure {
    fn from(full: Full) -> IntakeFailure {
        IntakeFailure::Later(full.to_string())
    }
}

impl From<SpoolError> for IntakeFailure {
    fn from(error: SpoolError) -> IntakeFailure {
        match error {
            SpoolError::Full(full) => full.into(),
            SpoolError::Disk(error) => {
                tracing::error!(%error, "a message could not be kept on the disk while it arrives");
                IntakeFailure::Failed
            }
        }
    }
}

impl ArrivedMessage {
    /// Whether it is opened apart from the others.
    pub(super) fn is_large(&self) -> bool {
        matches!(&self.body, ArrivedBody::Spooled(spool) if spool.length() >= LARGE)
    }

    /// Bytes for which room is needed before it is loaded.
    pub(super) fn to_load(&self) -> usize {
        match &self.body {
            ArrivedBody::Held(_) => 0,
            ArrivedBody::Spooled(spool) => spool.length(),
        }
    }

    /// All of it in memory, and what that holds. To be called on a thread that may wait for the
    /// disk.
    pub(super) fn load(self) -> std::io::Result<(Bytes, Holding)> {
        let bytes = match self.body {
            ArrivedBody::Held(bytes) => bytes,
            ArrivedBody::Spooled(spool) => spool.load()?.into(),
        };
        Ok((bytes, self.room))
    }
}

/// A message that is arriving.
struct Arriving<'d> {
    door: &'d Arc<As4Door>,
    kind: &'d str,
    address: String,
    holding: Holding,
    memory: BytesMut,
    spool: Option<Spool>,
    total: usize,
    /// Whether it is known who sent it.
    judged: bool,
    /// From how many bytes on its SOAP part is looked for again.
    look: usize,
}

impl As4Door {
    /// Reads the body of a request.
    pub(super) async fn take_in(
        self: &Arc<Self>,
        kind: &str,
        mut body: Body,
        address: IpAddr,
    ) -> Result<ArrivedMessage, IntakeFailure> {
        let begun = tokio::time::Instant::now();
        let address = address.to_string();
        let mut arriving = Arriving {
            holding: self.budgets.bytes.enter_stranger(&address),
            door: self,
            kind,
            address,
            memory: BytesMut::new(),
            spool: None,
            total: 0,
            judged: false,
            look: WHOLE,
        };
        loop {
            let limit = if arriving.judged { self.body.time } else { SHOWN.min(self.body.time) };
            let next = tokio::time::timeout_at(begun + limit, body.frame()).await;
            let next = next.map_err(|_| {
                IntakeFailure::Later(format!("the message did not arrive within {limit:?}"))
            })?;
            let Some(frame) = next else { return arriving.whole().await };
            let frame = frame.map_err(|error| match is_malformed(&error) {
                true => IntakeFailure::Malformed,
                false => IntakeFailure::Later(format!("it broke off: {error}")),
            })?;
            if let Ok(part) = frame.into_data() {
                arriving.add(part).await?;
            }
        }
    }
}

/// Whether a body ended because its chunks are not those of HTTP, and not because the connection
/// did.
fn is_malformed(error: &(dyn std::error::Error + 'static)) -> bool {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let mut causes = causes.filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|cause| matches!(cause.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData))
}

impl Arriving<'_> {
    async fn add(&mut self, part: Bytes) -> Result<(), IntakeFailure> {
        self.total += part.len();
        let most = self.door.body.bytes;
        if self.total as u64 > most {
            return Err(IntakeFailure::TooLarge(most));
        }
        self.holding.grow(part.len())?;
        self.memory.extend_from_slice(&part);
        if !self.judged && self.memory.len() > self.look {
            self.look = self.memory.len() * 2;
            self.judge().await?;
        }
        let most = if self.spool.is_some() { WRITTEN } else { IN_MEMORY };
        if self.judged && self.memory.len() > most {
            self.write().await?;
        }
        Ok(())
    }

    /// Judges the SOAP part, where it is there.
    async fn judge(&mut self) -> Result<(), IntakeFailure> {
        let start = self.memory.split().freeze();
        let judged = self.judge_start(&start).await;
        // Nobody else has it, so that it is not copied.
        self.memory = start.try_into_mut().unwrap_or_else(|start| BytesMut::from(&start[..]));
        if let Some(seat) = judged.map_err(IntakeFailure::Refused)? {
            self.holding.hand_over(&seat);
            self.judged = true;
        }
        Ok(())
    }

    /// The seat id of the sender; `None` where more has to come first.
    async fn judge_start(&self, start: &Bytes) -> Result<Option<String>, RejectReason> {
        for prepared in [false, true] {
            let (door, kind, start) = (self.door.clone(), self.kind.to_owned(), start.clone());
            let judged = self.door.apart(Purpose::As4Open, &self.address, move || {
                let Some(opening) = PartialMessage::read(&kind, &start)? else { return Ok(None) };
                let signer = opening.claimed_signer().filter(|_| !prepared);
                match signer.filter(|signer| !door.is_judged(signer)) {
                    Some(signer) => Ok(Some(Err(signer))),
                    None => {
                        let own = door.own.at(door.trust.clock().now());
                        let peer = opening.check(own, door.trust.as_ref())?;
                        Ok(Some(Ok(peer.common_name.clone())))
                    }
                }
            });
            match judged.await?.map_err(|refusal: As4Refusal| RejectReason::Refused(refusal))? {
                None => return Ok(None),
                Some(Ok(seat)) => return Ok(Some(seat)),
                Some(Err(signer)) => self.door.judgeable(&signer).await?,
            }
        }
        let detail = "the signer could not be judged";
        Err(RejectReason::Refused(As4Refusal::new(EbmsCode::FailedAuthentication, detail)))
    }

    /// Writes what is in memory to the disk.
    async fn write(&mut self) -> Result<(), IntakeFailure> {
        let part = self.memory.split().freeze();
        let length = part.len();
        let spool = match self.spool.take() {
            Some(spool) => spool,
            None => {
                let room = self.door.budgets.spool.enter(&self.address);
                Spool::open(&self.door.spool, room).await?
            }
        };
        self.spool = Some(spool.write(part).await?);
        self.holding.shrink(length);
        Ok(())
    }

    async fn whole(mut self) -> Result<ArrivedMessage, IntakeFailure> {
        if self.spool.is_some() && !self.memory.is_empty() {
            self.write().await?;
        }
        let body = match self.spool {
            Some(spool) => ArrivedBody::Spooled(spool),
            None => ArrivedBody::Held(self.memory.freeze()),
        };
        Ok(ArrivedMessage { body, room: self.holding })
    }
}

/// So that a wait is told as what it is.
impl From<crate::budget::Busy> for RejectReason {
    fn from(busy: crate::budget::Busy) -> RejectReason {
        opening::busy(&busy)
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::post;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    async fn judged(mut body: Body) -> &'static str {
        loop {
            match body.frame().await {
                None => return "whole",
                Some(Ok(_)) => {}
                Some(Err(error)) if is_malformed(&error) => return "malformed",
                Some(Err(_)) => return "broke off",
            }
        }
    }

    /// What is said of a body in chunks, the connection being closed after it.
    async fn said(body: &[u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, told) = tokio::sync::oneshot::channel();
        let tell = Arc::new(std::sync::Mutex::new(Some(tell)));
        let handler = move |body: Body| async move {
            let said = judged(body).await;
            let tell = tell.lock().unwrap().take();
            tell.map(|tell| tell.send(said).ok());
            said
        };
        let served = axum::serve(listener, Router::new().route("/", post(handler)));
        let server = tokio::spawn(served.into_future());
        let mut stream = TcpStream::connect(address).await.unwrap();
        let head = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        // The other end may have said no by now.
        let _ = stream.write_all(&[head, body].concat()).await;
        let _ = stream.shutdown().await;
        let said = told.await.unwrap().to_owned();
        let _ = stream.read(&mut [0; 16]).await;
        server.abort();
        said
    }

    #[tokio::test]
    async fn a_broken_chunk_is_told_apart_from_a_broken_connection() {
        let extension = format!("1;{}\r\na\r\n0\r\n\r\n", "x".repeat(200_000));
        let trailers = format!("1\r\na\r\n0\r\n{}\r\n", "a: b\r\n".repeat(20_000));
        for bad in ["zz\r\na\r\n0\r\n\r\n", "1\r\nab\r\n0\r\n\r\n", &extension, &trailers] {
            assert_eq!(said(bad.as_bytes()).await, "malformed", "{:.40}", bad);
        }
        for cut in ["", "5\r\nab", "1\r\na\r\n", "1\r\na\r\n0\r\n"] {
            assert_eq!(said(cut.as_bytes()).await, "broke off", "{cut:?}");
        }
        assert_eq!(said(b"1\r\na\r\n0\r\n\r\n").await, "whole");
    }
}
