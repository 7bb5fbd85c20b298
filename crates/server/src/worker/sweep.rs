//! Dropping documents whose time is over, again and again.

use std::sync::Arc;
use std::time::Duration;

use quoin_store::Keep;

use super::{Hands, rest};
use crate::tls::Shutdown;

/// How long to wait between two looks; a document may stay for so much longer.
const PAUSE: Duration = Duration::from_secs(600);

/// Sweeps until it is asked to end.
pub(super) async fn run(hands: Arc<Hands>, shutdown: Shutdown) {
    while !shutdown.asked() {
        if let Err(error) = sweep(&hands, &shutdown).await {
            tracing::error!(%error, "documents whose time is over could not be dropped");
        }
        rest(tokio::time::sleep(PAUSE), &shutdown).await;
    }
}

async fn sweep(hands: &Hands, shutdown: &Shutdown) -> Result<(), quoin_store::Error> {
    let keep: Keep = hands.keep;
    let mut dropped = 0;
    while !shutdown.asked() {
        match hands.store.expire(keep, hands.clock.now()).await? {
            0 => break,
            more => dropped += more,
        }
    }
    if dropped > 0 {
        tracing::info!(dropped, "documents whose time is over are dropped");
    }
    Ok(())
}
