//! A large message lies on the disk while it is sent, with what proves it: its receiver may take
//! its time, and no memory is held meanwhile.

use std::time::Duration;

use bytes::Bytes;
use quoin_peppol::as4::{SealedMessage, WireCopy};

use super::Sender;
use crate::budget::{Holding, LinePlace, Spool, SpoolError};
use crate::net::BodySource;

/// Bytes from which on a sealed message lies on the disk while it is sent.
const ON_DISK: usize = 1 << 20;
/// How what proves a large message waits for memory.
const MEMORY: LinePlace = LinePlace { line: 64, patience: Duration::from_secs(10), first: true };

impl BodySource for Spool {
    fn length(&self) -> usize {
        Spool::length(self)
    }

    fn part(&self, from: usize, most: usize) -> std::io::Result<Bytes> {
        Spool::part(self, from, most)
    }
}

impl Sender {
    /// What proves a large message, on the disk while it is sent; `None` where it stays in memory.
    pub(super) async fn parked(&self, sent: &mut SealedMessage, host: &str) -> Option<Spool> {
        if sent.travelled.payload.len() <= ON_DISK {
            return None;
        }
        let payload = Bytes::from(std::mem::take(&mut sent.travelled.payload));
        let parked = self.spooled(Some(&payload), host).await;
        if parked.is_none() {
            // Nobody else has it, so that it is not copied.
            sent.travelled.payload = payload.into();
        }
        parked
    }

    /// Large bytes on the disk; `None` where they stay in memory.
    pub(super) async fn spooled(&self, bytes: Option<&Bytes>, host: &str) -> Option<Spool> {
        let body = bytes.filter(|bytes| bytes.len() > ON_DISK)?;
        let spool = Spool::open(&self.spool, self.budgets.spool.enter(host)).await;
        let written = match spool {
            Ok(spool) => spool.write(body.clone()).await,
            Err(error) => Err(error),
        };
        let told = |error: &SpoolError| tracing::warn!(%error, "a message is sent from memory");
        written.inspect_err(told).ok()
    }
}

/// What proves a message that was delivered, back in memory to be kept. Where it cannot be read the
/// message was delivered all the same.
pub(super) async fn unparked(
    parked: Spool,
    room: Option<&mut Holding>,
    travelled: WireCopy,
) -> Option<WireCopy> {
    if let Some(room) = room {
        let more = parked.length().saturating_sub(room.bytes());
        // It is there for a moment, and is not given up where there is none.
        let _ = room.ask(more, MEMORY).await;
    }
    let loaded = tokio::task::spawn_blocking(move || parked.load()).await;
    match loaded.map_err(std::io::Error::other).and_then(|loaded| loaded) {
        Ok(payload) => Some(WireCopy { payload, ..travelled }),
        Err(error) => {
            tracing::error!(%error, "what proves a message that was delivered cannot be kept");
            None
        }
    }
}
