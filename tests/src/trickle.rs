//! A body that comes piece by piece.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame};
use tokio::time::{Instant, Sleep, sleep};

const PAUSE: Duration = Duration::from_millis(100);

/// So many lines, one after each pause.
pub(crate) struct Trickle {
    left: usize,
    pause: Pin<Box<Sleep>>,
}

impl Trickle {
    pub(crate) fn new(pieces: usize) -> Self {
        Self { left: pieces, pause: Box::pin(sleep(PAUSE)) }
    }
}

impl Body for Trickle {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        ready!(self.pause.as_mut().poll(cx));
        self.left -= 1;
        self.pause.as_mut().reset(Instant::now() + PAUSE);
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"data: x\n\n")))))
    }
}
