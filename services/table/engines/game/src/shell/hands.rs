//! From ready seats to a hand, and from a finished hand to stacks.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::contract::{Entrant, Game, Pace};
use crate::fair::{Entropy, ServerSeed};
use crate::shell::event::Event;
use crate::shell::state::{Occupant, Phase, Table, Tenure};

/// With so many duties open no new hand starts: the ledger is away, and games must not run far
/// ahead of the money.
const OBLIGATIONS_MAX: usize = 8;

impl<G: Game> Table<G> {
    /// Whether the next hand may start.
    pub(super) fn wants_hand(&self) -> bool {
        let Ok((fewest, _)) = G::seats(&self.settings.options) else { return false };
        if self.phase != Phase::Waiting
            || self.paused
            || self.blocked.is_some()
            || self.vote.is_some()
            || self.obligations.len() >= OBLIGATIONS_MAX
            || self.occupants().any(|(_, occupant)| occupant.tenure != Tenure::Seated)
        {
            return false;
        }
        let players = self.entering().count();
        let somebody = self.entering().any(|occupant| !occupant.bot);
        players >= usize::from(fewest) && somebody && self.entering().all(|occupant| occupant.ready)
    }

    /// Deals the next hand, or remembers why the game would not.
    pub(super) fn deal(&self, now_ms: i64) -> Vec<Event<G::Event>> {
        let number = self.hands_started + 1;
        let chips = self.chips();
        let entrants: Vec<Entrant> = self
            .occupants()
            .filter(|(_, occupant)| self.enters(occupant))
            .map(|(seat, occupant)| Entrant { seat, stack: chips.then_some(occupant.stack) })
            .collect();
        let server = self.next_seed.clone().unwrap_or(ServerSeed([0; 32]));
        let entropy = self.entropy(&server, number, &self.client_seeds);
        match G::deal(&self.game, &entrants, &entropy) {
            Ok(events) => [Event::HandStarted { number, entrants, time_ms: now_ms }]
                .into_iter()
                .chain(events.into_iter().map(Event::Play))
                .collect(),
            Err(refusal) => vec![Event::StartBlocked(String::from(refusal.reason))],
        }
    }

    /// The key of a hand.
    pub(super) fn entropy(&self, server: &ServerSeed, number: u64, clients: &[Vec<u8>]) -> Entropy {
        if self.shares_deal() {
            return Entropy::for_shared_deal(server);
        }
        Entropy::for_hand(server, &self.id, number, clients.iter().map(Vec::as_slice))
    }

    /// Ends the hand when the game has.
    pub(super) fn finish_hand(&self, now_ms: i64) -> Vec<Event<G::Event>> {
        let Some(hand) = &self.hand else { return Vec::new() };
        if G::in_hand(&self.game) {
            return Vec::new();
        }
        let ended = Event::HandEnded { number: hand.number, time_ms: now_ms };
        let revealed = hand.reveals.then_some(Event::SeedsRevealed);
        [ended].into_iter().chain(revealed).collect()
    }

    fn entering(&self) -> impl Iterator<Item = &Occupant> {
        self.occupants().map(|(_, occupant)| occupant).filter(|occupant| self.enters(occupant))
    }

    fn enters(&self, occupant: &Occupant) -> bool {
        match G::PACE {
            // The others go on without a player who has lost the connection.
            Pace::Continuous => occupant.can_play() && occupant.away_since_ms.is_none(),
            // A match needs all of its players, on auto-play if need be.
            Pace::Match => occupant.tenure == Tenure::Seated,
            Pace::Solo => occupant.can_play(),
        }
    }
}
