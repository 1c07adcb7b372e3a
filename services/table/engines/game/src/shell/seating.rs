//! Who sits where: reservations, arrivals, departures, bots.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use sha2::{Digest, Sha256};

use crate::contract::{Game, Pace};
use crate::refusal::Refusal;
use crate::shell::answer::require_host;
use crate::shell::event::{Event, Freed, SeatClock};
use crate::shell::input::{Player, Reservation};
use crate::shell::settings::Stakes;
use crate::shell::state::{Occupant, Phase, Table, Tenure};
use crate::units::{Amount, Seat};

/// A player may bring at most so many times the usual buy-in.
const BUY_IN_MOST: i64 = 10;

/// Names of bots, by the order in which they sit down.
const BOT_NAMES: [&str; 8] = ["Ada", "Bao", "Cleo", "Dou", "Edda", "Fei", "Gus", "Hui"];

impl<G: Game> Table<G> {
    pub(super) fn reserve(
        &self,
        reservations: &[Reservation],
        now_ms: i64,
    ) -> Result<Vec<Event<G::Event>>, Refusal> {
        let until_ms = now_ms + i64::from(self.settings.pacing.reservation_ms);
        let mut taken: Vec<bool> = self.seats.iter().map(Option::is_some).collect();
        let mut events = Vec::with_capacity(reservations.len());
        for reservation in reservations {
            let seat = match reservation.seat {
                Some(seat) if seat.index() >= taken.len() => return Err(bad_seat()),
                Some(seat) => seat,
                None => (0_u8..)
                    .zip(&taken)
                    .find(|(_, taken)| !**taken)
                    .map(|(seat, _)| Seat(seat))
                    .ok_or_else(table_full)?,
            };
            if core::mem::replace(&mut taken[seat.index()], true) {
                return Err(Refusal::illegal("seat_taken", "the seat is taken"));
            }
            let Reservation { player, name, host, .. } = reservation.clone();
            events.push(Event::Reserved { seat, player, name, host, until_ms });
        }
        Ok(events)
    }

    pub(super) fn sit_down(
        &self,
        player: Player,
        wish: Option<Seat>,
        buy_in: Amount,
        name: &str,
    ) -> Result<Vec<Event<G::Event>>, Refusal> {
        let buy_in = self.check_buy_in(buy_in)?;
        if let Some(seat) = self.seat_of(player) {
            return match self.occupant(seat).map(|occupant| occupant.tenure) {
                Some(Tenure::Reserved { .. }) => Ok(vec![sat(seat, player, name, buy_in)]),
                _ => Err(Refusal::illegal("already_seated", "you have a seat already")),
            };
        }
        if self.match_runs() || self.phase == Phase::MatchOver {
            return Err(Refusal::illegal("match_running", "the match has begun"));
        }
        let seat = self.vacancy(wish)?;
        Ok(vec![sat(seat, player, name, buy_in)])
    }

    pub(super) fn stand_up(
        &self,
        seat: Seat,
        occupant: &Occupant,
        now_ms: i64,
    ) -> Vec<Event<G::Event>> {
        if occupant.leaving {
            return Vec::new();
        }
        let mut events = vec![Event::Leaving(seat)];
        if !self.in_hand(seat) {
            return events;
        }
        if !occupant.auto_play {
            events.extend(self.auto_play_changed(seat, true, now_ms));
        }
        if let (Some(command), Some(hand)) = (G::leave(&self.game, seat), &self.hand) {
            let actor = crate::contract::Actor::Seat(seat);
            // A game that does not want the command now plays the seat's defaults instead.
            if let Ok(played) = G::decide(&self.game, actor, &command, &hand.entropy) {
                events.extend(played.into_iter().map(Event::Play));
            }
        }
        events
    }

    pub(super) fn auto_play(
        &self,
        seat: Seat,
        occupant: &Occupant,
        auto: bool,
        now_ms: i64,
    ) -> Result<Vec<Event<G::Event>>, Refusal> {
        if occupant.leaving && !auto {
            return Err(Refusal::illegal("leaving", "you are leaving the table"));
        }
        if occupant.auto_play == auto {
            return Ok(Vec::new());
        }
        Ok(self.auto_play_changed(seat, auto, now_ms))
    }

    /// The seat's clock goes on at the other pace, but never beyond its limit: whoever changes to
    /// and fro gains no time.
    pub(super) fn auto_play_changed(
        &self,
        seat: Seat,
        auto: bool,
        now_ms: i64,
    ) -> Vec<Event<G::Event>> {
        let mut events = vec![Event::AutoPlayed(seat, auto)];
        if let Some(clock) = self.clock(seat) {
            let soon_ms = now_ms + i64::from(self.settings.pacing.auto_play_delay_ms);
            let deadline_ms = if auto { soon_ms.min(clock.limit_ms) } else { clock.limit_ms };
            events.push(Event::ClockStopped(seat, clock.secret));
            events.push(Event::ClockStarted(SeatClock { deadline_ms, ..*clock }));
        }
        events
    }

