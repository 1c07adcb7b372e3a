//! What an input does, before the table goes on by itself.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::contract::{Actor, Game};
use crate::fair::CLIENT_SEED_MAX;
use crate::refusal::Refusal;
use crate::shell::event::{Event, Freed};
use crate::shell::input::{Command, EXPRESSION_MAX, Input, Outcome, Player};
use crate::shell::state::{Duty, Occupant, Phase, Table, Tenure};
use crate::units::Seat;

/// Most rounds of follow-up after one input. A sound table needs a dozen; the bound turns a fault
/// into a pause instead of a loop.
const FOLLOW_MAX: usize = 128;

/// Shortest pause between two emotes or sentences of one seat, in milliseconds.
const EXPRESSION_PAUSE_MS: i64 = 1_000;

/// Where a table gets what no rule decides: seeds and the length of pauses.
pub trait Chance {
    /// 32 bytes from the operating system.
    fn seed(&mut self) -> [u8; 32];
    /// The seed of the deal of this name, the same at every table; `None` where such deals are not
    /// given.
    fn shared_seed(&mut self, name: &str) -> Option<[u8; 32]>;
    /// A number between the two, both included.
    fn between(&mut self, least: u32, most: u32) -> u32;
}

/// Looks on while a table changes: for records and for per-viewer counts.
pub trait Observer<G: Game> {
    /// Is called with each event and with the table as it was just before it.
    fn observe(&mut self, before: &Table<G>, event: &Event<G::Event>);
}

impl<G: Game> Observer<G> for () {
    fn observe(&mut self, _: &Table<G>, _: &Event<G::Event>) {}
}

/// For a check, which decides nothing.
struct NoChance;

impl Chance for NoChance {
    fn seed(&mut self) -> [u8; 32] {
        [0; 32]
    }

    fn shared_seed(&mut self, _: &str) -> Option<[u8; 32]> {
        None
    }

    fn between(&mut self, least: u32, _: u32) -> u32 {
        least
    }
}

/// The time and the chance of one step.
pub struct Moment<'a> {
    /// Milliseconds since the Unix epoch; never less than at the step before.
    pub now_ms: i64,
    /// Seeds and pauses.
    pub chance: &'a mut dyn Chance,
}

impl<G: Game> Table<G> {
    /// Deals with an input and with everything that follows from it, and takes notice of it all.
    ///
    /// No event means that there was nothing to do. Nothing may be shown to anybody before the
    /// events are durable; when they cannot be made durable, the table must be read again from the
    /// log, since it is ahead of it.
    ///
    /// # Errors
    /// The stable reason for which the input is refused; the table is unchanged.
    pub fn step(
        &mut self,
        input: &Input<G::Command>,
        moment: &mut Moment<'_>,
        observer: &mut dyn Observer<G>,
    ) -> Result<Vec<Event<G::Event>>, Refusal> {
        let mut events = self.answer(input, moment)?;
        self.take_notice(&events, observer);
        for _ in 0..FOLLOW_MAX {
            let more = self.follow(moment);
            if more.is_empty() {
                break;
            }
            self.take_notice(&more, observer);
            events.extend(more);
        }
        Ok(events)
    }

    /// Folds events that are known to have happened: a step, or a replay of the log.
    pub fn take_notice(&mut self, events: &[Event<G::Event>], observer: &mut dyn Observer<G>) {
        for event in events {
            observer.observe(self, event);
            self.evolve(event);
        }
    }

    /// Whether an input would be accepted now, without dealing with it.
    ///
    /// # Errors
    /// The stable reason for which it would be refused.
    pub fn check(&self, input: &Input<G::Command>, now_ms: i64) -> Result<(), Refusal> {
        self.answer(input, &mut Moment { now_ms, chance: &mut NoChance }).map(drop)
    }

    fn answer(
        &self,
        input: &Input<G::Command>,
        moment: &mut Moment<'_>,
    ) -> Result<Vec<Event<G::Event>>, Refusal> {
        if self.phase == Phase::Closed && !matches!(input, Input::Obligation { .. }) {
            return match input {
                Input::Player(..) | Input::Reserve(_) => {
                    Err(Refusal::illegal("table_closed", "the table is closed"))
                }
                _ => Ok(Vec::new()),
            };
        }
        match input {
            Input::Reserve(reservations) => self.reserve(reservations, moment.now_ms),
            Input::Player(player, command) => self.command(*player, command, moment.now_ms),
            Input::Connection { player, connected } => {
                Ok(self.connection(*player, *connected, moment.now_ms))
            }
            Input::Tick => self.tick(moment),
            Input::Obligation { id, outcome } => Ok(self.obligation(*id, outcome)),
            Input::Close(reason) => Ok(self.close(reason)),
        }
    }

