//! The end of a running service.

use std::pin::pin;
use std::time::Duration;

use super::Running;

impl Running {
    /// Takes nothing more from customers, waits until what is in hand is finished, or for as long
    /// as it may take, closes the other doors, and closes the store. What goes from one
    /// organisation to another one of this service is sent through those doors.
    pub async fn stop(self) {
        self.shutdown.now();
        let last = Duration::from_secs(self.parts.config.limits.shutdown_seconds);
        let mut in_hand = pin!(async {
            if let Some(api) = self.api {
                api.closed().await;
            }
            for task in self.worker.into_iter().chain(self.watches) {
                // A panic of a task was already reported by the panic hook.
                let _ = task.await;
            }
        });
        let finished = async {
            let is_finished = tokio::time::timeout(last / 2, in_hand.as_mut()).await.is_ok();
            self.peers.now();
            for door in [self.as4, self.smp, self.metrics].into_iter().flatten() {
                door.closed().await;
            }
            if !is_finished {
                in_hand.as_mut().await;
            }
        };
        if tokio::time::timeout(last, finished).await.is_err() {
            tracing::warn!(
                "what is in hand did not end within limits.shutdown_seconds: it is done again after \
                 the next start"
            );
        }
        self.parts.store.close().await;
    }
}
