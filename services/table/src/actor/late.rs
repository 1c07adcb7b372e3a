//! What spectators see, where they see it later than the players: a spectator could be a player's
//! second pair of eyes.
//!
//! It is the same row of updates, shifted: also from one hand to the next, and from one owner to
//! the next, who begins with a silence as long as the delay.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

/// Most batches that wait: more are dropped for a resync, so that a quick table with a long delay
/// takes no more memory than this.
const WAITING_MAX: usize = 4_096;

/// What a batch of steps is to spectators.
#[derive(Debug)]
pub(super) struct Scene {
    /// Updates without a view, and with one where the client asked for views.
    pub updates: Vec<(Bytes, Bytes)>,
    /// The whole view after it, for whoever has seen nothing before.
    pub resync: Bytes,
}

/// Scenes on their way to the spectators.
#[derive(Debug)]
pub(super) struct Late {
    delay: Duration,
    waiting: VecDeque<(Instant, Scene)>,
    shown: Option<Bytes>,
}

impl Late {
    /// Nothing is shown yet; `resync` is what there is to see now.
    pub fn new(delay: Duration, resync: Bytes) -> Self {
        let mut late = Self { delay, waiting: VecDeque::new(), shown: None };
        late.push(Scene { updates: Vec::new(), resync });
        late
    }

    /// Takes what has happened now.
    pub fn push(&mut self, scene: Scene) {
        if self.waiting.len() == WAITING_MAX {
            // Its updates are missing from the row: whoever watches gets the view after them.
            if let Some((_, second)) = self.waiting.get_mut(1) {
                second.updates.clear();
            }
            self.waiting.pop_front();
        }
        self.waiting.push_back((Instant::now() + self.delay, scene));
    }

    /// When the next scene is to be shown.
    pub fn next_at(&self) -> Option<Instant> {
        self.waiting.front().map(|(at, _)| *at)
    }

    /// The next scene whose time has come, or any if `all`.
    pub fn pop(&mut self, until: Until) -> Option<Scene> {
        self.waiting.front().filter(|(at, _)| until == Until::End || *at <= Instant::now())?;
        let (_, scene) = self.waiting.pop_front()?;
        self.shown = Some(scene.resync.clone());
        Some(scene)
    }

    /// The whole view, as far as it is shown; `None`: nothing is yet.
    pub const fn shown(&self) -> Option<&Bytes> {
        self.shown.as_ref()
    }
}

/// Which scenes are to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// Those whose time has come.
    Now,
    /// All: the table is closed, and nothing is left to hide.
    End,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const DELAY: Duration = Duration::from_secs(5);

    fn scene(name: &'static str) -> Scene {
        let bytes = Bytes::from_static(name.as_bytes());
        Scene { updates: vec![(bytes.clone(), bytes.clone())], resync: bytes }
    }

    #[tokio::test(start_paused = true)]
    async fn scenes_are_shown_in_order_and_not_before_their_time() {
        let mut late = Late::new(DELAY, Bytes::from_static(b"start"));
        tokio::time::advance(Duration::from_secs(1)).await;
        late.push(scene("a"));
        assert!(late.pop(Until::Now).is_none() && late.shown().is_none());
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(late.pop(Until::Now).unwrap().resync, "start");
        assert!(late.pop(Until::Now).is_none(), "the next is a second later");
        assert_eq!(late.shown().unwrap(), "start");
        assert_eq!(late.next_at(), Some(Instant::now() + Duration::from_secs(1)));
        assert_eq!(late.pop(Until::End).unwrap().resync, "a", "unless the table has closed");
        assert!(late.next_at().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_row_that_is_cut_goes_on_with_a_view() {
        let mut late = Late::new(DELAY, Bytes::new());
        for _ in 0..WAITING_MAX {
            late.push(scene("x"));
        }
        let first = late.pop(Until::End).unwrap();
        assert!(first.updates.is_empty(), "the start was dropped, and the first update with it");
        assert_eq!(late.pop(Until::End).unwrap().updates.len(), 1);
    }
}
