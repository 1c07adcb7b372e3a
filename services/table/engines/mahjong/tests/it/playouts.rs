//! Hands of random moves under random options, checked after every event.

use parlor_game::playout::{check_secrecy, random_hand};
use parlor_game::{Amount, Game, Party, Seat};
use parlor_mahjong::event::Event;
use parlor_mahjong::tile::{COPIES, Suit, Tile, TileCounts};
use parlor_mahjong::{Mahjong, State};

use crate::support::{any_options, entrants, entropy, open};

/// How many hands are played; `PARLOR_PLAYOUTS` sets another number.
const PLAYOUTS: u64 = 3_000;
/// Every so many events the views are checked for leaks.
const SECRECY_EVERY: usize = 23;

fn whole_wall(players: u8) -> TileCounts {
    let mut wall = TileCounts::default();
    let in_play = Suit::in_play(players);
    for tile in Tile::all().filter(|tile| in_play.contains(&tile.suit())) {
        wall.add_many(tile, COPIES);
    }
    wall
}

/// Replays the events of one hand on `state` and checks it after each step.
fn check_steps(state: &mut State, events: &[Event], seed: u64) {
    let players = state.options.players;
    let wall = whole_wall(players);
    let mut ended = false;
    for (number, event) in events.iter().enumerate() {
        Mahjong::evolve(state, event);
        let round = state.round.as_ref().unwrap();
        let between = matches!(event, Event::Won { .. } | Event::Paid { .. });
        assert!(between || round.tiles_in_all() == wall, "hand {seed}: tiles after {event:?}");
        let sum: Amount = round.books.nets.iter().copied().sum();
        assert_eq!(sum, Amount::ZERO, "hand {seed}: after {event:?}");
        if number % SECRECY_EVERY == usize::try_from(seed).unwrap() % SECRECY_EVERY {
            let window = &events[number..(number + 1).min(events.len())];
            check_secrecy::<Mahjong>(state, window, players, &entropy(seed ^ 0xface)).unwrap();
        }
        if let Event::HandEnded { result, .. } = event {
            ended = true;
            for (seat, net) in (0..).map(Seat).zip(&round.books.nets) {
                assert_eq!(result.net(Party::Seat(seat)), *net, "hand {seed}");
            }
        }
    }
    assert!(ended, "hand {seed} has no end");
}

#[test]
fn random_hands_keep_the_contract_the_tiles_and_the_money() {
    let playouts = std::env::var("PARLOR_PLAYOUTS").ok().and_then(|text| text.parse().ok());
    for seed in 0..playouts.unwrap_or(PLAYOUTS) {
        let mut chance = entropy(seed).labelled("test/playout");
        let options = any_options(&mut chance);
        let stack = chance.chance(1, 3).then(|| i64::from(chance.below(60)));
        let entrants = entrants(options.players, stack);
        let mut state = open(&options);
        let mut replayed = state.clone();
        let hands = options.rounds.min(2);
        for hand in 0..u64::from(hands) {
            let key = entropy(seed << 8 | hand);
            let played = random_hand::<Mahjong>(&mut state, &entrants, &key, &mut chance)
                .unwrap_or_else(|violation| panic!("hand {seed}: {violation}\n{options:?}"));
            check_steps(&mut replayed, &played.events, seed);
            assert_eq!(state, replayed, "hand {seed}: a replay differs");
        }
    }
}
