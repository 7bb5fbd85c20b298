//! The end of a service: asked for by a signal, and reached in time whatever the service is doing.
//!
//! The signal is heard on a thread of its own, which nothing else runs on; when the time for what
//! is in flight is over, that thread ends the process.

use std::sync::mpsc;
use std::time::Duration;

use tokio::sync::watch;

/// What a service gets beyond the time for what is in flight, to close its store.
const CLOSING: Duration = Duration::from_secs(10);
/// What is left to a process whose store is closed.
const CLOSED: Duration = Duration::from_secs(1);
/// SIGXFSZ of Linux, macOS and the BSDs.
#[cfg(unix)]
const FILE_SIZE: i32 = 25;

/// Tells when the end is asked for.
pub struct TerminationSignal {
    asked: watch::Receiver<bool>,
    /// Told when the store is closed; dropped when the service has ended, which ends the watch.
    closed: mpsc::Sender<()>,
}

impl TerminationSignal {
    /// Begins to listen. From the signal on, the process has this long, and some seconds more to
    /// close its store.
    ///
    /// # Errors
    /// The signal cannot be listened to.
    pub fn watch(last: Duration) -> Result<TerminationSignal, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("signals cannot be listened to: {error}"))?;
        let (told, asked) = watch::channel(false);
        let (closed, over) = mpsc::channel::<()>();
        let listen = move || {
            if runtime.block_on(wait_for_end()).is_err() {
                return;
            }
            told.send_replace(true);
            match over.recv_timeout(last + CLOSING) {
                Ok(()) => {
                    let ended = over.recv_timeout(CLOSED);
                    if ended == Err(mpsc::RecvTimeoutError::Timeout) {
                        std::process::exit(0);
                    }
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {}
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    tracing::error!(
                        "the store could not be closed in time: its newest commits are in the log \
                         beside it, quoin.db-wal, which the next start needs"
                    );
                    std::process::exit(1);
                }
            }
        };
        let thread = std::thread::Builder::new().name("signals".to_owned());
        thread.spawn(listen).map_err(|error| format!("signals cannot be listened to: {error}"))?;
        Ok(TerminationSignal { asked, closed })
    }

    /// Says that the store is closed: nothing is lost by an end at any moment.
    pub fn closed(&self) {
        // Who listens may have ended.
        let _ = self.closed.send(());
    }

    /// Waits until the end is asked for.
    pub async fn asked(&self) {
        let mut asked = self.asked.clone();
        if asked.wait_for(|asked| *asked).await.is_err() {
            // Nobody listens any more: the service runs until it is killed.
            std::future::pending::<()>().await;
        }
    }
}

/// Waits for Ctrl-C, or for the signal that a service manager ends processes with.
///
/// # Errors
/// The signals cannot be listened to.
pub async fn wait_for_end() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        let mut first = signal(SignalKind::user_defined1())?;
        let mut second = signal(SignalKind::user_defined2())?;
        // Listened to, it does not end the process: the write fails as on a full disk.
        let mut file_size = signal(SignalKind::from_raw(FILE_SIZE))?;
        loop {
            tokio::select! {
                interrupted = tokio::signal::ctrl_c() => return interrupted,
                _ = terminate.recv() => return Ok(()),
                // A terminal that was closed, or somebody who expects a service to read its
                // configuration again: what is in hand goes on.
                _ = file_size.recv() => tracing::error!(
                    "SIGXFSZ: a file may not grow beyond the limit of this process (ulimit -f, \
                     LimitFSIZE); raise it"
                ),
                _ = first.recv() => tracing::warn!("SIGUSR1 changes nothing"),
                _ = second.recv() => tracing::warn!("SIGUSR2 changes nothing"),
                _ = hang_up.recv() => tracing::warn!(
                    "SIGHUP changes nothing: certificates, keys and settings are read at the start"
                ),
            }
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
