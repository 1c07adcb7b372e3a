//! Folds events into a table: total, without rules and without chance.

use alloc::string::String;
use alloc::vec::Vec;

use crate::contract::{Entrant, Game};
use crate::fair::{CLIENT_SEED_MAX, ServerSeed};
use crate::result::Party;
use crate::shell::event::Event;
use crate::shell::input::Player;
use crate::shell::state::{Duty, Hand, Obligation, Occupant, Phase, Seeds, Table, Tenure, Vote};
use crate::units::{Amount, Seat};

/// Seeds of one duty: the ledger takes no more at once.
const REVEAL_MAX: usize = 256;

impl<G: Game> Table<G> {
    /// Takes notice of one event.
    pub fn evolve(&mut self, event: &Event<G::Event>) {
        match event {
            Event::Reserved { .. }
            | Event::Sat { .. }
            | Event::Funded { .. }
            | Event::Unfunded { .. }
            | Event::Freed { .. } => self.evolve_tenure(event),
            Event::Readied(..)
            | Event::Presence(..)
            | Event::SatOut(..)
            | Event::AutoPlayed(..)
            | Event::Leaving(..)
            | Event::TimedOut(..)
            | Event::TimeBankLeft(..)
            | Event::Attended(..)
            | Event::Emoted(..)
            | Event::Chatted(..) => self.evolve_occupant(event),
            Event::SeedDrawn(seed) => self.next_seed = Some(seed.clone()),
            Event::ClientSeeded(seat, seed) => {
                if let Some(slot) = self.client_seeds.get_mut(seat.index()) {
                    *slot = seed.iter().take(CLIENT_SEED_MAX).copied().collect();
                }
            }
            Event::StartSet(at) => self.start_at_ms = *at,
            Event::StartBlocked(reason) => {
                self.start_at_ms = None;
                self.blocked = Some(reason.clone());
            }
            Event::HandStarted { number, entrants, time_ms } => {
                self.start_hand(*number, entrants, *time_ms);
            }
            Event::Play(event) => self.evolve_game(event),
            Event::HandEnded { number, .. } => self.end_hand(*number),
            Event::HandVoided { .. } => {
                self.hand = None;
                self.phase = Phase::Waiting;
            }
            Event::SeedsRevealed => self.reveal(),
            Event::ClockStarted(clock) => self.clocks.push(*clock),
            Event::ClockStopped(seat, _) => self.clocks.retain(|clock| clock.seat != *seat),
            Event::SystemClockSet(clock) => self.system_clock = *clock,
            Event::VoteOpened(seat, deadline_ms) => {
                let (proposed_by, agreed) = (*seat, Vec::from([*seat]));
                self.vote = Some(Vote { proposed_by, agreed, deadline_ms: *deadline_ms });
            }
            Event::VoteAgreed(seat) => {
                if let Some(vote) = &mut self.vote {
                    vote.agreed.push(*seat);
                }
            }
            Event::VoteClosed => self.vote = None,
            Event::Paused(paused) => self.paused = *paused,
            Event::MatchEnded => {
                self.phase = Phase::MatchOver;
                self.start_at_ms = None;
            }
            Event::Rematched => self.rematch(),
            Event::ObligationMet(id) => self.obligations.retain(|duty| duty.id != *id),
            // It was owed until the event before this one.
            Event::HandPosted(_) => {}
            Event::Closed(_) => {
                self.phase = Phase::Closed;
                self.vote = None;
                self.start_at_ms = None;
            }
        }
    }