    pub(super) fn connection(
        &self,
        player: Player,
        connected: bool,
        now_ms: i64,
    ) -> Vec<Event<G::Event>> {
        let Some((seat, occupant)) =
            self.seat_of(player).and_then(|seat| Some((seat, self.occupant(seat)?)))
        else {
            return Vec::new();
        };
        match (occupant.tenure, connected, occupant.away_since_ms) {
            (Tenure::Reserved { .. }, true, _) => {
                let buy_in = self.check_buy_in(Amount::ZERO).unwrap_or_default();
                vec![sat(seat, player, &occupant.name, buy_in)]
            }
            (Tenure::Reserved { .. }, false, _) => Vec::new(),
            (_, true, Some(_)) => {
                let mut events = vec![Event::Presence(seat, None)];
                if occupant.auto_play && !occupant.leaving {
                    events.extend(self.auto_play_changed(seat, false, now_ms));
                }
                events
            }
            (_, false, None) => vec![Event::Presence(seat, Some(now_ms))],
            _ => Vec::new(),
        }
    }

    pub(super) fn add_bot(
        &self,
        host: &Occupant,
        wish: Option<Seat>,
    ) -> Result<Vec<Event<G::Event>>, Refusal> {
        require_host(host)?;
        if !self.settings.admission.bots_allowed {
            return Err(Refusal::illegal("bots_not_allowed", "this table takes no bots"));
        }
        if self.match_runs() || self.phase == Phase::MatchOver {
            return Err(Refusal::illegal("match_running", "the match has begun"));
        }
        Ok(vec![self.bot_at(self.vacancy(wish)?)])
    }

    /// A bot sits down. Its identity is derived from the table and a count, so it is its own.
    pub(super) fn bot_at(&self, seat: Seat) -> Event<G::Event> {
        let mut hash = Sha256::new();
        hash.update(b"parlor/bot/v1");
        hash.update(self.id);
        hash.update(self.bots_seated.to_be_bytes());
        let mut player = [0; 16];
        player.copy_from_slice(&hash.finalize()[..16]);
        let order = usize::try_from(self.bots_seated).unwrap_or(0);
        Event::Sat {
            seat,
            player: Player(player),
            name: format!("{} (bot)", BOT_NAMES[order % BOT_NAMES.len()]),
            bot: true,
            buy_in: self.check_buy_in(Amount::ZERO).unwrap_or_default(),
        }
    }

    pub(super) fn kick(
        &self,
        host: &Occupant,
        target: Seat,
    ) -> Result<Vec<Event<G::Event>>, Refusal> {
        require_host(host)?;
        let Some(occupant) = self.occupant(target) else {
            return Err(Refusal::illegal("seat_empty", "nobody sits there"));
        };
        if self.phase == Phase::InHand {
            return Err(Refusal::illegal("hand_running", "wait until the hand is over"));
        }
        if self.match_runs() {
            return Err(Refusal::illegal("match_running", "the match has begun"));
        }
        // A stack that the ledger is still asked for cannot be given back yet.
        Ok(if occupant.tenure == Tenure::Funding {
            vec![Event::Leaving(target)]
        } else {
            vec![Self::freed(target, Freed::Kicked)]
        })
    }

    /// Whether no hand and no match needs the seat's occupant.
    pub(super) fn may_go(&self, seat: Seat) -> bool {
        !self.in_hand(seat) && !self.match_runs()
    }

    /// Until when an absent occupant is waited for; `None`: for as long as it takes.
    pub(super) fn patience_ms(&self, occupant: &Occupant) -> Option<i64> {
        let grace = i64::from(self.settings.pacing.disconnect_grace_ms);
        let since = occupant.away_since_ms.filter(|_| !occupant.bot)?;
        let needed = self.phase == Phase::InHand || self.match_runs();
        let done = G::PACE == Pace::Solo || (needed && occupant.auto_play);
        (!done && occupant.tenure == Tenure::Seated).then(|| since.saturating_add(grace))
    }

    fn vacancy(&self, wish: Option<Seat>) -> Result<Seat, Refusal> {
        match wish {
            Some(seat) if seat.index() >= self.seats.len() => Err(bad_seat()),
            Some(seat) if self.occupant(seat).is_some() => {
                Err(Refusal::illegal("seat_taken", "the seat is taken"))
            }
            Some(seat) => Ok(seat),
            None => self.free_seat().ok_or_else(table_full),
        }
    }

    fn check_buy_in(&self, wish: Amount) -> Result<Amount, Refusal> {
        let Stakes::Chips { buy_in } = self.settings.stakes else { return Ok(Amount::ZERO) };
        let most = Amount(buy_in.0.saturating_mul(BUY_IN_MOST));
        match wish {
            Amount::ZERO => Ok(buy_in),
            wish if wish < buy_in || wish > most => {
                Err(Refusal::invalid("bad_buy_in", "the buy-in is out of range")
                    .with("least", buy_in.0)
                    .with("most", most.0))
            }
            wish => Ok(wish),
        }
    }
}

fn sat<E>(seat: Seat, player: Player, name: &str, buy_in: Amount) -> Event<E> {
    Event::Sat { seat, player, name: String::from(name), bot: false, buy_in }
}

fn bad_seat() -> Refusal {
    Refusal::invalid("bad_seat", "the table has no such seat")
}

fn table_full() -> Refusal {
    Refusal::illegal("table_full", "no seat is free")
}
