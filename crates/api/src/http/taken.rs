//! Answers of which something is noted once the other side has taken them.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

/// Bytes that are handed to the connection at a time: it asks for more where it has room, so that
/// what breaks off on the way does not come to the end.
const PIECE: usize = 64 * 1024;

/// The answer, which does something before the last of its bytes is handed to the connection: who
/// has read all of it finds that done. Where the connection breaks off before, it is not done.
pub(crate) fn when_taken(
    response: Response,
    done: impl Future<Output = ()> + Send + 'static,
) -> Response {
    let done: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(done);
    response.map(|body| {
        Body::new(TakenBody { body, rest: Bytes::new(), is_over: false, done: Some(done) })
    })
}

struct TakenBody {
    body: Body,
    /// What came of the body and was not handed on yet.
    rest: Bytes,
    /// Whether nothing more comes of it.
    is_over: bool,
    done: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl HttpBody for TakenBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        loop {
            if this.rest.len() > PIECE {
                return Poll::Ready(Some(Ok(Frame::data(this.rest.split_to(PIECE)))));
            }
            if !this.is_over {
                match ready!(Pin::new(&mut this.body).poll_frame(context)) {
                    Some(Ok(frame)) => {
                        // There are no trailers.
                        let Ok(more) = frame.into_data() else { continue };
                        let before = std::mem::replace(&mut this.rest, more);
                        if !before.is_empty() {
                            return Poll::Ready(Some(Ok(Frame::data(before))));
                        }
                    }
                    Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                    None => this.is_over = true,
                }
                continue;
            }
            if let Some(done) = &mut this.done {
                ready!(done.as_mut().poll(context));
                this.done = None;
            }
            let last = std::mem::take(&mut this.rest);
            return Poll::Ready((!last.is_empty()).then(|| Ok(Frame::data(last))));
        }
    }

    fn is_end_stream(&self) -> bool {
        self.is_over && self.done.is_none() && self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, inner) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower().saturating_add(rest));
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use axum::response::IntoResponse;

    use super::*;

    /// The next piece of a body.
    async fn piece(body: &mut Body) -> Option<Bytes> {
        let next = std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context));
        next.await.map(|frame| frame.unwrap().into_data().unwrap())
    }

    fn noted(size: usize) -> (Body, Arc<AtomicBool>) {
        let is_noted = Arc::new(AtomicBool::new(false));
        let note = is_noted.clone();
        let done = async move {
            tokio::task::yield_now().await;
            note.store(true, Ordering::SeqCst);
        };
        let answer = Body::from(vec![b'x'; size]).into_response();
        (when_taken(answer, done).into_body(), is_noted)
    }

    #[tokio::test]
    async fn it_is_noted_before_the_last_piece_and_not_sooner() {
        let (mut body, is_noted) = noted(2 * PIECE + 1);
        assert_eq!(body.size_hint().exact(), Some(2 * PIECE as u64 + 1));
        for left in [PIECE + 1, 1] {
            assert_eq!(piece(&mut body).await.unwrap().len(), PIECE);
            assert_eq!(body.size_hint().exact(), Some(left as u64));
            assert!(!is_noted.load(Ordering::SeqCst), "{left} bytes are left");
        }
        assert!(!body.is_end_stream());
        assert_eq!(piece(&mut body).await.unwrap().len(), 1);
        assert!(is_noted.load(Ordering::SeqCst));
        assert!(body.is_end_stream());
        assert!(piece(&mut body).await.is_none());
    }

    #[tokio::test]
    async fn what_breaks_off_is_not_noted() {
        let (mut body, is_noted) = noted(PIECE + 1);
        piece(&mut body).await.unwrap();
        drop(body);
        tokio::task::yield_now().await;
        assert!(!is_noted.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn an_answer_without_a_byte_is_taken_too() {
        let (mut body, is_noted) = noted(0);
        assert!(piece(&mut body).await.is_none());
        assert!(is_noted.load(Ordering::SeqCst));
    }
}
