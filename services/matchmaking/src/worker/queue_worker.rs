//! One queue's matchmaker.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::error::Error;
use crate::ids::{MatchId, ReplicaId};
use crate::matcher::{self, Candidate, Group};
use crate::metrics::MatchEnd;
use crate::queue::Queue;
use crate::service::Matchmaking;
use crate::store::{Claim, Claimed, Due, Lease, NewClaim};

use super::back_off::BackOff;
use super::share;

/// Matches of one queue that are being seated at a time; more wait in the queue.
const SEATING_AT_ONCE: usize = 256;

/// Abandoned or checked claims that are taken on at a time.
const TAKEN_ON_AT_ONCE: u32 = 32;

/// Tickets up to which the matcher runs in place; above, it gets a thread of its own.
const MATCHED_IN_PLACE: usize = 500;

/// Something that may go on now; its place is free again when it is dropped.
#[derive(Debug)]
pub struct Permitted<T> {
    /// The thing.
    pub inner: T,
    _place: OwnedSemaphorePermit,
}

fn permitted(claims: Vec<Claim>, places: Vec<OwnedSemaphorePermit>) -> Vec<Permitted<Claim>> {
    let permit = |(inner, _place)| Permitted { inner, _place };
    claims.into_iter().zip(places).map(permit).collect()
}

/// Matches one queue while it holds its lease.
pub struct QueueWorker {
    service: Arc<Matchmaking>,
    queue: Arc<Queue>,
    replica: ReplicaId,
    lease: Option<Lease>,
    places: Arc<Semaphore>,
    back_off: Arc<BackOff>,
    /// Notified when there is reason to match at once.
    waker: Arc<Notify>,
    /// The last run found more groups than there were places.
    crowded: Arc<AtomicBool>,
}

impl QueueWorker {
    /// The matchmaker of a queue at this replica. It holds no lease yet.
    #[must_use]
    pub fn new(service: Arc<Matchmaking>, queue: Arc<Queue>, replica: ReplicaId) -> Self {
        Self {
            service,
            queue,
            replica,
            lease: None,
            places: Arc::new(Semaphore::new(SEATING_AT_ONCE)),
            back_off: Arc::default(),
            waker: Arc::default(),
            crowded: Arc::default(),
        }
    }

    pub(super) const fn waker(&self) -> &Arc<Notify> {
        &self.waker
    }

    pub(super) const fn service(&self) -> &Arc<Matchmaking> {
        &self.service
    }

    pub(super) fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Whether it held the lease when it was last tended.
    #[must_use]
    pub const fn holds_lease(&self) -> bool {
        self.lease.is_some()
    }

    /// Takes, renews or gives back the lease, by which replica should have it.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`].
    pub async fn tend(&mut self, alive: &[ReplicaId]) -> Result<(), Error> {
        if share::preferred(&self.queue.id, alive) != Some(self.replica) {
            return self.resign().await;
        }
        let now_ms = self.service.clock.now_ms();
        let until_ms = now_ms.saturating_add(i64::from(self.service.timing.lease_ms));
        let store = &self.service.store;
        let lease = store.lease(&self.queue.id, self.replica, now_ms, until_ms).await?;
        if let Some(lease) = lease.as_ref().filter(|lease| self.lease.as_ref() != Some(lease)) {
            tracing::info!(queue = %lease.queue, epoch = lease.epoch.0, "matching the queue");
        }
        self.lease = lease;
        Ok(())
    }

    /// Gives the lease back.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`]; the lease then lapses.
    pub async fn resign(&mut self) -> Result<(), Error> {
        match self.lease.take() {
            Some(lease) => self.service.store.release(&lease).await,
            None => Ok(()),
        }
    }

    /// Takes over claims that a replica has left behind.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`].
    pub async fn adopt(&mut self) -> Result<Vec<Permitted<Claim>>, Error> {
        let Some(lease) = &self.lease else { return Ok(Vec::new()) };
        self.take_on(lease, Due::Overdue).await
    }

    async fn take_on(&self, lease: &Lease, due: Due) -> Result<Vec<Permitted<Claim>>, Error> {
        let (places, most) = self.free_places();
        let now_ms = self.service.clock.now_ms();
        let until_ms = self.claim_until(now_ms);
        let claims = self.service.store.take_on(lease, due, now_ms, until_ms, most).await?;
        Ok(permitted(claims, places))
    }

