//! Ends a service in order: every task is spawned through a [`Shutdown`], and waited for.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tokio_util::task::TaskTracker;

/// Spawns the tasks of one service, tells them to end, and waits until they have.
///
/// A task ends by itself when it sees [`Shutdown::token`] cancelled; nothing is aborted.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    token: CancellationToken,
    tracker: TaskTracker,
    running: Arc<Running>,
}

/// How many tasks of each name run.
#[derive(Debug, Default)]
struct Running(Mutex<BTreeMap<&'static str, usize>>);

impl Running {
    fn change(&self, name: &'static str, change: impl FnOnce(usize) -> usize) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = change(running.get(name).copied().unwrap_or(0));
        if count == 0 {
            running.remove(name);
        } else {
            running.insert(name, count);
        }
    }
}

/// Counts one task for as long as it lives, however it ends.
struct Counted {
    name: &'static str,
    running: Arc<Running>,
}

impl Counted {
    fn new(name: &'static str, running: Arc<Running>) -> Self {
        running.change(name, |count| count.saturating_add(1));
        Self { name, running }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.running.change(self.name, |count| count.saturating_sub(1));
        if std::thread::panicking() {
            tracing::error!(task = self.name, "the task {} panicked", self.name);
        }
    }
}

/// Tasks that had not ended when the time was up, by name, with their numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tasks still running: {0:?}")]
pub struct Lingering(pub BTreeMap<&'static str, usize>);

impl Shutdown {
    /// A service that has not been told to end.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancelled when the service is to end.
    #[must_use]
    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// Spawns a task that [`Shutdown::finished`] waits for.
    ///
    /// Names are few and fixed: they say which kind of task lingers or has panicked. The task runs
    /// outside its spawner's span, which it would keep from ending: give it one of its own.
    pub fn spawn<F>(&self, name: &'static str, future: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let counted = Counted::new(name, Arc::clone(&self.running));
        // An async block would hold the future twice: as it was given, and as it is polled.
        self.tracker.spawn(future.map(move |output| {
            drop(counted);
            output
        }))
    }

    /// Tells every task to end. May be called again without effect.
    pub fn begin(&self) {
        self.token.cancel();
    }

    /// Whether the service has been told to end.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Waits until the service is told to end. Owned, so that a task may hold it.
    pub fn begun(&self) -> WaitForCancellationFutureOwned {
        self.token.clone().cancelled_owned()
    }

    /// Tells every task to end and waits until all have.
    ///
    /// # Errors
    /// [`Lingering`] when some still run after `timeout`.
    pub async fn finished(&self, timeout: Duration) -> Result<(), Lingering> {
        self.begin();
        self.tracker.close();
        tokio::time::timeout(timeout, self.tracker.wait()).await.map_err(|_| {
            Lingering(self.running.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn it_waits_for_tasks_that_end_when_told() {
        let shutdown = Shutdown::new();
        let begun = shutdown.begun();
        let task = shutdown.spawn("worker", async move {
            begun.await;
            tokio::time::sleep(Duration::from_secs(1)).await;
            7
        });
        assert!(!shutdown.is_begun());
        shutdown.finished(Duration::from_secs(2)).await.unwrap();
        assert_eq!(task.await.unwrap(), 7);
    }

    #[tokio::test(start_paused = true)]
    async fn it_names_the_tasks_that_do_not_end() {
        let shutdown = Shutdown::new();
        for _ in 0..2 {
            shutdown.spawn("deaf", std::future::pending::<()>());
        }
        shutdown.spawn("obedient", shutdown.begun());
        let lingering = shutdown.finished(Duration::from_secs(1)).await.unwrap_err();
        assert_eq!(lingering.0, BTreeMap::from([("deaf", 2)]));
    }

    #[tokio::test]
    async fn a_task_that_panics_does_not_linger() {
        let shutdown = Shutdown::new();
        let task = shutdown.spawn("unlucky", async { panic!("on purpose") });
        assert!(task.await.unwrap_err().is_panic());
        shutdown.finished(Duration::from_secs(1)).await.unwrap();
    }
}