    fn command(
        &self,
        player: Player,
        command: &Command<G::Command>,
        now_ms: i64,
    ) -> Result<Vec<Event<G::Event>>, Refusal> {
        if let Command::Sit { seat, buy_in, name } = command {
            return self.sit_down(player, *seat, *buy_in, name);
        }
        let (seat, occupant) = self.seated(player)?;
        match command {
            Command::Play(play) => self.play(seat, occupant, play),
            Command::Sit { .. } => Ok(Vec::new()),
            Command::Ready(ready) => Ok(changed(occupant.ready, *ready, Event::Readied, seat)),
            Command::StandUp => Ok(self.stand_up(seat, occupant, now_ms)),
            Command::SitOut(out) => Ok(changed(occupant.sitting_out, *out, Event::SatOut, seat)),
            Command::AutoPlay(auto) => self.auto_play(seat, occupant, *auto, now_ms),
            Command::ClientSeed(seed) if seed.len() > CLIENT_SEED_MAX => {
                Err(Refusal::invalid("client_seed_too_long", "a client seed has at most 32 bytes"))
            }
            Command::ClientSeed(seed) => Ok(vec![Event::ClientSeeded(seat, seed.clone())]),
            Command::Emote(emote) => express(occupant, *emote, now_ms)
                .map(|()| vec![Event::Emoted(seat, *emote, now_ms)]),
            Command::QuickChat(sentence) => express(occupant, *sentence, now_ms)
                .map(|()| vec![Event::Chatted(seat, *sentence, now_ms)]),
            Command::AddBot(wish) => self.add_bot(occupant, *wish),
            Command::Kick(target) => self.kick(occupant, *target),
            Command::ProposeDissolve => self.propose_dissolve(seat, now_ms),
            Command::VoteDissolve(agree) => self.vote_dissolve(seat, *agree),
            Command::Pause(paused) => self.pause(occupant, *paused),
            Command::Rematch => self.call_rematch(occupant),
        }
    }

    fn seated(&self, player: Player) -> Result<(Seat, &Occupant), Refusal> {
        let not_seated = || Refusal::illegal("not_seated", "you have no seat at this table");
        let seat = self.seat_of(player).ok_or_else(not_seated)?;
        match self.occupant(seat) {
            Some(occupant) if !matches!(occupant.tenure, Tenure::Reserved { .. }) => {
                Ok((seat, occupant))
            }
            _ => Err(not_seated()),
        }
    }

    fn play(
        &self,
        seat: Seat,
        occupant: &Occupant,
        command: &G::Command,
    ) -> Result<Vec<Event<G::Event>>, Refusal> {
        let Some(hand) = self.hand.as_ref().filter(|_| self.phase == Phase::InHand) else {
            return Err(Refusal::illegal("no_hand", "no hand is being played"));
        };
        if !self.in_hand(seat) {
            return Err(Refusal::illegal("not_in_hand", "you are not in this hand"));
        }
        if self.paused {
            return Err(Refusal::illegal("table_paused", "the table is paused"));
        }
        if occupant.leaving {
            return Err(Refusal::illegal("leaving", "you are leaving the table"));
        }
        if occupant.auto_play {
            return Err(Refusal::illegal("on_auto_play", "take control back first"));
        }
        let events = G::decide(&self.game, Actor::Seat(seat), command, &hand.entropy)?;
        let attended = (occupant.timeouts > 0).then_some(Event::Attended(seat));
        Ok(attended.into_iter().chain(events.into_iter().map(Event::Play)).collect())
    }