    /// Places for some claims that are there already, and how many.
    fn free_places(&self) -> (Vec<OwnedSemaphorePermit>, u32) {
        let mut places = Vec::new();
        while places.len() < TAKEN_ON_AT_ONCE as usize
            && let Ok(place) = Arc::clone(&self.places).try_acquire_owned()
        {
            places.push(place);
        }
        let most = u32::try_from(places.len()).unwrap_or(TAKEN_ON_AT_ONCE);
        (places, most)
    }

    /// Matches what waits and claims the groups, as many as can be seated now. What is to be seated
    /// are those that need no ready check, and those whose check is over.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`].
    pub async fn match_waiting(&mut self) -> Result<Vec<Permitted<Claim>>, Error> {
        let now_ms = self.service.clock.now_ms();
        let Some(lease) = self.lease.clone() else { return Ok(Vec::new()) };
        // Whoever began the ready check.
        let mut claims = self.take_on(&lease, Due::Checked).await?;
        if self.back_off.pauses(now_ms) || self.places.available_permits() == 0 {
            return Ok(claims);
        }
        let waiting = match self.service.store.waiting(&self.queue.id).await {
            Ok(waiting) => waiting,
            // What was taken on already must be seated all the same.
            Err(error) if !claims.is_empty() => {
                tracing::warn!(%error, queue = %self.queue.id, "who waits is not known");
                return Ok(claims);
            }
            Err(error) => return Err(error),
        };
        self.service.metrics.waiting(&self.queue.id, waiting.len());
        let candidates = waiting.iter().map(|ticket| Candidate::from(&**ticket)).collect();
        let begun = Instant::now();
        let groups = self.groups(candidates, now_ms).await;
        self.service.metrics.matched_in(&self.queue.id, begun.elapsed());
        for group in groups {
            let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
                self.crowded.store(true, Ordering::Relaxed);
                break;
            };
            // Many claims take their time, and each has its own.
            let now_ms = self.service.clock.now_ms();
            let claim = NewClaim {
                id: MatchId::random(),
                tickets: group.tickets,
                until_ms: self.claim_until(now_ms),
                ready_until_ms: self
                    .queue
                    .ready_check_ms
                    .map(|length_ms| now_ms.saturating_add(i64::from(length_ms))),
            };
            match self.service.store.claim(&lease, claim, now_ms).await {
                // Its players are asked first; nothing here waits for their answers.
                Ok(Claimed::Done(inner)) if inner.ready.is_some() => {}
                Ok(Claimed::Done(inner)) => claims.push(Permitted { inner, _place: place }),
                // A ticket was cancelled meanwhile; the others are matched again soon.
                Ok(Claimed::TicketGone) => {}
                Ok(Claimed::LeaseLost) => {
                    self.lease = None;
                    break;
                }
                // What was claimed already must be seated all the same.
                Err(error) => {
                    tracing::warn!(%error, queue = %self.queue.id, "a match could not be claimed");
                    break;
                }
            }
        }
        Ok(claims)
    }

    async fn groups(&self, candidates: Vec<Candidate>, now_ms: i64) -> Vec<Group> {
        let rules = self.queue.rules;
        if candidates.len() <= MATCHED_IN_PLACE {
            return matcher::groups(&rules, &candidates, now_ms);
        }
        let run = move || matcher::groups(&rules, &candidates, now_ms);
        tokio::task::spawn_blocking(run).await.unwrap_or_default()
    }

    fn claim_until(&self, now_ms: i64) -> i64 {
        now_ms.saturating_add(i64::from(self.service.timing.claim_ms))
    }

    /// Seats one claim, in a future of its own.
    pub fn seat(&self, claim: Permitted<Claim>) -> impl Future<Output = ()> + Send + 'static {
        let (service, queue) = (Arc::clone(&self.service), Arc::clone(&self.queue));
        let back_off = Arc::clone(&self.back_off);
        let (waker, crowded) = (Arc::clone(&self.waker), Arc::clone(&self.crowded));
        async move {
            let now = || service.clock.now_ms();
            match service.seat(&queue, &claim.inner).await {
                Ok(end) => {
                    service.metrics.match_ended(&queue.id, end);
                    match end {
                        MatchEnd::Seated => back_off.succeeded(),
                        MatchEnd::Refused | MatchEnd::Lost | MatchEnd::Undecided => {
                            back_off.failed(now());
                        }
                        MatchEnd::Elsewhere | MatchEnd::NotReady | MatchEnd::Superseded => {}
                    }
                }
                Err(error) => {
                    back_off.failed(now());
                    tracing::warn!(%error, claim = %claim.inner.id, "a claim was left for later");
                }
            }
            drop(claim);
            if crowded.swap(false, Ordering::Relaxed) {
                waker.notify_one();
            }
        }
    }
}
