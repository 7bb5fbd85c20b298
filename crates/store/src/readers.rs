//! Readers: a few connections, each with its own thread, that see the last commit and never wait
//! for the writer.

use std::any::Any;
use std::sync::{Arc, Mutex, mpsc};

use tokio::sync::oneshot;

use crate::engine::Connection;
use crate::error::{Error, Fault};

/// What a question is answered with, for whoever hands it on.
pub(crate) type Untyped = Box<dyn Any + Send>;

/// The answer, for who asked.
///
/// Errors: [`Fault::Record`] where it is one to another question, which cannot be.
pub(crate) fn typed<T: 'static>(answer: Untyped) -> Result<T, Error> {
    let answer = answer.downcast().map_err(|_| Fault::record("answer", "another kind"))?;
    Ok(*answer)
}

/// A question, with its answer of a kind that only its caller knows: queue, reply and waiting are
/// compiled once and not for each of them.
type QueuedQuery = Box<dyn FnOnce(&mut dyn Connection) -> Result<Untyped, Error> + Send>;

/// What the queue carries: a question, and who waits for its answer.
type QueuedRead = (QueuedQuery, oneshot::Sender<Result<Untyped, Error>>);

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
        typed(self.ask(Box::new(move |connection| Ok(Box::new(query(connection)?)))).await?)
    }

    async fn ask(&self, query: QueuedQuery) -> Result<Untyped, Error> {
        let (reply, answer) = oneshot::channel();
        self.queue.send((query, reply)).map_err(|_| Fault::Closed)?;
        answer.await.map_err(|_| Fault::Closed)?
    }
}

fn serve(mut connection: Box<dyn Connection + Send>, waiting: &Mutex<mpsc::Receiver<QueuedRead>>) {
    loop {
        // A reader that panicked while it waited leaves nothing half done behind the lock.
        let next = waiting.lock().unwrap_or_else(|e| e.into_inner()).recv();
        let Ok((query, reply)) = next else { return };
        let quiet = std::panic::AssertUnwindSafe(|| query(&mut *connection));
        match std::panic::catch_unwind(quiet) {
            // The caller may have gone away; then nobody needs the answer.
            Ok(answer) => drop(reply.send(answer)),
            Err(_) => {
                tracing::error!("a query panicked; its caller was told that the store is closed");
            }
        }
    }
}