    fn obligation(&self, id: u64, outcome: &Outcome) -> Vec<Event<G::Event>> {
        // A late or repeated answer finds nothing to meet.
        let Some(obligation) = self.obligations.front().filter(|first| first.id == id) else {
            return Vec::new();
        };
        let mut events = vec![Event::ObligationMet(id)];
        match (&obligation.duty, outcome) {
            (Duty::Hold { seat, .. }, Outcome::Met) => events.push(Event::Funded { seat: *seat }),
            (Duty::Hold { seat, .. }, Outcome::Refused(reason)) => {
                events.push(Event::Unfunded { seat: *seat, reason: reason.clone() });
            }
            (Duty::PostHand { hand, .. }, Outcome::Met) => events.push(Event::HandPosted(*hand)),
            (Duty::PostHand { .. } | Duty::Release { .. } | Duty::Reveal { .. }, _) => {}
        }
        events
    }

    fn propose_dissolve(&self, seat: Seat, now_ms: i64) -> Result<Vec<Event<G::Event>>, Refusal> {
        if self.vote.is_some() {
            return Err(Refusal::illegal("vote_open", "a vote is open already"));
        }
        let deadline_ms = now_ms + i64::from(self.settings.pacing.vote_ms);
        let mut events = vec![Event::VoteOpened(seat, deadline_ms)];
        if self.people().all(|(other, _)| other == seat) {
            events.extend(self.close("dissolved"));
        }
        Ok(events)
    }

    fn vote_dissolve(&self, seat: Seat, agree: bool) -> Result<Vec<Event<G::Event>>, Refusal> {
        let Some(vote) = &self.vote else {
            return Err(Refusal::illegal("no_vote", "no vote is open"));
        };
        if !agree {
            return Ok(vec![Event::VoteClosed]);
        }
        if vote.agreed.contains(&seat) {
            return Ok(Vec::new());
        }
        let mut events = vec![Event::VoteAgreed(seat)];
        if self.people().all(|(other, _)| other == seat || vote.agreed.contains(&other)) {
            events.extend(self.close("dissolved"));
        }
        Ok(events)
    }

    fn pause(&self, host: &Occupant, paused: bool) -> Result<Vec<Event<G::Event>>, Refusal> {
        require_host(host)?;
        if self.settings.room_code.is_empty() {
            return Err(Refusal::illegal("pause_not_allowed", "only a private room can pause"));
        }
        Ok(if self.paused == paused { Vec::new() } else { vec![Event::Paused(paused)] })
    }

    fn call_rematch(&self, host: &Occupant) -> Result<Vec<Event<G::Event>>, Refusal> {
        require_host(host)?;
        if self.phase != Phase::MatchOver {
            return Err(Refusal::illegal("match_not_over", "the match is not over"));
        }
        Ok(vec![Event::Rematched])
    }

    /// Ends the table: a running hand is void, and every seat is freed once its hold is settled.
    pub(super) fn close(&self, reason: &str) -> Vec<Event<G::Event>> {
        let void = self.hand.as_ref().map(|hand| Event::HandVoided { number: hand.number });
        // Nothing will be dealt from these seeds any more, a shoe's included.
        // A deal that other tables have in common stays secret all the same.
        let reveals = !self.unrevealed.is_empty() && !self.shares_deal();
        let revealed = reveals.then_some(Event::SeedsRevealed);
        let closed = Event::Closed(String::from(reason));
        void.into_iter().chain(revealed).chain([closed]).collect()
    }

    pub(super) const fn freed(seat: Seat, why: Freed) -> Event<G::Event> {
        Event::Freed { seat, why }
    }
}

pub(super) fn require_host(occupant: &Occupant) -> Result<(), Refusal> {
    if occupant.host {
        return Ok(());
    }
    Err(Refusal::illegal("not_host", "only the host may do this"))
}

fn changed<E>(
    old: bool,
    new: bool,
    event: impl Fn(Seat, bool) -> Event<E>,
    seat: Seat,
) -> Vec<Event<E>> {
    if old == new { Vec::new() } else { vec![event(seat, new)] }
}

fn express(occupant: &Occupant, number: u8, now_ms: i64) -> Result<(), Refusal> {
    if !(1..=EXPRESSION_MAX).contains(&number) {
        return Err(Refusal::invalid("bad_expression", "the number is out of range"));
    }
    if now_ms - occupant.expressed_ms < EXPRESSION_PAUSE_MS {
        return Err(Refusal::illegal("too_fast", "wait a moment before the next one"));
    }
    Ok(())
}
