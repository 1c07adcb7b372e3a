//! What the subscribers of a table are told, each in its own view.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use parlor_common::PlayerId;
use parlor_game::shell::{Phase, Player, Table};
use parlor_game::{Seat, Viewer};
use parlor_proto::table::v1 as pb;
use prost::Message;
use tokio::time::Instant;

use super::fanout::{Delivery, Sent, Subscriber, SubscriptionKey};
use super::late::{Late, Scene, Until};
use crate::core::{Core, Step};
use crate::wire::envelope::Enveloped;
use crate::wire::table::{event_to, view_to};

/// Steps that are kept for viewers who come back after a break; further back they get a resync.
const KEPT: usize = 64;

/// The subscribers of a table, and what they were told lately.
#[derive(Debug)]
pub(super) struct Audience<G: Enveloped> {
    subscribers: Vec<Subscriber>,
    recent: VecDeque<Step<G::Event>>,
    /// `None`: spectators see what the players see.
    late: Option<Late>,
}

impl<G: Enveloped> Audience<G> {
    /// Nobody watches yet. Spectators see everything `delay` late.
    pub fn new(core: &Core<G>, delay: Duration) -> Self {
        let watchable = may_watch(&core.table, Viewer::Spectator);
        let late = (watchable && !delay.is_zero())
            .then(|| Late::new(delay, resync(core, Viewer::Spectator, 0)));
        Self { subscribers: Vec::new(), recent: VecDeque::new(), late }
    }

    /// Whether nobody watches.
    pub const fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// When there is something to be shown to spectators.
    pub fn release_at(&self) -> Option<Instant> {
        self.late.as_ref().and_then(Late::next_at)
    }

    /// Shows spectators what it is time for.
    pub fn release(&mut self, until: Until) {
        while let Some(scene) = self.late.as_mut().and_then(|late| late.pop(until)) {
            let spectators = self.subscribers.iter_mut();
            for one in spectators.filter(|one| one.viewer == Viewer::Spectator) {
                if scene.updates.is_empty() {
                    one.resync(scene.resync.clone());
                }
                if one.lagging {
                    continue;
                }
                for (plain, with_view) in &scene.updates {
                    let update = if one.with_views { with_view } else { plain };
                    if one.send(Delivery::Update(update.clone())) != Sent::Delivered {
                        break;
                    }
                }
            }
        }
    }

    /// The whole view of a viewer, as far as it may see it now.
    fn whole(&self, core: &Core<G>, viewer: Viewer) -> Option<Bytes> {
        match (&self.late, viewer) {
            (Some(late), Viewer::Spectator) => late.shown().cloned(),
            _ => Some(resync(core, viewer, self.spectators())),
        }
    }

    /// People who watch without a seat.
    pub fn spectators(&self) -> u32 {
        let watching = self.subscribers.iter().filter(|one| one.viewer == Viewer::Spectator);
        u32::try_from(watching.count()).unwrap_or(u32::MAX)
    }

    /// Whether a player still has a subscription.
    pub fn has(&self, player: PlayerId) -> bool {
        self.subscribers.iter().any(|one| one.player == Some(player))
    }

    /// Whether somebody is behind and has to be sent a resync.
    pub fn lags(&self) -> bool {
        self.subscribers.iter().any(|one| one.lagging)
    }

    /// How many resyncs took the place of updates since this was asked last.
    pub fn take_resyncs(&mut self) -> u64 {
        self.subscribers.iter_mut().map(|one| std::mem::take(&mut one.resyncs)).sum()
    }

    /// Adds a subscriber: it gets exactly what it has missed, or a resync.
    pub fn add(&mut self, core: &Core<G>, mut subscriber: Subscriber, after: Option<u64>) {
        self.subscribers.retain(|one| one.key != subscriber.key);
        let viewer = viewer_of(&core.table, subscriber.player);
        subscriber.viewer = viewer;
        let missed = after.and_then(|after| self.missed(core, viewer, after));
        subscriber.resyncs = u64::from(after.is_some() && missed.is_none());
        let sent = match missed {
            Some(missed) => {
                let last = missed.len().saturating_sub(1);
                missed.into_iter().enumerate().fold(Sent::Delivered, |sent, (place, step)| {
                    match sent {
                        Sent::Delivered => {
                            // A view shows the table as it is now: the last update carries it.
                            let with_views = subscriber.with_views && place == last;
                            let update = update(core, step, viewer, with_views, 0);
                            subscriber.send(Delivery::Update(update))
                        }
                        other => other,
                    }
                })
            }
            None => match self.whole(core, viewer) {
                Some(whole) => subscriber.send(Delivery::Resync(whole)),
                None => {
                    // There is nothing yet that it may see.
                    subscriber.lagging = true;
                    Sent::Delivered
                }
            },
        };
        if sent != Sent::Gone {
            self.subscribers.push(subscriber);
        }
    }

