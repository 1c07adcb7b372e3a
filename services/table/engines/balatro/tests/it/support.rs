//! Options, entropy and runs for the tests.

use parlor_balatro::content::decks::Profile;
use parlor_balatro::content::{DeckId, Stake};
use parlor_balatro::{Balatro, Options, State};
use parlor_game::{Amount, Entrant, Entropy, Game, Seat, Stream};

pub const PLAYER: Seat = Seat(0);

pub fn entropy(seed: u64) -> Entropy {
    let mut key = [7; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    Entropy::from_key(key)
}

pub fn entrants() -> [Entrant; 1] {
    [Entrant { seat: PLAYER, stack: Some(Amount(0)) }]
}

/// Options of every deck, stake and profile.
pub fn random_options(choices: &mut Stream) -> Options {
    let decks: Vec<DeckId> = DeckId::all().collect();
    if choices.chance(1, 6) {
        return Options { profile: Profile::Seed, ..Options::default() };
    }
    let deck = decks.get(choices.below(decks.len() as u32 + 1) as usize).copied();
    let stake = Stake::ALL[choices.below(8) as usize];
    Options { deck, stake, ..Options::default() }
}

/// A table on which a run has just begun.
pub fn dealt(options: &Options, entropy: &Entropy) -> State {
    let mut state = Balatro::open(options).unwrap();
    for event in Balatro::deal(&state, &entrants(), entropy).unwrap() {
        Balatro::evolve(&mut state, &event);
    }
    state
}