    fn evolve_tenure(&mut self, event: &Event<G::Event>) {
        self.blocked = None;
        match event {
            Event::Reserved { seat, player, name, host, until_ms } => {
                let tenure = Tenure::Reserved { until_ms: *until_ms };
                let mut occupant = newcomer(*player, name.clone(), tenure);
                occupant.host = *host;
                self.put(*seat, Some(occupant));
            }
            Event::Sat { seat, player, name, bot, buy_in } => {
                self.sit(*seat, *player, name, *bot, *buy_in);
            }
            Event::Funded { seat } => {
                if let Some(occupant) = self.occupant_mut(*seat) {
                    occupant.tenure = Tenure::Seated;
                    occupant.stack = occupant.bought_in;
                }
            }
            Event::Unfunded { seat, .. } => self.put(*seat, None),
            Event::Freed { seat, .. } => self.free(*seat),
            _ => {}
        }
    }

    fn evolve_occupant(&mut self, event: &Event<G::Event>) {
        let (Event::Readied(seat, _)
        | Event::Presence(seat, _)
        | Event::SatOut(seat, _)
        | Event::AutoPlayed(seat, _)
        | Event::Leaving(seat)
        | Event::TimedOut(seat, _)
        | Event::TimeBankLeft(seat, _)
        | Event::Attended(seat)
        | Event::Emoted(seat, _, _)
        | Event::Chatted(seat, _, _)) = event
        else {
            return;
        };
        let Some(occupant) = self.occupant_mut(*seat) else { return };
        match event {
            Event::Readied(_, ready) => occupant.ready = *ready,
            Event::Presence(_, away_since_ms) => occupant.away_since_ms = *away_since_ms,
            Event::SatOut(_, out) => occupant.sitting_out = *out,
            Event::AutoPlayed(_, auto) => {
                occupant.auto_play = *auto;
                occupant.timeouts = 0;
            }
            Event::Leaving(_) => occupant.leaving = true,
            Event::TimeBankLeft(_, left_ms) => occupant.time_bank_ms = *left_ms,
            Event::Attended(_) => occupant.timeouts = 0,
            Event::TimedOut(..) => occupant.timeouts = occupant.timeouts.saturating_add(1),
            Event::Emoted(_, _, time_ms) | Event::Chatted(_, _, time_ms) => {
                occupant.expressed_ms = *time_ms;
            }
            _ => {}
        }
        if matches!(event, Event::Readied(..) | Event::SatOut(..) | Event::Presence(..)) {
            self.blocked = None;
        }
    }

    fn sit(&mut self, seat: Seat, player: Player, name: &str, bot: bool, buy_in: Amount) {
        let host = match self.occupant(seat) {
            Some(reserved) => reserved.host,
            None => !bot && !self.occupants().any(|(_, occupant)| occupant.host),
        };
        let mut occupant = newcomer(player, String::from(name), Tenure::Seated);
        occupant.bot = bot;
        occupant.host = host;
        occupant.ready = bot;
        occupant.bought_in = buy_in;
        if buy_in > Amount::ZERO {
            occupant.tenure = Tenure::Funding;
            let amount = buy_in;
            occupant.hold = self.oblige(Duty::Hold { seat, player, amount, bot });
        }
        self.bots_seated += u64::from(bot);
        self.visited |= !bot;
        self.put(seat, Some(occupant));
    }

    fn free(&mut self, seat: Seat) {
        let Some(leaver) = self.seats.get_mut(seat.index()).and_then(Option::take) else { return };
        if leaver.hold != 0 && leaver.tenure == Tenure::Seated {
            self.oblige(Duty::Release { hold: leaver.hold, amount: leaver.stack });
        }
        if let Some(seed) = self.client_seeds.get_mut(seat.index()) {
            seed.clear();
        }
        self.clocks.retain(|clock| clock.seat != seat);
        let heir = self.people().map(|(heir, _)| heir).next().filter(|_| leaver.host);
        if let Some(heir) = heir.and_then(|heir| self.occupant_mut(heir)) {
            heir.host = true;
        }
    }

