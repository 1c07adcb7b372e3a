//! From decided steps to shown ones: append, publish, answer, and snapshots of what is durable.

use parlor_common::Failure;
use parlor_game::entry::encode;
use parlor_game::shell::Event;
use tokio::time::Instant;
use tracing::Instrument;

use super::pending::{Pending, append_span};
use super::run::Actor;
use crate::error::Error;
use crate::store::{Append, Durable, StoreError};
use crate::wire::envelope::Enveloped;

/// A snapshot is taken after so many entries, so that a take-over reads a short tail.
const SNAPSHOT_EVERY: u64 = 64;

impl<G: Enveloped> Actor<G> {
    /// Makes the pending steps durable, then shows them, then answers; until nothing is pending.
    pub(super) async fn flush(&mut self) -> Result<(), Error> {
        // To show a batch may make a step itself, of whoever turns out to listen no more.
        while !self.pending.is_empty() {
            self.flush_batch().await?;
        }
        Ok(())
    }

    async fn flush_batch(&mut self) -> Result<(), Error> {
        let ours = self.check_ownership().await;
        let batch = std::mem::take(&mut self.pending);
        if let Err(error) = ours {
            self.fail(batch, &Error::TableMoved { owner: None }.into());
            return Err(error);
        }
        let entries = batch.iter().map(|one| one.step.encoded.clone()).collect::<Vec<_>>();
        let append = Append {
            table: self.table_id(),
            epoch: self.epoch,
            after: self.core.seq - entries.len() as u64,
            entries,
        };
        let span = append_span(&batch);
        let started = Instant::now();
        let appended = self.setting.store.append(append).instrument(span).await;
        self.setting.metrics.appended(started.elapsed(), &appended);
        match appended {
            Ok(durable) => self.show(batch, durable).await,
            Err(error) => {
                self.fail(batch, &Error::from(error.clone()).into());
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Answers that steps did not become durable.
    fn fail(&self, batch: Vec<Pending<G::Event>>, failure: &Failure) {
        for one in batch {
            if let Some(answer) = one.answer {
                let _ = answer.send(Err(failure.clone()));
            }
            if let Some(taken) = one.taken {
                taken.end(&self.setting.metrics, Some(failure.code));
            }
        }
    }

    async fn show(&mut self, mut batch: Vec<Pending<G::Event>>, durable: Durable) {
        debug_assert_eq!(self.core.seq, durable.last_seq());
        let events = || batch.iter().flat_map(|one| &one.step.events);
        let hands = events().filter(|event| matches!(event, Event::HandEnded { .. })).count();
        let ended_hand = hands > 0 || events().any(|event| matches!(event, Event::Closed(_)));
        if hands > 0 {
            self.setting.metrics.hands(G::ID, hands as u64);
        }
        let waiting = |one: &mut Pending<_>| {
            let taken = one.taken.take();
            one.answer.take().map(|answer| (one.step.seq, answer, taken))
        };
        let answers: Vec<_> = batch.iter_mut().filter_map(waiting).collect();
        let steps = batch.into_iter().map(|one| one.step).collect();
        let gone = self.audience.publish(&self.core, steps);
        self.enter();
        for (seq, answer, taken) in answers {
            // The asker may have gone away.
            let _ = answer.send(Ok(seq));
            if let Some(taken) = taken {
                taken.end(&self.setting.metrics, None);
            }
        }
        for player in gone {
            self.connection(player, false);
        }
        if ended_hand || self.core.seq - self.snapshot_seq >= SNAPSHOT_EVERY {
            self.snapshot().await;
        }
    }

    /// Keeps a snapshot if that is possible now; it only shortens what is to be read again.
    pub(super) async fn snapshot(&mut self) {
        // A snapshot may hold only what is durable.
        if !self.pending.is_empty() {
            return;
        }
        match self.keep_snapshot().await {
            Ok(()) | Err(StoreError::Fenced { .. }) => {}
            Err(error) => {
                let table = self.table_id();
                tracing::warn!(%table, %error, "no snapshot of table {table} was kept");
            }
        }
    }

    pub(super) async fn keep_snapshot(&mut self) -> Result<(), StoreError> {
        let (table, seq) = (self.table_id(), self.core.seq);
        let bytes = encode(&self.core).into();
        self.setting.store.snapshot(table, self.epoch, seq, bytes).await?;
        self.snapshot_seq = seq;
        Ok(())
    }

    /// Whether entries have followed on the last snapshot.
    pub(super) const fn is_ahead_of_its_snapshot(&self) -> bool {
        self.core.seq > self.snapshot_seq
    }
}
