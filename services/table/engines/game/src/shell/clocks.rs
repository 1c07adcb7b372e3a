//! Deadlines: starting and stopping them, and acting when they have passed.

use alloc::vec;
use alloc::vec::Vec;

use crate::contract::{Actor, Audience, Awaiting, Game, Pending, Viewer};
use crate::refusal::Refusal;
use crate::shell::answer::Moment;
use crate::shell::event::{Event, Freed, SeatClock, SystemClock};
use crate::shell::state::{Occupant, Phase, Table, Tenure};
use crate::units::Seat;

/// A seat that lets its time run out so often in a row goes to auto-play.
const TIMEOUTS_MAX: u8 = 2;

impl<G: Game> Table<G> {
    /// The earliest deadline, in milliseconds since the Unix epoch: give [`Input::Tick`] then.
    ///
    /// [`Input::Tick`]: crate::shell::Input::Tick
    #[must_use]
    pub fn next_deadline(&self) -> Option<i64> {
        if self.phase == Phase::Closed {
            return None;
        }
        let reserved = self.occupants().filter_map(|(_, occupant)| match occupant.tenure {
            Tenure::Reserved { until_ms } => Some(until_ms),
            _ => None,
        });
        let patience = self.occupants().filter_map(|(_, occupant)| self.patience_ms(occupant));
        self.clocks
            .iter()
            .map(|clock| clock.deadline_ms)
            .chain(self.system_clock.map(|clock| clock.at_ms))
            .chain(self.start_at_ms)
            .chain(self.vote.as_ref().map(|vote| vote.deadline_ms))
            .chain(reserved)
            .chain(patience)
            .min()
    }

    /// Acts upon one deadline that has passed; no event when none has.
    pub(super) fn tick(&self, moment: &mut Moment<'_>) -> Result<Vec<Event<G::Event>>, Refusal> {
        let now_ms = moment.now_ms;
        if self.vote.as_ref().is_some_and(|vote| vote.deadline_ms <= now_ms) {
            return Ok(self.close("dissolved"));
        }
        if self.start_at_ms.is_some_and(|at_ms| at_ms <= now_ms) {
            return Ok(self.deal(now_ms));
        }
        if let Some((seat, occupant)) = self.overdue_occupant(now_ms) {
            return Ok(self.overdue(seat, occupant, now_ms));
        }
        if self.phase != Phase::InHand || self.paused {
            return Ok(Vec::new());
        }
        if self.system_clock.is_some_and(|clock| clock.at_ms <= now_ms) {
            return self.system_step();
        }
        let due = self.clocks.iter().filter(|clock| clock.deadline_ms <= now_ms);
        match due.min_by_key(|clock| (clock.deadline_ms, clock.seat)) {
            Some(clock) => self.act_for(*clock, now_ms),
            None => Ok(Vec::new()),
        }
    }

    fn overdue_occupant(&self, now_ms: i64) -> Option<(Seat, &Occupant)> {
        self.occupants().find(|(_, occupant)| match occupant.tenure {
            Tenure::Reserved { until_ms } => until_ms <= now_ms,
            _ => self.patience_ms(occupant).is_some_and(|until_ms| until_ms <= now_ms),
        })
    }

    fn overdue(&self, seat: Seat, occupant: &Occupant, now_ms: i64) -> Vec<Event<G::Event>> {
        if matches!(occupant.tenure, Tenure::Reserved { .. }) {
            return vec![Self::freed(seat, Freed::Expired)];
        }
        if self.may_go(seat) {
            return vec![Self::freed(seat, Freed::Away)];
        }
        self.auto_play_changed(seat, true, now_ms)
    }

    fn system_step(&self) -> Result<Vec<Event<G::Event>>, Refusal> {
        let (Some(system), Some(hand)) = (G::awaiting(&self.game).system, &self.hand) else {
            return Ok(vec![Event::SystemClockSet(None)]);
        };
        let events = G::decide(&self.game, Actor::System, &system.command, &hand.entropy)?;
        Ok([Event::SystemClockSet(None)]
            .into_iter()
            .chain(events.into_iter().map(Event::Play))
            .collect())
    }