    fn start_hand(&mut self, number: u64, entrants: &[Entrant], time_ms: i64) {
        let server = self.next_seed.take().unwrap_or(ServerSeed([0; 32]));
        let clients = core::mem::take(&mut self.client_seeds);
        self.client_seeds = clients.iter().map(|_| Vec::new()).collect();
        let entropy = self.entropy(&server, number, &clients);
        self.unrevealed.push(Seeds { hand: number, server, clients, recorded: false });
        for occupant in self.seats.iter_mut().flatten() {
            occupant.time_bank_ms = self.settings.pacing.time_bank_ms;
        }
        self.hands_started = number;
        self.start_at_ms = None;
        self.blocked = None;
        self.phase = Phase::InHand;
        self.hand = Some(Hand {
            number,
            started_ms: time_ms,
            entrants: entrants.to_vec(),
            entropy,
            result: None,
            reveals: false,
        });
    }

    fn evolve_game(&mut self, event: &G::Event) {
        G::evolve(&mut self.game, event);
        let shared = self.shares_deal();
        if let Some(hand) = &mut self.hand {
            if let Some(result) = G::hand_result(event) {
                hand.result = Some(result.clone());
            }
            hand.reveals |= !shared && G::reveals_seed(event);
        }
    }

    fn end_hand(&mut self, number: u64) {
        let Some(hand) = self.hand.take() else { return };
        if let Some(seeds) = self.unrevealed.iter_mut().find(|seeds| seeds.hand == number) {
            seeds.recorded = hand.reveals;
        }
        let result = hand.result.unwrap_or_default();
        let mut changes = Vec::new();
        for entrant in &hand.entrants {
            let net = result.net(Party::Seat(entrant.seat));
            if let Some(occupant) = self.occupant_mut(entrant.seat) {
                occupant.stack += net;
                if occupant.hold != 0 {
                    changes.push((occupant.hold, net));
                }
            }
        }
        // For points, the house's share is a line of the score sheet: no money moves.
        let commission = if self.chips() { result.net(Party::House) } else { Amount::ZERO };
        self.oblige(Duty::PostHand { hand: number, changes, commission });
        self.last_finished = number;
        self.phase = Phase::Waiting;
    }

    /// Whatever was posted while its seed was secret can be completed now. A void hand was not
    /// posted.
    fn reveal(&mut self) {
        let secret = core::mem::take(&mut self.unrevealed);
        let owed = secret.into_iter().filter(|seeds| !seeds.recorded);
        let owed: Vec<_> = owed
            .filter(|seeds| seeds.hand <= self.last_finished)
            .map(|seeds| (seeds.hand, seeds.server))
            .collect();
        for seeds in owed.chunks(REVEAL_MAX) {
            self.oblige(Duty::Reveal { seeds: seeds.to_vec() });
        }
    }

    fn rematch(&mut self) {
        if let Ok(game) = G::open(&self.settings.options) {
            self.game = game;
        }
        self.phase = Phase::Waiting;
        self.blocked = None;
        let points = !self.chips();
        for occupant in self.seats.iter_mut().flatten() {
            occupant.ready = occupant.bot;
            if points {
                occupant.stack = Amount::ZERO;
            }
        }
    }

    fn oblige(&mut self, duty: Duty) -> u64 {
        self.obligations_made += 1;
        let id = self.obligations_made;
        self.obligations.push_back(Obligation { id, duty });
        id
    }

    fn put(&mut self, seat: Seat, occupant: Option<Occupant>) {
        if let Some(slot) = self.seats.get_mut(seat.index()) {
            *slot = occupant;
        }
    }

    fn occupant_mut(&mut self, seat: Seat) -> Option<&mut Occupant> {
        self.seats.get_mut(seat.index())?.as_mut()
    }
}

const fn newcomer(player: Player, name: String, tenure: Tenure) -> Occupant {
    Occupant {
        player,
        name,
        bot: false,
        host: false,
        tenure,
        hold: 0,
        stack: Amount::ZERO,
        bought_in: Amount::ZERO,
        ready: false,
        sitting_out: false,
        auto_play: false,
        leaving: false,
        away_since_ms: None,
        timeouts: 0,
        time_bank_ms: 0,
        expressed_ms: 0,
    }
}