    /// Ends a subscription; gives its player.
    pub fn remove(&mut self, key: SubscriptionKey) -> Option<PlayerId> {
        let place = self.subscribers.iter().position(|one| one.key == key)?;
        self.subscribers.swap_remove(place).player
    }

    /// Ends all subscriptions.
    pub fn dismiss(&mut self, farewell: &Delivery) {
        for mut subscriber in self.subscribers.drain(..) {
            subscriber.send(farewell.clone());
        }
    }

    /// Tells everybody about steps that are durable. Gives the players who are gone.
    pub fn publish(&mut self, core: &Core<G>, batch: Vec<Step<G::Event>>) -> Vec<PlayerId> {
        let spectators = self.spectators();
        let mut made = Made::default();
        let mut gone = Vec::new();
        let shown = self.late.as_ref().map(Late::shown);
        for subscriber in &mut self.subscribers {
            if tell(core, subscriber, &batch, &mut made, (spectators, shown)) == Sent::Gone {
                gone.push((subscriber.key, subscriber.player));
            }
        }
        if let Some(late) = &mut self.late {
            let updates = spectated(core, &batch, spectators);
            if !updates.is_empty() {
                let resync = resync(core, Viewer::Spectator, spectators);
                late.push(Scene { updates, resync });
            }
        }
        self.subscribers.retain(|one| !gone.iter().any(|(key, _)| *key == one.key));
        for step in batch {
            if self.recent.len() == KEPT {
                self.recent.pop_front();
            }
            self.recent.push_back(step);
        }
        let players = gone.into_iter().filter_map(|(_, player)| player);
        players.filter(|player| !self.has(*player)).collect()
    }

    /// Sends a resync to those who are behind, if there is room for it now.
    pub fn catch_up(&mut self, core: &Core<G>) {
        for place in 0..self.subscribers.len() {
            let Some(player) = self.subscribers.get(place).filter(|one| one.lagging) else {
                continue;
            };
            let viewer = viewer_of(&core.table, player.player);
            let whole = self.whole(core, viewer);
            if let (Some(subscriber), Some(whole)) = (self.subscribers.get_mut(place), whole) {
                subscriber.viewer = viewer;
                subscriber.resync(whole);
            }
        }
    }

    fn missed(&self, core: &Core<G>, viewer: Viewer, after: u64) -> Option<Vec<&Step<G::Event>>> {
        let now = core.sequences.of(viewer);
        if !core.sequences.counts(viewer, after) {
            return None;
        }
        if after == now {
            return Some(Vec::new());
        }
        if after > now {
            return None;
        }
        let mut wanted = after + 1;
        let mut missed = Vec::new();
        for step in &self.recent {
            if step.shown.to(viewer) && step.sequences.of(viewer) == wanted {
                missed.push(step);
                wanted += 1;
            }
        }
        (wanted == now + 1).then_some(missed)
    }
}

/// Whether a viewer may watch: occupants may, and others where spectators are allowed, or where
/// they have been given the room's code and may still sit down.
pub(super) fn may_watch<G: Enveloped>(table: &Table<G>, viewer: Viewer) -> bool {
    matches!(viewer, Viewer::Seat(_))
        || table.settings.admission.spectators_allowed
        || !table.settings.room_code.is_empty()
}

/// Whose eyes a player has at a table.
pub(super) fn viewer_of<G: Enveloped>(table: &Table<G>, player: Option<PlayerId>) -> Viewer {
    let seat = player.and_then(|player| table.seat_of(Player(*player.as_bytes())));
    seat.map_or(Viewer::Spectator, |seat: Seat| Viewer::Seat(seat))
}

/// Updates that were made for one viewer and serve others with the same eyes, by the place of the
/// step in the batch.
type Made = Vec<(usize, Viewer, bool, Bytes)>;

/// What a batch is to spectators: each step without a view, and the same with one.
fn spectated<G: Enveloped>(
    core: &Core<G>,
    batch: &[Step<G::Event>],
    spectators: u32,
) -> Vec<(Bytes, Bytes)> {
    let shown = |step: &&Step<_>| step.shown.to(Viewer::Spectator);
    let last = batch.iter().rfind(shown).map(|step| step.seq);
    let both = |step: &Step<_>| {
        let plain = update(core, step, Viewer::Spectator, false, spectators);
        let with_view = if Some(step.seq) == last {
            update(core, step, Viewer::Spectator, true, spectators)
        } else {
            plain.clone()
        };
        (plain, with_view)
    };
    batch.iter().filter(shown).map(both).collect()
}

