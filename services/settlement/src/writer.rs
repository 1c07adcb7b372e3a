//! The group commit: requests that arrive while the database is busy share the next transaction.
//!
//! One task per process writes. It takes what waits, enters it in one database transaction, and
//! answers each request for itself. Under load a batch fills while its predecessor commits, so
//! nobody waits on purpose; without load a batch is one request.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::{Clock, Shutdown};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::Error;
use crate::metrics::Metrics;
use crate::money::{Receipt, Submission};
use crate::store::{Results, Store, StoreError};

/// Requests that wait; more are turned away, because they would only wait longer than their
/// callers do.
const QUEUE: usize = 8_192;
/// The most bytes in one database transaction, so that its memory and its time stay bounded. One
/// request alone may have more.
const BATCH_BYTES: usize = 16 * 1024 * 1024;
/// How often a batch is tried when the database is away.
const ATTEMPTS: u32 = 6;
/// The first pause between tries; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(25);

struct Job {
    submission: Arc<Submission>,
    answer: oneshot::Sender<Result<Receipt, Error>>,
}

/// Hands requests to the writing task; cheap to clone. The task ends when the last clone is gone.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Job>,
    committed: watch::Receiver<u64>,
}

impl Writer {
    /// Starts the writing task with at most `most` requests in a batch.
    pub(crate) fn start(
        store: Arc<dyn Store>,
        clock: Clock,
        most: usize,
        shutdown: &Shutdown,
    ) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let (commits, committed) = watch::channel(0);
        let task = Task { store, clock, commits, most: most.max(1), metrics: Metrics::new() };
        shutdown.spawn("ledger-writer", task.run(jobs));
        Self { queue, committed }
    }

    /// Enters a request; the answer comes when it is durable.
    pub(crate) async fn submit(&self, submission: Submission) -> Result<Receipt, Error> {
        let (answer, answered) = oneshot::channel();
        let job = Job { submission: Arc::new(submission), answer };
        self.queue.try_send(job).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => Error::Busy,
            mpsc::error::TrySendError::Closed(_) => Error::Unavailable,
        })?;
        answered.await.unwrap_or(Err(Error::Unavailable))
    }

    /// Changes whenever this process has committed something.
    pub(crate) fn committed(&self) -> watch::Receiver<u64> {
        self.committed.clone()
    }
}

struct Task {
    store: Arc<dyn Store>,
    clock: Clock,
    commits: watch::Sender<u64>,
    most: usize,
    metrics: Metrics,
}

impl Task {
    async fn run(self, mut jobs: mpsc::Receiver<Job>) {
        while let Some(first) = jobs.recv().await {
            let mut bytes = first.submission.weight();
            let mut batch = vec![first];
            while batch.len() < self.most && bytes < BATCH_BYTES {
                let Ok(job) = jobs.try_recv() else { break };
                bytes += job.submission.weight();
                batch.push(job);
            }
            self.enter(batch).await;
        }
    }

    async fn enter(&self, batch: Vec<Job>) {
        let submissions: Vec<_> = batch.iter().map(|job| Arc::clone(&job.submission)).collect();
        let started = Instant::now();
        let results = match self.write(&submissions).await {
            Ok(results) => results,
            Err(StoreError::Unavailable(why)) => {
                tracing::warn!(%why, requests = batch.len(), "a batch could not be written");
                vec![Err(Error::Unavailable); batch.len()]
            }
            Err(StoreError::Fault(why)) => {
                tracing::error!(%why, requests = batch.len(), "the database refused a batch");
                self.write_singly(&submissions).await
            }
        };
        self.metrics.batch(batch.len(), started.elapsed());
        let last = results.iter().flatten().map(|receipt| receipt.transaction).max();
        if let Some(last) = last {
            self.commits.send_if_modified(|seq| {
                let newer = last > *seq;
                *seq = last.max(*seq);
                newer
            });
        }
        for (job, result) in batch.into_iter().zip(results) {
            self.metrics.request(&job.submission, &result);
            // Whoever asked may have gone; the result stays under its key.
            let _ = job.answer.send(result);
        }
    }

    /// Writes a batch, again while the database is away. A batch that was committed although we
    /// could not see it is found by its keys, and gives its first results.
    async fn write(&self, batch: &[Arc<Submission>]) -> Result<Results, StoreError> {
        let mut pause = FIRST_PAUSE;
        for _ in 1..ATTEMPTS {
            match self.store.write(batch, self.clock.now_ms()).await {
                Err(StoreError::Unavailable(why)) => {
                    tracing::debug!(%why, "a batch is tried again");
                    self.metrics.retry();
                }
                done => return done,
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
        self.store.write(batch, self.clock.now_ms()).await
    }

    /// Finds the request that the database will not take, so that only that one fails.
    async fn write_singly(&self, batch: &[Arc<Submission>]) -> Results {
        let mut results = Vec::with_capacity(batch.len());
        for submission in batch {
            let written = self.write(std::slice::from_ref(submission)).await;
            let result = match written {
                Ok(mut only) => only.pop().unwrap_or(Err(Error::Internal)),
                Err(error) => {
                    let key = submission.key().as_str();
                    tracing::error!(%error, key, "the database refused a request");
                    Err(error.into())
                }
            };
            results.push(result);
        }
        results
    }
}
