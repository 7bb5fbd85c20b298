//! Readers: a few connections, each with its own thread, that see the last commit and never wait
//! for the writer.

use std::sync::{Arc, Mutex, mpsc};

use tokio::sync::oneshot;

use crate::engine::Connection;
use crate::error::{Error, Fault};

type QueuedRead = Box<dyn FnOnce(&mut dyn Connection) + Send>;

/// The caller's side of the readers.
#[derive(Clone)]
pub(crate) struct Readers {
    queue: mpsc::Sender<QueuedRead>,
}

impl Readers {
    /// Starts a thread for each connection.
    pub(crate) fn start(
        connections: Vec<Box<dyn Connection + Send>>,
        name: &str,
    ) -> Result<Readers, Fault> {
        let (queue, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for connection in connections {
            let waiting = waiting.clone();
            std::thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || serve(connection, &waiting))
                .map_err(|e| Fault::Engine { doing: "start a reader", message: e.to_string() })?;
        }
        Ok(Readers { queue })
    }

    /// Runs a query on the next free reader.
    pub(crate) async fn read<T, F>(&self, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut dyn Connection) -> Result<T, Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let query: QueuedRead = Box::new(move |connection| {
            // The caller may have gone away; then nobody needs the answer.
            let _ = reply.send(query(connection));
        });
        self.queue.send(query).map_err(|_| Fault::Closed)?;
        answer.await.map_err(|_| Fault::Closed)?
    }
}

fn serve(mut connection: Box<dyn Connection + Send>, waiting: &Mutex<mpsc::Receiver<QueuedRead>>) {
    loop {
        // A reader that panicked while it waited leaves nothing half done behind the lock.
        let next = waiting.lock().unwrap_or_else(|e| e.into_inner()).recv();
        let Ok(query) = next else { return };
        let quiet = std::panic::AssertUnwindSafe(|| query(&mut *connection));
        if std::panic::catch_unwind(quiet).is_err() {
            tracing::error!("a query panicked; its caller was told that the store is closed");
        }
    }
}
