//! Steps on their way into the log.

use parlor_common::{Code, Failure, TableId, trace};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tracing::Span;

use crate::core::Step;
use crate::metrics::Metrics;

/// A step that waits for its durability, with those who wait for the answer.
pub(super) struct Pending<E> {
    pub step: Step<E>,
    pub answer: Option<oneshot::Sender<Result<u64, Failure>>>,
    /// Set for a player's command.
    pub taken: Option<Taken>,
}

/// When a command was taken out of the mailbox, and its span; that ends with this.
pub(super) struct Taken {
    at: Instant,
    span: Span,
}

impl Taken {
    /// A command that is taken now. Its span follows `origin`, where that is recorded.
    pub fn new(table: TableId, game: &'static str, origin: &str) -> Self {
        let span = trace::follow(origin, || {
            tracing::info_span!(parent: None, "act", otel.kind = "server", %table, game,
                outcome = tracing::field::Empty)
        });
        Self { at: Instant::now(), span }
    }

    /// What follows from the command follows from here: its span, or else its origin.
    pub fn trace(&self, origin: String) -> String {
        trace::traceparent_of(&self.span).unwrap_or(origin)
    }

    /// Says how the command went.
    pub fn end(self, metrics: &Metrics, refused: Option<Code>) {
        self.span.record("outcome", refused.map_or("ok", Code::name));
        metrics.acted(self.at.elapsed(), refused);
    }
}

/// The span of an append, below that of the first command that is traced in the batch.
pub(super) fn append_span<E>(batch: &[Pending<E>]) -> Span {
    let spans = batch.iter().filter_map(|one| one.taken.as_ref()).map(|taken| &taken.span);
    spans.into_iter().find(|span| !span.is_none()).map_or_else(Span::none, |span| {
        tracing::info_span!(parent: span, "append", otel.kind = "client", entries = batch.len())
    })
}
