//! Answers that are large: the memory of one is counted until the other side has taken it.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use quoin_access_point::budget::Holding;

/// The answer with its room, of which it keeps what its body needs.
pub(crate) fn held(response: Response, mut holding: Holding) -> Response {
    let size = usize::try_from(response.body().size_hint().lower()).unwrap_or(usize::MAX);
    holding.shrink_to(size);
    response.map(|body| Body::new(HeldBody { body, _holding: holding }))
}

struct HeldBody {
    body: Body,
    _holding: Holding,
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