    /// Plays for a seat whose clock has run out: a bot's choice, or the rule's default.
    fn act_for(&self, clock: SeatClock, now_ms: i64) -> Result<Vec<Event<G::Event>>, Refusal> {
        let seat = clock.seat;
        let stopped = clock_stopped(&clock, now_ms).collect();
        let pending = G::awaiting(&self.game).seats.into_iter().find(|owed| owed.seat == seat);
        let (Some(pending), Some(hand)) = (pending, &self.hand) else { return Ok(stopped) };
        let occupant = self.occupant(seat);
        let mut events = stopped;
        let bot = occupant.is_some_and(|occupant| occupant.bot);
        let chosen = bot.then(|| G::bot(&G::view(&self.game, Viewer::Seat(seat)))).flatten();
        if let Some(occupant) = occupant.filter(|occupant| !occupant.bot && !occupant.auto_play) {
            events.push(Event::TimedOut(seat, clock.secret));
            // On a secret decision the change would tell the others of it: it waits for a turn.
            if occupant.timeouts + 1 >= TIMEOUTS_MAX && !clock.secret {
                events.push(Event::AutoPlayed(seat, true));
            }
        }
        let actor = Actor::Seat(seat);
        let played = chosen
            .and_then(|command| G::decide(&self.game, actor, &command, &hand.entropy).ok())
            .map_or_else(|| G::decide(&self.game, actor, &pending.default, &hand.entropy), Ok)?;
        events.extend(played.into_iter().map(Event::Play));
        Ok(events)
    }

    /// Brings the running clocks in line with what the game waits for.
    pub(super) fn sync_clocks(&self, moment: &mut Moment<'_>) -> Vec<Event<G::Event>> {
        let awaiting = if self.phase == Phase::InHand && !self.paused {
            G::awaiting(&self.game)
        } else {
            Awaiting::default()
        };
        let mut events = Vec::new();
        for clock in &self.clocks {
            let runs =
                |owed: &Pending<_>| owed.seat == clock.seat && owed.decision == clock.decision;
            if !awaiting.seats.iter().any(runs) {
                events.extend(clock_stopped(clock, moment.now_ms));
            }
        }
        for owed in &awaiting.seats {
            let running = self.clock(owed.seat).filter(|clock| clock.decision == owed.decision);
            if running.is_none() {
                events.extend(self.start_clock(owed, moment));
            }
        }
        let system = awaiting.system.as_ref();
        match (system, self.system_clock) {
            (Some(owed), clock) if clock.is_none_or(|clock| clock.decision != owed.decision) => {
                let pause = moment.chance.between(owed.min_ms, owed.max_ms.max(owed.min_ms));
                let at_ms = moment.now_ms + i64::from(pause);
                let clock = SystemClock { decision: owed.decision, at_ms };
                events.push(Event::SystemClockSet(Some(clock)));
            }
            (None, Some(_)) => events.push(Event::SystemClockSet(None)),
            _ => {}
        }
        events
    }

    fn start_clock(
        &self,
        owed: &Pending<G::Command>,
        moment: &mut Moment<'_>,
    ) -> Vec<Event<G::Event>> {
        let pacing = &self.settings.pacing;
        let occupant = self.occupant(owed.seat);
        let secret = owed.audience == Audience::Own;
        let tired = |occupant: &&Occupant| {
            !occupant.bot && !occupant.auto_play && occupant.timeouts >= TIMEOUTS_MAX && !secret
        };
        let tires = occupant.filter(tired).is_some();
        let bank_ms = match occupant {
            // How long somebody thinks about a secret offer would tell of it.
            Some(occupant) if !occupant.bot && !secret => occupant.time_bank_ms,
            _ => 0,
        };
        let limit_ms = moment.now_ms + i64::from(owed.clock_ms) + i64::from(bank_ms);
        let wait = match occupant {
            Some(occupant) if occupant.bot => {
                Some(moment.chance.between(pacing.bot_delay_min_ms, pacing.bot_delay_max_ms))
            }
            Some(occupant) if occupant.auto_play || tires => Some(pacing.auto_play_delay_ms),
            _ => None,
        };
        let wait = wait.map(|wait| moment.now_ms + i64::from(wait.min(owed.clock_ms)));
        let clock = SeatClock {
            seat: owed.seat,
            decision: owed.decision,
            deadline_ms: wait.unwrap_or(limit_ms),
            limit_ms,
            bank_ms,
            secret,
        };
        let tires = tires.then_some(Event::AutoPlayed(owed.seat, true));
        tires.into_iter().chain([Event::ClockStarted(clock)]).collect()
    }
}

/// The end of a clock; whatever went beyond the rule's own time is gone from the time bank.
fn clock_stopped<E>(clock: &SeatClock, now_ms: i64) -> impl Iterator<Item = Event<E>> + use<E> {
    let left_ms = (clock.limit_ms - now_ms).clamp(0, i64::from(clock.bank_ms));
    let left_ms = u32::try_from(left_ms).unwrap_or(0);
    let drawn = (left_ms < clock.bank_ms).then_some(Event::TimeBankLeft(clock.seat, left_ms));
    drawn.into_iter().chain([Event::ClockStopped(clock.seat, clock.secret)])
}
