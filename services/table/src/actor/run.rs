//! The actor's loop.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{Failure, PlayerId, TableId};
use parlor_game::entry::{Opening, decode};
use parlor_game::shell::{Chance, Input, Outcome, Phase, Player};
use parlor_proto::table::v1 as pb;
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::fanout::{Delivery, Subscriber};
use super::idle::IdleSince;
use super::late::Until;
use super::outbox::{Errand, hand_of, meet, until};
use super::pending::{Pending, Taken};
use super::setting::{Ended, Run, Setting};
use super::viewer::{Audience, may_watch, viewer_of};
use super::{Act, Message, Subscribe};
use crate::cluster::Term;
use crate::core::{Core, Origin, RequestKey};
use crate::error::{Error, refused};
use crate::metrics::Owed;
use crate::register::Line;
use crate::store::{APPEND_MAX, StoreError, Stored};
use crate::wire::command::command_from;
use crate::wire::envelope::Enveloped;
use crate::wire::table::{phase_to, view_to};

/// Steps of one batch: they share one append.
const BATCH_MAX: usize = 64;
/// How often subscribers that fell behind are tried again.
const CATCH_UP: Duration = Duration::from_millis(100);
/// How long the players of a table that was just taken up have to come back, before those who have
/// not are marked as away.
const COME_BACK: Duration = Duration::from_secs(5);
/// Longest wait for a lease that has run out, before those who ask are sent to look elsewhere.
const LEASE_WAIT: Duration = Duration::from_secs(3);

const _: () = assert!(BATCH_MAX <= APPEND_MAX);

/// The owner of one table.
pub struct Actor<G: Enveloped> {
    pub(super) core: Core<G>,
    pub(super) epoch: u64,
    pub(super) setting: Setting,
    pub(super) audience: Audience<G>,
    pub(super) pending: Vec<Pending<G::Event>>,
    /// The obligation that is being worked on.
    meeting: Option<u64>,
    /// What was last said to be owed.
    owed: Owed,
    pub(super) snapshot_seq: u64,
    /// The term of the lease in which the table was last known to be ours.
    term: Term,
    /// When players who have not come back after a change of owner are marked as away.
    pub(super) away_at: Option<Instant>,
    /// What the register has of the table.
    pub(super) entered: Option<Line>,
    pub(super) idle_since: IdleSince,
    chance: Box<dyn Chance + Send>,
}

impl<G: Enveloped> Actor<G> {
    /// The owner of a table as far as it is known; the log holds everything up to it.
    #[must_use]
    pub fn new(core: Core<G>, epoch: u64, snapshot_seq: u64, setting: Setting) -> Self {
        let chance = (setting.chance)(TableId::from_bytes(core.table.id));
        Self {
            epoch,
            term: setting.lease.term().unwrap_or_default(),
            audience: Audience::new(&core, setting.upkeep.spectator_delay),
            pending: Vec::new(),
            meeting: None,
            owed: Owed::default(),
            snapshot_seq,
            away_at: None,
            entered: None,
            idle_since: None,
            chance,
            core,
            setting,
        }
    }

