//! What waits to be written to one client: bounded, and filled by several hands.
//!
//! The session puts its answers here, the links put the updates of the tables here, and the
//! transport takes everything out in order. Nobody ever waits to put something in: a session takes
//! no more requests while there is no [room](Outbox::has_room), and an update that does not fit
//! is refused, after which its watch starts afresh with a resync when the client has caught up.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use parlor_common::Failure;
use parlor_proto::gateway::v1::ServerFrame;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::metrics::Waiting;
use crate::wire::Outgoing;

/// Names a watch within its session; a table that is watched again gets a new one.
pub type WatchId = u64;

/// How much may wait.
#[derive(Clone, Copy, Debug)]
pub struct OutboxLimits {
    /// Frames.
    pub frames: usize,
    /// Bytes of serialized frames.
    pub bytes: usize,
}

/// Why a connection is closed by the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The client has said goodbye.
    Finished,
    /// The gateway is draining.
    Draining,
    /// A newer connection of the player took over.
    Replaced,
    /// A moderator sent the player away.
    Kicked,
    /// Nothing was heard for too long.
    Idle,
    /// The client reads too slowly.
    TooSlow,
    /// A frame was too large.
    TooLarge,
    /// An error frame was sent before.
    Failed(Failure),
}

/// An update did not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

struct Queued {
    watch: Option<WatchId>,
    frame: Outgoing,
}

struct State {
    queue: VecDeque<Queued>,
    bytes: usize,
    ending: Option<Ending>,
    abandoned: bool,
    /// The transport has written all it took and waits for more.
    is_hungry: bool,
    /// When the transport last took a frame.
    progressed: Instant,
}

/// A queue of frames with one reader.
pub struct Outbox {
    limits: OutboxLimits,
    /// Counts what waits here among all outboxes.
    waiting: Arc<Waiting>,
    state: Mutex<State>,
    readable: Notify,
    taken: Notify,
}

