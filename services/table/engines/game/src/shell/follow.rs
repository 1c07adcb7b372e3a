//! What a table does by itself once an input is dealt with.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::contract::{Game, Pace};
use crate::fair::ServerSeed;
use crate::shell::answer::Moment;
use crate::shell::event::{Event, Freed};
use crate::shell::state::{Phase, Table, Tenure};
use crate::units::Amount;

impl<G: Game> Table<G> {
    /// The next thing that follows from the state; empty when the table is at rest.
    pub(super) fn follow(&self, moment: &mut Moment<'_>) -> Vec<Event<G::Event>> {
        let clocks = self.sync_clocks(moment);
        if !clocks.is_empty() {
            return clocks;
        }
        match self.phase {
            Phase::InHand => {
                let finished = self.finish_hand(moment.now_ms);
                if finished.is_empty() { self.departures() } else { finished }
            }
            Phase::Waiting => self.follow_waiting(moment),
            Phase::MatchOver => self.follow_match_over(),
            Phase::Closed => self.follow_closed(),
        }
    }

    fn follow_waiting(&self, moment: &mut Moment<'_>) -> Vec<Event<G::Event>> {
        let limit = u64::from(self.settings.hands_limit);
        let limited = limit > 0 && self.hands_started >= limit;
        if limited || (self.hands_started > 0 && G::finished(&self.game)) {
            return vec![Event::MatchEnded];
        }
        let departures = self.departures();
        if !departures.is_empty() {
            return departures;
        }
        if self.deserted() {
            return self.close("abandoned");
        }
        if self.next_seed.is_none() && self.blocked.is_none() {
            return vec![self.draw_seed(moment)];
        }
        if let Some(seat) = self.free_seat()
            && self.settings.admission.fill_with_bots
            && !self.match_runs()
            && self.people().next().is_some()
            && !self.reservations_open()
        {
            return vec![self.bot_at(seat)];
        }
        if self.settings.admission.always_ready {
            let unready = self
                .occupants()
                .find(|(_, occupant)| occupant.tenure == Tenure::Seated && !occupant.ready);
            if let Some((seat, _)) = unready {
                return vec![Event::Readied(seat, true)];
            }
        }
        match (self.wants_hand(), self.start_at_ms) {
            (true, None) => {
                let delay = i64::from(self.settings.pacing.start_delay_ms);
                vec![Event::StartSet(Some(moment.now_ms + delay))]
            }
            (false, Some(_)) => vec![Event::StartSet(None)],
            _ => Vec::new(),
        }
    }

    fn draw_seed(&self, moment: &mut Moment<'_>) -> Event<G::Event> {
        let seed = match self.shared_deal() {
            Some(name) => moment.chance.shared_seed(&name),
            None => Some(moment.chance.seed()),
        };
        match seed {
            Some(seed) => Event::SeedDrawn(ServerSeed(seed)),
            None => Event::StartBlocked(String::from("no_shared_seed")),
        }
    }

    fn follow_match_over(&self) -> Vec<Event<G::Event>> {
        let departures = self.departures();
        if !departures.is_empty() {
            return departures;
        }
        let rematch = !self.settings.room_code.is_empty() || G::PACE == Pace::Solo;
        if !rematch || self.people().next().is_none() {
            return vec![Event::Closed(String::from("match_over"))];
        }
        Vec::new()
    }

    fn follow_closed(&self) -> Vec<Event<G::Event>> {
        // A seat whose buy-in is still being asked for is freed when the ledger has answered.
        self.occupants()
            .filter(|(_, occupant)| occupant.tenure != Tenure::Funding)
            .map(|(seat, _)| Self::freed(seat, Freed::Closed))
            .collect()
    }

    fn departures(&self) -> Vec<Event<G::Event>> {
        let chips = self.chips();
        self.occupants()
            .filter(|(seat, occupant)| occupant.tenure == Tenure::Seated && self.may_go(*seat))
            .filter_map(|(seat, occupant)| {
                if occupant.leaving {
                    Some(Self::freed(seat, Freed::Left))
                } else if chips && occupant.stack <= Amount::ZERO {
                    Some(Self::freed(seat, Freed::Broke))
                } else {
                    None
                }
            })
            .collect()
    }

    /// Nobody is there who wants to stay, and nobody is expected.
    fn deserted(&self) -> bool {
        self.people().all(|(_, occupant)| occupant.leaving) && !self.reservations_open()
    }

    fn reservations_open(&self) -> bool {
        self.occupants().any(|(_, occupant)| matches!(occupant.tenure, Tenure::Reserved { .. }))
    }
}