    /// The owner of a table as it was kept.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn restore(stored: &Stored, setting: Setting) -> Result<Self, Error> {
        let opening = decode::<Opening>(&stored.opening)?;
        if opening.game != G::ID {
            return Err(Error::Unreadable);
        }
        let core = Core::recover(&opening, stored)?;
        let snapshot_seq = stored.snapshot.as_ref().map_or(0, |(seq, _)| *seq);
        let mut actor = Self::new(core, stored.epoch, snapshot_seq, setting);
        actor.away_at = Some(Instant::now() + COME_BACK);
        Ok(actor)
    }

    /// The table's id.
    #[must_use]
    pub fn table_id(&self) -> TableId {
        TableId::from_bytes(self.core.table.id)
    }

    /// Takes the input with which the table begins; gives the entries to create it with.
    ///
    /// # Errors
    /// The stable reason for which it is refused.
    pub fn first(&mut self, input: &Input<G::Command>) -> Result<Vec<Bytes>, parlor_game::Refusal> {
        self.take(input, Origin::default())?;
        // Nobody is told of this step: whoever comes begins after it.
        self.audience = Audience::new(&self.core, self.setting.upkeep.spectator_delay);
        Ok(self.pending.drain(..).map(|one| one.step.encoded).collect())
    }

    /// Seats of the table, by player.
    #[must_use]
    pub fn seats_of(&self, players: &[Player]) -> Vec<Option<u8>> {
        players.iter().map(|player| self.core.table.seat_of(*player).map(|seat| seat.0)).collect()
    }

    async fn work(
        &mut self,
        mailbox: &mut mpsc::Receiver<Message>,
        own: &mpsc::WeakSender<Message>,
    ) -> Result<Ended, Error> {
        if self.core.is_under_new_rules() {
            // Whoever reads the log next has to know that the hands from here on are under them.
            self.keep_snapshot().await?;
        }
        loop {
            self.tick();
            self.flush().await?;
            self.meet_obligation(own);
            self.tell();
            if self.settled() {
                self.setting.store.remove(self.table_id(), self.epoch).await?;
                return Ok(Ended::Closed);
            }
            let deadline = self.core.table.next_deadline();
            let clock = self.setting.clock.clone();
            let lags = self.audience.lags();
            let (away_at, sleep_at) = (self.away_at, self.sleep_at());
            let release_at = self.audience.release_at();
            tokio::select! {
                biased;
                () = self.setting.halt.cancelled() => {
                    self.snapshot().await;
                    return Ok(Ended::Stopped);
                }
                message = mailbox.recv() => match message {
                    Some(message) => if let Some(ended) = self.drain(message, mailbox).await? {
                        return Ok(ended);
                    },
                    None => return Ok(Ended::Stopped),
                },
                () = tokio::time::sleep(deadline.map_or(Duration::MAX, |at| until(&clock, at))),
                    if deadline.is_some() => {}
                () = tokio::time::sleep(CATCH_UP), if lags => self.audience.catch_up(&self.core),
                () = at(away_at), if away_at.is_some() => {
                    // Whoever was connected to the last owner and has not subscribed anew.
                    self.away_at = None;
                    self.mark_all_away();
                }
                () = at(release_at), if release_at.is_some() => self.audience.release(Until::Now),
                () = at(sleep_at), if sleep_at.is_some() => {
                    if let Some(ended) = self.fall_asleep().await {
                        return Ok(ended);
                    }
                }
            }
        }
    }

    /// Deals with a message and with those that lie behind it, as one batch.
    async fn drain(
        &mut self,
        first: Message,
        mailbox: &mut mpsc::Receiver<Message>,
    ) -> Result<Option<Ended>, Error> {
        let mut next = Some(first);
        while let Some(message) = next {
            if let Message::HandOver(wish) = message {
                return self.hand_over(wish).await;
            }
            self.receive(message).await?;
            if self.pending.len() >= BATCH_MAX {
                break;
            }
            next = mailbox.try_recv().ok();
        }
        self.flush().await?;
        Ok(None)
    }

    async fn receive(&mut self, message: Message) -> Result<(), Error> {
        match message {
            Message::Act(act) => self.act(act),
            Message::Subscribe(subscribe) => {
                // A subscriber starts from what is published.
                self.flush().await?;
                self.check_ownership().await?;
                self.subscribe(subscribe);
            }
            Message::Unsubscribe(key) => {
                if let Some(player) = self.audience.remove(key)
                    && !self.audience.has(player)
                {
                    self.connection(player, false);
                }
            }
            Message::Obligation(id, outcome) => self.answered(id, outcome),
            Message::View(answer) => {
                self.flush().await?;
                self.check_ownership().await?;
                let viewer = parlor_game::Viewer::Spectator;
                // The asker may have gone away.
                let _ = answer.send(view_to(&self.core.table, viewer, self.audience.spectators()));
            }
            Message::Summary(answer) => {
                let _ = answer.send(self.summary());
            }
            Message::Seated(player, answer) => {
                let _ = answer.send(self.core.table.seat_of(player).is_some());
            }
            Message::Close(reason, answer) => {
                let closed = self.take(&Input::Close(reason), Origin::default());
                self.flush().await?;
                let _ = answer.send(closed.map(|_| ()).map_err(|refusal| self.failure(&refusal)));
            }
            Message::Recheck => self.recheck_ownership().await?,
            // Dealt with before this, because it may end the actor.
            Message::HandOver(_) => {}
        }
        Ok(())
    }

    /// Makes sure that no other pod owns the table, where that is possible: the lease has not run
    /// out since the last time.
    pub(super) async fn check_ownership(&mut self) -> Result<(), Error> {
        let term = self.held_term().await?;
        if term == self.term { Ok(()) } else { self.ask_for_owner(term).await }
    }

    /// The same when the store has to be asked in any case.
    async fn recheck_ownership(&mut self) -> Result<(), Error> {
        let term = self.held_term().await?;
        self.ask_for_owner(term).await
    }

    async fn held_term(&mut self) -> Result<Term, Error> {
        let held = self.setting.lease.held(LEASE_WAIT).await;
        held.ok_or(Error::TableMoved { owner: None })
    }

    async fn ask_for_owner(&mut self, term: Term) -> Result<(), Error> {
        let head = self.setting.store.head(self.table_id()).await?;
        if head.epoch != self.epoch {
            return Err(StoreError::Fenced { epoch: head.epoch }.into());
        }
        self.term = term;
        Ok(())
    }

    fn act(&mut self, act: Act) {
        let taken = Taken::new(self.table_id(), G::ID, &act.trace);
        let request = request_key(act.player, &act.request_id);
        if let Some(seq) = self.core.repeated(&request) {
            // Its step may still be waiting for the log: then the answer waits with it.
            let waiting = self.pending.iter_mut().find(|one| one.step.seq == seq);
            match waiting {
                // The first asker may have lost its connection, and asks again over another.
                Some(one) if one.answer.as_ref().is_none_or(oneshot::Sender::is_closed) => {
                    one.answer = Some(act.answer);
                }
                Some(_) => self.refuse(taken, act.answer, Error::Busy.into()),
                None => {
                    let _ = act.answer.send(Ok(seq));
                    taken.end(&self.setting.metrics, None);
                }
            }
            return;
        }
        let command = match command_from::<G>(act.command, &act.name) {
            Ok(command) => command,
            Err(error) => return self.refuse(taken, act.answer, error.into()),
        };
        let input = Input::Player(Player(*act.player.as_bytes()), command);
        let trace = taken.trace(act.trace);
        match self.take(&input, Origin { request: Some(request), trace }) {
            Ok(_) => {
                // A request always gets an entry, so the last step is its own.
                if let Some(pending) = self.pending.last_mut() {
                    (pending.answer, pending.taken) = (Some(act.answer), Some(taken));
                }
            }
            Err(refusal) => self.refuse(taken, act.answer, self.failure(&refusal)),
        }
    }

    fn refuse(
        &self,
        taken: Taken,
        answer: oneshot::Sender<Result<u64, Failure>>,
        failure: Failure,
    ) {
        let code = failure.code;
        // The asker may have gone away.
        let _ = answer.send(Err(failure));
        taken.end(&self.setting.metrics, Some(code));
    }

    fn subscribe(&mut self, subscribe: Subscribe) {
        let Subscribe { key, player, with_views, after, sink } = subscribe;
        let viewer = viewer_of(&self.core.table, player);
        let mut subscriber =
            Subscriber { key, player, viewer, with_views, lagging: false, sink, resyncs: 0 };
        if !may_watch(&self.core.table, viewer) {
            subscriber.send(Delivery::Closed("not_allowed"));
            return;
        }
        self.audience.add(&self.core, subscriber, after);
        if let Some(player) = player {
            self.connection(player, true);
        }
    }

    pub(super) fn connection(&mut self, player: PlayerId, connected: bool) {
        let player = Player(*player.as_bytes());
        self.own_step(&Input::Connection { player, connected });
    }

    fn mark_all_away(&mut self) {
        let here = |player: &Player| !self.audience.has(PlayerId::from_bytes(player.0));
        let away: Vec<_> =
            self.core.table.people().map(|(_, one)| one.player).filter(here).collect();
        for player in away {
            self.own_step(&Input::Connection { player, connected: false });
        }
    }

    fn answered(&mut self, id: u64, outcome: Outcome) {
        if self.meeting == Some(id) {
            self.meeting = None;
        }
        self.own_step(&Input::Obligation { id, outcome });
    }

    /// Acts upon deadlines that have passed.
    fn tick(&mut self) {
        while self.pending.len() < BATCH_MAX
            && self.core.table.next_deadline().is_some_and(|at| at <= self.setting.clock.now_ms())
        {
            if !self.own_step(&Input::Tick) {
                return;
            }
        }
    }

    /// A step that nobody waits for; whether it did something.
    fn own_step(&mut self, input: &Input<G::Command>) -> bool {
        match self.take(input, Origin::default()) {
            Ok(stepped) => stepped,
            Err(refusal) => {
                let table = self.table_id();
                tracing::error!(%table, reason = refusal.reason,
                    "table {table} refused a step of its own");
                false
            }
        }
    }

    /// Decides, and keeps the step until it is durable; whether there is one.
    fn take(
        &mut self,
        input: &Input<G::Command>,
        origin: Origin,
    ) -> Result<bool, parlor_game::Refusal> {
        let now_ms = self.setting.clock.now_ms();
        let step = self.core.step(input, origin, self.epoch, now_ms, &mut *self.chance)?;
        let Some(step) = step else { return Ok(false) };
        self.pending.push(Pending { step, answer: None, taken: None });
        Ok(true)
    }

    /// Enters the table into the register, where its line has changed.
    pub(super) fn enter(&mut self) {
        let table = &self.core.table;
        let people = table.occupants().filter(|(_, occupant)| !occupant.bot);
        let line = Line {
            players: people.map(|(_, occupant)| occupant.player).collect(),
            code: table.settings.room_code.clone(),
        };
        if self.entered.as_ref() != Some(&line) {
            self.setting.register.enter(self.table_id(), line.clone());
            self.entered = Some(line);
        }
    }

    fn meet_obligation(&mut self, own: &mpsc::WeakSender<Message>) {
        let Some(obligation) = self.core.table.obligations.front() else { return };
        if self.meeting.is_some() {
            return;
        }
        self.meeting = Some(obligation.id);
        let record = hand_of(&obligation.duty)
            .and_then(|hand| self.core.recorder.finished(hand))
            .unwrap_or_default()
            .to_vec();
        let errand = Errand {
            table: self.table_id(),
            obligation: obligation.clone(),
            record,
            origin: self.core.trace_of(obligation.id).to_owned(),
        };
        let Setting { shutdown, halt, treasury, .. } = &self.setting;
        meet(shutdown, halt.clone(), Arc::clone(treasury), own.clone(), errand);
    }

    /// Tells what the metrics do not know yet: resyncs, and what the table owes.
    fn tell(&mut self) {
        self.setting.metrics.resyncs(self.audience.take_resyncs());
        let obligations = &self.core.table.obligations;
        let (duties, first) =
            (obligations.len() as u64, obligations.front().map_or(0, |first| first.id));
        if (duties, first) == (self.owed.duties, self.owed.first) {
            return;
        }
        let newly = first != self.owed.first;
        let since_ms = if newly { self.core.time_ms } else { self.owed.since_ms };
        self.owed = Owed { duties, first, since_ms };
        self.setting.metrics.owes(self.table_id(), self.owed);
    }

    /// Whether the table is closed and owes nothing any more.
    fn settled(&self) -> bool {
        let table = &self.core.table;
        table.phase == Phase::Closed
            && table.obligations.is_empty()
            && table.occupants().next().is_none()
    }

    pub(super) fn summary(&self) -> pb::TableSummary {
        let table = &self.core.table;
        let count = |bot: bool| {
            let occupants = table.occupants().filter(|(_, occupant)| occupant.bot == bot).count();
            u32::try_from(occupants).unwrap_or(u32::MAX)
        };
        pb::TableSummary {
            table_id: self.table_id().to_string(),
            game: G::ID.to_owned(),
            phase: phase_to(table.phase).into(),
            hand_no: table.hands_started,
            seats: table.settings.seats.into(),
            players: count(false),
            bots: count(true),
            spectators: self.audience.spectators(),
            seq: self.core.seq,
            room_code: table.settings.room_code.clone(),
            watchable: table.settings.admission.spectators_allowed,
        }
    }

    fn failure(&self, refusal: &parlor_game::Refusal) -> Failure {
        let game = G::REASONS.contains(&refusal.reason);
        refused(if game { G::ID } else { "TABLE" }, refusal)
    }
}