impl Outbox {
    /// An empty one, counted in `waiting`.
    #[must_use]
    pub fn new(limits: OutboxLimits, waiting: Arc<Waiting>) -> Self {
        let state = State {
            queue: VecDeque::new(),
            bytes: 0,
            ending: None,
            abandoned: false,
            is_hungry: false,
            progressed: Instant::now(),
        };
        let (readable, taken) = (Notify::new(), Notify::new());
        Self { limits, waiting, state: Mutex::new(state), readable, taken }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a frame of the session's own. What it may add is bounded by what it takes in.
    pub fn push(&self, frame: &ServerFrame) {
        self.push_encoded(Outgoing::frame(frame));
    }

    /// [`Outbox::push`] for a frame that is serialized already.
    pub fn push_encoded(&self, frame: Outgoing) {
        self.add(&mut self.state(), None, frame);
        self.readable.notify_one();
    }

    /// Adds what a table says.
    ///
    /// # Errors
    /// [`Full`]; nothing was added then.
    pub fn offer(&self, watch: WatchId, frame: Outgoing) -> Result<(), Full> {
        {
            let mut state = self.state();
            let bytes = state.bytes.saturating_add(frame.encoded_len());
            // A single frame that is larger than the whole bound still passes when nothing waits.
            let fits = state.queue.is_empty()
                || (state.queue.len() < self.limits.frames && bytes <= self.limits.bytes);
            if !fits {
                return Err(Full);
            }
            self.add(&mut state, Some(watch), frame);
        }
        self.readable.notify_one();
        Ok(())
    }

    fn add(&self, state: &mut State, watch: Option<WatchId>, frame: Outgoing) {
        if state.abandoned || state.ending.is_some() {
            return;
        }
        if state.is_hungry {
            state.is_hungry = false;
            state.progressed = Instant::now();
        }
        let bytes = frame.encoded_len();
        state.bytes = state.bytes.saturating_add(bytes);
        state.queue.push_back(Queued { watch, frame });
        self.waiting.add(bytes);
    }

    /// Forgets everything that waits.
    fn clear(&self, state: &mut State) {
        self.waiting.remove(state.queue.len(), state.bytes);
        state.queue.clear();
        state.bytes = 0;
    }

    /// Removes what waits of a watch, because it is out of date.
    pub fn purge(&self, watch: WatchId) {
        {
            let mut state = self.state();
            let (frames, bytes) = (state.queue.len(), state.bytes);
            state.queue.retain(|queued| queued.watch != Some(watch));
            state.bytes = state.queue.iter().map(|queued| queued.frame.encoded_len()).sum();
            self.waiting.remove(frames - state.queue.len(), bytes.saturating_sub(state.bytes));
        }
        self.taken.notify_waiters();
    }

    /// Closes the connection when everything that waits now has been written. The first reason
    /// stays.
    pub fn end(&self, ending: Ending) {
        self.state().ending.get_or_insert(ending);
        self.readable.notify_one();
    }

    /// The transport is gone: nothing will be taken any more.
    pub fn abandon(&self) {
        {
            let mut state = self.state();
            state.abandoned = true;
            self.clear(&mut state);
        }
        self.readable.notify_one();
        self.taken.notify_waiters();
    }

    /// The next frame, waiting for one. An [`Ending`] when all have been taken and the connection
    /// is to be closed. For one reader; may be dropped without losing a frame.
    pub async fn next(&self) -> Result<Outgoing, Ending> {
        loop {
            if let Some(next) = self.try_next() {
                return next;
            }
            self.starve();
            self.readable.notified().await;
        }
    }

    fn starve(&self) {
        {
            let mut state = self.state();
            state.is_hungry = state.queue.is_empty();
        }
        self.taken.notify_waiters();
    }

    /// The next frame, if one waits.
    pub fn try_next(&self) -> Option<Result<Outgoing, Ending>> {
        let next = {
            let mut state = self.state();
            match state.queue.pop_front() {
                Some(queued) => {
                    let bytes = queued.frame.encoded_len();
                    state.bytes = state.bytes.saturating_sub(bytes);
                    self.waiting.remove(1, bytes);
                    state.progressed = Instant::now();
                    Ok(queued.frame)
                }
                None if state.abandoned => Err(Ending::Finished),
                None => return state.ending.clone().map(Err),
            }
        };
        self.taken.notify_waiters();
        Some(next)
    }

    /// Whether a session may take another request.
    #[must_use]
    pub fn has_room(&self) -> bool {
        let state = self.state();
        state.queue.len() < self.limits.frames && state.bytes < self.limits.bytes
    }

    /// Waits until there is [room](Self::has_room).
    pub async fn room(&self) {
        self.until(Self::has_room).await;
    }

    /// Waits until the transport has written everything and waits for more, or is gone.
    pub async fn drained(&self) {
        let is_drained = |outbox: &Self| {
            let state = outbox.state();
            state.is_hungry || state.abandoned
        };
        self.until(is_drained).await;
    }

    /// Waits until the transport is gone.
    pub async fn abandoned(&self) {
        self.until(|outbox| outbox.state().abandoned).await;
    }

    async fn until(&self, holds: impl Fn(&Self) -> bool) {
        loop {
            let taken = self.taken.notified();
            let mut taken = std::pin::pin!(taken);
            taken.as_mut().enable();
            if holds(self) {
                return;
            }
            taken.await;
        }
    }

    /// How long the transport has been busy with what it took last.
    #[must_use]
    pub fn stalled_for(&self) -> Duration {
        let state = self.state();
        if state.is_hungry { Duration::ZERO } else { state.progressed.elapsed() }
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        let mut state = self.state();
        self.clear(&mut state);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::atomic::{AtomicU64, Ordering};

    use bytes::Bytes;
    use parlor_proto::gateway::v1::{Pong, server_frame::Frame};

    use super::*;

    fn outbox(frames: usize, bytes: usize) -> Outbox {
        Outbox::new(OutboxLimits { frames, bytes }, Arc::default())
    }

    fn update(length: usize) -> Outgoing {
        Outgoing::Update(Bytes::from(vec![7; length]))
    }

    fn pong(nonce: u64) -> ServerFrame {
        ServerFrame { frame: Some(Frame::Pong(Pong { nonce, time_ms: 0 })) }
    }

    #[tokio::test]
    async fn frames_come_out_in_order_and_then_the_ending() {
        let outbox = outbox(8, 1000);
        outbox.push(&pong(1));
        outbox.offer(1, update(3)).unwrap();
        outbox.end(Ending::Draining);
        outbox.end(Ending::Idle);
        outbox.push(&pong(2));
        assert_eq!(outbox.next().await, Ok(Outgoing::frame(&pong(1))));
        assert_eq!(outbox.next().await, Ok(update(3)));
        assert_eq!(outbox.next().await, Err(Ending::Draining));
    }

    #[tokio::test]
    async fn updates_beyond_either_bound_are_refused() {
        let few = outbox(2, 1000);
        few.offer(1, update(1)).unwrap();
        few.offer(1, update(1)).unwrap();
        assert_eq!(few.offer(1, update(1)), Err(Full));

        let small = outbox(100, 20);
        small.offer(1, update(50)).unwrap();
        assert_eq!(small.offer(1, update(1)), Err(Full));
        assert!(!small.has_room());
        assert!(small.next().await.is_ok());
        small.offer(1, update(10)).unwrap();
        assert!(small.has_room());
    }

    #[tokio::test]
    async fn a_purge_takes_only_the_frames_of_its_watch() {
        let outbox = outbox(8, 1000);
        outbox.offer(1, update(1)).unwrap();
        outbox.offer(2, update(2)).unwrap();
        outbox.push(&pong(1));
        outbox.offer(1, update(3)).unwrap();
        outbox.purge(1);
        assert_eq!(outbox.next().await, Ok(update(2)));
        assert_eq!(outbox.next().await, Ok(Outgoing::frame(&pong(1))));
        assert_eq!(outbox.try_next(), None);
    }

    /// Lets a reader that has written everything wait for more.
    async fn starve(outbox: &Outbox) {
        let next = tokio::time::timeout(Duration::ZERO, outbox.next()).await;
        assert!(next.is_err(), "{next:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_stall_is_the_time_that_the_transport_is_busy_with_one_frame() {
        let outbox = outbox(8, 1000);
        starve(&outbox).await;
        tokio::time::advance(Duration::from_secs(9)).await;
        assert_eq!(outbox.stalled_for(), Duration::ZERO);
        outbox.push(&pong(1));
        outbox.push(&pong(2));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(outbox.stalled_for(), Duration::from_secs(2));
        assert!(outbox.next().await.is_ok());
        assert_eq!(outbox.stalled_for(), Duration::ZERO);
        assert!(outbox.next().await.is_ok());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(outbox.stalled_for(), Duration::from_secs(1), "the last one is being written");
        starve(&outbox).await;
        assert_eq!(outbox.stalled_for(), Duration::ZERO);
    }

    #[tokio::test]
    async fn an_empty_queue_is_not_drained_before_its_last_frame_is_written() {
        let outbox = outbox(8, 1000);
        outbox.offer(1, update(1)).unwrap();
        outbox.offer(1, update(1)).unwrap();
        assert!(outbox.next().await.is_ok());
        outbox.purge(1);
        let drained = tokio::time::timeout(Duration::ZERO, outbox.drained()).await;
        assert!(drained.is_err());
        let (_, ()) = tokio::join!(starve(&outbox), outbox.drained());
    }

    #[tokio::test]
    async fn whoever_waits_for_room_wakes_when_it_is_there() {
        let outbox = outbox(1, 1000);
        outbox.push(&pong(1));
        let (_, taken) = tokio::join!(outbox.room(), async { outbox.next().await });
        assert!(taken.is_ok());
    }

    #[tokio::test]
    async fn what_waits_is_counted_among_all_outboxes() {
        let waiting = Arc::<Waiting>::default();
        let counts = || {
            let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
            (count(&waiting.frames), count(&waiting.bytes))
        };
        let limits = OutboxLimits { frames: 9, bytes: 1000 };
        let (one, other) =
            (Outbox::new(limits, Arc::clone(&waiting)), Outbox::new(limits, Arc::clone(&waiting)));
        let bytes = update(10).encoded_len() as u64;
        for watch in 1..=3 {
            one.offer(watch, update(10)).unwrap();
            other.offer(watch, update(10)).unwrap();
        }
        assert_eq!(counts(), (6, 6 * bytes));
        assert!(one.next().await.is_ok());
        one.purge(2);
        assert_eq!(counts(), (4, 4 * bytes));
        one.abandon();
        assert_eq!(counts(), (3, 3 * bytes));
        drop(other);
        assert_eq!(counts(), (0, 0));
    }

    #[tokio::test]
    async fn an_abandoned_outbox_takes_and_holds_nothing() {
        let outbox = outbox(1, 10);
        outbox.push(&pong(1));
        outbox.abandon();
        outbox.push(&pong(2));
        assert_eq!(outbox.offer(1, update(5)), Ok(()));
        assert_eq!(outbox.next().await, Err(Ending::Finished));
        outbox.drained().await;
    }
}
