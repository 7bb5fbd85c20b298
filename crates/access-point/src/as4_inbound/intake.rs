//! Taking a message in while it arrives: what has come is counted against the budget, the SOAP part
//! is judged before the rest is taken, and what is large lies on the disk.
//!
//! ```text
//! up to 256 KiB ──► memory ──► opened whole
//! beyond ──► SOAP part there? ──► its signer judged, its signature verified ──► the rest, from
//!            4 MiB on in an unnamed file ──► opened, one large message at a time
//! ```

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use quoin_peppol::as4::{As4Refusal, EbmsCode, PartialMessage};
use uuid::Uuid;

use super::{As4Door, RejectReason, opening};
use crate::budget::bytes::SMALL;
use crate::budget::{Full, Holding, Purpose};

/// Bytes of a message that are held in memory while it arrives.
const IN_MEMORY: usize = 4 << 20;
/// Bytes that are written to the disk at a time.
const WRITTEN: usize = 1 << 20;
/// Time in which a message has to show who sent it: its SOAP part, or all of a small one.
const SHOWN: Duration = Duration::from_secs(30);

/// A message that has come whole.
pub(super) enum ArrivedMessage {
    /// In memory, with its holding.
    Held(Bytes),
    /// On the disk.
    Spooled(Spool),
}

/// A file without a name, which is gone when it is closed.
pub(super) struct Spool {
    file: File,
    length: usize,
    _room: Holding,
}

/// Why a message was not taken in.
pub(super) enum IntakeFailure {
    /// It is larger than any message may be.
    TooLarge(u64),
    /// Not now: nothing is left for it, or it came too slowly, or broke off.
    Later(String),
    /// What came of it is refused already.
    Refused(RejectReason),
}

impl From<Full> for IntakeFailure {
    fn from(full: Full) -> IntakeFailure {
        IntakeFailure::Later(full.to_string())
    }
}

impl From<std::io::Error> for IntakeFailure {
    fn from(error: std::io::Error) -> IntakeFailure {
        tracing::error!(%error, "a message could not be kept on the disk while it arrives");
        IntakeFailure::Later("the message could not be kept".to_owned())
    }
}

impl ArrivedMessage {
    /// Whether it is opened apart from the others.
    pub(super) fn is_large(&self) -> bool {
        matches!(self, ArrivedMessage::Spooled(_))
    }

    /// All of it in memory. To be called on a thread that may wait for the disk.
    pub(super) fn load(self) -> std::io::Result<Bytes> {
        match self {
            ArrivedMessage::Held(bytes) => Ok(bytes),
            ArrivedMessage::Spooled(mut spool) => {
                let mut bytes = Vec::with_capacity(spool.length);
                spool.file.seek(SeekFrom::Start(0))?;
                spool.file.read_to_end(&mut bytes)?;
                Ok(bytes.into())
            }
        }
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
            look: SMALL,
        };
        loop {
            let limit = if arriving.judged { self.body.time } else { SHOWN.min(self.body.time) };
            let next = tokio::time::timeout_at(begun + limit, body.frame()).await;
            let next = next.map_err(|_| {
                IntakeFailure::Later(format!("the message did not arrive within {limit:?}"))
            })?;
            let Some(frame) = next else { return arriving.whole().await };
            let frame =
                frame.map_err(|error| IntakeFailure::Later(format!("it broke off: {error}")))?;
            if let Ok(part) = frame.into_data() {
                arriving.add(part).await?;
            }
        }
    }
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
        let (spool, folder) = (self.spool.take(), self.door.spool.clone());
        let mut spool = match spool {
            Some(spool) => spool,
            None => {
                let room = self.door.budgets.spool.enter(&self.address);
                let file = tokio::task::spawn_blocking(move || unnamed(&folder)).await;
                let file = file.map_err(std::io::Error::other)??;
                Spool { file, length: 0, _room: room }
            }
        };
        spool._room.grow(length)?;
        let written = tokio::task::spawn_blocking(move || {
            spool.file.write_all(&part)?;
            spool.length += part.len();
            Ok::<_, std::io::Error>(spool)
        });
        self.spool = Some(written.await.map_err(std::io::Error::other)??);
        self.holding.shrink(length);
        Ok(())
    }

    async fn whole(mut self) -> Result<ArrivedMessage, IntakeFailure> {
        if self.spool.is_some() && !self.memory.is_empty() {
            self.write().await?;
        }
        Ok(match self.spool {
            Some(spool) => ArrivedMessage::Spooled(spool),
            None => ArrivedMessage::Held(self.holding.keep(self.memory.freeze())),
        })
    }
}

/// A file that has no name once it is open: it is gone with the process, however that ends.
fn unnamed(folder: &Path) -> std::io::Result<File> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(Uuid::new_v4().to_string());
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

/// So that a wait is told as what it is.
impl From<crate::budget::Busy> for RejectReason {
    fn from(busy: crate::budget::Busy) -> RejectReason {
        opening::busy(&busy)
    }
}