#[async_trait]
impl<G: Enveloped> Run for Actor<G> {
    fn epoch(&self) -> u64 {
        self.epoch
    }

    async fn run(
        mut self: Box<Self>,
        mailbox: &mut mpsc::Receiver<Message>,
        own: &mpsc::WeakSender<Message>,
    ) -> Ended {
        self.enter();
        let ended = match self.work(mailbox, own).await {
            Ok(ended) => ended,
            Err(Error::Store(StoreError::Fenced { .. })) => Ended::Moved(None),
            Err(error) => Ended::Failed(error),
        };
        if matches!(ended, Ended::Closed) {
            self.audience.release(Until::End);
        }
        let farewell = match &ended {
            Ended::Closed => Delivery::Closed("table_closed"),
            Ended::Moved(owner) => Delivery::moved(owner.as_ref()),
            Ended::Stopped | Ended::Failed(_) | Ended::Asleep(_) => Delivery::Closed("table_moved"),
        };
        self.audience.dismiss(&farewell);
        // Whoever owns it next says so.
        self.setting.metrics.owes(self.table_id(), Owed::default());
        ended
    }
}

/// Waits for a moment; for ever without one.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// SHA-256 of the player and of the id that the client chose, cut to 16 bytes.
fn request_key(player: PlayerId, request_id: &str) -> RequestKey {
    let mut hash = Sha256::new();
    hash.update(player.as_bytes());
    hash.update(request_id.as_bytes());
    let mut key = [0; 16];
    key.copy_from_slice(&hash.finalize()[..16]);
    key
}
