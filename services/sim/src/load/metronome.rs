//! Waking at a moment and not up to a millisecond later.
//!
//! The runtime's timers are rounded up to whole milliseconds: more than what a paced client is to
//! measure. The last stretch of a wait is left to a thread that sleeps exactly.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

/// How long before its moment a wait is left to the thread: more than a timer can be late.
const EXACT: Duration = Duration::from_millis(3);

/// Waits that the thread has not seen yet; further ones are left to the runtime's timers.
const QUEUE: usize = 4_096;

type Wake = (Instant, oneshot::Sender<()>);

/// Wakes clients on time. Clones share a thread, which ends after the last of them.
#[derive(Clone, Debug)]
pub struct Metronome {
    wakes: SyncSender<Wake>,
}

impl Metronome {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start() -> std::io::Result<Self> {
        let (wakes, wanted) = sync_channel(QUEUE);
        std::thread::Builder::new().name("metronome".into()).spawn(move || tick(&wanted))?;
        Ok(Self { wakes })
    }

    /// Waits for a moment.
    pub async fn at(&self, moment: Instant) {
        if moment > Instant::now() + EXACT {
            sleep_until(moment - EXACT).await;
        }
        let (wake, woken) = oneshot::channel();
        if self.wakes.try_send((moment, wake)).is_err() || woken.await.is_err() {
            sleep_until(moment).await;
        }
    }
}

fn tick(wanted: &Receiver<Wake>) {
    let mut waiting: BTreeMap<Instant, Vec<oneshot::Sender<()>>> = BTreeMap::new();
    loop {
        let now = Instant::now();
        while let Some(due) = waiting.first_entry().filter(|due| *due.key() <= now) {
            for wake in due.remove() {
                // Whoever waited may have met something else before.
                let _ = wake.send(());
            }
        }
        let next = match waiting.keys().next() {
            Some(moment) => wanted.recv_timeout(moment.saturating_duration_since(Instant::now())),
            None => wanted.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok((moment, wake)) => waiting.entry(moment).or_default().push(wake),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[tokio::test]
    async fn nobody_is_woken_too_early_and_everybody_in_the_end() {
        let metronome = Metronome::start().unwrap();
        let start = Instant::now();
        let waits = [7, 0, 2, 5, 2].map(Duration::from_millis).map(|after| {
            let metronome = metronome.clone();
            tokio::spawn(async move {
                metronome.at(start + after).await;
                (after, Instant::now())
            })
        });
        for wait in waits {
            let (after, woken) = wait.await.unwrap();
            assert!(woken >= start + after, "{after:?}");
        }
    }
}