/// Tells one subscriber about a batch. `shown`: what spectators see, where they see it late.
fn tell<G: Enveloped>(
    core: &Core<G>,
    subscriber: &mut Subscriber,
    batch: &[Step<G::Event>],
    made: &mut Made,
    (spectators, shown): (u32, Option<Option<&Bytes>>),
) -> Sent {
    let viewer = viewer_of(&core.table, subscriber.player);
    let old = std::mem::replace(&mut subscriber.viewer, viewer);
    let closed = core.table.phase == Phase::Closed;
    let late = shown.is_some() && old == Viewer::Spectator;
    if !subscriber.lagging && !late {
        // What moves a viewer to another place is the last that it learns in its old one.
        let shown = |(_, step): &(usize, &Step<_>)| step.shown.to(old);
        let last = batch.iter().enumerate().rfind(shown).map(|(place, _)| place);
        for (place, step) in batch.iter().enumerate().filter(shown) {
            // A view shows the table after the whole batch: only the last update carries one.
            // Nobody takes a seat of a closed table: its old eyes may see how it ended.
            let same = viewer == old || closed;
            let with_views = subscriber.with_views && same && Some(place) == last;
            let known = made
                .iter()
                .find(|(step, eyes, views, _)| (*step, *eyes, *views) == (place, old, with_views));
            let bytes = match known {
                Some((.., bytes)) => bytes.clone(),
                None => {
                    let bytes = update(core, step, old, with_views, spectators);
                    made.push((place, old, with_views, bytes.clone()));
                    bytes
                }
            };
            if subscriber.send(Delivery::Update(bytes)) != Sent::Delivered {
                break;
            }
        }
    }
    if !may_watch(&core.table, viewer) {
        subscriber.send(Delivery::Closed(if closed { "table_closed" } else { "left" }));
        return Sent::Gone;
    }
    if viewer != old || (subscriber.lagging && !late) {
        return match shown.filter(|_| viewer == Viewer::Spectator) {
            None => subscriber.resync(resync(core, viewer, spectators)),
            Some(Some(shown)) => subscriber.resync(shown.clone()),
            Some(None) => {
                subscriber.lagging = true;
                Sent::Delivered
            }
        };
    }
    if subscriber.sink.is_closed() { Sent::Gone } else { Sent::Delivered }
}

fn update<G: Enveloped>(
    core: &Core<G>,
    step: &Step<G::Event>,
    viewer: Viewer,
    with_views: bool,
    spectators: u32,
) -> Bytes {
    let mut events: Vec<pb::TableEvent> = Vec::with_capacity(step.events.len());
    for (event, aside) in step.events.iter().zip(&step.asides) {
        for event in event_to(&core.table, event, aside, viewer) {
            // A seat or the clocks are told in their newest state: once a step is enough.
            events.retain(|told| !supersedes(&event, told));
            events.push(pb::TableEvent { event: Some(event) });
        }
    }
    let update = pb::TableUpdate {
        table_id: parlor_common::TableId::from_bytes(core.table.id).to_string(),
        seq: step.sequences.of(viewer),
        time_ms: step.time_ms,
        events,
        view: with_views.then(|| view_to(&core.table, viewer, spectators)),
    };
    update.encode_to_vec().into()
}

fn supersedes(new: &pb::table_event::Event, old: &pb::TableEvent) -> bool {
    use pb::table_event::Event as Out;
    match (new, &old.event) {
        (Out::SeatChanged(new), Some(Out::SeatChanged(old))) => {
            new.seat.as_ref().map(|seat| seat.seat) == old.seat.as_ref().map(|seat| seat.seat)
        }
        (Out::Clocks(_), Some(Out::Clocks(_))) => true,
        _ => false,
    }
}

fn resync<G: Enveloped>(core: &Core<G>, viewer: Viewer, spectators: u32) -> Bytes {
    let resync = pb::TableResync {
        table_id: parlor_common::TableId::from_bytes(core.table.id).to_string(),
        seq: core.sequences.of(viewer),
        time_ms: core.time_ms,
        view: Some(view_to(&core.table, viewer, spectators)),
    };
    resync.encode_to_vec().into()
}
